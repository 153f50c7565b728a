//! The archive that writes.

use std::fmt;
use std::sync::Arc;

use super::loader::{DEPTH, default_budget};
use super::{Archive, ArchiveExt, CompactIndex, Context, Direction, Kind, Patch, Span, Window};
use crate::error::{ErrorKind, Result};
use crate::version::Versions;

/// Writes values into a buffer. Spans that are ranges are copied from the source of the context.
#[derive(Debug)]
pub struct Saver {
    out: Buffer,
    /// Position of the buffer's first byte, from the start of the file.
    base: u64,
    big: bool,
    /// Bytes of memory that loading what was written may claim; `None` for what a loader allows by itself.
    budget: Option<u64>,
    /// Those that it may claim by what was written when they were last counted: most values never claim more.
    granted: u64,
    /// Those of them that are left: counting down, a list looks at one number.
    left: u64,
    depth: u32,
    /// Levels that values may nest.
    deepest: u32,
    versions: Versions,
    context: Arc<Context>,
}

impl Saver {
    /// Writes from the start of the file.
    pub fn new(versions: Versions) -> Self {
        let big = versions.byte_order.is_big();
        Self {
            out: Buffer::default(),
            base: 0,
            big,
            budget: None,
            granted: default_budget(0),
            left: default_budget(0),
            depth: 0,
            deepest: DEPTH,
            versions,
            context: Context::nothing(),
        }
    }

    /// The same with the source that spans are ranges of.
    #[must_use]
    #[inline]
    pub fn with_context(mut self, context: Arc<Context>) -> Self {
        self.context = context;
        self
    }

    /// The same into a buffer whose first byte stands at `base` bytes from the start of the file.
    #[must_use]
    #[inline]
    pub fn at(mut self, base: u64) -> Self {
        self.base = base;
        self
    }

    /// The same with room for `bytes` bytes.
    #[must_use]
    #[inline]
    pub fn with_capacity(mut self, bytes: usize) -> Self {
        self.out.bytes.reserve_exact(bytes);
        self
    }

    /// The same with so many bytes of memory that loading the values again may claim, in place of what a
    /// [`Loader`](super::Loader) allows by itself. It is looked at when lists are written, so that a default
    /// that grows with the file may refuse what later bytes would make room for.
    #[must_use]
    #[inline]
    pub fn with_budget(mut self, bytes: u64) -> Self {
        self.budget = Some(bytes);
        self.grant_anew();
        self
    }

    /// The same with so many levels that values may nest, as [`Loader::with_depth`](super::Loader::with_depth).
    #[must_use]
    #[inline]
    pub fn with_depth(mut self, levels: u32) -> Self {
        self.deepest = levels;
        self
    }

    /// Starts anew at `base` bytes from the start of the file: the room that was made stays.
    #[inline]
    pub fn restart(&mut self, base: u64) {
        self.base = base;
        self.depth = 0;
        self.grant_anew();
        self.out.truncate(0);
    }

    /// Nothing is claimed yet.
    fn grant_anew(&mut self) {
        self.granted = self.budget.unwrap_or(default_budget(0));
        self.left = self.granted;
    }

    /// Claims memory beyond what was left by the bytes that were counted: those behind them grant some, too.
    #[cold]
    #[inline(never)]
    fn claim_more(&mut self, memory: u64) -> Result<()> {
        let written = self.out.len() as u64;
        let granted = self.budget.unwrap_or_else(|| default_budget(written)).max(self.granted);
        let left = self.left.saturating_add(granted - self.granted);
        (self.granted, self.left) = (granted, left);
        match left.checked_sub(memory) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(self.error(ErrorKind::Budget { wanted: memory, left })),
        }
    }

    /// What has been written.
    #[inline]
    pub fn bytes(&mut self) -> &[u8] {
        self.out.written()
    }

    /// What has been written.
    #[inline]
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.out.flush();
        self.out.bytes
    }
}

/// The hot numbers, without the detour through `serialize_bytes`.
macro_rules! put_numbers {
    ($($type:ty),*) => { paste::paste! { $(
        #[inline(always)]
        fn [<serialize_ $type>](&mut self, value: &mut $type) -> Result<()> {
            if self.big {
                // A branch that is hardly ever taken costs less than swapping and choosing.
                self.out.put_reversed(value.to_le_bytes());
            } else {
                self.out.put(value.to_le_bytes());
            }
            Ok(())
        }
    )* } };
}

impl Archive for Saver {
    #[inline(always)]
    fn direction(&self) -> Direction {
        Direction::Saving
    }

    #[inline(always)]
    fn versions(&self) -> &Versions {
        &self.versions
    }

    fn set_versions(&mut self, versions: Versions) {
        self.big = versions.byte_order.is_big();
        self.versions = versions;
    }

    fn context(&self) -> &Arc<Context> {
        &self.context
    }

    #[inline(always)]
    fn position(&self) -> u64 {
        self.base + self.out.len() as u64
    }

    #[inline]
    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.out.put_slice(bytes);
        Ok(())
    }

    #[inline]
    fn serialize_span(&mut self, span: &mut Span, _: u64, _: Kind) -> Result<()> {
        let source = self.context.source();
        match short_text(span, source) {
            Some((bytes, length)) => self.out.put_some(bytes, length),
            None => self.out.put_slice(span.bytes(source)?),
        }
        Ok(())
    }

    #[inline]
    fn open(&mut self, size: Option<u64>) -> Result<Window> {
        if self.depth >= self.deepest {
            return Err(self.error(ErrorKind::TooDeep { limit: self.deepest }));
        }
        self.depth += 1;
        let (sized, start) = (size.is_some(), self.out.len() as u64);
        Ok(Window { sized, start, ..Window::default() })
    }

    #[inline]
    fn close(&mut self, window: Window, result: Result<()>) -> Result<()> {
        self.depth = self.depth.saturating_sub(1);
        if window.sized && result.is_err() {
            self.out.truncate(window.start as usize);
        }
        result
    }

    #[inline]
    fn reserve(&mut self, _: u64, memory: u64) -> Result<()> {
        match self.left.checked_sub(memory) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => self.claim_more(memory),
        }
    }

    fn patch(&mut self, at: u64, patch: Patch<'_>) -> Result<()> {
        let from = at.checked_sub(self.base).and_then(|start| usize::try_from(start).ok());
        let behind = from.and_then(|start| self.out.from(start));
        let (done, end) = match patch {
            Patch::Bytes(bytes) => {
                let place = behind.and_then(|behind| behind.get_mut(..bytes.len()));
                let done = place.map(|place| place.copy_from_slice(bytes));
                (done, at.saturating_add(bytes.len() as u64))
            }
            Patch::MoveFrom(from) => {
                let first = from.checked_sub(at).and_then(|first| usize::try_from(first).ok());
                let both = behind.zip(first).filter(|(both, first)| *first <= both.len());
                (both.map(|(both, first)| both.rotate_left(first)), from)
            }
        };
        done.ok_or_else(|| {
            let length = self.position();
            self.error(ErrorKind::OutsideSource { start: at, end, length })
        })
    }

    fn as_dyn(&mut self) -> &mut dyn Archive {
        self
    }

    put_numbers!(u8, i8, u16, i16, u32, i32, u64, i64, f32, f64);

    #[inline(always)]
    fn serialize_compact(&mut self, index: &mut CompactIndex) -> Result<()> {
        let (bytes, length) = index.encode();
        self.out.put_some(&bytes, length);
        Ok(())
    }

    #[inline]
    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
        let bytes = span.bytes(self.context.source())?;
        if has_zero(bytes) {
            let reason = "a zero byte inside a text that ends at the first zero byte";
            return Err(self.error(ErrorKind::BadText { reason }));
        }
        self.out.put_slice(bytes);
        self.out.put([0]);
        Ok(())
    }
}

/// A short range of the source, with what follows it there up to a fixed length, and its own length.
#[inline(always)]
fn short_text<'a>(span: &Span, source: &'a [u8]) -> Option<(&'a [u8; SHORT], usize)> {
    let range = span.range()?;
    let start = usize::try_from(range.start).ok()?;
    let length = usize::try_from(range.end - range.start).ok().filter(|&length| length <= SHORT)?;
    Some((source.get(start..)?.first_chunk()?, length))
}

/// Not inlined: it may be long, and it writes nothing.
#[inline(never)]
fn has_zero(bytes: &[u8]) -> bool {
    bytes.contains(&0)
}

/// Bytes that numbers are written into before they go to those that are written.
const ROOM: usize = 1024;
/// Texts up to this length are copied as if they had it, which needs no loop.
const SHORT: usize = 32;

/// Bytes that have been written; the last of them stand in a room of fixed size.
///
/// Since the compiler knows the room's size, a number goes there with one comparison and one store.
/// Appending to a `Vec` would read and write its length in memory as well, and the next number would wait
/// for that.
struct Buffer {
    bytes: Vec<u8>,
    /// What comes behind `bytes`; values of up to `SHORT` bytes may stand over its end.
    room: [u8; ROOM + SHORT],
    /// Bytes in the room.
    filled: usize,
}

impl Buffer {
    /// Where in the room the next value stands.
    #[inline(always)]
    fn next(&mut self) -> usize {
        if self.filled < ROOM {
            return self.filled;
        }
        self.flush();
        0
    }

    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.put_some(&bytes, N);
    }

    /// The first `length` of these bytes, which are at most `SHORT`; the others may be written into the room.
    #[inline(always)]
    fn put_some<const N: usize>(&mut self, bytes: &[u8; N], length: usize) {
        const { assert!(N <= SHORT) };
        let next = self.next();
        self.room[next..next + N].copy_from_slice(bytes);
        self.filled = next + length.min(N);
    }

    #[cold]
    #[inline(never)]
    fn put_reversed<const N: usize>(&mut self, mut bytes: [u8; N]) {
        bytes.reverse();
        self.put(bytes);
    }

    #[inline]
    fn put_slice(&mut self, bytes: &[u8]) {
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
    fn flush(&mut self) {
        self.bytes.extend_from_slice(self.room.get(..self.filled).unwrap_or(&self.room));
        self.filled = 0;
    }

    fn len(&self) -> usize {
        self.bytes.len() + self.filled
    }

    /// Takes back what was written from `length` on.
    fn truncate(&mut self, length: usize) {
        self.filled = self.filled.min(length.saturating_sub(self.bytes.len()));
        self.bytes.truncate(length);
    }

    /// What was written from there on.
    #[inline]
    fn from(&mut self, start: usize) -> Option<&mut [u8]> {
        match start.checked_sub(self.bytes.len()) {
            Some(start) => self.room.get_mut(start..self.filled),
            None => self.written().get_mut(start..),
        }
    }

    /// All of it.
    fn written(&mut self) -> &mut [u8] {
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
