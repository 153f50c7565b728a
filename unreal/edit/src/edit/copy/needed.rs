//! The objects that copying some objects needs.

use std::collections::{BTreeMap, BTreeSet};

use super::gather::Fate;
use crate::primitive::PackageIndex;

/// The rows of the source that copied objects need.
pub(in crate::edit) struct Needed {
    /// The objects that were asked for.
    pub roots: Vec<usize>,
    pub outer: PackageIndex,
    pub fates: BTreeMap<usize, Fate>,
    pub names: BTreeSet<i32>,
    pub imports: BTreeSet<usize>,
}

impl Needed {
    /// The rows of the source that are copied, in the order of the table.
    pub fn copied(&self) -> impl Iterator<Item = usize> + '_ {
        self.fates.iter().filter(|(_, fate)| **fate == Fate::Copied).map(|(&row, _)| row)
    }
}
