//! The filter that texture sources have from 5.5 on: each row less the one above it.

/// Pixels of a part of a picture: the parts are filtered apart, so that threads can share the work.
const PART: usize = 0x8000;
/// Widest part in pixels, 4096 bytes.
const WIDEST: usize = 1024;
/// Most pixels of a picture that is one part whatever its sides are, as far as it was seen.
const WHOLE: usize = 128 * 128;
/// The longest side that was seen.
const LONGEST: usize = 4096;

/// Rows of a part; `None` for sides whose parts are not known.
///
/// Sides from 16 to 4096 texels were seen, and small pictures of odd sides: a part has 32,768 pixels and is not wider
/// than 1024, so that its rows follow from the width. How a picture of odd sides is parted was not seen.
fn rows_of_part(width: usize, height: usize) -> Option<usize> {
    if width.checked_mul(height)? <= WHOLE {
        return Some(height.max(1));
    }
    let is_known = |side: usize| side.is_power_of_two() && side <= LONGEST;
    (is_known(width) && is_known(height)).then(|| PART / width.min(WIDEST))
}

/// Takes the filter of `TSCF_UEDELTA` from a picture of four bytes a texel; `None` for sides whose parts are not known,
/// and for fewer bytes.
pub fn decode(bytes: &mut [u8], width: u32, height: u32) -> Option<()> {
    each_part(bytes, width, height, |part, row| {
        for at in row..part.len() {
            let above = part.get(at - row).copied().unwrap_or_default();
            if let Some(byte) = part.get_mut(at) {
                *byte = byte.wrapping_add(above);
            }
        }
    })
}

/// Filters a picture of four bytes a texel as `TSCF_UEDELTA` has it; `None` as [`decode`].
pub fn encode(bytes: &mut [u8], width: u32, height: u32) -> Option<()> {
    each_part(bytes, width, height, |part, row| {
        for at in (row..part.len()).rev() {
            let above = part.get(at - row).copied().unwrap_or_default();
            if let Some(byte) = part.get_mut(at) {
                *byte = byte.wrapping_sub(above);
            }
        }
    })
}

/// Runs `work` on the bytes of each part, with the bytes of a row.
fn each_part(
    bytes: &mut [u8],
    width: u32,
    height: u32,
    work: impl Fn(&mut [u8], usize),
) -> Option<()> {
    let (width, height) = (usize::try_from(width).ok()?, usize::try_from(height).ok()?);
    let row = width.checked_mul(4).filter(|row| *row > 0)?;
    let picture = bytes.get_mut(..row.checked_mul(height)?)?;
    let rows = rows_of_part(width, height)?;
    picture.chunks_mut(row.checked_mul(rows)?).for_each(|part| work(part, row));
    Some(())
}
