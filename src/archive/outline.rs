//! The archive that tells values of one form from those of another.

use std::sync::Arc;

use super::{
    Archive, CompactIndex, Context, Direction, Extent, Kind, Patch, Reference, Span, Step, Window,
};
use crate::error::Result;
use crate::pass_on;
use crate::version::Versions;

/// Wraps a [`super::Saver`] and sums up which fields of which types pass where: two values with the same bytes
/// and the same outline are the same value.
pub struct Outline<'a> {
    inner: &'a mut dyn Archive,
    sum: u64,
}

impl<'a> Outline<'a> {
    /// Sums up what passes through `inner`.
    #[inline]
    pub fn new(inner: &'a mut dyn Archive) -> Self {
        Self { inner, sum: 0 }
    }

    /// The sum so far.
    #[inline]
    pub fn sum(&self) -> u64 {
        self.sum
    }

    fn add(&mut self, value: u64) {
        self.sum = (self.sum.rotate_left(5) ^ value).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn add_text(&mut self, text: &str) {
        self.add(text.len() as u64);
        text.bytes().for_each(|byte| self.add(byte.into()));
    }

    /// A value of this type begins here.
    fn begin(&mut self, of: u64) {
        let at = self.inner.position();
        self.add(at << 8 | of);
    }
}

macro_rules! outline_numbers {
    ($($type:ty = $of:literal),*) => { paste::paste! { $(
        fn [<serialize_ $type>](&mut self, value: &mut $type) -> Result<()> {
            self.begin($of);
            self.inner.[<serialize_ $type>](value)
        }
    )* } };
}

impl std::fmt::Debug for Outline<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Outline").field("sum", &self.sum).finish_non_exhaustive()
    }
}

impl Archive for Outline<'_> {
    pass_on!();

    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        if !bytes.is_empty() {
            self.begin(1);
        }
        self.inner.serialize_bytes(bytes)
    }

    fn serialize_span(&mut self, span: &mut Span, length: u64, kind: Kind) -> Result<()> {
        if !span.is_empty() {
            self.begin(2 + kind as u64);
        }
        self.inner.serialize_span(span, length, kind)
    }

    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
        self.begin(10);
        self.inner.serialize_terminated(span)
    }

    fn reference(&mut self, reference: Reference<'_>) -> Result<()> {
        self.begin(11);
        self.add_text(reference.space.label);
        self.inner.reference(reference)
    }

    fn open(&mut self, extent: Extent) -> Result<Window> {
        self.inner.open(extent)
    }

    fn close(&mut self, window: Window, result: Result<()>) -> Result<()> {
        self.inner.close(window, result)
    }

    fn patch(&mut self, at: u64, patch: Patch<'_>) -> Result<()> {
        self.inner.patch(at, patch)
    }

    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Field(name) => self.add_text(name),
            Step::Index(index) => self.add(index as u64),
            Step::Row { row, number, .. } => {
                self.add(row as u64);
                self.add(number as u64);
            }
            Step::Leave => self.add(12),
            Step::Name(_) | Step::Note(_) | Step::Meaning(_) | Step::Role(_) => {}
            Step::Part(_) | Step::Form { .. } | Step::Keyed(_) => {}
            Step::Hold | Step::Release | Step::Fixed { .. } | Step::Bytes { .. } => {}
        }
        self.inner.step(step);
    }

    outline_numbers!(
        u8 = 20,
        i8 = 21,
        u16 = 22,
        i16 = 23,
        u32 = 24,
        i32 = 25,
        u64 = 26,
        i64 = 27,
        f32 = 28,
        f64 = 29
    );

    fn serialize_compact(&mut self, index: &mut CompactIndex) -> Result<()> {
        self.begin(30);
        self.inner.serialize_compact(index)
    }
}
