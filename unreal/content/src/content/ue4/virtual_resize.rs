//! Virtual textures of UE5 with pictures of another size.

use std::collections::BTreeMap;

use sha1::{Digest, Sha1};

use super::payload_list::PayloadList;
use super::pixel_encode::encode;
use super::raster::{MipFilter, Raster, RasterTexels};
use super::texture::layers_mut;
use super::texture_replace::NewPicture;
use super::texture_resize::{check_powers, resize_property};
use super::virtual_replace::of_tiles;
use super::virtual_texture::{Address, TileLayer, check_area, fail, missing, spread};
use crate::content::mips::{full_chain, half};
use crate::content::texture_replace::TextureChange;
use crate::content::texture_shape::TextureShape;
use crate::edit::Edit;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::payload;
use crate::object::ue4::asset::virtual_texture::{TileOffsets, VirtualTextureData};

/// A run of tiles without texels.
const NO_TEXELS: u32 = u32::MAX;

/// Gives a virtual texture the picture of another size: the tiles of all sizes are made anew. Each size stands in the chunk
/// that the old one as many sizes above the smallest stood in.
pub(super) fn resize_tiles(
    edit: &mut Edit,
    row: usize,
    layer: &TileLayer<'_>,
    new: NewPicture,
    (filter, address): (MipFilter, [Address; 2]),
) -> Result<TextureChange> {
    let old = layer.data;
    if old.layers != 1 {
        let (layers, (width, height)) = (old.layers, layer.size(0));
        return Err(Error::unsupported(format!(
            "it has {layers} layers, of which the picture would give one another size: scale the picture to {width} by \
             {height}"
        )));
    }
    // What is damaged is not taken for a pattern.
    (0..layer.levels()).try_for_each(|level| layer.tiles(level).map(drop))?;
    let like = shown_pixels(edit, layer)?;
    let (slices, texels) =
        new.into_slices((TextureShape::Flat, layer.size(0)), &layer.format, &like)?;
    let (width, height) = slices.size();
    let data = resized(old, (width, height))?;
    let made = TileLayer::of(edit, &data)?;
    let (mut chunks, mut offsets) = (TileChunks::of(edit, layer)?, Vec::new());
    let mut picture = slices.into_first().ok_or_else(missing)?;
    for level in 0..made.levels() {
        if level > 0 {
            picture = picture.halved(filter);
        }
        let chunk = chunks.bytes(chunk_of(layer, made.levels(), level)?);
        offsets.push(u32::try_from(chunk.len()).map_err(|_| too_large())?);
        for tile in tiles_by_address(data.tiles.get(level).ok_or_else(missing)?) {
            let source = |x, y| made.source(level, tile, (x, y), address);
            let tile = picture.gathered(made.side, made.side, source);
            let texels = encode(&layer.format, &tile, None);
            let texels = texels.map_err(|error| of_tiles(&layer.format, error))?;
            if texels.len() != made.length {
                return Err(missing());
            }
            chunk.extend(texels);
        }
    }
    let levels = made.levels();
    let color = color_of(&picture, filter);
    let mut data = VirtualTextureData { offset_of_mip: offsets, ..data.clone() };
    if let Some(own) = data.fallback_colors.first_mut() {
        *own = color;
    }
    chunks.place(edit, row, layer, levels, &mut data)?;
    let package = edit.clone();
    let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
    edit.change_body(row, |body| {
        resize_property(&package, body, (side(width), side(height)))?;
        let platform = layers_mut(body)?;
        (platform.size_x, platform.size_y) = (side(width), side(height));
        platform.virtual_data = Some(Box::new(data));
        Ok(())
    })?;
    Ok(TextureChange { texels, resized: true, ..TextureChange::default() })
}

fn too_large() -> Error {
    fail("whose chunks would have more than 4 GiB")
}

/// The kind of pixels that the texels of tiles become.
fn shown_pixels(edit: &Edit, layer: &TileLayer<'_>) -> Result<RasterTexels> {
    let level = layer.levels().saturating_sub(1);
    let chunk = layer.data.chunks.get(layer.chunk(level)?).ok_or_else(missing)?;
    let texels = payload(edit, &chunk.bulk)?.0;
    let tile = layer.tiles(level)?.into_iter().find_map(|(_, _, range)| range);
    Ok(layer.tile(&texels, tile.ok_or_else(missing)?)?.texels)
}

/// What says the tiles of a picture of this size; chunks and the places in them follow.
fn resized(old: &VirtualTextureData, (width, height): (u32, u32)) -> Result<VirtualTextureData> {
    let (columns, rows) = (old.width_in_blocks.max(1), old.height_in_blocks.max(1));
    if width % columns != 0 || height % rows != 0 {
        return Err(Error::invalid(format!(
            "the picture is {width} by {height}, the virtual texture one of {columns} by {rows} pictures of one size"
        )));
    }
    check_powers((width / columns, height / rows))?;
    let missing_sizes = full_chain(old.width, old.height).saturating_sub(old.tiles.len());
    let levels = full_chain(width, height).saturating_sub(missing_sizes).max(1);
    let next = |(width, height): &(u32, u32)| Some(half(*width, *height));
    let sizes = std::iter::successors(Some((width, height)), next).take(levels);
    let data = VirtualTextureData { width, height, ..old.clone() };
    check_area(&data)?;
    let side = |texels: u32| texels.div_ceil(old.tile_size.max(1)).max(1);
    let tiles = sizes.map(|(width, height)| runs(side(width), side(height))).collect();
    let mips = u32::try_from(levels).map_err(|_| missing())?;
    Ok(VirtualTextureData { tiles, mips, ..data })
}

/// So many tiles beside and above each other: addresses between them have no texels.
fn runs(width: u32, height: u32) -> TileOffsets {
    let last = spread(width - 1) | spread(height - 1) << 1;
    let mut tiles = TileOffsets { width, height, end: last + 1, ..TileOffsets::default() };
    let (mut stored, mut count) = (None, 0);
    for address in 0..=last {
        let (x, y) = place(address);
        let is_tile = x < width && y < height;
        if stored != Some(is_tile) {
            tiles.addresses.push(address);
            tiles.offsets.push(if is_tile { count } else { NO_TEXELS });
            stored = Some(is_tile);
        }
        count += u32::from(is_tile);
    }
    tiles
}

/// Column and row of an address, whose bits are theirs in turn.
fn place(address: u32) -> (u32, u32) {
    let gather = |bits: u32| (0..16).fold(0, |sum, bit| sum | (bits >> (2 * bit) & 1) << bit);
    (gather(address), gather(address >> 1))
}

/// Columns and rows of the tiles that have texels, as they follow each other.
fn tiles_by_address(tiles: &TileOffsets) -> impl Iterator<Item = (u32, u32)> {
    let (width, height) = (tiles.width, tiles.height);
    (0..tiles.end).map(place).filter(move |(x, y)| *x < width && *y < height)
}

/// The old chunk for a size of so many.
fn chunk_of(layer: &TileLayer<'_>, levels: usize, level: usize) -> Result<usize> {
    let above_smallest = levels.saturating_sub(level + 1);
    layer.chunk(layer.levels().saturating_sub(above_smallest + 1))
}

/// The colour where no texels are: that of the whole picture, of which the smallest size is left.
///
/// That of both textures of 5.8 is so.
fn color_of(smallest: &Raster, filter: MipFilter) -> [f32; 4] {
    let mut one = smallest.clone();
    while one.width > 1 || one.height > 1 {
        one = one.halved(filter);
    }
    one.light(filter).unwrap_or_default()
}

/// New chunks by the number of the old ones, each beginning with what the old one has before its tiles.
struct TileChunks {
    bytes: BTreeMap<usize, Vec<u8>>,
    heads: Vec<Vec<u8>>,
}

impl TileChunks {
    fn of(edit: &Edit, layer: &TileLayer<'_>) -> Result<Self> {
        let data = layer.data;
        let mut heads = Vec::with_capacity(data.chunks.len());
        for (at, chunk) in data.chunks.iter().enumerate() {
            let of_chunk = |(_, chunk): &(&u32, &u32)| **chunk as usize == at;
            let levels = data.offset_of_mip.iter().zip(&data.chunk_of_mip).filter(of_chunk);
            let head = levels.map(|(offset, _)| *offset as usize).min().unwrap_or(0);
            let bytes = payload(edit, &chunk.bulk)?.0;
            heads.push(bytes.get(..head).ok_or_else(missing)?.to_vec());
        }
        Ok(Self { bytes: BTreeMap::new(), heads })
    }

    fn bytes(&mut self, chunk: usize) -> &mut Vec<u8> {
        let head = || self.heads.get(chunk).cloned().unwrap_or_default();
        self.bytes.entry(chunk).or_insert_with(head)
    }

    /// Puts them where the old ones stood; a chunk without a size is left out.
    fn place(
        self,
        edit: &mut Edit,
        row: usize,
        layer: &TileLayer<'_>,
        levels: usize,
        data: &mut VirtualTextureData,
    ) -> Result<()> {
        let old = &layer.data.chunks;
        let kept: Vec<usize> = self.bytes.keys().copied().collect();
        let mut chunk_of_mip = Vec::with_capacity(levels);
        for level in 0..levels {
            let chunk = kept.binary_search(&chunk_of(layer, levels, level)?);
            let chunk = chunk.map_err(|_| missing())?;
            chunk_of_mip.push(u32::try_from(chunk).map_err(|_| missing())?);
        }
        data.chunk_of_mip = chunk_of_mip;
        let (mut chunks, mut payloads) = (Vec::new(), Vec::new());
        for (at, bytes) in self.bytes {
            let mut chunk = old.get(at).ok_or_else(missing)?.clone();
            chunk.hash = Sha1::digest(&bytes).into();
            chunk.size = u32::try_from(bytes.len()).map_err(|_| too_large())?;
            payloads.push((bytes, &old[at].bulk));
            chunks.push(chunk);
        }
        let list = PayloadList::of(edit, old.iter().map(|chunk| &chunk.bulk))?;
        let placed = list.replace(edit, row, payloads)?;
        for (chunk, bulk) in chunks.iter_mut().zip(placed) {
            chunk.bulk = bulk;
        }
        data.chunks = chunks;
        Ok(())
    }
}
