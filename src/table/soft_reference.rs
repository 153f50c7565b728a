//! What a package refers to without loading it: packages and searchable names, and what its imports are.

use crate::Archived;
use crate::primitive::{FString, Name, PackageIndex};
use crate::version::threshold::ue4;

/// A package that is referred to softly, from UE4 object version 384.
///
/// Spec: ue4-5/03 §7.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct SoftPackageReference {
    /// Path of the object, from 484 of the package.
    #[until(ue4 = ue4::ADDED_SOFT_OBJECT_PATH)]
    pub path: FString,
    /// The package.
    #[since(ue4 = ue4::ADDED_SOFT_OBJECT_PATH)]
    pub name: Name,
}

/// The names by which an object is found in searches, from UE4 object version 510: i32 object, i32 n,
/// n × name.
///
/// Spec: ue4-5/03 §8.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchableNames {
    /// The object, an import as a rule.
    pub object: PackageIndex,
    /// The names.
    pub names: Vec<Name>,
}

/// The classes that the type of an import derives from, from UE5 object version 1018: i32 import, i32 n,
/// n × class.
///
/// Spec: ue4-5/03 §9; no file with a row is known.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct TypeHierarchy {
    /// The import.
    pub import: PackageIndex,
    /// Its types, nearest first.
    pub types: Vec<HierarchyType>,
}

/// One type of a hierarchy: four names.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HierarchyType {
    /// Name of the type.
    pub type_name: Name,
    /// Its package.
    pub package_name: Name,
    /// Name of its class.
    pub class_name: Name,
    /// Package of its class.
    pub class_package_name: Name,
}
