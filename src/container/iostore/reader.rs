//! An IoStore container that is looked into.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use super::{ChunkId, ChunkKind, ContainerHeader, IoDirectoryIndex, StoredBlock, Toc, TocHeader};
use crate::Archived;
use crate::archive::{Context, Loader, Saver};
use crate::container::crypt::{self, Iv, padded};
use crate::container::pak::TableCheck;
use crate::container::paths::{Paths, mounted};
use crate::container::read_at::{ReadAt, read_range};
use crate::container::{
    AesKey, BlockMethod, ContainedFile, ContainerOptions, DiskFile, Keys, MethodName, Overlaps,
};
use crate::error::{Error, ErrorKind, Result};
use crate::file::{self, FileOrigin, FileStart};

/// Longest mount point by which a key is recognised.
const LONGEST_MOUNT: i32 = 256;
/// Chunks that are read to find a key where there is no index.
const WITNESSES: usize = 16;

/// An IoStore container: its table of contents is read when it is opened, chunks when they are asked for.
#[derive(Debug)]
pub struct IoStore {
    bytes: Bytes,
    toc: Toc,
    /// The `.ucas` files, and what they are called where they are not there.
    partitions: Vec<Partition>,
    options: ContainerOptions,
    key: Option<AesKey>,
    directory: Option<(Bytes, IoDirectoryIndex)>,
    mount_point: String,
    mount: String,
    paths: Paths,
    /// The chunk of each file.
    rows: Vec<u32>,
    by_id: HashMap<ChunkId, u32>,
    header: OnceLock<Option<ContainerHeader>>,
    overlaps: OnceLock<Overlaps>,
}

/// A `.ucas` file.
#[derive(Debug)]
enum Partition {
    Open(Arc<dyn ReadAt>),
    Missing(PathBuf),
}

/// A block with its place.
struct LocatedBlock {
    block: StoredBlock,
    partition: usize,
    start: u64,
}

fn damaged(reason: impl Into<String>) -> Error {
    ErrorKind::DamagedContainer { reason: reason.into() }.into()
}

fn check_magic(bytes: &[u8]) -> Result<()> {
    if bytes.starts_with(b"-==--==--==--==-") {
        return Ok(());
    }
    let reason = "it does not start as a .utoc file".to_owned();
    Err(ErrorKind::NotAPackage { reason }.into())
}

/// Refuses a table of contents of more bytes than its header has rows for.
fn check_size(start: &[u8], length: u64) -> Result<()> {
    /// Bytes of the rows of a chunk, a block, anything else in any version: the longest and more.
    const ROW: u64 = 256;
    /// What may stand behind all rows.
    const REST: u64 = 1 << 20;
    check_magic(start)?;
    let mut header = TocHeader::default();
    header.serialize(&mut Loader::new(start, Toc::versions(1)))?;
    let counts = [
        header.chunk_count,
        header.block_count,
        header.seed_count,
        header.unhashed_count,
        header.iv_count,
        header.method_count,
    ];
    let rows: u64 = counts.into_iter().map(u64::from).sum();
    // Padding, and the signatures of the table.
    let others = u64::from(header.directory_index_size) + REST;
    match length <= rows * ROW + others {
        true => Ok(()),
        false => Err(damaged(format!(
            "the table of contents has {length} bytes, and {rows} rows in its header"
        ))),
    }
}

impl IoStore {
    /// Opens the container whose table of contents is at `path`; its blocks lie beside it.
    ///
    /// # Errors
    /// As [`IoStore::new`]; `Io`.
    pub fn open(path: &Path, options: &ContainerOptions) -> Result<Self> {
        // Its header says how large it can be: a file that is larger is not read.
        let check = |start: &mut FileStart<'_>| check_size(start.bytes, start.length);
        let (bytes, _) = file::read_with(path, FileOrigin::Found, check)?;
        let toc = Self::load(&bytes)?;
        let open = |row: u32| {
            let path = Self::partition_path(path, row);
            match DiskFile::open(&path) {
                Ok(file) => Ok(Partition::Open(Arc::new(file))),
                Err(error) if error.is_not_found() => Ok(Partition::Missing(path)),
                Err(error) => Err(error),
            }
        };
        let (count, _) = toc.header.partitions();
        // A damaged count must not ask for a file for each number there is.
        let count = count.min(toc.header.block_count);
        let partitions = (0..count).map(open).collect::<Result<_>>()?;
        Self::with_partitions(bytes, toc, partitions, options)
    }

    /// The `.ucas` file of this number beside a table of contents.
    pub fn partition_path(toc: &Path, row: u32) -> PathBuf {
        let stem = toc.file_stem().unwrap_or_default().to_string_lossy();
        match row {
            0 => toc.with_extension("ucas"),
            row => toc.with_file_name(format!("{stem}_s{row}.ucas")),
        }
    }

    /// A container of these bytes.
    ///
    /// # Errors
    /// `NotAPackage` for what is none; `NeedsKey`; `Unsupported` for a version or form that is not known;
    /// `DamagedContainer` and what does not fit, with its field.
    pub fn new(
        toc: Bytes,
        partitions: Vec<Arc<dyn ReadAt>>,
        options: &ContainerOptions,
    ) -> Result<Self> {
        let partitions = partitions.into_iter().map(Partition::Open).collect();
        let table = Self::load(&toc)?;
        Self::with_partitions(toc, table, partitions, options)
    }

    fn load(bytes: &[u8]) -> Result<Toc> {
        check_magic(bytes)?;
        let mut toc = Toc::default();
        toc.serialize(&mut Loader::new(bytes, Toc::versions(1)))?;
        Ok(toc)
    }

    fn with_partitions(
        bytes: Bytes,
        toc: Toc,
        partitions: Vec<Partition>,
        options: &ContainerOptions,
    ) -> Result<Self> {
        let mut store = Self {
            bytes,
            partitions,
            options: options.clone(),
            key: None,
            directory: None,
            mount_point: String::new(),
            mount: String::new(),
            paths: Paths::default(),
            rows: Vec::new(),
            by_id: toc.chunk_ids.iter().copied().zip(0..).collect(),
            header: OnceLock::new(),
            overlaps: OnceLock::new(),
            toc,
        };
        store.unlock()?;
        store.name_chunks()?;
        Ok(store)
    }

    /// Finds the key, and reads the index by path with it.
    fn unlock(&mut self) -> Result<()> {
        let header = &self.toc.header;
        let index = self.toc.directory_index.bytes(&self.bytes)?.to_vec();
        let has_index = header.is_indexed() && !index.is_empty();
        let load = |index: Vec<u8>| {
            let index = Bytes::from(index);
            let mut directory = IoDirectoryIndex::default();
            let mut loader = Loader::new(&index, Toc::versions(header.version));
            directory.serialize(&mut loader).map_err(|error| error.in_field("directory_index"))?;
            Ok::<_, Error>((index, directory))
        };
        if !header.is_encrypted() {
            if has_index {
                self.directory = Some(load(index)?);
            }
            return Ok(());
        }
        let iv = header.is_stream().then(|| self.toc.ivs.last().copied().unwrap_or_default());
        for key in self.options.keys.for_guid(header.key_guid) {
            if has_index {
                let mut index = index.clone();
                crypt::decrypt(&key, iv.as_ref(), &mut index)?;
                if !starts_with_text(&index) {
                    continue;
                }
                if let Ok(directory) = load(index) {
                    (self.directory, self.key) = (Some(directory), Some(key));
                    return Ok(());
                }
            } else if self.witnesses().any(|row| self.is_right_key(row, &key)) {
                self.key = Some(key);
                return Ok(());
            }
        }
        // Nothing in it can be read, so that no key makes noise of it.
        let is_empty = !has_index && self.toc.chunk_ranges.iter().all(|range| range.length == 0);
        self.key = self.options.keys.for_guid(header.key_guid).next().filter(|_| is_empty);
        match self.key {
            Some(_) => Ok(()),
            None => Err(self.options.keys.none_fits(header.key_guid)),
        }
    }

    /// The chunks that are read to see whether a key fits, the smallest first: hashes are of their content.
    fn witnesses(&self) -> impl Iterator<Item = usize> {
        let rows = self.toc.chunk_ranges.iter().enumerate();
        let rows = rows.filter(|(row, range)| range.length > 0 && self.hash(*row).is_some());
        let mut rows: Vec<_> = rows.map(|(row, range)| (range.length, row)).collect();
        rows.sort_unstable();
        rows.into_iter().map(|(_, row)| row).take(WITNESSES)
    }

    fn is_right_key(&self, chunk: usize, key: &AesKey) -> bool {
        let content = self.decrypted_chunk(chunk, Some(key));
        content.is_ok_and(|content| self.has_hash(chunk, &content))
    }

    /// The stored hash of a chunk; none where it is left out.
    fn hash(&self, chunk: usize) -> Option<&[u8]> {
        let hash = &self.toc.metas.get(chunk)?.hash;
        hash.iter().any(|byte| *byte != 0).then_some(&hash[..])
    }

    fn has_hash(&self, chunk: usize, content: &[u8]) -> bool {
        self.hash(chunk).is_some_and(|hash| blake3::hash(content).as_bytes().starts_with(hash))
    }

    /// Paths of the files in the index, then names for the chunks that it does not list.
    fn name_chunks(&mut self) -> Result<()> {
        let count = self.toc.chunk_ids.len();
        let (mut paths, mut listed) = (Vec::with_capacity(count), vec![false; count]);
        if let Some((bytes, directory)) = &self.directory {
            self.mount_point = directory.mount_point.text(bytes)?.into_owned();
            self.mount = mounted(&self.mount_point);
            for (path, chunk) in directory.paths(bytes)? {
                let is_listed = listed.get_mut(chunk as usize);
                let is_listed = is_listed.ok_or_else(|| damaged("a file without a chunk"))?;
                *is_listed = true;
                paths.push(format!("{}{path}", self.mount));
                self.rows.push(chunk);
            }
        }
        for (row, _) in listed.iter().enumerate().filter(|(_, listed)| !**listed) {
            let id = self.toc.chunk_ids[row];
            paths.push(format!("{}-{:016X}", self.kind(row), id.id));
            self.rows.push(row as u32);
        }
        self.paths = Paths::new(paths);
        Ok(())
    }

    /// Its table of contents.
    pub fn toc(&self) -> &Toc {
        &self.toc
    }

    /// What its paths start at, as it is stored.
    pub fn mount_point(&self) -> &str {
        &self.mount_point
    }

    pub(in crate::container) fn paths(&self) -> (&Paths, &str) {
        (&self.paths, &self.mount)
    }

    /// The paths of its files by row, with what the mount point adds; chunks without a path are called by their
    /// kind and number.
    pub fn files(&self) -> &[String] {
        self.paths.all()
    }

    fn kind(&self, chunk: usize) -> ChunkKind {
        let id = self.toc.chunk_ids.get(chunk).copied().unwrap_or_default();
        ChunkKind::of(id.kind, self.toc.header.version.into())
    }

    /// The chunk of a file.
    pub fn chunk_of(&self, row: usize) -> Option<(usize, ChunkId)> {
        let chunk = *self.rows.get(row)? as usize;
        Some((chunk, *self.toc.chunk_ids.get(chunk)?))
    }

    /// What a file is.
    pub fn kind_of(&self, row: usize) -> Option<ChunkKind> {
        self.chunk_of(row).map(|(chunk, _)| self.kind(chunk))
    }

    /// The row of a chunk.
    pub fn chunk(&self, id: ChunkId) -> Option<usize> {
        self.by_id.get(&id).map(|row| *row as usize)
    }

    /// The row of a chunk of this kind, the first one.
    pub fn chunk_of_kind(&self, kind: ChunkKind) -> Option<usize> {
        (0..self.toc.chunk_ids.len()).find(|row| self.kind(*row) == kind)
    }

    /// What the packages need of each other; `None` where there is no such chunk, or one of another form.
    pub fn header(&self) -> Option<&ContainerHeader> {
        let load = || {
            let bytes = self.read_chunk(self.chunk_of_kind(ChunkKind::ContainerHeader)?).ok()?;
            ContainerHeader::load(&bytes).ok()
        };
        self.header.get_or_init(load).as_ref()
    }

    fn file_chunk(&self, row: usize) -> Result<usize> {
        let chunk = self.rows.get(row).map(|chunk| *chunk as usize);
        chunk.ok_or_else(|| damaged("a file without a chunk"))
    }

    /// What is known about a file.
    ///
    /// # Errors
    /// `DamagedContainer` for a place that is none.
    pub fn file(&self, row: usize) -> Result<ContainedFile> {
        let chunk = self.file_chunk(row)?;
        let blocks = self.blocks(chunk)?;
        let method = blocks.iter().map(|block| block.method).max().unwrap_or(0);
        Ok(ContainedFile {
            path: self.paths.all().get(row).cloned().unwrap_or_default(),
            size: self.toc.chunk_ranges.get(chunk).map_or(0, |range| range.length),
            stored: blocks.iter().map(|block| block.compressed_size).sum(),
            method: self.method(method).ok().flatten(),
            encrypted: self.toc.header.is_encrypted(),
            deleted: false,
        })
    }

    /// The content of a file.
    ///
    /// # Errors
    /// As [`IoStore::read_chunk`].
    pub fn read(&self, row: usize) -> Result<Vec<u8>> {
        self.read_chunk(self.file_chunk(row)?)
    }

    /// The content of a file whose hash is right.
    ///
    /// # Errors
    /// As [`IoStore::read_checked_chunk`].
    pub fn read_checked(&self, row: usize) -> Result<Vec<u8>> {
        self.read_checked_chunk(self.file_chunk(row)?)
    }

    fn method(&self, number: u8) -> Result<Option<BlockMethod>> {
        let Some(row) = usize::from(number).checked_sub(1) else { return Ok(None) };
        let name = self.toc.methods.get(row).map(MethodName::text).unwrap_or_default();
        let missing = || Error::unsupported(format!("blocks that are compressed with '{name}'"));
        BlockMethod::named(&name).map(Some).ok_or_else(missing)
    }

    fn blocks(&self, chunk: usize) -> Result<&[StoredBlock]> {
        let range = self.toc.chunk_ranges.get(chunk).copied().unwrap_or_default();
        let (first, count) = self.block_range(range.offset, range.length);
        let end = first.saturating_add(count);
        let blocks = usize::try_from(first).ok().zip(usize::try_from(end).ok());
        let blocks = blocks.and_then(|(first, end)| self.toc.blocks.get(first..end));
        blocks.ok_or_else(|| damaged("a chunk has blocks that are not there"))
    }

    fn block_range(&self, offset: u64, length: u64) -> (u64, u64) {
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
                if matches!(error.kind(), ErrorKind::Io { .. } | ErrorKind::TooLarge { .. }) => {}
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

    fn decrypted_chunk(&self, chunk: usize, key: Option<&AesKey>) -> Result<Vec<u8>> {
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

    /// Files whose blocks are also those of other files, or of themselves.
    pub fn overlaps(&self) -> &Overlaps {
        self.overlaps.get_or_init(|| {
            // By rows of the table first: then each block is looked at once.
            let rows = |row: usize| {
                let range = self.toc.chunk_ranges.get(self.file_chunk(row).ok()?)?;
                let (first, count) = self.block_range(range.offset, range.length);
                Some((first, first.saturating_add(count), row))
            };
            let files = || (0..self.rows.len()).filter_map(rows);
            let shared = Overlaps::new(files().collect());
            let alone = files().filter(|(.., row)| shared.of(*row).is_none());
            let places = alone.flat_map(|(first, end, row)| {
                let blocks = (first as usize)..(end as usize);
                let blocks = self.toc.blocks.get(blocks).unwrap_or_default().iter();
                blocks.map(move |block| {
                    let size = padded(block.compressed_size);
                    (block.offset, block.offset.saturating_add(size), row)
                })
            });
            let places = Overlaps::new(places.collect());
            shared.with(places)
        })
    }

    /// Whether the table of contents, the index by path and the container header are saved from their models as
    /// they were read.
    ///
    /// # Errors
    /// What can't be saved.
    pub fn check_tables(&self) -> Result<Vec<TableCheck>> {
        let check = |name, bytes: &[u8], saved: &[u8]| TableCheck {
            name,
            bytes: bytes.len() as u64,
            identical: saved == bytes,
            hash_is_right: true,
        };
        let context = |source: &Bytes| Arc::new(Context::of(source.clone()));
        let versions = Toc::versions(self.toc.header.version);
        let mut saver = Saver::new(versions.clone()).with_context(context(&self.bytes));
        self.toc.clone().serialize(&mut saver)?;
        let mut checks = vec![check("table of contents", &self.bytes, saver.bytes())];
        if let Some((bytes, directory)) = &self.directory {
            let mut saver = Saver::new(versions).with_context(context(bytes));
            directory.clone().serialize(&mut saver)?;
            checks.push(check("paths", bytes, saver.bytes()));
        }
        if let Some(row) = self.chunk_of_kind(ChunkKind::ContainerHeader) {
            let bytes = Bytes::from(self.read_checked_chunk(row)?);
            let saved = ContainerHeader::load(&bytes)?.to_bytes(bytes.clone())?;
            checks.push(check("container header", &bytes, &saved));
        }
        Ok(checks)
    }

    /// The header of the table of contents.
    pub fn toc_header(&self) -> &TocHeader {
        &self.toc.header
    }

    /// The keys that it was opened with.
    pub fn keys(&self) -> &Keys {
        &self.options.keys
    }
}

fn starts_with_text(bytes: &[u8]) -> bool {
    let Some((length, rest)) = bytes.split_first_chunk::<4>() else { return false };
    let length = i32::from_le_bytes(*length);
    let last = usize::try_from(length).ok().and_then(|length| rest.get(length.checked_sub(1)?));
    // Names of other alphabets stand in two bytes each.
    let wide = length.checked_neg().and_then(|units| usize::try_from(units).ok());
    let wide = wide.and_then(|units| rest.get(units.checked_mul(2)?.checked_sub(2)?));
    length == 0
        || ((1..=LONGEST_MOUNT).contains(&length) && last == Some(&0))
        || ((-LONGEST_MOUNT..0).contains(&length) && wide == Some(&0))
}
