//! Named file versions at which a classic layout changes, each with its source.
//!
//! A constant is the first version with the new layout, so `#[since(X)]` and `#[until(X)]` tile. Object
//! versions of UE4 and UE5 have modules of their own: `#[since(ue4 = ue4::NAME_HASHES_SERIALIZED)]`.

pub mod ue4;
pub mod ue5;

/// Declares object versions and the list of them.
macro_rules! steps {
    ($($value:literal $name:ident)*) => {
        $(
            #[doc = concat!("Object version ", $value, ".")]
            pub const $name: u32 = $value;
        )*

        /// Every object version above, ascending.
        pub const ALL: &[u32] = &[$($value),*];
    };
}
use steps;

/// Imports and exports say their outer as an object reference (spec: ue1-3/03 §3.2, §3.3).
pub const OUTER_INDEX_ADDED: u32 = 50;
/// Summaries carry a GUID in the heritage table (spec: ue1-3/02 §2.2).
pub const HERITAGE_GUID_ADDED: u32 = 42;
/// Names store their length instead of ending at a zero byte only (spec: ue1-3/01 §1.2).
pub const NAME_LENGTH_ADDED: u32 = 64;
/// The heritage table gives way to one GUID and the generation list (spec: ue1-3/02 §2.1).
pub const HERITAGE_REMOVED: u32 = 68;
/// First file version that counts as Unreal Engine 2 (spec: ue1-3/02 §2.5, inferred from its games).
pub const UE2_FIRST: u32 = 99;
/// Compact indices become 4-byte integers (spec: ue1-3/01 §1.1).
pub const COMPACT_INDEX_REMOVED: u32 = 178;
/// Exports list their components; the lower bound is inferred (spec: ue1-3/02 §2.3).
pub const COMPONENT_MAP_ADDED: u32 = 178;
/// Object and name flags have 64 bits (spec: ue1-3/02 §2.4).
pub const FLAGS_64_BIT: u32 = 195;
/// Exports name their archetype (spec: ue1-3/02 §2.4).
pub const ARCHETYPE_ADDED: u32 = 220;
/// The summary holds the engine version (spec: ue1-3/02 §2.1).
pub const ENGINE_VERSION_ADDED: u32 = 245;
/// Exports have flags of their own (spec: ue1-3/02 §2.4).
pub const EXPORT_FLAGS_ADDED: u32 = 247;
/// The summary holds the size of the header; serial offsets are stored for empty objects too.
pub const TOTAL_HEADER_SIZE_ADDED: u32 = 249;
/// The summary holds the folder name (spec: ue1-3/02 §2.1).
pub const FOLDER_NAME_ADDED: u32 = 269;
/// The summary holds the cooker version (spec: ue1-3/02 §2.1).
pub const COOKER_VERSION_ADDED: u32 = 277;
/// Generations count net objects; exports repeat the data of forced packages (spec: ue1-3/02 §2.4).
pub const NET_OBJECT_COUNT_ADDED: u32 = 322;
/// The summary holds the compression flags and the chunk table (spec: ue1-3/02 §2.1).
pub const COMPRESSION_ADDED: u32 = 334;
/// Name references carry a number (spec: ue1-3/01 §1.4).
pub const NAME_NUMBER_ADDED: u32 = 343;
/// The depends table (spec: ue1-3/03 §3.6).
pub const DEPENDS_ADDED: u32 = 415;
/// Exports hold the flags of forced packages (spec: ue1-3/02 §2.4).
pub const EXPORT_PACKAGE_FLAGS_ADDED: u32 = 475;
/// The summary holds the package source (spec: ue1-3/02 §2.4).
pub const PACKAGE_SOURCE_ADDED: u32 = 482;
/// The summary lists additional packages to cook (spec: ue1-3/02 §2.1).
pub const ADDITIONAL_PACKAGES_ADDED: u32 = 516;
/// Exports no longer list their components (spec: ue1-3/02 §2.4).
pub const COMPONENT_MAP_REMOVED: u32 = 543;
/// The thumbnail table (spec: ue1-3/03 §3.8).
pub const THUMBNAILS_ADDED: u32 = 584;
/// The import and export GUID tables (spec: ue1-3/03 §3.7).
pub const IMPORT_EXPORT_GUIDS_ADDED: u32 = 623;
/// The summary lists texture allocations (spec: ue1-3/02 §2.1).
pub const TEXTURE_ALLOCATIONS_ADDED: u32 = 767;

/// Every threshold above, ascending, for tests over all versions.
pub const ALL: &[u32] = &[
    HERITAGE_GUID_ADDED,
    OUTER_INDEX_ADDED,
    NAME_LENGTH_ADDED,
    HERITAGE_REMOVED,
    UE2_FIRST,
    COMPACT_INDEX_REMOVED,
    FLAGS_64_BIT,
    ARCHETYPE_ADDED,
    ENGINE_VERSION_ADDED,
    EXPORT_FLAGS_ADDED,
    TOTAL_HEADER_SIZE_ADDED,
    FOLDER_NAME_ADDED,
    COOKER_VERSION_ADDED,
    NET_OBJECT_COUNT_ADDED,
    COMPRESSION_ADDED,
    NAME_NUMBER_ADDED,
    DEPENDS_ADDED,
    EXPORT_PACKAGE_FLAGS_ADDED,
    PACKAGE_SOURCE_ADDED,
    ADDITIONAL_PACKAGES_ADDED,
    COMPONENT_MAP_REMOVED,
    THUMBNAILS_ADDED,
    IMPORT_EXPORT_GUIDS_ADDED,
    TEXTURE_ALLOCATIONS_ADDED,
];
