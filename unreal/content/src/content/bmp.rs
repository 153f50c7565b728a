//! BMP files to pictures.

use std::io::Cursor;
use std::ops::Range;

use ::image::ImageDecoder;
use ::image::codecs::bmp::BmpDecoder;

use super::image::{Image, Pixels, allowed};
use crate::error::{Error, Result};

/// Bytes before the header: mark, size of the file, reserved, start of the pixels.
const FILE_HEADER: usize = 14;
/// The header of OS/2, whose colours have 3 bytes.
const CORE_HEADER: u32 = 12;
/// Pixels that a byte of run lengths may stand for. A run is 2 bytes for up to 255 pixels; the mark of
/// the end leaves the rest blank, so a little more is allowed.
const PIXELS_PER_BYTE: u64 = 1024;

/// The header's fields about the pixels' storage.
struct BmpHeader {
    /// Bits of a pixel.
    bits: u16,
    /// Whether pixels are stored as runs.
    runs: bool,
    /// Where the palette stands; empty where pixels are colours.
    palette: Range<usize>,
    /// Bytes of a colour of the palette.
    color_size: usize,
}

impl BmpHeader {
    fn read(file: &[u8]) -> Option<Self> {
        let u16_at = |at: usize| Some(u16::from_le_bytes(*file.get(at..)?.first_chunk()?));
        let u32_at = |at: usize| Some(u32::from_le_bytes(*file.get(at..)?.first_chunk()?));
        let size = u32_at(FILE_HEADER)?;
        let core = size == CORE_HEADER;
        let bits = u16_at(if core { 24 } else { 28 })?;
        let (compression, used) = if core { (0, 0) } else { (u32_at(30)?, u32_at(46)?) };
        let color_size = if core { 3 } else { 4 };
        let start = FILE_HEADER.checked_add(usize::try_from(size).ok()?)?;
        let colors = match (bits, used) {
            (9.., _) => 0,
            (_, 0) => 1 << bits,
            // More than fit are refused by the decoder.
            (_, used) => usize::try_from(used).ok()?.min(256),
        };
        let palette = start..start.checked_add(colors * color_size)?;
        Some(Self { bits, runs: matches!(compression, 1 | 2), palette, color_size })
    }
}

/// Reads a BMP file: a palette of 1, 2, 4 or 8 bits is kept, run lengths are understood.
///
/// # Errors
/// `Invalid` when the file is damaged or of a kind that is not known, and when it claims more pixels than
/// its bytes can hold.
pub(super) fn read(file: &[u8]) -> Result<Image> {
    let header =
        BmpHeader::read(file).ok_or_else(|| Error::invalid("the picture ends in its header"))?;
    match header.palette.is_empty() {
        true => colors(file, &header),
        false => indexed(file, &header),
    }
}

fn colors(file: &[u8], header: &BmpHeader) -> Result<Image> {
    let (image, channels, bytes) = decode(file, header)?;
    let pixels = match channels {
        4 => bytes.as_chunks::<4>().0.to_vec(),
        _ => bytes.as_chunks::<3>().0.iter().map(|&[r, g, b]| [r, g, b, 255]).collect(),
    };
    Image::from_rgba(image.0, image.1, pixels)
}

/// The decoder gives indices of 8 bits only and colours otherwise. So it gets a palette in which each
/// colour is its own index: of what it decodes, every colour says which index stood there.
fn indexed(file: &[u8], header: &BmpHeader) -> Result<Image> {
    let mut file = file.to_vec();
    let Some(stored) = file.get_mut(header.palette.clone()) else {
        return Err(Error::invalid("the picture ends in its palette"));
    };
    let mut palette = Vec::new();
    for (index, color) in stored.chunks_exact_mut(header.color_size).enumerate() {
        if let [blue, green, red, ..] = color {
            palette.push([*red, *green, *blue, 255]);
            // Colours that the palette does not have are decoded as 0, 0, 0.
            (*red, *green) = (index as u8, 1);
        }
    }
    let ((width, height), channels, bytes) = decode(&file, header)?;
    let pixels = bytes.chunks_exact(channels);
    // What runs leave out is 0 as well, and is the first colour.
    let outside = |pixel: &[u8]| matches!(pixel, [_, 0, ..]);
    if !header.runs && pixels.clone().any(outside) {
        return Err(Error::invalid("a pixel's index lies outside the palette"));
    }
    let indices = pixels.map(|pixel| pixel.first().copied().unwrap_or_default()).collect();
    Image::new(width, height, Pixels::Indexed { indices, palette })
}

/// Sides, channels and bytes of the pixels.
fn decode(file: &[u8], header: &BmpHeader) -> Result<((u32, u32), usize, Vec<u8>)> {
    let failed = |why: ::image::ImageError| Error::invalid(why.to_string());
    let decoder = BmpDecoder::new(Cursor::new(file)).map_err(failed)?;
    let (width, height) = decoder.dimensions();
    let area = allowed(width, height)?;
    let length = file.len() as u64;
    let holds = match header.runs {
        true => area <= length.saturating_mul(PIXELS_PER_BYTE),
        false => area * u64::from(header.bits) <= length.saturating_mul(8),
    };
    if !holds {
        return Err(Error::invalid(format!(
            "{length} bytes can't hold {width} by {height} pixels"
        )));
    }
    let channels = usize::from(decoder.color_type().channel_count());
    let mut bytes = vec![0; area as usize * channels];
    decoder.read_image(&mut bytes).map_err(failed)?;
    Ok(((width, height), channels, bytes))
}
