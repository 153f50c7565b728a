//! Folders as Parquet files, which later scans bring up to date.
//!
//! Each table is a folder of files. What one scan has read together is a shard: one file in each of the folders,
//! with the shard's number as its name, that of the packages last. Files are written under a name of their own and
//! renamed, and nothing counts before the packages' file has its true name: a scan that is killed loses the shards
//! that it was at, and the next one goes on from there.
//!
//! When a file changes its rows go into a new shard, and its row is taken out of the old packages' file. The other
//! tables of the old shard keep the former rows until an eighth of the shard is such: rows whose `package_id` is not
//! among the packages count for nothing. The views in `tables.sql` leave them out; [`Depot::compact`] does it in
//! the files.

mod compact;
mod reader;
mod shard;
mod shard_writer;
mod shards;
mod update;
mod views;

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

pub(super) use self::reader::{TableFile, integers, table_files};
pub(super) use self::shard::KnownFile;
use self::shards::Shards;
pub use self::update::{ScanReport, ScanStep};
use super::TableSet;
use crate::error::{Error, ErrorKind, Result};

/// A file to scan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileToScan {
    /// The file.
    pub file: PathBuf,
    /// What its rows call it.
    pub path: String,
    /// What other packages call it, where the folder says it: `/Game/Maps/Entry` in a project.
    pub mount_path: Option<String>,
    /// Whether the user has named it: then a row says that it is no package, and otherwise nothing does.
    pub is_named: bool,
}

/// A folder of tables.
#[derive(Debug)]
pub struct Depot {
    folder: PathBuf,
    tables: TableSet,
    settings: String,
    /// Held as long as this is.
    _lock: fs::File,
    shards: Shards,
    /// Numbers of shards whose packages' file says something else than is known.
    touched: HashSet<u64>,
    /// Whether every file is opened again.
    forgets: bool,
}

/// Numbers of this form of tables: others are made anew.
const FORM: u32 = 1;
/// Who holds this file writes.
const LOCK: &str = ".lock";

impl Depot {
    /// The tables in `folder`, which is made where it is not there. What another scan has left that had other
    /// tables or other `settings` (a text for all that rows depend on beside their files) is not used.
    ///
    /// # Errors
    /// `Io`; `Invalid` while another scan writes there.
    pub fn open(folder: &Path, tables: TableSet, settings: &str) -> Result<Self> {
        let fail = |error| Error::io(folder, error);
        for table in tables.iter() {
            fs::create_dir_all(folder.join(table.name())).map_err(fail)?;
        }
        let path = folder.join(LOCK);
        let lock = fs::File::create(&path).map_err(|error| Error::io(&path, error))?;
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
        let shards = Shards::load(folder, tables, &settings)?;
        let (folder, touched) = (folder.to_owned(), HashSet::new());
        Ok(Self { folder, tables, settings, _lock: lock, shards, touched, forgets: false })
    }

    /// Forgets what former scans have read: every file is opened again.
    pub fn forget(&mut self) {
        self.forgets = true;
    }
}
