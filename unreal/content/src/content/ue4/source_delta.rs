//! The filter that texture sources have from 5.5 on: each row less the one above it.

/// Pixels of a part of a picture: the parts are filtered apart, so that threads can share the work.
const PART: usize = 0x8000;
/// Most parts of a strip.
const MOST_PARTS: usize = 512;
/// Widest part, bytes.
const WIDEST: usize = 4096;
/// Bytes that the width of a strip is a multiple of.
const STEP: usize = 64;
/// Most pixels of a picture that is one part whatever its sides are.
const WHOLE: usize = 136 * 136;

/// Rows of a part of a strip of this size.
fn rows_of_part(width: usize, height: usize) -> usize {
    let mut parts = (width.saturating_mul(height) / PART).max(1);
    while parts > MOST_PARTS {
        parts /= 2;
    }
    height.div_ceil(parts).max(1)
}

/// The width of a strip of a picture, bytes: rows that are longer than 4096 bytes are parted evenly.
fn strip(row: usize) -> usize {
    match row.div_ceil(WIDEST) {
        0 | 1 => row.max(1),
        parts => ((row + parts / 2) / parts).next_multiple_of(STEP),
    }
}

/// Takes the filter of `TSCF_UEDELTA` from a picture of so many bytes a texel; `None` for fewer bytes than it has.
///
/// The sides of all pictures of real packages were seen to follow this, by the hash of the picture that they store.
pub fn decode(bytes: &mut [u8], width: u32, height: u32, texel: usize) -> Option<()> {
    each_part(bytes, width, height, texel, |part| {
        for row in part.first + 1..part.end {
            part.rows(row, |above, byte| byte.wrapping_add(above));
        }
    })
}

/// Filters a picture as `TSCF_UEDELTA` has it; `None` as [`decode`].
pub fn encode(bytes: &mut [u8], width: u32, height: u32, texel: usize) -> Option<()> {
    each_part(bytes, width, height, texel, |part| {
        for row in (part.first + 1..part.end).rev() {
            part.rows(row, |above, byte| byte.wrapping_sub(above));
        }
    })
}

/// A part of a picture.
struct DeltaPart<'a> {
    picture: &'a mut [u8],
    /// Bytes of a row of the picture.
    stride: usize,
    /// Where the part stands in a row, bytes.
    columns: std::ops::Range<usize>,
    /// Its first row, and the one behind its last.
    first: usize,
    end: usize,
}

impl DeltaPart<'_> {
    /// Makes each byte of a row from the one above it and itself.
    fn rows(&mut self, row: usize, make: impl Fn(u8, u8) -> u8) {
        let (above, own) = self.picture.split_at_mut(row * self.stride);
        let above = above.get((row - 1) * self.stride..).unwrap_or_default();
        let columns = self.columns.clone();
        let pair = above.get(columns.clone()).zip(own.get_mut(columns));
        for (above, byte) in pair.into_iter().flat_map(|(above, own)| above.iter().zip(own)) {
            *byte = make(*above, *byte);
        }
    }
}

/// Runs `work` on each part.
fn each_part(
    bytes: &mut [u8],
    width: u32,
    height: u32,
    texel: usize,
    work: impl Fn(&mut DeltaPart<'_>),
) -> Option<()> {
    let (width, height) = (usize::try_from(width).ok()?, usize::try_from(height).ok()?);
    let stride = width.checked_mul(texel).filter(|row| *row > 0)?;
    let picture = bytes.get_mut(..stride.checked_mul(height)?)?;
    let is_whole = width * height <= WHOLE;
    let strip = if is_whole { stride } else { strip(stride) };
    for start in (0..stride).step_by(strip) {
        let columns = start..stride.min(start + strip);
        let rows = match is_whole {
            true => height.max(1),
            false => rows_of_part(columns.len() / texel, height),
        };
        for first in (0..height).step_by(rows) {
            let end = height.min(first + rows);
            let columns = columns.clone();
            work(&mut DeltaPart { picture: &mut *picture, stride, columns, first, end });
        }
    }
    Some(())
}
