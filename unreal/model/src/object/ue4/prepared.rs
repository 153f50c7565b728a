//! Parts whose presence properties decide.

use crate::error::Result;
use crate::object::optional::present;
use crate::primitive::boolean;
use crate::{Archive, ArchiveExt, Archived};

/// A part whose presence is known before it is loaded, from the object's properties: loading fills it,
/// and leaves a missing one missing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Prepared<T>(pub Option<T>);

impl<T: Default> Prepared<T> {
    /// An empty part where there is one.
    pub fn when(present: bool) -> Self {
        Self(present.then(T::default))
    }
}

impl<T: Archived> Archived for Prepared<T> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        present(&mut self.0, ar)
    }
}

/// A bool of four bytes, then a part if it is set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flagged<T>(pub Option<T>);

impl<T: Archived + Default> Archived for Flagged<T> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut is_set = self.0.is_some();
        is_set.serialize(ar)?;
        flagged(&mut self.0, is_set, ar)
    }
}

/// The same with a bool of one byte.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ByteFlagged<T>(pub Option<T>);

impl<T: Archived + Default> Archived for ByteFlagged<T> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut is_set = self.0.is_some();
        boolean::byte(&mut is_set, ar)?;
        flagged(&mut self.0, is_set, ar)
    }
}

/// A part behind a bool.
pub(super) fn flagged<T: Archived + Default, A: Archive + ?Sized>(
    value: &mut Option<T>,
    is_set: bool,
    ar: &mut A,
) -> Result<()> {
    if ar.is_loading() {
        *value = is_set.then(T::default);
    }
    present(value, ar)
}
