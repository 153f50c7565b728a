//! The summary of a zen package.

use super::{ZenForm, ZenName};
use crate::Archived;
use crate::primitive::{Bool32, PackageFlags, array};
use crate::table::CustomVersion;
use crate::version::UE5;
use crate::version::threshold::ue5;

/// The start of the header: 64 bytes in UE4, 44 from 5.0, 52 from 5.3. Offsets count from the start of the package.
///
/// Spec: ue4-5/12 §4, §5. C++: `FPackageSummary`, `FZenPackageSummary`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct ZenSummary {
    /// Whether it says its versions.
    #[since(ue5 = ue5::INITIAL_VERSION)]
    pub has_versions: Bool32,
    /// Bytes of the header: here the bodies start.
    #[since(ue5 = ue5::INITIAL_VERSION)]
    pub header_size: u32,
    /// Name of the package.
    pub name: ZenName,
    /// Name of the package that a localized one stands for, else its own.
    #[until(ue5 = ue5::INITIAL_VERSION)]
    pub source_name: ZenName,
    /// Flags of the package.
    pub package_flags: PackageFlags,
    /// Bytes of the header that the package had before it came into a container.
    pub cooked_header_size: u32,
    /// Start of the names.
    #[until(ue5 = ue5::INITIAL_VERSION)]
    pub names_offset: i32,
    /// Bytes of the names.
    #[until(ue5 = ue5::INITIAL_VERSION)]
    pub names_size: i32,
    /// Start of the hashes of the names.
    #[until(ue5 = ue5::INITIAL_VERSION)]
    pub name_hashes_offset: i32,
    /// Bytes of the hashes of the names.
    #[until(ue5 = ue5::INITIAL_VERSION)]
    pub name_hashes_size: i32,
    /// Start of the hashes of imported objects.
    #[since(ue5 = ue5::INITIAL_VERSION)]
    pub imported_public_hashes_offset: i32,
    /// Start of the imports.
    pub import_offset: i32,
    /// Start of the exports.
    pub export_offset: i32,
    /// Start of the steps of loading; in UE4 of the bundles, which stand before them.
    pub command_offset: i32,
    /// Start of what bundles wait for.
    #[archive(when = ZenForm::of(ar.versions()).has_bundles())]
    pub graph_offset: i32,
    /// Bytes of what bundles wait for.
    #[until(ue5 = ue5::INITIAL_VERSION)]
    pub graph_size: i32,
    /// Zero.
    #[until(ue5 = ue5::INITIAL_VERSION)]
    pub pad: i32,
    /// Start of the counts of what must be there before each export.
    #[archive(when = !ZenForm::of(ar.versions()).has_bundles())]
    pub dependencies_offset: i32,
    /// Start of what they count.
    #[archive(when = !ZenForm::of(ar.versions()).has_bundles())]
    pub dependency_entries_offset: i32,
    /// Start of the names of imported packages.
    #[archive(when = !ZenForm::of(ar.versions()).has_bundles())]
    pub imported_packages_offset: i32,
}

/// The versions of a package that says them.
///
/// Spec: ue4-5/12 §5. C++: `FZenPackageVersioningInfo`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct ZenVersions {
    /// Of the header itself: 0 up to 5.1, 1 in 5.2, 3 from 5.3.
    pub zen: u32,
    /// The UE4 object version.
    pub ue4: i32,
    /// The UE5 object version.
    pub ue5: i32,
    /// The licensee's.
    pub licensee: i32,
    /// Custom versions: the layouts of the package's modules and plugins.
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
