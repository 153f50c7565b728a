//! A chain of objects, each of which knows the next: fields of a struct, actors of a level.

use std::collections::{HashMap, HashSet};

use crate::primitive::{ObjectRef, PackageIndex};

/// One chain, some objects of which go.
pub(super) struct Chain<'a> {
    gone: &'a HashSet<usize>,
    /// The object behind each one of the chain.
    next: HashMap<PackageIndex, PackageIndex>,
}

impl<'a> Chain<'a> {
    pub fn new(gone: &'a HashSet<usize>, next: HashMap<PackageIndex, PackageIndex>) -> Self {
        Self { gone, next }
    }

    pub fn is_gone(&self, index: PackageIndex) -> bool {
        matches!(index.target(), ObjectRef::Export(row) if self.gone.contains(&row))
    }

    /// The first one from here on that stays; null behind the last.
    pub fn skip(&self, mut index: PackageIndex) -> PackageIndex {
        // Each step leaves one behind: more steps than there are would be a circle.
        for _ in 0..=self.gone.len() {
            if !self.is_gone(index) {
                return index;
            }
            index = self.next.get(&index).copied().unwrap_or_default();
        }
        PackageIndex::NULL
    }

    /// The last one from here on, as the chain is afterwards.
    fn last(&self, first: PackageIndex) -> PackageIndex {
        let mut last = first;
        for _ in 0..=self.next.len() {
            match self.next.get(&last).map(|next| self.skip(*next)) {
                Some(next) if !next.is_null() => last = next,
                _ => break,
            }
        }
        last
    }

    /// Closes the chain for an owner that knows its first and its last object.
    pub fn close_ends(&self, [first, last]: [&mut PackageIndex; 2]) {
        if self.is_gone(*first) {
            *first = self.skip(*first);
        }
        if self.is_gone(*last) {
            *last = self.last(*first);
        }
    }
}
