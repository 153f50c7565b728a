//! Texels of cooked textures to pixels.

use texpresso::Format;

use super::picture::{Picture, Plain, plain};
use crate::content::{Image, Pixels};
use crate::error::{Error, Result};

/// No texture of these engines is wider.
const LARGEST_SIDE: u32 = 16_384;
/// Pixels of all slices together that are decoded.
const LARGEST_AREA: u64 = 1 << 27;

/// How texels are stored.
#[derive(Debug, Clone, Copy)]
enum TexelLayout {
    Plain(Plain),
    /// Blocks of 4 by 4 texels in so many bytes, each decoded to red, green, blue, alpha.
    Blocks(usize, fn(&[u8], &mut [u8; 64])),
    /// Blocks of 4 by 4 texels in 16 bytes, with colours without bounds.
    FloatBlocks,
}

/// The names of formats. C++: `EPixelFormat`.
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
    ("PF_DXT1", TexelLayout::Blocks(8, |from, to| texpresso_block(Format::Bc1, from, to))),
    ("PF_DXT3", TexelLayout::Blocks(16, |from, to| texpresso_block(Format::Bc2, from, to))),
    ("PF_DXT5", TexelLayout::Blocks(16, |from, to| texpresso_block(Format::Bc3, from, to))),
    ("PF_BC4", TexelLayout::Blocks(8, bc4)),
    ("PF_BC5", TexelLayout::Blocks(16, bc5)),
    ("PF_BC6H", TexelLayout::FloatBlocks),
    ("PF_BC7", TexelLayout::Blocks(16, |from, to| bcdec_rs::bc7(from, to, 16))),
];

fn texpresso_block(format: Format, from: &[u8], to: &mut [u8; 64]) {
    for (to, texel) in to.as_chunks_mut::<4>().0.iter_mut().zip(format.decompress_block(from)) {
        *to = texel;
    }
}

fn bc4(from: &[u8], to: &mut [u8; 64]) {
    let mut red = [0; 16];
    bcdec_rs::bc4(from, &mut red, 4, false);
    for (to, &red) in to.as_chunks_mut::<4>().0.iter_mut().zip(&red) {
        *to = [red, red, red, 255];
    }
}

/// X and Y of a normal; its length of one tells Z.
fn bc5(from: &[u8], to: &mut [u8; 64]) {
    let mut both = [0; 32];
    bcdec_rs::bc5(from, &mut both, 8, false);
    for (to, &[x, y]) in to.as_chunks_mut::<4>().0.iter_mut().zip(both.as_chunks::<2>().0) {
        let part = |byte: u8| f32::from(byte) / 127.5 - 1.0;
        let z = (1.0 - part(x).powi(2) - part(y).powi(2)).max(0.0).sqrt();
        *to = [x, y, ((z + 1.0) * 127.5).round() as u8, 255];
    }
}

/// The picture that texels show; slices of cubes, volumes and arrays stand below each other.
///
/// # Errors
/// `Invalid` for a format that is not decoded here, with its name, and when the number of bytes is not
/// that of whole slices.
pub(super) fn decode(format: &str, (width, height): (u32, u32), bytes: &[u8]) -> Result<Picture> {
    let known = FORMATS.iter().find(|(name, _)| name.eq_ignore_ascii_case(format));
    let Some(&(_, layout)) = known else {
        return Err(Error::invalid(format!("texels of the format {format} can't be decoded here")));
    };
    let across = u64::from(width.div_ceil(4));
    let slice = match layout {
        TexelLayout::Plain(plain) => u64::from(width) * u64::from(height) * plain.size() as u64,
        TexelLayout::Blocks(size, _) => across * u64::from(height.div_ceil(4)) * size as u64,
        TexelLayout::FloatBlocks => across * u64::from(height.div_ceil(4)) * 16,
    };
    let length = bytes.len() as u64;
    let slices = length.checked_div(slice).unwrap_or(0);
    let area = u64::from(width) * u64::from(height) * slices;
    if slices == 0 || slice * slices != length || width > LARGEST_SIDE || area > LARGEST_AREA {
        let shape = format!("{width} by {height} texels of {format} take {slice}");
        return Err(Error::invalid(format!("{length} bytes of texels where {shape}")));
    }
    match layout {
        TexelLayout::Plain(layout) => plain(layout, width, bytes),
        TexelLayout::Blocks(size, decode) => {
            let pixels = blocks(bytes, size, (width, height), |from| {
                let mut to = [0; 64];
                decode(from, &mut to);
                std::array::from_fn(|at| std::array::from_fn(|channel| to[at * 4 + channel]))
            });
            let rows = height.saturating_mul(slices as u32);
            Image::new(width, rows, Pixels::Rgba(pixels)).map(Picture::Image)
        }
        TexelLayout::FloatBlocks => {
            let pixels = blocks(bytes, 16, (width, height), |from| {
                let mut to = [0.0; 48];
                bcdec_rs::bc6h_float(from, &mut to, 12, false);
                std::array::from_fn(|at| [to[at * 3], to[at * 3 + 1], to[at * 3 + 2], 1.0])
            });
            Ok(Picture::Float(width, pixels))
        }
    }
}

/// The texels of blocks in rows, slice after slice.
fn blocks<T: Copy + Default>(
    bytes: &[u8],
    size: usize,
    (width, height): (u32, u32),
    mut decode: impl FnMut(&[u8]) -> [T; 16],
) -> Vec<T> {
    let (width, height) = (width as usize, height as usize);
    let across = width.div_ceil(4);
    let count = across * height.div_ceil(4);
    let slices = bytes.len() / (count * size).max(1);
    let mut pixels = vec![T::default(); width * height * slices];
    for (number, block) in bytes.chunks_exact(size).enumerate() {
        let (slice, inside) = (number / count, number % count);
        let (left, top) = (inside % across * 4, inside / across * 4);
        for (at, texel) in decode(block).into_iter().enumerate() {
            let (x, y) = (left + at % 4, top + at / 4);
            if x < width && y < height {
                pixels[(slice * height + y) * width + x] = texel;
            }
        }
    }
    pixels
}
