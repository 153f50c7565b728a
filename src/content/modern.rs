//! Content of UE4 and UE5: textures, sounds, fonts, tables, thumbnails.
//!
//! | file | holds |
//! |---|---|
//! | `pixel_format` | texels of cooked textures to pixels |
//! | `source_art` | the picture that a texture was imported from |
//! | `texture` | textures as files |
//! | `sound` | sounds and font files |
//! | `thumbnail` | small pictures of objects |
//! | `table`, `cell` | tables as rows and columns |

pub(super) mod cell;
mod picture;
mod pixel_format;
mod sound;
mod source_art;
mod table;
mod texture;
mod thumbnail;

pub use table::{Table, TableFormat};

use super::file::ContentKind;
use crate::archive::Object;
use crate::object::Body;
use crate::object::modern::asset::{font, sound as sounds};
use crate::object::modern::structure::enumeration;
use crate::object::modern::table::{curve_table, data_table, string_table};
use crate::package::native_as;

/// What kind of file an object of UE4 or UE5 becomes, if any.
pub(super) fn kind(body: &Body, class: &str) -> Option<ContentKind> {
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
