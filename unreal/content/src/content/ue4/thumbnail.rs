//! Small pictures of objects.

use crate::content::file::{ContentFile, ContentKind};
use crate::content::{Contents, Image, PackageContents};
use crate::edit::{Edit, ThumbnailChange};
use crate::error::{Error, ErrorKind, Result, noun};
use crate::version::UnrealVersions;

/// Thumbnails with other pictures.
pub trait ThumbnailEdits {
    /// Gives an object this picture (PNG, BMP, PCX, TGA, JPEG) as its thumbnail, stored as a PNG with red and blue in each
    /// other's place, as the engine has them. `None` where its pixels are those that are there.
    ///
    /// # Errors
    /// As [`Image::read`] and [`Edit::set_thumbnail`].
    fn replace_thumbnail(&mut self, object: &str, file: &[u8]) -> Result<Option<ThumbnailChange>>;
}

impl ThumbnailEdits for Edit {
    fn replace_thumbnail(&mut self, object: &str, file: &[u8]) -> Result<Option<ThumbnailChange>> {
        let row = self.find_export(object)?;
        let image = Image::read(file)?;
        let contents = self.contents();
        let known = contents.thumbnail_of(row).and_then(|at| contents.thumbnail_file(at).ok()?);
        let known = known.and_then(|known| Image::read(&known.bytes).ok());
        let is_same = known.is_some_and(|known| {
            let size = |image: &Image| (image.width(), image.height());
            size(&known) == size(&image) && known.to_rgba() == image.to_rgba()
        });
        if is_same {
            return Ok(None);
        }
        self.set_thumbnail(object, &image.exchanged()?.to_png()?).map(Some)
    }
}

/// The longest side of a thumbnail that the editor makes.
const LONGEST: u32 = 256;

/// Thumbnails of textures that have changed.
pub(in crate::content) trait RenewedThumbnails {
    /// Makes the thumbnail of a texture anew, as the editor does: the picture itself, not larger than 256. False where the
    /// texture has none, or shows no picture.
    fn renew_thumbnail(&mut self, row: usize) -> Result<bool>;
}

impl RenewedThumbnails for Edit {
    fn renew_thumbnail(&mut self, row: usize) -> Result<bool> {
        let contents = self.contents();
        if self.versions().filter_editor_only() || contents.thumbnail_of(row).is_none() {
            return Ok(false);
        }
        let Ok(picture) = contents.texture_image(row) else { return Ok(false) };
        let path = self.exports().path(row);
        let small = picture.within(LONGEST)?;
        self.set_thumbnail(&path, &small.exchanged()?.to_png()?)?;
        Ok(true)
    }
}

impl Contents<'_> {
    /// The row of the thumbnail table that has the picture of an object; the number is its row in the table of exports.
    /// Paths are compared in any case. `None` where it has none.
    pub fn thumbnail_of(&self, row: usize) -> Option<usize> {
        let path = self.exports().get(row)?.path();
        let is_its = |thumbnail: &crate::table::Thumbnail| {
            let text = thumbnail.object_path.text(self.source());
            text.is_ok_and(|text| text.eq_ignore_ascii_case(&path))
        };
        let thumbnails = &self.tables().thumbnails;
        let found = thumbnails.iter().position(is_its)?;
        let image = self.tables().image(&thumbnails[found])?;
        (!image.image.is_empty()).then_some(found)
    }

    /// A thumbnail as a PNG with its own colours: the engine stores red and blue in each other's place, in PNG and JPEG
    /// alike. One that can't be decoded is the file that is stored, with a note. The number counts the rows of the
    /// thumbnail table; rows may have no picture.
    ///
    /// # Errors
    /// `NotFound` when there is no such row; `Invalid` when it has no picture, or one that is not known.
    pub fn thumbnail_file(&self, row: usize) -> Result<Option<ContentFile>> {
        let missing = || ErrorKind::NotFound {
            what: noun::THUMBNAIL,
            name: row.to_string(),
            hint: String::new(),
        };
        let thumbnail = self.tables().thumbnails.get(row).ok_or_else(missing)?;
        let Some(stored) = self.tables().image(thumbnail).filter(|image| !image.image.is_empty())
        else {
            return Ok(None);
        };
        let bytes = stored.image.bytes(self.source())?;
        let (width, height) = (stored.width.unsigned_abs(), stored.height.unsigned_abs());
        let area = u64::from(width) * u64::from(height);
        let mut note = None;
        let (extension, bytes) = match bytes {
            [0x89, b'P', b'N', b'G', ..] | [0xff, 0xd8, 0xff, ..] => {
                match Image::read(bytes).and_then(|image| image.exchanged()?.to_png()) {
                    Ok(png) => ("png", png),
                    Err(error) => {
                        note = Some(format!("as it is stored, red and blue exchanged: {error}"));
                        (if bytes[0] == 0xff { "jpg" } else { "png" }, bytes.to_vec())
                    }
                }
            }
            bytes if bytes.len() as u64 == area * 4 => {
                let pixels =
                    bytes.as_chunks::<4>().0.iter().map(|&[b, g, r, a]| [r, g, b, a]).collect();
                ("png", Image::from_rgba(width, height, pixels)?.to_png()?)
            }
            bytes => {
                let path = thumbnail.object_path.text(self.source())?;
                let count = bytes.len();
                return Err(Error::invalid(format!(
                    "the thumbnail of {path} has {count} bytes of an unknown format"
                )));
            }
        };
        Ok(Some(ContentFile {
            kind: ContentKind::Thumbnail,
            extension: extension.to_owned(),
            bytes,
            note,
        }))
    }
}
