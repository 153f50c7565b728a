//! What former scans know of files, in the order of their paths: a merge of the shards, of which those are in memory
//! that hold files before and behind the place that the merge is at.

use std::cmp::Ordering;
use std::path::Path;

use super::super::TableKind;
use super::fate::Fates;
use super::folder::FileToScan;
use super::shard::{KnownFile, file_of};
use super::shards::{Shards, known_files};
use crate::error::{ErrorKind, Result};

/// Where a known file stands: its shard, and its key there.
pub(super) type KnownPlace = (usize, i64);

/// A file that is known.
#[derive(Debug, Clone)]
pub(super) struct KnownRow {
    pub place: KnownPlace,
    pub file: KnownFile,
}

/// The files of the shards, from the first path to the last.
pub(super) struct KnownFiles {
    /// Shards that come later, the nearest last.
    waiting: Vec<usize>,
    open: Vec<OpenShard>,
}

/// A shard in memory: its files by path, the last one first.
struct OpenShard {
    at: usize,
    files: Vec<KnownFile>,
}

impl OpenShard {
    fn next(&self) -> Option<&Path> {
        self.files.last().map(|file| Path::new(&*file.path))
    }
}

/// What a step of the merge has met.
#[derive(Debug, Default)]
pub(super) struct KnownStep {
    /// The file that was asked for.
    pub found: Option<KnownRow>,
    /// Files before it, which nobody has asked for.
    pub gone: Vec<KnownRow>,
    /// Rows of files of which a newer shard has one.
    pub older: Vec<KnownRow>,
    /// Shards that have no files behind it.
    pub ended: Vec<usize>,
}

impl KnownFiles {
    pub fn new(shards: &Shards) -> Self {
        let first = |at: &usize| shards.all[*at].range.as_ref().map(|range| Path::new(&*range.0));
        let mut waiting: Vec<_> = (0..shards.all.len()).filter(|at| first(at).is_some()).collect();
        waiting.sort_by(|a, b| first(b).cmp(&first(a)));
        Self { waiting, open: Vec::new() }
    }

    /// Goes on to this path, or to the end.
    ///
    /// # Errors
    /// `Io`.
    pub fn go_to(
        &mut self,
        folder: &Path,
        shards: &Shards,
        path: Option<&Path>,
    ) -> Result<KnownStep> {
        let mut step = KnownStep::default();
        let is_behind = |next: &Path| path.is_some_and(|path| next > path);
        loop {
            while let Some(&at) = self.waiting.last() {
                let shard = &shards.all[at];
                let first = shard.range.as_ref().map(|range| Path::new(&*range.0));
                if first.is_some_and(is_behind) {
                    break;
                }
                self.waiting.pop();
                let mut files = known_files(&file_of(folder, TableKind::Packages, shard.number))?;
                files.sort_by(|a, b| Path::new(&*b.path).cmp(Path::new(&*a.path)));
                self.open.push(OpenShard { at, files });
            }
            let nearest = self.open.iter().filter_map(OpenShard::next).min();
            let Some(nearest) = nearest.filter(|next| !is_behind(next)).map(Path::to_owned) else {
                break;
            };
            let mut newest: Option<KnownRow> = None;
            for shard in &mut self.open {
                while let Some(file) =
                    shard.files.pop_if(|file| *Path::new(&*file.path) == *nearest)
                {
                    let known = KnownRow { place: (shard.at, file.id), file };
                    match &newest {
                        Some(other) if other.place == known.place => {}
                        Some(other) if other.place.0 > known.place.0 => step.older.push(known),
                        _ => step.older.extend(newest.replace(known)),
                    }
                }
            }
            self.open.retain(|shard| {
                let is_left = !shard.files.is_empty();
                if !is_left {
                    step.ended.push(shard.at);
                }
                is_left
            });
            match path == Some(&*nearest) {
                true => step.found = newest,
                false => step.gone.extend(newest),
            }
        }
        Ok(step)
    }
}

/// The merge of the files that there are with those that are known.
pub(super) struct Merge {
    known: KnownFiles,
    /// The last path, and what is known of it.
    last: Option<(String, Option<KnownRow>)>,
    /// What becomes of known files.
    pub fates: Fates,
    /// Files that nobody has asked for.
    pub removed: u64,
}

impl Merge {
    pub fn new(known: KnownFiles) -> Self {
        Self { known, last: None, fates: Fates::default(), removed: 0 }
    }

    /// What is known of a file. Without one, all that is left is gone.
    ///
    /// # Errors
    /// `Io`; `Invalid` where the file comes before the last one.
    pub fn go_to(
        &mut self,
        folder: &Path,
        shards: &Shards,
        file: Option<&FileToScan>,
    ) -> Result<Option<KnownRow>> {
        if let (Some((last, known)), Some(file)) = (&self.last, file) {
            match Path::new(&file.path).cmp(Path::new(last)) {
                Ordering::Greater => {}
                // Names that are no text may be shown as one.
                Ordering::Equal => return Ok(known.clone()),
                Ordering::Less => {
                    let reason =
                        format!("'{}' comes after '{last}': files are in order", file.path);
                    return Err(ErrorKind::Invalid { reason }.into());
                }
            }
        }
        let step = self.known.go_to(folder, shards, file.map(|file| Path::new(&file.path)))?;
        self.removed += step.gone.len() as u64;
        step.gone.iter().chain(&step.older).for_each(|known| self.fates.drop(known));
        step.ended.into_iter().for_each(|at| self.fates.end(at));
        self.last = file.map(|file| (file.path.clone(), step.found.clone()));
        Ok(step.found)
    }
}
