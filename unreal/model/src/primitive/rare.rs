//! Fields that few values have, behind one pointer.

use std::fmt;
use std::ops::{Deref, DerefMut};

use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt, Archived};
use crate::error::Result;

/// A group of fields that are nearly always what `Default` says.
pub trait Group: Default + 'static {
    /// The default value, to be looked at where a group is absent.
    const ABSENT: &'static Self;
}

/// A group of fields that takes eight bytes where all of them are `Default`, and is allocated where one is
/// not. Stored as the fields are.
///
/// Reading its fields never allocates; asking for them to be changed does.
#[derive(Clone)]
pub struct Rare<T>(Option<Box<T>>);

impl<T> Rare<T> {
    /// Bytes on the heap.
    #[inline]
    pub const fn allocated(&self) -> usize {
        match self.0 {
            Some(_) => size_of::<T>(),
            None => 0,
        }
    }
}

impl<T: Group + PartialEq> From<T> for Rare<T> {
    #[inline]
    fn from(group: T) -> Self {
        if group == *T::ABSENT { Self(None) } else { Self::present(group) }
    }
}

impl<T> Default for Rare<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Rare<T> {
    /// Not inlined: few values have a group.
    #[cold]
    #[inline(never)]
    fn present(group: T) -> Self {
        Self(Some(Box::new(group)))
    }

    /// Puts a group there.
    #[inline]
    pub fn insert(&mut self, group: T) -> &mut T {
        self.0.insert(Box::new(group))
    }
}

impl<T: Group> Deref for Rare<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or(T::ABSENT)
    }
}

impl<T: Group> DerefMut for Rare<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_default()
    }
}

impl<T: Group + PartialEq> PartialEq for Rare<T> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        // Most rows have none: every saved row of a version without the group is asked.
        self.0.is_none() && other.0.is_none() || **self == **other
    }
}

impl<T: Group + Eq> Eq for Rare<T> {}

impl<T: Group + fmt::Debug> fmt::Debug for Rare<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: Group + PartialEq + Archived> Archived for Rare<T> {
    /// In a file it is the group, wherever it stands in memory.
    const LAYOUT: &'static Layout = T::LAYOUT;
    const NESTS: bool = T::NESTS;

    #[inline]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            let mut group = T::default();
            group.serialize(ar)?;
            *self = group.into();
            return Ok(());
        }
        match &mut self.0 {
            Some(group) => group.serialize(ar),
            None => T::default().serialize(ar),
        }
    }
}
