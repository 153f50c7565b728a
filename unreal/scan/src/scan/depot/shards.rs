//! The shards that are there, and which of their rows count.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use arrow_array::cast::AsArray;
use rayon::prelude::*;

use super::super::{TableKind, TableSet};
use super::manifest::Manifest;
use super::reader::{TableFile, integers, is_whole};
use super::shard::{DRAFT, KnownFile, Shard, file_of, number_of, remove};
use crate::error::{Error, ErrorKind, Result};

/// Notes in the file of a shard's packages.
pub(super) const SETTINGS: &str = "farchive.settings";
pub(super) const STALE: &str = "farchive.stale";

/// The largest number of a next shard: as many again are left for those that one scan writes.
const MOST: u64 = u64::MAX / 2;

/// All shards, the oldest first.
#[derive(Debug, Default)]
pub(super) struct Shards {
    pub all: Vec<Shard>,
    /// The number of the next one.
    pub next: u64,
}

impl Shards {
    /// What is there; what a killed scan has left half done is removed, and so are shards that can't be used.
    ///
    /// # Errors
    /// `Invalid` with the files that no scan has written and that would have to go; `Io`.
    pub fn load(
        folder: &Path,
        manifest: &Manifest,
        tables: TableSet,
        settings: &str,
    ) -> Result<Self> {
        manifest.check()?;
        let mut numbers = Vec::new();
        let mut others = Vec::new();
        let mut next = 1;
        for table in TableKind::ALL {
            let place = folder.join(table.name());
            let entries = match fs::read_dir(&place) {
                Ok(entries) => entries,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) => return Err(Error::io(&place, error)),
            };
            for path in entries.flatten().map(|entry| entry.path()) {
                let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                if name.starts_with(DRAFT) {
                    manifest.remove(&path)?;
                }
                let Some(number) = number_of(&path) else { continue };
                next = next.max(number.saturating_add(1));
                match table {
                    TableKind::Packages => numbers.push(number),
                    _ => others.push(number),
                }
            }
        }
        if next > MOST {
            let shown = folder.display();
            let reason = format!(
                "'{shown}' has no numbers left for files: name another folder for the tables"
            );
            return Err(ErrorKind::Invalid { reason }.into());
        }
        numbers.sort_unstable();
        let loaded: Vec<_> = numbers
            .par_iter()
            .map(|&number| (number, load(folder, tables, settings, number)))
            .collect();
        let mut shards = Self { all: Vec::new(), next };
        let mut is_there = HashSet::new();
        for (number, shard) in loaded {
            match shard {
                Some(shard) => {
                    is_there.insert(number);
                    shards.all.push(shard);
                }
                None => remove(folder, manifest, number)?,
            }
        }
        others.sort_unstable();
        others.dedup();
        others.retain(|number| !is_there.contains(number));
        others.into_iter().try_for_each(|number| remove(folder, manifest, number))?;
        Ok(shards)
    }
}

/// One shard; `None` where it can't be used.
fn load(folder: &Path, tables: TableSet, settings: &str, number: u64) -> Option<Shard> {
    let path = file_of(folder, TableKind::Packages, number);
    let file = TableFile::open(&path).ok()?;
    if file.note(SETTINGS) != Some(settings)
        || !tables.iter().all(|table| is_whole(&file_of(folder, table, number)))
    {
        return None;
    }
    let stale = file.note(STALE).unwrap_or_default().split_whitespace();
    let stale = stale.map(|id| id.parse().ok()).collect::<Option<Vec<i64>>>()?;
    let mut shard = Shard::of(number, &[]);
    each_known(file, &path, |file| shard.add(&file.path, file.bytes)).ok()?;
    shard.stale = stale;
    Some(shard)
}

/// The packages of a shard.
///
/// # Errors
/// `Io`.
pub(super) fn known_files(path: &Path) -> Result<Vec<KnownFile>> {
    let mut files = Vec::new();
    each_known(TableFile::open(path)?, path, |file| files.push(file))?;
    Ok(files)
}

fn each_known(file: TableFile, path: &Path, mut each: impl FnMut(KnownFile)) -> Result<()> {
    let damaged = || Error::io(path, std::io::Error::other("it is no file of packages"));
    let columns = file.columns(&["package_id", "path", "bytes", "modified"]);
    for batch in columns.read(path)? {
        let batch = batch?;
        let paths = batch.column_by_name("path").and_then(|it| it.as_string_opt::<i32>());
        let [id, bytes, modified] =
            ["package_id", "bytes", "modified"].map(|name| integers(&batch, name));
        let (paths, id) = paths.zip(id).ok_or_else(damaged)?;
        let (bytes, modified) = bytes.zip(modified).ok_or_else(damaged)?;
        for row in 0..batch.num_rows() {
            let (id, bytes) = id(row).zip(bytes(row)).ok_or_else(damaged)?;
            let path = paths.value(row).into();
            each(KnownFile { id, path, bytes, modified: modified(row) });
        }
    }
    Ok(())
}
