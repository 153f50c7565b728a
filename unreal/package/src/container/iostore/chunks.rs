//! Chunks of a container: their blocks, found, read, decrypted and decompressed.

use std::path::PathBuf;
use std::sync::Arc;

use super::{IoStore, StoredBlock};
use crate::container::crypt::{self, Iv, padded};
use crate::container::read_at::{ReadAt, read_range};
use crate::container::{AesKey, BlockMethod, MethodName};
use crate::error::{Error, ErrorKind, Result, UnrealError, UnrealErrors};

/// A `.ucas` file.
#[derive(Debug)]
pub(super) enum Partition {
    Open(Arc<dyn ReadAt>),
    Missing(PathBuf),
}

pub(super) fn damaged(reason: impl Into<String>) -> Error {
    UnrealError::DamagedContainer { reason: reason.into() }.into()
}

/// A block with its place.
struct LocatedBlock {
    block: StoredBlock,
    partition: usize,
    start: u64,
}

impl IoStore {
    pub(super) fn method(&self, number: u8) -> Result<Option<BlockMethod>> {
        let Some(row) = usize::from(number).checked_sub(1) else { return Ok(None) };
        let name = self.toc.methods.get(row).map(MethodName::text).unwrap_or_default();
        let missing = || Error::unsupported(format!("blocks that are compressed with '{name}'"));
        BlockMethod::named(&name).map(Some).ok_or_else(missing)
    }

    pub(super) fn blocks(&self, chunk: usize) -> Result<&[StoredBlock]> {
        let range = self.toc.chunk_ranges.get(chunk).copied().unwrap_or_default();
        let (first, count) = self.block_range(range.offset, range.length);
        let end = first.saturating_add(count);
        let blocks = usize::try_from(first).ok().zip(usize::try_from(end).ok());
        let blocks = blocks.and_then(|(first, end)| self.toc.blocks.get(first..end));
        blocks.ok_or_else(|| damaged("a chunk has blocks that are not there"))
    }

    pub(super) fn block_range(&self, offset: u64, length: u64) -> (u64, u64) {
        let size = u64::from(self.toc.header.block_size).max(1);
        (offset / size, length.div_ceil(size))
    }

    fn located(&self, block: &StoredBlock) -> Result<LocatedBlock> {
        let (_, size) = self.toc.header.partitions();
        let partition = usize::try_from(block.offset / size).unwrap_or(usize::MAX);
        Ok(LocatedBlock { block: *block, partition, start: block.offset % size })
    }

    /// Bytes of a block as they are stored, with the padding of the cipher.
    fn stored_size(&self, block: &StoredBlock) -> u64 {
        match self.toc.header.is_encrypted() {
            true => padded(block.compressed_size),
            false => block.compressed_size,
        }
    }

    fn partition(&self, row: usize) -> Result<&Arc<dyn ReadAt>> {
        match self.partitions.get(row) {
            Some(Partition::Open(file)) => Ok(file),
            Some(Partition::Missing(path)) => {
                Err(Error::io(path, std::io::ErrorKind::NotFound.into()))
            }
            None => Err(damaged("a block lies in a .ucas file that there is none of")),
        }
    }

    /// The content of a chunk: only its own blocks are read. An encrypted one must have its hash, which shows
    /// that the key is right.
    ///
    /// # Errors
    /// `DamagedContainer`, `Compression`; `Unsupported` for a method that is not known; `NeedsKey`; `TooLarge`;
    /// `Io`.
    pub fn read_chunk(&self, chunk: usize) -> Result<Vec<u8>> {
        let Some(key) = &self.key else { return self.decrypted_chunk(chunk, None) };
        let content = self.decrypted_chunk(chunk, Some(key));
        match &content {
            // The index proves the key where the chunk has no hash.
            Ok(content) if self.hash(chunk).is_none() || self.has_hash(chunk, content) => {}
            Err(error)
                if matches!(error.kind(), ErrorKind::Io { .. })
                    || matches!(error.unreal(), Some(UnrealError::TooLarge { .. })) => {}
            _ => {
                let keys = self.options.keys.for_guid(self.toc.header.key_guid);
                let mut others = keys.filter(|other| other != key);
                return match others.find(|key| self.is_right_key(chunk, key)) {
                    Some(key) => self.decrypted_chunk(chunk, Some(&key)),
                    None => content.and_then(|_| Err(self.wrong_hash(chunk))),
                };
            }
        }
        content
    }

    pub(super) fn decrypted_chunk(&self, chunk: usize, key: Option<&AesKey>) -> Result<Vec<u8>> {
        let range = self.toc.chunk_ranges.get(chunk).copied().unwrap_or_default();
        let blocks = self.blocks(chunk)?;
        let stored = blocks.iter().map(|block| block.compressed_size).sum();
        self.options.check_size(range.length, stored)?;
        let mut content = Vec::new();
        let (first, _) = self.block_range(range.offset, range.length);
        let mut rest = blocks;
        let mut row = first as usize;
        while !rest.is_empty() {
            let run = self.run(rest)?;
            let (now, later) = rest.split_at(run);
            self.read_run(now, row, key, &mut content)?;
            (rest, row) = (later, row + run);
        }
        match content.len() as u64 == range.length {
            true => Ok(content),
            false => Err(damaged("the blocks of a chunk hold another number of bytes than it has")),
        }
    }

    /// How many of the blocks lie one right behind the other.
    fn run(&self, blocks: &[StoredBlock]) -> Result<usize> {
        let mut end = None;
        for (count, block) in blocks.iter().enumerate() {
            let LocatedBlock { partition, start, .. } = self.located(block)?;
            if end.is_some_and(|end| end != (partition, start)) {
                return Ok(count);
            }
            end = Some((partition, start.saturating_add(padded(block.compressed_size))));
        }
        Ok(blocks.len())
    }

    fn read_run(
        &self,
        blocks: &[StoredBlock],
        row: usize,
        key: Option<&AesKey>,
        content: &mut Vec<u8>,
    ) -> Result<()> {
        let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else { return Ok(()) };
        let (first, last) = (self.located(first)?, self.located(last)?);
        let end = last.start.saturating_add(self.stored_size(&last.block));
        let size = end.saturating_sub(first.start);
        let mut bytes = read_range(&**self.partition(first.partition)?, first.start, size)?;
        for (at, block) in blocks.iter().enumerate() {
            let start = self.located(block)?.start.saturating_sub(first.start) as usize;
            let end = start.saturating_add(self.stored_size(block) as usize);
            let missing = || damaged("a block stands outside its file");
            let stored = bytes.get_mut(start..end).ok_or_else(missing)?;
            if let Some(key) = key {
                crypt::decrypt(key, self.iv(row + at)?, stored)?;
            }
            let stored = stored.get(..block.compressed_size as usize).unwrap_or_default();
            match self.method(block.method)? {
                Some(method) => method.decompress(stored, block.uncompressed_size, content)?,
                None if block.compressed_size == block.uncompressed_size => {
                    content.extend_from_slice(stored);
                }
                None => return Err(damaged("a block that is only stored has two sizes")),
            }
        }
        Ok(())
    }

    fn iv(&self, block: usize) -> Result<Option<&Iv>> {
        match self.toc.header.is_stream() {
            false => Ok(None),
            true => {
                let iv = self.toc.ivs.get(block);
                iv.map(Some).ok_or_else(|| damaged("an encrypted block without an IV"))
            }
        }
    }

    /// The content of a chunk whose hash is right.
    ///
    /// # Errors
    /// As [`IoStore::read_chunk`]; `DamagedContainer` where the hash is another.
    pub fn read_checked_chunk(&self, chunk: usize) -> Result<Vec<u8>> {
        let content = self.read_chunk(chunk)?;
        let hash = self.toc.metas.get(chunk).map(|meta| meta.hash).unwrap_or_default();
        match blake3::hash(&content).as_bytes().starts_with(&hash) {
            true => Ok(content),
            false => Err(self.wrong_hash(chunk)),
        }
    }

    fn wrong_hash(&self, chunk: usize) -> Error {
        let id = self.toc.chunk_ids.get(chunk).copied().unwrap_or_default();
        let kind = self.kind(chunk);
        damaged(format!("the BLAKE3 of {kind} {:016X} is another than is stored", id.id))
    }
}
