//! The package file summary of UE4 and UE5.

use super::{CompressedChunk, CustomVersions, FileVersions, Generation, Tag};
use crate::archive::{in_field, private};
use crate::primitive::{EngineVersion, FString, Guid, PackageFlags, array};
use crate::version::Versions;
use crate::version::threshold::{ue4, ue5};
use crate::{Archive, ArchiveExt, Archived, Result};

/// Bytes of a saved hash.
pub const SAVED_HASH: usize = 20;

/// The header of a UE4 or UE5 package: versions, sizes and places of all sections.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | u32 | tag | |
/// | 2 | i32 ×4 or 5 | versions | |
/// | 3 | 20 bytes | saved hash | from UE5 1016 |
/// | 4 | i32 | total header size, bytes | from UE5 1016 here, below it behind 5 |
/// | 5 | list | custom versions | |
/// | 6 | FString | package name | |
/// | 7 | u32 | package flags | |
/// | 8 | i32 ×2 | names: count, offset | |
/// | 9 | i32 ×2 | soft object paths | from UE5 1008 |
/// | 10 | FString | localization id | from 516, with editor-only data |
/// | 11 | i32 ×2 | gatherable text | from 459 |
/// | 12 | i32 ×4 | exports, imports | |
/// | 13 | i32 ×4 | cell exports, cell imports | from UE5 1015 |
/// | 14 | i32 | metadata offset | from UE5 1014 |
/// | 15 | i32 | depends offset | |
/// | 16 | i32 ×2 | soft package references | from 384 |
/// | 17 | i32 | searchable names offset | from 510 |
/// | 18 | i32 | thumbnail table offset | |
/// | 19 | i32 ×2 | import type hierarchies | from UE5 1018 |
/// | 20 | GUID | package GUID | below UE5 1016 |
/// | 21 | GUID | persistent GUID | from 518, with editor-only data |
/// | 22 | GUID | owner's persistent GUID | 518 and 519, with editor-only data |
/// | 23 | i32 n, n × generation | generations | |
/// | 24 | engine version | saved by | from 336; older: u32 changelist |
/// | 25 | engine version | compatible with | from 444 |
/// | 26 | u32, i32 n, n × chunk | compression | |
/// | 27 | u32 | package source | |
/// | 28 | i32 n, n × FString | additional packages to cook | |
/// | 29 | i32 | texture allocations | legacy versions above -7 |
/// | 30 | i32, i64 | asset registry data offset, bulk data start | |
/// | 31 | i32 | world tile info offset | from 224 |
/// | 32 | i32 n, n × i32 | chunk ids | from 326; 278 to 325 one i32 |
/// | 33 | i32 ×2 | preload dependencies | from 507 |
/// | 34 | i32 | names that exports use | from UE5 1001 |
/// | 35 | i64 | package trailer offset | from UE5 1002 |
/// | 36 | i32 | data resources offset | from UE5 1009 |
///
/// Offsets count bytes from the start of the `.uasset` file. Counts and offsets of absent sections (0, -1)
/// are kept. Spec: ue4-5/02 §2. C++: `FPackageFileSummary`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ModernSummary {
    /// Tells the byte order. C++: `Tag`.
    pub tag: Tag,
    /// The versions.
    pub versions: FileVersions,
    /// BLAKE3 of the file up to the trailer, 20 bytes. C++: `SavedHash`.
    pub saved_hash: [u8; SAVED_HASH],
    /// Where the bodies start. C++: `TotalHeaderSize`.
    pub total_header_size: i32,
    /// What the package's modules and plugins say of their own layouts. C++: `CustomVersionContainer`.
    pub custom_versions: CustomVersions,
    /// `None` before UE5.1, `/Game/...` from there on. C++: `PackageName`, `FolderName`.
    pub package_name: FString,
    /// Flags. C++: `PackageFlags`.
    pub package_flags: PackageFlags,
    /// Rows of the name table. C++: `NameCount`.
    pub name_count: i32,
    /// Start of the name table. C++: `NameOffset`.
    pub name_offset: i32,
    /// Rows of the soft object path list. C++: `SoftObjectPathsCount`.
    pub soft_object_paths_count: i32,
    /// Start of the soft object path list. C++: `SoftObjectPathsOffset`.
    pub soft_object_paths_offset: i32,
    /// Key of the package's texts for translators. C++: `LocalizationId`.
    pub localization_id: FString,
    /// Rows of the gatherable text. C++: `GatherableTextDataCount`.
    pub gatherable_text_data_count: i32,
    /// Start of the gatherable text. C++: `GatherableTextDataOffset`.
    pub gatherable_text_data_offset: i32,
    /// Rows of the export table. C++: `ExportCount`.
    pub export_count: i32,
    /// Start of the export table. C++: `ExportOffset`.
    pub export_offset: i32,
    /// Rows of the import table. C++: `ImportCount`.
    pub import_count: i32,
    /// Start of the import table. C++: `ImportOffset`.
    pub import_offset: i32,
    /// Rows of the Verse cell export table. C++: `CellExportCount`.
    pub cell_export_count: i32,
    /// Start of the Verse cell export table. C++: `CellExportOffset`.
    pub cell_export_offset: i32,
    /// Rows of the Verse cell import table. C++: `CellImportCount`.
    pub cell_import_count: i32,
    /// Start of the Verse cell import table. C++: `CellImportOffset`.
    pub cell_import_offset: i32,
    /// Start of the metadata. C++: `MetaDataOffset`.
    pub meta_data_offset: i32,
    /// Start of the depends table. C++: `DependsOffset`.
    pub depends_offset: i32,
    /// Rows of the soft package references. C++: `SoftPackageReferencesCount`.
    pub soft_package_references_count: i32,
    /// Start of the soft package references. C++: `SoftPackageReferencesOffset`.
    pub soft_package_references_offset: i32,
    /// Start of the searchable names. C++: `SearchableNamesOffset`.
    pub searchable_names_offset: i32,
    /// Start of the thumbnail table. C++: `ThumbnailTableOffset`.
    pub thumbnail_table_offset: i32,
    /// Rows of the import type hierarchies. C++: `ImportTypeHierarchiesCount`.
    pub import_type_hierarchies_count: i32,
    /// Start of the import type hierarchies. C++: `ImportTypeHierarchiesOffset`.
    pub import_type_hierarchies_offset: i32,
    /// New at each save. C++: `Guid`.
    pub guid: Guid,
    /// The same over all saves. C++: `PersistentGuid`.
    pub persistent_guid: Guid,
    /// Of the package that owns this one. C++: `OwnerPersistentGuid`.
    pub owner_persistent_guid: Guid,
    /// Table sizes of this save. C++: `Generations`.
    pub generations: Vec<Generation>,
    /// Build that saved the package, before builds had versions. C++: `EngineChangelist`.
    pub engine_changelist: u32,
    /// Engine that saved the package. C++: `SavedByEngineVersion`.
    pub saved_by_engine_version: EngineVersion,
    /// Oldest engine that can load it. C++: `CompatibleWithEngineVersion`.
    pub compatible_with_engine_version: EngineVersion,
    /// 0. C++: `CompressionFlags`.
    pub compression_flags: u32,
    /// None: no loader of UE4 accepts any. C++: `CompressedChunks`.
    pub compressed_chunks: Vec<CompressedChunk>,
    /// CRC of the file's name ([`crate::package::checksum::package_source`]). C++: `PackageSource`.
    pub package_source: u32,
    /// Packages that are cooked along. C++: `AdditionalPackagesToCook`.
    pub additional_packages: Vec<FString>,
    /// 0. C++: `NumTextureAllocations`.
    pub num_texture_allocations: i32,
    /// Start of the asset registry data. C++: `AssetRegistryDataOffset`.
    pub asset_registry_data_offset: i32,
    /// Where the bodies end and bulk data starts. C++: `BulkDataStartOffset`.
    pub bulk_data_start_offset: i64,
    /// Start of the world tile info. C++: `WorldTileInfoDataOffset`.
    pub world_tile_info_data_offset: i32,
    /// Streaming chunk, before there was a list. C++: `ChunkID`.
    pub chunk_id: i32,
    /// Streaming chunks. C++: `ChunkIDs`.
    pub chunk_ids: Vec<i32>,
    /// Rows of the preload dependencies, -1 for none. C++: `PreloadDependencyCount`.
    pub preload_dependency_count: i32,
    /// Start of the preload dependencies. C++: `PreloadDependencyOffset`.
    pub preload_dependency_offset: i32,
    /// The names below this row are those that bodies use. C++: `NamesReferencedFromExportDataCount`.
    pub names_referenced_from_export_data_count: i32,
    /// Start of the package trailer, -1 for none. C++: `PayloadTocOffset`.
    pub payload_toc_offset: i64,
    /// Start of the data resources, -1 or 0 for none. C++: `DataResourceOffset`.
    pub data_resource_offset: i32,
}

impl Archived for ModernSummary {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        // A field, where its condition holds; each condition is looked at when its turn comes, since the
        // header itself tells the versions.
        macro_rules! field {
            ($name:ident) => {
                field!($name, true)
            };
            ($name:ident, $when:expr) => {
                field!($name, $when, Archived::serialize)
            };
            ($name:ident, $when:expr, $with:path) => {
                if $when {
                    in_field(stringify!($name), ar, |ar| $with(&mut self.$name, ar))?;
                } else {
                    private::absent(&mut self.$name, ar, stringify!($name))?;
                }
            };
        }
        field!(tag);
        field!(versions);
        let legacy = self.versions.legacy_file_version;
        let (v4, v5) = (ar.versions().ue4, ar.versions().ue5);
        let hashed = v5 >= ue5::PACKAGE_SAVED_HASH;
        field!(saved_hash, hashed, hash);
        if hashed {
            field!(total_header_size);
        }
        if ar.is_loading() {
            self.custom_versions = self.versions.custom_version_form();
        }
        field!(custom_versions);
        if !hashed {
            field!(total_header_size);
        }
        field!(package_name);
        field!(package_flags, true, package_flags);
        let editor = ar.versions().has_editor_only_data();
        field!(name_count);
        field!(name_offset);
        field!(soft_object_paths_count, v5 >= ue5::ADD_SOFTOBJECTPATH_LIST);
        field!(soft_object_paths_offset, v5 >= ue5::ADD_SOFTOBJECTPATH_LIST);
        field!(localization_id, editor && v4 >= ue4::ADDED_PACKAGE_SUMMARY_LOCALIZATION_ID);
        field!(gatherable_text_data_count, v4 >= ue4::SERIALIZE_TEXT_IN_PACKAGES);
        field!(gatherable_text_data_offset, v4 >= ue4::SERIALIZE_TEXT_IN_PACKAGES);
        field!(export_count);
        field!(export_offset);
        field!(import_count);
        field!(import_offset);
        field!(cell_export_count, v5 >= ue5::VERSE_CELLS);
        field!(cell_export_offset, v5 >= ue5::VERSE_CELLS);
        field!(cell_import_count, v5 >= ue5::VERSE_CELLS);
        field!(cell_import_offset, v5 >= ue5::VERSE_CELLS);
        field!(meta_data_offset, v5 >= ue5::METADATA_SERIALIZATION_OFFSET);
        field!(depends_offset);
        field!(soft_package_references_count, v4 >= ue4::ADD_STRING_ASSET_REFERENCES_MAP);
        field!(soft_package_references_offset, v4 >= ue4::ADD_STRING_ASSET_REFERENCES_MAP);
        field!(searchable_names_offset, v4 >= ue4::ADDED_SEARCHABLE_NAMES);
        field!(thumbnail_table_offset);
        field!(import_type_hierarchies_count, v5 >= ue5::IMPORT_TYPE_HIERARCHIES);
        field!(import_type_hierarchies_offset, v5 >= ue5::IMPORT_TYPE_HIERARCHIES);
        field!(guid, !hashed);
        let owned = v4 >= ue4::ADDED_PACKAGE_OWNER;
        field!(persistent_guid, editor && owned);
        field!(owner_persistent_guid, editor && owned && v4 < ue4::NON_OUTER_PACKAGE_IMPORT);
        field!(generations, true, array::counted_i32);
        field!(engine_changelist, v4 < ue4::ENGINE_VERSION_OBJECT);
        field!(saved_by_engine_version, v4 >= ue4::ENGINE_VERSION_OBJECT, saved_by);
        field!(
            compatible_with_engine_version,
            v4 >= ue4::PACKAGE_SUMMARY_HAS_COMPATIBLE_ENGINE_VERSION
        );
        field!(compression_flags);
        field!(compressed_chunks, true, array::counted_i32);
        field!(package_source);
        field!(additional_packages, true, array::counted_i32);
        field!(num_texture_allocations, legacy > -7);
        field!(asset_registry_data_offset);
        field!(bulk_data_start_offset);
        field!(world_tile_info_data_offset, v4 >= ue4::WORLD_LEVEL_INFO);
        let listed = v4 >= ue4::CHANGED_CHUNKID_TO_BE_AN_ARRAY_OF_CHUNKIDS;
        field!(chunk_id, !listed && v4 >= ue4::ADDED_CHUNKID_TO_ASSETDATA_AND_UPACKAGE);
        field!(chunk_ids, listed, array::counted_i32);
        let preload = v4 >= ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS;
        field!(preload_dependency_count, preload);
        field!(preload_dependency_offset, preload);
        let referenced = v5 >= ue5::NAMES_REFERENCED_FROM_EXPORT_DATA;
        field!(names_referenced_from_export_data_count, referenced);
        field!(payload_toc_offset, v5 >= ue5::PAYLOAD_TOC);
        field!(data_resource_offset, v5 >= ue5::DATA_RESOURCES);
        Ok(())
    }
}

fn hash<A: Archive + ?Sized>(hash: &mut [u8; SAVED_HASH], ar: &mut A) -> Result<()> {
    ar.serialize_bytes(hash)
}

/// The flags tell which editor-only fields there are.
fn package_flags<A: Archive + ?Sized>(flags: &mut PackageFlags, ar: &mut A) -> Result<()> {
    flags.serialize(ar)?;
    if ar.is_loading() {
        let mut versions = ar.versions().clone();
        apply_flags(*flags, &mut versions);
        ar.set_versions(versions);
    }
    Ok(())
}

/// What package flags say about layouts.
pub(crate) fn apply_flags(flags: PackageFlags, versions: &mut Versions) {
    versions.filter_editor_only = flags.contains(PackageFlags::FILTER_EDITOR_ONLY);
    versions.unversioned_properties = flags.contains(PackageFlags::UNVERSIONED_PROPERTIES);
    versions.cooked = versions.filter_editor_only || flags.contains(PackageFlags::MODERN_COOKED);
}

/// The engine version tells the release, unless the caller has.
fn saved_by<A: Archive + ?Sized>(version: &mut EngineVersion, ar: &mut A) -> Result<()> {
    version.serialize(ar)?;
    if ar.is_loading() && ar.versions().release.is_none() {
        let mut versions = ar.versions().clone();
        versions.release = version.release();
        ar.set_versions(versions);
    }
    Ok(())
}
