//! The parents of the types of imports.

use crate::Archived;
use crate::primitive::{Name, PackageIndex};

/// The classes that the type of an import derives from, from UE5 object version 1018.
///
/// Spec: ue4-5/03 §9; no file with a row is known.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct TypeHierarchy {
    /// The import.
    #[archive(role = identity)]
    pub import: PackageIndex,
    /// Its types, nearest first.
    pub types: Vec<HierarchyType>,
}

/// One type of a hierarchy.
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
