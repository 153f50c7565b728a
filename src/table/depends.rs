//! The depends table.

use crate::Archived;
use crate::primitive::{PackageIndex, array};

/// The objects that must exist before one export loads, from file version 415.
///
/// The table holds one row an export and has no count; rows that are missing at its end are absent.
/// Spec: ue1-3/03 §3.6.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct DependsRow {
    /// References to imports and exports, behind their number as an `i32`; each takes four bytes.
    #[archive(with = fixed_references)]
    pub objects: Vec<PackageIndex>,
}

fn fixed_references<A: crate::Archive + ?Sized>(
    objects: &mut Vec<PackageIndex>,
    ar: &mut A,
) -> crate::Result<()> {
    array::counted_i32_by(objects, ar, PackageIndex::fixed)
}
