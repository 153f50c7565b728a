//! Virtual textures: tiles of texels in chunks.

use crate::archive::{at_index, in_field, private};
use crate::error::{ErrorKind, Result};
use crate::object::ue4::bulk::BulkData;
use crate::object::ue4::condition::{fixed, from_release, when, when_counted};
use crate::primitive::{Bool32, FString, array};
use crate::{Archive, ArchiveExt, Archived};

/// Most layers that the engine allows.
const MOST_LAYERS: u32 = 8;

/// The tiles of a virtual texture.
///
/// Spec: ue4-5/05 §7. C++: `FVirtualTextureBuiltData`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct VirtualTextureData {
    /// Whether it was cooked.
    pub cooked: Bool32,
    /// Layers of texels.
    pub layers: u32,
    /// Pictures beside each other.
    pub width_in_blocks: u32,
    /// Pictures above each other.
    pub height_in_blocks: u32,
    /// Side of a tile without its border, in texels.
    pub tile_size: u32,
    /// Width of the border around each tile, in texels.
    pub border_size: u32,
    /// Where the bytes of each layer of a tile end, from UE5.0.
    pub layer_ends: Vec<u32>,
    /// Sizes.
    pub mips: u32,
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// The chunk that each size stands in, from UE5.0.
    pub chunk_of_mip: Vec<u32>,
    /// Where each size begins in its chunk, from UE5.0.
    pub offset_of_mip: Vec<u32>,
    /// Tiles of each size, from UE5.0.
    pub tiles: Vec<TileOffsets>,
    /// The first tile of each chunk, where tiles differ in size.
    pub tile_of_chunk: Vec<u32>,
    /// The first tile of each size, where tiles differ in size.
    pub tile_of_mip: Vec<u32>,
    /// Where each tile begins in its chunk, where tiles differ in size.
    pub tile_offsets: Vec<u32>,
    /// Name of each layer's format.
    pub formats: Vec<FString>,
    /// The colour of each layer where no texels are, from UE5.0.
    pub fallback_colors: Vec<[f32; 4]>,
    /// The chunks.
    pub chunks: Vec<TileChunk>,
}

/// Tiles of a size, by their address: bits of x and y in turn.
///
/// C++: `FVirtualTextureTileOffsetData`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TileOffsets {
    /// Width in tiles.
    pub width: u32,
    /// Height in tiles.
    pub height: u32,
    /// One more than the last address.
    pub end: u32,
    /// First address of each run of tiles.
    pub addresses: Vec<u32>,
    /// Its first tile in the chunk, 0xffffffff for a run without texels.
    pub offsets: Vec<u32>,
}

/// Texels of tiles. C++: `FVirtualTextureDataChunk`.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TileChunk {
    /// Hash of the texels, from UE5.0.
    pub hash: [u8; 20],
    /// Bytes of the chunk.
    pub size: u32,
    /// Bytes of what codecs need before the texels.
    pub codec_size: u32,
    /// How the texels of each layer are stored.
    pub codecs: Vec<TileCodec>,
    /// The texels.
    pub bulk: BulkData,
}

/// How texels of a layer are stored. C++: `EVirtualTextureCodec`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TileCodec {
    /// 0 black, 1 opaque black, 2 white, 3 a flat normal map, 4 as the format says.
    pub kind: u8,
    /// Where what the codec needs stands; 16 bits below UE4.27.
    pub offset: u32,
}

impl VirtualTextureData {
    pub(super) fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let is_ue5 = from_release(ar, 5, 0);
        in_field("cooked", ar, |ar| self.cooked.serialize(ar))?;
        for (number, name) in [
            (&mut self.layers, "layers"),
            (&mut self.width_in_blocks, "width_in_blocks"),
            (&mut self.height_in_blocks, "height_in_blocks"),
            (&mut self.tile_size, "tile_size"),
            (&mut self.border_size, "border_size"),
        ] {
            in_field(name, ar, |ar| ar.serialize_u32(number))?;
        }
        if self.layers > MOST_LAYERS {
            let (value, type_name) = (self.layers.into(), "VirtualTextureData");
            return Err(ar.error(ErrorKind::UnknownVariant { value, type_name }));
        }
        let layers = self.layers as usize;
        when_counted(is_ue5, &mut self.layer_ends, "layer_ends", ar)?;
        for (number, name) in
            [(&mut self.mips, "mips"), (&mut self.width, "width"), (&mut self.height, "height")]
        {
            in_field(name, ar, |ar| ar.serialize_u32(number))?;
        }
        when_counted(is_ue5, &mut self.chunk_of_mip, "chunk_of_mip", ar)?;
        when_counted(is_ue5, &mut self.offset_of_mip, "offset_of_mip", ar)?;
        match is_ue5 {
            true => in_field("tiles", ar, |ar| {
                array::counted_i32_by(&mut self.tiles, ar, |tiles, ar| tiles.serialize(ar))
            })?,
            false => private::absent(&mut self.tiles, ar, "tiles")?,
        }
        when_counted(true, &mut self.tile_of_chunk, "tile_of_chunk", ar)?;
        when_counted(true, &mut self.tile_of_mip, "tile_of_mip", ar)?;
        when_counted(true, &mut self.tile_offsets, "tile_offsets", ar)?;
        in_field("formats", ar, |ar| fixed(&mut self.formats, layers, ar))?;
        let colors = if is_ue5 { layers } else { 0 };
        in_field("fallback_colors", ar, |ar| fixed(&mut self.fallback_colors, colors, ar))?;
        in_field("chunks", ar, |ar| {
            array::counted_i32_by(&mut self.chunks, ar, |chunk, ar| chunk.serialize(layers, ar))
        })
    }
}

impl TileChunk {
    fn serialize<A: Archive + ?Sized>(&mut self, layers: usize, ar: &mut A) -> Result<()> {
        when(from_release(ar, 5, 0), &mut self.hash, "hash", ar)?;
        in_field("size", ar, |ar| ar.serialize_u32(&mut self.size))?;
        in_field("codec_size", ar, |ar| ar.serialize_u32(&mut self.codec_size))?;
        if ar.is_loading() {
            self.codecs.clear();
            self.codecs.resize(layers, TileCodec::default());
        } else if ar.is_saving() && self.codecs.len() != layers {
            return Err(ar.error(ErrorKind::NotInVersion).in_field("codecs"));
        }
        in_field("codecs", ar, |ar| {
            let mut codecs = self.codecs.iter_mut().enumerate();
            codecs.try_for_each(|(row, codec)| at_index(row, ar, |ar| codec.serialize(ar)))
        })?;
        in_field("bulk", ar, |ar| self.bulk.serialize(ar))
    }
}

impl TileOffsets {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("width", ar, |ar| ar.serialize_u32(&mut self.width))?;
        in_field("height", ar, |ar| ar.serialize_u32(&mut self.height))?;
        in_field("end", ar, |ar| ar.serialize_u32(&mut self.end))?;
        in_field("addresses", ar, |ar| array::counted_i32(&mut self.addresses, ar))?;
        in_field("offsets", ar, |ar| array::counted_i32(&mut self.offsets, ar))
    }
}

impl TileCodec {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("kind", ar, |ar| ar.serialize_u8(&mut self.kind))?;
        if from_release(ar, 4, 27) {
            return in_field("offset", ar, |ar| ar.serialize_u32(&mut self.offset));
        }
        let error = ErrorKind::OutOfRange { value: self.offset.into(), bits: 16 };
        let mut short = u16::try_from(self.offset).map_err(|_| ar.error(error))?;
        in_field("offset", ar, |ar| ar.serialize_u16(&mut short))?;
        if ar.is_loading() {
            self.offset = short.into();
        }
        Ok(())
    }
}
