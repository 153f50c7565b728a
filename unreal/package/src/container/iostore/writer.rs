//! New IoStore containers.

use std::io::Write;
use std::path::Path;

use super::toc_header::{BLOCK_ROW, METHOD_NAME, SIZE};
use super::{
    ChunkId, ChunkKind, ChunkMeta, ChunkRange, ContainerHeader, IoDirectoryIndex, StoreEntry,
    StoredBlock, Toc, TocHeader,
};
use crate::archive::Span;
use crate::container::crypt::{self, Iv, iv_for, padded};
use crate::container::{AesKey, BlockMethod, MethodName, zen};
use crate::error::{Error, ErrorKind, Result, UnrealErrors, noun};
use crate::version::Guid;
use crate::{Archived, Saver};

/// Bytes of a block before it is compressed, as the engine has them.
const BLOCK_SIZE: usize = 0x1_0000;
/// In [`ChunkMeta::flags`].
const COMPRESSED: u8 = 1;
/// The first version with several `.ucas` files.
const PARTITIONS: u8 = 3;
/// The kind of hash of the names of a container of UE4, which has none.
const NO_NAMES: [u8; 8] = 0xc164_0000_u64.to_le_bytes();

/// How an IoStore container is made.
#[derive(Debug, Clone)]
pub struct IoStoreOptions {
    /// The name of the container, without an extension; its number is the hash of it.
    pub name: String,
    /// Version of the table of contents: 2 for 4.26, 3 for 4.27, 5 for 5.0 to 5.3, 6 for 5.4, 8 for 5.5 to 5.8, 10 for 6.0.
    pub version: u8,
    /// Version of the container header: 0 for 4.26 and 4.27, 1 for 5.0, 2 for 5.1 and 5.2, 3 for 5.3 and 5.4, 4 for 5.5,
    /// 5 from 5.6.
    pub header_version: i32,
    /// The folder that all paths start at: `../../../`.
    pub mount_point: String,
    /// How blocks are compressed, those that become smaller by it.
    pub method: Option<BlockMethod>,
    /// The key and its number, where it is encrypted.
    pub key: Option<(Guid, AesKey)>,
}

impl IoStoreOptions {
    /// The options of a container of this name for 5.6 to 5.8.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            version: 8,
            header_version: 5,
            mount_point: "../../../".to_owned(),
            method: None,
            key: None,
        }
    }
}

/// An IoStore container that is being written: blocks go to the `.ucas` file at once, the table of contents
/// comes at last.
pub struct IoStoreWriter<'a> {
    blocks: &'a mut dyn Write,
    options: IoStoreOptions,
    toc: Toc,
    position: u64,
    paths: Vec<(String, u32)>,
    header: ContainerHeader,
}

impl std::fmt::Debug for IoStoreWriter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let chunks = self.toc.chunk_ids.len();
        let mut shown = f.debug_struct("IoStoreWriter");
        shown.field("options", &self.options).field("chunks", &chunks).finish()
    }
}

impl<'a> IoStoreWriter<'a> {
    /// Begins a container.
    ///
    /// # Errors
    /// `Unsupported` for a version that is not known.
    pub fn new(blocks: &'a mut dyn Write, options: IoStoreOptions) -> Result<Self> {
        let fits = match options.version {
            2 | 3 => options.header_version == 0,
            5..=10 => (1..=5).contains(&options.header_version),
            _ => false,
        };
        if !fits {
            let reason = format!(
                "IoStore containers of version {} with a header of version {} can't be written",
                options.version, options.header_version
            );
            return Err(Error::unsupported(reason));
        }
        let container_id = zen::hash::of_package(&options.name);
        let mut header = TocHeader {
            version: options.version,
            header_size: SIZE,
            block_row_size: BLOCK_ROW,
            method_name_length: METHOD_NAME,
            block_size: BLOCK_SIZE as u32,
            partition_count: u32::from(options.version >= PARTITIONS),
            partition_size: if options.version >= PARTITIONS { u64::MAX } else { 0 },
            container_id,
            ..TocHeader::default()
        };
        let mut toc = Toc::default();
        if let Some(method) = options.method {
            header.set_compressed();
            toc.methods.push(MethodName::new(method));
        }
        if let Some((guid, _)) = &options.key {
            header.set_encrypted();
            header.key_guid = *guid;
        }
        toc.header = header;
        let version = options.header_version;
        let name_hashes = if version < 1 { NO_NAMES.to_vec() } else { Vec::new() };
        let header =
            ContainerHeader { version, container_id, name_hashes, ..ContainerHeader::default() };
        Ok(Self { blocks, options, toc, position: 0, paths: Vec::new(), header })
    }

    /// Writes a package, in its zen form, under a path from the mount point.
    ///
    /// # Errors
    /// As [`IoStoreWriter::add`].
    pub fn add_package(
        &mut self,
        path: &str,
        id: u64,
        entry: StoreEntry,
        content: &[u8],
    ) -> Result<()> {
        self.add(path, id, ChunkKind::ExportBundleData, content)?;
        self.header.package_ids.push(id);
        self.header.store_entries.push(entry);
        Ok(())
    }

    /// Writes a chunk under a path from the mount point; bulk data has the number of its package.
    ///
    /// # Errors
    /// `Exists` for a chunk that is there; `Unsupported` for a kind or method that can't be written; `Io`.
    pub fn add(&mut self, path: &str, id: u64, kind: ChunkKind, content: &[u8]) -> Result<()> {
        let row = self.chunk(id, kind, content)?;
        self.paths.push((path.replace('\\', "/"), row));
        Ok(())
    }

    /// Whether it is one for UE4, whose entries say the size of packages and their order.
    pub(in crate::container) fn is_ue4(&self) -> bool {
        self.options.header_version < 1
    }

    /// Whether entries of packages say how many objects these have.
    pub(in crate::container) fn counts_exports(&self) -> bool {
        self.options.header_version < 3
    }

    fn chunk(&mut self, id: u64, kind: ChunkKind, content: &[u8]) -> Result<u32> {
        let number = kind.number(self.options.version.into());
        let missing = || Error::unsupported(format!("chunks of kind {kind} in this version"));
        let id = ChunkId { id, index: 0, pad: 0, kind: number.ok_or_else(missing)? };
        let is_header = kind == ChunkKind::ContainerHeader;
        let first = self.toc.blocks.len() as u64;
        for piece in content.chunks(BLOCK_SIZE) {
            self.block(piece)?;
        }
        let mut hash = [0; 20];
        hash.copy_from_slice(&blake3::hash(content).as_bytes()[..20]);
        let is_compressed = self.options.method.is_some() && !is_header;
        let flags = if is_compressed { COMPRESSED } else { 0 };
        let row = self.toc.chunk_ids.len() as u32;
        self.toc.chunk_ids.push(id);
        self.toc
            .chunk_ranges
            .push(ChunkRange { offset: first * BLOCK_SIZE as u64, length: content.len() as u64 });
        self.toc.metas.push(ChunkMeta { hash, flags, ..ChunkMeta::default() });
        Ok(row)
    }

    fn block(&mut self, piece: &[u8]) -> Result<()> {
        let packed = self.options.method.map(|method| method.compress(piece)).transpose()?;
        let packed = packed.filter(|packed| packed.len() < piece.len());
        let method = packed.is_some().into();
        let mut stored = packed.unwrap_or_else(|| piece.to_vec());
        let size = stored.len();
        for at in 0..padded(size as u64) as usize - size {
            stored.push(stored.get(at % size.max(1)).copied().unwrap_or(0));
        }
        self.toc.blocks.push(StoredBlock {
            offset: self.position,
            compressed_size: size as u64,
            uncompressed_size: piece.len() as u64,
            method,
        });
        if let Some(iv) = self.encrypt(&mut stored) {
            self.toc.ivs.push(iv);
        }
        self.position += stored.len() as u64;
        let written = self.blocks.write_all(&stored);
        written.map_err(|error| Error::io(Path::new("the container"), error))
    }

    /// Encrypts padded bytes in their place; the IV, where there is one.
    fn encrypt(&self, bytes: &mut [u8]) -> Option<Iv> {
        let (_, key) = self.options.key.as_ref()?;
        let iv = self.toc.header.is_stream().then(|| iv_for(key, bytes));
        crypt::encrypt(key, iv.as_ref(), bytes);
        iv
    }

    /// Writes the container header, and gives the table of contents: the `.utoc` file.
    ///
    /// # Errors
    /// `Exists` for a chunk that was added twice; `OutOfRange`; `Io`.
    pub fn finish(mut self) -> Result<Vec<u8>> {
        let mut order: Vec<usize> = (0..self.header.package_ids.len()).collect();
        order.sort_by_key(|row| self.header.package_ids[*row]);
        let mut header = ContainerHeader {
            package_count: if self.header.version <= 1 { order.len() as u32 } else { 0 },
            package_ids: order.iter().map(|row| self.header.package_ids[*row]).collect(),
            store_entries: order
                .iter()
                .map(|row| self.header.store_entries[*row].clone())
                .collect(),
            ..self.header.clone()
        };
        let container_id = self.toc.header.container_id;
        let bytes = header.to_bytes(bytes::Bytes::new())?;
        self.chunk(container_id, ChunkKind::ContainerHeader, &bytes)?;
        let mut seen = std::collections::HashSet::new();
        if let Some(id) = self.toc.chunk_ids.iter().find(|id| !seen.insert(**id)) {
            let name = format!("{:016X} of kind {}", id.id, id.kind);
            return Err(ErrorKind::Exists { what: noun::CHUNK, name }.into());
        }
        self.paths.sort();
        let paths = self.paths.iter().map(|(path, row)| (path.as_str(), *row));
        let mut index = IoDirectoryIndex::new(&self.options.mount_point, paths);
        let versions = Toc::versions(self.options.version);
        let mut saver = Saver::new(versions.clone());
        index.serialize(&mut saver)?;
        let mut index = saver.into_bytes();
        if self.options.key.is_some() {
            let size = index.len();
            index.extend_from_within(..padded(size as u64) as usize - size);
        }
        if let Some(iv) = self.encrypt(&mut index) {
            self.toc.ivs.push(iv);
        }
        let count = |length: usize| {
            let value = length as i128;
            u32::try_from(length).map_err(|_| ErrorKind::OutOfRange { value, bits: 32 })
        };
        let toc = &mut self.toc;
        toc.header.set_indexed();
        toc.header.chunk_count = count(toc.chunk_ids.len())?;
        toc.header.block_count = count(toc.blocks.len())?;
        toc.header.method_count = count(toc.methods.len())?;
        toc.header.iv_count = count(toc.ivs.len())?;
        toc.header.directory_index_size = count(index.len())?;
        toc.directory_index = Span::owned(index);
        let mut saver = Saver::new(versions);
        toc.serialize(&mut saver)?;
        Ok(saver.into_bytes())
    }
}
