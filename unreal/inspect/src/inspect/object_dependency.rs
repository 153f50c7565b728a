//! Which objects refer to which.

use crate::archive::{Archived, References};
use crate::package::Package;
use crate::primitive::{NameReferences, ObjectRef, PackageIndex};
use crate::version::UnrealVersions;

/// References of an object to another one, or to an import.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ObjectDependency {
    /// The row of the export whose body refers.
    pub from: usize,
    /// The object that it refers to.
    pub to: PackageIndex,
    /// How often.
    pub count: u64,
}

impl ObjectDependency {
    /// What the bodies of a package refer to, by row and then by object, in one pass; bodies as far as they can be
    /// decoded. References to null, to the object itself and to rows that are not there are left out, and those of the
    /// tables: class, outer, archetype.
    pub fn all(package: &Package) -> Vec<Self> {
        let mut found = Vec::new();
        package.each_body(|from, decoded| {
            let mut references = References::new(package.versions().of_bodies());
            // Visiting never fails: it neither reads nor writes.
            let _ = decoded.body.serialize(&mut references);
            for (&index, &count) in references.objects() {
                let to = PackageIndex::new(index);
                let is_other = !to.is_null() && to != PackageIndex::export(from);
                if is_other && is_there(package, to) {
                    found.push(Self { from, to, count });
                }
            }
        });
        found.sort_unstable_by_key(|found| (found.from, found.to.value()));
        found
    }
}

/// Whether a reference leads to a row of a table.
fn is_there(package: &Package, index: PackageIndex) -> bool {
    match index.target() {
        ObjectRef::Null => false,
        ObjectRef::Export(row) => row < package.exports().len(),
        ObjectRef::Import(row) => row < package.imports().len(),
    }
}
