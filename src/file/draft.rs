//! New files under a name of their own, until they get their true one.

use std::fs::File;
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
    /// An empty file in `folder`, locked while this process lives.
    ///
    /// # Errors
    /// `Io`, with the folder.
    pub fn create(disk: &Disk, folder: &Path) -> Result<Self> {
        let prefix = format!("{PREFIX}{}-", std::process::id());
        loop {
            let mut builder = tempfile::Builder::new();
            let builder = builder.prefix(&prefix).suffix(TEMPORARY).disable_cleanup(true);
            let made = builder.make_in(folder, |path| disk.create(path));
            let (file, path) = made.map_err(|error| Error::io(folder, error))?.into_parts();
            let path = path.to_path_buf();
            // Where files can't be locked, nobody takes the lock of this one for a dead one's either.
            let _ = file.try_lock();
            let hasher = blake3::Hasher::new();
            let draft = Self { disk: disk.clone(), file, path, hasher, stays: false };
            // Before it was locked, another run may have removed it as a leftover.
            if draft.is_there() {
                return Ok(draft);
            }
        }
    }

    fn is_there(&self) -> bool {
        match (self.file.metadata(), self.path.metadata()) {
            (Ok(file), Ok(path)) => Stamp::of(&file).is_same_file(&Stamp::of(&path)),
            _ => false,
        }
    }

    /// A whole file: written, with the owner and permissions of `like`, and synced.
    pub fn write(
        disk: &Disk,
        folder: &Path,
        like: Option<&std::fs::Metadata>,
        content: impl FnOnce(&mut dyn Write) -> Result<()>,
        target: &Path,
    ) -> Result<Self> {
        let fail = |error| Error::io(target, error);
        let mut draft = Self::create(disk, folder)?;
        content(&mut draft)?;
        if let Some(old) = like {
            super::attributes::copy(old, &draft.file).map_err(fail)?;
        }
        draft.disk.sync(&draft.file, &draft.path).map_err(fail)?;
        Ok(draft)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Leaves it where it is: a later run needs it.
    pub fn leave(&mut self) {
        self.stays = true;
    }

    /// The hash of what was written.
    pub fn hash(&self) -> blake3::Hash {
        self.hasher.finalize()
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
