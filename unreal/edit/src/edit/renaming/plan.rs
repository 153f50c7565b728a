//! The plan of a renaming, and its result.

use crate::compare::FieldDifference;
use crate::package::path_map::PathMap;
use crate::primitive::PackageIndex;

/// The objects, fields and paths that a change of names has changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Renamed {
    /// Objects with another path: the old one, the new one. Imports with their packages.
    pub objects: Vec<(String, String)>,
    /// Other texts that have changed: fields of the header, tags, soft paths.
    pub changes: Vec<FieldDifference>,
    /// Places in bodies and tables that refer by path and follow.
    pub soft_paths: u64,
    /// Places that still say the old name, for the caller to judge.
    pub care: Vec<String>,
}

/// Which uses of a path change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::edit) enum Scope {
    /// All: the path is the package's own.
    All,
    /// The uses in imports and soft references.
    References,
    /// The uses in soft references.
    Soft,
}

/// The objects that are to be renamed, and how far that goes.
#[derive(Debug, Clone)]
pub(in crate::edit) struct Plan {
    pub map: PathMap,
    pub scope: Scope,
    /// Objects with their new names.
    pub rows: Vec<(PackageIndex, String)>,
}

impl Renamed {
    /// Adds what another change has done.
    pub(in crate::edit) fn add(&mut self, other: Self) {
        self.objects.extend(other.objects);
        self.changes.extend(other.changes);
        self.soft_paths += other.soft_paths;
        self.care.extend(other.care);
    }

    pub(in crate::edit) fn note(&mut self, field: impl Into<String>, old: &str, new: &str) {
        let change = FieldDifference::of(field, Some(old.to_owned()), Some(new.to_owned()));
        self.changes.push(change);
    }
}
