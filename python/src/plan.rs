//! What a scan is to do.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use pyo3::prelude::*;
use unreal_packages::Error;
use unreal_packages::container::Containers;
use unreal_packages::scan::{FileHashes, FileToScan};

use crate::arguments::Opening;
use crate::error::OrRaise;
use crate::listing::{interruptible, listing_of};

/// What is scanned, and how.
#[derive(Debug)]
pub struct Plan {
    /// The files.
    pub files: PlanFiles,
    /// How they are opened.
    pub opening: Opening,
    /// The hashes of files that it makes: they cost more than the rest, and are made where their columns are named.
    pub hashes: FileHashes,
    /// Threads.
    pub jobs: usize,
    /// Called with the files that are done and all.
    pub progress: Option<Py<PyAny>>,
}

/// The files of a scan, in order: what is known of some, and places whose files are found while they are opened.
#[derive(Debug)]
pub struct PlanFiles {
    /// Known files.
    pub known: Vec<FileToScan>,
    /// Files, folders and containers.
    pub places: Vec<PathBuf>,
    /// The containers that are open.
    pub containers: Arc<Containers>,
}

/// Threads of a scan: each holds batches.
const MOST_JOBS: usize = 1024;

/// The files that threads take.
type Waiting = Mutex<Box<dyn Iterator<Item = FileToScan> + Send>>;

impl PlanFiles {
    /// Looks whether the places are there.
    pub fn check(&self, py: Python<'_>) -> PyResult<()> {
        let (places, containers) = (self.places.clone(), self.containers.clone());
        interruptible(py, move || listing_of(&places, &containers).map(drop))?.or_raise(py)
    }

    /// The most threads that find something to do.
    pub fn most_jobs(&self) -> usize {
        if self.places.is_empty() { self.known.len().clamp(1, MOST_JOBS) } else { MOST_JOBS }
    }
}

/// The files of a plan, taken by its threads.
pub struct Queue {
    files: Waiting,
    /// Files in all, as far as they are counted: each may be found twice, once to be counted.
    pub all: Arc<AtomicU64>,
    /// Why the places can't be listed any more.
    failed: Arc<Mutex<Option<Error>>>,
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue").field("all", &self.all).finish_non_exhaustive()
    }
}

impl Queue {
    /// Of a plan; files are counted for its `progress`, until `stop`.
    pub fn new(plan: &Arc<Plan>, stop: &Arc<AtomicBool>) -> Self {
        let all = Arc::new(AtomicU64::new(plan.files.known.len() as u64));
        let failed = Arc::new(Mutex::new(None));
        let listing = |plan: &Plan| {
            let PlanFiles { places, containers, .. } = &plan.files;
            (!places.is_empty()).then(|| listing_of(places, containers)).transpose()
        };
        if plan.progress.is_some() && !plan.files.places.is_empty() {
            let (plan, all, stop) = (plan.clone(), all.clone(), stop.clone());
            thread::spawn(move || {
                for _ in listing(&plan).ok().flatten().into_iter().flatten() {
                    all.fetch_add(1, Ordering::Relaxed);
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                }
            });
        }
        let (known, found) = (plan.clone(), plan.clone());
        let known = (0..plan.files.known.len()).map(move |at| known.files.known[at].clone());
        let note = failed.clone();
        // On the thread that asks first: places may be slow. They were there when the scan was asked for.
        let found = std::iter::once_with(move || match listing(&found) {
            Ok(listing) => listing,
            Err(error) => {
                *note.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                None
            }
        });
        let found = found.flatten().flatten();
        Self { files: Mutex::new(Box::new(known.chain(found))), all, failed }
    }

    /// Why the places can't be listed any more, once.
    pub fn failure(&self) -> Option<Error> {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The next few files.
    pub fn take(&self, most: usize) -> Vec<FileToScan> {
        let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
        files.by_ref().take(most).collect()
    }
}
