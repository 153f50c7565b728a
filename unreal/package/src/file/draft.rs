//! New files under a name of their own, until they get their true one.

use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::disk::Disk;
use super::facts::FileFacts;
use super::journal::StoredFile;
use super::leftover::{DRAFT, PREFIX, RANDOM};
use crate::error::{Error, Result};

/// A new file beside the one that it becomes. Dropped, it is removed.
#[derive(Debug)]
pub(super) struct Draft {
    disk: Disk,
    file: File,
    path: PathBuf,
    hasher: blake3::Hasher,
    stays: bool,
}

impl Draft {
    /// A whole file in `folder`, which is locked: written by `content`, with the owner and permissions of
    /// `like`, and synced. A copy has the time of `like`, too: people choose backups by it.
    ///
    /// # Errors
    /// `Io`, and those of `content`.
    pub fn write(
        disk: &Disk,
        folder: &Path,
        like: Option<&Metadata>,
        is_copy: bool,
        content: impl FnOnce(&mut Self) -> Result<()>,
        target: &Path,
    ) -> Result<Self> {
        let fail = |error| Error::io(target, error);
        // Nobody may read a private file meanwhile.
        let mut draft = Self::create(disk, folder, like.is_some())?;
        content(&mut draft)?;
        if let Some(old) = like {
            super::attributes::copy(old, &draft.file).map_err(fail)?;
            if is_copy && let Ok(time) = old.modified() {
                let _ = draft.file.set_modified(time);
            }
        }
        draft.disk.sync(&draft.file, &draft.path).map_err(fail)?;
        Ok(draft)
    }

    /// An empty file.
    fn create(disk: &Disk, folder: &Path, private: bool) -> Result<Self> {
        let prefix = format!("{PREFIX}{}-", std::process::id());
        let mut builder = tempfile::Builder::new();
        let builder =
            builder.prefix(&prefix).rand_bytes(RANDOM).suffix(DRAFT).disable_cleanup(true);
        let made = builder.make_in(folder, |path| disk.create(path, private));
        let (file, path) = made.map_err(|error| Error::io(folder, error))?.into_parts();
        let (disk, path, hasher) = (disk.clone(), path.to_path_buf(), blake3::Hasher::new());
        Ok(Self { disk, file, path, hasher, stays: false })
    }

    /// The owner of files that this process makes in `folder`, which a share may give to another user than the one
    /// that runs it.
    ///
    /// # Errors
    /// `Io`.
    pub fn owner_of_files(disk: &Disk, folder: &Path) -> Result<Option<u32>> {
        Ok(Self::create(disk, folder, true)?.facts()?.owner)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The system's facts about it.
    ///
    /// # Errors
    /// `Io`, also when it is gone.
    pub fn facts(&self) -> Result<FileFacts> {
        let facts = self
            .disk
            .facts(&self.path)
            .and_then(|facts| facts.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound)));
        facts.map_err(|error| Error::io(&self.path, error))
    }

    /// The file as a journal knows it.
    ///
    /// # Errors
    /// As [`Draft::facts`].
    pub fn stored(&self) -> Result<StoredFile> {
        let number = self.facts()?.number;
        let (path, hash) = (self.path.clone(), self.hasher.finalize());
        Ok(StoredFile { path, hash, number, stamp: None })
    }

    /// Leaves it where it is: a later run needs it.
    pub fn leave(&mut self) {
        self.stays = true;
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.disk.write(&self.file, &self.path, bytes)?;
        self.hasher.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        // It has its true name by now, or nobody needs it; what can't be removed the next run removes.
        if !self.stays {
            let _ = self.disk.remove(&self.path);
        }
    }
}
