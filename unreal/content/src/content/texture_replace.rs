//! Other pixels for a texture.

use super::dds::DdsFile;
use super::mips::{Changes, half, shrink};
use super::quantize::{Nearest, TRANSPARENT_BELOW, quantized};
use super::texels::{as_stored, decode, encode};
use super::texture::dds_format;
use super::texture_mips::{
    Mip, compressed_mips, mips, set_each, set_mips, set_texels, ue1_mips, ue1_mut, ue3_mut, ue3_ref,
};
use super::texture_new::{MipChains, MipLevel, NewTextureParts, source_art};
use super::ue4::{CookedTextures, NewPicture};
use super::values::{set_value, value};
use super::{Image, PackageContents, Pixels, TextureFacts};
use crate::PackageIndex;
use crate::archive::{Archived, Kind, References};
use crate::edit::Edit;
use crate::error::{Error, Result};
use crate::inspect::PackageValues;
use crate::object::geometry::Color;
use crate::object::{Body, TextureFormat, ue1};
use crate::package::decode::native_as_mut;
use crate::primitive::NameReferences;
use crate::property::{PropertyList, Value};
use crate::version::{EngineFacts, UnrealVersions};

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
}

/// Textures with other pixels.
pub trait TextureEdits {
    /// Replaces the picture of a texture of any engine by that of a file: as [`TextureEdits::replace_texture`], and
    /// for cooked textures of UE4 and UE5 also by pictures with 16 bits a channel (PNG), colours without bounds
    /// (HDR), and stored texels (DDS), which go in as they are where they have the texture's format.
    ///
    /// # Errors
    /// As [`TextureEdits::replace_texture`]; for UE4 and UE5 also a picture of another size, formats whose texels are
    /// not made here, and textures that are not cooked.
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
        match mips(&self.decode(row)?.body.native) {
            Some(_) if DdsFile::is(file) => {
                let file = DdsFile::read(file)?;
                if let Some(change) = self.store_texels(row, &file)? {
                    return Ok(change);
                }
                self.replace_texture(row, &file.picture()?.into_image()?, options)
            }
            Some(_) => self.replace_texture(row, &Image::read(file)?, options),
            None => self.replace_cooked(row, NewPicture::read(file)?),
        }
    }

    fn replace_texture(
        &mut self,
        row: usize,
        image: &Image,
        options: &ReplaceTexture,
    ) -> Result<TextureChange> {
        if mips(&self.decode(row)?.body.native).is_none() {
            return self.replace_cooked(row, NewPicture::of(image.clone()));
        }
        let mut copy = self.clone();
        let change = copy.exchange(row, image, options)?;
        if change != TextureChange::default() {
            *self = copy;
        }
        Ok(change)
    }
}

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

    /// The picture in colours of the palette; with a new palette where the old one has not all of them.
    fn palettized(
        &self,
        row: usize,
        old: &Image,
        image: &Image,
        facts: &TextureFacts,
        options: &ReplaceTexture,
    ) -> Result<(Image, Option<Vec<[u8; 4]>>)>;

    /// Whether objects other than this texture use its palette.
    fn shares_palette(&self, row: usize, palette: usize, facts: &TextureFacts) -> bool;

    /// Gives a texture a new palette, beside it.
    fn give_palette(&mut self, row: usize, colors: &[[u8; 4]]) -> Result<()>;

    /// The exports whose bodies refer to an object.
    fn users_of(&self, index: PackageIndex) -> Vec<usize>;

    fn recolor(&mut self, row: usize, colors: &[[u8; 4]]) -> Result<()>;

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

    /// Another size: all mips are new.
    fn resize(&mut self, row: usize, new: &Image, facts: &TextureFacts, body: &Body) -> Result<()>;

    /// The second set of mips of another size, in their own format.
    fn resized_second(&self, new: &Image, single: bool, body: &Body) -> Result<Vec<MipLevel>>;

    /// The format of the second set of mips.
    fn second_format(&self, body: &Body) -> Option<TextureFormat>;

    /// A texture whose sizes stand in the package names no cache, and is not streamed from one.
    fn leave_cache(&mut self, row: usize) -> Result<()>;

    fn resize_properties(&self, list: &mut PropertyList, width: u32, height: u32);
}

/// Bulk data of UE3 in a texture file cache (spec: ue1-3/01).
const IN_CACHE: u32 = 0x1;

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
            return Ok(TextureChange { texels, palette: false, resized });
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
        let change = TextureChange { texels: changes.count(), palette: colors.is_some(), resized };
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
                    made.push((new != old).then(|| new.to_vec()));
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

    fn palettized(
        &self,
        row: usize,
        old: &Image,
        image: &Image,
        facts: &TextureFacts,
        options: &ReplaceTexture,
    ) -> Result<(Image, Option<Vec<[u8; 4]>>)> {
        let Pixels::Indexed { indices: before, palette } = old.pixels() else {
            return Err(Error::invalid("a texture with a palette shows no indices"));
        };
        let rgb = |color: &[u8; 4]| [color[0], color[1], color[2]];
        let (width, height) = (image.width(), image.height());
        let picture = |indices: Vec<u8>| {
            Image::new(width, height, Pixels::Indexed { indices, palette: palette.clone() })
        };
        if let Pixels::Indexed { indices, palette: theirs } = image.pixels()
            && theirs.iter().zip(palette).all(|(one, other)| rgb(one) == rgb(other))
        {
            return Ok((picture(indices.clone())?, None));
        }
        let colors = image.to_rgba();
        let mut nearest = Nearest::new(palette, usize::from(facts.masked));
        let same_size = (old.width(), old.height()) == (width, height);
        let mut index = |(at, color): (usize, &[u8; 4])| {
            let clear = facts.masked && color[3] < TRANSPARENT_BELOW;
            let known = before.get(at).filter(|_| same_size).copied();
            // Where the same colour stands several times in the palette, the old index stays.
            match known {
                Some(known) if facts.masked && (known == 0) != clear => {}
                Some(known) if clear || rgb(&palette[usize::from(known)]) == rgb(color) => {
                    return Some(known);
                }
                _ => {}
            }
            match (clear, options.keep_palette) {
                (true, _) => Some(0),
                (false, true) => Some(nearest.find(rgb(color))),
                (false, false) => nearest.exactly(rgb(color)),
            }
        };
        if let Some(indices) = colors.iter().enumerate().map(&mut index).collect() {
            return Ok((picture(indices)?, None));
        }
        let path = self.exports().path(row);
        let advice = "keep the palette and take its nearest colours instead, or give the texture a palette \
                      of its own";
        let owner = self.contents().palette_row(facts);
        let why = match owner {
            _ if options.own_palette => None,
            None => Some(format!("the palette of {path}, in another package, has not")),
            Some(owner) => self.shares_palette(row, owner, facts).then(|| {
                format!("{} has not, which other objects use as well", self.exports().path(owner))
            }),
        };
        if let Some(why) = why {
            return Err(Error::invalid(format!("the picture has colours that {why}; {advice}")));
        }
        let (indices, colors) = quantized(image, facts.masked);
        let new = Image::new(width, height, Pixels::Indexed { indices, palette: colors.clone() })?;
        Ok((new, Some(colors)))
    }

    fn shares_palette(&self, row: usize, palette: usize, facts: &TextureFacts) -> bool {
        self.users_of(facts.palette).iter().any(|&user| user != row && user != palette)
    }

    fn give_palette(&mut self, row: usize, colors: &[[u8; 4]]) -> Result<()> {
        let palette = self.add_palette(&self.exports().path(row), colors)?;
        let package = self.clone();
        self.change_body(row, |body| {
            if let Some(list) = body.lists_mut().next() {
                set_value(&package, list, "Palette", Value::Object(palette));
            }
            Ok(())
        })
    }

    fn users_of(&self, index: PackageIndex) -> Vec<usize> {
        let context = self.decoding_context();
        let uses = |row: &usize| {
            let decoded = match self.bodies().decoded.get(row) {
                Some(decoded) => decoded.clone(),
                None => self.decode_with(*row, &context),
            };
            let mut body = decoded.body;
            let mut references = References::new(self.versions().of_bodies());
            let visited = body.serialize(&mut references).is_ok();
            let opaque = references.spans().iter().any(|(_, kind)| *kind == Kind::Opaque);
            // What is not decoded may refer to anything.
            !visited || opaque || references.objects().contains_key(&index.value())
        };
        (0..self.tables().exports.len()).filter(uses).collect()
    }

    fn recolor(&mut self, row: usize, colors: &[[u8; 4]]) -> Result<()> {
        self.change_body(row, |body| {
            if let Some(palette) = native_as_mut::<ue1::Palette>(body) {
                palette.colors = colors.iter().map(|&bytes| Color { bytes }).collect();
            }
            Ok(())
        })
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

    fn resize(&mut self, row: usize, new: &Image, facts: &TextureFacts, body: &Body) -> Result<()> {
        let path = self.exports().path(row);
        let (width, height) = (new.width(), new.height());
        let ue3 = self.versions().has_bulk_content();
        let powers = width.is_power_of_two() && height.is_power_of_two();
        if !ue3 && !powers {
            let reason = "the sides of a texture must be powers of two in this engine";
            return Err(Error::invalid(format!(
                "{path} can't be {width} by {height} texels; {reason}"
            )));
        }
        let second = compressed_mips(&body.native).filter(|mips| !mips.is_empty());
        let second = second.map(|mips| self.resized_second(new, mips.len() == 1, body));
        let second = second.transpose().map_err(|why| Error::invalid(format!("{path}: {why}")))?;
        let single = facts.mips == 1 || !powers;
        let levels: Vec<MipLevel> = self.chain(new, facts.format, facts.masked, single)?;
        let mips = levels.into_iter().map(|level| level.mip).collect();
        let art = match ue3_ref(&body.native) {
            Some(texture) if !texture.base.source_art.payload.is_empty() => Some(source_art(new)?),
            _ => None,
        };
        let mut list = body.properties.clone();
        if let Some(list) = &mut list {
            self.resize_properties(list, width, height);
        }
        self.change_body(row, |body| {
            set_mips(&mut body.native, mips);
            if let (Some(levels), Some(texture)) = (second, ue1_mut(&mut body.native)) {
                let levels = levels.into_iter().map(|level| level.mip).collect();
                texture.compressed = Some(ue1_mips(levels));
            }
            if let (Some(art), Some(texture)) = (art, ue3_mut(&mut body.native)) {
                texture.base.source_art = super::texture_mips::bulk(art);
            }
            body.properties = list;
            Ok(())
        })
    }

    fn resized_second(&self, new: &Image, single: bool, body: &Body) -> Result<Vec<MipLevel>> {
        let format = self.second_format(body).ok_or_else(|| {
            Error::invalid(
                "it has compressed mips of an unknown format, which would keep their size",
            )
        })?;
        let stored = match format {
            TextureFormat::P8 => new.clone(),
            format => as_stored(format, new)?,
        };
        self.chain(&stored, format, false, single)
    }

    fn second_format(&self, body: &Body) -> Option<TextureFormat> {
        let list = body.properties.as_ref();
        match list.and_then(|list| value(self, list, "CompFormat")) {
            Some(Value::Byte(number)) => TextureFormat::of_number(*number, self.versions()),
            None => Some(TextureFormat::P8),
            _ => None,
        }
    }

    fn leave_cache(&mut self, row: usize) -> Result<()> {
        let object = format!("#{row}");
        const CACHE: &str = "TextureFileCacheName";
        if self.values().property(&object, CACHE).is_ok() {
            self.remove_property(&object, CACHE)?;
        }
        self.set_property(&object, "NeverStream:bool", "True").map(drop)
    }

    fn resize_properties(&self, list: &mut PropertyList, width: u32, height: u32) {
        let side = |side: u32| Value::Int(i32::try_from(side).unwrap_or(i32::MAX));
        let bits = |side: u32| Value::Byte(side.max(1).ilog2() as u8);
        let wide = ["USize", "UClamp", "SizeX", "OriginalSizeX"];
        let high = ["VSize", "VClamp", "SizeY", "OriginalSizeY"];
        for name in wide {
            set_value(self, list, name, side(width));
        }
        for name in high {
            set_value(self, list, name, side(height));
        }
        set_value(self, list, "UBits", bits(width));
        set_value(self, list, "VBits", bits(height));
        let last = super::mips::full_chain(width, height) as i32 - 1;
        set_value(self, list, "MipTailBaseIdx", Value::Int(last));
    }
}
