//! Payloads of the editor: compressed buffers, which hash what they hold.

use super::blocks::size_u32;
use super::lineage::crc32;
use super::{Block, Framing, Method, decompress, limit};
use crate::Described;
use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt, Archived, Kind, Saver, Span, in_field};
use crate::error::{Error, Result, UnrealError, UnrealErrors};
use crate::version::ByteOrder;

const TAG: u32 = 0xb775_6362;
/// Blocks of more than this are not made by anyone.
const LARGEST_EXPONENT: u8 = 31;
/// Bytes of the fields before the sizes of blocks.
const HEADER: u64 = 64;
/// Bytes of the tag and the checksum, which the checksum leaves out.
const UNSUMMED: usize = 8;

/// A payload with its hash, compressed or not; big-endian in every package.
///
/// A tag stands before the fields, the number of blocks before the sizes; the size of each block, unless
/// there is no method, before the first block.
///
/// Spec: ue4-5/03 §17. C++: `FCompressedBuffer`.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct CompressedBuffer {
    /// CRC-32 of the fields behind it, as stored.
    pub crc: u32,
    /// How it is compressed: 0 not, 3 Oodle, 4 LZ4.
    pub method: u8,
    /// Which of the method's compressors was used.
    pub compressor: u8,
    /// How hard it tried.
    pub level: u8,
    /// Logarithm of the size of a block.
    pub block_exponent: u8,
    /// Size of the content, bytes.
    pub raw_size: u64,
    /// Size of the whole, bytes.
    pub total_size: u64,
    /// BLAKE3 of the content.
    pub raw_hash: [u8; 32],
    /// The blocks.
    pub blocks: Vec<Block>,
}

impl CompressedBuffer {
    /// The bytes of a buffer that stores a content as it is: no open compressor of Oodle exists, which engines use.
    ///
    /// # Errors
    /// `OutOfRange` beyond 4 GiB.
    pub fn store(content: &[u8]) -> Result<Vec<u8>> {
        let size = size_u32(content.len() as u64)?;
        let block = Block {
            compressed_size: size,
            uncompressed_size: size,
            data: Span::owned(content.to_vec()),
        };
        let mut buffer = Self {
            raw_size: size.into(),
            total_size: HEADER + u64::from(size),
            raw_hash: *blake3::hash(content).as_bytes(),
            blocks: vec![block],
            ..Self::default()
        };
        let mut saver = Saver::new(Default::default()).with_capacity(content.len() + 64);
        buffer.serialize(&mut saver)?;
        let mut bytes = saver.into_bytes();
        let sum = crc32(bytes.get(UNSUMMED..HEADER as usize).unwrap_or_default());
        if let Some(place) = bytes.get_mut(4..UNSUMMED) {
            place.copy_from_slice(&sum.to_be_bytes());
        }
        Ok(bytes)
    }

    /// The content: `source` is what the blocks were loaded from.
    ///
    /// # Errors
    /// `Compression` when it is damaged; `TooLarge` as [`decompress`]; `Unsupported` for a method that is not known here, and for Oodle
    /// without the feature `compression`.
    pub fn content(&self, source: &[u8]) -> Result<Vec<u8>> {
        let damaged = |reason: &str| UnrealError::Compression { reason: reason.to_owned() }.into();
        let method = match self.method {
            0 => None,
            3 => Some(Method::Oodle),
            4 => {
                return Err(Error::unsupported("a payload that is compressed with LZ4"));
            }
            number => {
                let reason = format!("a payload that is compressed with method {number}");
                return Err(Error::unsupported(reason));
            }
        };
        let size = self.blocks.iter().map(|block| u64::from(block.uncompressed_size)).sum();
        limit::check(size, source.len() as u64, None)?;
        let mut content = Vec::new();
        for block in &self.blocks {
            let stored = block.data.bytes(source)?;
            match method {
                // A block that does not become smaller stays as it is.
                Some(method) if block.uncompressed_size != block.compressed_size => {
                    let framing = Framing { blocks: vec![block.clone()], ..Framing::default() };
                    content.extend(decompress(&framing, source, method)?);
                }
                _ => content.extend_from_slice(stored),
            }
        }
        match blake3::hash(&content).as_bytes() == &self.raw_hash {
            true => Ok(content),
            false => Err(damaged("the payload is not what its hash says")),
        }
    }

    /// The size of the content of each block, bytes.
    fn raw_sizes(&self, count: u32) -> Option<Vec<u32>> {
        if self.method == 0 {
            let size = u32::try_from(self.raw_size).ok().filter(|_| count == 1);
            return size.map(|size| vec![size]);
        }
        let block = 1_u64 << self.block_exponent.min(LARGEST_EXPONENT);
        if self.raw_size.div_ceil(block) != u64::from(count) {
            return None;
        }
        let sizes = (0..u64::from(count)).map(|row| (self.raw_size - row * block).min(block));
        Some(sizes.map(|size| size as u32).collect())
    }

    fn serialize_fields<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut tag = TAG;
        in_field("tag", ar, |ar| ar.serialize_u32(&mut tag))?;
        if ar.is_loading() && tag != TAG {
            let reason = format!("the payload starts with {tag:#010x}");
            return Err(ar.error(UnrealError::Compression { reason }));
        }
        in_field("crc", ar, |ar| ar.serialize_u32(&mut self.crc))?;
        in_field("method", ar, |ar| ar.serialize_u8(&mut self.method))?;
        in_field("compressor", ar, |ar| ar.serialize_u8(&mut self.compressor))?;
        in_field("level", ar, |ar| ar.serialize_u8(&mut self.level))?;
        in_field("block_exponent", ar, |ar| ar.serialize_u8(&mut self.block_exponent))?;
        let mut count = crate::primitive::array::u32_count(self.blocks.len(), ar)?;
        in_field("block_count", ar, |ar| ar.serialize_u32(&mut count))?;
        in_field("raw_size", ar, |ar| ar.serialize_u64(&mut self.raw_size))?;
        in_field("total_size", ar, |ar| ar.serialize_u64(&mut self.total_size))?;
        in_field("raw_hash", ar, |ar| ar.serialize_bytes(&mut self.raw_hash))?;
        if ar.is_loading() {
            let claimed = if self.method == 0 { 1 } else { count };
            ar.claim(claimed.into(), size_of::<Block>())?;
            let sizes = self.raw_sizes(count).ok_or_else(|| {
                let reason = "the payload has another number of blocks than it says".to_owned();
                ar.error(UnrealError::Compression { reason })
            })?;
            let block = |uncompressed_size| Block {
                compressed_size: uncompressed_size,
                uncompressed_size,
                ..Block::default()
            };
            self.blocks = sizes.into_iter().map(block).collect();
        }
        if self.method != 0 {
            for block in &mut self.blocks {
                in_field("block_size", ar, |ar| ar.serialize_u32(&mut block.compressed_size))?;
            }
        }
        for block in &mut self.blocks {
            let length = u64::from(block.compressed_size);
            in_field("data", ar, |ar| ar.serialize_span(&mut block.data, length, Kind::Payload))?;
        }
        Ok(())
    }
}

impl Archived for CompressedBuffer {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        // The byte order is its own, which ends with it.
        let around = ar.versions().clone();
        ar.set_versions(around.clone().with_byte_order(ByteOrder::Big));
        let result = self.serialize_fields(ar);
        ar.set_versions(around);
        result
    }
}
