//! The archive that stores names and objects as texts: save games have no tables.

use std::sync::Arc;

use super::text_rows::TextRows;
use crate::archive::{
    Context, Direction, Extent, Kind, Patch, Reference, Step, Target, Window, pass_on,
};
use crate::error::{ErrorKind, Result};
use crate::primitive::{CompactIndex, FString, Name, PackageIndex};
use crate::{Archive, ArchiveExt, Archived, Span, Versions};

/// Hands everything on to another archive, but names and objects, which are texts in its bytes. In memory both
/// are rows of the [`TextRows`] of its context; objects are imports of those rows. C++:
/// `FObjectAndNameAsStringProxyArchive`.
pub(super) struct StringNames<'a, A: Archive + ?Sized> {
    inner: &'a mut A,
}

impl<'a, A: Archive + ?Sized> StringNames<'a, A> {
    pub fn new(inner: &'a mut A) -> Self {
        Self { inner }
    }

    /// Reads or writes the text of a row.
    fn text(&mut self, rows: &TextRows, source: &[u8], row: i32) -> Result<i32> {
        if !self.inner.is_loading() {
            let missing = ErrorKind::NotMapped { what: "name", index: row };
            let mut text = rows.text(row).cloned().ok_or_else(|| self.error(missing))?;
            text.serialize(self.inner)?;
            return Ok(row);
        }
        let mut text = FString::default();
        text.serialize(self.inner)?;
        rows.row(&text, source).ok_or_else(|| {
            let form = "a name without a terminating zero, or longer than any";
            self.error(ErrorKind::NonCanonical { form })
        })
    }
}

macro_rules! pass_numbers {
    ($($type:ty),*) => { paste::paste! { $(
        fn [<serialize_ $type>](&mut self, value: &mut $type) -> Result<()> {
            self.inner.[<serialize_ $type>](value)
        }
    )* } };
}

impl<A: Archive + ?Sized> Archive for StringNames<'_, A> {
    pass_on!();

    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.inner.serialize_bytes(bytes)
    }

    fn serialize_span(&mut self, span: &mut Span, length: u64, kind: Kind) -> Result<()> {
        self.inner.serialize_span(span, length, kind)
    }

    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
        self.inner.serialize_terminated(span)
    }

    fn reference(&mut self, reference: Reference<'_>) -> Result<()> {
        let context = self.inner.context().clone();
        let Some(rows) = context.get::<TextRows>() else { return self.inner.reference(reference) };
        let source = context.source();
        match reference.target {
            Target::Row { row, number, .. } if *reference.space == Name::SPACE => {
                *row = CompactIndex::new(self.text(rows, source, row.value())?);
                if let Some(number) = number {
                    *number = 0;
                }
                Ok(())
            }
            Target::Row { row, .. } if *reference.space == PackageIndex::SPACE => {
                // Objects are imports: row n is the number -1 - n.
                *row = CompactIndex::new(!self.text(rows, source, !row.value())?);
                Ok(())
            }
            target => self.inner.reference(Reference { target, ..reference }),
        }
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
        self.inner.step(step);
    }

    pass_numbers!(u8, i8, u16, i16, u32, i32, u64, i64, f32, f64);
}
