//! One shard: the rows of packages that were read together, a file in each table's folder.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::{TableKind, TableSet};
use super::manifest::Manifest;
use crate::error::{Error, Result};

/// What files end in.
pub(super) const EXTENSION: &str = "parquet";
/// What the names of files begin with that are not whole yet.
pub(super) const DRAFT: &str = ".draft-";

/// A package that a shard has rows of.
#[derive(Debug, Clone)]
pub(in crate::scan) struct KnownFile {
    pub id: i64,
    pub path: Box<str>,
    pub bytes: i64,
    pub modified: Option<i64>,
}

/// A shard that is whole. Its files are read when they are asked for.
#[derive(Debug)]
pub(super) struct Shard {
    pub number: u64,
    pub packages: usize,
    /// Of the packages.
    pub bytes: i64,
    /// The first path and the last; `None` where there are no packages. Some of those in between may be gone.
    pub range: Option<(Box<str>, Box<str>)>,
    /// Packages of which only the other tables still have rows.
    pub stale: Vec<i64>,
}

impl Shard {
    pub fn of(number: u64, files: &[KnownFile]) -> Self {
        let mut shard = Self { number, packages: 0, bytes: 0, range: None, stale: Vec::new() };
        files.iter().for_each(|file| shard.add(&file.path, file.bytes));
        shard
    }

    pub fn add(&mut self, path: &str, bytes: i64) {
        self.packages += 1;
        self.bytes = self.bytes.saturating_add(bytes);
        let Some((first, last)) = &mut self.range else {
            self.range = Some((path.into(), path.into()));
            return;
        };
        if Path::new(path) < Path::new(&**first) {
            *first = path.into();
        } else if Path::new(path) > Path::new(&**last) {
            *last = path.into();
        }
    }
}

/// The file of a shard in a table's folder.
pub(super) fn file_of(folder: &Path, table: TableKind, number: u64) -> PathBuf {
    folder.join(table.name()).join(format!("{}.{EXTENSION}", shown(number)))
}

/// The same under the name that it has until it is whole; `drafts` is the number that the manifest lists.
pub(super) fn draft_of(folder: &Path, drafts: &str, table: TableKind, number: u64) -> PathBuf {
    folder.join(table.name()).join(format!("{DRAFT}{drafts}-{}.{EXTENSION}", shown(number)))
}

/// The number in the name of a shard's file, if it is one that [`file_of`] gives.
pub(super) fn number_of(path: &Path) -> Option<u64> {
    let stem = path.file_name()?.to_str()?.strip_suffix(EXTENSION)?.strip_suffix('.')?;
    number_in(stem)
}

/// The number of drafts in the name of a file that is not whole yet, if it is one that [`draft_of`] gives.
pub(super) fn drafts_of(path: &Path) -> Option<&str> {
    let stem = path.file_name()?.to_str()?.strip_suffix(EXTENSION)?.strip_suffix('.')?;
    let (drafts, number) = stem.strip_prefix(DRAFT)?.split_once('-')?;
    number_in(number).map(|_| drafts)
}

/// The number that stands so in names. The last one there is no scan has reached, and no other would follow it.
fn number_in(text: &str) -> Option<u64> {
    let number = text.parse().ok().filter(|number| *number < u64::MAX)?;
    (shown(number) == text).then_some(number)
}

fn shown(number: u64) -> String {
    format!("{number:08}")
}

/// Takes a shard away, that of the packages first: nothing counts without it.
///
/// # Errors
/// `Invalid` for a file that no scan has written; `Io`.
pub(super) fn remove(folder: &Path, manifest: &Manifest, number: u64) -> Result<()> {
    let paths = TableKind::ALL.map(|table| file_of(folder, table, number));
    // All or none: half a shard would be taken for a killed scan's.
    paths.iter().try_for_each(|path| manifest.check_own(path))?;
    for path in &paths {
        match fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(Error::io(path, error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Gives the drafts of a shard their true names, that of the packages last.
pub(super) fn commit(folder: &Path, drafts: &str, tables: TableSet, number: u64) -> Result<()> {
    let mut order: Vec<_> = tables.iter().collect();
    order.reverse();
    for table in order {
        rename(&draft_of(folder, drafts, table, number), &file_of(folder, table, number))?;
    }
    Ok(())
}

pub(super) fn rename(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|error| Error::io(to, error))
}
