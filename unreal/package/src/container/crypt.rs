//! The ciphers of containers: AES-256 over blocks of 16 bytes, one by one (ECB) or as a stream (CTR).
//!
//! Spec: ue4-5/10 §7, 11 §5.

use aes::Aes256;
use aes::cipher::{
    Array, BlockCipherDecrypt, BlockCipherEncrypt, KeyInit, KeyIvInit, StreamCipher,
};
use ctr::Ctr32BE;

use super::AesKey;
use crate::error::{Result, UnrealError};

/// Bytes of a block of the cipher.
pub(super) const BLOCK: u64 = 16;

/// The initialization vector of a stream: 12 bytes, before the number of the block.
pub(super) type Iv = [u8; 12];

/// A size with its padding.
pub(super) fn padded(size: u64) -> u64 {
    size.saturating_add(BLOCK - 1) / BLOCK * BLOCK
}

/// Decrypts bytes in their place: a stream where there is an IV.
///
/// # Errors
/// `DamagedContainer` for single blocks that are not whole.
pub(super) fn decrypt(key: &AesKey, iv: Option<&Iv>, bytes: &mut [u8]) -> Result<()> {
    let Some(iv) = iv else {
        let (blocks, rest) = Array::slice_as_chunks_mut(bytes);
        if !rest.is_empty() {
            let reason = "encrypted bytes are no multiple of 16".to_owned();
            return Err(UnrealError::DamagedContainer { reason }.into());
        }
        Aes256::new(&(*key.bytes()).into()).decrypt_blocks(blocks);
        return Ok(());
    };
    stream(key, iv, bytes);
    Ok(())
}

/// Encrypts bytes in their place; they must have been padded.
pub(super) fn encrypt(key: &AesKey, iv: Option<&Iv>, bytes: &mut [u8]) {
    match iv {
        Some(iv) => stream(key, iv, bytes),
        None => {
            let (blocks, _) = Array::slice_as_chunks_mut(bytes);
            Aes256::new(&(*key.bytes()).into()).encrypt_blocks(blocks);
        }
    }
}

/// The number of the first block is 0.
fn stream(key: &AesKey, iv: &Iv, bytes: &mut [u8]) {
    let mut counter = [0; 16];
    counter[..iv.len()].copy_from_slice(iv);
    Ctr32BE::<Aes256>::new(&(*key.bytes()).into(), &counter.into()).apply_keystream(bytes);
}

/// An IV for these bytes: like the engine's it depends on them alone, and can't be computed without the key.
pub(super) fn iv_for(key: &AesKey, bytes: &[u8]) -> Iv {
    let mut iv = Iv::default();
    let length = iv.len();
    iv.copy_from_slice(&blake3::keyed_hash(key.bytes(), bytes).as_bytes()[..length]);
    iv
}
