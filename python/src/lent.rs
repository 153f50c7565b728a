//! Containers of an object store: their tables of contents and what is wanted of them are read by ranges.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use unreal_packages::container::iostore::IoStore;
use unreal_packages::container::pak::Pak;
use unreal_packages::container::{ContainerOptions, GameContainer, OpenContainer, ReadAt};
use unreal_packages::error::ErrorKind;
use unreal_packages::{Error, Result};

/// Bytes that a table of contents may have: it is read whole.
const LARGEST_TABLE: u64 = 1 << 30;
/// Files of blocks that one container may have.
const MOST_PARTITIONS: u32 = 4096;

/// Files of an object store below one folder that stands for it on this disk.
#[pyclass(frozen, module = "farchive._farchive")]
#[derive(Debug)]
pub struct Lent {
    /// The library's view of them.
    pub files: Arc<LentFiles>,
}

/// The files, and the function that reads them.
#[derive(Debug)]
pub struct LentFiles {
    root: PathBuf,
    sizes: Mutex<HashMap<String, u64>>,
    read: AssertUnwindSafe<Py<PyAny>>,
}

#[pymethods]
impl Lent {
    /// `read` is called with a name below the root, a start and a size.
    #[new]
    fn new(root: PathBuf, sizes: HashMap<String, u64>, read: Py<PyAny>) -> Self {
        let (sizes, read) = (Mutex::new(sizes), AssertUnwindSafe(read));
        Self { files: Arc::new(LentFiles { root, sizes, read }) }
    }

    /// One more.
    fn add(&self, name: String, size: u64) {
        self.files.sizes().insert(name, size);
    }
}

impl LentFiles {
    fn sizes(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.sizes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sizes().is_empty()
    }
}

/// One of the files.
#[derive(Debug)]
struct LentFile {
    files: Arc<LentFiles>,
    name: String,
    /// `None` for one that is not there.
    size: Option<u64>,
}

impl LentFile {
    fn path(&self) -> PathBuf {
        self.files.root.join(&self.name)
    }
}

impl ReadAt for LentFile {
    fn length(&self) -> u64 {
        // What is missing is asked for all the same, so that the error says so.
        self.size.unwrap_or(u64::MAX)
    }

    fn read_at(&self, at: u64, bytes: &mut [u8]) -> Result<()> {
        let end = at.checked_add(bytes.len() as u64);
        let Some(length) = self.size else {
            return Err(Error::io(&self.path(), std::io::ErrorKind::NotFound.into()));
        };
        if end.is_none_or(|end| end > length) {
            let end = end.unwrap_or(u64::MAX);
            return Err(ErrorKind::OutsideSource { start: at, end, length }.into());
        }
        let call = |py: Python<'_>| -> PyResult<bool> {
            let found = self.files.read.call1(py, (&self.name, at, bytes.len()))?;
            let found = found.bind(py).cast::<PyBytes>()?.as_bytes();
            let is_whole = found.len() == bytes.len();
            if is_whole {
                bytes.copy_from_slice(found);
            }
            Ok(is_whole)
        };
        let failed = |reason: String| Error::io(&self.path(), std::io::Error::other(reason));
        match Python::attach(call) {
            Ok(true) => Ok(()),
            Ok(false) => Err(failed("fewer bytes came than were asked for".to_owned())),
            Err(error) => Err(failed(error.to_string())),
        }
    }
}

/// What the opener of containers is.
#[derive(Debug)]
pub struct LentContainers(pub Arc<LentFiles>);

impl LentContainers {
    fn name(&self, path: &Path) -> Option<String> {
        let inside = path.strip_prefix(&self.0.root).ok()?;
        let parts: Option<Vec<_>> = inside.iter().map(|part| part.to_str()).collect();
        Some(parts?.join("/"))
    }

    fn file(&self, path: &Path) -> Option<LentFile> {
        let name = self.name(path)?;
        let size = self.0.sizes().get(&name).copied();
        Some(LentFile { files: self.0.clone(), name, size })
    }

    fn store(&self, path: &Path, toc: &LentFile, options: &ContainerOptions) -> Result<IoStore> {
        let size = toc.length();
        if size > LARGEST_TABLE {
            let reason = format!("the table of contents has {size} bytes");
            return Err(unreal_packages::error::UnrealError::DamagedContainer { reason }.into());
        }
        let mut bytes = vec![0; size as usize];
        toc.read_at(0, &mut bytes)?;
        let mut partitions: Vec<Arc<dyn ReadAt>> = Vec::new();
        for row in 0..MOST_PARTITIONS {
            let Some(file) = self.file(&IoStore::partition_path(path, row)) else { break };
            let is_there = file.size.is_some();
            partitions.push(Arc::new(file));
            if !is_there {
                break;
            }
        }
        IoStore::new(bytes.into(), partitions, options)
    }
}

impl OpenContainer for LentContainers {
    fn open_container(
        &self,
        path: &Path,
        options: &ContainerOptions,
    ) -> Option<Result<GameContainer>> {
        let file = self.file(path).filter(|file| file.size.is_some())?;
        let is_table = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("utoc"));
        Some(match is_table {
            true => self.store(path, &file, options).map(Box::new).map(GameContainer::IoStore),
            false => Pak::open(Arc::new(file), options).map(Box::new).map(GameContainer::Pak),
        })
    }
}
