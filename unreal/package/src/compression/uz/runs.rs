//! The first stage: runs of one byte, folded.
//!
//! A run is cut at 255 bytes. One of five and more is written as the byte five times and then its length.

use crate::error::{Result, UnrealError};

use super::damage::damaged;

/// So many equal bytes are followed by the length of their run.
const MARK: usize = 5;
/// The longest run that a length says.
const LONGEST: usize = 255;

/// Folds runs.
pub(super) fn fold(bytes: &[u8]) -> Vec<u8> {
    let mut folded = Vec::with_capacity(bytes.len() / 2);
    for equal in bytes.chunk_by(|a, b| a == b) {
        for run in equal.chunks(LONGEST) {
            folded.extend_from_slice(run.get(..MARK).unwrap_or(run));
            if run.len() >= MARK {
                folded.push(run.len() as u8);
            }
        }
    }
    folded
}

/// Writes runs out; at most `limit` bytes.
///
/// # Errors
/// `TooLarge`; `Compression` when a length is missing or below two.
pub(super) fn unfold(bytes: &[u8], limit: u64) -> Result<Vec<u8>> {
    let mut unfolded = Vec::with_capacity(bytes.len());
    let (mut last, mut count) = (0, 0);
    let mut rest = bytes.iter();
    while let Some(&byte) = rest.next() {
        count = if byte == last { count + 1 } else { 1 };
        last = byte;
        unfolded.push(byte);
        if count == MARK {
            let length = rest.next().map(|&length| usize::from(length));
            let length = length.filter(|&length| length >= 2);
            let length = length.ok_or_else(|| damaged("a run without its length"))?;
            // Lengths below the mark, which no packer writes, add nothing.
            unfolded.resize(unfolded.len() + length.saturating_sub(MARK), byte);
            count = 0;
        }
        let size = unfolded.len() as u64;
        if size > limit {
            return Err(UnrealError::TooLarge { size, limit }.into());
        }
    }
    Ok(unfolded)
}
