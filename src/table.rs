//! The tables of a package: one noun a file, each with its one `serialize`.

mod asset_registry;
mod cell;
mod compressed_chunk;
mod custom_version;
mod data_resource;
mod depends;
mod export;
mod file_versions;
mod gatherable_text;
mod generation;
mod guids;
mod import;
mod meta_data;
mod name;
mod soft_reference;
mod summary;
mod tag;
mod texture_allocation;
mod thumbnail;
mod trailer;
mod world_tile_info;

pub use asset_registry::{
    AssetData, AssetDependencies, AssetRegistryData, AssetTag, BitArray, PackageDependency,
};
pub use cell::{CellExport, CellImport};
pub use compressed_chunk::CompressedChunk;
pub use custom_version::{CustomVersion, CustomVersions, NamedVersion, TaggedVersion};
pub use data_resource::{DataResource, DataResources};
pub use depends::DependsRow;
pub use export::{ComponentEntry, Export, ExportDetails, ExportPreload};
pub use file_versions::FileVersions;
pub use gatherable_text::{GatherableText, LocMetadata, TextContext};
pub use generation::Generation;
pub use guids::{ExportGuid, ImportGuids};
pub(crate) use import::COOKED_PACKAGE_NAMES;
pub use import::Import;
pub use meta_data::{MetaData, MetaDataValue, ObjectMetaData};
pub(crate) use name::CRC_MSB;
pub use name::{NameEntry, NameHashes};
pub use soft_reference::{HierarchyType, SearchableNames, SoftPackageReference, TypeHierarchy};
pub use summary::{MassEffectNumbers, PersistentGuids, SAVED_HASH, SavedBy, Summary};
pub use tag::{PACKAGE_TAG, Tag};
pub use texture_allocation::TextureAllocation;
pub use thumbnail::{Thumbnail, ThumbnailImage};
pub use trailer::{Trailer, TrailerEntry};
pub use world_tile_info::{WorldTileInfo, WorldTileLayer, WorldTileLod};
