//! An IoStore container that is looked into.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use super::chunks::{Partition, damaged};
use super::{ChunkId, ChunkKind, ContainerHeader, IoDirectoryIndex, Toc, TocHeader};
use crate::Archived;
use crate::archive::{Context, Loader, Saver};
use crate::container::crypt::{self, padded};
use crate::container::pak::TableCheck;
use crate::container::paths::{Paths, mounted};
use crate::container::read_at::ReadAt;
use crate::container::{AesKey, ContainedFile, ContainerOptions, DiskFile, Keys, Overlaps};
use crate::error::{Error, Result, UnrealError};
use crate::file::{self, FileOrigin, FileStart};

/// Longest mount point by which a key is recognised.
const LONGEST_MOUNT: i32 = 256;
/// Chunks that are read to find a key where there is no index.
const WITNESSES: usize = 16;

/// An IoStore container: its table of contents is read when it is opened, chunks when they are asked for.
#[derive(Debug)]
pub struct IoStore {
    bytes: Bytes,
    pub(super) toc: Toc,
    /// The `.ucas` files, and what they are called where they are not there.
    pub(super) partitions: Vec<Partition>,
    pub(super) options: ContainerOptions,
    pub(super) key: Option<AesKey>,
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

fn check_magic(bytes: &[u8]) -> Result<()> {
    if bytes.starts_with(b"-==--==--==--==-") {
        return Ok(());
    }
    let reason = "it does not start as a .utoc file".to_owned();
    Err(UnrealError::NotAPackage { is: None, reason }.into())
}

/// Refuses a table of contents of more bytes than its header has rows for.
fn check_size(start: &[u8], length: u64) -> Result<()> {
    /// Bytes of the rows of a chunk, a block, anything else in any version: the longest and more.
    const ROW: u64 = 256;
    /// Bytes that may follow all rows.
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
    /// As [`IoStore::new`]; `NotReadable` for a `.ucas` file that is a link out of the folder
    /// ([`ContainerOptions::links`]); `Io`.
    pub fn open(path: &Path, options: &ContainerOptions) -> Result<Self> {
        // Its header says how large it can be: a file that is larger is not read.
        let check = |start: &mut FileStart<'_>| check_size(start.bytes, start.length);
        let (bytes, _) = file::read_with(path, FileOrigin::Found, check)?;
        let toc = Self::load(&bytes)?;
        let open = |row: u32| {
            let first = path;
            let path = Self::partition_path(first, row);
            // A link to nothing is a file that is missing.
            if path.exists() {
                options.links.check_beside(first, &path)?;
            }
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

    pub(super) fn is_right_key(&self, chunk: usize, key: &AesKey) -> bool {
        let content = self.decrypted_chunk(chunk, Some(key));
        content.is_ok_and(|content| self.has_hash(chunk, &content))
    }

    /// The stored hash of a chunk; none where it is left out.
    pub(super) fn hash(&self, chunk: usize) -> Option<&[u8]> {
        let hash = &self.toc.metas.get(chunk)?.hash;
        hash.iter().any(|byte| *byte != 0).then_some(&hash[..])
    }

    pub(super) fn has_hash(&self, chunk: usize, content: &[u8]) -> bool {
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

    /// The folder that its paths start at, as stored.
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

    pub(super) fn kind(&self, chunk: usize) -> ChunkKind {
        let id = self.toc.chunk_ids.get(chunk).copied().unwrap_or_default();
        ChunkKind::of(id.kind, self.toc.header.version.into())
    }

    /// The chunk of a file.
    pub fn chunk_of(&self, row: usize) -> Option<(usize, ChunkId)> {
        let chunk = *self.rows.get(row)? as usize;
        Some((chunk, *self.toc.chunk_ids.get(chunk)?))
    }

    /// The kind of a file's chunk.
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

    /// The container header; `None` where there is no such chunk, or one of another form.
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

    /// Facts about a file from the table of contents.
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
    /// The error of a table that can't be saved.
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
