//! How much may come out of a compressed file.

use crate::error::{Result, UnrealError};

/// Bytes that any file may decompress to: more than all but a handful of packages ever had.
const ALWAYS: u64 = 256 << 20;
/// Bytes that each byte of a file may decompress to. The 37 compressed packages of the corpus become up to 21 times as
/// large (a nearly empty map of UDK); the codecs themselves make a thousand bytes and more of one.
const PER_BYTE: u64 = 64;

/// Refuses to make `size` bytes of a file of `stored` bytes. `most` is what the caller allows; by default
/// that is 256 MiB, or 64 bytes for each of the file where that is more.
///
/// # Errors
/// `TooLarge`.
pub(super) fn check(size: u64, stored: u64, most: Option<u64>) -> Result<()> {
    let limit = self::most(stored, most);
    match size > limit {
        true => Err(UnrealError::TooLarge { size, limit }.into()),
        false => Ok(()),
    }
}

/// How many bytes may come out of a file of `stored` bytes: as many as the caller allows, or the default of
/// [`check`].
pub(super) fn most(stored: u64, most: Option<u64>) -> u64 {
    most.unwrap_or(ALWAYS.max(stored.saturating_mul(PER_BYTE)))
}
