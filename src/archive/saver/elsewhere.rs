//! Values that were written at places of their own.

use super::buffer::Buffer;
use crate::error::Result;

/// Bytes at places of their own, and the buffers that wait meanwhile. They are joined at the end: going to a place and
/// back copies nothing that was written before.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    /// All of them, one behind the other.
    bytes: Vec<u8>,
    /// Where each belongs in the file, and where it starts in `bytes`.
    places: Vec<(u64, usize)>,
    /// The end of the value that stands furthest.
    furthest: u64,
    /// Outer buffers with the position of their first byte, the innermost one last.
    suspended: Vec<(Buffer, u64)>,
    /// All bytes joined, for those who only look at them.
    whole: Vec<u8>,
}

impl Elsewhere {
    /// The position of the first byte of the outermost buffer; that of `base` where none waits.
    pub(super) fn base(&self, base: u64) -> u64 {
        self.suspended.first().map_or(base, |(_, base)| *base)
    }

    /// The end of the value that stands furthest, where the current one ends at `end`.
    pub(super) fn furthest(&self, end: u64) -> u64 {
        let ends = self.suspended.iter().map(|(out, base)| base + out.len() as u64);
        ends.chain([self.furthest]).fold(end, u64::max)
    }

    /// Whether a value is being written.
    pub(super) fn is_open(&self) -> bool {
        !self.suspended.is_empty()
    }

    /// Hands on each value with its place.
    pub(super) fn hand_on(&self, sink: &mut dyn FnMut(u64, &[u8]) -> Result<()>) -> Result<()> {
        self.pieces().try_for_each(|(offset, bytes)| sink(offset, bytes))
    }

    /// How many values are kept.
    pub(super) fn kept(&self) -> u64 {
        self.places.len() as u64
    }

    pub(super) fn suspend(&mut self, out: Buffer, base: u64) {
        self.suspended.push((out, base));
    }

    pub(super) fn resume(&mut self) -> Option<(Buffer, u64)> {
        self.suspended.pop()
    }

    /// Keeps what was written at `offset`.
    pub(super) fn keep(&mut self, offset: u64, bytes: &[u8]) {
        self.places.push((offset, self.bytes.len()));
        self.bytes.extend_from_slice(bytes);
        self.furthest = self.furthest.max(offset + bytes.len() as u64);
    }

    /// Takes back all but the first `kept` values.
    pub(super) fn forget_from(&mut self, kept: u64) {
        let kept = kept as usize;
        if let Some((_, start)) = self.places.get(kept).copied() {
            self.bytes.truncate(start);
            self.places.truncate(kept);
            let ends = self.pieces().map(|(offset, bytes)| offset + bytes.len() as u64);
            self.furthest = ends.max().unwrap_or_default();
        }
    }

    /// Each value with its place.
    fn pieces(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let ends = self.places.iter().skip(1).map(|(_, start)| *start).chain([self.bytes.len()]);
        let piece = |((offset, start), end): (&(u64, usize), usize)| {
            (*offset, self.bytes.get(*start..end).unwrap_or_default())
        };
        self.places.iter().zip(ends).map(piece)
    }

    /// Overwrites bytes of a value that is kept, or of one that waits.
    pub(super) fn patch(&mut self, at: u64, bytes: &[u8]) -> Option<()> {
        for (out, base) in self.suspended.iter_mut().rev() {
            let start = at.checked_sub(*base).and_then(|start| usize::try_from(start).ok());
            let place = start.and_then(|start| out.from(start)?.get_mut(..bytes.len()));
            if let Some(place) = place {
                place.copy_from_slice(bytes);
                return Some(());
            }
        }
        let found =
            self.pieces().position(|(offset, piece)| within(offset, piece, at, bytes.len()));
        let (offset, start) = self.places.get(found?).copied()?;
        let start = start + (at - offset) as usize;
        self.bytes.get_mut(start..start + bytes.len())?.copy_from_slice(bytes);
        Some(())
    }

    /// Shows bytes of a value that is kept, or of one that waits.
    pub(super) fn show(&self, start: u64, end: u64, take: &dyn Fn(&[u8])) -> Option<()> {
        let length = usize::try_from(end.checked_sub(start)?).ok()?;
        for (out, base) in self.suspended.iter().rev() {
            let first = start.checked_sub(*base).and_then(|start| usize::try_from(start).ok());
            if first.is_some_and(|first| out.show(first, length, take)) {
                return Some(());
            }
        }
        let (offset, piece) =
            self.pieces().find(|(offset, piece)| within(*offset, piece, start, length))?;
        let first = (start - offset) as usize;
        take(piece.get(first..first + length)?);
        Some(())
    }

    /// All bytes, the first of which is that of `main`, at `base`; and the first byte in which two values differ that
    /// both have it.
    pub(super) fn joined(&self, mut main: Vec<u8>, base: u64) -> (Vec<u8>, Option<u64>) {
        let mut pieces: Vec<(u64, &[u8])> = self.pieces().collect();
        pieces.sort_by_key(|(offset, _)| *offset);
        let main_end = main.len();
        let (mut covered, mut conflict) = (main_end, None);
        for (offset, piece) in pieces {
            // One that was handed on before is not asked for here.
            let Some(start) = offset.checked_sub(base) else { continue };
            let start = start as usize;
            let end = start + piece.len();
            if main.len() < end {
                main.resize(end, 0);
            }
            // What stands there already: of the main buffer, and of values that start before.
            let shared = covered.clamp(start, end) - start;
            let there = main.get_mut(start..end).unwrap_or_default();
            let differs = there.iter().zip(piece).take(shared).position(|(a, b)| a != b);
            conflict = conflict.or(differs.map(|at| offset + at as u64));
            if let Some((there, piece)) = there.get_mut(shared..).zip(piece.get(shared..)) {
                there.copy_from_slice(piece);
            }
            covered = covered.max(end);
        }
        (main, conflict)
    }

    /// The same for those who only look.
    pub(super) fn whole(&mut self, main: &[u8], base: u64) -> &[u8] {
        self.whole = self.joined(main.to_vec(), base).0;
        &self.whole
    }
}

/// Whether `length` bytes at `at` are all bytes of the piece at `offset`.
fn within(offset: u64, piece: &[u8], at: u64, length: usize) -> bool {
    at.checked_sub(offset).is_some_and(|start| {
        start.checked_add(length as u64).is_some_and(|end| end <= piece.len() as u64)
    })
}
