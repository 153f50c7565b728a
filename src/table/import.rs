//! Imports.

use crate::Archived;
use crate::primitive::{Name, PackageIndex};
use crate::version::threshold;

/// An object of another package.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | name | class package | |
/// | 2 | name | class name | |
/// | 3 | compact name of the package | outer name | below 50 |
/// | 3 | i32 | outer | from 50 |
/// | 4 | name | object name | |
///
/// Spec: ue1-3/03 §3.2. C++: `FObjectImport`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Import {
    /// Package of the object's class. C++: `ClassPackage`.
    pub class_package: Name,
    /// Name of the object's class. C++: `ClassName`.
    pub class_name: Name,
    /// Name of the package that holds the object.
    #[until(threshold::OUTER_INDEX_ADDED)]
    pub outer_name: Name,
    /// The object around it; null for packages. C++: `OuterIndex`.
    #[since(threshold::OUTER_INDEX_ADDED)]
    #[archive(with = PackageIndex::fixed)]
    pub outer_index: PackageIndex,
    /// Name of the object. C++: `ObjectName`.
    pub object_name: Name,
}
