//! Parts whose presence properties decide.

use crate::error::Result;
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
        match &mut self.0 {
            Some(value) => value.serialize(ar),
            None => Ok(()),
        }
    }
}

/// A bool of four bytes, then a part if it is set.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Flagged<T>(pub Option<T>);

impl<T: Archived + Default> Archived for Flagged<T> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut present = self.0.is_some();
        present.serialize(ar)?;
        if ar.is_loading() {
            self.0 = present.then(T::default);
        }
        match &mut self.0 {
            Some(value) => value.serialize(ar),
            None => Ok(()),
        }
    }
}

/// The same with a bool of one byte.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ByteFlagged<T>(pub Option<T>);

impl<T: Archived + Default> Archived for ByteFlagged<T> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut present = self.0.is_some();
        crate::primitive::boolean::byte(&mut present, ar)?;
        if ar.is_loading() {
            self.0 = present.then(T::default);
        }
        match &mut self.0 {
            Some(value) => value.serialize(ar),
            None => Ok(()),
        }
    }
}
