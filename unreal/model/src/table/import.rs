//! Imports.

use crate::Archived;
use crate::primitive::{Bool32, Name, PackageIndex};
use crate::version::threshold::{self, ue4, ue5};
use crate::version::{EngineRelease, UE4, UE5, UnrealVersions, Versions};

/// An object of another package.
///
/// Spec: ue1-3/03 §3.2, ue4-5/03 §4. C++: `FObjectImport`.
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
    /// The package that holds the object where its outer does not say so, else `None`. C++: `PackageName`.
    #[since(ue4 = ue4::NON_OUTER_PACKAGE_IMPORT)]
    #[archive(when = Self::names_package(ar.versions()))]
    pub package_name: Name,
    /// Whether the object may be missing. C++: `bImportOptional`.
    #[since(ue5 = ue5::OPTIONAL_RESOURCES)]
    pub import_optional: Bool32,
}

/// The first release whose cooked packages name the packages of imports; no version tells (spec: ue4-5/03 §4).
#[doc(hidden)]
pub const COOKED_PACKAGE_NAMES: EngineRelease = EngineRelease::new(5, 8);

impl Import {
    /// Whether rows of these versions have [`Import::package_name`].
    #[doc(hidden)]
    #[inline]
    pub fn names_package(versions: &Versions) -> bool {
        versions.ue4() >= ue4::NON_OUTER_PACKAGE_IMPORT
            && (versions.has_editor_only_data() || versions.is_release(COOKED_PACKAGE_NAMES))
    }
}
