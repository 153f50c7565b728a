//! References: numbers that stand for something elsewhere in the file.

use std::any::Any;
use std::fmt;

use super::{Archive, CompactIndex, Context};
use crate::error::Result;
use crate::version::{Counts, Versions};

/// A space that references of one kind point into: a table of names, of objects. Formats define their own as
/// statics; archives know them apart by their numbers.
#[derive(Clone, Copy)]
pub struct Space {
    /// Its number; no two spaces of a format share one.
    pub number: u8,
    /// The word for one row: `name`, `object`.
    pub label: &'static str,
    /// The text of a row and the number beside it; empty when the context does not know it.
    pub text: fn(&Context, i32, i32) -> String,
}

impl PartialEq for Space {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Eq for Space {}

impl fmt::Debug for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Space({} {})", self.number, self.label)
    }
}

/// How the row of a reference is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Width {
    /// As a compact index of one to five bytes.
    Compact,
    /// As four bytes, signed.
    Fixed,
    /// As four bytes, signed, one less than the row: where a file counts from 0 what its space counts from 1. In memory it
    /// is a row as any other, so that all archives treat it as one.
    FromZero,
}

impl Width {
    /// How rows and counts are stored in these versions.
    #[inline(always)]
    pub fn of(versions: &Versions) -> Self {
        if versions.counts() == Counts::Compact { Self::Compact } else { Self::Fixed }
    }
}

/// A reference on its way through [`Archive::reference`].
#[derive(Debug)]
pub struct Reference<'a> {
    /// The space that it points into.
    pub space: &'static Space,
    /// How it says what is meant.
    pub target: Target<'a>,
}

/// How a reference says what is meant.
pub enum Target<'a> {
    /// By a row of the space.
    Row {
        /// The row; its stored form is kept.
        row: &'a mut CompactIndex,
        /// How the row is stored.
        width: Width,
        /// A number beside the row, four bytes, where there is one.
        number: Option<&'a mut i32>,
    },
    /// As a whole value, whose parts are serialised afterwards: for archives that look at it as one.
    Whole(&'a mut dyn Any),
}

impl<'a> Reference<'a> {
    /// A row of `space`.
    #[inline(always)]
    pub fn row(space: &'static Space, row: &'a mut CompactIndex, width: Width) -> Self {
        Self { space, target: Target::Row { row, width, number: None } }
    }

    /// A row of `space` with a number beside it.
    #[inline(always)]
    pub fn numbered(
        space: &'static Space,
        row: &'a mut CompactIndex,
        width: Width,
        number: &'a mut i32,
    ) -> Self {
        Self { space, target: Target::Row { row, width, number: Some(number) } }
    }

    /// A whole value that stands for something in `space`.
    #[inline(always)]
    pub fn whole(space: &'static Space, value: &'a mut dyn Any) -> Self {
        Self { space, target: Target::Whole(value) }
    }

    /// The bytes of the reference: what [`Archive::reference`] does unless an archive has its own idea.
    ///
    /// # Errors
    /// `UnexpectedEnd` when loading from too few bytes.
    #[inline(always)]
    pub fn serialize<A: Archive + ?Sized>(self, ar: &mut A) -> Result<()> {
        let Target::Row { row, width, number } = self.target else { return Ok(()) };
        row.serialize_as(width, ar)?;
        match number {
            Some(number) => ar.serialize_i32(number),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Target<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Row { row, number: None, .. } => write!(f, "{row:?}"),
            Self::Row { row, number: Some(number), .. } => write!(f, "{row:?} number {number}"),
            Self::Whole(_) => f.write_str("a whole value"),
        }
    }
}
