//! Named file versions at which a classic layout changes, each with its source.
//!
//! A constant is the first version with the new layout, so `#[since(X)]` and `#[until(X)]` tile. Object
//! versions of UE4 and UE5 have modules of their own: `#[since(ue4 = ue4::NAME_HASHES_SERIALIZED)]`.

#[macro_use]
mod steps;
pub mod ue4;
pub mod ue5;

/// Declares file versions and the list of them.
macro_rules! thresholds {
    ($($(#[$doc:meta])* $value:literal $name:ident)*) => {
        $($(#[$doc])* pub const $name: u32 = $value;)*

        /// Every threshold above, ascending, for tests over all versions.
        pub const ALL: &[u32] = &[$($value),*];
    };
}

/// Exports list their components; the lower bound is inferred (spec: ue1-3/02 §2.3).
pub const COMPONENT_MAP_ADDED: u32 = COMPACT_INDEX_REMOVED;

thresholds! {
    /// Summaries carry a GUID in the heritage table (spec: ue1-3/02 §2.2).
    42 HERITAGE_GUID_ADDED
    /// Imports and exports say their outer as an object reference (spec: ue1-3/03 §3.2, §3.3).
    50 OUTER_INDEX_ADDED
    /// Names store their length instead of ending at a zero byte only (spec: ue1-3/01 §1.2).
    64 NAME_LENGTH_ADDED
    /// The heritage table gives way to one GUID and the generation list (spec: ue1-3/02 §2.1).
    68 HERITAGE_REMOVED
    /// First file version that counts as Unreal Engine 2 (spec: ue1-3/02 §2.5, inferred from its games).
    99 UE2_FIRST
    /// Compact indices become 4-byte integers (spec: ue1-3/01 §1.1).
    178 COMPACT_INDEX_REMOVED
    /// Object and name flags have 64 bits (spec: ue1-3/02 §2.4).
    195 FLAGS_64_BIT
    /// Exports name their archetype (spec: ue1-3/02 §2.4).
    220 ARCHETYPE_ADDED
    /// The summary holds the engine version (spec: ue1-3/02 §2.1).
    245 ENGINE_VERSION_ADDED
    /// Exports have flags of their own (spec: ue1-3/02 §2.4).
    247 EXPORT_FLAGS_ADDED
    /// The summary holds the size of the header; serial offsets are stored for empty objects too.
    249 TOTAL_HEADER_SIZE_ADDED
    /// The summary holds the folder name (spec: ue1-3/02 §2.1).
    269 FOLDER_NAME_ADDED
    /// The summary holds the cooker version (spec: ue1-3/02 §2.1).
    277 COOKER_VERSION_ADDED
    /// Generations count net objects; exports repeat the data of forced packages (spec: ue1-3/02 §2.4).
    322 NET_OBJECT_COUNT_ADDED
    /// The summary holds the compression flags and the chunk table (spec: ue1-3/02 §2.1).
    334 COMPRESSION_ADDED
    /// Name references carry a number (spec: ue1-3/01 §1.4).
    343 NAME_NUMBER_ADDED
    /// The depends table (spec: ue1-3/03 §3.6).
    415 DEPENDS_ADDED
    /// Exports hold the flags of forced packages (spec: ue1-3/02 §2.4).
    475 EXPORT_PACKAGE_FLAGS_ADDED
    /// The summary holds the package source (spec: ue1-3/02 §2.4).
    482 PACKAGE_SOURCE_ADDED
    /// The summary lists additional packages to cook (spec: ue1-3/02 §2.1).
    516 ADDITIONAL_PACKAGES_ADDED
    /// Exports no longer list their components (spec: ue1-3/02 §2.4).
    543 COMPONENT_MAP_REMOVED
    /// The thumbnail table (spec: ue1-3/03 §3.8).
    584 THUMBNAILS_ADDED
    /// The import and export GUID tables (spec: ue1-3/03 §3.7).
    623 IMPORT_EXPORT_GUIDS_ADDED
    /// The summary lists texture allocations (spec: ue1-3/02 §2.1).
    767 TEXTURE_ALLOCATIONS_ADDED
}
