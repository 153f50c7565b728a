//! Content of UE4 and UE5: textures, sounds, fonts, thumbnails.
//!
//! | file | holds |
//! |---|---|
//! | `pixel_format`, `pixel_encode` | texels of cooked textures to pixels, and back |
//! | `source_art` | the picture that a texture was imported from |
//! | `source_replace`, `source_colors` | other pixels for it, and what it says of its colours |
//! | `source_delta` | the filter that such pictures have from 5.5 on |
//! | `texture`, `texture_replace`, `texture_resize` | textures as files, and back |
//! | `raster`, `slices` | pixels to work with, of one picture and of several; smaller sizes of them |
//! | `virtual_texture`, `virtual_replace`, `virtual_resize` | textures of tiles as pictures, both ways |
//! | `volume_replace` | other pixels for volumes |
//! | `payload_edit` | bulk data with another content |
//! | `sound`, `sound_replace` | sounds and font files, other sounds |
//! | `thumbnail` | small pictures of objects |

mod early_tiles;
mod payload_edit;
mod payload_list;
pub(super) mod picture;
mod pixel_encode;
mod pixel_format;
mod raster;
mod slices;
mod sound;
mod sound_replace;
mod source_art;
mod source_blocks;
mod source_colors;
pub mod source_delta;
mod source_replace;
mod texture;
mod texture_replace;
mod texture_resize;
mod thumbnail;
mod virtual_replace;
mod virtual_resize;
mod virtual_texture;
mod volume_replace;

pub(super) use sound_replace::LaterSounds;
pub(super) use texture_replace::{CookedTextures, NewPicture};
pub(super) use thumbnail::RenewedThumbnails;
pub use thumbnail::ThumbnailEdits;

use super::file::ContentKind;
use crate::archive::Object;
use crate::object::ue4::asset::{font, sound as sounds};
use crate::object::ue4::structure::enumeration;
use crate::object::ue4::table::{curve_table, data_table, string_table};
use crate::object::{Body, Native};
use crate::package::native_as;

/// Classes whose objects hold content, by their names.
const UNDECODED: &[(&str, ContentKind)] = &[
    ("Texture2D", ContentKind::Texture),
    ("TextureCube", ContentKind::Texture),
    ("VolumeTexture", ContentKind::Texture),
    ("Texture2DArray", ContentKind::Texture),
    ("TextureCubeArray", ContentKind::Texture),
    ("VirtualTexture2D", ContentKind::Texture),
    ("LightMapTexture2D", ContentKind::Texture),
    ("ShadowMapTexture2D", ContentKind::Texture),
    ("SoundWave", ContentKind::Sound),
    ("FontFace", ContentKind::Font),
    ("DataTable", ContentKind::Table),
    ("CompositeDataTable", ContentKind::Table),
    ("CurveTable", ContentKind::Table),
    ("StringTable", ContentKind::Table),
    ("UserDefinedEnum", ContentKind::Table),
];

/// The kind of file that an object of UE4 or UE5 becomes, if any.
pub(super) fn kind(body: &Body, class: &str) -> Option<ContentKind> {
    if matches!(body.native, Native::Opaque(_)) {
        // Not decoded, which extracting reports: mappings may be all that is missing.
        return UNDECODED.iter().find(|(known, _)| *known == class).map(|(_, kind)| *kind);
    }
    fn is<T: Object>(body: &Body) -> bool {
        native_as::<T>(body).is_some()
    }
    match () {
        () if texture::of(body).is_some() => Some(ContentKind::Texture),
        () if texture::has_source(body) => Some(ContentKind::Texture),
        () if is::<sounds::SoundWave>(body) => Some(ContentKind::Sound),
        () if is::<font::FontBulkData>(body) || is::<font::FontFace>(body) => {
            Some(ContentKind::Font)
        }
        () if is::<data_table::DataTable>(body) || is::<curve_table::CurveTable>(body) => {
            Some(ContentKind::Table)
        }
        () if is::<string_table::StringTable>(body) => Some(ContentKind::Table),
        // Enums of code are declarations, not content.
        () if is::<enumeration::Enum>(body) && class == "UserDefinedEnum" => {
            Some(ContentKind::Table)
        }
        () => None,
    }
}
