//! Other pixels for a texture.

use super::dds::DdsFile;
use super::mips::{Changes, half, shrink};
use super::texels::{as_stored, decode, encode};
use super::texture::dds_format;
use super::texture_mips::{
    Mip, compressed_mips, mips, set_each, set_texels, ue1_mut, ue3_mut, ue3_ref,
};
use super::texture_new::{MipChains, source_art};
use super::texture_palette::TexturePalettes;
use super::texture_resize::TextureSizes;
use super::texture_shape::TextureShape;
use super::ue4::{CookedTextures, NewPicture, RenewedThumbnails};
use super::values::value;
use super::{Image, PackageContents, Pixels, TextureFacts};
use crate::edit::Edit;
use crate::error::{Error, Result};
use crate::object::{Body, TextureFormat};
use crate::property::Value;

/// How a texture is replaced.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReplaceTexture {
    /// Take the nearest colours of the palette that is there, instead of making a new one.
    pub keep_palette: bool,
    /// Give the texture a palette of its own where the picture has colours that a palette lacks which other
    /// objects use as well, or which lies in another package.
    pub own_palette: bool,
    /// Store all sizes in the package where some of UE3 stand in a texture file cache (`.tfc`) or are compressed, which
    /// is not made here.
    pub inline: bool,
}

/// The changes of replacing a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct TextureChange {
    /// Texels of the largest size that are another colour now.
    pub texels: usize,
    /// The palette is another one.
    pub palette: bool,
    /// The size is another one.
    pub resized: bool,
    /// The thumbnail was made anew, as the editor makes it.
    pub thumbnail: bool,
}

/// Textures with other pixels.
pub trait TextureEdits {
    /// Replaces the picture of a texture of any engine by that of a file: as [`TextureEdits::replace_texture`], and
    /// for textures of UE4 and UE5 also by pictures with 16 bits a channel (PNG), colours without bounds (HDR), and
    /// stored texels (DDS), which go in as they are where they have the format of a cooked texture. Of one that is not
    /// cooked the picture that it was imported from is another one, in its format.
    ///
    /// # Errors
    /// As [`TextureEdits::replace_texture`]; for UE4 and UE5 also formats whose texels are not made here, and sources
    /// that are put together of several pictures or stand in another file than the package.
    fn replace_picture(
        &mut self,
        row: usize,
        file: &[u8],
        options: &ReplaceTexture,
    ) -> Result<TextureChange>;

    /// Gives a texture the pixels of this picture. Where only some pixels differ from what the texture
    /// shows, only these texels change (or the blocks that hold them) and the texels of smaller sizes
    /// that are made of them; a picture that shows the same changes nothing.
    ///
    /// A thumbnail that the texture has shows the new picture then, if pictures come out of the texture.
    ///
    /// Colours that the palette lacks need a new palette. It takes the old one's place where no other object
    /// uses that; else [`ReplaceTexture`] says what to do.
    ///
    /// # Errors
    /// As [`Contents::texture_image`](crate::content::Contents::texture_image); `Invalid` for colours of a shared palette, sizes that the engine
    /// does not take, and texels that are not here. The package is as before then.
    fn replace_texture(
        &mut self,
        row: usize,
        image: &Image,
        options: &ReplaceTexture,
    ) -> Result<TextureChange>;
}

impl TextureEdits for Edit {
    fn replace_picture(
        &mut self,
        row: usize,
        file: &[u8],
        options: &ReplaceTexture,
    ) -> Result<TextureChange> {
        self.with_thumbnail(row, |edit| match mips(&edit.decode(row)?.body.native) {
            Some(_) if DdsFile::is(file) => {
                let file = DdsFile::read(file)?;
                file.check_shape(TextureShape::Flat).map_err(|why| {
                    Error::invalid(format!("{}: {why}", edit.exports().path(row)))
                })?;
                match edit.store_texels(row, &file)? {
                    Some(change) => Ok(change),
                    None => edit.put_pixels(row, &file.picture()?.into_image()?, options),
                }
            }
            Some(_) => edit.put_pixels(row, &Image::read(file)?, options),
            None => edit.replace_cooked(row, NewPicture::read(file)?),
        })
    }

    fn replace_texture(
        &mut self,
        row: usize,
        image: &Image,
        options: &ReplaceTexture,
    ) -> Result<TextureChange> {
        self.with_thumbnail(row, |edit| match mips(&edit.decode(row)?.body.native) {
            Some(_) => edit.put_pixels(row, image, options),
            None => edit.replace_cooked(row, NewPicture::of(image.clone())),
        })
    }
}

trait PutPixels {
    /// Runs a change of a texture, and makes its thumbnail anew where it has changed something.
    fn with_thumbnail(
        &mut self,
        row: usize,
        change: impl FnOnce(&mut Self) -> Result<TextureChange>,
    ) -> Result<TextureChange>;

    /// Gives a texture of UE1 to UE3 other pixels.
    fn put_pixels(
        &mut self,
        row: usize,
        image: &Image,
        options: &ReplaceTexture,
    ) -> Result<TextureChange>;
}

impl PutPixels for Edit {
    fn with_thumbnail(
        &mut self,
        row: usize,
        change: impl FnOnce(&mut Self) -> Result<TextureChange>,
    ) -> Result<TextureChange> {
        self.attempt(|edit| {
            let mut done = change(edit)?;
            if done != TextureChange::default() {
                done.thumbnail = edit.renew_thumbnail(row)?;
            }
            Ok(done)
        })
    }

    fn put_pixels(
        &mut self,
        row: usize,
        image: &Image,
        options: &ReplaceTexture,
    ) -> Result<TextureChange> {
        let mut copy = self.clone();
        let change = copy.exchange(row, image, options)?;
        if change != TextureChange::default() {
            *self = copy;
        }
        Ok(change)
    }
}

/// Bulk data of UE3 in a texture file cache (spec: ue1-3/01).
const IN_CACHE: u32 = 0x1;

pub(super) trait TextureParts {
    fn exchange(
        &mut self,
        row: usize,
        image: &Image,
        options: &ReplaceTexture,
    ) -> Result<TextureChange>;

    /// Takes the texels of a file as they are, where it has all sizes of the texture in its format, and nothing else is
    /// made of them. `None` where they must be made.
    fn store_texels(&mut self, row: usize, file: &DdsFile) -> Result<Option<TextureChange>>;

    /// The same size: every mip is brought up to date where it shows something that changed.
    fn update(
        &mut self,
        row: usize,
        new: &Image,
        changes: &Changes,
        facts: &TextureFacts,
        mips: &[Mip],
        body: &Body,
    ) -> Result<()>;

    /// The texels of each mip that changes.
    fn updated(
        &self,
        new: &Image,
        changes: &Changes,
        facts: &TextureFacts,
        mips: &[Mip],
    ) -> Result<Vec<Option<Vec<u8>>>>;

    /// The second set of mips, in their own format (spec: ue1-3/06 §6.2).
    fn updated_second(
        &self,
        row: usize,
        new: &Image,
        changes: &Changes,
        mips: &[Mip],
        body: &Body,
    ) -> Result<Vec<Option<Vec<u8>>>>;

    /// The imported picture of UE3 with the changed pixels; a new one where it has another size.
    fn updated_source_art(
        &self,
        new: &Image,
        changes: &Changes,
        body: &Body,
    ) -> Result<Option<Vec<u8>>>;

    /// The format of the second set of mips.
    fn second_format(&self, body: &Body) -> Option<TextureFormat>;
}

impl TextureParts for Edit {
    fn exchange(
        &mut self,
        row: usize,
        image: &Image,
        options: &ReplaceTexture,
    ) -> Result<TextureChange> {
        let body = self.decode(row)?.into_owned().body;
        let (facts, mips) = self.contents().facts_of(row, &body)?;
        let resized = (facts.width, facts.height) != (image.width(), image.height());
        if let Err(refusal) = facts.refuse_consoles() {
            // What came out changes nothing.
            let is_old = !resized && {
                let old = self.contents().texture_image(row)?;
                Changes::between(&old, &as_stored(facts.format, image)?).count() == 0
            };
            return if is_old { Ok(TextureChange::default()) } else { Err(refusal) };
        }
        let sizes =
            ue3_ref(&body.native).map(|texture| texture.mips.as_slice()).unwrap_or_default();
        if sizes.iter().any(|mip| !super::texture_mips::plain(&mip.data)) {
            if !options.inline {
                return Err(Error::invalid(format!(
                    "{}: some of its sizes stand in a texture file cache (.tfc) or are compressed, which is not made \
                     here: all can be stored inline, in the package",
                    self.exports().path(row)
                )));
            }
            let new = as_stored(facts.format, image)?;
            self.resize(row, &new, &facts, &body)?;
            if sizes.iter().any(|mip| mip.data.flags & IN_CACHE != 0) {
                self.leave_cache(row)?;
            }
            let texels = new.width() as usize * new.height() as usize;
            return Ok(TextureChange { texels, resized, ..TextureChange::default() });
        }
        let old = self.contents().texture_image(row)?;
        let (new, colors) = match facts.format {
            TextureFormat::P8 => self.palettized(row, &old, image, &facts, options)?,
            format => (as_stored(format, image)?, None),
        };
        let changes = match resized || colors.is_some() {
            true => Changes::all(new.width(), new.height()),
            false => Changes::between(&old, &new),
        };
        let change = TextureChange {
            texels: changes.count(),
            palette: colors.is_some(),
            resized,
            thumbnail: false,
        };
        if change == TextureChange::default() {
            return Ok(change);
        }
        if let Some(colors) = colors {
            match self.contents().palette_row(&facts) {
                Some(palette) if !self.shares_palette(row, palette, &facts) => {
                    self.recolor(palette, &colors)?;
                }
                _ => self.give_palette(row, &colors)?,
            }
        }
        if resized {
            self.resize(row, &new, &facts, &body)?;
        } else {
            self.update(row, &new, &changes, &facts, &mips, &body)?;
        }
        Ok(change)
    }

    fn store_texels(&mut self, row: usize, file: &DdsFile) -> Result<Option<TextureChange>> {
        let body = self.decode(row)?.into_owned().body;
        let (facts, mips) = self.contents().facts_of(row, &body)?;
        facts.refuse_consoles()?;
        let is_format = dds_format(facts.format).is_ok_and(|name| file.is_format(name));
        let has_second = compressed_mips(&body.native).is_some_and(|mips| !mips.is_empty());
        let has_art =
            ue3_ref(&body.native).is_some_and(|it| !it.base.source_art.payload.is_empty());
        if !is_format || has_second || has_art || file.size() != (facts.width, facts.height) {
            return Ok(None);
        }
        let mut made = Vec::with_capacity(mips.len());
        for (level, mip) in mips.iter().enumerate() {
            let Some(old) = &mip.texels else { return Ok(None) };
            let old = old.bytes(self.source())?;
            match file.texels(level)? {
                Some(new) if new.len() == old.len() => {
                    made.push((*new != *old).then(|| new.to_vec()));
                }
                // Left out on purpose, in both.
                None if old.is_empty() => made.push(None),
                _ => return Ok(None),
            }
        }
        if made.iter().all(Option::is_none) {
            return Ok(Some(TextureChange::default()));
        }
        let before = self.contents().texture_image(row)?;
        self.change_body(row, |body| {
            set_texels(&mut body.native, made);
            Ok(())
        })?;
        let after = self.contents().texture_image(row)?;
        // Other blocks may show the same.
        let texels = Changes::between(&before, &after).count().max(1);
        Ok(Some(TextureChange { texels, ..TextureChange::default() }))
    }

    fn update(
        &mut self,
        row: usize,
        new: &Image,
        changes: &Changes,
        facts: &TextureFacts,
        mips: &[Mip],
        body: &Body,
    ) -> Result<()> {
        let texels = self.updated(new, changes, facts, mips)?;
        let mut compressed = None;
        if let Some(second) = compressed_mips(&body.native).filter(|mips| !mips.is_empty()) {
            compressed = Some(self.updated_second(row, new, changes, &second, body)?);
        }
        let art = self.updated_source_art(new, changes, body)?;
        self.change_body(row, |body| {
            set_texels(&mut body.native, texels);
            if let (Some(texels), Some(texture)) = (compressed, ue1_mut(&mut body.native)) {
                let mips = texture.compressed.as_deref_mut().unwrap_or_default();
                set_each(mips, texels, |mip, texels| mip.data = super::texture_mips::lazy(texels));
            }
            if let (Some(art), Some(texture)) = (art, ue3_mut(&mut body.native)) {
                texture.base.source_art = super::texture_mips::bulk(art);
            }
            Ok(())
        })
    }

    fn updated(
        &self,
        new: &Image,
        changes: &Changes,
        facts: &TextureFacts,
        mips: &[Mip],
    ) -> Result<Vec<Option<Vec<u8>>>> {
        let palette = match new.pixels() {
            Pixels::Indexed { palette, .. } => palette.clone(),
            _ => Vec::new(),
        };
        let mut result = Vec::with_capacity(mips.len());
        let mut upper = new.clone();
        let mut changes = changes.clone();
        for (level, mip) in mips.iter().enumerate() {
            let Some(texels) = &mip.texels else {
                return Err(Error::invalid(format!(
                    "mip {level} stands in a companion file or is packed; nothing was changed"
                )));
            };
            let old = texels.bytes(self.source())?;
            let size = match level {
                0 => (upper.width(), upper.height()),
                _ => half(upper.width(), upper.height()),
            };
            let stored = self.stored_size(facts.format, size);
            if (mip.width, mip.height) != stored {
                let (width, height) = (mip.width, mip.height);
                return Err(Error::invalid(format!(
                    "mip {level} has {width} by {height} texels, which is not half of the one before"
                )));
            }
            if level > 0 {
                changes = changes.halved();
                let mut lower = upper.blank_like(size.0, size.1);
                if old.is_empty() {
                    shrink(&upper, &mut lower, &Changes::all(size.0, size.1), facts.masked);
                } else {
                    lower = decode(facts.format, stored, old, &palette)?.part(size.0, size.1);
                    shrink(&upper, &mut lower, &changes, facts.masked);
                }
                upper = lower;
            }
            if old.is_empty() {
                // Left out on purpose: some packages of UE2 have no texels in their smallest sizes.
                result.push(None);
                continue;
            }
            let (padded, changes) = (upper.padded(stored), changes.padded(stored));
            let bytes = encode(facts.format, &padded, Some((old, &changes)))?;
            result.push((bytes != old).then_some(bytes));
        }
        Ok(result)
    }

    fn updated_second(
        &self,
        row: usize,
        new: &Image,
        changes: &Changes,
        mips: &[Mip],
        body: &Body,
    ) -> Result<Vec<Option<Vec<u8>>>> {
        let path = self.exports().path(row);
        let format = self.second_format(body);
        let size = mips.first().map(|mip| (mip.width, mip.height));
        let Some(format) = format.filter(|_| size == Some((new.width(), new.height()))) else {
            let what = "has compressed mips of another size or an unknown format";
            return Err(Error::invalid(format!("{path} {what}; they would not follow")));
        };
        let masked = false;
        let stored = match format {
            TextureFormat::P8 => new.clone(),
            format => as_stored(format, new)?,
        };
        let facts = TextureFacts {
            format,
            width: new.width(),
            height: new.height(),
            mips: mips.len(),
            masked,
            palette: crate::PackageIndex::NULL,
            console: None,
        };
        // These mips may hold the texels in another way than their format says: as is, then.
        self.updated(&stored, changes, &facts, mips)
            .map_err(|why| Error::invalid(format!("compressed mips of {path}: {why}")))
    }

    fn updated_source_art(
        &self,
        new: &Image,
        changes: &Changes,
        body: &Body,
    ) -> Result<Option<Vec<u8>>> {
        let Some(texture) = ue3_ref(&body.native) else { return Ok(None) };
        let old = &texture.base.source_art;
        if old.payload.is_empty() || !super::texture_mips::plain(old) {
            return Ok(None);
        }
        let old = Image::read(old.payload.bytes(self.source())?).ok();
        let old = old.filter(|old| (old.width(), old.height()) == (new.width(), new.height()));
        let Some(old) = old else { return source_art(new).map(Some) };
        let (mut pixels, fresh) = (old.to_rgba(), new.to_rgba());
        let places = (0..new.height()).flat_map(|y| (0..new.width()).map(move |x| (x, y)));
        for ((pixel, fresh), (x, y)) in pixels.iter_mut().zip(fresh).zip(places) {
            if changes.has(x, y) {
                *pixel = fresh;
            }
        }
        source_art(&Image::from_rgba(new.width(), new.height(), pixels)?).map(Some)
    }

    fn second_format(&self, body: &Body) -> Option<TextureFormat> {
        let list = body.properties.as_ref();
        match list.and_then(|list| value(self, list, "CompFormat")) {
            Some(Value::Byte(number)) => TextureFormat::of_number(*number, self.versions()),
            None => Some(TextureFormat::P8),
            _ => None,
        }
    }
}
