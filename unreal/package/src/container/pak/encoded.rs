//! The short form of a file's record, from version 10.

use super::entry::{PakBlock, PakEntry, damaged};
use super::version::STREAM;
use crate::Archived;
use crate::Described;
use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt, at_index, in_field, private};
use crate::container::crypt::{Iv, padded};
use crate::error::Result;
use crate::version::{UnrealVersions, Versions};

/// The number that says that the size of blocks follows.
const OWN_BLOCK_SIZE: u32 = 0x3f;
/// Most blocks of an entry of this form.
pub(super) const MOST_BLOCKS: usize = 0xffff;

/// The first number of an [`EncodedEntry`].
///
/// | bits | meaning |
/// |---|---|
/// | 0 to 5 | size of blocks in units of 2048 bytes; 63: it follows |
/// | 6 to 21 | number of blocks |
/// | 22 | encrypted |
/// | 23 to 28 | number of the method |
/// | 29, 30, 31 | size stored, size, place have 4 bytes instead of 8 |
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct EncodedBits(pub u32);

impl EncodedBits {
    fn has_block_size(self) -> bool {
        self.0 & OWN_BLOCK_SIZE == OWN_BLOCK_SIZE
    }

    fn blocks(self) -> usize {
        (self.0 >> 6) as usize & MOST_BLOCKS
    }

    fn is_encrypted(self) -> bool {
        self.0 & 1 << 22 != 0
    }

    fn method(self) -> u32 {
        self.0 >> 23 & 0x3f
    }

    fn is_narrow(self, bit: u32) -> bool {
        self.0 & 1 << bit != 0
    }
}

/// The record of a file in the index from version 10, in 12 bytes and more; it has no hash.
///
/// Spec: ue4-5/10 §5.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct EncodedEntry {
    /// Bits that say which fields follow, and how wide they are.
    pub bits: EncodedBits,
    /// Uncompressed size of every block but the last, where the bits do not say it.
    pub block_size: u32,
    /// Where the record before the data stands.
    pub offset: u64,
    /// Size of the file, bytes.
    pub uncompressed_size: u64,
    /// The initialization vector of its stream.
    pub iv: Iv,
    /// Size as it is stored, bytes; where it is compressed.
    pub compressed_size: u64,
    /// Sizes of the blocks as they are stored, without padding: where there are several, or one is encrypted.
    pub block_sizes: Vec<u32>,
}

fn number<A: Archive + ?Sized>(value: &mut u64, narrow: bool, ar: &mut A) -> Result<()> {
    match narrow {
        true => private::narrow(value, ar, A::serialize_u32),
        false => ar.serialize_u64(value),
    }
}

impl Archived for EncodedEntry {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        in_field("bits", ar, |ar| self.bits.serialize(ar))?;
        let bits = self.bits;
        match bits.has_block_size() {
            true => in_field("block_size", ar, |ar| ar.serialize_u32(&mut self.block_size))?,
            false => private::absent(&mut self.block_size, ar, "block_size")?,
        }
        in_field("offset", ar, |ar| number(&mut self.offset, bits.is_narrow(31), ar))?;
        in_field("uncompressed_size", ar, |ar| {
            number(&mut self.uncompressed_size, bits.is_narrow(30), ar)
        })?;
        match bits.is_encrypted() && ar.versions().licensee() == STREAM {
            true => in_field("iv", ar, |ar| ar.serialize_bytes(&mut self.iv))?,
            false => private::absent(&mut self.iv, ar, "iv")?,
        }
        match bits.method() {
            0 => private::absent(&mut self.compressed_size, ar, "compressed_size")?,
            _ => in_field("compressed_size", ar, |ar| {
                number(&mut self.compressed_size, bits.is_narrow(29), ar)
            })?,
        }
        let count = match bits.blocks() {
            1 if !bits.is_encrypted() => 0,
            count => count,
        };
        if ar.is_loading() {
            self.block_sizes.clear();
            ar.claim(count as u64, size_of::<u32>())?;
            self.block_sizes.resize(count, 0);
        }
        in_field("block_sizes", ar, |ar| {
            let mut sizes = self.block_sizes.iter_mut().enumerate();
            sizes.try_for_each(|(row, size)| at_index(row, ar, |ar| ar.serialize_u32(size)))
        })
    }
}

impl EncodedEntry {
    /// The short form of a record; `None` for one that has none.
    pub(super) fn new(entry: &PakEntry, iv: Option<Iv>) -> Option<Self> {
        let size = |size: i64| u64::try_from(size).ok();
        let offset = size(entry.offset)?;
        let (stored, whole) = (size(entry.compressed_size)?, size(entry.uncompressed_size)?);
        let blocks = entry.blocks.len();
        if blocks > MOST_BLOCKS || entry.method > 0x3f || entry.is_deleted() {
            return None;
        }
        let mut bits = (blocks as u32) << 6 | entry.method << 23;
        let mut block_size = 0;
        // One block is as large as the file, which says its size already.
        if blocks > 0
            && (!entry.block_size.is_multiple_of(2048) || entry.block_size >> 11 >= OWN_BLOCK_SIZE)
        {
            bits |= OWN_BLOCK_SIZE;
            block_size = entry.block_size;
        } else if blocks > 0 {
            bits |= entry.block_size >> 11;
        }
        bits |= u32::from(entry.is_encrypted()) << 22;
        let narrow = |number: u64, bit: u32| u32::from(u32::try_from(number).is_ok()) << bit;
        bits |= narrow(offset, 31) | narrow(whole, 30) | narrow(stored, 29);
        let sizes = entry.blocks.iter().map(|block| u32::try_from(block.end - block.start).ok());
        let block_sizes = match blocks {
            1 if !entry.is_encrypted() => Vec::new(),
            _ => sizes.collect::<Option<_>>()?,
        };
        Some(Self {
            bits: EncodedBits(bits),
            block_size,
            offset,
            uncompressed_size: whole,
            iv: iv.unwrap_or_default(),
            compressed_size: if entry.method == 0 { 0 } else { stored },
            block_sizes,
        })
    }

    /// The record that this stands for, without its hash.
    ///
    /// # Errors
    /// `DamagedContainer` for sizes that no file has.
    pub(super) fn entry(&self, versions: &Versions) -> Result<PakEntry> {
        let signed = |number: u64| {
            i64::try_from(number).map_err(|_| damaged("an entry is larger than any file"))
        };
        let method = self.bits.method();
        let stored = if method == 0 { self.uncompressed_size } else { self.compressed_size };
        let count = if method == 0 { 0 } else { self.bits.blocks() };
        let block_size = match (count, self.bits.has_block_size()) {
            (0, _) => 0,
            // The record before the data has the size of the file there, whatever stands here.
            (1, _) => u32::try_from(self.uncompressed_size).unwrap_or(self.block_size),
            (_, true) => self.block_size,
            (_, false) => (self.bits.0 & OWN_BLOCK_SIZE) << 11,
        };
        let mut entry = PakEntry {
            offset: signed(self.offset)?,
            compressed_size: signed(stored)?,
            uncompressed_size: signed(self.uncompressed_size)?,
            method,
            blocks: vec![PakBlock::default(); count],
            block_size,
            ..PakEntry::default()
        };
        entry.set_encrypted(self.bits.is_encrypted());
        let mut place = entry.size(versions)?;
        for (row, block) in entry.blocks.iter_mut().enumerate() {
            let size = self.block_sizes.get(row).map_or(stored, |size| u64::from(*size));
            let end = place.saturating_add(size);
            *block = PakBlock { start: signed(place)?, end: signed(end)? };
            place = if self.bits.is_encrypted() { place.saturating_add(padded(size)) } else { end };
        }
        Ok(entry)
    }

    /// The initialization vector of the data's stream.
    pub(super) fn iv(&self, versions: &Versions) -> Option<Iv> {
        (self.bits.is_encrypted() && versions.licensee() == STREAM).then_some(self.iv)
    }
}
