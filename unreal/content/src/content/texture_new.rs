//! New textures.

use crate::edit::Edit;

use super::mips::{Changes, full_chain, half, shrink};
use super::quantize::{TRANSPARENT_BELOW, quantized};
use super::texels::{as_stored, encode};
use super::texture_mips::{NewMip, bulk, ue1_mips, ue3_mips};
use super::{Image, Pixels};
use crate::edit::NewProperties;
use crate::error::{Error, Result};
use crate::object::geometry::Color;
use crate::object::ue3::asset::texture as ue3;
use crate::object::{TextureFormat, ue1};
use crate::primitive::{Guid, ObjectFlags, PackageIndex};
use crate::property::PropertyList;
use crate::version::{Engine, EngineFacts, UnrealVersions};

/// How a new texture is made.
#[derive(Debug, Clone, Default)]
pub struct NewTexture {
    /// How its texels are stored; the game's usual way if not said: indices and a palette in UE1, else
    /// DXT1, or DXT5 with alpha.
    pub format: Option<TextureFormat>,
    /// Whether palette index 0 is transparent; if not said, whether the picture has transparent pixels.
    pub masked: Option<bool>,
    /// Only the largest size.
    pub without_mips: bool,
}

/// New textures.
pub trait NewTextures {
    /// Adds a texture that shows this picture, with its palette and all smaller sizes.
    ///
    /// | engine | formats |
    /// |---|---|
    /// | UE1 | P8 |
    /// | UE2 | DXT1, DXT3, DXT5, RGBA8, P8, G8, G16 |
    /// | UE3 | DXT1, DXT3, DXT5, RGBA8, G8, V8U8 |
    ///
    /// Spec: ue1-3/06 §6.2, §6.3, 07 §7.6.
    ///
    /// # Errors
    /// `Invalid` for sides that are no powers of two in UE1 and UE2, and for formats that the game does
    /// not have; as [`Edit::add_object`].
    fn add_texture(&mut self, path: &str, image: &Image, new: &NewTexture) -> Result<usize>;
}

impl NewTextures for Edit {
    fn add_texture(&mut self, path: &str, image: &Image, new: &NewTexture) -> Result<usize> {
        self.appending(|package| package.make_texture(path, image, new))
    }
}

pub(super) trait NewTextureParts {
    fn make_texture(&mut self, path: &str, image: &Image, new: &NewTexture) -> Result<usize>;

    /// The format that is asked for, or the usual one.
    fn usable_format(&self, format: Option<TextureFormat>, image: &Image) -> Result<TextureFormat>;

    /// A palette beside the texture, with the first free name of the engine's kind.
    fn add_palette(&mut self, path: &str, colors: &[[u8; 4]]) -> Result<PackageIndex>;

    fn ue1_properties(
        &mut self,
        stored: &Image,
        chain: &[MipLevel],
        format: TextureFormat,
        masked: bool,
        palette: PackageIndex,
    ) -> Result<PropertyList>;

    fn make_ue3_texture(
        &mut self,
        path: &str,
        image: &Image,
        format: TextureFormat,
        new: &NewTexture,
    ) -> Result<usize>;
}

impl NewTextureParts for Edit {
    fn make_texture(&mut self, path: &str, image: &Image, new: &NewTexture) -> Result<usize> {
        if self.versions().game() == crate::Game::Swat4 {
            return Err(Error::invalid("textures of SWAT 4 can be changed, not made"));
        }
        let transparent = image.to_rgba().iter().any(|color| color[3] < TRANSPARENT_BELOW);
        let masked = new.masked.unwrap_or(transparent);
        let format = self.usable_format(new.format, image)?;
        let (width, height) = (image.width(), image.height());
        if self.versions().has_bulk_content() {
            return self.make_ue3_texture(path, image, format, new);
        }
        if !width.is_power_of_two() || !height.is_power_of_two() {
            let reason = "the sides of a texture must be powers of two in this engine";
            return Err(Error::invalid(format!("{path} has {width} by {height} texels; {reason}")));
        }
        let (stored, palette) = match format {
            TextureFormat::P8 => {
                let (indices, colors) = quantized(image, masked);
                let palette = self.add_palette(path, &colors)?;
                let pixels = Pixels::Indexed { indices, palette: colors };
                (Image::new(width, height, pixels)?, palette)
            }
            _ => (as_stored(format, image)?, PackageIndex::NULL),
        };
        let chain = self.chain(&stored, format, masked, new.without_mips)?;
        let properties = self.ue1_properties(&stored, &chain, format, masked, palette)?;
        let levels = chain.into_iter().map(|level| level.mip).collect();
        let texture = ue1::Texture { mips: ue1_mips(levels), compressed: None };
        self.add_object(path, "Engine.Texture", properties, texture)
    }

    fn usable_format(&self, format: Option<TextureFormat>, image: &Image) -> Result<TextureFormat> {
        use TextureFormat::{Dxt1, Dxt3, Dxt5, G8, G16, P8, Rgba8, V8U8};
        let engine = self.versions().engine();
        let opaque = image.to_rgba().iter().all(|color| color[3] == 255);
        const KNOWN: [(Engine, &[TextureFormat]); 3] = [
            (Engine::Ue1, &[P8]),
            (Engine::Ue2, &[Dxt1, Dxt3, Dxt5, Rgba8, P8, G8, G16]),
            (Engine::Ue5, &[Dxt1, Dxt3, Dxt5, Rgba8, G8, V8U8]),
        ];
        let known = engine.row_of(&KNOWN).unwrap_or_default();
        let usual = match image.pixels() {
            _ if !known.contains(&Dxt1) => P8,
            Pixels::Gray16(_) if known.contains(&G16) => G16,
            _ if opaque => Dxt1,
            _ => Dxt5,
        };
        let format = format.unwrap_or(usual);
        match known.contains(&format) {
            true => Ok(format),
            false => {
                let known: Vec<_> = known.iter().map(|format| format.slug()).collect();
                let known = known.join(", ");
                Err(Error::invalid(format!(
                    "textures of {engine} can't be {format}; make them {known}"
                )))
            }
        }
    }

    fn add_palette(&mut self, path: &str, colors: &[[u8; 4]]) -> Result<PackageIndex> {
        let group = path.rsplit_once('.').map_or("", |(group, _)| group);
        let prefix = if group.is_empty() { String::new() } else { format!("{group}.") };
        let palette =
            ue1::Palette { colors: colors.iter().map(|&bytes| Color { bytes }).collect() };
        let outer = self.add_group(group)?;
        let objects = self.object_index();
        let is_taken = |number: u64| {
            let name = format!("Palette{number}");
            objects.named(&name).iter().any(|&index| {
                index.value() > 0
                    && self.outer(index) == outer
                    && self.object_name(index).eq_ignore_ascii_case(&name)
            })
        };
        // The first free number behind taken ones: there are fewer objects than numbers.
        let (mut taken, mut free) = (0, 1);
        while is_taken(free) {
            (taken, free) = (free, free.saturating_mul(2));
        }
        while free - taken > 1 {
            let middle = taken + (free - taken) / 2;
            match is_taken(middle) {
                true => taken = middle,
                false => free = middle,
            }
        }
        drop(objects);
        let path = format!("{prefix}Palette{free}");
        let list = NewProperties::new(self).finish();
        let row = self.add_object(&path, "Engine.Palette", list, palette)?;
        // Palettes live as long as their textures (measured: never Standalone).
        let flags = self.exports().entries()[row].object_flags;
        self.set_object_flags(row, flags.without(ObjectFlags::standalone(self.versions())))?;
        Ok(PackageIndex::export(row))
    }

    fn ue1_properties(
        &mut self,
        stored: &Image,
        chain: &[MipLevel],
        format: TextureFormat,
        masked: bool,
        palette: PackageIndex,
    ) -> Result<PropertyList> {
        let (width, height) = (stored.width(), stored.height());
        let ue1 = self.versions().has_mip_colors();
        let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
        let mut list = NewProperties::new(self);
        if !palette.is_null() {
            list.object("Palette", palette)?;
        }
        if format != TextureFormat::P8 {
            list.byte("Format", format.number().unwrap_or_default())?;
        }
        list.byte("UBits", width.ilog2() as u8)?.byte("VBits", height.ilog2() as u8)?;
        list.int("USize", side(width))?.int("VSize", side(height))?;
        list.int("UClamp", side(width))?.int("VClamp", side(height))?;
        let (mean, most) = color_range(stored, chain);
        list.color("MipZero", mean)?;
        if ue1 {
            list.color("MaxColor", most)?;
        }
        match format {
            _ if ue1 && masked => list.boolean("bMasked", true)?,
            TextureFormat::P8 | TextureFormat::Dxt1 if masked => list.boolean("bMasked", true)?,
            TextureFormat::Dxt3 | TextureFormat::Dxt5 | TextureFormat::Rgba8
                if !is_opaque(stored) =>
            {
                list.boolean("bAlphaTexture", true)?
            }
            _ => &mut list,
        };
        Ok(list.finish())
    }

    fn make_ue3_texture(
        &mut self,
        path: &str,
        image: &Image,
        format: TextureFormat,
        new: &NewTexture,
    ) -> Result<usize> {
        let (width, height) = (image.width(), image.height());
        // Other sides have one size only (measured on packages of version 867).
        let single = new.without_mips || !width.is_power_of_two() || !height.is_power_of_two();
        let stored = as_stored(format, image)?;
        let chain = self.chain(&stored, format, false, single)?;
        let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
        let named = self.versions().file() >= 633;
        let mut list = NewProperties::new(self);
        list.int("SizeX", side(width))?.int("SizeY", side(height))?;
        list.int("OriginalSizeX", side(width))?.int("OriginalSizeY", side(height))?;
        match format.pixel_format() {
            Some(name) if named => list.enumerator("Format", "EPixelFormat", name)?,
            _ => {
                return Err(Error::invalid(format!(
                    "{format} textures of this version can't be made"
                )));
            }
        };
        if chain.len() > 1 {
            list.int("MipTailBaseIdx", side(chain.len() as u32 - 1))?;
        }
        if format == TextureFormat::Rgba8 {
            list.boolean("CompressionNone", true)?;
        }
        if single {
            list.enumerator("MipGenSettings", "TextureMipGenSettings", "TMGS_NoMipmaps")?;
        }
        list.guid("LightingGuid", Guid::random())?;
        let list = list.finish();
        let levels = chain.into_iter().map(|level| level.mip).collect();
        let texture = ue3::Texture2D {
            base: ue3::Texture { source_art: bulk(source_art(image)?) },
            mips: ue3_mips(levels),
            texture_file_cache: Guid::random(),
            ..ue3::Texture2D::default()
        };
        self.add_object(path, "Engine.Texture2D", list, texture)
    }
}

/// The picture as the editor of UE3 keeps it: a PNG with alpha.
pub(super) fn source_art(image: &Image) -> Result<Vec<u8>> {
    Image::from_rgba(image.width(), image.height(), image.to_rgba())?.to_png()
}

fn is_opaque(image: &Image) -> bool {
    image.to_rgba().iter().all(|color| color[3] == 255)
}

/// One size as picture and as texels.
#[derive(Debug)]
pub(super) struct MipLevel {
    pub image: Image,
    pub mip: NewMip,
}

pub(super) trait MipChains {
    /// All sizes of a picture, down to one pixel.
    fn chain(
        &self,
        stored: &Image,
        format: TextureFormat,
        masked: bool,
        single: bool,
    ) -> Result<Vec<MipLevel>>;

    /// The size that a mip says: in UE3 not below that of a block (measured on packages of versions 684
    /// to 865).
    fn stored_size(&self, format: TextureFormat, size: (u32, u32)) -> (u32, u32);
}

impl MipChains for Edit {
    fn chain(
        &self,
        stored: &Image,
        format: TextureFormat,
        masked: bool,
        single: bool,
    ) -> Result<Vec<MipLevel>> {
        let count = if single { 1 } else { full_chain(stored.width(), stored.height()) };
        let mut levels: Vec<MipLevel> = Vec::with_capacity(count);
        for _ in 0..count {
            let image = match levels.last() {
                None => stored.clone(),
                Some(MipLevel { image: upper, .. }) => {
                    let (width, height) = half(upper.width(), upper.height());
                    let mut lower = upper.blank_like(width, height);
                    shrink(upper, &mut lower, &Changes::all(width, height), masked);
                    lower
                }
            };
            let (width, height) = self.stored_size(format, (image.width(), image.height()));
            let texels = encode(format, &image.padded((width, height)), None)?;
            levels.push(MipLevel { image, mip: NewMip { width, height, texels } });
        }
        Ok(levels)
    }

    fn stored_size(&self, format: TextureFormat, (width, height): (u32, u32)) -> (u32, u32) {
        match self.versions().has_bulk_content() && format.block_size().is_some() {
            true => (width.max(4), height.max(4)),
            false => (width, height),
        }
    }
}

/// The colour of the smallest size, and the highest levels of the largest. C++: `MipZero`, `MaxColor`.
fn color_range(stored: &Image, chain: &[MipLevel]) -> ([u8; 4], [u8; 4]) {
    let smallest = chain.last().map(|level| level.image.to_rgba()).unwrap_or_default();
    let mean = smallest.first().copied().unwrap_or_default();
    let most = stored.to_rgba().iter().fold([0, 0, 0, 255], |most: [u8; 4], color| {
        [most[0].max(color[0]), most[1].max(color[1]), most[2].max(color[2]), 255]
    });
    (mean, most)
}
