//! Virtual textures as pictures.

use super::picture::Picture;
use super::pixel_format;
use crate::content::{Contents, Image};
use crate::error::{Error, Result};
use crate::inspect::payload;
use crate::object::ue4::asset::virtual_texture::{TileOffsets, VirtualTextureData};

/// The codec of texels that stand as the format says.
const RAW: u8 = 4;
/// Pixels that a picture may have.
const LARGEST_AREA: u64 = 1 << 27;

impl Contents<'_> {
    /// The largest size of the first layer, put together of its tiles.
    pub(super) fn tiles_of(&self, data: &VirtualTextureData) -> Result<Picture> {
        let fail = |what: &str| Error::invalid(format!("a virtual texture {what}"));
        let missing = || fail("whose tiles are not all there");
        let area = u64::from(data.width) * u64::from(data.height);
        if area == 0 || area > LARGEST_AREA || data.tile_size == 0 {
            return Err(fail("without tiles, or too large"));
        }
        let (Some(tiles), Some(&base), Some(&chunk)) =
            (data.tiles.first(), data.offset_of_mip.first(), data.chunk_of_mip.first())
        else {
            return Err(fail(
                "of UE4, whose tiles differ in size: its texels are not put together",
            ));
        };
        let chunk = data.chunks.get(chunk as usize).ok_or_else(missing)?;
        if chunk.codecs.first().is_none_or(|codec| codec.kind != RAW) {
            return Err(fail("of one colour, or packed by a codec that is not known"));
        }
        let texels = payload(self, &chunk.bulk)?.0;
        let format = data.formats.first().ok_or_else(missing)?.text(self.source())?;
        let (&layer, &tile) =
            data.layer_ends.first().zip(data.layer_ends.last()).ok_or_else(missing)?;
        let side = data.border_size.checked_mul(2).and_then(|two| two.checked_add(data.tile_size));
        let side = side.ok_or_else(missing)?;
        let width = data.width as usize;
        let mut picture = vec![[0; 4]; usize::try_from(area).map_err(|_| missing())?];
        for (address, x, y) in places(data, tiles) {
            // What has no texels is the fallback colour of the layer; in all that was seen, nothing.
            let Some(row) = row_of(tiles, address) else { continue };
            let start = u64::from(base) + u64::from(row) * u64::from(tile);
            let start = usize::try_from(start).map_err(|_| missing())?;
            let bytes = texels.get(start..).and_then(|rest| rest.get(..layer as usize));
            let bytes = bytes.ok_or_else(missing)?;
            let decoded = pixel_format::decode(&format, (side, side), bytes)?.into_image()?;
            let decoded = decoded.to_rgba();
            let (left, top) = (x * data.tile_size, y * data.tile_size);
            for line in 0..data.tile_size.min(data.height.saturating_sub(top)) {
                let from = ((line + data.border_size) * side + data.border_size) as usize;
                let length = data.tile_size.min(data.width.saturating_sub(left)) as usize;
                let to = (top + line) as usize * width + left as usize;
                let from = decoded.get(from..).and_then(|rest| rest.get(..length));
                let to = picture.get_mut(to..).and_then(|rest| rest.get_mut(..length));
                let (Some(from), Some(to)) = (from, to) else { return Err(missing()) };
                to.copy_from_slice(from);
            }
        }
        Image::from_rgba(data.width, data.height, picture).map(Picture::Image)
    }
}

/// Address, column and row of each tile of the picture. The addresses are bits of column and row in turn.
fn places(data: &VirtualTextureData, tiles: &TileOffsets) -> impl Iterator<Item = (u32, u32, u32)> {
    let columns = data.width.div_ceil(data.tile_size).min(tiles.width).min(1 << 15);
    let rows = data.height.div_ceil(data.tile_size).min(tiles.height).min(1 << 15);
    let spread = |number: u32| (0..16).fold(0, |sum, bit| sum | (number >> bit & 1) << (2 * bit));
    let place = move |(x, y): (u32, u32)| (spread(x) | spread(y) << 1, x, y);
    (0..rows).flat_map(move |y| (0..columns).map(move |x| (x, y))).map(place)
}

/// Which tile of the chunk an address is; `None` for one without texels.
fn row_of(tiles: &TileOffsets, address: u32) -> Option<u32> {
    let run = tiles.addresses.partition_point(|first| *first <= address).checked_sub(1)?;
    let (first, offset) = (tiles.addresses.get(run)?, *tiles.offsets.get(run)?);
    (offset != u32::MAX).then(|| offset.checked_add(address - first)).flatten()
}
