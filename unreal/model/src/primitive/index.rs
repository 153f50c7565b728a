//! A number that is compact in old versions and four bytes wide in new ones.

use std::fmt;

use crate::archive::layout::Layout;
use crate::archive::{Archive, Archived, CompactIndex, Width};
use crate::error::Result;
use crate::version::UnrealVersions;

/// "idx": a [`CompactIndex`] below file version 178, an `i32` from there on (spec: ue1-3/01 §1.1).
///
/// Counts, sizes and references use it. Equal when the values are.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct Index(CompactIndex);

impl Index {
    /// An index in canonical form.
    #[inline]
    pub const fn new(value: i32) -> Self {
        Self(CompactIndex::new(value))
    }

    /// The number.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0.value()
    }

    /// Replaces the number; the form becomes canonical.
    #[inline]
    pub fn set(&mut self, value: i32) {
        self.0.set(value);
    }

    /// Whether a compact one is stored as the engine would store it.
    #[inline]
    pub fn is_canonical(self) -> bool {
        self.0.is_canonical()
    }

    /// The number with the form in which it is stored where it is compact.
    #[inline(always)]
    pub fn compact_mut(&mut self) -> &mut CompactIndex {
        &mut self.0
    }
}

impl Archived for Index {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc(
            "A count or number: a compact index below file version 178, four bytes from there on.",
        )
        .with_size(|versions| (!versions.has_compact_index()).then_some(4));

    #[inline(always)]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.0.serialize_as(Width::of(ar.versions()), ar)
    }
}

impl fmt::Debug for Index {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl From<i32> for Index {
    fn from(value: i32) -> Self {
        Self::new(value)
    }
}
