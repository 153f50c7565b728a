//! Bringing tables up to date.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use super::super::PackageRows;
use super::super::package_rows::{FileRows, modified_of, nanoseconds, rows_of_changed};
use super::fate::Fates;
use super::folder::{Depot, FileToScan};
use super::known_files::{KnownFiles, KnownPlace, Merge};
use super::others::{KnownOthers, NewOthers, NonPackage};
use super::shard::{KnownFile, Shard};
use super::shard_writer::{ShardWriter, write_to};
use crate::container::Containers;
use crate::error::Result;
use crate::package::{CompanionKind, OpenOptions, Package};

/// Files, and bytes of them, of a shard.
const SHARD_FILES: usize = 2048;
const SHARD_BYTES: u64 = 64 << 20;
/// Files that are in memory at once, or more where many threads open them: so many are found, and so many wait to be
/// opened.
const HELD_FILES: usize = 8 * SHARD_FILES;
/// Below these a shard is not divided for the sake of threads.
const FEWEST_FILES: usize = 32;
const FEWEST_BYTES: u64 = 4 << 20;

/// How a scan goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScanStep {
    /// Files that are done.
    pub done: usize,
    /// Files that are to be opened, of those that are found so far.
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
struct ChangedFile {
    file: FileToScan,
    stamp: Option<FileStamp>,
    known: Option<KnownPlace>,
}

impl ChangedFile {
    /// Size, bytes: for dividing the work.
    fn bytes(&self) -> u64 {
        self.stamp.as_ref().and_then(|stamp| stamp.bytes).unwrap_or_default()
    }
}

/// What became of the files of a new shard.
#[derive(Default)]
struct Done {
    files: Vec<KnownFile>,
    /// Those that are no packages.
    others: Vec<NonPackage>,
    /// Known files whose content is the same: where they stand and their time now.
    same: Vec<(KnownPlace, Option<i64>)>,
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

    /// A file that is no package, as it is now; `None` where that does not tell it from any other.
    fn other(&self, file: &FileToScan) -> Option<NonPackage> {
        let (bytes, modified) = self.bytes.zip(self.modified)?;
        // Of names that are no text several may be shown alike.
        file.file.to_str()?;
        Some(NonPackage { path: file.path.clone(), bytes, modified })
    }
}

impl Depot {
    /// Brings the tables up to date with these files, which are all that there are: what is not among them goes. They
    /// come in the order of their paths, as [`FileListing`](super::super::FileListing) finds them, and are not held: nor is what
    /// former scans know, but for the shards around the place that the files are at.
    /// Files of the same size and time are not opened; of others the content decides. Packages are opened with
    /// `options`, and `prepare` gets each one first; `progress` hears how it goes on.
    ///
    /// # Errors
    /// `Io` when the tables can't be written; `Invalid` for files that are not in order. What can't be read among the
    /// files is a row with its error.
    pub fn update<F>(
        &mut self,
        files: F,
        options: &OpenOptions,
        prepare: impl Fn(&mut Package) + Sync,
        progress: &(dyn Fn(ScanStep) + Sync),
    ) -> Result<ScanReport>
    where
        F: IntoIterator<Item = FileToScan>,
        F::IntoIter: Send,
    {
        let most = HELD_FILES.max(rayon::current_num_threads() * 2 * SHARD_FILES);
        let mut files = files.into_iter();
        let mut take = || files.by_ref().take(most).collect::<Vec<_>>();
        let mut merge = Merge::new(KnownFiles::new(&self.shards));
        let mut changed = Vec::new();
        let mut known_others = match self.forgets {
            true => KnownOthers::none(),
            false => KnownOthers::open(&self.folder, &self.manifest, &self.settings),
        };
        let mut new_others = NewOthers::new(&self.folder, &self.manifest, &self.settings)?;
        let mut others = Vec::new();
        let mut report = ScanReport::default();
        let mut listed = take();
        while !listed.is_empty() {
            let stamps: Vec<_> = listed.par_iter().map(|file| FileStamp::of(&file.file)).collect();
            for (file, stamp) in listed.into_iter().zip(stamps) {
                let known = merge.go_to(&self.folder, &self.shards, Some(&file))?;
                let is_same = known.as_ref().is_some_and(|known| {
                    !self.forgets && stamp.as_ref().is_some_and(|stamp| stamp.is_of(&known.file))
                });
                if is_same {
                    report.unchanged += 1;
                    continue;
                }
                let other = stamp.as_ref().and_then(|stamp| stamp.other(&file));
                let other = other.filter(|_| known.is_none() && !file.is_named);
                if other.is_some() && other == known_others.go_to(&file.path) {
                    report.unchanged += 1;
                    others.extend(other);
                    continue;
                }
                let known = known.map(|known| merge.fates.open(&known));
                changed.push(ChangedFile { file, stamp, known });
            }
            listed = match changed.len().max(others.len()) >= most {
                // While these are opened the next ones are found.
                true => {
                    let changed = std::mem::take(&mut changed);
                    let scan = || self.scan(&changed, &report, options, &prepare, progress);
                    let (listed, done) = rayon::join(&mut take, scan);
                    others.extend(self.note(done?, &mut merge.fates, &mut report));
                    new_others.add(std::mem::take(&mut others))?;
                    listed
                }
                false => take(),
            };
            self.end_shards(&mut merge.fates)?;
        }
        merge.go_to(&self.folder, &self.shards, None)?;
        let done = self.scan(&changed, &report, options, &prepare, progress)?;
        others.extend(self.note(done, &mut merge.fates, &mut report));
        new_others.add(others)?;
        self.end_shards(&mut merge.fates)?;
        new_others.finish()?;
        report.removed = merge.removed;
        self.forgets = false;
        report.compacted = self.settle(false)?;
        report.packages = self.shards.all.iter().map(|shard| shard.packages as u64).sum();
        self.write_views()?;
        Ok(report)
    }

    /// Notes what became of files that were opened; those that are no packages.
    fn note(
        &mut self,
        (next, parts): (u64, Vec<ScannedPart>),
        fates: &mut Fates,
        report: &mut ScanReport,
    ) -> Vec<NonPackage> {
        self.shards.next = next;
        let mut others = Vec::new();
        for (number, part) in parts {
            report.opened += part.opened;
            report.failed += part.failed;
            report.bytes += part.bytes;
            report.same_content += part.same.len() as u64;
            report.added += part.files.len() as u64;
            others.extend(part.others);
            part.same.into_iter().for_each(|(place, modified)| fates.keep(place, modified));
            // Behind all others: places of known files stay.
            self.shards.all.extend(number.map(|number| Shard::of(number, &part.files)));
        }
        fates.all_opened();
        others
    }

    /// Takes out of shards that the merge has passed what does not count any more.
    fn end_shards(&mut self, fates: &mut Fates) -> Result<()> {
        let ended = fates.ended();
        for (at, fate) in &ended {
            fate.apply(&mut self.shards.all[*at]);
        }
        ended.into_par_iter().try_for_each(|(at, fate)| {
            let shard = &self.shards.all[at];
            match shard.packages {
                // It goes as a whole.
                0 => Ok(()),
                _ => {
                    let gone = Arc::new(fate.gone.into_keys().collect());
                    self.rewrite_packages(shard, gone, &fate.times)
                }
            }
        })
    }

    /// Opens files and writes their rows, shard by shard on all cores. The number of the next shard, and what
    /// became of each.
    fn scan(
        &self,
        changed: &[ChangedFile],
        before: &ScanReport,
        options: &OpenOptions,
        prepare: &(impl Fn(&mut Package) + Sync),
        progress: &(dyn Fn(ScanStep) + Sync),
    ) -> Result<(u64, Vec<ScannedPart>)> {
        let opened = before.opened as usize;
        let (total, count) = (opened + changed.len(), AtomicU64::new(before.opened));
        let number = AtomicU64::new(self.shards.next);
        let parts = parts(changed);
        let work = |part: &&[ChangedFile]| {
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
            })
            .hashing(self.hashes);
            let mut done = Done::default();
            for ChangedFile { file, stamp, known } in *part {
                let known_id = known.map(|(_, id)| id).filter(|_| !self.forgets);
                match rows_of_changed(&mut rows, file, options, prepare, known_id) {
                    FileRows::NoPackage => {
                        done.others.extend(stamp.as_ref().and_then(|stamp| stamp.other(file)));
                    }
                    FileRows::Same(scanned) => {
                        done.bytes += scanned.bytes;
                        if let Some(place) = known {
                            done.same.push((*place, scanned.modified));
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
fn parts(changed: &[ChangedFile]) -> Vec<&[ChangedFile]> {
    let threads = rayon::current_num_threads().max(1);
    let all: u64 = changed.iter().map(ChangedFile::bytes).sum();
    let most_files = changed.len().div_ceil(threads).clamp(FEWEST_FILES, SHARD_FILES);
    let most_bytes = all.div_ceil(threads as u64).clamp(FEWEST_BYTES, SHARD_BYTES);
    let mut parts = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (at, file) in changed.iter().enumerate() {
        if at > start && (at - start >= most_files || bytes + file.bytes() > most_bytes) {
            parts.push(&changed[start..at]);
            (start, bytes) = (at, 0);
        }
        bytes += file.bytes();
    }
    if start < changed.len() {
        parts.push(&changed[start..]);
    }
    parts
}
