//! Files beside packages that the engine makes with the same archives: save games, texts of a language.
//!
//! | file | holds |
//! |---|---|
//! | `save_game` | [`SaveGame`]: GVAS, tagged properties behind a header of versions |
//! | `save_file`, `save_values` | [`SaveFile`]: its values by path, as text both ways |
//! | `string_names` | the archive that stores names and objects as texts |
//! | `text_rows` | the texts of a file by row |
//! | `localization` | [`LocalizedTexts`]: `.locres`, translations by namespace and key |
//!
//! Spec: ue4-5/14.

mod localization;
mod localization_edit;
mod save_file;
mod save_game;
mod save_values;
mod string_names;
mod text_rows;

pub use localization::{
    KeyRecord, LocalizedEntry, LocalizedNamespace, LocalizedString, LocalizedTexts,
    LocalizedTranslation,
};
pub use save_file::{SaveFile, SavedValue};
pub use save_game::{SaveGame, SaveHeader};
