//! New files under a name of their own, until they get their true one.

use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::disk::Disk;
use super::leftover::{PREFIX, TEMPORARY};
use super::state::Stamp;
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
        content: impl FnOnce(&mut dyn Write) -> Result<()>,
        target: &Path,
    ) -> Result<Self> {
        let fail = |error| Error::io(target, error);
        let prefix = format!("{PREFIX}{}-", std::process::id());
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix(&prefix).suffix(TEMPORARY).disable_cleanup(true);
        // Nobody may read a private file meanwhile.
        let made = builder.make_in(folder, |path| disk.create(path, like.is_some()));
        let (file, path) = made.map_err(|error| Error::io(folder, error))?.into_parts();
        let path = path.to_path_buf();
        let hasher = blake3::Hasher::new();
        let mut draft = Self { disk: disk.clone(), file, path, hasher, stays: false };
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

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The system's number of the file; 0 where it tells none.
    pub fn number(&self) -> u64 {
        self.file.metadata().map_or(0, |metadata| Stamp::of(&metadata).number())
    }

    /// The hash of what was written.
    pub fn hash(&self) -> blake3::Hash {
        self.hasher.finalize()
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
