//! A package whose declarations are taken down.

use std::cell::Cell;

use crate::object::Native;
use crate::package::Package;
use crate::primitive::{Name, ObjectRef, PackageIndex, StoredName};

/// A decoded package, and how much of it is taken down at most.
pub(super) struct Declarer<'a> {
    pub package: &'a Package,
    /// Its name in other packages.
    pub name: &'a str,
    /// The fields that may still be taken down: in a damaged package each class may name the same chain of fields.
    left: Cell<usize>,
}

impl<'a> Declarer<'a> {
    pub fn new(package: &'a Package, name: &'a str, most: usize) -> Self {
        Self { package, name, left: Cell::new(most) }
    }

    /// Whether this much may still be taken down.
    pub fn spend(&self, cost: usize) -> bool {
        let left = self.left.get().checked_sub(cost);
        self.left.set(left.unwrap_or(0));
        left.is_some()
    }

    /// The class's own data of an object of the package.
    pub fn native(&self, index: PackageIndex) -> Option<&'a Native> {
        let ObjectRef::Export(row) = index.target() else { return None };
        Some(&self.package.decoded(row)?.body.native)
    }

    /// The objects of a chain, from the first on.
    pub fn chain(
        &self,
        first: PackageIndex,
        next: impl Fn(PackageIndex) -> Option<PackageIndex>,
    ) -> Vec<PackageIndex> {
        let (mut found, mut at) = (Vec::new(), first);
        // A damaged chain may lead in circles.
        while let Some(behind) = next(at).filter(|_| found.len() < self.package.exports().len()) {
            if !self.spend(1) {
                break;
            }
            found.push(at);
            at = behind;
        }
        found
    }

    /// The text of a name that is not `None`.
    pub fn some_name(&self, name: Name) -> Option<String> {
        let text = self.package.name_text(name);
        (!text.eq_ignore_ascii_case("None")).then_some(text)
    }

    /// The same of a name that not every version stores.
    pub fn stored_name(&self, name: StoredName) -> Option<String> {
        self.some_name(name.get()?)
    }

    /// The path of an object with its package.
    pub fn path(&self, index: PackageIndex) -> String {
        match index.target() {
            ObjectRef::Null => String::new(),
            ObjectRef::Import(_) => self.package.path(index),
            ObjectRef::Export(_) => format!("{}.{}", self.name, self.package.path(index)),
        }
    }

    pub fn some_path(&self, index: PackageIndex) -> Option<String> {
        (!index.is_null()).then(|| self.path(index))
    }
}
