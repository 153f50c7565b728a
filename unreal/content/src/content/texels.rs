//! Pixels to stored texels and back.

use ::dds::Format;

use super::mips::Changes;
use super::quantize::PALETTE_SIZE;
use super::{Image, Pixels, blocks};
use crate::error::{Error, Result, UnrealErrors};
use crate::object::TextureFormat;

/// The picture that stored texels show; a palette where they are indices. Normals show X as red and Y as
/// green, 128 being zero.
///
/// # Errors
/// `Invalid` when the number of bytes is not that of a picture of this size.
pub(super) fn decode(
    format: TextureFormat,
    (width, height): (u32, u32),
    bytes: &[u8],
    palette: &[[u8; 4]],
) -> Result<Image> {
    let size = format.data_size(width, height);
    if bytes.len() as u64 != size {
        let count = bytes.len();
        let shape = format!("{width} by {height} texels of {format} take {size}");
        return Err(Error::invalid(format!("{count} bytes of texels where {shape}")));
    }
    let pixels = match format {
        TextureFormat::P8 => {
            let mut palette = palette.to_vec();
            palette.resize(PALETTE_SIZE, [0, 0, 0, 255]);
            Pixels::Indexed { indices: bytes.to_vec(), palette }
        }
        TextureFormat::G8 => Pixels::Gray(bytes.to_vec()),
        TextureFormat::G16 => {
            let (pairs, _) = bytes.as_chunks::<2>();
            Pixels::Gray16(pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect())
        }
        TextureFormat::V8U8 => {
            let (pairs, _) = bytes.as_chunks::<2>();
            let signed = |byte: u8| byte ^ 0x80;
            Pixels::Rgba(pairs.iter().map(|&[x, y]| [signed(x), signed(y), 255, 255]).collect())
        }
        TextureFormat::Rgba8 => Pixels::Rgba(
            bytes.as_chunks::<4>().0.iter().map(|&[b, g, r, a]| [r, g, b, a]).collect(),
        ),
        TextureFormat::Dxt1 | TextureFormat::Dxt3 | TextureFormat::Dxt5 => {
            Pixels::Rgba(blocks::decode(block_format(format), (width, height), bytes)?)
        }
        other => return Err(Error::unsupported(format!("texels of {other}"))),
    };
    Image::new(width, height, pixels)
}

fn block_format(format: TextureFormat) -> Format {
    match format {
        TextureFormat::Dxt1 => Format::BC1_UNORM,
        TextureFormat::Dxt3 => Format::BC2_UNORM,
        _ => Format::BC3_UNORM,
    }
}

/// The stored texels of a picture; where `old` has those of another one, only what changed is made anew
/// (whole blocks, where there are blocks).
///
/// # Errors
/// `Invalid` when the picture is of another kind than the format.
pub(super) fn encode(
    format: TextureFormat,
    image: &Image,
    old: Option<(&[u8], &Changes)>,
) -> Result<Vec<u8>> {
    let bytes = match (format, image.pixels()) {
        (TextureFormat::P8, Pixels::Indexed { indices, .. }) => indices.clone(),
        (TextureFormat::G8, Pixels::Gray(levels)) => levels.clone(),
        (TextureFormat::G16, Pixels::Gray16(levels)) => {
            levels.iter().flat_map(|level| level.to_le_bytes()).collect()
        }
        (TextureFormat::Rgba8, Pixels::Rgba(pixels)) => {
            pixels.iter().flat_map(|&[r, g, b, a]| [b, g, r, a]).collect()
        }
        (TextureFormat::V8U8, Pixels::Rgba(pixels)) => {
            pixels.iter().flat_map(|&[x, y, ..]| [x ^ 0x80, y ^ 0x80]).collect()
        }
        (_, Pixels::Rgba(pixels)) if format.block_size().is_some() => {
            let sides = (image.width(), image.height());
            blocks::encode(block_format(format), sides, pixels, old)?
        }
        _ => {
            return Err(Error::invalid(format!("a picture of another kind can't become {format}")));
        }
    };
    Ok(bytes)
}

/// The picture in the kind of pixels that the format stores; palettes are made elsewhere.
pub(super) fn as_stored(format: TextureFormat, image: &Image) -> Result<Image> {
    let pixels = match (format, image.pixels()) {
        (TextureFormat::G8, Pixels::Gray(_)) | (TextureFormat::G16, Pixels::Gray16(_)) => {
            return Ok(image.clone());
        }
        (TextureFormat::G8 | TextureFormat::G16, _) => {
            let colors = image.to_rgba();
            if !colors.iter().all(|c| c[0] == c[1] && c[1] == c[2]) {
                return Err(Error::invalid(format!(
                    "a picture with colours can't become {format}"
                )));
            }
            let levels = colors.iter().map(|color| color[0]);
            match format {
                TextureFormat::G8 => Pixels::Gray(levels.collect()),
                // 255 becomes 65535.
                _ => Pixels::Gray16(levels.map(|level| u16::from(level) * 257).collect()),
            }
        }
        (TextureFormat::V8U8, _) => {
            let pixels = image.to_rgba();
            Pixels::Rgba(pixels.iter().map(|&[x, y, ..]| [x, y, 255, 255]).collect())
        }
        _ => Pixels::Rgba(image.to_rgba()),
    };
    Image::new(image.width(), image.height(), pixels)
}
