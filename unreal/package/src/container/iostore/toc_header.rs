//! The header of a table of contents.

use crate::Archived;
use crate::version::Guid;

/// In [`TocHeader::flags`].
const COMPRESSED: u8 = 1;
const ENCRYPTED: u8 = 2;
const SIGNED: u8 = 4;
const INDEXED: u8 = 8;
const ON_DEMAND: u8 = 16;
/// In [`TocHeader::encryption_method`].
const CTR: u8 = 2;
/// The version from which the header says how it is encrypted.
const ENCRYPTION_METHOD: u8 = 10;
/// The version from which there may be several partitions.
const PARTITIONS: u8 = 3;
/// The newest version.
pub(super) const NEWEST: u8 = ENCRYPTION_METHOD;
/// The version whose chunks that are fetched on demand have further hashes.
pub(super) const ON_DEMAND_HASHES: u8 = 6;
/// Bytes of the header.
pub(super) const SIZE: u32 = 144;
/// Bytes of the row of a block.
pub(super) const BLOCK_ROW: u32 = 12;
/// Bytes of the name of a method.
pub(super) const METHOD_NAME: u32 = 32;

/// The header of a table of contents, 144 bytes: fields that a version lacks are 0.
///
/// Spec: ue4-5/11 §1. C++: `FIoStoreTocHeader`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
#[archive(magic = b"-==--==--==--==-")]
pub struct TocHeader {
    /// 1 to 10.
    pub version: u8,
    /// 0.
    pub reserved: [u8; 3],
    /// 144.
    pub header_size: u32,
    /// How many chunks there are.
    pub chunk_count: u32,
    /// How many blocks.
    pub block_count: u32,
    /// Bytes of a block's row: 12.
    pub block_row_size: u32,
    /// How many methods have names.
    pub method_count: u32,
    /// Bytes of such a name: 32.
    pub method_name_length: u32,
    /// Uncompressed size of every block but the last of a chunk.
    pub block_size: u32,
    /// Bytes of the index by path, with padding where it is encrypted.
    pub directory_index_size: u32,
    /// How many `.ucas` files there are, from version 3.
    pub partition_count: u32,
    /// Number of the container: the hash of its name.
    pub container_id: u64,
    /// Number of the key; zero for the game's usual one.
    pub key_guid: Guid,
    /// 1 compressed, 2 encrypted, 4 signed, 8 has an index by path, 16 is fetched on demand.
    pub flags: u8,
    /// From version 10: 1 block by block, 2 as a stream.
    pub encryption_method: u8,
    /// 0.
    pub reserved_word: u16,
    /// How many seeds the table of hashes has, from version 4.
    pub seed_count: u32,
    /// Most bytes of a `.ucas` file, from version 3; all ones for one file.
    pub partition_size: u64,
    /// How many chunks the table of hashes does not find, from version 5.
    pub unhashed_count: u32,
    /// Hashes of sources, from version 9; 0 in every file seen.
    pub source_hash_count: u32,
    /// The number of initialization vectors, from version 10: one for each block, and one for the index by path.
    pub iv_count: u32,
    /// 0.
    pub reserved_words: [u32; 9],
}

impl TocHeader {
    fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// Whether blocks are compressed.
    pub fn is_compressed(&self) -> bool {
        self.has(COMPRESSED)
    }

    /// Whether blocks and the index by path are encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.has(ENCRYPTED)
    }

    /// Whether there are signatures: the game refuses a container that was changed.
    pub fn is_signed(&self) -> bool {
        self.has(SIGNED)
    }

    /// Whether there is an index by path.
    pub fn is_indexed(&self) -> bool {
        self.has(INDEXED)
    }

    pub(super) fn is_on_demand(&self) -> bool {
        self.has(ON_DEMAND)
    }

    /// Whether a stream encrypts what is encrypted.
    pub fn is_stream(&self) -> bool {
        self.version >= ENCRYPTION_METHOD && self.encryption_method == CTR
    }

    /// Says that blocks are encrypted.
    pub(super) fn set_encrypted(&mut self) {
        self.flags |= ENCRYPTED;
        if self.version >= ENCRYPTION_METHOD {
            self.encryption_method = CTR;
        }
    }

    /// Says that blocks are compressed.
    pub(super) fn set_compressed(&mut self) {
        self.flags |= COMPRESSED;
    }

    /// Says that there is an index by path.
    pub(super) fn set_indexed(&mut self) {
        self.flags |= INDEXED;
    }

    /// How many `.ucas` files there are, and most bytes of each.
    pub(super) fn partitions(&self) -> (u32, u64) {
        match self.version {
            0..PARTITIONS => (1, u64::MAX),
            _ if self.partition_size == 0 => (self.partition_count, u64::MAX),
            _ => (self.partition_count, self.partition_size),
        }
    }
}
