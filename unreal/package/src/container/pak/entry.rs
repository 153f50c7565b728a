//! The record of a file.

use super::version::{COMPRESSION_BLOCKS, FOUR_METHODS, RELATIVE_OFFSETS, TIMESTAMPS_REMOVED};
use crate::Archived;
use crate::archive::{Archive, ArchiveExt, Counter, private};
use crate::container::crypt;
use crate::error::{Result, UnrealError};
use crate::version::{UnrealVersions, Versions};

/// In [`PakEntry::flags`].
const ENCRYPTED: u8 = 1;
const DELETED: u8 = 2;

/// The record of a file: before its data, and in the indexes of versions below 10.
///
/// Spec: ue4-5/10 §3. C++: `FPakEntry`.
#[derive(Archived, Debug, Clone, Default, PartialEq, Eq)]
pub struct PakEntry {
    /// Where the record before the data stands; 0 in that record itself.
    pub offset: i64,
    /// Size as it is stored, bytes.
    pub compressed_size: i64,
    /// Size of the file, bytes.
    pub uncompressed_size: i64,
    /// Number of the method, 0 for none; one byte in the first form of version 8.
    #[archive(with = method)]
    pub method: u32,
    /// When it was changed.
    #[until(TIMESTAMPS_REMOVED)]
    pub timestamp: i64,
    /// SHA-1 of what is stored.
    pub hash: [u8; 20],
    /// The compressed blocks.
    #[since(COMPRESSION_BLOCKS)]
    #[archive(when = self.method != 0)]
    pub blocks: Vec<PakBlock>,
    /// 1 encrypted, 2 deleted.
    #[since(COMPRESSION_BLOCKS)]
    pub flags: u8,
    /// Uncompressed size of every block but the last, bytes.
    #[since(COMPRESSION_BLOCKS)]
    pub block_size: u32,
}

/// A compressed block: places from the start of its entry, below version 5 from the start of the file.
#[derive(Archived, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PakBlock {
    /// Its first byte.
    pub start: i64,
    /// Behind its last byte, without padding.
    pub end: i64,
}

fn method<A: Archive + ?Sized>(number: &mut u32, ar: &mut A) -> Result<()> {
    match ar.versions().licensee() {
        FOUR_METHODS => private::narrow(number, ar, A::serialize_u8),
        _ => ar.serialize_u32(number),
    }
}

impl PakEntry {
    /// Whether the data is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.flags & ENCRYPTED != 0
    }

    /// Whether it says that a file of another container is not there.
    pub fn is_deleted(&self) -> bool {
        self.flags & DELETED != 0
    }

    /// Sets whether the data is encrypted.
    pub(super) fn set_encrypted(&mut self, is: bool) {
        self.flags = if is { self.flags | ENCRYPTED } else { self.flags & !ENCRYPTED };
    }

    /// Says that a file of another container is not there.
    pub(super) fn deleted() -> Self {
        Self { flags: DELETED, ..Self::default() }
    }

    /// Bytes of the record, behind which the data starts.
    ///
    /// # Errors
    /// `NotInVersion` for what the version lacks.
    pub(super) fn size(&self, versions: &Versions) -> Result<u64> {
        let mut counter = Counter::new(versions.clone());
        let mut entry = self.clone();
        entry.serialize(&mut counter)?;
        Ok(counter.length())
    }

    /// Where the record stands.
    ///
    /// # Errors
    /// `DamagedContainer`.
    pub(super) fn start(&self) -> Result<u64> {
        u64::try_from(self.offset).map_err(|_| damaged("an entry starts before the file"))
    }

    /// Sizes as they are stored and of the file.
    ///
    /// # Errors
    /// `DamagedContainer`.
    pub(super) fn sizes(&self) -> Result<(u64, u64)> {
        let sizes = u64::try_from(self.compressed_size).ok();
        let sizes = sizes.zip(u64::try_from(self.uncompressed_size).ok());
        sizes.ok_or_else(|| damaged("an entry has a size below zero"))
    }

    /// Bytes of the data with its padding.
    pub(super) fn stored_size(&self) -> Result<u64> {
        let (stored, _) = self.sizes()?;
        Ok(if self.is_encrypted() { crypt::padded(stored) } else { stored })
    }

    /// The place that stored places of blocks count from, in the entry that starts at `start`.
    pub(super) fn base(versions: &Versions, start: u64) -> u64 {
        if versions.file() < RELATIVE_OFFSETS { start } else { 0 }
    }

    /// Uncompressed size of every block but the last.
    pub(super) fn whole_block(&self) -> u64 {
        match self.blocks.len() {
            0 | 1 => self.uncompressed_size.max(0).cast_unsigned(),
            _ => self.block_size.into(),
        }
    }
}

pub(super) fn damaged(reason: &str) -> crate::Error {
    UnrealError::DamagedContainer { reason: reason.to_owned() }.into()
}

/// Whether an archive is one that reads; a name for layouts that differ only there.
pub(super) fn count<A: Archive + ?Sized>(bytes: u64, ar: &A) -> u64 {
    if ar.is_loading() { ar.peek(usize::MAX).len() as u64 } else { bytes }
}
