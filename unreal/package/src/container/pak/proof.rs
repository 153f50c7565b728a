//! Whether the decrypted bytes of a file prove the key.
//!
//! The SHA-1 of a file is of its encrypted bytes, so that it says nothing of the key. Where the index is
//! encrypted its hash proves the key of the whole container; elsewhere only the content can.

use std::collections::HashSet;

use crate::container::BlockMethod;
use crate::container::crypt::BLOCK;
use crate::table::PACKAGE_TAG;

/// Bytes at the start of a file that are looked at.
const LOOKED_AT: usize = 0x1_0000;
/// Bytes of padding that can't fit by chance: 32 bits.
const ENOUGH_PADDING: usize = 4;
/// Equal bytes in a block of the cipher that noise does not have: one of 2^50 blocks.
const EQUAL_BYTES: u8 = 8;
/// Blocks of text that noise does not make: one of 2^42 pairs.
const TEXT_BLOCKS: usize = 2;
/// Blocks from which the frequencies of bytes tell noise from data.
const FREQUENCY_BLOCKS: usize = 64;
/// Stored bytes from which a decoder without checksum refuses all noise.
const DECODER_BYTES: u64 = 64;

/// First bytes of files by which a key is known, four each.
const MAGICS: [&[u8; 4]; 16] = [
    b"\x89PNG",
    b"\xFF\xD8\xFF\xE0",
    b"RIFF",
    b"OggS",
    b"fLaC",
    b"DDS ",
    b"BIKi",
    b"KB2j",
    b"PK\x03\x04",
    b"\x28\xB5\x2F\xFD",
    b"\x0E\x14\x74\x75",
    b"\xE7\x9E\x7F\x71",
    b"OTTO",
    b"\x00\x01\x00\x00",
    b"BKHD",
    b"AKPK",
];

/// The judgement on a key by the bytes that it decrypts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Proof {
    /// Noise does not look so.
    Right,
    /// They could be noise, or data that looks like it.
    Unknown,
    /// They are noise where the name of the file promises something else.
    Wrong,
}

/// The judgement by a file that is only stored: `data` has its padding, `size` is without.
pub(super) fn of_stored(path: &str, data: &[u8], size: usize) -> Proof {
    let (content, padding) = data.split_at(size.min(data.len()));
    if is_padding(content, padding) || has_magic(path, content) || has_structure(data) {
        return Proof::Right;
    }
    let extension = path.rsplit('.').next().unwrap_or_default();
    let is_package = ["uasset", "umap"].iter().any(|known| known.eq_ignore_ascii_case(extension));
    match is_package && content.len() >= size_of::<u32>() {
        true => Proof::Wrong,
        false => Proof::Unknown,
    }
}

/// The judgement by a file whose blocks could all be decompressed: formats with a checksum or a magic need no more.
pub(super) fn of_decompressed(method: BlockMethod, stored: u64, content: &[u8]) -> Proof {
    let has_checksum = match method {
        BlockMethod::Zlib | BlockMethod::Gzip | BlockMethod::Zstd => true,
        BlockMethod::Oodle | BlockMethod::Lz4 => false,
    };
    match has_checksum || stored >= DECODER_BYTES || has_structure(content) {
        true => Proof::Right,
        false => Proof::Unknown,
    }
}

/// Packers pad with the first bytes again, or with zeros.
fn is_padding(content: &[u8], padding: &[u8]) -> bool {
    let is_again = || {
        let again = content.iter().cycle();
        !content.is_empty() && padding.iter().zip(again).all(|(a, b)| a == b)
    };
    padding.len() >= ENOUGH_PADDING && (padding.iter().all(|byte| *byte == 0) || is_again())
}

fn has_magic(path: &str, content: &[u8]) -> bool {
    let tags = [PACKAGE_TAG.to_le_bytes(), PACKAGE_TAG.to_be_bytes()];
    let is_known = |bytes: &[u8; 4]| tags.contains(bytes);
    // The bodies of a package end with its tag.
    let ends = path.to_ascii_lowercase().ends_with(".uexp")
        && content.last_chunk::<4>().is_some_and(is_known);
    let starts =
        content.first_chunk::<4>().is_some_and(|start| is_known(start) || MAGICS.contains(&start));
    ends || starts
}

/// Whether bytes differ from noise. Equal blocks count once: the cipher makes equal noise of them.
fn has_structure(data: &[u8]) -> bool {
    let (blocks, _) = data.get(..LOOKED_AT).unwrap_or(data).as_chunks::<{ BLOCK as usize }>();
    let mut distinct = HashSet::with_capacity(blocks.len());
    let (mut frequencies, mut text) = ([0_u32; 256], true);
    for block in blocks.iter().filter(|block| distinct.insert(**block)) {
        let mut counts = [0_u8; 256];
        for byte in block {
            frequencies[usize::from(*byte)] += 1;
            counts[usize::from(*byte)] += 1;
            if counts[usize::from(*byte)] >= EQUAL_BYTES {
                return true;
            }
        }
        text &= block.iter().all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~'));
    }
    let count = distinct.len();
    (text && count >= TEXT_BLOCKS) || (count >= FREQUENCY_BLOCKS && is_uneven(&frequencies, count))
}

/// Pearson's test: noise has 255 on average, and never twice that.
fn is_uneven(frequencies: &[u32; 256], blocks: usize) -> bool {
    let expected = (blocks as u64 * BLOCK) as f64 / 256.0;
    let distance = |count: &u32| (f64::from(*count) - expected).powi(2) / expected;
    frequencies.iter().map(distance).sum::<f64>() > 512.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(size: usize) -> Vec<u8> {
        let mut bytes = vec![0; size];
        blake3::Hasher::new().update(b"noise").finalize_xof().fill(&mut bytes);
        bytes
    }

    #[test]
    fn noise_proves_nothing() {
        for size in [0_usize, 1, 5, 13, 16, 32, 1000, 0x4000, 0x2_0000] {
            let data = noise(size.next_multiple_of(16));
            assert_eq!(of_stored("a.bin", &data, size), Proof::Unknown, "{size}");
        }
        assert_eq!(of_stored("a.uasset", &noise(64), 64), Proof::Wrong);
        // The cipher makes equal noise of equal blocks.
        assert_eq!(of_stored("a.bin", &noise(16).repeat(5000), 80_000), Proof::Unknown);
    }

    #[test]
    fn data_proves_the_key() {
        let right = |path: &str, data: &[u8], size| {
            assert_eq!(of_stored(path, data, size), Proof::Right, "{path} {size}");
        };
        right("a.bin", b"abcdeabcdeabcdea", 5);
        right("a.bin", &[&noise(12)[..], &[0; 4]].concat(), 12);
        right("a.ini", b"[/Script/Engine.Engine]\r\nA=1\r\nB=22", 32);
        right("a.uexp", &[&noise(28)[..], &PACKAGE_TAG.to_le_bytes()].concat(), 32);
        right("a.umap", &[&PACKAGE_TAG.to_le_bytes()[..], &noise(28)].concat(), 32);
        let uneven: Vec<u8> = noise(2048).iter().map(|byte| byte & 0x7f).collect();
        right("a.bin", &uneven, 2048);
    }
}
