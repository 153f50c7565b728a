//! A container of either kind as one folder of files.

use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;

use super::iostore::IoStore;
use super::pak::{Pak, TableCheck};
use super::paths::Paths;
use super::{ContainedFile, ContainerOptions, DiskFile, Overlaps, ReadAt};
use crate::error::{Result, UnrealError};

/// A container: `.pak`, or `.utoc` with its `.ucas`.
#[derive(Debug)]
pub enum GameContainer {
    /// A `.pak` file.
    Pak(Box<Pak>),
    /// A `.utoc` file with those of its blocks.
    IoStore(Box<IoStore>),
}

impl GameContainer {
    /// Whether a file of this name can be a container.
    pub fn is_named_so(path: &Path) -> bool {
        Self::has_extension(path, "pak") || Self::has_extension(path, "utoc")
    }

    fn has_extension(path: &Path, known: &str) -> bool {
        let extension = path.extension().and_then(|extension| extension.to_str());
        extension.is_some_and(|extension| extension.eq_ignore_ascii_case(known))
    }

    /// Opens the container at `path`; only its table of contents is read.
    ///
    /// # Errors
    /// As [`Pak::open`] and [`IoStore::open`].
    pub fn open(path: &Path, options: &ContainerOptions) -> Result<Self> {
        if Self::has_extension(path, "utoc") {
            return IoStore::open(path, options).map(Box::new).map(Self::IoStore);
        }
        let source: Arc<dyn ReadAt> = Arc::new(DiskFile::open(path)?);
        Pak::open(source, options).map(Box::new).map(Self::Pak)
    }

    fn paths(&self) -> (&Paths, &str) {
        match self {
            Self::Pak(pak) => pak.paths(),
            Self::IoStore(store) => store.paths(),
        }
    }

    /// The paths of its files by row, with what the mount point adds: `Game/Content/Maps/Town.umap`.
    pub fn files(&self) -> &[String] {
        self.paths().0.all()
    }

    /// The file that a path means: its whole path, its path from the mount point, or the end of one, in any
    /// case.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` where several end so.
    pub fn find(&self, path: &str) -> Result<usize> {
        let (paths, mount) = self.paths();
        paths.find(path, mount)
    }

    /// The file of exactly this whole path, in any case.
    pub fn exact(&self, path: &str) -> Option<usize> {
        self.paths().0.exact(path)
    }

    /// The files in a folder, at every depth, in the order of their paths; all for an empty path.
    pub fn within(&self, folder: &str) -> Vec<usize> {
        let (paths, mount) = self.paths();
        paths.within(folder, mount)
    }

    /// Facts about a file from the tables of contents.
    ///
    /// # Errors
    /// `DamagedContainer`.
    pub fn file(&self, row: usize) -> Result<ContainedFile> {
        match self {
            Self::Pak(pak) => pak.file(row),
            Self::IoStore(store) => store.file(row),
        }
    }

    /// Files whose stored bytes are also those of others.
    pub fn overlaps(&self) -> &Overlaps {
        match self {
            Self::Pak(pak) => pak.overlaps(),
            Self::IoStore(store) => store.overlaps(),
        }
    }

    /// Files that overlap in part were never packed so, and all of them together could become any size.
    fn refuse_overlap(&self, row: usize) -> Result<()> {
        let Some(other) = self.overlaps().of(row) else { return Ok(()) };
        let name = |row: usize| self.files().get(row).map_or("", String::as_str);
        let reason = format!("{} lies in the stored bytes of {}", name(row), name(other));
        Err(UnrealError::DamagedContainer { reason }.into())
    }

    /// The content of a file.
    ///
    /// # Errors
    /// As [`Pak::read`] and [`IoStore::read`]; `DamagedContainer` where another file has the same stored bytes.
    pub fn read(&self, row: usize) -> Result<Bytes> {
        self.refuse_overlap(row)?;
        match self {
            Self::Pak(pak) => pak.read(row).map(Bytes::from),
            Self::IoStore(store) => store.read(row).map(Bytes::from),
        }
    }

    /// Whether a file is not encrypted, or has a key that something proves.
    pub fn proves_key(&self, row: usize) -> bool {
        match self {
            Self::Pak(pak) => pak.proves_key(row),
            // Whatever is read there has its hash.
            Self::IoStore(_) => true,
        }
    }

    /// The content of a file whose hash is right.
    ///
    /// # Errors
    /// As [`Pak::read_checked`] and [`IoStore::read_checked`]; `DamagedContainer` where another file has the same
    /// stored bytes.
    pub fn read_checked(&self, row: usize) -> Result<Bytes> {
        self.refuse_overlap(row)?;
        match self {
            Self::Pak(pak) => pak.read_checked(row).map(Bytes::from),
            Self::IoStore(store) => store.read_checked(row).map(Bytes::from),
        }
    }

    /// Saves the tables of contents from their models and compares them with the stored ones.
    ///
    /// # Errors
    /// The error of a table that can't be saved.
    pub fn check_tables(&self) -> Result<Vec<TableCheck>> {
        match self {
            Self::Pak(pak) => pak.check_tables(),
            Self::IoStore(store) => store.check_tables(),
        }
    }

    /// The content of the file that a path means.
    ///
    /// # Errors
    /// As [`GameContainer::find`] and [`GameContainer::read`].
    pub fn read_path(&self, path: &str) -> Result<Bytes> {
        self.read(self.find(path)?)
    }
}
