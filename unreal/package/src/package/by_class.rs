//! Facts about each class of a package's objects.

use super::Package;
use crate::primitive::{ObjectRef, PackageIndex};

/// A value for each class of a package, such as what its objects have in common.
pub(super) struct ByClass<T> {
    known: Vec<T>,
    /// By import, then by export: one more than the place of what is known, 0 for nothing yet.
    places: Vec<u32>,
    imports: usize,
}

impl<T> ByClass<T> {
    pub fn new(package: &Package) -> Self {
        let (imports, exports) = (package.tables.imports.len(), package.tables.exports.len());
        // Behind them a place for classes without a class, and one for those that no table has.
        Self { known: Vec::new(), places: vec![0; imports + exports + 2], imports }
    }

    /// The value of a class, made where there is none.
    pub fn get_or_insert_with(&mut self, class: PackageIndex, make: impl FnOnce() -> T) -> &mut T {
        let outside = self.places.len() - 1;
        let at = match class.target() {
            ObjectRef::Import(row) if row < self.imports => row,
            ObjectRef::Export(row) if row < outside - 1 - self.imports => self.imports + row,
            ObjectRef::Null => outside - 1,
            _ => outside,
        };
        if self.places[at] == 0 {
            self.known.push(make());
            // There are fewer than rows.
            self.places[at] = self.known.len() as u32;
        }
        &mut self.known[self.places[at] as usize - 1]
    }
}
