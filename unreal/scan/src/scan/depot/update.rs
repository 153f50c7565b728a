//! Bringing tables up to date.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::super::PackageRows;
use super::super::package_rows::{FileRows, modified_of, nanoseconds, rows_of_changed};
use super::folder::{Depot, FileToScan};
use super::shard::{KnownFile, Shard};
use super::shard_writer::{ShardWriter, write_to};
use super::shards::KnownPlace;
use crate::container::Containers;
use crate::error::Result;
use crate::package::{CompanionKind, OpenOptions, Package};

/// Files, and bytes of them, of a shard.
const SHARD_FILES: usize = 2048;
const SHARD_BYTES: u64 = 64 << 20;
/// Below these a shard is not divided for the sake of threads.
const FEWEST_FILES: usize = 32;
const FEWEST_BYTES: u64 = 4 << 20;

/// How a scan goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScanStep {
    /// Files that are done.
    pub done: usize,
    /// Files in all that are to be opened.
    pub total: usize,
}

/// What a scan did.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct ScanReport {
    /// Packages that the tables have now.
    pub packages: u64,
    /// Files that are as they were and were not opened.
    pub unchanged: u64,
    /// Files that were opened.
    pub opened: u64,
    /// Files of those whose content was the known one.
    pub same_content: u64,
    /// Files of those that are packages with new rows, failures among them.
    pub added: u64,
    /// Packages that are there no more.
    pub removed: u64,
    /// Packages that could not be opened.
    pub failed: u64,
    /// Bytes of the files that were opened.
    pub bytes: u64,
    /// Shards that were written anew to leave former rows out.
    pub compacted: u64,
}

/// A file that must be opened, with what is known about it.
struct ChangedFile<'a> {
    file: &'a FileToScan,
    /// Size, bytes: for dividing the work.
    bytes: u64,
    known: Option<(KnownPlace, i64)>,
}

/// What became of the files of a new shard.
#[derive(Default)]
struct Done {
    files: Vec<KnownFile>,
    /// Known files whose content is the same: their place and their time now.
    same: Vec<(KnownPlace, KnownFile)>,
    opened: u64,
    failed: u64,
    bytes: u64,
}

/// The number of a new shard, if files have got rows in it, and what became of its files.
type ScannedPart = (Option<u64>, Done);

/// Size and time of a file, of header and bodies together as they count for its row.
struct FileStamp {
    /// Not known of a file in a container: that is not opened for it.
    bytes: Option<u64>,
    modified: Option<i64>,
}

impl FileStamp {
    fn of(file: &Path) -> Option<Self> {
        if let Some((container, _)) = Containers::split(file) {
            return Some(Self { bytes: None, modified: modified_of(&container) });
        }
        let metadata = fs::metadata(file).ok()?;
        let mut bytes = metadata.len();
        let mut modified = metadata.modified().ok().and_then(nanoseconds);
        if CompanionKind::may_have_bodies(file)
            && let Ok(bodies) = fs::metadata(CompanionKind::Exports.path_beside(file))
        {
            bytes += bodies.len();
            modified = modified.max(bodies.modified().ok().and_then(nanoseconds));
        }
        Some(Self { bytes: Some(bytes), modified })
    }

    /// Whether a file has not been written since this was known.
    fn is_of(&self, known: &KnownFile) -> bool {
        known.modified.is_some()
            && known.modified == self.modified
            && self.bytes.is_none_or(|bytes| i64::try_from(bytes) == Ok(known.bytes))
    }
}

impl Depot {
    /// Brings the tables up to date with these files, which are all that there are: what is not among them goes.
    /// Files of the same size and time are not opened; of others the content decides. Packages are opened with
    /// `options`, and `prepare` gets each one first; `progress` hears how it goes on.
    ///
    /// # Errors
    /// `Io` when the tables can't be written. What can't be read among the files is a row with its error.
    pub fn update(
        &mut self,
        files: &[FileToScan],
        options: &OpenOptions,
        prepare: impl Fn(&mut Package) + Sync,
        progress: &(dyn Fn(ScanStep) + Sync),
    ) -> Result<ScanReport> {
        let mut report = ScanReport::default();
        let places = self.shards.places();
        let stamped: Vec<_> = files
            .par_iter()
            .map(|file| {
                let stamp = FileStamp::of(&file.file);
                let known = places.get(&*file.path).copied();
                let known = known.map(|place| (place, &self.shards.all[place.0].files[place.1]));
                let is_same = !self.forgets
                    && known.is_some_and(|(_, known)| {
                        stamp.as_ref().is_some_and(|stamp| stamp.is_of(known))
                    });
                let bytes = stamp.and_then(|stamp| stamp.bytes).unwrap_or_default();
                let known = known.map(|(place, known)| (place, known.id));
                (is_same, ChangedFile { file, bytes, known })
            })
            .collect();
        let mut keep: HashSet<KnownPlace> = HashSet::new();
        let mut changed = Vec::new();
        for (is_same, file) in stamped {
            match file.known {
                Some((place, _)) if is_same => drop(keep.insert(place)),
                _ => changed.push(file),
            }
        }
        report.unchanged = keep.len() as u64;
        let known_files = places.len();
        drop(places);
        let (next, done) = self.scan(&changed, options, &prepare, progress)?;
        self.shards.next = next;
        let replaced: usize = changed.iter().filter(|file| file.known.is_some()).count();
        report.removed = (known_files - keep.len()).saturating_sub(replaced) as u64;
        for (number, part) in done {
            report.opened += part.opened;
            report.failed += part.failed;
            report.bytes += part.bytes;
            report.same_content += part.same.len() as u64;
            report.added += part.files.len() as u64;
            for ((shard, row), file) in part.same {
                keep.insert((shard, row));
                self.shards.all[shard].files[row] = file;
                self.touched.insert(self.shards.all[shard].number);
            }
            if let Some(number) = number {
                let files = part.files;
                // Behind all others: places of known files stay.
                let row = self.shards.all.len();
                keep.extend((0..files.len()).map(|at| (row, at)));
                self.shards.all.push(Shard { number, files, stale: Vec::new() });
            }
        }
        self.forgets = false;
        report.compacted = self.settle(&keep, false)?;
        report.packages = self.shards.all.iter().map(|shard| shard.files.len() as u64).sum();
        self.write_views()?;
        Ok(report)
    }

    /// Opens files and writes their rows, shard by shard on all cores. The number of the next shard, and what
    /// became of each.
    fn scan(
        &self,
        changed: &[ChangedFile<'_>],
        options: &OpenOptions,
        prepare: &(impl Fn(&mut Package) + Sync),
        progress: &(dyn Fn(ScanStep) + Sync),
    ) -> Result<(u64, Vec<ScannedPart>)> {
        let (total, count) = (changed.len(), AtomicU64::new(0));
        let number = AtomicU64::new(self.shards.next);
        let parts = parts(changed);
        let work = |part: &&[ChangedFile<'_>]| {
            let step = || {
                let done = count.fetch_add(1, Ordering::Relaxed) as usize + 1;
                progress(ScanStep { done, total });
            };
            let number = number.fetch_add(1, Ordering::Relaxed);
            let writer = ShardWriter::new(
                &self.folder,
                &self.manifest,
                self.tables,
                &self.settings,
                number,
            )?;
            let writer = Arc::new(Mutex::new(writer));
            let sink = writer.clone();
            let mut rows = PackageRows::handing_on(self.tables, move |table, batch| {
                write_to(&sink, table, &batch);
            });
            let mut done = Done::default();
            for ChangedFile { file, known, .. } in *part {
                let known_id = known.map(|(_, id)| id).filter(|_| !self.forgets);
                match rows_of_changed(&mut rows, file, options, prepare, known_id) {
                    FileRows::NoPackage => {}
                    FileRows::Same(scanned) => {
                        done.bytes += scanned.bytes;
                        if let Some((place, id)) = known {
                            done.same.push((*place, scanned.known(*id)));
                        }
                    }
                    FileRows::Added { file, is_open } => {
                        done.bytes += file.bytes;
                        done.failed += u64::from(!is_open);
                        done.files.push(file.known(file.id()));
                    }
                }
                done.opened += 1;
                step();
            }
            for (table, batch) in rows.finish() {
                write_to(&writer, table, &batch);
            }
            drop(rows);
            // The rows held the other handle.
            let Some(writer) = Arc::into_inner(writer) else { return Ok((None, done)) };
            let writer = writer.into_inner().unwrap_or_else(PoisonError::into_inner);
            if done.files.is_empty() {
                writer.discard();
                return Ok((None, done));
            }
            writer.finish()?;
            Ok((Some(number), done))
        };
        let done = parts.par_iter().with_max_len(1).map(work).collect::<Result<Vec<_>>>()?;
        Ok((number.into_inner(), done))
    }
}

/// The files of each new shard: large enough to be read well, and enough of them for all threads.
fn parts<'a, 'f>(changed: &'a [ChangedFile<'f>]) -> Vec<&'a [ChangedFile<'f>]> {
    let threads = rayon::current_num_threads().max(1);
    let all: u64 = changed.iter().map(|file| file.bytes).sum();
    let most_files = changed.len().div_ceil(threads).clamp(FEWEST_FILES, SHARD_FILES);
    let most_bytes = all.div_ceil(threads as u64).clamp(FEWEST_BYTES, SHARD_BYTES);
    let mut parts = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (at, file) in changed.iter().enumerate() {
        if at > start && (at - start >= most_files || bytes + file.bytes > most_bytes) {
            parts.push(&changed[start..at]);
            (start, bytes) = (at, 0);
        }
        bytes += file.bytes;
    }
    if start < changed.len() {
        parts.push(&changed[start..]);
    }
    parts
}
