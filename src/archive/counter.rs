//! The archive that measures.

use std::sync::Arc;

use super::loader::DEPTH;
use super::{
    Archive, ArchiveExt, CompactIndex, Context, Direction, Extent, Kind, Patch, Span, Step, Window,
};
use crate::error::{ErrorKind, Result};
use crate::version::Versions;

/// Measures how many bytes a [`super::Saver`] would write, without writing them.
#[derive(Debug, Clone)]
pub struct Counter {
    length: u64,
    /// The end of what stands at places of its own.
    furthest: u64,
    base: u64,
    depth: u32,
    /// Levels that values may nest.
    deepest: u32,
    versions: Versions,
    context: Arc<Context>,
}

impl Counter {
    /// Counts from zero.
    #[inline]
    pub fn new(versions: Versions) -> Self {
        let context = Context::nothing();
        Self { length: 0, furthest: 0, base: 0, depth: 0, deepest: DEPTH, versions, context }
    }

    /// The same with what is known about the file.
    #[must_use]
    #[inline]
    pub fn with_context(mut self, context: Arc<Context>) -> Self {
        self.context = context;
        self
    }

    /// The same for a value that stands at `base` bytes from the start of the file.
    #[must_use]
    #[inline]
    pub fn at(mut self, base: u64) -> Self {
        self.base = base;
        self
    }

    /// The same with so many levels that values may nest, as
    /// [`Saver::with_depth`](super::Saver::with_depth).
    #[must_use]
    #[inline]
    pub fn with_depth(mut self, levels: u32) -> Self {
        self.deepest = levels;
        self
    }

    /// Counts bytes that nothing hands to it.
    #[cfg(feature = "json")]
    pub(crate) fn pass(&mut self, length: u64) {
        self.length = self.length.saturating_add(length);
    }

    /// Bytes counted so far, up to the end of the value that stands furthest.
    #[inline]
    pub fn length(&self) -> u64 {
        self.length.max(self.furthest)
    }
}

macro_rules! count_numbers {
    ($($type:ty),*) => { paste::paste! { $(
        #[inline(always)]
        fn [<serialize_ $type>](&mut self, _: &mut $type) -> Result<()> {
            self.length += size_of::<$type>() as u64;
            Ok(())
        }
    )* } };
}

impl Archive for Counter {
    #[inline(always)]
    fn direction(&self) -> Direction {
        Direction::Saving
    }

    #[inline(always)]
    fn versions(&self) -> &Versions {
        &self.versions
    }

    fn set_versions(&mut self, versions: Versions) {
        self.versions = versions;
    }

    fn context(&self) -> &Arc<Context> {
        &self.context
    }

    #[inline(always)]
    fn position(&self) -> u64 {
        self.base + self.length
    }

    #[inline]
    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.length += bytes.len() as u64;
        Ok(())
    }

    #[inline]
    fn save_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.length += bytes.len() as u64;
        Ok(())
    }

    #[inline]
    fn serialize_span(&mut self, span: &mut Span, _: u64, _: Kind) -> Result<()> {
        self.length += span.len();
        Ok(())
    }

    #[inline]
    fn open(&mut self, extent: Extent) -> Result<Window> {
        if self.depth >= self.deepest {
            return Err(self.error(ErrorKind::TooDeep { limit: self.deepest }));
        }
        let start = self.length;
        if let Extent::At(offset) = extent {
            self.length = offset.checked_sub(self.base).ok_or_else(|| {
                self.error(ErrorKind::BadOffset { offset: offset as i64, length: self.position() })
            })?;
        }
        self.depth += 1;
        Ok(Window::new(extent, start, 0))
    }

    #[inline]
    fn close(&mut self, window: Window, result: Result<()>) -> Result<()> {
        self.depth = self.depth.saturating_sub(1);
        if window.is_elsewhere() {
            if result.is_ok() {
                self.furthest = self.length();
            }
            self.length = window.start;
        } else if window.is_sized() && result.is_err() {
            self.length = window.start;
        }
        result
    }

    #[inline]
    fn reserve(&mut self, _: u64, _: u64) -> Result<()> {
        Ok(())
    }

    fn patch(&mut self, _: u64, _: Patch<'_>) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn step(&mut self, step: Step<'_>) {
        if let Step::Fixed { bytes, is_counted } = step {
            self.length = self.length.saturating_add(bytes);
            is_counted.set(true);
        }
    }

    fn as_dyn(&mut self) -> &mut dyn Archive {
        self
    }

    count_numbers!(u8, i8, u16, i16, u32, i32, u64, i64, f32, f64);

    #[inline]
    fn serialize_compact(&mut self, index: &mut CompactIndex) -> Result<()> {
        self.length += index.encode().1 as u64;
        Ok(())
    }

    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
        self.length += span.len() + 1;
        Ok(())
    }
}
