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

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(format: &str, size: (u32, u32), bytes: &[u8]) -> Image {
        decode(format, size, bytes).unwrap().into_image().unwrap()
    }

    #[test]
    fn blocks_become_colours_and_are_cut_to_the_size() {
        // Red and blue, then the indices of four rows: red, blue, red, blue.
        let dxt1 = [0x00, 0xf8, 0x1f, 0x00, 0x00, 0x55, 0x00, 0x55];
        let image = pixels("PF_DXT1", (3, 2), &dxt1);
        let (red, blue) = ([255, 0, 0, 255], [0, 0, 255, 255]);
        assert_eq!(image.to_rgba(), [red, red, red, blue, blue, blue]);
        // One value, then another in the last texel.
        let bc4 = [200, 10, 0, 0, 0, 0, 0, 0b0010_0000];
        let image = pixels("PF_BC4", (4, 4), &bc4);
        assert_eq!(
            (image.to_rgba()[0], image.to_rgba()[15]),
            ([200, 200, 200, 255], [10, 10, 10, 255])
        );
        // X and Y of zero: the normal points at the viewer.
        let half = [128, 128, 0, 0, 0, 0, 0, 0];
        let image = pixels("PF_BC5", (4, 4), &[half, half].concat());
        assert_eq!(image.to_rgba()[5], [128, 128, 255, 255]);
    }

    #[test]
    fn slices_stand_below_each_other() {
        let bytes: Vec<u8> = (0..16).collect();
        let image = pixels("PF_B8G8R8A8", (1, 2), &bytes);
        assert_eq!((image.width(), image.height()), (1, 4));
        assert_eq!(image.to_rgba()[2], [10, 9, 8, 11]);
        let red = [0x00, 0xf8, 0, 0, 0, 0, 0, 0];
        let green = [0xe0, 0x07, 0, 0, 0, 0, 0, 0];
        let image = pixels("PF_DXT1", (2, 2), &[red, green].concat());
        assert_eq!((image.width(), image.height()), (2, 4));
        assert_eq!((image.to_rgba()[0], image.to_rgba()[7]), ([255, 0, 0, 255], [0, 255, 0, 255]));
    }

    #[test]
    fn what_is_not_known_or_does_not_fit_is_named() {
        let why = |format, size, bytes: &[u8]| decode(format, size, bytes).unwrap_err().to_string();
        assert!(why("PF_ASTC_8x8", (8, 8), &[0; 16]).contains("PF_ASTC_8x8"));
        assert!(why("PF_DXT5", (4, 4), &[0; 15]).contains("15 bytes"));
        assert!(why("PF_G8", (0, 4), &[]).contains("0 bytes"));
        assert!(why("PF_G8", (u32::MAX, u32::MAX), &[0; 4]).contains("4 bytes"));
    }

    #[test]
    fn colours_without_bounds_become_hdr() {
        let one = [0x00, 0x3c];
        let bytes = [one, one, [0x00, 0x44], one].concat();
        let picture = decode("PF_FloatRGBA", (1, 1), &bytes).unwrap();
        assert!(matches!(&picture, Picture::Float(1, pixels) if pixels == &[[1.0, 1.0, 4.0, 1.0]]));
        let (extension, file) = picture.file().unwrap();
        assert!(extension == "hdr" && file.starts_with(b"#?RADIANCE"));
    }
}
