//! Small pictures of objects.

use crate::content::file::{ContentFile, ContentKind};
use crate::content::{Contents, Image, Pixels};
use crate::error::{Error, ErrorKind, Result, noun};

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

    /// A thumbnail as a file: as it is stored where that is a PNG or JPEG, else as PNG. The number counts
    /// the rows of the thumbnail table; rows may have no picture.
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
        let (extension, bytes) = match bytes {
            [0x89, b'P', b'N', b'G', ..] => ("png", bytes.to_vec()),
            [0xff, 0xd8, 0xff, ..] => ("jpg", bytes.to_vec()),
            bytes if bytes.len() as u64 == area * 4 => {
                let pixels =
                    bytes.as_chunks::<4>().0.iter().map(|&[b, g, r, a]| [r, g, b, a]).collect();
                ("png", Image::new(width, height, Pixels::Rgba(pixels))?.to_png()?)
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
            note: None,
        }))
    }
}
