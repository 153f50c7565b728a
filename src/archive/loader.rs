//! The archive that reads.

use std::sync::Arc;

use super::{
    Archive, ArchiveExt, CompactIndex, Context, Direction, Extent, Kind, Patch, Span, Step, Window,
};
use crate::error::{Error, ErrorKind, Result};
use crate::version::Versions;

/// Memory that the tables of any file may take, in bytes, beside what grows with its size.
const BASE_BUDGET: u64 = 32 << 20;
/// Bytes of memory that each byte of the file may claim.
pub(super) const BUDGET_PER_BYTE: u64 = 8;
/// Levels that values may nest: far more than any real file has, far less than a stack holds.
pub(super) const DEPTH: u32 = 96;

/// Bytes of memory that values in so many bytes of the file may claim where the caller sets no budget.
#[inline]
pub(super) fn default_budget(length: u64) -> u64 {
    BASE_BUDGET.saturating_add(length.saturating_mul(BUDGET_PER_BYTE))
}

/// Reads values from a slice. Bulk bytes are not copied: they become ranges of the slice.
#[derive(Debug)]
pub struct Loader<'a> {
    source: &'a [u8],
    rest: &'a [u8],
    /// Position of the end of `rest`, from the start of the file.
    end: u64,
    big: bool,
    /// Bytes of memory that may still be claimed.
    budget: u64,
    depth: u32,
    /// Levels that values may nest.
    deepest: u32,
    opaque: u64,
    payload: u64,
    /// The end of what was read at places of its own.
    furthest: u64,
    /// Whether spans own their bytes.
    owning: bool,
    versions: Versions,
    context: Arc<Context>,
}

impl<'a> Loader<'a> {
    /// Reads `source` from its start.
    #[inline]
    pub fn new(source: &'a [u8], versions: Versions) -> Self {
        Self::knowing(source, versions, Context::nothing())
    }

    /// The same with what is known about the file.
    #[inline]
    #[doc(hidden)]
    pub fn knowing(source: &'a [u8], versions: Versions, context: Arc<Context>) -> Self {
        let length = source.len() as u64;
        Self {
            source,
            rest: source,
            end: length,
            big: versions.byte_order.is_big(),
            budget: default_budget(length),
            depth: 0,
            deepest: DEPTH,
            opaque: 0,
            payload: 0,
            furthest: 0,
            owning: false,
            versions,
            context,
        }
    }

    /// The same with what is known about the file.
    #[must_use]
    #[inline]
    pub fn with_context(mut self, context: Arc<Context>) -> Self {
        self.context = context;
        self
    }

    /// The same with so many bytes of memory that values may claim, in place of 32 MiB and 8 bytes for each byte
    /// of the file. A [`Saver`](super::Saver) with the same budget refuses what this loader would.
    #[must_use]
    #[inline]
    pub fn with_budget(mut self, bytes: u64) -> Self {
        self.budget = bytes;
        self
    }

    /// The same with so many levels that values may nest, in place of 96: each takes room on the stack.
    #[must_use]
    #[inline]
    pub fn with_depth(mut self, levels: u32) -> Self {
        self.deepest = levels;
        self
    }

    /// The same with spans that own their bytes, so that values need no source: what
    /// [`from_bytes`](crate::from_bytes) does.
    #[must_use]
    #[inline]
    pub fn owning(mut self) -> Self {
        self.owning = true;
        self
    }

    /// The bytes that it reads from, all of them: they live longer than the loader.
    #[inline]
    pub fn source(&self) -> &'a [u8] {
        self.source
    }

    /// The bytes that are left, without taking them.
    #[inline]
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Takes the next `length` bytes, without copying them.
    ///
    /// # Errors
    /// `UnexpectedEnd`.
    #[inline]
    pub fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let Some((head, rest)) = self.rest.split_at_checked(length) else {
            return Err(self.short(length as u64));
        };
        self.rest = rest;
        Ok(head)
    }

    /// The end of what was read, also at places of its own.
    #[inline]
    pub fn furthest(&self) -> u64 {
        self.position().max(self.furthest)
    }

    /// Checks that nothing is left behind the values, also behind those at places of their own.
    ///
    /// # Errors
    /// `LeftOver`, where the first byte is that is left.
    pub fn finish(&self) -> Result<()> {
        let (end, length) = (self.furthest(), self.source.len() as u64);
        match length.saturating_sub(end) {
            0 => Ok(()),
            left => {
                Err(Error::new(ErrorKind::LeftOver { left, size: length }, end, &self.versions))
            }
        }
    }

    /// Goes to another place of `source`, which must be the slice that this loader was made from, and
    /// reads up to `end`. Memory already claimed stays claimed.
    ///
    /// # Errors
    /// `BadOffset` when the range is not inside the source.
    pub fn seek(&mut self, source: &'a [u8], start: u64, end: u64) -> Result<()> {
        let length = source.len() as u64;
        let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        self.rest = range
            .and_then(|(start, end)| source.get(start..end))
            .ok_or_else(|| self.error(ErrorKind::BadOffset { offset: start as i64, length }))?;
        self.end = end;
        Ok(())
    }

    /// Goes back from another place.
    #[inline(never)]
    fn go_back(&mut self, window: &Window, result: Result<()>) -> Result<()> {
        match &result {
            Ok(()) => self.furthest = self.furthest.max(self.position()),
            Err(_) => (self.opaque, self.payload) = (window.opaque, window.payload),
        }
        self.end = window.end;
        self.rest = self.source.get(window.start as usize..self.end as usize).unwrap_or_default();
        result
    }

    /// Bytes that are left.
    #[inline]
    pub fn remaining(&self) -> u64 {
        self.rest.len() as u64
    }

    /// Bytes read so far as opaque.
    #[inline]
    pub fn opaque(&self) -> u64 {
        self.opaque
    }

    /// Bytes read so far as payload.
    #[inline]
    pub fn payload(&self) -> u64 {
        self.payload
    }

    /// Bytes of the source that the span owns. They are no more than the file has, and still memory.
    #[inline(never)]
    fn owned(&mut self, start: u64, length: u64) -> Result<Span> {
        self.reserve(0, length)?;
        let mut span = Span::source(start, length);
        span.materialize(self.source)?;
        Ok(span)
    }

    #[cold]
    #[inline(never)]
    fn short(&self, needed: u64) -> Error {
        self.error(ErrorKind::UnexpectedEnd { needed, remaining: self.remaining() })
    }
}

/// Says that a branch is hardly ever taken: `std::hint::cold_path`, which needs a compiler of 1.95.
#[cold]
#[inline]
const fn cold() {}

/// The hot numbers, without the detour through a byte buffer.
macro_rules! take_numbers {
    ($($type:ty),*) => { paste::paste! { $(
        #[inline(always)]
        fn [<serialize_ $type>](&mut self, value: &mut $type) -> Result<()> {
            let Some((&bytes, rest)) = self.rest.split_first_chunk() else {
                return Err(self.short(size_of::<$type>() as u64));
            };
            *value = if self.big {
                // A branch that is hardly ever taken costs less than swapping and choosing.
                cold();
                $type::from_be_bytes(bytes)
            } else {
                $type::from_le_bytes(bytes)
            };
            self.rest = rest;
            Ok(())
        }
    )* } };
}

impl Archive for Loader<'_> {
    #[inline(always)]
    fn direction(&self) -> Direction {
        Direction::Loading
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
        self.end - self.rest.len() as u64
    }

    #[inline]
    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        match self.rest.split_at_checked(bytes.len()) {
            Some((head, rest)) => {
                bytes.copy_from_slice(head);
                self.rest = rest;
                Ok(())
            }
            None => Err(self.short(bytes.len() as u64)),
        }
    }

    #[inline]
    fn serialize_span(&mut self, span: &mut Span, length: u64, kind: Kind) -> Result<()> {
        let start = self.position();
        let rest = usize::try_from(length).ok().and_then(|length| self.rest.get(length..));
        let Some(rest) = rest else { return Err(self.short(length)) };
        *span = match self.owning {
            true => self.owned(start, length)?,
            false => Span::source(start, length),
        };
        self.rest = rest;
        match kind {
            Kind::Payload => self.payload += length,
            Kind::Opaque | Kind::Gap => self.opaque += length,
            Kind::Text => {}
        }
        Ok(())
    }

    #[inline]
    fn open(&mut self, extent: Extent) -> Result<Window> {
        if self.depth >= self.deepest {
            return Err(self.error(ErrorKind::TooDeep { limit: self.deepest }));
        }
        let (start, end) = (self.position(), self.end);
        match extent {
            Extent::Level => {}
            Extent::Size(size) => {
                let head = usize::try_from(size).ok().and_then(|size| self.rest.get(..size));
                let Some(head) = head else { return Err(self.short(size)) };
                self.rest = head;
                self.end = start + size;
            }
            Extent::At(offset) => self.seek(self.source, offset, self.source.len() as u64)?,
        }
        self.depth += 1;
        let (opaque, payload) = (self.opaque, self.payload);
        Ok(Window { opaque, payload, ..Window::new(extent, start, end) })
    }

    #[inline]
    fn close(&mut self, window: Window, result: Result<()>) -> Result<()> {
        self.depth -= 1;
        match window.extent {
            Some(Extent::Size(_)) => {}
            Some(Extent::At(_)) => return self.go_back(&window, result),
            Some(Extent::Level) | None => return result,
        }
        let left = self.remaining();
        let result = result.and_then(|()| match left {
            0 => Ok(()),
            _ => {
                let size = self.end - window.start;
                Err(self.error(ErrorKind::LeftOver { left, size }))
            }
        });
        // The budget is not given back: what fails and is tried otherwise has cost its work.
        let start = match &result {
            Ok(()) => self.end,
            Err(_) => {
                (self.opaque, self.payload) = (window.opaque, window.payload);
                window.start
            }
        };
        self.end = window.end;
        self.rest = self.source.get(start as usize..self.end as usize).unwrap_or_default();
        result
    }

    #[inline]
    fn peek(&self, length: usize) -> &[u8] {
        &self.rest[..length.min(self.rest.len())]
    }

    #[inline]
    fn reserve(&mut self, bytes: u64, memory: u64) -> Result<()> {
        let remaining = self.remaining();
        if bytes > remaining {
            return Err(self.error(ErrorKind::TooLong { count: bytes, remaining }));
        }
        if memory > self.budget {
            return Err(self.error(ErrorKind::Budget { wanted: memory, left: self.budget }));
        }
        self.budget -= memory;
        Ok(())
    }

    fn patch(&mut self, _: u64, _: Patch<'_>) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn step(&mut self, step: Step<'_>) {
        if let Step::Bytes { start, end, take, has_bytes } = step {
            has_bytes.set(true);
            if let Ok(bytes) = Span::source(start, end.saturating_sub(start)).bytes(self.source) {
                take(bytes);
            }
        }
    }

    fn as_dyn(&mut self) -> &mut dyn Archive {
        self
    }

    take_numbers!(u8, i8, u16, i16, u32, i32, u64, i64, f32, f64);

    #[inline(always)]
    fn serialize_compact(&mut self, index: &mut CompactIndex) -> Result<()> {
        if let Some((value, length)) = CompactIndex::decode(self.rest)
            && let Some(rest) = self.rest.get(length..)
        {
            *index = value;
            self.rest = rest;
            return Ok(());
        }
        Err(self.short(self.remaining() + 1))
    }

    #[inline]
    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
        let Some(length) = memchr::memchr(0, self.rest) else {
            return Err(self.short(self.remaining() + 1));
        };
        let start = self.position();
        *span = match self.owning {
            true => self.owned(start, length as u64)?,
            false => Span::source(start, length as u64),
        };
        self.rest = &self.rest[length + 1..];
        Ok(())
    }
}
