//! Textures: what they are and what they show.

use crate::content::Contents;
use crate::inspect::texels;
use std::path::Path;

use super::Image;
use super::console_order::ConsoleOrder;
use super::texels::decode;
use super::texture_mips::{self, Mip};
use super::texture_shape::TextureShape;
use super::values::value;
use crate::error::{Error, Result, UnrealErrors};
use crate::object::{Body, TextureFormat, ue1};
use crate::package::native_as;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::Value;
use crate::version::{ByteOrder, EngineFacts};

/// Facts about a texture besides its pixels.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextureFacts {
    /// How its texels are stored.
    pub format: TextureFormat,
    /// Width of the largest size, texels.
    pub width: u32,
    /// Height of the largest size, texels.
    pub height: u32,
    /// Number of sizes.
    pub mips: usize,
    /// Texels of palette index 0 are transparent. C++: `bMasked`.
    pub masked: bool,
    /// The object that holds its colours; null where it has none.
    pub palette: PackageIndex,
    /// How texels lie, where that is not by rows as on a PC.
    pub(super) console: Option<ConsoleOrder>,
}

impl TextureFacts {
    /// Refuses what would be stored in the order of a PC.
    pub(super) fn refuse_consoles(&self) -> Result<()> {
        match self.console {
            None => Ok(()),
            Some(_) => Err(Error::unsupported(
                "textures of consoles come out as pictures, and take no others",
            )),
        }
    }
}

impl Contents<'_> {
    /// Facts about a texture besides its pixels.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for what is no texture, has no mips or an unknown format.
    pub fn texture_facts(&self, row: usize) -> Result<TextureFacts> {
        let decoded = self.decode(row)?;
        self.facts_of(row, &decoded.body).map(|(facts, _)| facts)
    }

    /// The picture that a texture shows at its largest size. Textures with a palette give indices; the
    /// colour of index 0 is transparent where the texture is masked.
    ///
    /// # Errors
    /// As [`Contents::texture_facts`](crate::content::Contents::texture_facts); `Invalid` when the texels are not here or do not fit the size.
    pub fn texture_image(&self, row: usize) -> Result<Image> {
        self.texture_image_beside(row, &[])
    }

    /// The same with the texels that stand in companion files (`.tfc`) in these folders.
    ///
    /// # Errors
    /// As [`Contents::texture_image`](crate::content::Contents::texture_image) and [`texels`].
    pub fn texture_image_beside(&self, row: usize, folders: &[&Path]) -> Result<Image> {
        let decoded = self.decode(row)?;
        if texture_mips::mips(&decoded.body.native).is_none() {
            return self.ue4_texture_image(row);
        }
        let (facts, mips) = self.facts_of(row, &decoded.body)?;
        let why = match mips.first().map(|mip| mip.texels.as_ref()) {
            Some(Some(texels)) if !texels.is_empty() => {
                return self.picture(row, &facts, texels.bytes(self.source())?);
            }
            // Packed, or in a companion file.
            Some(None) => {
                let texels = texels(self, row, 0, folders)?;
                return self.picture(row, &facts, &texels.bytes);
            }
            _ => "has no texels: the game computes it",
        };
        Err(Error::invalid(format!("{}: {why}", self.exports().path(row))))
    }

    /// The same with texels from elsewhere: those of the largest size, where they stand in a companion
    /// file or are packed.
    ///
    /// # Errors
    /// As [`Contents::texture_image`](crate::content::Contents::texture_image).
    pub fn texture_image_of(&self, row: usize, texels: &[u8]) -> Result<Image> {
        let decoded = self.decode(row)?;
        let (facts, _) = self.facts_of(row, &decoded.body)?;
        self.picture(row, &facts, texels)
    }

    /// A texture as a DDS file: the texels of all its sizes that are here, as they are stored. Cubes, arrays and volumes
    /// of UE4 and UE5 become such files.
    ///
    /// # Errors
    /// `Invalid` for textures with palettes, for those of UE4 and UE5 that are not cooked or virtual, and for formats
    /// that DDS files do not have; [`texels`] for what is not here.
    pub fn texture_dds(&self, row: usize, folders: &[&Path]) -> Result<Vec<u8>> {
        let decoded = self.decode(row)?;
        if texture_mips::mips(&decoded.body.native).is_none() {
            return self.ue4_texture_dds(row);
        }
        let (facts, mips) = self.facts_of(row, &decoded.body)?;
        let about = |why: Error| Error::invalid(format!("{}: {why}", self.exports().path(row)));
        facts.refuse_consoles().map_err(about)?;
        let name = dds_format(facts.format).map_err(about)?;
        let mut sizes = Vec::with_capacity(mips.len());
        for (size, mip) in mips.iter().enumerate() {
            let bytes = match &mip.texels {
                Some(texels) => texels.bytes(self.source())?.to_vec(),
                None => texels(self, row, size, folders)?.bytes,
            };
            // The smallest may be left out.
            if bytes.is_empty() && size > 0 {
                break;
            }
            sizes.push(bytes);
        }
        super::dds::file(name, TextureShape::Flat, (facts.width, facts.height), &sizes)
            .map_err(about)
    }

    pub(super) fn picture(&self, row: usize, facts: &TextureFacts, texels: &[u8]) -> Result<Image> {
        let palette = self.colors_of(facts)?;
        let size = (facts.width, facts.height);
        let made = match facts.console {
            None => decode(facts.format, size, texels, &palette),
            Some(order) => order
                .in_rows(facts.format, size, texels)
                .and_then(|texels| decode(facts.format, size, &texels, &palette)),
        };
        made.map_err(|why| Error::invalid(format!("{}: {why}", self.exports().path(row))))
    }

    pub(super) fn facts_of(&self, row: usize, body: &Body) -> Result<(TextureFacts, Vec<Mip>)> {
        let path = self.exports().path(row);
        let Some(mips) = texture_mips::mips(&body.native) else {
            return Err(Error::invalid(format!("{path} is no texture that can be decoded")));
        };
        let format = self.format_of(body).map_err(|what| {
            Error::invalid(format!("{path} has the texel format {what}, which is not known here"))
        })?;
        let is_console = self.versions().byte_order == ByteOrder::Big;
        let console = is_console.then(|| {
            let order = ConsoleOrder::of(format, &texture_mips::stored_sizes(&body.native));
            order.map_err(|why| Error::invalid(format!("{path}: {why}")))
        });
        let first = mips.first().ok_or_else(|| Error::invalid(format!("{path} has no mips")))?;
        let list = body.properties.as_ref();
        let get = |name| list.and_then(|list| value(self, list, name));
        let facts = TextureFacts {
            format,
            width: first.width,
            height: first.height,
            mips: mips.len(),
            masked: matches!(get("bMasked"), Some(Value::Bool(true))),
            palette: match get("Palette") {
                Some(Value::Object(index)) => *index,
                _ => PackageIndex::NULL,
            },
            console: console.transpose()?,
        };
        Ok((facts, mips))
    }

    /// The format, or what is said instead of a known one.
    fn format_of(&self, body: &Body) -> Result<TextureFormat, String> {
        let list = body.properties.as_ref();
        match list.and_then(|list| value(self, list, "Format")) {
            Some(Value::Byte(number)) => TextureFormat::of_number(*number, self.versions())
                .ok_or_else(|| format!("number {number}")),
            Some(Value::Name(name)) => {
                let text = self.name_text(*name);
                TextureFormat::of_pixel_format(&text).ok_or(text)
            }
            _ if self.versions().has_bulk_content() => Err("of its class".to_owned()),
            _ => Ok(TextureFormat::P8),
        }
    }

    /// The colours of a texture's palette: opaque, but for index 0 where the texture is masked. A ramp
    /// of grays where the palette is in another package.
    pub(super) fn colors_of(&self, facts: &TextureFacts) -> Result<Vec<[u8; 4]>> {
        if facts.format != TextureFormat::P8 {
            return Ok(Vec::new());
        }
        let mut colors: Vec<[u8; 4]> = match self.palette_row(facts) {
            Some(row) => {
                let decoded = self.decode(row)?;
                let palette = native_as::<ue1::Palette>(&decoded.body);
                let colors = palette.map(|palette| palette.colors.as_slice()).unwrap_or_default();
                colors.iter().map(|color| opaque(color.bytes)).collect()
            }
            None => (0..=255).map(|level| [level, level, level, 255]).collect(),
        };
        colors.truncate(super::quantize::PALETTE_SIZE);
        if let Some(first) = colors.first_mut().filter(|_| facts.masked) {
            first[3] = 0;
        }
        Ok(colors)
    }

    /// The row of a texture's palette, where it is in this package.
    pub(super) fn palette_row(&self, facts: &TextureFacts) -> Option<usize> {
        match facts.palette.target() {
            ObjectRef::Export(row) if row < self.exports().len() => Some(row),
            _ => None,
        }
    }
}

/// The engine's name of a format whose texels DDS files hold as they are.
pub(super) fn dds_format(format: TextureFormat) -> Result<&'static str> {
    Ok(match format {
        TextureFormat::Dxt1 => "PF_DXT1",
        TextureFormat::Dxt3 => "PF_DXT3",
        TextureFormat::Dxt5 => "PF_DXT5",
        TextureFormat::Rgba8 => "PF_B8G8R8A8",
        TextureFormat::G8 => "PF_G8",
        TextureFormat::G16 => "PF_G16",
        other => {
            return Err(Error::invalid(format!("DDS files have no texels of the format {other}")));
        }
    })
}

fn opaque(color: [u8; 4]) -> [u8; 4] {
    [color[0], color[1], color[2], 255]
}
