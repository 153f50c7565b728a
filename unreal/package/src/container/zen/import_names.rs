//! Names of imported objects by their hashes.

use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};

/// Names of objects that packages in containers know by hashes only.
///
/// A reader of containers answers from the table of script objects in `global.utoc` and from the export tables of
/// its packages; [`super::KnownObjects`] from what it was given.
pub trait ImportNames: fmt::Debug + Send + Sync + UnwindSafe + RefUnwindSafe {
    /// The object of compiled code of this hash ([`super::hash::of_script_object`]).
    fn script(&self, hash: u64) -> Option<ImportedObject>;

    /// The name of the package of this number ([`super::hash::of_package`]).
    fn package(&self, id: u64) -> Option<String>;

    /// The object that a package exports under this hash ([`super::hash::of_public_export`]): from 5.0 on.
    fn export(&self, package: PackageId<'_>, hash: u64) -> Option<ImportedObject>;

    /// All objects that a package exports: in UE4 objects of other packages are known by the hash of their whole
    /// path.
    fn exports(&self, package: PackageId<'_>) -> Vec<ImportedObject>;
}

/// A package that another one imports from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackageId<'a> {
    /// Its number, where it is known.
    pub id: Option<u64>,
    /// Its name, where it is known: `/Game/Maps/Town`.
    pub name: Option<&'a str>,
}

/// An object of another package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedObject {
    /// Its whole path with dots, `/Script/Engine.Actor`; of objects of other packages too:
    /// `/Game/Maps/Town.Town.PersistentLevel`.
    pub path: String,
    /// The path of its class, where it is known.
    pub class: Option<String>,
}
