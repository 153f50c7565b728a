//! Where a save writes.

use bytes::Bytes;

use super::SectionPlace;
use crate::error::{ErrorKind, Result};

/// Where a save writes.
pub(super) enum SaveTarget {
    /// An image that is made.
    Made(Vec<u8>),
    /// Nowhere: whether it is this one is all that is asked, and whether it was so far.
    Compared(Bytes, bool),
}

impl SaveTarget {
    /// Writes a section at its place.
    pub fn put(&mut self, place: &SectionPlace, bytes: &[u8]) -> Result<()> {
        self.put_at(place.start, bytes)
    }

    /// Writes bytes at this position.
    pub fn put_at(&mut self, start: u64, bytes: &[u8]) -> Result<()> {
        let (at, count) = (start as usize, bytes.len());
        let outside = |length: usize| {
            let (end, length) = (start.saturating_add(count as u64), length as u64);
            ErrorKind::OutsideSource { start, end, length }
        };
        match self {
            Self::Made(out) => {
                let length = out.len();
                let target = out.get_mut(at..).and_then(|rest| rest.get_mut(..count));
                target.ok_or_else(|| outside(length))?.copy_from_slice(bytes);
            }
            Self::Compared(with, is_same) => {
                let there = with.get(at..).and_then(|rest| rest.get(..count));
                *is_same &= there.ok_or_else(|| outside(with.len()))? == bytes;
            }
        }
        Ok(())
    }
}
