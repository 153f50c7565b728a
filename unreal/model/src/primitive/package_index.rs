//! References to imports and exports.

use std::collections::BTreeMap;
use std::fmt;

use super::{Index, Name};
use crate::archive::layout::Layout;
use crate::archive::{Archive, Archived, Reference, References, Remap, Rule, Space, Width};
use crate::error::Result;
use crate::version::{UnrealVersions, Versions};

/// A reference to an export (positive), an import (negative) or nothing (0) (spec: ue1-3/01 §1.3).
///
/// Stored as an [`Index`], or as four bytes in every version where a field says so
/// ([`PackageIndex::fixed`], [`PackageIndex::from_zero`]). C++: `FPackageIndex`.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct PackageIndex(pub(crate) Index);

/// The target of a [`PackageIndex`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObjectRef {
    /// Nothing; in an export's class: the object is a class itself.
    Null,
    /// Row of the import table.
    Import(usize),
    /// Row of the export table.
    Export(usize),
}

impl PackageIndex {
    /// Refers to nothing.
    pub const NULL: Self = Self(Index::new(0));

    /// The reference with this stored number.
    #[inline]
    pub const fn new(value: i32) -> Self {
        Self(Index::new(value))
    }

    /// Refers to row `row` of the export table; saturates at `i32::MAX`.
    #[inline]
    pub fn export(row: usize) -> Self {
        Self::new(i32::try_from(row).map_or(i32::MAX, |row| row.saturating_add(1)))
    }

    /// Refers to row `row` of the import table; saturates at `i32::MIN`.
    #[inline]
    pub fn import(row: usize) -> Self {
        Self::new(i32::try_from(row).map_or(i32::MIN, |row| -1 - row))
    }

    /// The stored number.
    #[inline]
    pub const fn value(self) -> i32 {
        self.0.value()
    }

    /// Whether it refers to nothing.
    #[inline]
    pub const fn is_null(self) -> bool {
        self.value() == 0
    }

    /// Its target; rows are not checked against a table.
    #[inline]
    pub fn target(self) -> ObjectRef {
        match self.value() {
            0 => ObjectRef::Null,
            value if value > 0 => ObjectRef::Export(value as usize - 1),
            value => ObjectRef::Import((-1 - i64::from(value)) as usize),
        }
    }

    /// Four bytes in every version: the outer of imports and exports, lists of UE3 (for `with`).
    ///
    /// # Errors
    /// Whatever the archive reports.
    #[inline(always)]
    pub fn fixed<A: Archive + ?Sized>(index: &mut Self, ar: &mut A) -> Result<()> {
        ar.reference(Reference::row(&Self::SPACE, index.0.compact_mut(), Width::Fixed))
    }

    /// Four bytes in every version, counted from 0: the row of an export, -1 for nothing (for `with`).
    ///
    /// # Errors
    /// Whatever the archive reports.
    #[inline(always)]
    pub fn from_zero<A: Archive + ?Sized>(index: &mut Self, ar: &mut A) -> Result<()> {
        ar.reference(Reference::row(&Self::SPACE, index.0.compact_mut(), Width::FromZero))
    }

    /// The package's imports and exports.
    pub const SPACE: Space = Space {
        number: 2,
        label: "object",
        text: |_, index, _| match Self::new(index).target() {
            ObjectRef::Null => "null".to_owned(),
            ObjectRef::Export(row) => format!("export {row}"),
            ObjectRef::Import(row) => format!("import {row}"),
        },
    };
}

impl Archived for PackageIndex {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = &Layout::manual(std::any::type_name::<Self>)
        .with_doc("A reference to an object: 0 for none, row + 1 of an export, -row - 1 of an import; stored as an index.")
        .with_size(|versions| (!versions.has_compact_index()).then_some(4));

    #[inline(always)]
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let width = Width::of(ar.versions());
        ar.reference(Reference::row(&Self::SPACE, self.0.compact_mut(), width))
    }
}

impl fmt::Debug for PackageIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.target())
    }
}

/// A [`Remap`] of the spaces that every package has.
pub trait NameRemap<'a> {
    /// Renumbers names and objects by these rules.
    fn names_and_objects(versions: Versions, names: Rule<'a>, objects: Rule<'a>) -> Self;
}

impl<'a> NameRemap<'a> for Remap<'a> {
    fn names_and_objects(versions: Versions, names: Rule<'a>, objects: Rule<'a>) -> Self {
        Self::new(versions).with_rule(&Name::SPACE, names).with_rule(&PackageIndex::SPACE, objects)
    }
}

/// The [`References`] to the spaces that every package has.
pub trait NameReferences {
    /// How often each name row was met.
    fn names(&self) -> &BTreeMap<i32, u64>;

    /// How often each object index was met, 0 included.
    fn objects(&self) -> &BTreeMap<i32, u64>;
}

impl NameReferences for References {
    fn names(&self) -> &BTreeMap<i32, u64> {
        self.rows(&Name::SPACE)
    }

    fn objects(&self) -> &BTreeMap<i32, u64> {
        self.rows(&PackageIndex::SPACE)
    }
}
