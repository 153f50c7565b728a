//! Rows of a table of contents.

use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt};
use crate::error::{ErrorKind, Result};
use crate::{Archived, Described};

/// From this version on hashes are 20 bytes.
const SHORT_HASHES: u32 = 8;

/// Where a chunk stands in the address space of all uncompressed chunks: two numbers of 5 bytes, the highest
/// byte first.
///
/// Spec: ue4-5/11 §2. C++: `FIoOffsetAndLength`.
#[derive(Described, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChunkRange {
    /// Its first byte: a multiple of the size of blocks.
    pub offset: u64,
    /// Its length, bytes.
    pub length: u64,
}

/// A number of fewer bytes than its type has; `big` for the highest byte first.
fn narrow<const BYTES: usize, A: Archive + ?Sized>(
    value: &mut u64,
    big: bool,
    ar: &mut A,
) -> Result<()> {
    if ar.is_saving() && *value >> (BYTES * 8) != 0 {
        let bits = BYTES as u32 * 8;
        return Err(ar.error(ErrorKind::OutOfRange { value: (*value).into(), bits }));
    }
    let mut bytes = [0; BYTES];
    bytes.copy_from_slice(&value.to_le_bytes()[..BYTES]);
    if big {
        bytes.reverse();
    }
    ar.serialize_bytes(&mut bytes)?;
    if big {
        bytes.reverse();
    }
    if ar.is_loading() {
        *value = bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
    }
    Ok(())
}

impl Archived for ChunkRange {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        narrow::<5, A>(&mut self.offset, true, ar)?;
        narrow::<5, A>(&mut self.length, true, ar)
    }
}

/// A block as it is stored, 12 bytes: numbers of 5, 3 and 3 bytes and one.
///
/// Spec: ue4-5/11 §2. C++: `FIoStoreTocCompressedBlockEntry`.
#[derive(Described, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StoredBlock {
    /// Its first byte, over all `.ucas` files.
    pub offset: u64,
    /// Size as it is stored, without padding.
    pub compressed_size: u64,
    /// Its size.
    pub uncompressed_size: u64,
    /// Number of the method; 0 for none.
    pub method: u8,
}

impl Archived for StoredBlock {
    const NESTS: bool = false;
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        narrow::<5, A>(&mut self.offset, false, ar)?;
        narrow::<3, A>(&mut self.compressed_size, false, ar)?;
        narrow::<3, A>(&mut self.uncompressed_size, false, ar)?;
        ar.serialize_u8(&mut self.method)
    }
}

/// The hash of a chunk.
///
/// Spec: ue4-5/11 §4. C++: `FIoStoreTocEntryMeta`.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ChunkMeta {
    /// The first 20 bytes of BLAKE3 of the chunk, uncompressed and decrypted.
    pub hash: [u8; 20],
    /// 0, below version 8.
    #[until(SHORT_HASHES)]
    pub hash_rest: [u8; 12],
    /// 1 compressed, 2 mapped into memory.
    pub flags: u8,
    /// 0, from version 8.
    #[since(SHORT_HASHES)]
    pub pad: [u8; 3],
}
