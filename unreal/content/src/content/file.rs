//! Any object as a file: what extracting and importing share.

use std::fmt;
use std::path::Path;

use super::ue4::{CookedTextures, NewPicture};
use super::{Contents, Image, ReplaceTexture, TableFormat, TextureChange, texture_mips};
use crate::content::mesh::{MeshEdits, MeshOptions, PackageMeshes};
use crate::content::{PackageContents, SoundEdits, TableEdits, TextEdits, TextureEdits};
use crate::edit::Edit;
use crate::error::{Error, ErrorKind, Result, UnrealErrors, noun};
use crate::inspect::PackageValues;
use crate::object::text::TextBuffer;
use crate::object::ue1::{ExtString, Music, Sound};
use crate::object::ue3::asset::sound::SoundNodeWave;
use crate::package::{Package, native_as};

/// The kind of file that an object becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ContentKind {
    /// A PNG; of UE4 and UE5 also what is stored, or an HDR.
    Texture,
    /// A WAV, or what else is stored.
    Sound,
    /// A tracker module.
    Music,
    /// A text in UTF-8.
    Text,
    /// A font file of UE4 or UE5.
    Font,
    /// Rows and columns of UE4 or UE5, as JSON or CSV.
    Table,
    /// A binary glTF.
    Mesh,
    /// A binary glTF with bones and what moves them.
    Animation,
    /// A small picture of an object ([`Contents::thumbnail_file`](crate::content::Contents::thumbnail_file)).
    Thumbnail,
    /// The nodes of a graph as the editor copies them ([`Contents::graph_text`](crate::content::Contents::graph_text)).
    Graph,
}

impl fmt::Display for ContentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Texture => "texture",
            Self::Sound => "sound",
            Self::Music => "music",
            Self::Text => "text",
            Self::Font => "font",
            Self::Table => "table",
            Self::Mesh => "mesh",
            Self::Animation => "animation",
            Self::Thumbnail => "thumbnail",
            Self::Graph => "graph",
        })
    }
}

/// An object as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentFile {
    /// Its kind.
    pub kind: ContentKind,
    /// Extension without the dot.
    pub extension: String,
    /// The file.
    pub bytes: Vec<u8>,
    /// A note on the parts that it lacks, if it is not all of the object.
    pub note: Option<String>,
}

impl Contents<'_> {
    /// The kind of file that an object becomes, if any.
    ///
    /// # Errors
    /// `NotFound` when there is no such row.
    pub fn content_kind(&self, row: usize) -> Result<Option<ContentKind>> {
        let decoded = self.decode(row)?;
        let body = &decoded.body;
        Ok(match () {
            () if texture_mips::mips(&body.native).is_some() => Some(ContentKind::Texture),
            () if native_as::<Sound>(body).is_some() => Some(ContentKind::Sound),
            () if native_as::<SoundNodeWave>(body).is_some() => Some(ContentKind::Sound),
            () if native_as::<Music>(body).is_some() => Some(ContentKind::Music),
            () if native_as::<TextBuffer>(body).is_some() => Some(ContentKind::Text),
            () if native_as::<ExtString>(body).is_some() => Some(ContentKind::Text),
            () if self.is_mesh(row)? => Some(ContentKind::Mesh),
            () if self.is_animation(row)? => Some(ContentKind::Animation),
            () => super::ue4::kind(body, &self.short_class(row)),
        })
    }

    /// An object as a file: textures as PNG, sounds and music as they are stored, texts in UTF-8, tables
    /// as JSON. The source of a class has the extension `uc`. Textures of UE4 and UE5 are the picture that
    /// they were imported from; once cooked, their largest size that is here, slices below each other. Meshes are
    /// binary glTF, with their finest level of detail.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for what becomes no file, with the reason.
    pub fn content_file(&self, row: usize) -> Result<ContentFile> {
        self.content_file_beside(row, &[])
    }

    /// The same with what stands in companion files in these folders: usually that of the package.
    ///
    /// # Errors
    /// As [`Contents::content_file`](crate::content::Contents::content_file) and [`texels`](crate::inspect::texels).
    pub fn content_file_beside(&self, row: usize, folders: &[&Path]) -> Result<ContentFile> {
        let Some(kind) = self.content_kind(row)? else {
            let kinds = "texture, sound, music, text, font, table, mesh or animation";
            return Err(no_content(self.package, row, kinds));
        };
        let note = self.missing_sizes(row)?;
        let (extension, bytes) = match kind {
            ContentKind::Font => self.font_file(row)?,
            ContentKind::Table => {
                let format = TableFormat::default();
                (format.slug().to_owned(), self.table(row)?.file(format)?)
            }
            ContentKind::Mesh | ContentKind::Animation => {
                let options = MeshOptions { folders, ..MeshOptions::default() };
                let mesh = match kind {
                    ContentKind::Animation => self.animation(row, &options)?,
                    _ => self.mesh(row, &options)?,
                };
                let note = (!mesh.notes.is_empty()).then(|| mesh.notes.join(", "));
                let bytes = mesh.to_glb()?;
                return Ok(ContentFile { kind, extension: "glb".to_owned(), bytes, note });
            }
            ContentKind::Thumbnail => return Err(Error::invalid("thumbnails are no objects")),
            ContentKind::Graph => {
                return self.graph_texts()?.file(&self.values().stored_graph(row)?);
            }
            ContentKind::Texture if self.has_mips(row)? => {
                ("png".to_owned(), self.texture_image_beside(row, folders)?.to_png()?)
            }
            ContentKind::Texture => self.ue4_texture_file(row)?,
            ContentKind::Sound => self.sound_file(row)?,
            ContentKind::Music => self.music_file(row)?,
            ContentKind::Text => {
                let outer = self.outer(crate::PackageIndex::export(row));
                let in_class = matches!(outer.target(), crate::primitive::ObjectRef::Export(_))
                    && !self.is_group(outer);
                let extension = if in_class { "uc" } else { "txt" };
                (extension.to_owned(), self.text(row)?.into_bytes())
            }
        };
        Ok(ContentFile { kind, extension, bytes, note })
    }

    /// Whether an object is a texture of UE1 to UE3.
    fn has_mips(&self, row: usize) -> Result<bool> {
        Ok(texture_mips::mips(&self.decode(row)?.body.native).is_some())
    }

    /// The name of an object's class.
    pub(super) fn short_class(&self, row: usize) -> String {
        let class = self.exports().get(row).map(|export| export.class()).unwrap_or_default();
        class.rsplit('.').next().unwrap_or_default().to_owned()
    }
}

/// Objects from files of any kind.
pub trait ContentEdits {
    /// Gives an object the content of a file, as [`Contents::content_file`](crate::content::Contents::content_file) makes it; false if it holds
    /// that already.
    ///
    /// # Errors
    /// As [`Edit::replace_texture`], [`Edit::replace_sound`], [`Edit::replace_music`] and
    /// [`Edit::replace_text`].
    fn replace_content(
        &mut self,
        row: usize,
        file: &[u8],
        options: &ReplaceTexture,
    ) -> Result<bool>;
}

impl ContentEdits for Edit {
    fn replace_content(
        &mut self,
        row: usize,
        file: &[u8],
        options: &ReplaceTexture,
    ) -> Result<bool> {
        let kind = self.contents().content_kind(row)?;
        if kind == Some(ContentKind::Texture) && !self.contents().has_mips(row)? {
            let change = self.replace_cooked(row, NewPicture::read(file)?)?;
            return Ok(change != TextureChange::default());
        }
        if kind == Some(ContentKind::Font) {
            let path = self.exports().path(row);
            let reason = format!("{path}: fonts of UE4 and UE5 can be extracted, not imported");
            return Err(Error::unsupported(reason));
        }
        match kind {
            Some(ContentKind::Texture) => {
                let change = self.replace_texture(row, &Image::read(file)?, options)?;
                Ok(change != TextureChange::default())
            }
            Some(ContentKind::Table) => {
                let change = self.replace_table(row, file, TableFormat::detect(file))?;
                Ok(change.is_change())
            }
            Some(ContentKind::Sound) => self.replace_sound(row, file),
            Some(ContentKind::Music) => self.replace_music(row, file),
            Some(ContentKind::Mesh) => Ok(self.replace_mesh(row, file)?.changed),
            Some(ContentKind::Text) => {
                let text = std::str::from_utf8(file)
                    .map_err(|_| Error::invalid("the file is no text in UTF-8"))?;
                self.replace_text(row, text)
            }
            _ => Err(no_content(self, row, "texture, sound, music, mesh or text")),
        }
    }
}

/// Why an object is none of these kinds: its class may be known by its hash alone.
fn no_content(package: &Package, row: usize, kinds: &str) -> Error {
    let export = package.exports().get(row);
    match export.filter(|export| !export.has_named_class()) {
        Some(export) => {
            let (what, name) = (noun::CLASS_NAME, export.class());
            ErrorKind::NotFound { what, name, hint: String::new() }.into()
        }
        None => Error::invalid(format!("{} is no {kinds}", package.exports().path(row))),
    }
}
