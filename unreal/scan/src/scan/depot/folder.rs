//! The folder: opened by one scan at a time.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::{FileHashes, TableSet};
use super::manifest::Manifest;
use super::shards::Shards;
use crate::error::{Error, ErrorKind, Result};
use crate::file::{self, FileOrigin};

/// A file to scan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileToScan {
    /// The file.
    pub file: PathBuf,
    /// What its rows call it.
    pub path: String,
    /// Its path below the scanned folder, with `/`: the same wherever that lies.
    pub relative_path: String,
    /// What other packages call it, where the folder says it: `/Game/Maps/Entry` in a project.
    pub mount_path: Option<String>,
    /// Whether the user has named it: then a row says that it is no package, as of a file that is called like one.
    pub is_named: bool,
    /// What tells its content from any other, where the caller knows that without reading all of it: it stands for
    /// the hash of the content in `package_id`.
    pub content_key: Option<String>,
    /// Why it can't be looked into, where that is known: a container that no key opens, a folder that can't be listed.
    pub fault: Option<FileFault>,
}

/// Why a file can't be looked into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFault {
    /// Whether it is of a kind that is not supported, or wants a key, and not broken.
    pub is_unsupported: bool,
    /// The reason.
    pub reason: String,
}

impl FileToScan {
    /// A file that a folder holds, by its path.
    pub fn found(file: PathBuf) -> Self {
        let path = file.display().to_string();
        Self {
            file,
            relative_path: path.clone(),
            path,
            mount_path: None,
            is_named: false,
            content_key: None,
            fault: None,
        }
    }

    /// Where its path comes from.
    pub(in crate::scan) fn origin(&self) -> FileOrigin {
        if self.is_named { FileOrigin::Named } else { FileOrigin::Found }
    }
}

/// A folder of tables.
#[derive(Debug)]
pub struct Depot {
    pub(super) folder: PathBuf,
    pub(super) tables: TableSet,
    pub(super) settings: String,
    /// Held as long as this is.
    _lock: fs::File,
    pub(super) manifest: Arc<Manifest>,
    pub(super) shards: Shards,
    /// Whether every file is opened again.
    pub(super) forgets: bool,
    pub(super) hashes: FileHashes,
}

/// Numbers of this form of tables: others are made anew.
const FORM: u32 = 3;
/// Who holds this file writes.
const LOCK: &str = ".lock";

impl Depot {
    /// The tables in `folder`, which is made where it is not there. What another scan has left that had other
    /// tables or other `settings` (a text for all that rows depend on beside their files) is not used.
    ///
    /// # Errors
    /// `Io`; `Invalid` while another scan writes there, and where files would be removed or replaced that no scan
    /// has written.
    pub fn open(folder: &Path, tables: TableSet, settings: &str) -> Result<Self> {
        let fail = |error| Error::io(folder, error);
        for table in tables.iter() {
            fs::create_dir_all(folder.join(table.name())).map_err(fail)?;
        }
        let path = folder.join(LOCK);
        let lock = file::open_lock(&path)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::Error(error)) => return Err(Error::io(&path, error)),
            Err(fs::TryLockError::WouldBlock) => {
                let shown = folder.display();
                let reason = format!("another scan writes to '{shown}': wait for its end");
                return Err(ErrorKind::Invalid { reason }.into());
            }
        }
        let version = env!("CARGO_PKG_VERSION");
        let names: Vec<_> = tables.iter().map(|table| table.name()).collect();
        let settings = format!("form {FORM}, {version}, {}, {settings}", names.join(" "));
        let manifest = Arc::new(Manifest::open(folder)?);
        let shards = Shards::load(folder, &manifest, tables, &settings)?;
        let folder = folder.to_owned();
        Ok(Self {
            folder,
            tables,
            settings,
            _lock: lock,
            manifest,
            shards,
            forgets: false,
            hashes: FileHashes::default(),
        })
    }

    /// Makes these hashes of files as well: the settings that the tables were opened with must say so.
    #[must_use]
    pub fn hashing(mut self, hashes: FileHashes) -> Self {
        self.hashes = hashes;
        self
    }

    /// Forgets what former scans have read: every file is opened again.
    pub fn forget(&mut self) {
        self.forgets = true;
    }
}
