//! Virtual textures of UE4: tiles differ in size, since each is packed by itself. Unpacked they are those of UE5, whose
//! pictures are put together and taken apart.

use std::ops::Range;

use super::payload_list::PayloadList;
use super::pixel_format;
use super::texture::layers_mut;
use super::virtual_texture::{LARGEST_TILE, fail, missing, spread};
use crate::compression::{Method, compress, decompress_block};
use crate::content::mips::half;
use crate::edit::Edit;
use crate::error::{Error, Result};
use crate::inspect::payload;
use crate::object::ue4::asset::virtual_texture::{
    TileChunk, TileCodec, TileOffsets, VirtualTextureData,
};
use crate::package::Package;

/// The texels stand as the format says. C++: `EVirtualTextureCodec::RawGPU`.
const RAW: u8 = 4;
/// Each tile is packed by zlib. C++: `EVirtualTextureCodec::ZippedGPU`.
const ZIPPED: u8 = 5;
/// Tiles along a side.
const MOST_TILES: u32 = 1 << 15;
/// Bytes that tiles may always have, and how many times what is stored of them.
const LARGEST: u64 = 256 << 20;
const LARGEST_FACTOR: u64 = 64;

/// The first layer of a virtual texture of UE4.
pub(super) struct EarlyTiles {
    /// Bytes of a tile before it is packed.
    size: usize,
    /// The chunks as they are stored.
    chunks: Vec<Vec<u8>>,
}

/// The same tiles as those of UE5: in one chunk, with a place for each address of each size.
pub(super) struct EvenTiles {
    pub data: VirtualTextureData,
    pub texels: Vec<u8>,
    /// The tile of each place; `None` for an address beyond the picture.
    tiles: Vec<Option<u32>>,
}

impl EarlyTiles {
    /// # Errors
    /// `Invalid` for one that no engine makes, or whose format is not decoded.
    pub fn of(package: &Package, data: &VirtualTextureData) -> Result<Self> {
        let format = data.formats.first().ok_or_else(missing)?.text(package.source())?;
        if data.border_size > data.tile_size || data.tile_size > LARGEST_TILE {
            return Err(fail("with tiles that no engine makes"));
        }
        let side = data.tile_size + 2 * data.border_size;
        let size = pixel_format::byte_size(&format, (side, side))?;
        let firsts = &data.tile_of_chunk;
        let is_ordered = firsts.first() == Some(&0)
            && firsts.is_sorted()
            && firsts.last().is_some_and(|last| *last as usize == data.tile_offsets.len())
            && firsts.len() == data.chunks.len() + 1;
        if !is_ordered {
            return Err(fail("whose chunks do not follow each other"));
        }
        // What many chunks would share is read once for each.
        let mut stored = 0_u64;
        let files = package.companions().iter().map(|file| file.read().map(|it| it.len() as u64));
        let all = files.sum::<Result<u64>>()?.saturating_add(package.source().len() as u64);
        let mut chunks = Vec::with_capacity(data.chunks.len());
        for chunk in &data.chunks {
            stored = stored.saturating_add(u64::try_from(chunk.bulk.size_on_disk).unwrap_or(0));
            if stored > all {
                return Err(fail("whose chunks lie in one another"));
            }
            chunks.push(payload(package, &chunk.bulk)?.0);
        }
        Ok(Self { size: usize::try_from(size).map_err(|_| missing())?, chunks })
    }

    /// The tiles of the first sizes, unpacked.
    ///
    /// # Errors
    /// `Invalid` where they do not fit what is stored, or are packed by a codec that is not known.
    pub fn even(&self, data: &VirtualTextureData, levels: usize) -> Result<EvenTiles> {
        let mut made = EvenTiles { data: data.clone(), texels: Vec::new(), tiles: Vec::new() };
        let stored: u64 = self.chunks.iter().map(|chunk| chunk.len() as u64).sum();
        let most = LARGEST.max(stored.saturating_mul(LARGEST_FACTOR));
        let (mut runs, mut offsets) = (Vec::new(), Vec::new());
        let mut size = (data.width, data.height);
        for level in 0..levels {
            let bounds = data.tile_of_mip.get(level).zip(data.tile_of_mip.get(level + 1));
            let (first, end) = bounds.ok_or_else(missing)?;
            let side = |texels: u32| texels.div_ceil(data.tile_size).max(1);
            let (width, height) = (side(size.0), side(size.1));
            let all = u64::from(width) * u64::from(height);
            if width.max(height) > MOST_TILES || all > data.tile_offsets.len() as u64 {
                return Err(missing());
            }
            // Addresses beyond the picture have a place as well: sides that differ leave some.
            let addresses = spread(width - 1) | spread(height - 1) << 1;
            let each = (self.size + size_of::<Option<u32>>()) as u64;
            let taken = (made.tiles.len() as u64 + u64::from(addresses) + 1) * each;
            if taken > most {
                return Err(fail("whose tiles are far larger than what is stored"));
            }
            let offset = u32::try_from(made.texels.len()).map_err(|_| missing())?;
            offsets.push(offset);
            let start = made.tiles.len();
            made.tiles.resize(start + addresses as usize + 1, None);
            made.texels.resize(made.tiles.len() * self.size, 0);
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let address = spread(x) | spread(y) << 1;
                let tile = address.checked_mul(data.layers).and_then(|at| first.checked_add(at));
                let tile = tile.filter(|tile| tile < end).ok_or_else(missing)?;
                let place = start + address as usize;
                made.tiles[place] = Some(tile);
                let texels = &mut made.texels[place * self.size..(place + 1) * self.size];
                self.unpack(data, tile, texels)?;
            }
            runs.push(TileOffsets {
                width,
                height,
                end: addresses + 1,
                addresses: vec![0],
                offsets: vec![0],
            });
            size = half(size.0, size.1);
        }
        let bytes = u32::try_from(self.size).map_err(|_| missing())?;
        made.data.layer_ends = vec![bytes];
        made.data.chunk_of_mip = vec![0; levels];
        made.data.offset_of_mip = offsets;
        made.data.tiles = runs;
        let codecs = vec![TileCodec { kind: RAW, offset: 0 }];
        made.data.chunks = vec![TileChunk { codecs, ..TileChunk::default() }];
        Ok(made)
    }

    /// The chunk that a tile stands in, and where its texels stand there: up to those of the next one.
    fn place(&self, data: &VirtualTextureData, tile: u32) -> Result<(usize, Range<usize>)> {
        let chunk = data.tile_of_chunk.partition_point(|first| *first <= tile);
        let chunk = chunk.checked_sub(1).ok_or_else(missing)?;
        let length = self.chunks.get(chunk).ok_or_else(missing)?.len();
        let offset = |tile: u32| data.tile_offsets.get(tile as usize).map(|at| *at as usize);
        let is_last = data.tile_of_chunk.get(chunk + 1) == Some(&(tile + 1));
        let start = offset(tile).ok_or_else(missing)?;
        let end = offset(tile + 1).filter(|_| !is_last).unwrap_or(length);
        let range = Some(start..end).filter(|it| it.start <= it.end && it.end <= length);
        Ok((chunk, range.ok_or_else(missing)?))
    }

    fn unpack(&self, data: &VirtualTextureData, tile: u32, texels: &mut [u8]) -> Result<()> {
        let (chunk, range) = self.place(data, tile)?;
        let stored = &self.chunks[chunk][range];
        match codec(data, chunk)? {
            RAW => {
                texels.copy_from_slice(stored.get(..texels.len()).ok_or_else(missing)?);
                Ok(())
            }
            ZIPPED => decompress_block(Method::Zlib, stored, texels),
            _ => Err(fail("of one colour, or packed by a codec that is not known")),
        }
    }

    /// Gives a texture the tiles of `new` that differ from `old`; all others stay as they are packed.
    ///
    /// # Errors
    /// As [`PayloadList::replace`].
    pub fn replace(
        &self,
        edit: &mut Edit,
        row: usize,
        data: &VirtualTextureData,
        (old, new): (&EvenTiles, &[u8]),
    ) -> Result<()> {
        let mut packed: Vec<Option<Vec<u8>>> = vec![None; data.tile_offsets.len()];
        let places = old.texels.chunks_exact(self.size).zip(new.chunks_exact(self.size));
        for (tile, (before, after)) in old.tiles.iter().zip(places) {
            let Some(tile) = tile.filter(|_| before != after) else { continue };
            let (chunk, _) = self.place(data, tile)?;
            let stored = match codec(data, chunk)? {
                ZIPPED => {
                    let size = u32::try_from(after.len()).map_err(|_| missing())?;
                    let framing = compress(after, Method::Zlib, size)?;
                    let block = framing.blocks.first().ok_or_else(missing)?;
                    block.data.bytes(&[])?.to_vec()
                }
                _ => after.to_vec(),
            };
            *packed.get_mut(tile as usize).ok_or_else(missing)? = Some(stored);
        }
        let (mut chunks, mut offsets) = (Vec::new(), data.tile_offsets.clone());
        for (at, stored) in self.chunks.iter().enumerate() {
            let bound = |at: usize| data.tile_of_chunk.get(at).copied().ok_or_else(missing);
            let (first, end) = (bound(at)?, bound(at + 1)?);
            let is_new = |tile: u32| packed.get(tile as usize).is_some_and(Option::is_some);
            if !(first..end).any(is_new) {
                chunks.push(stored.clone());
                continue;
            }
            // What codecs need stands before the tiles.
            let head = data.tile_offsets.get(first as usize).map_or(0, |offset| *offset as usize);
            let mut bytes = stored.get(..head).ok_or_else(missing)?.to_vec();
            for tile in first..end {
                let (chunk, range) = self.place(data, tile)?;
                let old = stored.get(range).filter(|_| chunk == at).ok_or_else(missing)?;
                let place = offsets.get_mut(tile as usize).ok_or_else(missing)?;
                *place = u32::try_from(bytes.len())
                    .map_err(|_| Error::invalid("a chunk has more than 4 GiB"))?;
                match &packed[tile as usize] {
                    Some(new) => bytes.extend_from_slice(new),
                    None => bytes.extend_from_slice(old),
                }
            }
            chunks.push(bytes);
        }
        let sizes: Vec<u32> = chunks.iter().map(|bytes| bytes.len() as u32).collect();
        let list = PayloadList::of(edit, data.chunks.iter().map(|chunk| &chunk.bulk))?;
        let new = chunks.into_iter().zip(&data.chunks).map(|(it, chunk)| (it, &chunk.bulk));
        let placed = list.replace(edit, row, new.collect())?;
        edit.change_body(row, |body| {
            let stored = layers_mut(body)?.virtual_data.as_mut();
            let stored = stored.ok_or_else(missing)?;
            stored.tile_offsets = offsets;
            for (chunk, (bulk, size)) in stored.chunks.iter_mut().zip(placed.into_iter().zip(sizes))
            {
                (chunk.bulk, chunk.size) = (bulk, size);
            }
            Ok(())
        })
    }
}

fn codec(data: &VirtualTextureData, chunk: usize) -> Result<u8> {
    let codec = data.chunks.get(chunk).and_then(|chunk| chunk.codecs.first());
    codec.map(|codec| codec.kind).ok_or_else(missing)
}
