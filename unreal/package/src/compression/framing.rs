//! The framing of compressed data: a header, a table of block sizes, the blocks.

use crate::Described;
use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt, Archived, Kind, Span, Step, in_field};
use crate::error::{Error, ErrorKind, Result, UnrealError};
use crate::table::PACKAGE_TAG;
use crate::version::ByteOrder;

use super::{BLOCK_SIZE, Method};

/// Blocks of older packages (spec: ue1-3/04 §4.1, inferred).
const OLD_BLOCK_SIZE: u32 = 0x8000;
/// First file version whose default block has [`BLOCK_SIZE`] bytes (spec: ue1-3/04 §4.1).
const BLOCK_SIZE_GREW: u32 = 369;

/// One compressed block: its sizes stand in the table of its [`Framing`], its bytes behind the table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block {
    /// Bytes as stored.
    pub compressed_size: u32,
    /// Bytes when decompressed.
    pub uncompressed_size: u32,
    /// The stored bytes.
    pub data: Span,
}

/// Compressed data with its sizes: a chunk of a package, a whole file, or the payload of bulk data.
///
/// The package tag, which tells the byte order of the framing, stands before the fields, and the sizes of
/// all blocks before the first one. The number of blocks is stored nowhere: the table ends where the
/// uncompressed sizes add up to the whole. Spec: ue1-3/04 §4.1. C++: `FArchive::SerializeCompressed`.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct Framing {
    /// Byte order of the framing, which need not be that of what it holds.
    pub byte_order: ByteOrder,
    /// Size of an uncompressed block as stored, bytes; the tag again for the default, which
    /// [`Framing::block_bytes`] knows.
    pub block_size: u32,
    /// Compressed size of all blocks as stored.
    pub compressed_size: u32,
    /// Uncompressed size of all blocks.
    pub uncompressed_size: u32,
    /// The blocks.
    pub blocks: Vec<Block>,
}

impl Framing {
    /// Bytes of every uncompressed block but the last.
    pub fn block_bytes(&self, file_version: u32) -> u32 {
        match self.block_size {
            PACKAGE_TAG if file_version < BLOCK_SIZE_GREW => OLD_BLOCK_SIZE,
            PACKAGE_TAG | 0 => BLOCK_SIZE,
            size => size,
        }
    }

    /// Bytes of header and table.
    pub fn table_size(&self) -> u64 {
        16 + 8 * self.blocks.len() as u64
    }

    /// Refuses blocks that claim to hold more than `method` can put into their bytes: to be asked before
    /// anything is allocated for them.
    ///
    /// # Errors
    /// `Compression`.
    pub fn check(&self, method: Method) -> Result<()> {
        for (row, block) in self.blocks.iter().enumerate() {
            let most = method.most_from(block.compressed_size.into());
            if u64::from(block.uncompressed_size) > most {
                let (claimed, stored) = (block.uncompressed_size, block.compressed_size);
                let reason = format!("{claimed} bytes can't come out of {stored} with {method}");
                let error = Error::from(UnrealError::Compression { reason });
                return Err(error.at_index(row).in_field("blocks"));
            }
        }
        Ok(())
    }

    /// Sums, table and blocks; `number` is how a size is stored.
    pub(super) fn serialize_blocks<A: Archive + ?Sized>(
        &mut self,
        number: fn(&mut u32, &mut A) -> Result<()>,
        ar: &mut A,
    ) -> Result<()> {
        in_field("compressed_size", ar, |ar| number(&mut self.compressed_size, ar))?;
        in_field("uncompressed_size", ar, |ar| number(&mut self.uncompressed_size, ar))?;
        in_field("blocks", ar, |ar| {
            if ar.is_loading() {
                self.load_sizes(number, ar)?;
            } else {
                self.each(ar, |block, ar| block.serialize_sizes(number, ar))?;
            }
            self.each(ar, Block::serialize_data)
        })
    }

    fn each<A: Archive + ?Sized>(
        &mut self,
        ar: &mut A,
        part: impl Fn(&mut Block, &mut A) -> Result<()>,
    ) -> Result<()> {
        for (row, block) in self.blocks.iter_mut().enumerate() {
            ar.enter(Step::Index(row));
            let result = part(block, ar);
            ar.leave();
            result.map_err(|error| error.at_index(row))?;
        }
        Ok(())
    }

    /// Pairs of sizes until they add up to the whole: the size of a block is not to be trusted.
    fn load_sizes<A: Archive + ?Sized>(
        &mut self,
        number: fn(&mut u32, &mut A) -> Result<()>,
        ar: &mut A,
    ) -> Result<()> {
        self.blocks.clear();
        let mut left = self.uncompressed_size;
        while left > 0 {
            let row = self.blocks.len();
            // Each takes bytes of the table, so their number is bounded by the file.
            ar.claim(1, size_of::<Block>())?;
            let mut block = Block::default();
            ar.enter(Step::Index(row));
            let read = block.serialize_sizes(number, ar);
            ar.leave();
            let size = block.uncompressed_size;
            let fits = read.and_then(|()| match left.checked_sub(size) {
                Some(rest) if size > 0 => Ok(rest),
                _ => {
                    let reason = format!("a block of {size} bytes where {left} are left");
                    Err(ar.error(UnrealError::Compression { reason }))
                }
            });
            left = fits.map_err(|error| error.at_index(row))?;
            self.blocks.push(block);
        }
        Ok(())
    }
}

impl Block {
    fn serialize_sizes<A: Archive + ?Sized>(
        &mut self,
        number: fn(&mut u32, &mut A) -> Result<()>,
        ar: &mut A,
    ) -> Result<()> {
        let length = self.data.len();
        if ar.is_saving() && length != u64::from(self.compressed_size) {
            let error = ar.error(ErrorKind::OutOfRange { value: length.into(), bits: 32 });
            return Err(error.in_field("compressed_size"));
        }
        in_field("compressed_size", ar, |ar| number(&mut self.compressed_size, ar))?;
        in_field("uncompressed_size", ar, |ar| number(&mut self.uncompressed_size, ar))
    }

    fn serialize_data<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let size = u64::from(self.compressed_size);
        in_field("data", ar, |ar| ar.serialize_span(&mut self.data, size, Kind::Payload))
    }
}

impl Archived for Framing {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        // The framing has a byte order of its own, which ends with it.
        let around = ar.versions().clone();
        let mut tag = PACKAGE_TAG;
        if !ar.is_loading() {
            ar.set_versions(around.clone().with_byte_order(self.byte_order));
        }
        let is_other = |order| i64::from(order != around.byte_order);
        let known = is_other(self.byte_order);
        let other = ar.form("other_byte_order", &[], known);
        let result = in_field("tag", ar, |ar| {
            ar.serialize_u32(&mut tag)?;
            if ar.is_loading() {
                let tag = if other == Some(1) { tag.swap_bytes() } else { tag };
                self.byte_order = match (tag, around.byte_order) {
                    (PACKAGE_TAG, order) => order,
                    (tag, ByteOrder::Little) if tag == PACKAGE_TAG.swap_bytes() => ByteOrder::Big,
                    (tag, ByteOrder::Big) if tag == PACKAGE_TAG.swap_bytes() => ByteOrder::Little,
                    (tag, _) => {
                        let reason = format!("the framing starts with {tag:#010x}");
                        return Err(ar.error(UnrealError::Compression { reason }));
                    }
                };
                ar.set_versions(around.clone().with_byte_order(self.byte_order));
            }
            Ok(())
        })
        .and_then(|()| {
            in_field("block_size", ar, |ar| ar.serialize_u32(&mut self.block_size))?;
            self.serialize_blocks(|size, ar| ar.serialize_u32(size), ar)
        });
        ar.set_versions(around);
        result
    }
}
