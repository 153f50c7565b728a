//! Bytes that have been written.

use std::fmt;

/// Bytes that numbers are written into before they go to those that are written.
const ROOM: usize = 1024;
/// Texts up to this length are copied as if they had it, which needs no loop.
pub(super) const SHORT: usize = 32;

/// Bytes that have been written; the last of them stand in a room of fixed size.
///
/// Since the compiler knows the room's size, a number goes there with one comparison and one store.
/// Appending to a `Vec` would read and write its length in memory as well, and the next number would wait
/// for that.
pub(super) struct Buffer {
    pub(super) bytes: Vec<u8>,
    /// The room behind `bytes`; values of up to `SHORT` bytes may stand over its end.
    room: [u8; ROOM + SHORT],
    /// Bytes in the room.
    filled: usize,
}

impl Buffer {
    /// Where in the room the next value stands.
    #[inline(always)]
    pub(super) fn next(&mut self) -> usize {
        if self.filled < ROOM {
            return self.filled;
        }
        self.flush();
        0
    }

    #[inline(always)]
    pub(super) fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.put_some(&bytes, N);
    }

    /// The first `length` of these bytes, which are at most `SHORT`; the others may be written into the room.
    #[inline(always)]
    pub(super) fn put_some<const N: usize>(&mut self, bytes: &[u8; N], length: usize) {
        const { assert!(N <= SHORT) };
        let next = self.next();
        self.room[next..next + N].copy_from_slice(bytes);
        self.filled = next + length.min(N);
    }

    #[cold]
    #[inline(never)]
    pub(super) fn put_reversed<const N: usize>(&mut self, mut bytes: [u8; N]) {
        bytes.reverse();
        self.put(bytes);
    }

    #[inline]
    pub(super) fn put_slice(&mut self, bytes: &[u8]) {
        match self.room.get_mut(self.filled..self.filled.saturating_add(bytes.len())) {
            Some(room) => {
                room.copy_from_slice(bytes);
                self.filled += bytes.len();
            }
            None => {
                self.flush();
                self.bytes.extend_from_slice(bytes);
            }
        }
    }

    /// Empties the room.
    #[cold]
    #[inline(never)]
    pub(super) fn flush(&mut self) {
        self.bytes.extend_from_slice(self.room.get(..self.filled).unwrap_or(&self.room));
        self.filled = 0;
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len() + self.filled
    }

    /// Takes back what was written from `length` on.
    pub(super) fn truncate(&mut self, length: usize) {
        self.filled = self.filled.min(length.saturating_sub(self.bytes.len()));
        self.bytes.truncate(length);
    }

    /// The bytes that were written from there on.
    #[inline]
    pub(super) fn from(&mut self, start: usize) -> Option<&mut [u8]> {
        match start.checked_sub(self.bytes.len()) {
            Some(start) => self.room.get_mut(start..self.filled),
            None => self.written().get_mut(start..),
        }
    }

    /// Shows what was written there, if it is all there.
    pub(super) fn show(&self, start: usize, length: usize, take: &dyn Fn(&[u8])) -> bool {
        let Some(end) = start.checked_add(length).filter(|end| *end <= self.len()) else {
            return false;
        };
        let flushed = self.bytes.len();
        take(self.bytes.get(start.min(flushed)..end.min(flushed)).unwrap_or_default());
        let room = start.saturating_sub(flushed)..end.saturating_sub(flushed);
        take(self.room.get(room).unwrap_or_default());
        true
    }

    /// All of it.
    pub(super) fn written(&mut self) -> &mut [u8] {
        self.flush();
        &mut self.bytes
    }
}

impl Default for Buffer {
    fn default() -> Self {
        Self { bytes: Vec::new(), room: [0; ROOM + SHORT], filled: 0 }
    }
}

impl fmt::Debug for Buffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Buffer").field("length", &self.len()).finish_non_exhaustive()
    }
}
