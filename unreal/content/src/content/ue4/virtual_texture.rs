//! Virtual textures as pictures.

use std::collections::HashSet;
use std::ops::Range;

use super::early_tiles::EarlyTiles;
use super::picture::Picture;
use super::pixel_format;
use super::raster::Raster;
use crate::content::Contents;
use crate::content::mips::{full_chain, half};
use crate::error::{Error, Result};
use crate::inspect::payload;
use crate::object::ue4::asset::virtual_texture::{TileOffsets, VirtualTextureData};
use crate::package::Package;

/// The codec of texels that stand as the format says.
const RAW: u8 = 4;
/// Pixels that a picture may have.
const LARGEST_AREA: u64 = 1 << 27;
/// Sides of tiles; the engine's own are of 128 and 256.
pub(super) const LARGEST_TILE: u32 = 1 << 12;
/// Tiles for each that has texels.
const SPARSE: u64 = 4;

/// The first layer of a virtual texture.
pub(super) struct TileLayer<'a> {
    pub data: &'a VirtualTextureData,
    pub format: String,
    /// A tile with its border.
    pub side: u32,
    /// Width and height of each size.
    sizes: Vec<(u32, u32)>,
    /// Bytes of a tile: of this layer, of all.
    pub length: usize,
    all: usize,
}

/// A tile of a size: column, row, and where its texels stand in the chunk.
pub(super) type Tile = (u32, u32, Option<Range<usize>>);

impl<'a> TileLayer<'a> {
    /// # Errors
    /// `Invalid` for one that is damaged, too large, or of UE4, whose tiles differ in size.
    pub fn of(package: &Package, data: &'a VirtualTextureData) -> Result<Self> {
        check_area(data)?;
        if data.tiles.is_empty() {
            return Err(missing());
        }
        let format = data.formats.first().ok_or_else(missing)?.text(package.source())?;
        let (&length, &all) =
            data.layer_ends.first().zip(data.layer_ends.last()).ok_or_else(missing)?;
        let levels = data.tiles.len();
        // Tiles that lie in one another, or are hardly more than their borders, would make much of few bytes.
        let is_plain = length > 0
            && all >= length
            && data.border_size <= data.tile_size
            && data.tile_size <= LARGEST_TILE
            && levels <= full_chain(data.width, data.height);
        if !is_plain {
            return Err(fail("with tiles that no engine makes"));
        }
        let next = |(width, height): &(u32, u32)| Some(half(*width, *height));
        let sizes = std::iter::successors(Some((data.width, data.height)), next);
        let bytes = |bytes: u32| usize::try_from(bytes).map_err(|_| missing());
        Ok(Self {
            data,
            format: format.into_owned(),
            side: data.tile_size + 2 * data.border_size,
            sizes: sizes.take(levels).collect(),
            length: bytes(length)?,
            all: bytes(all)?,
        })
    }

    /// How many sizes it has.
    pub fn levels(&self) -> usize {
        self.sizes.len()
    }

    /// Width and height of a size.
    pub fn size(&self, level: usize) -> (u32, u32) {
        self.sizes.get(level).copied().unwrap_or((1, 1))
    }

    /// The chunk that a size stands in.
    pub fn chunk(&self, level: usize) -> Result<usize> {
        let chunk = *self.data.chunk_of_mip.get(level).ok_or_else(missing)? as usize;
        let known = self.data.chunks.get(chunk).ok_or_else(missing)?;
        match known.codecs.first() {
            Some(codec) if codec.kind == RAW => Ok(chunk),
            _ => Err(fail("of one colour, or packed by a codec that is not known")),
        }
    }

    /// The tiles of a size, by row. One without texels is of the layer's fallback colour; in all that was seen, nothing.
    ///
    /// # Errors
    /// `Invalid` where two have the same texels, or few have any: the picture would be far larger than what is stored.
    pub fn tiles(&self, level: usize) -> Result<Vec<Tile>> {
        let (width, height) = self.size(level);
        let tiles = self.data.tiles.get(level).ok_or_else(missing)?;
        let base = *self.data.offset_of_mip.get(level).ok_or_else(missing)? as usize;
        let count =
            |side: u32, known: u32| side.div_ceil(self.data.tile_size).min(known).min(1 << 15);
        let (columns, rows) = (count(width, tiles.width), count(height, tiles.height));
        let all = u64::from(columns) * u64::from(rows);
        let stored = stored_count(tiles);
        if all > SPARSE * (stored + 1) {
            return Err(fail("of whose tiles few have texels"));
        }
        let range = |address: u32| {
            let start =
                (row_of(tiles, address)? as usize).checked_mul(self.all)?.checked_add(base)?;
            Some(start..start.checked_add(self.length)?)
        };
        let places = (0..rows).flat_map(|y| (0..columns).map(move |x| (x, y)));
        let found: Vec<Tile> =
            places.map(|(x, y)| (x, y, range(spread(x) | spread(y) << 1))).collect();
        let mut starts = HashSet::new();
        let ranges = found.iter().filter_map(|(_, _, range)| range.as_ref());
        match ranges.into_iter().all(|range| starts.insert(range.start)) {
            true => Ok(found),
            false => Err(fail("of whose tiles two have the same texels")),
        }
    }

    /// The pixels of a tile with its border.
    pub fn tile(&self, texels: &[u8], range: Range<usize>) -> Result<Raster> {
        let bytes = texels.get(range).ok_or_else(missing)?;
        pixel_format::decode(&self.format, (self.side, self.side), bytes).map(Raster::of)
    }

    /// The picture of a size, put together of its tiles.
    pub fn picture(&self, level: usize, tiles: &[Tile], texels: &[u8]) -> Result<Raster> {
        let (width, height) = self.size(level);
        let (tile_size, border) = (self.data.tile_size, self.data.border_size);
        let mut picture: Option<Raster> = None;
        // Before much is made of them.
        if tiles.iter().flat_map(|(_, _, range)| range).any(|range| range.end > texels.len()) {
            return Err(missing());
        }
        for (x, y, range) in tiles {
            let Some(range) = range else { continue };
            let tile = self.tile(texels, range.clone())?;
            let picture = picture.get_or_insert_with(|| tile.blank_like(width, height));
            picture.put((x * tile_size, y * tile_size), &tile, (border, border), tile_size);
        }
        picture.ok_or_else(missing)
    }

    /// The pixel of a size that a pixel of a tile shows, border or not. Beyond the picture it goes on at the other side;
    /// that of a UDIM set, where each block is a picture of its own, stops at the edge of the block, as `address` says of
    /// others.
    ///
    /// All tiles of the two of 5.8 in the corpora are so, but for what encoding takes from one block.
    pub fn source(
        &self,
        level: usize,
        tile: (u32, u32),
        at: (u32, u32),
        address: [Address; 2],
    ) -> (u32, u32) {
        let (width, height) = self.size(level);
        let data = self.data;
        let one = |tile: u32, at: u32, side: u32, blocks: u32, address: Address| {
            let place =
                i64::from(tile * data.tile_size) + i64::from(at) - i64::from(data.border_size);
            let side = i64::from(side.max(1));
            if blocks <= 1 {
                return address.inside(place, side);
            }
            let block = (side / i64::from(blocks)).max(1);
            let first = i64::from(tile * data.tile_size);
            let last = (first + i64::from(data.tile_size)).min(side) - 1;
            let own = place.clamp(first.min(last), last) / block * block;
            place.clamp(own, (own + block).min(side) - 1) as u32
        };
        (
            one(tile.0, at.0, width, data.width_in_blocks, address[0]),
            one(tile.1, at.1, height, data.height_in_blocks, address[1]),
        )
    }
}

/// What is beyond the edge of a picture. C++: `TextureAddress`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Address {
    Wrap,
    Clamp,
    Mirror,
}

impl Address {
    /// The place within the picture.
    fn inside(self, place: i64, side: i64) -> u32 {
        let inside = match self {
            Self::Wrap => place.rem_euclid(side),
            Self::Clamp => place.clamp(0, side - 1),
            Self::Mirror => {
                let place = place.rem_euclid(2 * side);
                place.min(2 * side - 1 - place)
            }
        };
        inside as u32
    }
}

impl Contents<'_> {
    /// The largest size of the first layer, put together of its tiles.
    pub(super) fn tiles_of(&self, data: &VirtualTextureData) -> Result<Picture> {
        check_area(data)?;
        if data.tiles.is_empty() {
            let even = EarlyTiles::of(self, data)?.even(data, 1)?;
            let layer = TileLayer::of(self, &even.data)?;
            return layer.picture(0, &layer.tiles(0)?, &even.texels)?.into_picture();
        }
        let layer = TileLayer::of(self, data)?;
        let chunk = data.chunks.get(layer.chunk(0)?).ok_or_else(missing)?;
        let texels = payload(self, &chunk.bulk)?.0;
        layer.picture(0, &layer.tiles(0)?, &texels)?.into_picture()
    }
}

pub(super) fn check_area(data: &VirtualTextureData) -> Result<()> {
    let area = u64::from(data.width) * u64::from(data.height);
    match area > 0 && area <= LARGEST_AREA && data.tile_size > 0 {
        true => Ok(()),
        false => Err(fail("without tiles, or too large")),
    }
}

pub(super) fn fail(what: &str) -> Error {
    Error::invalid(format!("a virtual texture {what}"))
}

pub(super) fn missing() -> Error {
    fail("whose tiles are not all there")
}

/// The bits of a number, each with a free one behind it: addresses are bits of column and row in turn.
pub(super) fn spread(number: u32) -> u32 {
    (0..16).fold(0, |sum, bit| sum | (number >> bit & 1) << (2 * bit))
}

/// How many tiles have texels.
fn stored_count(tiles: &TileOffsets) -> u64 {
    let ends = tiles.addresses.iter().skip(1).copied().chain([tiles.end]);
    let runs = tiles.addresses.iter().zip(ends).zip(&tiles.offsets);
    let stored = runs.filter(|(_, offset)| **offset != u32::MAX);
    stored.map(|((first, end), _)| u64::from(end.saturating_sub(*first))).sum()
}

/// Which tile of the chunk an address is; `None` for one without texels.
fn row_of(tiles: &TileOffsets, address: u32) -> Option<u32> {
    let run = tiles.addresses.partition_point(|first| *first <= address).checked_sub(1)?;
    let (first, offset) = (tiles.addresses.get(run)?, *tiles.offsets.get(run)?);
    (offset != u32::MAX).then(|| offset.checked_add(address - first)).flatten()
}
