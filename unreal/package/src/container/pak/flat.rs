//! Files by path from version 13: one table, sorted.

use super::index::rest;
use super::path_hash::path_hash;
use crate::Described;
use crate::archive::layout::Layout;
use crate::archive::{Archive, ArchiveExt, Archived, Kind, Span, in_field, private};
use crate::error::{ErrorKind, Result, UnrealError};
use crate::primitive::array;

/// Its magic: `QDFP`.
const MAGIC: [u8; 4] = *b"QDFP";
/// Every 16th folder is stored whole.
const RESTART: i32 = 16;
/// Longest path of a folder: what is put together of prefixes grows no further.
const LONGEST: usize = 0x8000;

/// Files by path, from version 13: folders and the files in each are sorted.
///
/// Counts and sizes stand before the tables: `NumDirs`, `NumFiles`, `RestartInterval`, `DirBlobBytes`,
/// `FileBlobBytes`, `NumPathHashes`, 0. Spec: ue4-5/10 §6b.
#[derive(Described, Debug, Clone, Default, PartialEq, Eq)]
pub struct FlatDirectoryIndex {
    /// Every so many folders one is stored whole.
    pub restart_interval: i32,
    /// A number that is 0.
    pub pad: i32,
    /// Hashes of all paths, ascending.
    pub path_hashes: Vec<u64>,
    /// Where the records of their files are.
    pub hash_locations: Vec<i32>,
    /// Where in `directories` each folder starts that is stored whole; their end at last.
    pub anchors: Vec<i32>,
    /// The first file of each folder; the number of files at last.
    pub first_files: Vec<i32>,
    /// Where in `names` the name of each file starts; their end at last.
    pub name_offsets: Vec<i32>,
    /// Where the record of each file is.
    pub locations: Vec<i32>,
    /// The folders: length that is shared with the one before, length of the rest, its UTF-8.
    pub directories: Span,
    /// The names of files in UTF-8.
    pub names: Span,
    /// Padding of the last block of the cipher.
    pub padding: Span,
}

impl FlatDirectoryIndex {
    /// Whether these bytes are of this form.
    pub(super) fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    /// The table of these files by folder, the path of a folder ending in `/`; the mount point's is `/`.
    ///
    /// # Errors
    /// `OutOfRange` for more than fits.
    pub(super) fn new<'a>(
        folders: impl Iterator<Item = (&'a str, &'a [(String, i32)])>,
        seed: u64,
    ) -> Result<Self> {
        let number = |length: usize| {
            let value = length as i128;
            i32::try_from(length).map_err(|_| ErrorKind::OutOfRange { value, bits: 31 })
        };
        let (mut blob, mut names, mut hashes) = (Vec::new(), Vec::new(), Vec::new());
        let mut flat = Self { restart_interval: RESTART, ..Self::default() };
        let mut before: &str = "";
        for (row, (folder, files)) in folders.enumerate() {
            let whole = row % RESTART as usize == 0;
            let shared = match whole {
                true => 0,
                false => before.bytes().zip(folder.bytes()).take_while(|(a, b)| a == b).count(),
            };
            if whole {
                flat.anchors.push(number(blob.len())?);
            }
            let suffix = folder.as_bytes().get(shared..).unwrap_or_default();
            blob.extend(number(shared)?.to_le_bytes());
            blob.extend(number(suffix.len())?.to_le_bytes());
            blob.extend_from_slice(suffix);
            flat.first_files.push(number(flat.locations.len())?);
            for (name, location) in files {
                flat.name_offsets.push(number(names.len())?);
                names.extend_from_slice(name.as_bytes());
                flat.locations.push(*location);
                let path = format!("{}{name}", folder.trim_start_matches('/'));
                hashes.push((path_hash(&path, seed), *location));
            }
            before = folder;
        }
        hashes.sort_unstable();
        (flat.path_hashes, flat.hash_locations) = hashes.into_iter().unzip();
        flat.anchors.push(number(blob.len())?);
        flat.first_files.push(number(flat.locations.len())?);
        flat.name_offsets.push(number(names.len())?);
        flat.directories = Span::owned(blob);
        flat.names = Span::owned(names);
        Ok(flat)
    }

    /// All files with their path from the mount point and the location of their record; `source` is what the
    /// table was loaded from, `room` how many bytes the paths may have together.
    ///
    /// # Errors
    /// `DamagedContainer` for places that do not fit together.
    pub(super) fn files(&self, source: &[u8], mut room: usize) -> Result<Vec<(String, i32)>> {
        let damaged = || {
            let reason = "the index by path does not fit together".to_owned();
            crate::Error::from(UnrealError::DamagedContainer { reason })
        };
        let range = |bounds: &[i32], row: usize| {
            let (start, end) = (*bounds.get(row)?, *bounds.get(row + 1)?);
            Some(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
        };
        let names = self.names.bytes(source)?;
        let mut blob = self.directories.bytes(source)?;
        let mut files = Vec::with_capacity(self.locations.len());
        let mut folder = Vec::new();
        for row in 0..self.first_files.len().saturating_sub(1) {
            let shared = length(&mut blob).ok_or_else(damaged)?;
            let suffix = length(&mut blob).and_then(|length| take(&mut blob, length));
            let suffix = suffix.ok_or_else(damaged)?;
            if shared > folder.len() || shared + suffix.len() > LONGEST {
                return Err(damaged());
            }
            folder.truncate(shared);
            folder.extend_from_slice(suffix);
            let path = String::from_utf8_lossy(&folder);
            let path = path.trim_start_matches('/');
            let rows = range(&self.first_files, row).filter(|rows| rows.start == files.len());
            for row in rows.ok_or_else(damaged)? {
                let name = range(&self.name_offsets, row).and_then(|range| names.get(range));
                let location = self.locations.get(row).copied();
                let (name, location) = name.zip(location).ok_or_else(damaged)?;
                let path = format!("{path}{}", String::from_utf8_lossy(name));
                room = room.checked_sub(path.len()).ok_or_else(damaged)?;
                files.push((path, location));
            }
        }
        Ok(files)
    }

    fn counts<A: Archive + ?Sized>(&self, ar: &A) -> Result<[i32; 7]> {
        let number = |length: usize| {
            let kind = ErrorKind::OutOfRange { value: length as i128, bits: 31 };
            i32::try_from(length).map_err(|_| ar.error(kind))
        };
        let bytes = |span: &Span| number(usize::try_from(span.len()).unwrap_or(usize::MAX));
        Ok([
            number(self.first_files.len().saturating_sub(1))?,
            number(self.locations.len())?,
            self.restart_interval,
            bytes(&self.directories)?,
            bytes(&self.names)?,
            number(self.path_hashes.len())?,
            self.pad,
        ])
    }
}

/// The next bytes.
fn take<'a>(bytes: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    let (head, rest) = bytes.split_at_checked(length)?;
    *bytes = rest;
    Some(head)
}

/// The next number, a length that paths have.
fn length(bytes: &mut &[u8]) -> Option<usize> {
    let number = i32::from_le_bytes(take(bytes, 4)?.first_chunk().copied()?);
    usize::try_from(number).ok().filter(|length| *length <= LONGEST)
}

impl Archived for FlatDirectoryIndex {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        private::magic(&MAGIC, ar)?;
        let mut counts = self.counts(ar)?;
        in_field("counts", ar, |ar| counts.serialize(ar))?;
        let [directories, files, restart, directory_bytes, name_bytes, hashes, pad] = counts;
        (self.restart_interval, self.pad) = (restart, pad);
        let below = [directories, files, directory_bytes, name_bytes, hashes];
        if restart < 1 || below.iter().any(|count| *count < 0) {
            let reason = "the index by path has counts below zero".to_owned();
            return Err(ar.error(UnrealError::DamagedContainer { reason }));
        }
        let plus = |count: i32| i64::from(count) + 1;
        let anchors = i64::from(directories.unsigned_abs().div_ceil(restart.unsigned_abs())) + 1;
        macro_rules! rows {
            ($field:ident, $count:expr) => {
                in_field(stringify!($field), ar, |ar| {
                    array::counted_elsewhere(&mut self.$field, $count, ar)
                })?
            };
        }
        rows!(path_hashes, hashes);
        rows!(hash_locations, hashes);
        rows!(anchors, anchors);
        rows!(first_files, plus(directories));
        rows!(name_offsets, plus(files));
        rows!(locations, files);
        let size = |bytes: i32| u64::from(bytes.unsigned_abs());
        in_field("directories", ar, |ar| {
            ar.serialize_span(&mut self.directories, size(directory_bytes), Kind::Text)
        })?;
        in_field("names", ar, |ar| {
            ar.serialize_span(&mut self.names, size(name_bytes), Kind::Text)
        })?;
        in_field("padding", ar, |ar| rest(&mut self.padding, ar))
    }
}
