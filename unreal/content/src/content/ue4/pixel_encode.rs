//! Pixels to texels of cooked textures.

use ::dds::Format;
use half::f16;

use super::picture::Plain;
use super::pixel_format::{TexelLayout, layout_of};
use super::raster::{Raster, RasterTexels};
use crate::content::blocks;
use crate::content::mips::Changes;
use crate::error::{Error, Result, UnrealErrors};

/// The texels of a picture. Texels that have not changed, and blocks without a changed pixel, stay as they stand in
/// `old`, the texels of a picture of the same size; all are made without it.
///
/// # Errors
/// `Invalid` for a format that is not encoded here, with what to do instead, and for colours where the format has
/// none.
pub(super) fn encode(
    format: &str,
    picture: &Raster,
    old: Option<(&[u8], &Changes)>,
) -> Result<Vec<u8>> {
    let layout = layout_of(format)?;
    match layout {
        TexelLayout::Plain(layout) => encode_plain(layout, format, picture, old),
        TexelLayout::Blocks(kind) if is_made(kind) => {
            let RasterTexels::Bytes(texels) = &picture.texels else {
                return Err(Error::invalid(format!("{format} has 8 bits a channel")));
            };
            if kind == Format::BC4_UNORM {
                refuse_colors(format, picture, old.map(|(_, changes)| changes))?;
            }
            blocks::encode(kind, (picture.width, picture.height), texels, old)
        }
        TexelLayout::Etc(_) => Err(Error::unsupported(format!(
            "texels of {format} can be decoded, not made: a texture of another format takes the picture"
        ))),
        TexelLayout::Blocks(_) | TexelLayout::FloatBlocks(_) => Err(Error::unsupported(format!(
            "texels of {format} can be decoded, not made: a DDS file with texels of this format goes in as it is"
        ))),
    }
}

/// The same where something may have changed; without a change the texels stay, also those that are not made here.
pub(super) fn encode_part(
    format: &str,
    picture: &Raster,
    (old, changes): (&[u8], &Changes),
) -> Result<Vec<u8>> {
    match changes.count() {
        0 => Ok(old.to_vec()),
        _ => encode(format, picture, Some((old, changes))),
    }
}

/// Whether blocks of a format are made here.
pub(super) fn is_made(kind: Format) -> bool {
    matches!(
        kind,
        Format::BC1_UNORM
            | Format::BC2_UNORM
            | Format::BC3_UNORM
            | Format::BC4_UNORM
            | Format::BC5_UNORM
            | Format::BC7_UNORM
    )
}

/// The texels that changed are in gray.
fn refuse_colors(format: &str, picture: &Raster, changes: Option<&Changes>) -> Result<()> {
    let has = |at: usize| {
        let (x, y) = (at as u32 % picture.width.max(1), at as u32 / picture.width.max(1));
        changes.is_none_or(|changes| changes.has(x, y))
    };
    let is_gray = |r, g, b| r == g && g == b;
    let all_gray = match &picture.texels {
        RasterTexels::Bytes(texels) => {
            let mut all = texels.iter().enumerate();
            all.all(|(at, &[r, g, b, _])| is_gray(r, g, b) || !has(at))
        }
        RasterTexels::Wide(texels) => {
            let mut all = texels.iter().enumerate();
            all.all(|(at, &[r, g, b, _])| r == g && g == b || !has(at))
        }
        RasterTexels::Float(_) => true,
    };
    match all_gray {
        true => Ok(()),
        false => {
            let why =
                format!("a picture with colours can't become {format}, which has one channel");
            Err(Error::invalid(why))
        }
    }
}

fn encode_plain(
    layout: Plain,
    format: &str,
    picture: &Raster,
    old: Option<(&[u8], &Changes)>,
) -> Result<Vec<u8>> {
    if matches!(layout, Plain::Gray8 | Plain::Gray16) {
        refuse_colors(format, picture, old.map(|(_, changes)| changes))?;
    }
    let (width, size) = (picture.width as usize, layout.size());
    let area = width * picture.height as usize;
    let mut bytes = match old {
        Some((old, _)) if old.len() == area * size => old.to_vec(),
        _ => vec![0; area * size],
    };
    for (at, to) in bytes.chunks_exact_mut(size).enumerate() {
        let place = ((at % width.max(1)) as u32, (at / width.max(1)) as u32);
        if old.is_none_or(|(_, changes)| changes.has(place.0, place.1)) {
            encode_texel(layout, &picture.texels, at, to).ok_or_else(|| {
                Error::invalid(format!("a picture of another depth can't become {format}"))
            })?;
        }
    }
    Ok(bytes)
}

/// Writes one texel; `None` for pixels of another kind.
fn encode_texel(layout: Plain, texels: &RasterTexels, at: usize, to: &mut [u8]) -> Option<()> {
    fn put<const N: usize>(to: &mut [u8], at: usize, bytes: [u8; N]) -> Option<()> {
        to.get_mut(at * N..at * N + N)?.copy_from_slice(&bytes);
        Some(())
    }
    match texels {
        RasterTexels::Bytes(texels) => {
            let &[r, g, b, a] = texels.get(at)?;
            match layout {
                Plain::Gray8 => put(to, 0, [r]),
                Plain::Bgra8 => put(to, 0, [b, g, r, a]),
                Plain::Rgba8 => put(to, 0, [r, g, b, a]),
                Plain::Rg8 => put(to, 0, [r, g]),
                Plain::SignedRg8 => put(to, 0, [r ^ 0x80, g ^ 0x80]),
                _ => None,
            }
        }
        RasterTexels::Wide(texels) => {
            let texel = texels.get(at)?;
            match layout {
                Plain::Gray16 => put(to, 0, texel[0].to_le_bytes()),
                Plain::Rgba16 => {
                    (0..4).try_for_each(|at| put(to, at, texel[at].to_le_bytes()).ok_or(())).ok()
                }
                _ => None,
            }
        }
        RasterTexels::Float(texels) => {
            let texel = texels.get(at)?;
            let half = |part: f32| f16::from_f32(part).to_le_bytes();
            match layout {
                Plain::RedHalf => put(to, 0, half(texel[0])),
                Plain::RedFloat => put(to, 0, texel[0].to_le_bytes()),
                Plain::RgbaHalf => {
                    (0..4).try_for_each(|at| put(to, at, half(texel[at])).ok_or(())).ok()
                }
                Plain::RgbaFloat => {
                    (0..4).try_for_each(|at| put(to, at, texel[at].to_le_bytes()).ok_or(())).ok()
                }
                Plain::Bgre8 => put(to, 0, shared_exponent(texel)),
                _ => None,
            }
        }
    }
}

/// Blue, green, red and their exponent.
fn shared_exponent(&[r, g, b, _]: &[f32; 4]) -> [u8; 4] {
    let largest = r.max(g).max(b);
    if largest < 1e-32 {
        return [0; 4];
    }
    let exponent = largest.log2().floor() as i32 + 1;
    let scale = 256.0 / (exponent as f32).exp2();
    let part = |value: f32| (value * scale).clamp(0.0, 255.0) as u8;
    [part(b), part(g), part(r), (exponent + 128).clamp(0, 255) as u8]
}
