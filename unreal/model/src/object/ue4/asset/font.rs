//! Fonts.

use crate::Archived;
use crate::object::ue4::bulk::BulkData;
use crate::primitive::{Map, Payload};
use crate::version::custom;

/// A font. Spec: ue4-5/09 §11. C++: `UFont`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Font {
    /// Which glyph stands for which character.
    pub character_remap: Map<u16, u16>,
}

/// A font file. Spec: ue4-5/09 §11. C++: `UFontBulkData`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct FontBulkData {
    /// The file.
    pub bulk: BulkData,
}

/// A font file with its settings. Spec: ue4-5/09 §11. C++: `UFontFace`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct FontFace {
    /// Whether it was cooked.
    #[since(custom = custom::UE5_MAIN, custom::ue5_main::ADDED_COOKED_BOOL_FONT_FACE_ASSETS)]
    pub cooked: bool,
    /// Whether the file is here.
    pub inline: bool,
    /// The file.
    #[archive(when = self.inline)]
    pub file: Payload<1>,
}
