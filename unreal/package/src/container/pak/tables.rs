//! The indexes as they are loaded: with the bytes that they come from.

use std::sync::Arc;

use bytes::Bytes;
use sha1::{Digest, Sha1};

use super::entry::damaged;
use super::{
    DirectoryIndex, FlatDirectoryIndex, IndexPlace, PakDirectory, PakIndex, PakTrailer,
    PathHashIndex, PrimaryIndex,
};
use crate::archive::{Context, Loader, Saver};
use crate::container::crypt::{self, Iv};
use crate::container::read_at::{ReadAt, read_range};
use crate::container::{AesKey, Keys};
use crate::error::{Error, Result, UnrealError, UnrealErrors};
use crate::version::{UnrealVersions, Versions};
use crate::{Archive, Archived, primitive::FString};

/// Longest mount point by which a key is recognised where the hash does not tell.
const LONGEST_MOUNT: i32 = 128;
/// Bytes of paths for each byte of the tables: names stand there once, paths repeat their folders.
const PATHS_PER_BYTE: usize = 64;

/// The result of saving one index from its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableCheck {
    /// Which one.
    pub name: &'static str,
    /// Its size, bytes.
    pub bytes: u64,
    /// Whether it is saved from its model as it was read.
    pub identical: bool,
    /// Whether its hash is right.
    pub hash_is_right: bool,
}

/// An index with the decrypted bytes that it was loaded from.
#[derive(Debug)]
pub(super) struct LoadedTable<T> {
    name: &'static str,
    pub bytes: Bytes,
    pub table: T,
    hash_is_right: bool,
}

/// All indexes of a file.
#[derive(Debug)]
pub(super) enum PakTables {
    /// Below version 10.
    Records(Box<LoadedTable<PakIndex>>),
    /// From version 10.
    Parts {
        primary: Box<LoadedTable<PrimaryIndex>>,
        hashes: Option<Box<LoadedTable<PathHashIndex>>>,
        paths: Option<PathTable>,
    },
}

/// The index by path in either form.
#[derive(Debug)]
pub(super) enum PathTable {
    Directories(Box<LoadedTable<DirectoryIndex>>),
    Flat(Box<LoadedTable<FlatDirectoryIndex>>),
}

/// A file's path from the mount point and the location of its record.
pub(super) type NamedLocation = (String, i32);

impl<T: Archived + Default + Clone> LoadedTable<T> {
    fn new(name: &'static str, bytes: Bytes, hash: &[u8; 20], versions: &Versions) -> Result<Self> {
        let hash_is_right = sha1(&bytes) == *hash;
        let mut table = T::default();
        let mut loader = Loader::new(&bytes, versions.clone());
        table.serialize(&mut loader).map_err(|error| error.in_field(name))?;
        Ok(Self { name, bytes, table, hash_is_right })
    }

    fn check(&self, versions: &Versions) -> Result<TableCheck> {
        let context = Arc::new(Context::of(self.bytes.clone()));
        let mut saver = Saver::new(versions.clone()).with_context(context);
        self.table.clone().serialize(&mut saver)?;
        let (name, hash_is_right) = (self.name, self.hash_is_right);
        let bytes = self.bytes.len() as u64;
        Ok(TableCheck { name, bytes, identical: saver.bytes() == self.bytes, hash_is_right })
    }
}

pub(super) fn sha1(bytes: &[u8]) -> [u8; 20] {
    Sha1::digest(bytes).into()
}

/// The stored bytes of an index.
fn stored(source: &dyn ReadAt, offset: i64, size: i64) -> Result<Vec<u8>> {
    let range = u64::try_from(offset).ok().zip(u64::try_from(size).ok());
    let (offset, size) = range.ok_or_else(|| damaged("an index stands outside the file"))?;
    read_range(source, offset, size)
}

impl PakTables {
    /// The indexes that the trailer leads to, and the key that opens them.
    pub fn load(
        source: &dyn ReadAt,
        trailer: &PakTrailer,
        versions: &Versions,
        keys: &Keys,
    ) -> Result<(Self, Option<AesKey>)> {
        if trailer.frozen != 0 {
            let reason = "a .pak file whose index is an image of memory (4.25)";
            return Err(crate::Error::unsupported(reason));
        }
        let ivs = trailer.is_stream().then_some(&trailer.ivs);
        let iv = |row: usize| ivs.and_then(|ivs| ivs.get(row));
        let index = stored(source, trailer.index_offset, trailer.index_size)?;
        let hash = &trailer.index_hash;
        let (index, key) = match trailer.is_encrypted() {
            false => (index, None),
            true => {
                let opened = open(&index, iv(0), trailer, keys)?;
                let (index, key) = opened.ok_or_else(|| keys.none_fits(trailer.key_guid))?;
                (index, Some(key))
            }
        };
        if versions.file() < super::version::PATH_HASH_INDEX {
            let records = LoadedTable::new("index", index.into(), hash, versions)?;
            return Ok((Self::Records(Box::new(records)), key));
        }
        let primary = LoadedTable::<PrimaryIndex>::new("index", index.into(), hash, versions)?;
        let part = |has: bool, place: &IndexPlace, iv: Option<&Iv>| {
            if !has {
                return Ok(None);
            }
            let mut bytes = stored(source, place.offset, place.size)?;
            if let Some(key) = &key {
                crypt::decrypt(key, iv, &mut bytes)?;
            }
            Ok::<_, crate::Error>(Some(Bytes::from(bytes)))
        };
        let table = &primary.table;
        let place = &table.path_hash_index;
        let hashes = part(table.has_path_hash_index.is_true(), place, iv(1))?;
        let hashes =
            hashes.map(|bytes| LoadedTable::new("path hashes", bytes, &place.hash, versions));
        let place = &table.directory_index;
        let paths = part(table.has_directory_index.is_true(), place, iv(2))?;
        let paths = paths.map(|bytes| PathTable::load(bytes, &place.hash, versions));
        let hashes = hashes.transpose()?.map(Box::new);
        let paths = paths.transpose()?;
        Ok((Self::Parts { primary: Box::new(primary), hashes, paths }, key))
    }

    /// The folder that all paths start at.
    ///
    /// # Errors
    /// `Invalid` where it holds a character 0, which no path has: the engine would read it up to there.
    pub fn mount_point(&self) -> Result<String> {
        let (mount, bytes) = match self {
            Self::Records(index) => (&index.table.mount_point, &index.bytes),
            Self::Parts { primary, .. } => (&primary.table.mount_point, &primary.bytes),
        };
        let mount = mount.text(bytes)?.into_owned();
        match mount.contains('\0') {
            true => {
                Err(Error::invalid(format!("{mount:?} is no mount point: it holds a character 0")))
            }
            false => Ok(mount),
        }
    }

    /// All files: paths from the mount point, and where their records are. A file whose path no index says is
    /// called by the hash of it.
    pub fn files(&self) -> Result<Vec<NamedLocation>> {
        match self {
            Self::Records(index) => {
                let records = index.table.records.iter().enumerate();
                let file = |(row, record): (usize, &super::PakRecord)| {
                    Ok((record.path.text(&index.bytes)?.into_owned(), row as i32))
                };
                records.map(file).collect()
            }
            Self::Parts { paths: Some(paths), .. } => paths.files(),
            Self::Parts { hashes: Some(hashes), .. } => {
                let mut files = named(&hashes.table.pruned, &hashes.bytes)?;
                let known: std::collections::HashSet<i32> =
                    files.iter().map(|(_, location)| *location).collect();
                let unnamed = hashes.table.hashes.iter();
                let unnamed = unnamed.filter(|row| !known.contains(&row.location));
                files.extend(unnamed.map(|row| (format!("{:016X}", row.hash), row.location)));
                Ok(files)
            }
            Self::Parts { .. } => Ok(Vec::new()),
        }
    }

    /// Whether each index is saved as it was read, and has the hash that is said.
    pub fn check(&self, versions: &Versions) -> Result<Vec<TableCheck>> {
        let (primary, hashes, paths) = match self {
            Self::Records(index) => return Ok(vec![index.check(versions)?]),
            Self::Parts { primary, hashes, paths } => (primary, hashes, paths),
        };
        let mut checks = vec![primary.check(versions)?];
        if let Some(hashes) = hashes {
            checks.push(hashes.check(versions)?);
        }
        match paths {
            Some(PathTable::Directories(table)) => checks.push(table.check(versions)?),
            Some(PathTable::Flat(table)) => checks.push(table.check(versions)?),
            None => {}
        }
        Ok(checks)
    }
}

impl PathTable {
    fn load(bytes: Bytes, hash: &[u8; 20], versions: &Versions) -> Result<Self> {
        const NAME: &str = "paths";
        match FlatDirectoryIndex::is_one(&bytes) {
            true => Ok(Self::Flat(Box::new(LoadedTable::new(NAME, bytes, hash, versions)?))),
            false => {
                Ok(Self::Directories(Box::new(LoadedTable::new(NAME, bytes, hash, versions)?)))
            }
        }
    }

    fn files(&self) -> Result<Vec<NamedLocation>> {
        match self {
            Self::Directories(table) => named(&table.table.directories, &table.bytes),
            Self::Flat(table) => table.table.files(&table.bytes, room(&table.bytes)),
        }
    }
}

/// Bytes that all paths of a table together may have.
fn room(bytes: &[u8]) -> usize {
    bytes.len().saturating_mul(PATHS_PER_BYTE)
}

fn named(directories: &[PakDirectory], bytes: &[u8]) -> Result<Vec<NamedLocation>> {
    let count = directories.iter().map(|directory| directory.files.len()).sum();
    let (mut files, mut room) = (Vec::with_capacity(count), room(bytes));
    for directory in directories {
        let folder = text(&directory.path, bytes)?;
        let folder = folder.trim_start_matches('/');
        for file in &directory.files {
            let name = match file.utf8_name.is_empty() {
                true => text(&file.name, bytes)?,
                false => file.utf8_name.text(bytes)?.into_owned(),
            };
            // Some tools end it with a zero all the same.
            let path = format!("{folder}{}", name.trim_end_matches('\0'));
            let left = room.checked_sub(path.len());
            room = left.ok_or_else(|| damaged("the paths are longer than any game's"))?;
            files.push((path, file.location));
        }
    }
    Ok(files)
}

fn text(string: &FString, bytes: &[u8]) -> Result<String> {
    Ok(string.text(bytes)?.into_owned())
}

/// The index, decrypted with the key whose result has the hash, or at least starts as an index does.
fn open(
    index: &[u8],
    iv: Option<&Iv>,
    trailer: &PakTrailer,
    keys: &Keys,
) -> Result<Option<(Vec<u8>, AesKey)>> {
    let mut plausible = None;
    for key in keys.for_guid(trailer.key_guid) {
        let mut bytes = index.to_vec();
        crypt::decrypt(&key, iv, &mut bytes)?;
        if sha1(&bytes) == trailer.index_hash {
            return Ok(Some((bytes, key)));
        }
        if plausible.is_none() && starts_with_text(&bytes) {
            plausible = Some((bytes, key));
        }
    }
    Ok(plausible)
}

fn starts_with_text(bytes: &[u8]) -> bool {
    let Some((length, rest)) = bytes.split_first_chunk::<4>() else { return false };
    let length = i32::from_le_bytes(*length);
    let last = usize::try_from(length).ok().and_then(|length| rest.get(length.checked_sub(1)?));
    (1..=LONGEST_MOUNT).contains(&length) && last == Some(&0)
}

/// A layout as bytes.
pub(super) fn to_bytes<T: Archived>(table: &mut T, versions: &Versions) -> Result<Vec<u8>> {
    let mut saver = Saver::new(versions.clone());
    table.serialize(&mut saver as &mut dyn Archive)?;
    Ok(saver.into_bytes())
}

/// Records of plain entries are counted from -1 downward.
pub(super) fn plain_row(location: i32) -> Result<usize> {
    let row = location.checked_neg().and_then(|row| usize::try_from(row - 1).ok());
    row.ok_or_else(|| {
        UnrealError::DamagedContainer { reason: "a file without a record".into() }.into()
    })
}
