//! The package file summary: the header's first section.

use super::{Generation, Tag, TextureAllocation, VersionWord};
use crate::primitive::{FString, Guid, PackageFlags, array};
use crate::version::{Game, threshold};
use crate::{Archive, Archived};

/// The header of a classic package (UE1 to UE3): versions, sizes and places of all tables.
///
/// | order | type | field | versions |
/// |---|---|---|---|
/// | 1 | u32 | tag | |
/// | 2 | u32 | file version, licensee version | |
/// | 3 | i32 | total header size, bytes | from 249 |
/// | 4 | FString | folder name | from 269 |
/// | 5 | u32 | package flags | |
/// | | i32 | | cooked Mass Effect 3 from licensee 194 |
/// | 6 | i32 ×6 | count and offset of names, exports, imports | |
/// | 7 | i32 ×2 | count and offset of the heritage table | below 68 |
/// | 8 | i32 | depends offset | from 415 |
/// | 9 | i32 ×3 | GUID table: offset, import count, export count | from 623 |
/// | 10 | i32 | thumbnail table offset | from 584 |
/// | 11 | GUID | package GUID | from 68 |
/// | 12 | i32 n, n × generation | generations | from 68 |
/// | 13 | i32 | engine version | from 245 |
/// | 14 | i32 | cooker version | from 277 |
/// | | i32 ×7, ×6, ×2 | | Mass Effect 1, 2, 3 |
/// | 15 | u32 | compression flags | from 334 |
/// | 16 | i32 n, n × chunk | compressed chunks | from 334 |
/// | 17 | u32 | package source | from 482 |
/// | | i32 | | Mass Effect 1 and 2 |
/// | 18 | i32 n, n × FString | additional packages to cook | from 516, Mass Effect 2 |
/// | 19 | i32 n, n × allocation | texture allocations | from 767, not Mass Effect 3 (Wii U, 845) |
///
/// Offsets count bytes from the start of the file. Spec: ue1-3/02 §2.1, §2.5.
/// C++: `FPackageFileSummary`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Tells the byte order. C++: `Tag`.
    pub tag: Tag,
    /// File and licensee version. C++: `FileVersion`.
    pub version: VersionWord,
    /// End of the tables, bytes. C++: `TotalHeaderSize`.
    #[since(threshold::TOTAL_HEADER_SIZE_ADDED)]
    pub total_header_size: i32,
    /// Group of the package in the editor's browser; `None` when it has none. C++: `FolderName`.
    #[since(threshold::FOLDER_NAME_ADDED)]
    pub folder_name: FString,
    /// Flags. C++: `PackageFlags`.
    pub package_flags: PackageFlags,
    /// A number of unknown meaning in cooked Mass Effect 3 packages.
    #[archive(when = has_cooked_extra(ar, self.package_flags))]
    pub mass_effect_3_cooked: i32,
    /// Rows of the name table. C++: `NameCount`.
    pub name_count: i32,
    /// Start of the name table. C++: `NameOffset`.
    pub name_offset: i32,
    /// Rows of the export table. C++: `ExportCount`.
    pub export_count: i32,
    /// Start of the export table. C++: `ExportOffset`.
    pub export_offset: i32,
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
    /// Start of the depends table. C++: `DependsOffset`.
    #[since(threshold::DEPENDS_ADDED)]
    pub depends_offset: i32,
    /// Start of the import and export GUID tables. C++: `ImportExportGuidsOffset`.
    #[since(threshold::IMPORT_EXPORT_GUIDS_ADDED)]
    pub import_export_guids_offset: i32,
    /// Rows of the import GUID table. C++: `ImportGuidsCount`.
    #[since(threshold::IMPORT_EXPORT_GUIDS_ADDED)]
    pub import_guids_count: i32,
    /// Rows of the export GUID table. C++: `ExportGuidsCount`.
    #[since(threshold::IMPORT_EXPORT_GUIDS_ADDED)]
    pub export_guids_count: i32,
    /// Start of the thumbnail table, 0 for none. C++: `ThumbnailTableOffset`.
    #[since(threshold::THUMBNAILS_ADDED)]
    pub thumbnail_table_offset: i32,
    /// The package's GUID; below version 68 the last row of the heritage table. C++: `Guid`.
    #[since(threshold::HERITAGE_REMOVED)]
    pub guid: Guid,
    /// Table sizes of all generations, oldest first. C++: `Generations`.
    #[since(threshold::HERITAGE_REMOVED)]
    #[archive(with = array::counted_i32)]
    pub generations: Vec<Generation>,
    /// Version of the engine that saved the package. C++: `EngineVersion`.
    #[since(threshold::ENGINE_VERSION_ADDED)]
    pub engine_version: i32,
    /// Version of the cooker, 0 when not cooked. C++: `CookedContentVersion`.
    #[since(threshold::COOKER_VERSION_ADDED)]
    pub cooker_version: i32,
    /// Numbers of unknown meaning in Mass Effect 1.
    #[archive(when = ar.versions().game == Game::MassEffect1)]
    pub mass_effect_1: [i32; 7],
    /// Numbers of unknown meaning in Mass Effect 2.
    #[archive(when = ar.versions().game == Game::MassEffect2)]
    pub mass_effect_2: [i32; 6],
    /// Numbers of unknown meaning in Mass Effect 3.
    #[archive(when = ar.versions().game.has_no_name_flags())]
    pub mass_effect_3: [i32; 2],
    /// Compression of the chunks: 0 none, 1 zlib, 2 LZO, 4 LZX. C++: `CompressionFlags`.
    #[since(threshold::COMPRESSION_ADDED)]
    pub compression_flags: u32,
    /// The chunks. C++: `CompressedChunks`.
    #[since(threshold::COMPRESSION_ADDED)]
    #[archive(with = array::counted_i32)]
    pub compressed_chunks: Vec<CompressedChunk>,
    /// A number that stands for the package's name. C++: `PackageSource`.
    #[since(threshold::PACKAGE_SOURCE_ADDED)]
    pub package_source: u32,
    /// A number of unknown meaning in Mass Effect 1 and 2.
    #[archive(when = matches!(ar.versions().game, Game::MassEffect1 | Game::MassEffect2))]
    pub mass_effect_tail: i32,
    /// Packages that are cooked along. C++: `AdditionalPackagesToCook`.
    #[archive(when = has_additional_packages(ar), with = array::counted_i32)]
    pub additional_packages: Vec<FString>,
    /// Textures to allocate before loading. C++: `TextureAllocations`.
    #[since(threshold::TEXTURE_ALLOCATIONS_ADDED)]
    #[archive(when = ar.versions().game != Game::MassEffect3, with = array::counted_i32)]
    pub texture_allocations: Vec<TextureAllocation>,
}

fn has_cooked_extra<A: Archive + ?Sized>(ar: &A, flags: PackageFlags) -> bool {
    let versions = ar.versions();
    versions.game.has_no_name_flags()
        && versions.licensee >= 194
        && flags.contains(PackageFlags::COOKED)
}

fn has_additional_packages<A: Archive + ?Sized>(ar: &A) -> bool {
    let versions = ar.versions();
    versions.file >= threshold::ADDITIONAL_PACKAGES_ADDED || versions.game == Game::MassEffect2
}

/// One compressed chunk of a package, from file version 334; four i32.
///
/// Spec: ue1-3/04 §4.2. C++: `FCompressedChunk`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CompressedChunk {
    /// Start in the uncompressed image, bytes.
    pub uncompressed_offset: i32,
    /// Size in the uncompressed image, bytes.
    pub uncompressed_size: i32,
    /// Start in the file, bytes.
    pub compressed_offset: i32,
    /// Size in the file, bytes.
    pub compressed_size: i32,
}
