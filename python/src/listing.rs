//! The files that a scan looks at.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use unreal_packages::Result;
use unreal_packages::container::Containers;
use unreal_packages::file::Links;
use unreal_packages::package::CompanionKind;
use unreal_packages::scan::{FileListing, FileToScan};

use crate::arguments::containers;
use crate::error::OrRaise;
use crate::lent::Lent;

/// A file of a scan: where it lies, what its rows call it, what other packages call it, whether it was named, and
/// its size, that of its bodies with it.
/// Then, for what can't be looked into: whether its kind is not supported, and the reason. Last its path below the
/// place.
pub type Listed = (PathBuf, String, Option<String>, bool, u64, Option<(bool, String)>, String);

/// The files that a scan of these places looks at, in order: packages that are named, and all files in folders and
/// containers but those that are read together with a package.
#[pyfunction]
#[pyo3(signature = (places, *, keys=None))]
pub fn list_files(
    py: Python<'_>,
    places: Vec<PathBuf>,
    keys: Option<Vec<String>>,
) -> PyResult<Vec<Listed>> {
    let containers = containers(py, keys, None)?;
    let containers = Arc::new(containers);
    let search = move || {
        let listing = listing_of(&places, &containers)?;
        Ok(listed(listing.collect(), &containers))
    };
    interruptible(py, search)?.or_raise(py)
}

/// The files that a scan of these places looks at, one after the other.
pub fn listing_of(places: &[PathBuf], containers: &Arc<Containers>) -> Result<FileListing> {
    let containers = containers.clone();
    FileListing::new(places, &[], Links::Inside, move |path| containers.container(path))
}

/// Long work without pauses in which it could look for signals: it runs on a thread of its own, which nobody waits for
/// any more once there is one.
pub fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    const PAUSE: Duration = Duration::from_millis(50);
    py.detach(|| {
        let (sender, done) = channel();
        thread::spawn(move || drop(sender.send(work())));
        loop {
            match done.recv_timeout(PAUSE) {
                Ok(found) => return Ok(found),
                Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err("the listing has failed"));
                }
            }
        }
    })
}

/// Files that are listed at once.
const LISTED_AT_ONCE: usize = 8_192;

/// The same, some at a time: memory does not grow with them.
#[pyclass(frozen, module = "farchive._farchive")]
#[derive(Debug)]
pub struct FileWalk {
    listing: Arc<Mutex<FileListing>>,
    containers: Arc<Containers>,
}

#[pymethods]
impl FileWalk {
    #[new]
    #[pyo3(signature = (places, *, keys=None))]
    fn new(py: Python<'_>, places: Vec<PathBuf>, keys: Option<Vec<String>>) -> PyResult<Self> {
        let containers = Arc::new(containers(py, keys, None)?);
        let open = containers.clone();
        let listing = interruptible(py, move || listing_of(&places, &open))?.or_raise(py)?;
        Ok(Self { listing: Arc::new(Mutex::new(listing)), containers })
    }

    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Vec<Listed>>> {
        let (listing, containers) = (self.listing.clone(), self.containers.clone());
        let files = interruptible(py, move || {
            let mut listing = listing.lock().unwrap_or_else(PoisonError::into_inner);
            let files = listing.by_ref().take(LISTED_AT_ONCE).collect();
            // What there is to say stands among the files.
            drop(listing.notes());
            listed(files, &containers)
        })?;
        Ok((!files.is_empty()).then_some(files))
    }
}

/// The files of an object store that a scan looks at, folder by folder.
#[pyclass(frozen, module = "farchive._farchive")]
#[derive(Debug)]
pub struct StoreListing {
    listing: Arc<unreal_packages::scan::StoreListing>,
    keys: Option<Vec<String>>,
}

#[pymethods]
impl StoreListing {
    /// `root` is a folder of this disk that stands for the listed one.
    #[new]
    #[pyo3(signature = (root, *, keys=None))]
    fn new(root: PathBuf, keys: Option<Vec<String>>) -> Self {
        Self { listing: Arc::new(unreal_packages::scan::StoreListing::new(root)), keys }
    }

    /// Those of one folder, and of its containers, which are read as `lent` says.
    fn files(&self, py: Python<'_>, names: Vec<PathBuf>, lent: &Lent) -> PyResult<Vec<Listed>> {
        let containers = containers(py, self.keys.clone(), Some(lent.files.clone()))?;
        let listing = self.listing.clone();
        let list = move || {
            let found = listing.files(names, &|path| containers.container(path));
            listed(found, &containers)
        };
        if lent.files.is_empty() { Ok(py.detach(list)) } else { interruptible(py, list) }
    }
}

fn listed(files: Vec<FileToScan>, containers: &Containers) -> Vec<Listed> {
    let size = |file: &Path| {
        if let Some((container, inside)) = Containers::split(file) {
            let open = containers.container(&container).ok();
            let entry =
                open.and_then(|open| open.find(&inside).and_then(|row| open.file(row)).ok());
            return entry.map_or(0, |entry| entry.size);
        }
        let size = |file: &Path| std::fs::metadata(file).map_or(0, |facts| facts.len());
        size(file) + size(&CompanionKind::Exports.path_beside(file))
    };
    let one = |it: FileToScan| {
        let size = size(&it.file);
        let fault = it.fault.map(|fault| (fault.is_unsupported, fault.reason));
        (it.file, it.path, it.mount_path, it.is_named, size, fault, it.relative_path)
    };
    // On a share each file is asked for over the network: many at a time.
    let part = files.len().div_ceil(ASKED_AT_ONCE).max(FEWEST);
    let mut parts: Vec<Vec<FileToScan>> = Vec::new();
    let mut files = files.into_iter().peekable();
    while files.peek().is_some() {
        parts.push(files.by_ref().take(part).collect());
    }
    thread::scope(|scope| {
        let run = |part: Vec<FileToScan>| scope.spawn(|| part.into_iter().map(one).collect());
        let threads: Vec<thread::ScopedJoinHandle<'_, Vec<Listed>>> =
            parts.into_iter().map(run).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap_or_default()).collect()
    })
}

/// Threads that ask for sizes of files, and files below which one does.
const ASKED_AT_ONCE: usize = 16;
const FEWEST: usize = 512;
