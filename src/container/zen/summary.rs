//! What the header of a zen package starts with.

use super::ZenName;
use crate::Archived;
use crate::primitive::{Bool32, PackageFlags, array};
use crate::table::CustomVersion;

/// The start of the header, from UE5.3: 52 bytes. Offsets count from the start of the package.
///
/// Spec: ue4-5/12 §5. C++: `FZenPackageSummary`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct ZenSummary {
    /// Whether it says its versions.
    pub has_versions: Bool32,
    /// Bytes of the header: here the bodies start.
    pub header_size: u32,
    /// Name of the package.
    pub name: ZenName,
    /// Flags of the package.
    pub package_flags: PackageFlags,
    /// Bytes of the header that the package had before it came into a container.
    pub cooked_header_size: u32,
    /// Start of the hashes of imported objects.
    pub imported_public_hashes_offset: i32,
    /// Start of the imports.
    pub import_offset: i32,
    /// Start of the exports.
    pub export_offset: i32,
    /// Start of the steps of loading.
    pub command_offset: i32,
    /// Start of the counts of what must be there before each export.
    pub dependencies_offset: i32,
    /// Start of what they count.
    pub dependency_entries_offset: i32,
    /// Start of the names of imported packages.
    pub imported_packages_offset: i32,
}

/// The versions of a package that says them.
///
/// Spec: ue4-5/12 §5. C++: `FZenPackageVersioningInfo`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct ZenVersions {
    /// Of the header itself: 2 or 3 in packages that are read.
    pub zen: u32,
    /// The UE4 object version.
    pub ue4: i32,
    /// The UE5 object version.
    pub ue5: i32,
    /// The licensee's.
    pub licensee: i32,
    /// What the package's modules and plugins say of their own layouts.
    #[archive(with = array::counted_u32)]
    pub custom_versions: Vec<CustomVersion>,
}

/// Where the tables of Verse cells start, from UE5 1015.
///
/// Spec: ue4-5/12 §5. C++: `FZenPackageCellOffsets`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ZenCellOffsets {
    /// Start of the imported cells.
    pub import_offset: i32,
    /// Start of the cells of the package.
    pub export_offset: i32,
}
