//! Fonts of UE1 and UE2.

use super::Texture;
use crate::Archived;
use crate::primitive::{FString, Map, PackageIndex};
use crate::version::{Engine, UnrealVersions, Versions};

/// First file version whose fonts have several textures (spec: ue1-3/06 §6.2).
const PAGES_ADDED: u32 = 64;
/// First file version whose characters may be mapped to others (spec: ue1-3/06 §6.2).
const REMAP_ADDED: u32 = 69;
/// First file version with a kerning (spec: ue1-3/06 §6.2).
const KERNING_ADDED: u32 = 119;
/// First file version whose characters name their texture themselves (spec: ue1-3/06 §6.2).
const PAGES_REMOVED: u32 = 122;

/// A font: pictures of characters.
///
/// Spec: ue1-3/06 §6.2. C++: `UFont`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Font {
    /// Base, while a font was a texture.
    #[until(PAGES_ADDED)]
    pub texture: Texture,
    /// The characters, while a font was a texture.
    #[until(PAGES_ADDED)]
    pub glyphs: Vec<FontGlyph>,
    /// Textures with their characters.
    #[since(PAGES_ADDED)]
    #[until(PAGES_REMOVED)]
    pub pages: Vec<FontPage>,
    /// Characters of a page.
    #[since(PAGES_ADDED)]
    #[until(PAGES_REMOVED)]
    pub characters_per_page: i32,
    /// Name of a font of the system, where there are no pages.
    #[since(PAGES_ADDED)]
    #[until(PAGES_REMOVED)]
    #[archive(when = self.is_of_system(ar.versions()))]
    pub system_font: FString,
    /// Height of the font of the system.
    #[since(PAGES_ADDED)]
    #[until(PAGES_REMOVED)]
    #[archive(when = self.is_of_system(ar.versions()))]
    pub system_height: i32,
    /// The characters.
    #[since(PAGES_REMOVED)]
    pub characters: Vec<FontCharacter>,
    /// The textures.
    #[since(PAGES_REMOVED)]
    pub textures: Vec<PackageIndex>,
    /// Additional space between characters.
    #[since(KERNING_ADDED)]
    pub kerning: i32,
    /// Characters to be shown instead of others.
    #[since(REMAP_ADDED)]
    pub remap: Map<u16, u16>,
    /// Whether characters are mapped to others.
    #[since(REMAP_ADDED)]
    pub is_remapped: i32,
}

impl Font {
    fn is_of_system(&self, versions: &Versions) -> bool {
        versions.engine() == Engine::Ue2 && self.pages.is_empty() && self.characters_per_page == 0
    }
}

/// A texture of a [`Font`].
///
/// Spec: ue1-3/06 §6.2. C++: `FFontPage`.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct FontPage {
    /// The texture.
    pub texture: PackageIndex,
    /// The characters on it.
    pub glyphs: Vec<FontGlyph>,
}

/// Where a character stands on its texture.
///
/// Spec: ue1-3/06 §6.2. C++: `FFontCharacter`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FontGlyph {
    /// Left edge. C++: `StartU`.
    pub start_u: i32,
    /// Upper edge. C++: `StartV`.
    pub start_v: i32,
    /// Width. C++: `USize`.
    pub width: i32,
    /// Height. C++: `VSize`.
    pub height: i32,
}

/// Where a character stands, and on which texture.
///
/// Spec: ue1-3/06 §6.2. C++: `FFontCharacter`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FontCharacter {
    /// The place.
    pub glyph: FontGlyph,
    /// Number of the texture.
    pub texture_index: u8,
}
