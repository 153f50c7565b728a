//! Every operation that changes the disk, in one place.

use std::fmt;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::facts::FileFacts;

/// Bytes that are written in one operation.
const CHUNK: usize = 1 << 16;

/// How often Windows is asked, and the pause between.
const ATTEMPTS: u32 = if cfg!(windows) { 20 } else { 1 };
const PAUSE: Duration = Duration::from_millis(10);

/// Does what Windows may refuse for a moment: a file that another program has open, if only to look at it as virus
/// scanners do, can't be replaced or removed there, and one that is about to go can't be opened.
pub(super) fn patiently<T>(work: impl Fn() -> io::Result<T>) -> io::Result<T> {
    const SHARING_VIOLATION: i32 = 32;
    let is_passing = |error: &io::Error| {
        error.kind() == io::ErrorKind::PermissionDenied
            || error.raw_os_error() == Some(SHARING_VIOLATION)
    };
    let mut attempt = 1;
    loop {
        match work() {
            Err(error) if attempt < ATTEMPTS && is_passing(&error) => attempt += 1,
            done => return done,
        }
        std::thread::sleep(PAUSE);
    }
}

/// An operation that changes the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    /// A new file.
    Create,
    /// Bytes into a new file, at most 64 KiB.
    Write,
    /// Bytes, and the file's size, from the system's memory to the disk.
    Sync,
    /// A file gets another name, over one that has it.
    Rename,
    /// A file gets a second name, which no file has.
    Link,
    /// A name goes.
    Remove,
    /// Names from the system's memory to the disk.
    SyncFolder,
}

/// Is asked before every operation and may refuse it: how tests see what a full disk, a read-only folder or
/// a crash at that moment leaves behind.
pub trait DiskProbe: fmt::Debug + Send + Sync {
    /// Called before `operation` is done on `path`.
    ///
    /// # Errors
    /// The error that the operation is to end with; of a refused write the first half is done.
    fn before(&self, operation: Operation, path: &Path) -> io::Result<()>;

    /// Called with what the system says of the file at `path`; what it gives back counts.
    fn facts(&self, _path: &Path, facts: FileFacts) -> FileFacts {
        facts
    }
}

/// The disk, with a [`DiskProbe`] in tests.
#[derive(Debug, Clone, Default)]
pub struct Disk {
    probe: Option<Arc<dyn DiskProbe>>,
    unsynced: bool,
    /// Whether something could not be removed, on this disk or a copy of it.
    is_untidy: Arc<AtomicBool>,
}

impl Disk {
    /// A disk that asks `probe` before every operation.
    pub fn probed(probe: Arc<dyn DiskProbe>) -> Self {
        Self { probe: Some(probe), ..Self::default() }
    }

    /// The same disk, left to sync by itself.
    pub(super) fn unsynced(self) -> Self {
        Self { unsynced: true, ..self }
    }

    fn ask(&self, operation: Operation, path: &Path) -> io::Result<()> {
        self.probe.as_ref().map_or(Ok(()), |probe| probe.before(operation, path))
    }

    /// The system's facts about the file or link at `path`; `None` where there is none.
    pub(super) fn facts(&self, path: &Path) -> io::Result<Option<FileFacts>> {
        let facts = FileFacts::at(path)?;
        Ok(match &self.probe {
            Some(probe) => facts.map(|facts| probe.facts(path, facts)),
            None => facts,
        })
    }

    /// The number of a folder, through links; 0 where the system gives none.
    pub(super) fn folder_number(&self, folder: &Path) -> io::Result<u64> {
        let folder = dunce::canonicalize(folder)?;
        Ok(self.facts(&folder)?.map_or(0, |facts| facts.number))
    }

    /// A new file under a name that no file has; open for reading, too. Its mode is what the umask leaves,
    /// since a saved package is an ordinary file; a private one is the owner's alone.
    pub(super) fn create(&self, path: &Path, private: bool) -> io::Result<File> {
        self.ask(Operation::Create, path)?;
        let mut options = File::options();
        options.read(true).write(true).create_new(true);
        #[cfg(unix)]
        if private {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        #[cfg(not(unix))]
        let _ = private;
        options.open(path)
    }

    pub(super) fn write(&self, mut file: &File, path: &Path, bytes: &[u8]) -> io::Result<()> {
        for chunk in bytes.chunks(CHUNK) {
            if let Err(error) = self.ask(Operation::Write, path) {
                file.write_all(&chunk[..chunk.len() / 2])?;
                return Err(error);
            }
            file.write_all(chunk)?;
        }
        Ok(())
    }

    pub(super) fn sync(&self, file: &File, path: &Path) -> io::Result<()> {
        if self.unsynced {
            return Ok(());
        }
        self.ask(Operation::Sync, path)?;
        file.sync_all()
    }

    pub(super) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.ask(Operation::Rename, to)?;
        patiently(|| std::fs::rename(from, to))
    }

    /// As [`Disk::rename`], but never over a file.
    pub(super) fn rename_new(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.ask(Operation::Link, to)?;
        match patiently(|| std::fs::hard_link(from, to)) {
            Ok(()) => {
                // The first name is only in the way: what can't be removed now the next run removes.
                let _ = self.remove(from);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
            // File systems without links can't do better.
            Err(_) if to.symlink_metadata().is_err() => self.rename(from, to),
            Err(_) => Err(io::ErrorKind::AlreadyExists.into()),
        }
    }

    pub(super) fn remove(&self, path: &Path) -> io::Result<()> {
        let removed = self.ask(Operation::Remove, path);
        let removed = removed.and_then(|()| patiently(|| std::fs::remove_file(path)));
        if removed.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::NotFound) {
            self.is_untidy.store(true, Ordering::Relaxed);
        }
        removed
    }

    /// Whether everything that was to go is gone.
    pub(super) fn is_tidy(&self) -> bool {
        !self.is_untidy.load(Ordering::Relaxed)
    }

    /// Makes renames in `folder` last; where folders can't be synced, the system does it alone.
    pub(super) fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        if self.unsynced {
            return Ok(());
        }
        self.ask(Operation::SyncFolder, folder)?;
        #[cfg(unix)]
        match File::open(folder).and_then(|folder| folder.sync_all()) {
            // Some network file systems don't know it; a folder may be open for writing alone.
            Err(error)
                if !matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput
                        | io::ErrorKind::Unsupported
                        | io::ErrorKind::PermissionDenied
                ) =>
            {
                return Err(error);
            }
            _ => {}
        }
        Ok(())
    }
}
