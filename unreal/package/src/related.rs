//! Files beside packages that the engine makes with the same archives: save games, texts of a language.
//!
//! | file | holds |
//! |---|---|
//! | `save_game` | [`SaveGame`]: GVAS, tagged properties behind a header of versions |
//! | `save_file`, `save_values` | [`SaveFile`]: its values by path, as text both ways |
//! | `string_names` | the archive that stores names and objects as texts |
//! | `text_rows` | the texts of a file by row |
//! | `packed_save` | [`PackedSave`]: what some games put around a save game |
//! | `asset_registry`, `registry_*` | [`AssetRegistry`]: `AssetRegistry.bin`, assets, tags, dependencies |
//! | `entry`, `registry_entries` | [`RelatedEntry`]: their contents in a form that can be compared |
//! | `document` | registries and texts as JSON, and back |
//! | `localization`, `localization_*` | [`LocalizedTexts`]: `.locres`, translations by namespace and key, and their changes |
//! | `localization_meta` | [`LocalizationMeta`]: `.locmeta`, the languages of such texts |
//!
//! Spec: ue4-5/14.

mod asset_registry;
#[cfg(feature = "json")]
mod document;
mod entry;
mod localization;
mod localization_edit;
mod localization_meta;
mod localization_rows;
mod packed_save;
mod registry_assets;
mod registry_edit;
mod registry_entries;
mod registry_names;
mod registry_packages;
mod registry_rows;
mod registry_tags;
mod save_file;
mod save_game;
mod save_values;
mod string_names;
mod text_rows;

pub use asset_registry::AssetRegistry;
pub use entry::RelatedEntry;
pub use localization::{
    KeyRecord, LocalizedEntry, LocalizedNamespace, LocalizedString, LocalizedTexts,
    LocalizedTranslation,
};
pub use localization_meta::LocalizationMeta;
pub use localization_rows::LocalizedRow;
pub use packed_save::PackedSave;
pub use registry_assets::{RegistryAsset, RegistryBundle, RegistryPath, TagRange};
pub use registry_names::{RegistryName, RegistryNames, RegistryText};
pub use registry_packages::{ChunkHash, RegistryNode, RegistryPackage};
pub use registry_rows::RegistryRow;
pub use registry_tags::{ExportPath, PlainPair, PlainPath, TagPair, TagStore, TagValue};
pub use save_file::{SaveFile, SavedValue};
pub use save_game::{SaveGame, SaveHeader};
