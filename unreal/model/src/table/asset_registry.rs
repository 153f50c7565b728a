//! Data of the asset registry about the package, to be read without loading it.

use crate::primitive::FString;
use crate::version::UnrealVersions;
use crate::version::threshold::ue4;
use crate::{Archive, Archived};

/// The package's assets with their searchable tags.
///
/// Spec: ue4-5/03 §12.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct AssetRegistryData {
    /// Start of [`AssetDependencies`](super::AssetDependencies), bytes from the start of the file.
    #[archive(when = has_dependencies(ar))]
    pub dependency_data_offset: i64,
    /// The assets.
    pub assets: Vec<AssetData>,
}

/// Whether a package tells how its imports are used.
pub(crate) fn has_dependencies<A: Archive + ?Sized>(ar: &A) -> bool {
    let versions = ar.versions();
    versions.ue4() >= ue4::ASSETREGISTRY_DEPENDENCYFLAGS && versions.has_editor_only_data()
}

/// An asset.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct AssetData {
    /// Path within the package. C++: `ObjectPath`.
    pub object_path: FString,
    /// Its class; `/Script/Engine.Blueprint` from UE5.1. C++: `ObjectClassName`.
    pub object_class_name: FString,
    /// Tags in stored order.
    pub tags: Vec<AssetTag>,
}

/// A tag.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct AssetTag {
    /// The key.
    pub key: FString,
    /// The value.
    pub value: FString,
}
