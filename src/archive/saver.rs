//! The archive that writes.

use std::hint::cold_path;
use std::sync::Arc;

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
    versions: Versions,
    context: Arc<Context>,
}

impl Saver {
    /// Writes from the start of the file.
    pub fn new(versions: Versions) -> Self {
        let big = versions.byte_order.is_big();
        Self { out: Buffer::default(), base: 0, big, versions, context: Context::nothing() }
    }

    /// The same with the source that spans are ranges of.
    #[must_use]
    pub fn with_context(mut self, context: Arc<Context>) -> Self {
        self.context = context;
        self
    }

    /// The same into a buffer whose first byte stands at `base` bytes from the start of the file.
    #[must_use]
    pub fn at(mut self, base: u64) -> Self {
        self.base = base;
        self
    }

    /// The same with room for `bytes` bytes.
    #[must_use]
    pub fn with_capacity(mut self, bytes: usize) -> Self {
        self.out.bytes.reserve_exact(bytes);
        self
    }

    /// Starts anew at `base` bytes from the start of the file: the room that was made stays.
    pub fn restart(&mut self, base: u64) {
        self.base = base;
        self.out.filled = 0;
    }

    /// What has been written.
    pub fn bytes(&self) -> &[u8] {
        self.out.written()
    }

    /// What has been written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.out.into_bytes()
    }
}

/// The hot numbers, without the detour through `serialize_bytes`.
macro_rules! put_numbers {
    ($($type:ty),*) => { paste::paste! { $(
        #[inline(always)]
        fn [<serialize_ $type>](&mut self, value: &mut $type) -> Result<()> {
            let bytes = if self.big {
                // A branch that is hardly ever taken costs less than swapping and choosing.
                cold_path();
                value.to_be_bytes()
            } else {
                value.to_le_bytes()
            };
            self.out.put(bytes);
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
        self.base + self.out.filled as u64
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
            Some((bytes, length)) => self.out.put_text(bytes, length),
            None => self.out.put_slice(span.bytes(source)?),
        }
        Ok(())
    }

    fn open(&mut self, size: Option<u64>) -> Result<Window> {
        let (sized, start) = (size.is_some(), self.out.filled as u64);
        Ok(Window { sized, start, ..Window::default() })
    }

    fn close(&mut self, window: Window, result: Result<()>) -> Result<()> {
        if window.sized && result.is_err() {
            self.out.filled = window.start as usize;
        }
        result
    }

    #[inline]
    fn claim(&mut self, _: u64, _: usize) -> Result<()> {
        Ok(())
    }

    fn patch(&mut self, at: u64, patch: Patch<'_>) -> Result<()> {
        let from = at.checked_sub(self.base).and_then(|start| usize::try_from(start).ok());
        let behind = from.and_then(|start| self.out.written_mut().get_mut(start..));
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
        self.out.put_some(bytes, length);
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

/// The most room that is made ready at once; it fits a processor's nearest cache.
const ROOM: usize = 8192;
/// Texts up to this length are copied as if they had it, which needs no loop.
const SHORT: usize = 32;

/// Bytes that have been written, then room for more.
///
/// A number goes into the room with one store. Appending to a `Vec` would read and write its length in
/// memory as well, and the next number would wait for that.
#[derive(Debug, Default)]
struct Buffer {
    bytes: Vec<u8>,
    /// Where the room starts; its bytes mean nothing.
    filled: usize,
}

// Where the room starts is computed on every way first and stored once last, so that the compiler can keep
// it in a register from one number to the next.
impl Buffer {
    /// The next `N` bytes of the room, if there are as many.
    #[inline(always)]
    fn room<const N: usize>(&mut self) -> Option<&mut [u8; N]> {
        self.bytes.get_mut(self.filled..)?.first_chunk_mut()
    }

    #[inline(always)]
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.filled = match self.room() {
            Some(room) => {
                *room = bytes;
                self.filled + N
            }
            None => self.grown_by(bytes),
        };
    }

    /// The first `length` of these bytes; the others may be written into the room.
    #[inline(always)]
    fn put_some<const N: usize>(&mut self, bytes: [u8; N], length: usize) {
        self.filled = match self.room() {
            Some(room) => {
                *room = bytes;
                self.filled + length.min(N)
            }
            None => self.grown_by_some(bytes, length),
        };
    }

    /// The same for a text, which is too long for registers.
    #[inline(always)]
    fn put_text(&mut self, bytes: &[u8; SHORT], length: usize) {
        self.filled = match self.room() {
            Some(room) => {
                *room = *bytes;
                self.filled + length.min(SHORT)
            }
            None => self.grown(bytes.get(..length).unwrap_or(bytes)),
        };
    }

    #[inline]
    fn put_slice(&mut self, bytes: &[u8]) {
        let room = self.bytes.get_mut(self.filled..).and_then(|room| room.get_mut(..bytes.len()));
        self.filled = match room {
            Some(room) => {
                room.copy_from_slice(bytes);
                self.filled + bytes.len()
            }
            None => self.grown(bytes),
        };
    }

    #[cold]
    #[inline(never)]
    fn grown_by<const N: usize>(&mut self, bytes: [u8; N]) -> usize {
        self.grown(&bytes)
    }

    #[cold]
    #[inline(never)]
    fn grown_by_some<const N: usize>(&mut self, bytes: [u8; N], length: usize) -> usize {
        self.grown(bytes.get(..length).unwrap_or(&bytes))
    }

    /// Appends bytes that do not fit the room, then makes new room: within the capacity, if there is any.
    /// Says where the room starts.
    #[cold]
    #[inline(never)]
    fn grown(&mut self, bytes: &[u8]) -> usize {
        self.bytes.truncate(self.filled);
        self.bytes.extend_from_slice(bytes);
        let filled = self.bytes.len();
        let room = filled.clamp(2 * SHORT, ROOM);
        self.bytes.resize(self.bytes.capacity().min(filled + room), 0);
        filled
    }

    fn written(&self) -> &[u8] {
        self.bytes.get(..self.filled).unwrap_or_default()
    }

    fn written_mut(&mut self) -> &mut [u8] {
        self.bytes.get_mut(..self.filled).unwrap_or_default()
    }

    fn into_bytes(mut self) -> Vec<u8> {
        self.bytes.truncate(self.filled);
        self.bytes
    }
}
