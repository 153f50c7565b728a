//! Textures as files.

use super::picture::Picture;
use super::pixel_format;
use super::source_art::SourceFacts;
use crate::content::{Contents, Image};
use crate::error::{Error, Result};
use crate::inspect::{editor_payload, payload};
use crate::object::Body;
use crate::object::ue4::asset::platform_data::PlatformData;
use crate::object::ue4::asset::texture::{ImageTexture, LightMapTexture2D, Texture};
use crate::package::native_as;
use crate::property::Value;

/// The texture of a body, if it is one with texels.
pub(super) fn of(body: &Body) -> Option<&ImageTexture> {
    let image = native_as::<ImageTexture>(body);
    image.or_else(|| native_as::<LightMapTexture2D>(body).map(|map| &map.base))
}

fn base(body: &Body) -> Option<&Texture> {
    of(body).map(|texture| &texture.base).or_else(|| native_as(body))
}

/// Whether there is a picture that the texture was imported from: media and render targets have none.
pub(super) fn has_source(body: &Body) -> bool {
    base(body).is_some_and(|texture| {
        texture.source.size_on_disk > 0 || texture.editor_source.payload_size > 0
    })
}

/// What a texture holds.
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

    /// Width and height of its cooked sizes.
    pub(in crate::content) fn ue4_texture_sizes(&self, row: usize) -> Result<Vec<(u32, u32)>> {
        let decoded = self.decode(row)?;
        let platform = of(&decoded.body).and_then(|texture| texture.platforms.platforms.first());
        let mips = platform.map(|platform| platform.data.mips.as_slice()).unwrap_or_default();
        let side = |side: i32| u32::try_from(side).unwrap_or(0);
        Ok(mips.iter().map(|mip| (side(mip.size_x), side(mip.size_y))).collect())
    }

    /// One of its cooked sizes as pixels.
    pub(in crate::content) fn ue4_texture_size_image(
        &self,
        row: usize,
        size: usize,
    ) -> Result<Image> {
        self.named(row, |package, body| {
            let platform = of(body).and_then(|texture| texture.platforms.platforms.first());
            let data = platform.map(|platform| &platform.data);
            let found = data.and_then(|data| Some((data, data.mips.get(size)?)));
            let (data, mip) = found.ok_or_else(|| Error::invalid(format!("has no size {size}")))?;
            let side = |side: i32| u32::try_from(side).unwrap_or(0);
            let format = data.format.text(package.source())?;
            let sides = (side(mip.size_x), side(mip.size_y));
            pixel_format::decode(&format, sides, &payload(package, &mip.bulk)?.0)?.into_image()
        })
    }

    /// Runs `work` on the body of an export; errors say which it is.
    pub(super) fn named<T>(
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

    /// What is said of a cooked texture whose largest sizes are not here.
    pub(in crate::content) fn missing_sizes(&self, row: usize) -> Result<Option<String>> {
        let decoded = self.decode(row)?;
        let platform = of(&decoded.body).and_then(|texture| texture.platforms.platforms.first());
        let Some(mips) = platform.map(|platform| &platform.data.mips) else { return Ok(None) };
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
        let platform = of(body).and_then(|texture| texture.platforms.platforms.first());
        if let Some(platform) = platform {
            return self.texels_of(&platform.data).map(TextureContent::Texels);
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
        let list = body.prologue.as_deref();
        let context = self.context();
        match list.and_then(|list| list.properties.value("Source", &context)) {
            Some(Value::List(list)) => {
                Ok(TextureContent::Source(SourceFacts::read(self, list), payload))
            }
            _ => Err(Error::invalid("does not say how its source is stored")),
        }
    }

    /// The largest size that is here.
    fn texels_of(&self, data: &PlatformData) -> Result<Picture> {
        let format = data.format.text(self.source())?;
        let mut missing = None;
        for mip in &data.mips {
            let side = |side: i32| u32::try_from(side).unwrap_or(0);
            match payload(self, &mip.bulk) {
                Ok((bytes, _)) => {
                    return pixel_format::decode(
                        &format,
                        (side(mip.size_x), side(mip.size_y)),
                        &bytes,
                    );
                }
                Err(why) => missing = missing.or(Some(why)),
            }
        }
        Err(missing.unwrap_or_else(|| Error::invalid("has no mips")))
    }
}
