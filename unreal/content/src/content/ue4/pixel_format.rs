//! Texels of textures to pixels.

use ::dds::Format;

use super::picture::{Picture, Plain, plain};
use super::raster::{Raster, RasterTexels};
use crate::content::etc::EtcFormat;
use crate::content::{Image, Pixels, blocks};
use crate::error::{Error, Result};

/// No texture of these engines is wider.
const LARGEST_SIDE: u32 = 16_384;
/// Pixels of all slices together that are decoded.
const LARGEST_AREA: u64 = 1 << 27;

/// How texels are stored.
#[derive(Debug, Clone, Copy)]
pub(super) enum TexelLayout {
    Plain(Plain),
    /// Blocks of texels.
    Blocks(Format),
    /// Blocks of texels with colours without bounds.
    FloatBlocks(Format),
    /// Blocks of texels, as phones have them.
    Etc(EtcFormat),
}

/// The names of formats: those of cooked texels, then those of sources. C++: `EPixelFormat`, `ETextureSourceFormat`.
const FORMATS: &[(&str, TexelLayout)] = &[
    ("PF_B8G8R8A8", TexelLayout::Plain(Plain::Bgra8)),
    ("PF_R8G8B8A8", TexelLayout::Plain(Plain::Rgba8)),
    ("PF_G8", TexelLayout::Plain(Plain::Gray8)),
    ("PF_A8", TexelLayout::Plain(Plain::Gray8)),
    ("PF_L8", TexelLayout::Plain(Plain::Gray8)),
    ("PF_R8", TexelLayout::Plain(Plain::Gray8)),
    ("PF_G16", TexelLayout::Plain(Plain::Gray16)),
    ("PF_R8G8", TexelLayout::Plain(Plain::Rg8)),
    ("PF_V8U8", TexelLayout::Plain(Plain::SignedRg8)),
    ("PF_A16B16G16R16", TexelLayout::Plain(Plain::Rgba16)),
    ("PF_R16G16B16A16_UNORM", TexelLayout::Plain(Plain::Rgba16)),
    ("PF_FloatRGBA", TexelLayout::Plain(Plain::RgbaHalf)),
    ("PF_R16F", TexelLayout::Plain(Plain::RedHalf)),
    ("PF_R32_FLOAT", TexelLayout::Plain(Plain::RedFloat)),
    ("PF_A32B32G32R32F", TexelLayout::Plain(Plain::RgbaFloat)),
    ("PF_DXT1", TexelLayout::Blocks(Format::BC1_UNORM)),
    ("PF_DXT3", TexelLayout::Blocks(Format::BC2_UNORM)),
    ("PF_DXT5", TexelLayout::Blocks(Format::BC3_UNORM)),
    ("PF_BC4", TexelLayout::Blocks(Format::BC4_UNORM)),
    ("PF_BC5", TexelLayout::Blocks(Format::BC5_UNORM)),
    ("PF_BC6H", TexelLayout::FloatBlocks(Format::BC6H_UF16)),
    ("PF_BC7", TexelLayout::Blocks(Format::BC7_UNORM)),
    ("PF_ASTC_4x4", TexelLayout::Blocks(Format::ASTC_4X4_UNORM)),
    ("PF_ASTC_6x6", TexelLayout::Blocks(Format::ASTC_6X6_UNORM)),
    ("PF_ASTC_8x8", TexelLayout::Blocks(Format::ASTC_8X8_UNORM)),
    ("PF_ASTC_10x10", TexelLayout::Blocks(Format::ASTC_10X10_UNORM)),
    ("PF_ASTC_12x12", TexelLayout::Blocks(Format::ASTC_12X12_UNORM)),
    ("PF_ETC1", TexelLayout::Etc(EtcFormat::Rgb)),
    ("PF_ETC2_RGB", TexelLayout::Etc(EtcFormat::Rgb)),
    ("PF_ETC2_RGBA", TexelLayout::Etc(EtcFormat::Rgba)),
    ("PF_ETC2_R11_EAC", TexelLayout::Etc(EtcFormat::R11)),
    ("PF_ETC2_RG11_EAC", TexelLayout::Etc(EtcFormat::Rg11)),
    ("TSF_G8", TexelLayout::Plain(Plain::Gray8)),
    ("TSF_G16", TexelLayout::Plain(Plain::Gray16)),
    ("TSF_BGRA8", TexelLayout::Plain(Plain::Bgra8)),
    ("TSF_BGRA8_DEPRECATED", TexelLayout::Plain(Plain::Bgra8)),
    ("TSF_RGBA8", TexelLayout::Plain(Plain::Rgba8)),
    ("TSF_RGBA8_DEPRECATED", TexelLayout::Plain(Plain::Rgba8)),
    ("TSF_BGRE8", TexelLayout::Plain(Plain::Bgre8)),
    ("TSF_RGBA16", TexelLayout::Plain(Plain::Rgba16)),
    ("TSF_RGBA16F", TexelLayout::Plain(Plain::RgbaHalf)),
    ("TSF_R16F", TexelLayout::Plain(Plain::RedHalf)),
    ("TSF_R32F", TexelLayout::Plain(Plain::RedFloat)),
    ("TSF_RGBA32F", TexelLayout::Plain(Plain::RgbaFloat)),
];

/// Whether texels of a format are stored in blocks.
pub(super) fn has_blocks(format: &str) -> bool {
    let layout = layout_of(format);
    matches!(layout, Ok(TexelLayout::Blocks(_) | TexelLayout::FloatBlocks(_) | TexelLayout::Etc(_)))
}

/// X and Y of a normal; its length of one tells Z.
fn with_z([x, y, ..]: [u8; 4]) -> [u8; 4] {
    let part = |byte: u8| f32::from(byte) / 127.5 - 1.0;
    let z = (1.0 - part(x).powi(2) - part(y).powi(2)).max(0.0).sqrt();
    [x, y, ((z + 1.0) * 127.5).round() as u8, 255]
}

/// One channel, as gray.
fn as_gray([red, ..]: [u8; 4]) -> [u8; 4] {
    [red, red, red, 255]
}

/// Gives a picture what decoding makes of the channels that the format has: the others are no change.
pub(super) fn canonical(format: &str, picture: &mut Raster) {
    let layout = layout_of(format);
    let texels = match &mut picture.texels {
        RasterTexels::Bytes(texels) => texels,
        RasterTexels::Wide(texels) => {
            if matches!(layout, Ok(TexelLayout::Plain(Plain::Gray16))) {
                texels.iter_mut().for_each(|texel| texel[3] = u16::MAX);
            }
            return;
        }
        RasterTexels::Float(texels) => {
            if matches!(layout, Ok(TexelLayout::Plain(Plain::RedHalf | Plain::RedFloat))) {
                texels.iter_mut().for_each(|texel| *texel = [texel[0], texel[0], texel[0], 1.0]);
            }
            return;
        }
    };
    match layout {
        Ok(TexelLayout::Blocks(Format::BC5_UNORM)) => {
            texels.iter_mut().for_each(|texel| *texel = with_z(*texel));
        }
        Ok(TexelLayout::Plain(Plain::Rg8)) => {
            texels.iter_mut().for_each(|[_, _, blue, alpha]| (*blue, *alpha) = (0, 255));
        }
        Ok(TexelLayout::Plain(Plain::SignedRg8)) => {
            texels.iter_mut().for_each(|[_, _, blue, alpha]| (*blue, *alpha) = (255, 255));
        }
        Ok(TexelLayout::Plain(Plain::Gray8) | TexelLayout::Blocks(Format::BC4_UNORM)) => {
            texels.iter_mut().for_each(|texel| texel[3] = 255)
        }
        _ => {}
    }
}

/// How the texels of a format are stored.
///
/// # Errors
/// `Invalid` for a format that is not decoded here, with its name.
pub(super) fn layout_of(format: &str) -> Result<TexelLayout> {
    let known = FORMATS.iter().find(|(name, _)| name.eq_ignore_ascii_case(format));
    known.map(|&(_, layout)| layout).ok_or_else(|| {
        Error::invalid(format!("texels of the format {format} can't be decoded here"))
    })
}

/// Bytes of the texels of one slice.
fn slice_size(layout: TexelLayout, (width, height): (u32, u32)) -> u64 {
    match layout {
        TexelLayout::Plain(plain) => u64::from(width) * u64::from(height) * plain.size() as u64,
        TexelLayout::Blocks(kind) | TexelLayout::FloatBlocks(kind) => {
            blocks::data_size(kind, (width, height))
        }
        TexelLayout::Etc(kind) => kind.data_size((width, height)),
    }
}

/// Bytes of the texels of a picture of this size.
///
/// # Errors
/// `Invalid` for a format that is not decoded here, with its name.
pub(super) fn byte_size(format: &str, size: (u32, u32)) -> Result<u64> {
    Ok(slice_size(layout_of(format)?, size))
}

/// How many slices texels are of.
///
/// # Errors
/// As [`decode`].
pub(super) fn slice_count(format: &str, size: (u32, u32), bytes: &[u8]) -> Result<usize> {
    let slice = slice_size(layout_of(format)?, size);
    let count = (bytes.len() as u64).checked_div(slice).filter(|count| *count > 0);
    let count = count.filter(|count| count * slice == bytes.len() as u64).ok_or_else(|| {
        let (length, (width, height)) = (bytes.len(), size);
        let shape = format!("{width} by {height} texels of {format} take {slice}");
        Error::invalid(format!("{length} bytes of texels where {shape}"))
    })?;
    usize::try_from(count).map_err(|_| Error::invalid("the texture is larger than memory"))
}

/// The picture that texels show; slices of cubes, volumes and arrays stand below each other.
///
/// # Errors
/// `Invalid` for a format that is not decoded here, with its name, and when the number of bytes is not
/// that of whole slices.
pub(super) fn decode(format: &str, (width, height): (u32, u32), bytes: &[u8]) -> Result<Picture> {
    let layout = layout_of(format)?;
    let slice = slice_size(layout, (width, height));
    let length = bytes.len() as u64;
    let slices = length.checked_div(slice).unwrap_or(0);
    let area = u64::from(width) * u64::from(height) * slices;
    if slices == 0 || slice * slices != length || width > LARGEST_SIDE || area > LARGEST_AREA {
        let shape = format!("{width} by {height} texels of {format} take {slice}");
        return Err(Error::invalid(format!("{length} bytes of texels where {shape}")));
    }
    let each = bytes.chunks_exact(slice as usize);
    match layout {
        TexelLayout::Plain(layout) => plain(layout, width, bytes),
        TexelLayout::Blocks(kind) => {
            let mut pixels = Vec::with_capacity(area as usize);
            for slice in each {
                pixels.extend(blocks::decode(kind, (width, height), slice)?);
            }
            match kind {
                Format::BC4_UNORM => pixels.iter_mut().for_each(|texel| *texel = as_gray(*texel)),
                Format::BC5_UNORM => pixels.iter_mut().for_each(|texel| *texel = with_z(*texel)),
                _ => {}
            }
            let rows = height.saturating_mul(slices as u32);
            Image::new(width, rows, Pixels::Rgba(pixels)).map(Picture::Image)
        }
        TexelLayout::Etc(kind) => {
            let mut pixels = Vec::with_capacity(area as usize);
            for slice in each {
                pixels.extend(kind.decode((width, height), slice));
            }
            if kind == EtcFormat::Rg11 {
                pixels.iter_mut().for_each(|texel| *texel = with_z(*texel));
            }
            let rows = height.saturating_mul(slices as u32);
            Image::new(width, rows, Pixels::Rgba(pixels)).map(Picture::Image)
        }
        TexelLayout::FloatBlocks(kind) => {
            let mut pixels = Vec::with_capacity(area as usize);
            for slice in each {
                pixels.extend(blocks::decode_float(kind, (width, height), slice)?);
            }
            Ok(Picture::Float(width, pixels))
        }
    }
}
