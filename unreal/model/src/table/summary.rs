//! The package file summary: the header's first section.

use super::{CompressedChunk, CustomVersions, FileVersions, Generation, Tag, TextureAllocation};
use crate::primitive::{EngineVersion, FString, Group, Guid, PackageFlags, Rare, array};
use crate::version::threshold::{self, ue4, ue5};
use crate::version::{EngineRelease, Game, UE4, UE5, UnrealVersions, Versions};
use crate::{Archive, ArchiveExt, Archived, Result};

/// Bytes of a saved hash.
pub const SAVED_HASH: usize = 20;
/// The file version of XCOM: Chimera Squad.
const CHIMERA_SQUAD: u32 = 884;

/// The header of a package: versions, sizes and places of all sections.
///
/// Offsets count bytes from the start of the file, from UE4 of header and bodies together. Counts and offsets
/// of absent sections (0, -1) are kept. Spec: ue1-3/02 §2.1, §2.5, ue4-5/02 §2. C++: `FPackageFileSummary`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Tells the byte order. C++: `Tag`.
    pub tag: Tag,
    /// The versions; before UE5 1016 with the custom versions ([`Summary::custom_versions`]).
    pub versions: FileVersions,
    /// BLAKE3 of the file up to the trailer, 20 bytes. C++: `SavedHash`.
    #[since(ue5 = ue5::PACKAGE_SAVED_HASH)]
    #[archive(with = hash)]
    #[archive(role = derived)]
    pub saved_hash: [u8; SAVED_HASH],
    /// End of the tables, bytes; from UE4 where the bodies start. C++: `TotalHeaderSize`.
    #[since(threshold::TOTAL_HEADER_SIZE_ADDED)]
    #[archive(role = derived)]
    pub total_header_size: i32,
    /// Custom versions of the package's modules and plugins, where they stand behind the size
    /// ([`Summary::custom_versions`]). C++: `CustomVersionContainer`.
    #[since(ue5 = ue5::PACKAGE_SAVED_HASH)]
    #[archive(with = CustomVersions::serialize_plain)]
    pub late_custom_versions: CustomVersions,
    /// Group of the package in the editor's browser, `None` when it has none; from UE5.1 the package's path,
    /// `/Game/...`. C++: `FolderName`, `PackageName`.
    #[since(threshold::FOLDER_NAME_ADDED)]
    pub folder_name: FString,
    /// Flags. C++: `PackageFlags`.
    #[archive(with = package_flags)]
    pub package_flags: PackageFlags,
    /// A number of unknown meaning in cooked Mass Effect 3 packages.
    #[archive(when = has_cooked_extra(ar, self.package_flags))]
    pub mass_effect_3_cooked: i32,
    /// Rows of the name table. C++: `NameCount`.
    pub name_count: i32,
    /// Start of the name table. C++: `NameOffset`.
    pub name_offset: i32,
    /// Rows of the soft object path list. C++: `SoftObjectPathsCount`.
    #[since(ue5 = ue5::ADD_SOFTOBJECTPATH_LIST)]
    pub soft_object_paths_count: i32,
    /// Start of the soft object path list. C++: `SoftObjectPathsOffset`.
    #[since(ue5 = ue5::ADD_SOFTOBJECTPATH_LIST)]
    pub soft_object_paths_offset: i32,
    /// Key of the package's texts for translators. C++: `LocalizationId`.
    #[since(ue4 = ue4::ADDED_PACKAGE_SUMMARY_LOCALIZATION_ID)]
    #[archive(when = ar.versions().has_editor_only_data())]
    pub localization_id: FString,
    /// Rows of the gatherable text. C++: `GatherableTextDataCount`.
    #[since(ue4 = ue4::SERIALIZE_TEXT_IN_PACKAGES)]
    pub gatherable_text_data_count: i32,
    /// Start of the gatherable text. C++: `GatherableTextDataOffset`.
    #[since(ue4 = ue4::SERIALIZE_TEXT_IN_PACKAGES)]
    pub gatherable_text_data_offset: i32,
    /// Rows of the export table. C++: `ExportCount`.
    pub export_count: i32,
    /// Start of the export table. C++: `ExportOffset`.
    pub export_offset: i32,
    /// XCOM: Chimera Squad.
    #[archive(when = is_chimera_squad(ar))]
    pub chimera_squad: Rare<ChimeraSquadNumbers>,
    /// Rows of the import table. C++: `ImportCount`.
    pub import_count: i32,
    /// Start of the import table. C++: `ImportOffset`.
    pub import_offset: i32,
    /// Rows of the heritage table.
    #[until(threshold::HERITAGE_REMOVED)]
    pub heritage_count: i32,
    /// Start of the heritage table.
    #[until(threshold::HERITAGE_REMOVED)]
    pub heritage_offset: i32,
    /// Rows of the Verse cell export table. C++: `CellExportCount`.
    #[since(ue5 = ue5::VERSE_CELLS)]
    pub cell_export_count: i32,
    /// Start of the Verse cell export table. C++: `CellExportOffset`.
    #[since(ue5 = ue5::VERSE_CELLS)]
    pub cell_export_offset: i32,
    /// Rows of the Verse cell import table. C++: `CellImportCount`.
    #[since(ue5 = ue5::VERSE_CELLS)]
    pub cell_import_count: i32,
    /// Start of the Verse cell import table. C++: `CellImportOffset`.
    #[since(ue5 = ue5::VERSE_CELLS)]
    pub cell_import_offset: i32,
    /// Start of the metadata. C++: `MetaDataOffset`.
    #[since(ue5 = ue5::METADATA_SERIALIZATION_OFFSET)]
    pub meta_data_offset: i32,
    /// Start of the depends table. C++: `DependsOffset`.
    #[since(threshold::DEPENDS_ADDED)]
    pub depends_offset: i32,
    /// Start of the import and export GUID tables. C++: `ImportExportGuidsOffset`.
    #[since(threshold::IMPORT_EXPORT_GUIDS_ADDED)]
    #[until(ue4 = ue4::OLDEST_LOADABLE_PACKAGE)]
    pub import_export_guids_offset: i32,
    /// Rows of the import GUID table. C++: `ImportGuidsCount`.
    #[since(threshold::IMPORT_EXPORT_GUIDS_ADDED)]
    #[until(ue4 = ue4::OLDEST_LOADABLE_PACKAGE)]
    pub import_guids_count: i32,
    /// Rows of the export GUID table. C++: `ExportGuidsCount`.
    #[since(threshold::IMPORT_EXPORT_GUIDS_ADDED)]
    #[until(ue4 = ue4::OLDEST_LOADABLE_PACKAGE)]
    pub export_guids_count: i32,
    /// Rows of the soft package references. C++: `SoftPackageReferencesCount`.
    #[since(ue4 = ue4::ADD_STRING_ASSET_REFERENCES_MAP)]
    pub soft_package_references_count: i32,
    /// Start of the soft package references. C++: `SoftPackageReferencesOffset`.
    #[since(ue4 = ue4::ADD_STRING_ASSET_REFERENCES_MAP)]
    pub soft_package_references_offset: i32,
    /// Start of the searchable names. C++: `SearchableNamesOffset`.
    #[since(ue4 = ue4::ADDED_SEARCHABLE_NAMES)]
    pub searchable_names_offset: i32,
    /// Start of the thumbnail table, 0 for none. C++: `ThumbnailTableOffset`.
    #[since(threshold::THUMBNAILS_ADDED)]
    pub thumbnail_table_offset: i32,
    /// Rows of the import type hierarchies. C++: `ImportTypeHierarchiesCount`.
    #[since(ue5 = ue5::IMPORT_TYPE_HIERARCHIES)]
    pub import_type_hierarchies_count: i32,
    /// Start of the import type hierarchies. C++: `ImportTypeHierarchiesOffset`.
    #[since(ue5 = ue5::IMPORT_TYPE_HIERARCHIES)]
    pub import_type_hierarchies_offset: i32,
    /// The package's GUID; below version 68 the last row of the heritage table. From UE4 new at each save.
    /// C++: `Guid`.
    #[since(threshold::HERITAGE_REMOVED)]
    #[until(ue5 = ue5::PACKAGE_SAVED_HASH)]
    #[archive(role = derived)]
    pub guid: Guid,
    /// GUIDs that stay over all saves.
    #[since(ue4 = ue4::ADDED_PACKAGE_OWNER)]
    #[archive(when = ar.versions().has_editor_only_data())]
    #[archive(role = derived)]
    pub persistent: Rare<PersistentGuids>,
    /// Table sizes of all generations, oldest first; from UE4 of this save. C++: `Generations`.
    #[since(threshold::HERITAGE_REMOVED)]
    #[archive(with = array::counted_i32)]
    #[archive(role = derived)]
    pub generations: Vec<Generation>,
    /// Version of the engine that saved the package. C++: `EngineVersion`.
    #[since(threshold::ENGINE_VERSION_ADDED)]
    #[until(ue4 = ue4::OLDEST_LOADABLE_PACKAGE)]
    #[archive(role = derived)]
    pub engine_version: i32,
    /// Version of the cooker, 0 when not cooked. C++: `CookedContentVersion`.
    #[since(threshold::COOKER_VERSION_ADDED)]
    #[until(ue4 = ue4::OLDEST_LOADABLE_PACKAGE)]
    #[archive(role = derived)]
    pub cooker_version: i32,
    /// Numbers of unknown meaning in Mass Effect.
    pub mass_effect: Rare<MassEffectNumbers>,
    /// The engines that saved the package and that can load it.
    #[since(ue4 = ue4::OLDEST_LOADABLE_PACKAGE)]
    #[archive(role = derived)]
    pub saved_by: Rare<SavedBy>,
    /// Compression of the chunks: 0 none, 1 zlib, 2 LZO, 4 LZX; 0 from UE4. C++: `CompressionFlags`.
    #[since(threshold::COMPRESSION_ADDED)]
    pub compression_flags: u32,
    /// The chunks; no loader of UE4 accepts any. C++: `CompressedChunks`.
    #[since(threshold::COMPRESSION_ADDED)]
    #[archive(with = array::counted_i32)]
    #[archive(role = derived)]
    pub compressed_chunks: Vec<CompressedChunk>,
    /// A number that stands for the package's name; from UE4 a CRC of the file's
    /// (`package::checksum::package_source`). C++: `PackageSource`.
    #[since(threshold::PACKAGE_SOURCE_ADDED)]
    #[archive(role = derived)]
    pub package_source: u32,
    /// A number of unknown meaning in Mass Effect 1 and 2.
    #[archive(when = matches!(ar.versions().game(), Game::MassEffect1 | Game::MassEffect2))]
    pub mass_effect_tail: i32,
    /// Packages that are cooked along. C++: `AdditionalPackagesToCook`.
    #[archive(when = has_additional_packages(ar), with = array::counted_i32)]
    pub additional_packages: Vec<FString>,
    /// Textures to allocate before loading. C++: `TextureAllocations`.
    #[since(threshold::TEXTURE_ALLOCATIONS_ADDED)]
    #[until(ue4 = ue4::OLDEST_LOADABLE_PACKAGE)]
    #[archive(when = ar.versions().game() != Game::MassEffect3, with = array::counted_i32)]
    pub texture_allocations: Vec<TextureAllocation>,
    /// 0. C++: `NumTextureAllocations`.
    #[since(ue4 = ue4::OLDEST_LOADABLE_PACKAGE)]
    #[archive(when = self.versions.legacy_file_version > -7)]
    pub num_texture_allocations: i32,
    /// Start of the asset registry data. C++: `AssetRegistryDataOffset`.
    #[since(ue4 = ue4::OLDEST_LOADABLE_PACKAGE)]
    pub asset_registry_data_offset: i32,
    /// Where the bodies end and bulk data starts. C++: `BulkDataStartOffset`.
    #[since(ue4 = ue4::OLDEST_LOADABLE_PACKAGE)]
    #[archive(role = derived)]
    pub bulk_data_start_offset: i64,
    /// Start of the world tile info. C++: `WorldTileInfoDataOffset`.
    #[since(ue4 = ue4::WORLD_LEVEL_INFO)]
    pub world_tile_info_data_offset: i32,
    /// Streaming chunk, before there was a list. C++: `ChunkID`.
    #[since(ue4 = ue4::ADDED_CHUNKID_TO_ASSETDATA_AND_UPACKAGE)]
    #[until(ue4 = ue4::CHANGED_CHUNKID_TO_BE_AN_ARRAY_OF_CHUNKIDS)]
    pub chunk_id: i32,
    /// Streaming chunks. C++: `ChunkIDs`.
    #[since(ue4 = ue4::CHANGED_CHUNKID_TO_BE_AN_ARRAY_OF_CHUNKIDS)]
    #[archive(with = array::counted_i32)]
    pub chunk_ids: Vec<i32>,
    /// Rows of the preload dependencies, -1 for none. C++: `PreloadDependencyCount`.
    #[since(ue4 = ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS)]
    pub preload_dependency_count: i32,
    /// Start of the preload dependencies. C++: `PreloadDependencyOffset`.
    #[since(ue4 = ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS)]
    pub preload_dependency_offset: i32,
    /// The names below this row are those that bodies use. C++: `NamesReferencedFromExportDataCount`.
    #[since(ue5 = ue5::NAMES_REFERENCED_FROM_EXPORT_DATA)]
    #[archive(role = derived)]
    pub names_referenced_from_export_data_count: i32,
    /// Start of the package trailer, -1 for none. C++: `PayloadTocOffset`.
    #[since(ue5 = ue5::PAYLOAD_TOC)]
    pub payload_toc_offset: i64,
    /// Start of the data resources, -1 or 0 for none. C++: `DataResourceOffset`.
    #[since(ue5 = ue5::DATA_RESOURCES)]
    pub data_resource_offset: i32,
}

impl Summary {
    /// The release that custom versions tell, and that the package is read as, where nothing says it.
    pub fn likely_release(&self, versions: &Versions) -> Option<EngineRelease> {
        let is_silent = self.saved_by.engine_version.major == 0
            && !self.versions.is_unversioned()
            && versions.has_object_versions();
        let likely = is_silent.then(|| EngineRelease::of_stored(versions));
        likely.filter(|likely| versions.release().is_none_or(|release| release == *likely))
    }

    /// Custom versions of the package's modules and plugins, in either place.
    #[inline]
    pub fn custom_versions(&self) -> &CustomVersions {
        match &self.versions.custom_versions {
            CustomVersions::Absent => &self.late_custom_versions,
            early => early,
        }
    }

    /// The list of custom versions of a package of these versions.
    #[doc(hidden)]
    #[inline]
    pub fn custom_versions_mut(&mut self, versions: &Versions) -> &mut CustomVersions {
        match versions.ue5() >= ue5::PACKAGE_SAVED_HASH {
            true => &mut self.late_custom_versions,
            false => &mut self.versions.custom_versions,
        }
    }
}

/// GUIDs of a package that stay over all saves, from UE4 518, with editor-only data.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct PersistentGuids {
    /// Of the package itself. C++: `PersistentGuid`.
    pub guid: Guid,
    /// Of the package that owns this one. C++: `OwnerPersistentGuid`.
    #[until(ue4 = ue4::NON_OUTER_PACKAGE_IMPORT)]
    pub owner: Guid,
}

impl Group for PersistentGuids {
    const ABSENT: &'static Self =
        &Self { guid: Guid::new(0, 0, 0, 0), owner: Guid::new(0, 0, 0, 0) };
}

/// Numbers of unknown meaning in the summaries of Mass Effect.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct MassEffectNumbers {
    /// Mass Effect 1.
    #[archive(when = ar.versions().game() == Game::MassEffect1)]
    pub first: [i32; 7],
    /// Mass Effect 2.
    #[archive(when = ar.versions().game() == Game::MassEffect2)]
    pub second: [i32; 6],
    /// Mass Effect 3.
    #[archive(when = ar.versions().game().has_no_name_flags())]
    pub third: [i32; 2],
}

impl Group for MassEffectNumbers {
    const ABSENT: &'static Self = &Self { first: [0; 7], second: [0; 6], third: [0; 2] };
}

/// A table of unknown meaning, empty in every known file, in the summaries of XCOM: Chimera Squad.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct ChimeraSquadNumbers {
    /// Its rows: 0.
    pub count: i32,
    /// Where it would stand: behind the exports.
    pub offset: i32,
}

impl Group for ChimeraSquadNumbers {
    const ABSENT: &'static Self = &Self { count: 0, offset: 0 };
}

/// The engines that saved a package of UE4 or UE5 and that can load it.
///
/// Spec: ue4-5/02 §2.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct SavedBy {
    /// Build that saved the package, before builds had versions. C++: `EngineChangelist`.
    #[until(ue4 = ue4::ENGINE_VERSION_OBJECT)]
    pub changelist: u32,
    /// Engine that saved the package. C++: `SavedByEngineVersion`.
    #[since(ue4 = ue4::ENGINE_VERSION_OBJECT)]
    #[archive(with = saved_by)]
    pub engine_version: EngineVersion,
    /// Oldest engine that can load it. C++: `CompatibleWithEngineVersion`.
    #[since(ue4 = ue4::PACKAGE_SUMMARY_HAS_COMPATIBLE_ENGINE_VERSION)]
    pub compatible_version: EngineVersion,
}

impl Group for SavedBy {
    const ABSENT: &'static Self = &Self {
        changelist: 0,
        engine_version: EngineVersion::ZERO,
        compatible_version: EngineVersion::ZERO,
    };
}

fn has_cooked_extra<A: Archive + ?Sized>(ar: &A, flags: PackageFlags) -> bool {
    let versions = ar.versions();
    versions.game().has_no_name_flags()
        && versions.licensee() >= 194
        && flags.contains(PackageFlags::COOKED)
}

/// The engine of Chimera Squad is that of XCOM 2 with a later version.
fn is_chimera_squad<A: Archive + ?Sized>(ar: &A) -> bool {
    let versions = ar.versions();
    versions.game() == Game::Xcom2 && versions.file() >= CHIMERA_SQUAD
}

fn has_additional_packages<A: Archive + ?Sized>(ar: &A) -> bool {
    let versions = ar.versions();
    versions.file() >= threshold::ADDITIONAL_PACKAGES_ADDED || versions.game() == Game::MassEffect2
}

fn hash<A: Archive + ?Sized>(hash: &mut [u8; SAVED_HASH], ar: &mut A) -> Result<()> {
    ar.serialize_bytes(hash)
}

/// From UE4 the flags tell which editor-only fields there are.
fn package_flags<A: Archive + ?Sized>(flags: &mut PackageFlags, ar: &mut A) -> Result<()> {
    flags.serialize(ar)?;
    if ar.is_loading() {
        let mut versions = ar.versions().clone();
        flags.apply_to(&mut versions);
        ar.set_versions(versions);
    }
    Ok(())
}

/// The engine version tells the release, unless the caller has; cooks without it are told by their versions.
fn saved_by<A: Archive + ?Sized>(version: &mut EngineVersion, ar: &mut A) -> Result<()> {
    version.serialize(ar)?;
    if ar.is_loading() && ar.versions().release().is_none() {
        let mut versions = ar.versions().clone();
        let stored = || versions.has_object_versions().then(|| EngineRelease::of_stored(&versions));
        let release = version.release().or_else(stored);
        versions.set_release(release);
        ar.set_versions(versions);
    }
    Ok(())
}
