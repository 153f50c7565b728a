//! Other pixels for volumes, whose slices stand below each other.

use super::pixel_encode::encode_part;
use super::pixel_format::decode;
use super::raster::Raster;
use super::texture_replace::{NewPicture, OldTexels, changed};
use crate::content::mips::{Changes, half};
use crate::content::texture_replace::TextureChange;
use crate::error::{Error, Result};

/// The texels of every size of a volume, whose slices are halved as its sides are, and what has changed.
pub(super) fn new_volume(
    old: &OldTexels,
    part: impl Fn(u32) -> NewPicture,
) -> Result<(Vec<Vec<u8>>, TextureChange)> {
    let mut made: Vec<Vec<u8>> = Vec::with_capacity(old.bytes.len());
    let mut uppers: Vec<(Raster, Changes)> = Vec::new();
    let mut texels = 0;
    for (level, (&size, bytes)) in old.sizes.iter().zip(&old.bytes).enumerate() {
        let depth = old.shape.slices_at(level) as usize;
        let is_half =
            uppers.first().is_none_or(|(upper, _)| size == half(upper.width, upper.height));
        if !is_half {
            return Err(Error::invalid(format!("size {level} is not half of the one before")));
        }
        let length = bytes.len() / depth.max(1);
        let mut all = Vec::with_capacity(bytes.len());
        let mut slices = Vec::with_capacity(depth);
        for at in 0..depth {
            let before = bytes.get(at * length..(at + 1) * length).unwrap_or_default();
            let shown = decode(&old.format, size, before)?;
            let (slice, changes) = match level {
                0 => changed(&old.format, shown, part(at as u32))?,
                _ => shrunk(&uppers, at, Raster::of(shown), old),
            };
            if level == 0 {
                texels += changes.count();
            }
            all.extend(encode_part(&old.format, &slice, (before, &changes))?);
            slices.push((slice, changes));
        }
        made.push(all);
        uppers = slices;
    }
    Ok((made, TextureChange { texels, ..TextureChange::default() }))
}

/// A slice of the next smaller size with what has changed: two slices become one, a single one stays one.
fn shrunk(
    uppers: &[(Raster, Changes)],
    at: usize,
    mut lower: Raster,
    old: &OldTexels,
) -> (Raster, Changes) {
    let first = if uppers.len() > 1 { at * 2 } else { at };
    let sources = uppers.get(first..).unwrap_or_default().iter().take(uppers.len().min(2));
    let halves: Vec<Changes> = sources.clone().map(|(_, changes)| changes.halved()).collect();
    let places = (0..lower.height).flat_map(|y| (0..lower.width).map(move |x| (x, y)));
    let has = places.map(|(x, y)| halves.iter().any(|changes| changes.has(x, y)));
    let changes = Changes::of(lower.width, lower.height, has.collect());
    let rasters: Vec<&Raster> = sources.map(|(raster, _)| raster).collect();
    Raster::shrink_all(&rasters, &mut lower, &changes, old.filter);
    (lower, changes)
}
