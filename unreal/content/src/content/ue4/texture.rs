//! Textures as files.

use super::picture::Picture;
use super::pixel_format::{self, slice_count};
use super::source_art::SourceFacts;
use crate::content::texture_shape::TextureShape;
use crate::content::values::typed_mut;
use crate::content::{Contents, Image, dds};
use crate::error::{Error, Result};
use crate::inspect::{editor_payload, payload};
use crate::object::Body;
use crate::object::ue4::asset::platform_data::{Mip, PlatformData};
use crate::object::ue4::asset::texture::{
    ImageTexture, LayeredTexture, LightMapTexture2D, Texture,
};
use crate::package::Package;
use crate::package::decode::native_as_mut;
use crate::package::native_as;
use crate::property::{PropertyList, Value};

/// What every texture has, and the texels for the first platform once cooked, of a texture that is drawn from.
pub(super) fn of(body: &Body) -> Option<(&Texture, Option<&PlatformData>)> {
    let image = native_as::<ImageTexture>(body);
    let image = image.or_else(|| native_as::<LightMapTexture2D>(body).map(|map| &map.base));
    let (base, platforms) = match (image, native_as::<LayeredTexture>(body)) {
        (Some(image), _) => (&image.base, &image.platforms),
        (None, Some(layered)) => (&layered.base, &layered.platforms),
        (None, None) => return None,
    };
    Some((base, platforms.platforms.first().map(|platform| &platform.data)))
}

pub(super) fn base(body: &Body) -> Option<&Texture> {
    of(body).map(|(base, _)| base).or_else(|| native_as(body))
}

/// What every texture has, to be changed.
pub(super) fn base_mut(body: &mut Body) -> Option<&mut Texture> {
    Some(match () {
        () if native_as::<ImageTexture>(body).is_some() => {
            &mut native_as_mut::<ImageTexture>(body)?.base
        }
        () if native_as::<LayeredTexture>(body).is_some() => {
            &mut native_as_mut::<LayeredTexture>(body)?.base
        }
        () if native_as::<LightMapTexture2D>(body).is_some() => {
            &mut native_as_mut::<LightMapTexture2D>(body)?.base.base
        }
        () => native_as_mut::<Texture>(body)?,
    })
}

/// The property that says how the source is stored.
pub(super) fn source_list<'a>(package: &Package, body: &'a Body) -> Option<&'a PropertyList> {
    let list = body.prologue.as_deref()?;
    match list.properties.value("Source", &package.context()) {
        Some(Value::List(list)) => Some(list),
        _ => None,
    }
}

pub(super) fn texels(body: &Body) -> Option<&PlatformData> {
    of(body).and_then(|(_, data)| data)
}

/// The texels for the first platform, to be changed.
///
/// # Errors
/// `Invalid` for a body that is read as something else.
pub(super) fn layers_mut(body: &mut Body) -> Result<&mut PlatformData> {
    let platforms = match () {
        () if native_as::<ImageTexture>(body).is_some() => {
            &mut typed_mut::<ImageTexture>(body)?.platforms
        }
        () if native_as::<LayeredTexture>(body).is_some() => {
            &mut typed_mut::<LayeredTexture>(body)?.platforms
        }
        () => &mut typed_mut::<LightMapTexture2D>(body)?.base.platforms,
    };
    let first = platforms.platforms.first_mut().map(|platform| &mut platform.data);
    first.ok_or_else(|| Error::invalid("has no texels"))
}

/// Width and height of one slice of a size.
pub(super) fn slice_sides(mip: &Mip) -> (u32, u32) {
    let side = |side: i32| u32::try_from(side).unwrap_or(0);
    (side(mip.size_x), side(mip.size_y))
}

/// Width and height of the picture of a size: its slices stand below each other.
///
/// Blocks of four rows end with a slice, so that slices of a height that they don't fill are not one picture: then it is
/// that of the first slice.
pub(super) fn sides(mip: &Mip) -> (u32, u32) {
    let side = |side: i32| u32::try_from(side).unwrap_or(0);
    let slices = if mip.size_y % 4 == 0 { side(mip.size_z).max(1) } else { 1 };
    (side(mip.size_x), side(mip.size_y).saturating_mul(slices))
}

/// Whether there is a picture that the texture was imported from: media and render targets have none.
pub(super) fn has_source(body: &Body) -> bool {
    base(body).is_some_and(|texture| {
        texture.source.size_on_disk > 0 || texture.editor_source.payload_size > 0
    })
}

/// The content of a texture.
enum TextureContent {
    /// A picture as it was imported.
    Source(SourceFacts, Vec<u8>),
    /// Texels for a platform.
    Texels(Picture),
}

impl Contents<'_> {
    /// The picture of a texture of UE4 or UE5 as a file with its extension: the one that it was imported
    /// from, or its largest size once cooked.
    pub(in crate::content) fn ue4_texture_file(&self, row: usize) -> Result<(String, Vec<u8>)> {
        let (extension, bytes) =
            self.named(row, |package, body| match package.texture_content(body)? {
                TextureContent::Source(facts, payload) => facts.file(payload),
                TextureContent::Texels(picture) => picture.file(),
            })?;
        Ok((extension.to_owned(), bytes))
    }

    /// The same as pixels.
    pub(in crate::content) fn ue4_texture_image(&self, row: usize) -> Result<Image> {
        self.named(row, |package, body| match package.texture_content(body)? {
            TextureContent::Source(facts, payload) => facts.image(&payload),
            TextureContent::Texels(picture) => picture.into_image(),
        })
    }

    /// The same as a screen shows it.
    pub(in crate::content) fn ue4_texture_shown(
        &self,
        row: usize,
        size: Option<usize>,
    ) -> Result<Image> {
        self.named(row, |package, body| match size {
            Some(size) => package.size_picture(body, size)?.shown(),
            None => match package.texture_content(body)? {
                TextureContent::Source(facts, payload) => facts.shown(&payload),
                TextureContent::Texels(picture) => picture.shown(),
            },
        })
    }

    /// Width and height of its cooked sizes.
    pub(in crate::content) fn ue4_texture_sizes(&self, row: usize) -> Result<Vec<(u32, u32)>> {
        let decoded = self.decode(row)?;
        let mips = texels(&decoded.body).map(|data| data.mips.as_slice()).unwrap_or_default();
        let side = |side: i32| u32::try_from(side).unwrap_or(0);
        Ok(mips.iter().map(|mip| (side(mip.size_x), side(mip.size_y))).collect())
    }

    /// One of its cooked sizes as pixels.
    pub(in crate::content) fn ue4_texture_size_image(
        &self,
        row: usize,
        size: usize,
    ) -> Result<Image> {
        self.named(row, |package, body| package.size_picture(body, size)?.into_image())
    }

    /// The same as a file with its extension.
    pub(in crate::content) fn ue4_texture_size_file(
        &self,
        row: usize,
        size: usize,
    ) -> Result<(String, Vec<u8>)> {
        let (extension, bytes) =
            self.named(row, |package, body| package.size_picture(body, size)?.file())?;
        Ok((extension.to_owned(), bytes))
    }

    fn size_picture(&self, body: &Body, size: usize) -> Result<Picture> {
        let found = texels(body).and_then(|data| Some((data, data.mips.get(size)?)));
        let (data, mip) = found.ok_or_else(|| Error::invalid(format!("has no size {size}")))?;
        let format = data.format.text(self.source())?;
        pixel_format::decode(&format, sides(mip), &payload(self, &mip.bulk)?.0)
    }

    /// A cooked texture as a DDS file.
    pub(in crate::content) fn ue4_texture_dds(&self, row: usize) -> Result<Vec<u8>> {
        self.named(row, |package, body| {
            let data = texels(body).ok_or_else(|| {
                Error::invalid(
                    "is no cooked texture of UE4 or UE5, whose texels a DDS file can hold",
                )
            })?;
            if data.virtual_data.is_some() {
                return Err(Error::invalid(
                    "is a virtual texture, whose tiles no DDS file can hold",
                ));
            }
            let format = data.format.text(package.source())?;
            let mut missing = None;
            let mut sizes = Vec::new();
            let mut largest = None;
            for mip in &data.mips {
                match payload(package, &mip.bulk) {
                    Ok((bytes, _)) => {
                        if largest.is_none() {
                            let size = slice_sides(mip);
                            let slices = slice_count(&format, size, &bytes)?;
                            let slices = u32::try_from(slices).unwrap_or(u32::MAX);
                            let class = package.short_class(row);
                            largest = Some((TextureShape::of_class(&class, slices)?, size));
                        }
                        sizes.push(bytes);
                    }
                    // A file begins with the largest size that is here, and misses none below.
                    Err(why) if largest.is_none() => missing = missing.or(Some(why)),
                    Err(_) => break,
                }
            }
            match largest {
                Some((shape, size)) => dds::file(&format, shape, size, &sizes),
                None => Err(missing.unwrap_or_else(|| Error::invalid("has no mips"))),
            }
        })
    }

    /// Runs `work` on the body of an export; errors say which it is.
    pub(in crate::content) fn named<T>(
        &self,
        row: usize,
        work: impl FnOnce(&Self, &Body) -> Result<T>,
    ) -> Result<T> {
        let decoded = self.decode(row)?;
        work(self, &decoded.body).map_err(|why| {
            let path = self.exports().path(row);
            match &decoded.error {
                Some(error) => Error::invalid(format!("{path} is not decoded: {error}")),
                None => Error::invalid(format!("{path}: {why}")),
            }
        })
    }

    /// The note on a cooked texture whose largest sizes are not here.
    pub(in crate::content) fn missing_sizes(&self, row: usize) -> Result<Option<String>> {
        let decoded = self.decode(row)?;
        let Some(data) = texels(&decoded.body) else { return Ok(None) };
        if let Some(layers @ 2..) = data.virtual_data.as_ref().map(|tiles| tiles.layers) {
            return Ok(Some(format!("only the first of {layers} layers")));
        }
        let mips = &data.mips;
        let here = mips.iter().position(|mip| payload(self, &mip.bulk).is_ok());
        let Some((first, here)) = mips.first().zip(here.and_then(|at| mips.get(at))) else {
            return Ok(None);
        };
        if std::ptr::eq(first, here) {
            return Ok(None);
        }
        let why = payload(self, &first.bulk).err().map(|why| why.to_string()).unwrap_or_default();
        let (wide, high) = (here.size_x, here.size_y);
        let (x, y) = (first.size_x, first.size_y);
        Ok(Some(format!("only {wide} by {high} of {x} by {y} texels: {why}")))
    }

    fn texture_content(&self, body: &Body) -> Result<TextureContent> {
        let texture =
            base(body).ok_or_else(|| Error::invalid("is no texture that can be decoded"))?;
        if let Some(data) = texels(body) {
            return self.texels_of(data).map(TextureContent::Texels);
        }
        if !texture.strip.has_editor_data() {
            return Err(Error::invalid("has no texels: the game computes it"));
        }
        let payload = match texture.editor_source.payload_size {
            0 => payload(self, &texture.source)?.0,
            _ => editor_payload(self, &texture.editor_source)?.0,
        };
        if payload.is_empty() {
            return Err(Error::invalid("has no texels: the game computes it"));
        }
        match source_list(self, body) {
            Some(list) => Ok(TextureContent::Source(SourceFacts::read(self, list), payload)),
            None => Err(Error::invalid("does not say how its source is stored")),
        }
    }

    /// The largest size that is here.
    fn texels_of(&self, data: &PlatformData) -> Result<Picture> {
        let format = data.format.text(self.source())?;
        let mut missing = None;
        for mip in &data.mips {
            match payload(self, &mip.bulk) {
                Ok((bytes, _)) => return pixel_format::decode(&format, sides(mip), &bytes),
                Err(why) => missing = missing.or(Some(why)),
            }
        }
        if let Some(tiles) = &data.virtual_data {
            return self.tiles_of(tiles);
        }
        Err(missing.unwrap_or_else(|| Error::invalid("has no mips")))
    }
}
