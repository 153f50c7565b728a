//! Bytes that an archive compresses within a body.

use crate::archive::layout::Layout;
use crate::archive::{Kind, Role, Span, in_field};
use crate::error::{ErrorKind, Result};
use crate::{Archive, ArchiveExt, Archived, Described};

/// What stands before the blocks that say how they are compressed.
const TAG: u64 = 0x2222_2222_9e2a_83c1;

/// Bytes that are compressed in blocks of one size.
///
/// C++: `FArchive::SerializeCompressedNew`.
#[derive(Described, Debug, Clone, Default, PartialEq)]
pub struct CompressedBlocks {
    /// Bytes of a block, uncompressed.
    pub block_size: i64,
    /// How they are compressed; 2 is Oodle.
    pub method: u8,
    /// Bytes of all blocks, uncompressed.
    pub uncompressed_size: i64,
    /// Bytes of each block, compressed and uncompressed.
    pub blocks: Vec<[i64; 2]>,
    /// The blocks.
    pub data: Span,
}

impl Archived for CompressedBlocks {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut tag = TAG;
        in_field("tag", ar, |ar| ar.serialize_u64(&mut tag))?;
        if tag != TAG {
            let form = "bytes that are compressed in an old form";
            return Err(ar.error(ErrorKind::NonCanonical { form }));
        }
        in_field("block_size", ar, |ar| ar.serialize_i64(&mut self.block_size))?;
        in_field("method", ar, |ar| ar.serialize_u8(&mut self.method))?;
        let too_long = ErrorKind::OutOfRange { value: self.data.len().into(), bits: 63 };
        let mut size = i64::try_from(self.data.len()).map_err(|_| ar.error(too_long))?;
        in_field("compressed_size", ar, |ar| ar.serialize_i64(&mut size))?;
        ar.role(Role::Size);
        in_field("uncompressed_size", ar, |ar| ar.serialize_i64(&mut self.uncompressed_size))?;
        let whole =
            (self.uncompressed_size.max(0) as u64).checked_div(self.block_size.max(0) as u64);
        let rest = self.uncompressed_size.checked_rem(self.block_size).unwrap_or_default();
        let count = whole.unwrap_or_default().saturating_add(u64::from(rest > 0));
        in_field("blocks", ar, |ar| self.serialize_blocks(count, ar))?;
        let sum = |side: usize| {
            let mut sizes = self.blocks.iter().filter_map(|block| block.get(side));
            sizes.try_fold(0_i64, |sum, size| sum.checked_add(*size).filter(|_| *size >= 0))
        };
        if (ar.is_loading() || ar.is_saving())
            && (sum(0) != Some(size) || sum(1) != Some(self.uncompressed_size))
        {
            let form = "blocks whose sizes do not add up";
            return Err(ar.error(ErrorKind::NonCanonical { form }));
        }
        let size = size.max(0) as u64;
        in_field("data", ar, |ar| ar.serialize_span(&mut self.data, size, Kind::Payload))
    }
}

impl CompressedBlocks {
    /// As many as the sizes say.
    fn serialize_blocks<A: Archive + ?Sized>(&mut self, count: u64, ar: &mut A) -> Result<()> {
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        crate::object::ue4::condition::fixed(&mut self.blocks, count, ar)
    }
}
