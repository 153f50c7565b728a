//! The objects that copying one object needs.

use std::collections::{BTreeMap, BTreeSet};

use super::gather::Fate;
use crate::primitive::PackageIndex;

/// The rows of the source that a copied object needs.
pub(in crate::edit) struct Needed {
    pub root: usize,
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
