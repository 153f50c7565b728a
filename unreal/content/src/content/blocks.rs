//! Texels in blocks, as graphics cards decode them.
//!
//! The crate `dds` does it in safe Rust. On 30 pictures of real textures its blocks were nearer to the picture than
//! those of `texpresso` in every format: BC1 49.05 dB (48.77), BC2 50.32 (50.06), BC3 50.81 (50.13), BC4 67.77
//! (64.92), BC5 66.27 (63.34); BC7 61.22. `benches/beside/blocks.rs` keeps them beside `texpresso` and Intel's encoder.

use std::num::NonZero;

use ::dds::{
    ColorFormat, CompressionQuality, DecodeOptions, EncodeOptions, Format, ImageView, ImageViewMut,
    Size,
};

use super::mips::Changes;
use crate::error::{Error, Result};

/// Texels in a block.
const SIDE: usize = 4;
/// Blocks of BC7 that are searched for the best form: more take a quarter of the time, and 0.7 dB.
const MOST_SEARCHED: usize = 1 << 16;
/// From so many blocks on (2048 by 2048 texels) they take half of that, and 0.25 dB more: a texture of 4096 by 4096 with all
/// its sizes is made in some 18 s of processor time.
const MANY: usize = 1 << 18;
/// Blocks for each thread that makes them.
const WORTH_A_THREAD: usize = 1 << 11;

/// Bytes of a picture of this size in blocks; zero for a format without blocks.
pub(super) fn data_size(kind: Format, (width, height): (u32, u32)) -> u64 {
    let ((across, down), size) = shape(kind);
    u64::from(width.div_ceil(across)) * u64::from(height.div_ceil(down)) * size
}

/// Texels of a block and its bytes.
fn shape(kind: Format) -> ((u32, u32), u64) {
    let side = |side| ((side, side), 16);
    match kind {
        Format::BC1_UNORM | Format::BC4_UNORM => ((4, 4), 8),
        Format::BC2_UNORM | Format::BC3_UNORM | Format::BC5_UNORM => ((4, 4), 16),
        Format::BC6H_UF16 | Format::BC7_UNORM | Format::ASTC_4X4_UNORM => ((4, 4), 16),
        Format::ASTC_6X6_UNORM => side(6),
        Format::ASTC_8X8_UNORM => side(8),
        Format::ASTC_10X10_UNORM => side(10),
        Format::ASTC_12X12_UNORM => side(12),
        _ => ((1, 1), 0),
    }
}

/// The texels of a picture, row by row: red, green, blue, alpha.
///
/// # Errors
/// `Invalid` for fewer bytes than the picture has.
pub(super) fn decode(kind: Format, sides: (u32, u32), bytes: &[u8]) -> Result<Vec<[u8; 4]>> {
    let mut texels = vec![0; sides.0 as usize * sides.1 as usize * 4];
    decode_into(kind, sides, ColorFormat::RGBA_U8, bytes, &mut texels)?;
    Ok(texels.as_chunks::<4>().0.to_vec())
}

/// The texels of a picture of colours without bounds.
///
/// # Errors
/// As [`decode`].
pub(super) fn decode_float(kind: Format, sides: (u32, u32), bytes: &[u8]) -> Result<Vec<[f32; 4]>> {
    let mut texels = vec![0; sides.0 as usize * sides.1 as usize * 16];
    decode_into(kind, sides, ColorFormat::RGBA_F32, bytes, &mut texels)?;
    let part = |texel: &[u8; 16], at: usize| {
        f32::from_ne_bytes(std::array::from_fn(|byte| texel[at * 4 + byte]))
    };
    let texels = texels.as_chunks::<16>().0.iter();
    Ok(texels.map(|texel| std::array::from_fn(|at| part(texel, at))).collect())
}

fn decode_into(
    kind: Format,
    (width, height): (u32, u32),
    color: ColorFormat,
    mut bytes: &[u8],
    texels: &mut [u8],
) -> Result<()> {
    let fail = || Error::invalid(format!("{width} by {height} texels can't be decoded"));
    let view = ImageViewMut::new(texels, Size::new(width, height), color).ok_or_else(fail)?;
    ::dds::decode(&mut bytes, view, kind, &DecodeOptions::default()).map_err(|_| fail())
}

/// Runs `part` over parts of the blocks side by side: no block looks at another one.
fn on_threads(
    blocks: &[usize],
    part: impl Fn(&[usize]) -> Result<Vec<u8>> + Sync,
) -> Result<Vec<u8>> {
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
    let threads = threads.min(blocks.len() / WORTH_A_THREAD);
    if threads <= 1 {
        return part(blocks);
    }
    let parts: Vec<_> = blocks.chunks(blocks.len().div_ceil(threads)).collect();
    let made: Vec<Result<Vec<u8>>> = std::thread::scope(|scope| {
        let part = &part;
        let running: Vec<_> =
            parts.into_iter().map(|blocks| scope.spawn(move || part(blocks))).collect();
        let ended = running.into_iter().map(|running| running.join());
        ended.map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    made.into_iter().collect::<Result<Vec<_>>>().map(|parts| parts.concat())
}

/// Some blocks of a picture, one after the other.
fn part(
    kind: Format,
    quality: CompressionQuality,
    ((width, height), texels): ((usize, usize), &[[u8; 4]]),
    blocks: &[usize],
) -> Result<Vec<u8>> {
    // Side by side as one picture.
    let row = blocks.len() * SIDE * 4;
    let mut strip = vec![0; row * SIDE];
    for (number, &block) in blocks.iter().enumerate() {
        for (at, (x, y)) in places(block, width).enumerate() {
            // Beyond the edge the last texels go on.
            let texel = texels.get(y.min(height - 1) * width + x.min(width - 1));
            let place = at / SIDE * row + (number * SIDE + at % SIDE) * 4;
            if let (Some(texel), Some(to)) = (texel, strip.get_mut(place..place + 4)) {
                to.copy_from_slice(texel);
            }
        }
    }
    let fail = || Error::invalid("the blocks of the picture can't be made");
    let wide = u32::try_from(blocks.len() * SIDE).map_err(|_| fail())?;
    let view = ImageView::new(&strip, Size::new(wide, SIDE as u32), ColorFormat::RGBA_U8);
    let mut options = EncodeOptions::default();
    options.quality = quality;
    let mut made = Vec::with_capacity(blocks.len() * shape(kind).1 as usize);
    ::dds::encode(&mut made, view.ok_or_else(fail)?, kind, None, &options).map_err(|_| fail())?;
    Ok(made)
}

/// The texels of a block of a picture of this width: column and row.
fn places(block: usize, width: usize) -> impl Iterator<Item = (usize, usize)> {
    let across = width.div_ceil(SIDE);
    let (left, top) = (block % across * SIDE, block / across * SIDE);
    (0..SIDE * SIDE).map(move |at| (left + at % SIDE, top + at / SIDE))
}

/// The blocks of a picture. Those without a changed texel stay as they stand in `old`, the blocks of a picture of the
/// same size; all are made without it.
///
/// # Errors
/// `Invalid` for a format whose blocks are not made here.
pub(super) fn encode(
    kind: Format,
    (width, height): (u32, u32),
    texels: &[[u8; 4]],
    old: Option<(&[u8], &Changes)>,
) -> Result<Vec<u8>> {
    let (width, height) = (width as usize, height as usize);
    let (across, down) = (width.div_ceil(SIDE), height.div_ceil(SIDE));
    let size = shape(kind).1 as usize;
    let length = across * down * size;
    let mut bytes = match old {
        Some((old, _)) if old.len() == length => old.to_vec(),
        _ => vec![0; length],
    };
    let is_changed = |block: &usize| {
        let changes = old.map(|(_, changes)| changes);
        changes.is_none_or(|changes| {
            places(*block, width).any(|(x, y)| changes.has(x as u32, y as u32))
        })
    };
    let blocks: Vec<usize> = (0..across * down).filter(is_changed).collect();
    if blocks.is_empty() {
        return Ok(bytes);
    }
    let quality = match blocks.len() {
        MANY.. if kind == Format::BC7_UNORM => CompressionQuality::Fast,
        count if kind == Format::BC7_UNORM && count > MOST_SEARCHED => CompressionQuality::Normal,
        _ => CompressionQuality::High,
    };
    let part = |blocks: &[usize]| part(kind, quality, ((width, height), texels), blocks);
    let made = on_threads(&blocks, part)?;
    for (made, &block) in made.chunks_exact(size).zip(&blocks) {
        if let Some(to) = bytes.get_mut(block * size..block * size + size) {
            to.copy_from_slice(made);
        }
    }
    Ok(bytes)
}
