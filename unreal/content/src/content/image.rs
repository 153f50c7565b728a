//! Pictures: pixels in memory, PNG and BMP files.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader, Limits};

use super::{bmp, pcx};
use crate::error::{Error, Result};

/// No texture of these engines is larger.
const LARGEST_SIDE: u32 = 16_384;
/// Pixels that a file may ask for.
const LARGEST_AREA: u64 = 1 << 26;

/// Bytes that a byte of a PNG's compressed pixels can stand for: deflate's 258 a match of 2 bits, and some.
const MOST_PER_BYTE: u64 = 1_040;

/// Pixels that a byte of a TGA or JPEG can stand for: a run of 128 in two bytes, a block of 16 by 16 in 6 bits.
const MOST_PIXELS_PER_BYTE: u64 = 512;

/// A picture, row by row from the top.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    width: u32,
    height: u32,
    pixels: Pixels,
}

/// The pixels of an [`Image`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pixels {
    /// Red, green, blue, alpha.
    Rgba(Vec<[u8; 4]>),
    /// Indices into a palette of up to 256 colours.
    Indexed {
        /// One index a pixel, each below the palette's length.
        indices: Vec<u8>,
        /// Red, green, blue, alpha.
        palette: Vec<[u8; 4]>,
    },
    /// Brightness.
    Gray(Vec<u8>),
    /// Brightness in 16 bits.
    Gray16(Vec<u16>),
}

impl Pixels {
    fn len(&self) -> usize {
        match self {
            Self::Rgba(pixels) => pixels.len(),
            Self::Indexed { indices, .. } => indices.len(),
            Self::Gray(pixels) => pixels.len(),
            Self::Gray16(pixels) => pixels.len(),
        }
    }
}

impl Image {
    /// A picture of these pixels.
    ///
    /// # Errors
    /// `Invalid` when size and number of pixels differ, a side is 0 or too long, or an index is outside
    /// the palette.
    pub fn new(width: u32, height: u32, pixels: Pixels) -> Result<Self> {
        let area = allowed(width, height)?;
        if pixels.len() as u64 != area {
            let count = pixels.len();
            return Err(Error::invalid(format!(
                "{count} pixels are no picture of {width} by {height}"
            )));
        }
        if let Pixels::Indexed { indices, palette } = &pixels
            && (palette.len() > 256 || indices.iter().any(|&at| usize::from(at) >= palette.len()))
        {
            return Err(Error::invalid("a pixel's index lies outside the palette"));
        }
        Ok(Self { width, height, pixels })
    }

    /// A picture of colours with alpha.
    ///
    /// # Errors
    /// As [`Image::new`].
    pub fn from_rgba(width: u32, height: u32, pixels: Vec<[u8; 4]>) -> Result<Self> {
        Self::new(width, height, Pixels::Rgba(pixels))
    }

    /// The same picture with red and blue in each other's place, as some of the engine's pictures are stored.
    pub(in crate::content) fn exchanged(&self) -> Result<Self> {
        let pixels = self.to_rgba().into_iter().map(|[r, g, b, a]| [b, g, r, a]).collect();
        Self::from_rgba(self.width, self.height, pixels)
    }

    /// The picture itself, or a smaller one whose longer side is this.
    pub(in crate::content) fn within(&self, longest: u32) -> Result<Self> {
        let longer = self.width.max(self.height);
        if longer <= longest {
            return Ok(self.clone());
        }
        let shorter = |side: u32| {
            let scaled = u64::from(side) * u64::from(longest) / u64::from(longer);
            u32::try_from(scaled).unwrap_or(longest).max(1)
        };
        let (width, height) = (shorter(self.width), shorter(self.height));
        let bytes = self.to_rgba().into_flattened();
        let whole = image::RgbaImage::from_raw(self.width, self.height, bytes);
        let whole = whole.ok_or_else(|| Error::invalid("the picture lacks pixels"))?;
        let filter = image::imageops::FilterType::Triangle;
        let small = image::imageops::resize(&whole, width, height, filter);
        let (pixels, _) = small.as_raw().as_chunks::<4>();
        Self::from_rgba(width, height, pixels.to_vec())
    }

    /// Width, pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height, pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The pixels.
    pub fn pixels(&self) -> &Pixels {
        &self.pixels
    }

    /// The pixels, to be changed; their number stays.
    pub(super) fn pixels_mut(&mut self) -> &mut Pixels {
        &mut self.pixels
    }

    /// A picture of the same kind and palette with other sides and every pixel zero.
    pub(super) fn blank_like(&self, width: u32, height: u32) -> Self {
        let area = width as usize * height as usize;
        let pixels = match &self.pixels {
            Pixels::Rgba(_) => Pixels::Rgba(vec![[0; 4]; area]),
            Pixels::Indexed { palette, .. } => {
                Pixels::Indexed { indices: vec![0; area], palette: palette.clone() }
            }
            Pixels::Gray(_) => Pixels::Gray(vec![0; area]),
            Pixels::Gray16(_) => Pixels::Gray16(vec![0; area]),
        };
        Self { width, height, pixels }
    }

    /// The top left part.
    pub(super) fn part(&self, width: u32, height: u32) -> Self {
        self.sampled(width, height, |x, y| (x, y))
    }

    /// A larger picture with the last pixels of each row and column repeated.
    pub(super) fn padded(&self, (width, height): (u32, u32)) -> Self {
        if (width, height) == (self.width, self.height) {
            return self.clone();
        }
        self.sampled(width, height, |x, y| (x.min(self.width - 1), y.min(self.height - 1)))
    }

    fn sampled(&self, width: u32, height: u32, from: impl Fn(u32, u32) -> (u32, u32)) -> Self {
        let mut image = self.blank_like(width, height);
        let places = || (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let at = |(x, y)| {
            let (x, y) = from(x, y);
            y as usize * self.width as usize + x as usize
        };
        fn copy<T: Copy>(from: &[T], to: &mut [T], places: impl Iterator<Item = usize>) {
            for (to, at) in to.iter_mut().zip(places) {
                *to = from.get(at).copied().unwrap_or(*to);
            }
        }
        let places = places().map(at);
        match (&self.pixels, &mut image.pixels) {
            (Pixels::Rgba(from), Pixels::Rgba(to)) => copy(from, to, places),
            (Pixels::Gray(from), Pixels::Gray(to)) => copy(from, to, places),
            (Pixels::Gray16(from), Pixels::Gray16(to)) => copy(from, to, places),
            (Pixels::Indexed { indices: from, .. }, Pixels::Indexed { indices: to, .. }) => {
                copy(from, to, places);
            }
            _ => {}
        }
        image
    }

    /// The pixels as colours with alpha.
    pub fn to_rgba(&self) -> Vec<[u8; 4]> {
        let gray = |level: u8| [level, level, level, 255];
        match &self.pixels {
            Pixels::Rgba(pixels) => pixels.clone(),
            Pixels::Indexed { indices, palette } => {
                let color = |&at: &u8| palette.get(usize::from(at)).copied().unwrap_or_default();
                indices.iter().map(color).collect()
            }
            Pixels::Gray(pixels) => pixels.iter().map(|&level| gray(level)).collect(),
            Pixels::Gray16(pixels) => {
                pixels.iter().map(|&level| gray((level >> 8) as u8)).collect()
            }
        }
    }

    /// Reads a PNG, BMP, PCX, TGA or JPEG file. Palettes and 16-bit brightness are kept.
    ///
    /// # Errors
    /// `Invalid` when it is none of these, damaged, or too large.
    pub fn read(file: &[u8]) -> Result<Self> {
        match file {
            [0x89, b'P', b'N', b'G', ..] => {
                read_png(file).map_err(|why| Error::invalid(why.to_string()))?
            }
            [b'B', b'M', ..] => bmp::read(file),
            [0x0a, 0..=5, ..] => pcx::read(file),
            [0xff, 0xd8, 0xff, ..] => read_other(file, ImageFormat::Jpeg),
            _ if is_tga(file) => read_other(file, ImageFormat::Tga),
            _ => Err(Error::invalid("the picture is neither PNG, BMP, PCX, TGA nor JPEG")),
        }
    }

    /// The picture as a PNG file: indexed with its palette, gray, or with alpha.
    ///
    /// # Errors
    /// `Invalid` if it can't be encoded.
    pub fn to_png(&self) -> Result<Vec<u8>> {
        self.encode_png().map_err(|why| Error::invalid(why.to_string()))
    }

    fn encode_png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width, self.height);
        encoder.set_compression(png::Compression::Balanced);
        let bytes: Vec<u8> = match &self.pixels {
            Pixels::Rgba(pixels) => {
                encoder.set_color(png::ColorType::Rgba);
                pixels.as_flattened().to_vec()
            }
            Pixels::Indexed { indices, palette } => {
                encoder.set_color(png::ColorType::Indexed);
                let colors: Vec<u8> = palette.iter().flat_map(|c| [c[0], c[1], c[2]]).collect();
                encoder.set_palette(colors);
                let last = palette.iter().rposition(|color| color[3] != 255);
                if let Some(last) = last {
                    let alphas: Vec<u8> = palette[..=last].iter().map(|color| color[3]).collect();
                    encoder.set_trns(alphas);
                }
                indices.clone()
            }
            Pixels::Gray(pixels) => {
                encoder.set_color(png::ColorType::Grayscale);
                pixels.clone()
            }
            Pixels::Gray16(pixels) => {
                encoder.set_color(png::ColorType::Grayscale);
                encoder.set_depth(png::BitDepth::Sixteen);
                pixels.iter().flat_map(|level| level.to_be_bytes()).collect()
            }
        };
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&bytes)?;
        writer.finish()?;
        Ok(file)
    }
}

/// The pixels of a picture of these sides.
///
/// # Errors
/// `Invalid` when a side is 0 or too long.
pub(super) fn allowed(width: u32, height: u32) -> Result<u64> {
    let area = u64::from(width) * u64::from(height);
    if area == 0 || width > LARGEST_SIDE || height > LARGEST_SIDE || area > LARGEST_AREA {
        return Err(Error::invalid(format!("a picture can't be {width} by {height} pixels")));
    }
    Ok(area)
}

/// Whether a file begins as a TGA, which has no magic number: the kind of its pixels and their bits.
fn is_tga(file: &[u8]) -> bool {
    let Some(header) = file.first_chunk::<18>() else { return false };
    let (map, kind, bits) = (header[1], header[2], header[16]);
    map <= 1 && matches!(kind, 1..=3 | 9..=11) && matches!(bits, 8 | 15 | 16 | 24 | 32)
}

/// A file of true colours.
fn read_other(file: &[u8], format: ImageFormat) -> Result<Image> {
    let fail = |why: image::ImageError| Error::invalid(why.to_string());
    let reader = || ImageReader::with_format(Cursor::new(file), format);
    let (width, height) = reader().into_dimensions().map_err(fail)?;
    let (area, length) = (allowed(width, height)?, file.len() as u64);
    if area > length.saturating_mul(MOST_PIXELS_PER_BYTE) {
        let reason = format!("{length} bytes can't hold {width} by {height} pixels");
        return Err(Error::invalid(reason));
    }
    let mut reader = reader();
    let mut limits = Limits::default();
    limits.max_image_width = Some(LARGEST_SIDE);
    limits.max_image_height = Some(LARGEST_SIDE);
    limits.max_alloc = Some(LARGEST_AREA * 8);
    reader.limits(limits);
    let picture = reader.decode().map_err(fail)?;
    let pixels = match picture {
        DynamicImage::ImageLuma8(levels) => Pixels::Gray(levels.into_raw()),
        other => Pixels::Rgba(other.into_rgba8().into_raw().as_chunks::<4>().0.to_vec()),
    };
    Image::new(width, height, pixels)
}

fn read_png(file: &[u8]) -> Result<Result<Image>, png::DecodingError> {
    let mut decoder = png::Decoder::new(Cursor::new(file));
    // Neither is used, and both are compressed.
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let header = decoder.read_header_info()?;
    let (width, height) = (header.width, header.height);
    let area = match allowed(width, height) {
        Ok(area) => area,
        Err(error) => return Ok(Err(error)),
    };
    let bits = area * header.bits_per_pixel() as u64;
    let length = file.len() as u64;
    if bits / 8 > length.saturating_mul(MOST_PER_BYTE) {
        let reason = format!("{length} bytes can't hold {width} by {height} pixels");
        return Ok(Err(Error::invalid(reason)));
    }
    let indexed = header.color_type == png::ColorType::Indexed;
    let gray16 = header.color_type == png::ColorType::Grayscale
        && header.bit_depth == png::BitDepth::Sixteen;
    decoder.set_transformations(match () {
        () if indexed => png::Transformations::IDENTITY,
        () if gray16 => png::Transformations::IDENTITY,
        () => png::Transformations::EXPAND | png::Transformations::STRIP_16,
    });
    let mut reader = decoder.read_info()?;
    let Some(size) = reader.output_buffer_size() else {
        return Ok(Err(Error::invalid("the picture is too large")));
    };
    let mut bytes = vec![0; size];
    let frame = reader.next_frame(&mut bytes)?;
    bytes.truncate(frame.buffer_size());
    let pixels = match frame.color_type {
        png::ColorType::Indexed => {
            let info = reader.info();
            let alphas = info.trns.as_deref().unwrap_or_default();
            let colors = info.palette.as_deref().unwrap_or_default();
            let (colors, _) = colors.as_chunks::<3>();
            let alpha = |at: usize| alphas.get(at).copied().unwrap_or(255);
            let palette =
                colors.iter().enumerate().map(|(at, c)| [c[0], c[1], c[2], alpha(at)]).collect();
            let indices = unpack(&bytes, frame.line_size, width as usize, frame.bit_depth as u8);
            Pixels::Indexed { indices, palette }
        }
        png::ColorType::Grayscale if gray16 => {
            let (pairs, _) = bytes.as_chunks::<2>();
            Pixels::Gray16(pairs.iter().map(|&pair| u16::from_be_bytes(pair)).collect())
        }
        png::ColorType::Grayscale => Pixels::Gray(bytes),
        png::ColorType::GrayscaleAlpha => {
            let (pairs, _) = bytes.as_chunks::<2>();
            Pixels::Rgba(pairs.iter().map(|&[level, a]| [level, level, level, a]).collect())
        }
        png::ColorType::Rgb => {
            let (colors, _) = bytes.as_chunks::<3>();
            Pixels::Rgba(colors.iter().map(|&[r, g, b]| [r, g, b, 255]).collect())
        }
        png::ColorType::Rgba => Pixels::Rgba(bytes.as_chunks::<4>().0.to_vec()),
    };
    Ok(Image::new(width, height, pixels))
}

/// Indices of 1, 2, 4 or 8 bits, the first in the highest bits; each row starts at a byte.
fn unpack(bytes: &[u8], line: usize, width: usize, depth: u8) -> Vec<u8> {
    let depth = usize::from(depth).clamp(1, 8);
    let mask = ((1u16 << depth) - 1) as u8;
    let index = |row: &[u8], x: usize| {
        let bit = x * depth;
        row.get(bit / 8).map_or(0, |byte| byte >> (8 - depth - bit % 8) & mask)
    };
    let rows = bytes.chunks_exact(line.max(1));
    rows.flat_map(|row| (0..width).map(move |x| index(row, x))).collect()
}
