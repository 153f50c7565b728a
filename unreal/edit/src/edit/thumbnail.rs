//! Thumbnails: pictures that browsers show for objects.

use std::collections::HashSet;
use std::fmt;

use super::Edit;
use crate::archive::Span;
use crate::error::{Error, ErrorKind, Result, UnrealErrors, noun};
use crate::primitive::FString;
use crate::table::{Thumbnail, ThumbnailImage};
use crate::version::{UnrealVersions, threshold};

/// How a thumbnail's picture is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum PictureKind {
    /// PNG.
    Png,
    /// JPEG, from UE5 on; the stored height is negative (spec: ue4-5/03 §11).
    Jpeg,
}

impl fmt::Display for PictureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
        })
    }
}

/// The result of [`Edit::set_thumbnail`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ThumbnailChange {
    /// Whether the object had none before.
    pub added: bool,
    /// The picture's form.
    pub kind: PictureKind,
    /// Its width, pixels.
    pub width: u32,
    /// Its height, pixels.
    pub height: u32,
}

impl PictureKind {
    /// Form, width and height of a picture, from its own header.
    ///
    /// # Errors
    /// `Unsupported` for what is no PNG or JPEG.
    pub fn of(picture: &[u8]) -> Result<(Self, u32, u32)> {
        let read = match picture {
            [0x89, b'P', b'N', b'G', ..] => png_size(picture).map(|size| (Self::Png, size)),
            [0xff, 0xd8, 0xff, ..] => jpeg_size(picture).map(|size| (Self::Jpeg, size)),
            _ => None,
        };
        let fits = |size: u32| size > 0 && i32::try_from(size).is_ok();
        match read {
            Some((kind, (width, height))) if fits(width) && fits(height) => {
                Ok((kind, width, height))
            }
            _ => Err(Error::unsupported("the picture is no PNG or JPEG that says its size")),
        }
    }
}

/// The first chunk says it.
fn png_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let head = bytes.get(12..24)?;
    let number = |at: usize| Some(u32::from_be_bytes(*head.get(at..)?.first_chunk()?));
    head.starts_with(b"IHDR").then_some(())?;
    Some((number(4)?, number(8)?))
}

/// The start of the frame says it.
fn jpeg_size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut at = 2;
    loop {
        let [0xff, marker] = *bytes.get(at..)?.first_chunk::<2>()? else { return None };
        let number = |at: usize| Some(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?).into());
        match marker {
            // Fill bytes, and markers without a length.
            0xff => at += 1,
            0x01 | 0xd0..=0xd7 => at += 2,
            // Frames of any coding; C4, C8 and CC are none.
            0xc0..=0xcf if !matches!(marker, 0xc4 | 0xc8 | 0xcc) => {
                return Some((number(at + 7)?, number(at + 5)?));
            }
            _ => {
                let length: u32 = number(at + 2)?;
                at = at.checked_add(2 + usize::try_from(length).ok()?)?;
            }
        }
    }
}

impl Edit {
    /// Gives an object this picture, PNG or JPEG as its file has it, as its thumbnail, in place of the one
    /// that it has. The picture says its size itself.
    ///
    /// # Errors
    /// `NotFound`; `Unsupported` for what is no PNG or JPEG, for JPEG below UE5, and for cooked packages, which
    /// have no thumbnails; `NotInVersion` below file version 584.
    pub fn set_thumbnail(&mut self, object: &str, picture: &[u8]) -> Result<ThumbnailChange> {
        let row = self.find_export(object)?;
        let (kind, width, height) = PictureKind::of(picture)?;
        self.check_thumbnails()?;
        if kind == PictureKind::Jpeg && self.versions().ue5() == 0 {
            return Err(Error::unsupported("thumbnails are PNG below UE5: convert the picture"));
        }
        let sign = if kind == PictureKind::Jpeg { -1 } else { 1 };
        let image = ThumbnailImage {
            width: width as i32,
            height: sign * height as i32,
            image: Span::owned(picture),
        };
        let known = self.thumbnail_row(row);
        let added = known.is_none();
        let at = match known {
            Some(at) => at,
            None => {
                let thumbnail = self.new_thumbnail(row, 0);
                self.tables_mut().thumbnails.push(thumbnail);
                self.tables().thumbnails.len() - 1
            }
        };
        self.set_image(at, image)?;
        Ok(ThumbnailChange { added, kind, width, height })
    }

    /// Gives a row of the table this image: in place of its own, or behind all others, where no image of the source
    /// can be.
    fn set_image(&mut self, row: usize, image: ThumbnailImage) -> Result<()> {
        if let Some(at) = self.own_image(row) {
            self.tables_mut().images[at].1 = image;
            return Ok(());
        }
        let last = self.tables().images.last().map_or(0, |(at, _)| at + 1);
        let offset = last.max(self.source().len() as u64);
        let file_offset = i32::try_from(offset)
            .map_err(|_| ErrorKind::OutOfRange { value: offset.into(), bits: 31 })?;
        let tables = self.tables_mut();
        tables.thumbnails[row].file_offset = file_offset;
        tables.images.push((offset, image));
        Ok(())
    }

    /// Takes a row of the table away, and its image with it where no other row has that.
    fn remove_thumbnail_row(&mut self, row: usize) {
        let image = self.own_image(row);
        self.tables_mut().thumbnails.remove(row);
        if let Some(image) = image {
            let keeps: Vec<bool> = (0..self.tables().images.len()).map(|at| at != image).collect();
            self.package.keep_images(&keeps);
        }
    }

    /// Makes the table say this, each row with its image, both owning their bytes; rows are known by class and path.
    pub(super) fn set_thumbnails(&mut self, rows: Vec<(Thumbnail, ThumbnailImage)>) -> Result<()> {
        let key = |edit: &Self, row: &Thumbnail| {
            let text =
                |text: &FString| text.text(edit.source()).unwrap_or_default().to_ascii_lowercase();
            (text(&row.class_name), text(&row.object_path))
        };
        let mut left: HashSet<_> = rows.iter().map(|(row, _)| key(self, row)).collect();
        for at in (0..self.tables().thumbnails.len()).rev() {
            if !left.remove(&key(self, &self.tables().thumbnails[at])) {
                self.remove_thumbnail_row(at);
            }
        }
        for (row, image) in rows {
            let wanted = key(self, &row);
            let known = self.tables().thumbnails.iter().position(|row| key(self, row) == wanted);
            let is_same = |at: usize| -> Option<bool> {
                let known = self.tables().image(&self.tables().thumbnails[at])?;
                let bytes = known.image.bytes(self.source()).ok()?;
                let size = (known.width, known.height) == (image.width, image.height);
                Some(size && image.image.bytes(&[]).is_ok_and(|it| it == bytes))
            };
            match known {
                Some(at) if is_same(at) == Some(true) => {}
                Some(at) => self.set_image(at, image)?,
                None => {
                    self.tables_mut().thumbnails.push(Thumbnail { file_offset: 0, ..row });
                    self.set_image(self.tables().thumbnails.len() - 1, image)?;
                }
            }
        }
        Ok(())
    }

    /// Takes an object's thumbnail away.
    ///
    /// # Errors
    /// `NotFound` for an object that is not there or has none.
    pub fn remove_thumbnail(&mut self, object: &str) -> Result<()> {
        let row = self.find_export(object)?;
        let Some(at) = self.thumbnail_row(row) else {
            let (what, name) = (noun::THUMBNAIL, self.exports().path(row));
            return Err(ErrorKind::NotFound { what, name, hint: String::new() }.into());
        };
        self.remove_thumbnail_row(at);
        Ok(())
    }

    pub(super) fn check_thumbnails(&self) -> Result<()> {
        if self.versions().filter_editor_only() {
            return Err(Error::unsupported("cooked packages have no thumbnails"));
        }
        if self.versions().file() < threshold::THUMBNAILS_ADDED {
            return Err(crate::Error::from(ErrorKind::NotInVersion).in_field("thumbnails"));
        }
        Ok(())
    }

    /// The row of the thumbnail table that is an object's.
    fn thumbnail_row(&self, row: usize) -> Option<usize> {
        let path = self.exports().path(row);
        self.tables().thumbnails.iter().position(|thumbnail| {
            let known = thumbnail.object_path.text(self.source()).unwrap_or_default();
            known.replace(':', ".").eq_ignore_ascii_case(&path)
        })
    }

    /// The image of a row of the table, where no other row has it as well.
    fn own_image(&self, at: usize) -> Option<usize> {
        let offset = self.tables().thumbnails.get(at)?.file_offset;
        let rows = self.tables().thumbnails.iter().filter(|row| row.file_offset == offset).count();
        let offset = u64::try_from(offset).ok().filter(|_| rows == 1)?;
        self.tables().images.binary_search_by_key(&offset, |(offset, _)| *offset).ok()
    }

    fn new_thumbnail(&self, row: usize, file_offset: i32) -> Thumbnail {
        let class = self.tables().exports.get(row).map(|row| row.class_index).unwrap_or_default();
        let class = match class.is_null() {
            true => "Class".to_owned(),
            false => self.object_name(class),
        };
        let object_path = self.string(&self.exports().path(row));
        Thumbnail { class_name: self.string(&class), object_path, file_offset }
    }

    /// The thumbnails of an object and of those in it, with the paths that they have below `new`.
    pub(super) fn retitled_thumbnails(
        &self,
        old: &str,
        new: &str,
    ) -> Result<Vec<(usize, FString)>> {
        let mut found = Vec::new();
        for (row, thumbnail) in self.tables().thumbnails.iter().enumerate() {
            let path = thumbnail.object_path.text(self.source())?;
            // UE4 and UE5 write a colon behind the object at the top.
            let dots = path.replace(':', ".");
            let inside = dots.get(..old.len()).is_some_and(|head| head.eq_ignore_ascii_case(old));
            let rest = dots.get(old.len()..).filter(|_| inside);
            if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with('.')) {
                let new = format!("{new}{rest}");
                let colon = self.versions().has_subobject_paths() && path.contains(':');
                let new = if colon { new.replacen('.', ":", 1) } else { new };
                found.push((row, self.string(&new)));
            }
        }
        Ok(found)
    }
}
