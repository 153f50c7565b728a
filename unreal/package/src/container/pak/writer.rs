//! New `.pak` files.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use super::encoded::EncodedEntry;
use super::entry::PakBlock;
use super::path_hash::path_hash;
use super::tables::{sha1, to_bytes};
use super::version::{PATH_HASH_INDEX, RELATIVE_OFFSETS, SORTED_DIRECTORY, UTF8_NAMES};
use super::{
    DirectoryIndex, FlatDirectoryIndex, IndexPlace, PakDirectory, PakEntry, PakFileName, PakIndex,
    PakRecord, PakTrailer, PakVersion, PathHash, PathHashIndex, PrimaryIndex,
};
use crate::archive::Span;
use crate::container::crypt::{self, Iv, iv_for, padded};
use crate::container::{AesKey, BlockMethod};
use crate::error::{Error, ErrorKind, Noun, Result};
use crate::primitive::{Bool32, FString, Utf8String};
use crate::version::{Guid, UnrealVersions, Versions};

/// Bytes of a block before it is compressed, as the engine has them.
const BLOCK_SIZE: usize = 0x1_0000;
static ZEROS: [u8; BLOCK_SIZE] = [0; BLOCK_SIZE];
/// Extensions of files that the game looks for by pattern: they stand in the pruned index too.
const PATTERNS: [&str; 6] = ["ini", "locmeta", "locres", "uplugin", "upluginmanifest", "uproject"];

/// How a `.pak` file is made.
#[derive(Debug, Clone)]
pub struct PakOptions {
    /// Its version: 11 for 4.26 to 5.7.
    pub version: PakVersion,
    /// The folder that all paths start at: `../../../`.
    pub mount_point: String,
    /// How files are compressed, those that become smaller by it.
    pub method: Option<BlockMethod>,
    /// The seed of the hashes of paths.
    pub path_hash_seed: u64,
    /// Files start at multiples of so many bytes, zeros before them: smaller patches of downloads.
    pub alignment: u64,
    /// The key and its number, where files and indexes are encrypted.
    pub key: Option<(Guid, AesKey)>,
    /// Whether the index stays readable where files are encrypted.
    pub open_index: bool,
}

impl Default for PakOptions {
    fn default() -> Self {
        Self {
            version: PakVersion::V11,
            mount_point: "../../../".to_owned(),
            method: None,
            path_hash_seed: 0,
            alignment: 1,
            key: None,
            open_index: false,
        }
    }
}

/// A `.pak` file that is being written: file by file, the indexes at last.
///
/// ```
/// use std::sync::Arc;
/// use unreal_packages::container::ContainerOptions;
/// use unreal_packages::container::pak::{Pak, PakOptions, PakWriter};
///
/// # fn main() -> unreal_packages::Result<()> {
/// let mut bytes = Vec::new();
/// let mut writer = PakWriter::new(&mut bytes, PakOptions::default());
/// writer.add("Game/Config/Game.ini", b"[Game]")?;
/// writer.finish()?;
/// let pak = Pak::open(Arc::new(bytes::Bytes::from(bytes)), &ContainerOptions::new())?;
/// assert_eq!(pak.files(), ["Game/Config/Game.ini"]);
/// assert_eq!(pak.read(0)?, b"[Game]");
/// # Ok(())
/// # }
/// ```
pub struct PakWriter<'a> {
    out: &'a mut dyn Write,
    options: PakOptions,
    versions: Versions,
    trailer: PakTrailer,
    position: u64,
    files: Vec<WrittenFile>,
}

struct WrittenFile {
    path: String,
    entry: PakEntry,
    iv: Option<Iv>,
}

impl std::fmt::Debug for PakWriter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let files = self.files.len();
        f.debug_struct("PakWriter").field("options", &self.options).field("files", &files).finish()
    }
}

impl<'a> PakWriter<'a> {
    /// Begins a file.
    pub fn new(out: &'a mut dyn Write, options: PakOptions) -> Self {
        let mut trailer = PakTrailer::new(options.version);
        let versions = options.version.versions(false);
        if let Some((guid, _)) = &options.key {
            trailer.set_encryption();
            trailer.set_key(*guid);
        }
        let versions = match trailer.is_stream() {
            true => options.version.versions(true),
            false => versions,
        };
        Self { out, options, versions, trailer, position: 0, files: Vec::new() }
    }

    /// Writes a file; its path counts from the mount point.
    ///
    /// # Errors
    /// `Invalid` for a path that is there already or that leads out; `Unsupported` for a method that the
    /// version lacks or that can't be written; `Io`.
    pub fn add(&mut self, path: &str, content: &[u8]) -> Result<()> {
        self.align()?;
        let (mut entry, mut data) = self.packed(content)?;
        let header = entry.size(&self.versions)?;
        let base = match self.versions.file() < RELATIVE_OFFSETS {
            true => self.position.saturating_add(header),
            false => header,
        };
        for block in &mut entry.blocks {
            block.start += base as i64;
            block.end += base as i64;
        }
        let mut iv = None;
        if let Some((_, key)) = &self.options.key {
            iv = self.trailer.is_stream().then(|| iv_for(key, &data));
            crypt::encrypt(key, iv.as_ref(), &mut data);
            entry.set_encrypted(true);
        }
        let stored = usize::try_from(entry.compressed_size).unwrap_or(usize::MAX);
        entry.hash = sha1(data.get(..stored).unwrap_or_default());
        let start = self.position;
        let before = to_bytes(&mut entry, &self.versions)?;
        self.write(&before)?;
        self.write(&data)?;
        entry.offset = start as i64;
        self.note(path, entry, iv)
    }

    /// Says that a file of the containers below this one is not there.
    ///
    /// # Errors
    /// As [`PakWriter::add`].
    pub fn delete(&mut self, path: &str) -> Result<()> {
        self.note(path, PakEntry::deleted(), None)
    }

    fn align(&mut self) -> Result<()> {
        let next = self.position.next_multiple_of(self.options.alignment.max(1));
        while self.position < next {
            let piece = (next - self.position).min(ZEROS.len() as u64);
            self.write(&ZEROS[..piece as usize])?;
        }
        Ok(())
    }

    fn note(&mut self, path: &str, entry: PakEntry, iv: Option<Iv>) -> Result<()> {
        let path = path.replace('\\', "/");
        let parts = path.split('/');
        if path.is_empty() || parts.clone().any(|part| ["", ".", ".."].contains(&part)) {
            let reason = format!("'{path}' is no path within a container");
            return Err(ErrorKind::Invalid { reason }.into());
        }
        self.files.push(WrittenFile { path, entry, iv });
        Ok(())
    }

    /// The record of a file and its data with padding; blocks count from the start of the data.
    fn packed(&mut self, content: &[u8]) -> Result<(PakEntry, Vec<u8>)> {
        let is_padded = self.options.key.is_some();
        let size = content.len() as i64;
        let mut entry =
            PakEntry { uncompressed_size: size, compressed_size: size, ..PakEntry::default() };
        let mut data = content.to_vec();
        if let Some(method) = self.options.method.filter(|_| !content.is_empty()) {
            let (blocks, packed) = compressed(method, content, is_padded)?;
            // What does not become smaller is stored, as the engine does.
            if packed.len() < content.len() {
                entry.method = self.trailer.number_of(method)?;
                entry.block_size = match blocks.len() {
                    1 => content.len() as u32,
                    _ => BLOCK_SIZE as u32,
                };
                entry.blocks = blocks;
                entry.compressed_size = packed.len() as i64;
                data = packed;
            }
        }
        if is_padded {
            pad(&mut data);
        }
        Ok((entry, data))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.position = self.position.saturating_add(bytes.len() as u64);
        self.out.write_all(bytes).map_err(|error| Error::io(Path::new("the container"), error))
    }

    /// Writes the indexes and the trailer.
    ///
    /// # Errors
    /// `Exists` for a path that was added twice; `OutOfRange` for more than fits; `Io`.
    pub fn finish(mut self) -> Result<()> {
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        let same = |pair: &&[WrittenFile]| pair[0].path == pair[1].path;
        if let Some(pair) = self.files.windows(2).find(same) {
            let name = pair[0].path.clone();
            return Err(ErrorKind::Exists { what: Noun::File, name }.into());
        }
        let (mut index, parts) = match self.versions.file() < PATH_HASH_INDEX {
            true => (self.records()?, Vec::new()),
            false => self.parts()?,
        };
        self.trailer.index_offset = self.position as i64;
        self.seal(&mut index, 0);
        self.trailer.index_size = index.stored.len() as i64;
        self.trailer.index_hash = index.hash;
        self.trailer.encrypted_index = self.index_key().is_some().into();
        self.write(&index.stored)?;
        for part in parts {
            self.write(&part.stored)?;
        }
        let trailer = to_bytes(&mut self.trailer.clone(), &self.versions)?;
        self.write(&trailer)
    }

    fn index_key(&self) -> Option<AesKey> {
        self.options.key.as_ref().filter(|_| !self.options.open_index).map(|(_, key)| *key)
    }

    /// Pads and encrypts an index, whose hash is of what it is before.
    fn seal(&mut self, index: &mut SealedIndex, row: usize) {
        let key = self.index_key();
        if key.is_some() {
            pad(&mut index.stored);
        }
        index.hash = sha1(&index.stored);
        let Some(key) = key else { return };
        let iv = self.trailer.is_stream().then(|| iv_for(&key, &index.stored));
        if let Some((iv, place)) = iv.zip(self.trailer.ivs.get_mut(row)) {
            *place = iv;
        }
        crypt::encrypt(&key, iv.as_ref(), &mut index.stored);
    }

    fn records(&self) -> Result<SealedIndex> {
        let record = |file: &WrittenFile| PakRecord {
            path: FString::new(&file.path),
            entry: file.entry.clone(),
        };
        let mut index = PakIndex {
            mount_point: FString::new(&self.options.mount_point),
            records: self.files.iter().map(record).collect(),
            padding: Span::EMPTY,
        };
        Ok(SealedIndex::new(to_bytes(&mut index, &self.versions)?))
    }

    /// The three indexes from version 10.
    fn parts(&mut self) -> Result<(SealedIndex, Vec<SealedIndex>)> {
        let (mut encoded, mut plain, mut plain_ivs) = (Vec::new(), Vec::new(), Vec::new());
        let mut locations = Vec::with_capacity(self.files.len());
        for file in &self.files {
            locations.push(match EncodedEntry::new(&file.entry, file.iv) {
                Some(mut entry) => {
                    let location = encoded.len() as i32;
                    encoded.extend(to_bytes(&mut entry, &self.versions)?);
                    location
                }
                None => {
                    plain.push(file.entry.clone());
                    if self.trailer.is_stream() {
                        plain_ivs.push(file.iv.unwrap_or_default());
                    }
                    -(plain.len() as i32)
                }
            });
        }
        let seed = self.options.path_hash_seed;
        let mut folders: BTreeMap<String, Vec<(String, i32)>> = BTreeMap::new();
        let mut pruned = BTreeMap::new();
        let mut hashes = Vec::with_capacity(self.files.len());
        for (file, location) in self.files.iter().zip(&locations) {
            hashes.push(PathHash { hash: path_hash(&file.path, seed), location: *location });
            enter(&mut folders, &file.path, *location);
            let extension = file.path.rsplit('.').next().unwrap_or_default();
            if PATTERNS.iter().any(|pattern| pattern.eq_ignore_ascii_case(extension)) {
                enter(&mut pruned, &file.path, *location);
            }
        }
        let mut by_hash =
            PathHashIndex { hashes, pruned: self.directories(&pruned), padding: Span::EMPTY };
        let by_path = match self.versions.file() < SORTED_DIRECTORY {
            true => {
                let directories = self.directories(&folders);
                let mut index = DirectoryIndex { directories, padding: Span::EMPTY };
                to_bytes(&mut index, &self.versions)?
            }
            false => {
                let rows = folders.iter().map(|(path, files)| (path.as_str(), files.as_slice()));
                to_bytes(&mut FlatDirectoryIndex::new(rows, seed)?, &self.versions)?
            }
        };
        let mut parts = vec![
            SealedIndex::new(to_bytes(&mut by_hash, &self.versions)?),
            SealedIndex::new(by_path),
        ];
        for (row, part) in parts.iter_mut().enumerate() {
            self.seal(part, row + 1);
        }
        let mut primary = PrimaryIndex {
            mount_point: FString::new(&self.options.mount_point),
            count: self.files.len() as u32,
            path_hash_seed: seed,
            has_path_hash_index: Bool32::TRUE,
            has_directory_index: Bool32::TRUE,
            encoded_entries: Span::owned(encoded),
            plain_entries: plain,
            plain_ivs,
            ..PrimaryIndex::default()
        };
        // Its size does not depend on where the others stand.
        let size = to_bytes(&mut primary, &self.versions)?.len() as u64;
        let size = if self.index_key().is_some() { padded(size) } else { size };
        let mut start = self.position.saturating_add(size);
        let places = [&mut primary.path_hash_index, &mut primary.directory_index];
        for (place, part) in places.into_iter().zip(&parts) {
            let size = part.stored.len() as u64;
            *place = IndexPlace { offset: start as i64, size: size as i64, hash: part.hash };
            start = start.saturating_add(size);
        }
        Ok((SealedIndex::new(to_bytes(&mut primary, &self.versions)?), parts))
    }

    fn directories(&self, folders: &BTreeMap<String, Vec<(String, i32)>>) -> Vec<PakDirectory> {
        let is_utf8 = self.versions.file() >= UTF8_NAMES;
        let file = |(name, location): &(String, i32)| PakFileName {
            name: if is_utf8 { FString::EMPTY } else { FString::new(name) },
            utf8_name: if is_utf8 { Utf8String::new(name) } else { Utf8String::default() },
            location: *location,
        };
        let folder = |(path, files): (&String, &Vec<(String, i32)>)| PakDirectory {
            path: FString::new(path),
            files: files.iter().map(file).collect(),
        };
        folders.iter().map(folder).collect()
    }
}

/// An index as it is stored, with its hash.
struct SealedIndex {
    stored: Vec<u8>,
    hash: [u8; 20],
}

impl SealedIndex {
    fn new(stored: Vec<u8>) -> Self {
        Self { stored, hash: [0; 20] }
    }
}

/// Puts a file into its folder, with all folders above that.
fn enter(folders: &mut BTreeMap<String, Vec<(String, i32)>>, path: &str, location: i32) {
    let (folder, name) = match path.rfind('/') {
        Some(at) => path.split_at(at + 1),
        None => ("", path),
    };
    folders.entry("/".to_owned()).or_default();
    for (at, _) in folder.match_indices('/') {
        folders.entry(folder[..=at].to_owned()).or_default();
    }
    let folder = if folder.is_empty() { "/" } else { folder };
    folders.entry(folder.to_owned()).or_default().push((name.to_owned(), location));
}

/// The blocks of a content and their bytes, each block padded for the cipher where that is wanted.
fn compressed(
    method: BlockMethod,
    content: &[u8],
    is_padded: bool,
) -> Result<(Vec<PakBlock>, Vec<u8>)> {
    let (mut blocks, mut data) = (Vec::new(), Vec::new());
    for piece in content.chunks(BLOCK_SIZE) {
        let start = data.len() as i64;
        data.extend(method.compress(piece)?);
        blocks.push(PakBlock { start, end: data.len() as i64 });
        if is_padded {
            pad(&mut data);
        }
    }
    Ok((blocks, data))
}

/// Fills the last block of the cipher with the first bytes again.
fn pad(data: &mut Vec<u8>) {
    let size = padded(data.len() as u64) as usize;
    let missing = size - data.len();
    let length = data.len().max(1);
    for at in 0..missing {
        data.push(data.get(at % length).copied().unwrap_or(0));
    }
}
