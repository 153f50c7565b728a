//! Compressed data with wide sizes, as bulk data of UE4 and UE5 has it.

use super::{Block, Framing, Method};
use crate::Described;
use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt, Archived, Kind, Step, in_field};
use crate::error::{ErrorKind, Result};
use crate::table::PACKAGE_TAG;

/// The tag of the form that names its method.
const NAMED: i64 = 0x2222_2222_9e2a_83c1;

/// Compressed data whose sizes have 64 bits.
///
/// | order | type | field |
/// |---|---|---|
/// | 1 | i64 | tag: that of packages, or another one where 2 follows |
/// | 2 | u8 | method: 2 Oodle, 3 zlib |
/// | 3 | i64 | size of an uncompressed block, bytes |
/// | 4 | i64 | compressed size of all blocks, bytes |
/// | 5 | i64 | uncompressed size of all blocks, bytes |
/// | 6 | n × i64, i64 | compressed and uncompressed size of each block |
/// | 7 | | the blocks |
///
/// The table ends where the uncompressed sizes add up to the whole. Spec: ue4-5/03 §17. C++:
/// `FArchive::SerializeCompressedNew`.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct WideFraming {
    /// The method, where it is stored.
    pub method: Option<u8>,
    /// Size of an uncompressed block, bytes.
    pub block_size: i64,
    /// The blocks, with sums that stand before them.
    pub framing: Framing,
}

impl WideFraming {
    /// How the blocks are compressed.
    ///
    /// # Errors
    /// `Unsupported` for a method that is not known here.
    pub fn method(&self) -> Result<Method> {
        match self.method {
            None | Some(3) => Ok(Method::Zlib),
            Some(2) => Ok(Method::Oodle),
            Some(number) => {
                let reason = format!("bulk data is compressed with method {number}");
                Err(ErrorKind::Unsupported { reason }.into())
            }
        }
    }
}

/// A size of 64 bits that no real block exceeds 32 bits of.
fn size<A: Archive + ?Sized>(value: &mut u32, ar: &mut A) -> Result<()> {
    let mut wide = i64::from(*value);
    ar.serialize_i64(&mut wide)?;
    if ar.is_loading() {
        *value = u32::try_from(wide)
            .map_err(|_| ar.error(ErrorKind::OutOfRange { value: wide.into(), bits: 32 }))?;
    }
    Ok(())
}

impl Archived for WideFraming {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let plain = i64::from(PACKAGE_TAG);
        let mut tag = if self.method.is_some() { NAMED } else { plain };
        in_field("tag", ar, |ar| ar.serialize_i64(&mut tag))?;
        if ar.is_loading() {
            self.method = match tag {
                NAMED => Some(0),
                tag if tag == plain => None,
                tag => {
                    let reason = format!("the framing starts with {tag:#018x}");
                    return Err(ar.error(ErrorKind::Compression { reason }));
                }
            };
        }
        if let Some(method) = &mut self.method {
            in_field("method", ar, |ar| ar.serialize_u8(method))?;
        }
        in_field("block_size", ar, |ar| ar.serialize_i64(&mut self.block_size))?;
        let Framing { compressed_size, uncompressed_size, blocks, .. } = &mut self.framing;
        in_field("compressed_size", ar, |ar| size(compressed_size, ar))?;
        in_field("uncompressed_size", ar, |ar| size(uncompressed_size, ar))?;
        if ar.is_loading() {
            blocks.clear();
        }
        let (mut left, mut row) = (*uncompressed_size, 0);
        while (ar.is_loading() && left > 0) || row < blocks.len() {
            if ar.is_loading() {
                // Each takes 16 bytes of the table, so their number is bounded by the file.
                ar.claim(1, size_of::<Block>())?;
                blocks.push(Block::default());
            }
            let Some(block) = blocks.get_mut(row) else { break };
            ar.enter(Step::Index(row));
            let read = size(&mut block.compressed_size, ar)
                .and_then(|()| size(&mut block.uncompressed_size, ar));
            ar.leave();
            read.map_err(|error| error.at_index(row).in_field("blocks"))?;
            row += 1;
            if ar.is_loading() {
                left = match left.checked_sub(block.uncompressed_size) {
                    Some(rest) if block.uncompressed_size > 0 => rest,
                    _ => {
                        let reason = "the blocks hold more than the whole".to_owned();
                        return Err(ar.error(ErrorKind::Compression { reason }));
                    }
                };
                if left > 0 {
                    continue;
                }
                break;
            }
        }
        for (row, block) in blocks.iter_mut().enumerate() {
            let length = u64::from(block.compressed_size);
            let data = &mut block.data;
            let read = in_field("data", ar, |ar| ar.serialize_span(data, length, Kind::Payload));
            read.map_err(|error| error.at_index(row).in_field("blocks"))?;
        }
        Ok(())
    }
}
