//! A `.pak` file that is looked into.

use std::sync::{Arc, OnceLock};

use super::encoded::EncodedEntry;
use super::entry::damaged;
use super::proof::{self, Proof};
use super::tables::{PakTables, plain_row, sha1};
use super::{PakEntry, PakTrailer, PakVersion, TableCheck};
use crate::Archived;
use crate::archive::Loader;
use crate::container::crypt::{self, Iv};
use crate::container::paths::{Paths, mounted};
use crate::container::read_at::{ReadAt, read_range};
use crate::container::{AesKey, BlockMethod, ContainedFile, ContainerOptions, Overlaps};
use crate::error::{ErrorKind, Noun, Result, UnrealError};
use crate::version::{Guid, Versions};

/// Encrypted files that are read to find a key which nothing else proves.
const WITNESSES: usize = 64;
/// Stored bytes of the largest of them.
const LARGEST_WITNESS: u64 = 1 << 20;

/// A `.pak` file: its indexes are read when it is opened, files when they are asked for.
#[derive(Debug)]
pub struct Pak {
    source: Arc<dyn ReadAt>,
    options: ContainerOptions,
    version: PakVersion,
    versions: Versions,
    trailer: PakTrailer,
    tables: PakTables,
    /// The keys to try, that of the index first.
    keys: Vec<AesKey>,
    /// The key that the index, or else the content of any file that was read, proves.
    proven_key: OnceLock<AesKey>,
    /// Whether files were read to find it.
    is_searched: OnceLock<()>,
    overlaps: OnceLock<Overlaps>,
    mount_point: String,
    mount: String,
    paths: Paths,
    /// Where the record of each file is.
    locations: Vec<i32>,
}

/// A record with what the stream starts with that encrypts the data.
struct LocatedEntry {
    entry: PakEntry,
    iv: Option<Iv>,
}

impl Pak {
    /// Opens a `.pak` file.
    ///
    /// # Errors
    /// `NotAPackage` for what is none; `NeedsKey`; `Unsupported` for an index that is an image of memory;
    /// `DamagedContainer` and what does not fit, with its field; `Io`.
    pub fn open(source: Arc<dyn ReadAt>, options: &ContainerOptions) -> Result<Self> {
        let (trailer, version) = PakTrailer::find(&*source)?;
        let versions = trailer.versions(version);
        let (tables, key) = PakTables::load(&*source, &trailer, &versions, &options.keys)?;
        let others = options.keys.for_guid(trailer.key_guid).filter(|other| Some(*other) != key);
        let keys = key.into_iter().chain(others).collect();
        let proven_key = key.map_or_else(OnceLock::new, OnceLock::from);
        let mount_point = tables.mount_point()?;
        let mount = mounted(&mount_point);
        let (paths, locations): (Vec<_>, _) = tables.files()?.into_iter().unzip();
        let paths = paths.into_iter().map(|path| format!("{mount}{path}")).collect();
        let paths = Paths::new(paths);
        let options = options.clone();
        Ok(Self {
            source,
            options,
            version,
            versions,
            trailer,
            tables,
            keys,
            proven_key,
            is_searched: OnceLock::new(),
            overlaps: OnceLock::new(),
            mount_point,
            mount,
            paths,
            locations,
        })
    }

    /// Its version.
    pub fn version(&self) -> PakVersion {
        self.version
    }

    /// The trailer.
    pub fn trailer(&self) -> &PakTrailer {
        &self.trailer
    }

    /// The folder that its paths start at, as stored.
    pub fn mount_point(&self) -> &str {
        &self.mount_point
    }

    /// The number of its key.
    pub fn key_guid(&self) -> Guid {
        self.trailer.key_guid
    }

    pub(in crate::container) fn paths(&self) -> (&Paths, &str) {
        (&self.paths, &self.mount)
    }

    /// The paths of its files by row, with what the mount point adds.
    pub fn files(&self) -> &[String] {
        self.paths.all()
    }

    /// Facts about a file from the index.
    ///
    /// # Errors
    /// `DamagedContainer` for a record that is none.
    pub fn file(&self, row: usize) -> Result<ContainedFile> {
        let LocatedEntry { entry, .. } = self.located(row)?;
        let (stored, size) = entry.sizes()?;
        Ok(ContainedFile {
            path: self.paths.all().get(row).cloned().unwrap_or_default(),
            size,
            stored,
            method: self.trailer.method(entry.method).ok().flatten(),
            encrypted: entry.is_encrypted(),
            deleted: entry.is_deleted(),
        })
    }

    /// The content of a file.
    ///
    /// # Errors
    /// `DamagedContainer`, `Compression`; `NeedsKey`; `Unsupported` for a method that is not known;
    /// `TooLarge`; `Io`.
    pub fn read(&self, row: usize) -> Result<Vec<u8>> {
        let (located, data, _) = self.stored(row)?;
        self.content(row, &located, data)
    }

    /// The content of a file whose hash is right.
    ///
    /// # Errors
    /// As [`Pak::read`]; `DamagedContainer` where the hash is another.
    pub fn read_checked(&self, row: usize) -> Result<Vec<u8>> {
        let (located, data, hash) = self.stored(row)?;
        let stored = located.entry.sizes()?.0 as usize;
        let known = sha1(data.get(..stored).unwrap_or_default());
        let indexed = located.entry.hash;
        // Short records have no hash.
        if known != hash || (indexed != [0; 20] && indexed != hash) {
            let path = self.paths.all().get(row).map_or("", String::as_str);
            return Err(damaged(&format!("the SHA-1 of {path} is another than is stored")));
        }
        self.content(row, &located, data)
    }

    /// Whether each index is saved from its model as it was read, and its hash.
    ///
    /// # Errors
    /// The error of a table that can't be saved.
    pub fn check_tables(&self) -> Result<Vec<TableCheck>> {
        self.tables.check(&self.versions)
    }

    /// The record of a file, as the index has it.
    fn located(&self, row: usize) -> Result<LocatedEntry> {
        let missing = || damaged("a file without a record");
        let location = *self.locations.get(row).ok_or_else(missing)?;
        let (primary, iv_of) = match &self.tables {
            PakTables::Records(index) => {
                let record = index.table.records.get(row).ok_or_else(missing)?;
                return Ok(LocatedEntry { entry: record.entry.clone(), iv: None });
            }
            PakTables::Parts { primary, .. } => (primary, &primary.table.plain_ivs),
        };
        if location == i32::MIN {
            return Ok(LocatedEntry { entry: PakEntry::deleted(), iv: None });
        }
        let Ok(start) = usize::try_from(location) else {
            let row = plain_row(location)?;
            let entry = primary.table.plain_entries.get(row).ok_or_else(missing)?;
            return Ok(LocatedEntry { entry: entry.clone(), iv: iv_of.get(row).copied() });
        };
        let encoded = primary.table.encoded_entries.bytes(&primary.bytes)?;
        let bytes = encoded.get(start..).ok_or_else(missing)?;
        let mut entry = EncodedEntry::default();
        entry.serialize(&mut Loader::new(bytes, self.versions.clone()))?;
        Ok(LocatedEntry { entry: entry.entry(&self.versions)?, iv: entry.iv(&self.versions) })
    }

    /// The record of a file, its data as it is stored, and the hash that stands before that.
    fn stored(&self, row: usize) -> Result<(LocatedEntry, Vec<u8>, [u8; 20])> {
        let LocatedEntry { mut entry, iv } = self.located(row)?;
        if entry.is_deleted() {
            let name = self.paths.all().get(row).cloned().unwrap_or_default();
            let hint = ": the container says that it is deleted".to_owned();
            return Err(ErrorKind::NotFound { what: Noun::File, name, hint }.into());
        }
        let (start, header) = (entry.start()?, entry.size(&self.versions)?);
        let whole = header.saturating_add(entry.stored_size()?);
        let mut data = read_range(&*self.source, start, whole)?;
        let mut before = PakEntry::default();
        before.serialize(&mut Loader::new(&data, self.versions.clone()))?;
        let same = before.sizes()? == entry.sizes()?
            && before.method == entry.method
            && before.is_encrypted() == entry.is_encrypted()
            && before.blocks.len() == entry.blocks.len();
        if !same {
            return Err(damaged("the record before a file is another than in the index"));
        }
        let hash = before.hash;
        // It says what the short form leaves out.
        (entry.blocks, entry.block_size) = (before.blocks, before.block_size);
        let base = PakEntry::base(&self.versions, start).saturating_add(header) as i64;
        for block in &mut entry.blocks {
            (block.start, block.end) =
                (block.start.saturating_sub(base), block.end.saturating_sub(base));
        }
        data.drain(..header as usize);
        Ok((LocatedEntry { entry, iv }, data, hash))
    }

    /// The content of data as it is stored, decrypted with a key that is proven for it: by itself, or by the
    /// index or another file, since a container has one key.
    fn content(&self, row: usize, located: &LocatedEntry, data: Vec<u8>) -> Result<Vec<u8>> {
        let entry = &located.entry;
        let (stored, size) = entry.sizes()?;
        self.options.check_size(size, stored)?;
        let method = self.trailer.method(entry.method)?;
        if !entry.is_encrypted() || data.is_empty() {
            return unpacked(entry, method, data);
        }
        let mut plausible = None;
        // That of another file first: most have the same, and no other key need be tried then.
        let known = self.proven_key.get();
        let others = self.keys.iter().filter(|key| Some(*key) != known);
        for key in known.into_iter().chain(others) {
            match self.decrypted(row, located, method, &data, key) {
                Ok((content, Proof::Right)) => {
                    let _ = self.proven_key.set(*key);
                    return Ok(content);
                }
                Ok((_, Proof::Unknown)) => plausible = plausible.or(Some(*key)),
                Ok((_, Proof::Wrong)) | Err(_) => {}
            }
        }
        let proven = self.proven_key();
        let name = || self.paths.all().get(row).cloned().unwrap_or_default();
        let key = match (proven, plausible) {
            (Some(key), _) => key,
            (None, Some(key)) if self.options.unproven_keys => key,
            (None, Some(_)) => return Err(UnrealError::UnprovenKey { name: name() }.into()),
            (None, None) => return Err(self.options.keys.none_fits(self.trailer.key_guid)),
        };
        match self.decrypted(row, located, method, &data, &key)? {
            // The index names another key than this file has: noise must not pass for a package.
            (_, Proof::Wrong) => Err(self.options.keys.none_fits(self.trailer.key_guid)),
            (content, _) => Ok(content),
        }
    }

    /// Data decrypted with a key, and what it says of that.
    fn decrypted(
        &self,
        row: usize,
        located: &LocatedEntry,
        method: Option<BlockMethod>,
        data: &[u8],
        key: &AesKey,
    ) -> Result<(Vec<u8>, Proof)> {
        let entry = &located.entry;
        let (stored, size) = entry.sizes()?;
        let mut data = data.to_vec();
        crypt::decrypt(key, located.iv.as_ref(), &mut data)?;
        let Some(method) = method else {
            let path = self.paths.all().get(row).map_or("", String::as_str);
            let proof = proof::of_stored(path, &data, usize::try_from(size).unwrap_or(usize::MAX));
            return Ok((unpacked(entry, None, data)?, proof));
        };
        let content = unpacked(entry, Some(method), data)?;
        let proof = proof::of_decompressed(method, stored, &content);
        Ok((content, proof))
    }

    /// Whether a file is not encrypted, or has a key that something proves.
    pub fn proves_key(&self, row: usize) -> bool {
        let is_open = || self.located(row).is_ok_and(|located| !located.entry.is_encrypted());
        is_open() || self.proven_key().is_some() || self.key_of(row).is_some()
    }

    /// The key of the container: that of the index, or the first that the content of a small file proves.
    fn proven_key(&self) -> Option<AesKey> {
        if let Some(key) = self.proven_key.get() {
            return Some(*key);
        }
        self.is_searched.get_or_init(|| {
            let mut rows: Vec<(u64, usize)> = (0..self.locations.len())
                .filter_map(|row| Some((row, self.located(row).ok()?.entry)))
                .filter(|(_, entry)| entry.is_encrypted() && !entry.is_deleted())
                .filter_map(|(row, entry)| Some((entry.sizes().ok()?.0, row)))
                .filter(|(stored, _)| (1..=LARGEST_WITNESS).contains(stored))
                .collect();
            rows.sort_unstable();
            // Files of one block of the cipher rarely prove anything: larger ones are asked too.
            let step = rows.len().div_ceil(WITNESSES).max(1);
            let mut rows = rows.iter().step_by(step).chain(rows.last());
            if let Some(key) = rows.find_map(|(_, row)| self.key_of(*row)) {
                let _ = self.proven_key.set(key);
            }
        });
        self.proven_key.get().copied()
    }

    /// The key that the content of one file proves.
    fn key_of(&self, row: usize) -> Option<AesKey> {
        let (located, data, _) = self.stored(row).ok()?;
        let (stored, size) = located.entry.sizes().ok()?;
        self.options.check_size(size, stored).ok()?;
        let method = self.trailer.method(located.entry.method).ok()?;
        let is_right = |key: &&AesKey| {
            let decrypted = self.decrypted(row, &located, method, &data, key);
            decrypted.is_ok_and(|(_, proof)| proof == Proof::Right)
        };
        self.keys.iter().find(is_right).copied()
    }

    /// Files whose data lies in that of another file.
    pub fn overlaps(&self) -> &Overlaps {
        self.overlaps.get_or_init(|| {
            let range = |row: usize| {
                let entry = self.located(row).ok()?.entry;
                if entry.is_deleted() {
                    return None;
                }
                let (start, header) = (entry.start().ok()?, entry.size(&self.versions).ok()?);
                let size = header.saturating_add(entry.stored_size().ok()?);
                Some((start, start.saturating_add(size), row))
            };
            Overlaps::new((0..self.locations.len()).filter_map(range).collect())
        })
    }
}

/// The content of decrypted data.
fn unpacked(entry: &PakEntry, method: Option<BlockMethod>, mut data: Vec<u8>) -> Result<Vec<u8>> {
    let (_, size) = entry.sizes()?;
    let Some(method) = method else {
        if size > data.len() as u64 {
            return Err(damaged("a file is larger than what is stored of it"));
        }
        data.truncate(size as usize);
        return Ok(data);
    };
    let mut content = Vec::new();
    for block in &entry.blocks {
        let range = usize::try_from(block.start).ok().zip(usize::try_from(block.end).ok());
        let block = range.and_then(|(start, end)| data.get(start..end));
        let block = block.ok_or_else(|| damaged("a block stands outside its file"))?;
        let left = size - content.len() as u64;
        method.decompress(block, left.min(entry.whole_block()), &mut content)?;
    }
    match content.len() as u64 == size {
        true => Ok(content),
        false => Err(damaged("the blocks of a file hold fewer bytes than it has")),
    }
}
