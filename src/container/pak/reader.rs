//! A `.pak` file that is looked into.

use std::sync::Arc;

use super::encoded::EncodedEntry;
use super::entry::damaged;
use super::tables::{PakTables, plain_row, sha1};
use super::{PakEntry, PakTrailer, PakVersion, TableCheck};
use crate::Archived;
use crate::archive::Loader;
use crate::container::crypt::{self, Iv};
use crate::container::paths::{Paths, mounted};
use crate::container::read_at::{ReadAt, read_range};
use crate::container::{AesKey, BlockMethod, ContainedFile, ContainerOptions};
use crate::error::{ErrorKind, Result};
use crate::version::{Guid, Versions};

/// A `.pak` file: its indexes are read when it is opened, files when they are asked for.
#[derive(Debug)]
pub struct Pak {
    source: Arc<dyn ReadAt>,
    options: ContainerOptions,
    version: PakVersion,
    versions: Versions,
    trailer: PakTrailer,
    tables: PakTables,
    /// What files are decrypted with: the one of the index, or all that there are.
    keys: Vec<AesKey>,
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
        let keys = match key {
            Some(key) => vec![key],
            None => options.keys.for_guid(trailer.key_guid).collect(),
        };
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

    /// What ends it.
    pub fn trailer(&self) -> &PakTrailer {
        &self.trailer
    }

    /// What its paths start at, as it is stored.
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

    /// What is known about a file.
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
        self.content(&located, data)
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
        self.content(&located, data)
    }

    /// Whether each index is saved from its model as it was read, and its hash.
    ///
    /// # Errors
    /// What can't be saved.
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
            return Err(ErrorKind::NotFound { what: "file", name, hint }.into());
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

    /// The content of data as it is stored.
    fn content(&self, located: &LocatedEntry, data: Vec<u8>) -> Result<Vec<u8>> {
        let entry = &located.entry;
        let (stored, size) = entry.sizes()?;
        self.options.check_size(size, stored)?;
        let method = self.trailer.method(entry.method)?;
        if !entry.is_encrypted() {
            return unpacked(entry, method, data);
        }
        let mut result = Err(self.options.keys.none_fits(self.trailer.key_guid));
        for key in &self.keys {
            let mut data = data.clone();
            crypt::decrypt(key, located.iv.as_ref(), &mut data)?;
            result = unpacked(entry, method, data);
            // What is only stored does not show whether the key is right.
            if result.is_ok() {
                break;
            }
        }
        result
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
