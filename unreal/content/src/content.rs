//! Content: textures from pixels, sounds from waves, music from modules, texts; and back again.
//!
//! | file | holds |
//! |---|---|
//! | `image` | [`Image`]: pixels, PNG files |
//! | `bmp`, `pcx` | BMP and PCX files |
//! | `blocks` | texels in blocks: BC1 to BC7, ASTC |
//! | `dds` | DDS files |
//! | `quantize` | pictures of many colours to a palette |
//! | `mips` | smaller sizes of a picture, whole or only where it changed |
//! | `texels` | pixels to stored texels and back |
//! | `texture` | textures: look, make, replace, with other palettes or another size; `texture_sizes`: each of their sizes |
//! | `sound` | sounds and music |
//! | `text` | text buffers |
//! | `table` | tables and texts of languages as rows and columns, and back |
//! | `ue4` | the others of UE4 and UE5 |
//! | `map_text` | actors as UnrealEd's text, and back (UE1, UE2) |
//! | `editor_text` | actors and nodes as the editors of UE3 to UE5 copy them |
//! | `mesh` | meshes of every engine in one form, and as glTF |
//! | `file` | any object as a file: what extracting and importing share |
//!
//! Objects are made and changed through their typed form ([`Edit::add_object`],
//! [`Edit::change_body`]), so what is saved comes from the one `serialize` of each type.
//!
//! ```
//! use unreal_packages::prelude::*;
//! use unreal_packages::content::{Image, NewTexture};
//! use unreal_packages::generate::{Profile, create};
//!
//! # fn main() -> unreal_packages::Result<()> {
//! let red = Image::from_rgba(4, 4, vec![[200, 30, 30, 255]; 16])?;
//! let mut package = create(&Profile::UT99)?;
//! let row = package.edit(|edit| edit.add_texture("Walls.Red", &red, &NewTexture::default()))?;
//! assert_eq!(package.contents().texture_image(row)?.to_rgba(), red.to_rgba());
//! # Ok(())
//! # }
//! ```
//!
//! [`Edit::add_object`]: crate::edit::Edit::add_object
//! [`Edit::change_body`]: crate::edit::Edit::change_body

mod blocks;
mod bmp;
mod channel;
mod console_order;
mod contents;
mod dds;
mod editor_text;
mod etc;
mod file;
mod image;
mod map_text;
pub mod mesh;
mod mips;
mod pcx;
mod quantize;
mod sound;
mod sound_adpcm;
mod sound_adpcm_made;
mod sound_samples;
mod sound_vorbis;
#[cfg(feature = "vorbis-encoder")]
mod sound_vorbis_made;
mod table;
mod texels;
mod text;
mod texture;
mod texture_mips;
mod texture_new;
mod texture_palette;
mod texture_replace;
mod texture_resize;
mod texture_shape;
mod texture_sizes;
mod ue4;
mod values;
mod wave_chunks;

pub use channel::Channel;
pub use contents::{Contents, PackageContents};
pub use editor_text::EditorText;
#[doc(hidden)]
pub use editor_text::GraphTexts;
pub use file::{ContentEdits, ContentFile, ContentKind};
pub use image::{Image, Pixels};
pub use map_text::{
    AddedActors, MapText, MapTextActor, MapTextBrush, MapTextEdits, MapTextPolygon, MapTextSources,
};
pub use sound::{MusicFormat, SoundEdits, WaveFacts};
pub use sound_samples::SoundSamples;
pub use table::{
    Column, IniTexts, LocalizedTable, RegistryTable, Table, TableChange, TableEdits, TableFormat,
    ini_texts, rows_from, strings_from,
};
pub use text::TextEdits;
pub use texture::TextureFacts;
pub use texture_new::{NewTexture, NewTextures};
pub use texture_replace::{ReplaceTexture, TextureChange, TextureEdits};
pub use ue4::{ThumbnailEdits, source_delta};
