//! PCX files to pictures: what older sources import.

use super::image::{Image, Pixels, allowed};
use crate::error::{Error, Result};

const HEADER: usize = 128;
/// The palette of 256 colours with the byte before it.
const PALETTE: usize = 769;

/// Reads a PCX file of 8 bits a pixel with a palette, or of three planes of 8 bits.
///
/// # Errors
/// `Invalid` when the file is damaged or of another kind, and when it claims more pixels than its bytes can hold.
pub(super) fn read(file: &[u8]) -> Result<Image> {
    let wrong = |reason: &str| Error::invalid(format!("the PCX picture {reason}"));
    let byte = |at: usize| file.get(at).copied().unwrap_or(0);
    let word = |at: usize| u32::from(u16::from_le_bytes([byte(at), byte(at + 1)]));
    if file.len() < HEADER {
        return Err(wrong("ends in its header"));
    }
    let (planes, bits) = (usize::from(byte(65)), byte(3));
    if byte(2) != 1 || bits != 8 || !matches!(planes, 1 | 3) {
        return Err(wrong("is not of 8 bits with a palette, nor of 24 bits"));
    }
    let size = |from: usize, to: usize| word(to).checked_sub(word(from)).map(|it| it + 1);
    let (Some(width), Some(height)) = (size(4, 8), size(6, 10)) else {
        return Err(wrong("has no size"));
    };
    let line = word(66) as usize;
    if line < width as usize {
        return Err(wrong("has lines that are shorter than it is wide"));
    }
    allowed(width, height)?;
    let wanted = line * planes * height as usize;
    let data = file.get(HEADER..).unwrap_or_default();
    // A run takes two bytes and is 63 at most.
    if wanted > data.len().saturating_mul(32) {
        return Err(wrong("ends before its last line"));
    }
    let mut bytes = Vec::with_capacity(wanted);
    let mut rest = data.iter().copied();
    while bytes.len() < wanted {
        let Some(first) = rest.next() else { return Err(wrong("ends before its last line")) };
        match first {
            0xc0.. => {
                let Some(value) = rest.next() else { return Err(wrong("ends within a run")) };
                let count = usize::from(first & 0x3f).min(wanted - bytes.len());
                bytes.resize(bytes.len() + count, value);
            }
            value => bytes.push(value),
        }
    }
    let lines = || bytes.chunks_exact(line * planes);
    let pixels = match planes {
        1 => {
            let start = file.len().checked_sub(PALETTE).filter(|at| byte(*at) == 12);
            let Some(start) = start else { return Err(wrong("has no palette of 256 colours")) };
            let colors = file.get(start + 1..).unwrap_or_default().chunks_exact(3);
            let palette = colors.map(|it| [it[0], it[1], it[2], 255]).collect();
            let indices = lines().flat_map(|it| &it[..width as usize]).copied().collect();
            Pixels::Indexed { indices, palette }
        }
        _ => {
            let pixel = |it: &[u8], x: usize| [it[x], it[line + x], it[2 * line + x], 255];
            Pixels::Rgba(
                lines().flat_map(|it| (0..width as usize).map(move |x| pixel(it, x))).collect(),
            )
        }
    };
    Image::new(width, height, pixels)
}
