//! The interface of the types of sections.

use super::PACKAGE_TAG;
use crate::archive::{Archive, Archived, Kind, Span};
use crate::error::Result;
use crate::primitive::array;

/// The content of a section, by the type of its field.
pub(super) trait Rows {
    /// The value in packages that lack the section.
    const ABSENT: Self;

    /// Makes ready for a section of `size` bytes to be loaded: lists need nothing for that.
    fn expect(&mut self, size: u64);

    /// Rows, for those that the summary counts.
    fn rows(&self) -> usize {
        0
    }

    /// Its bytes; `count` is what the summary says, where the section does not say it itself.
    fn serialize_rows<A: Archive + ?Sized>(&mut self, count: Option<i32>, ar: &mut A)
    -> Result<()>;
}

impl<T: Archived + Default> Rows for Vec<T> {
    const ABSENT: Self = Self::new();

    fn expect(&mut self, _size: u64) {}

    fn rows(&self) -> usize {
        self.len()
    }

    fn serialize_rows<A: Archive + ?Sized>(
        &mut self,
        count: Option<i32>,
        ar: &mut A,
    ) -> Result<()> {
        match count {
            Some(count) => array::elements(self, usize::try_from(count).unwrap_or(0), ar),
            None => array::counted_i32(self, ar),
        }
    }
}

/// Opening decides whether it is there.
impl<T: Archived + Default> Rows for Option<T> {
    const ABSENT: Self = None;

    fn expect(&mut self, _size: u64) {
        *self = Some(T::default());
    }

    fn serialize_rows<A: Archive + ?Sized>(&mut self, _: Option<i32>, ar: &mut A) -> Result<()> {
        self.as_mut().map_or(Ok(()), |value| value.serialize(ar))
    }
}

/// Payload.
impl Rows for Span {
    const ABSENT: Self = Self::EMPTY;

    fn expect(&mut self, size: u64) {
        *self = Self::source(0, size);
    }

    fn serialize_rows<A: Archive + ?Sized>(&mut self, _: Option<i32>, ar: &mut A) -> Result<()> {
        let length = self.len();
        ar.serialize_span(self, length, Kind::Payload)
    }
}

/// The package tag, or nothing.
impl Rows for bool {
    const ABSENT: Self = false;

    fn expect(&mut self, _size: u64) {
        *self = true;
    }

    fn serialize_rows<A: Archive + ?Sized>(&mut self, _: Option<i32>, ar: &mut A) -> Result<()> {
        match self {
            true => ar.serialize_u32(&mut { PACKAGE_TAG }),
            false => Ok(()),
        }
    }
}
