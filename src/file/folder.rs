//! One replacement at a time in a folder.

use std::fs::{File, TryLockError};
use std::io::ErrorKind as Io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::facts::open_own;
use super::state::Stamp;
use crate::error::{Error, ErrorKind, Result};

/// The file that a running replacement has locked.
pub(super) const LOCK: &str = ".upk-lock";
/// How long others may take.
const PATIENCE: Duration = Duration::from_secs(60);
const PAUSE: Duration = Duration::from_millis(5);

/// The right to replace files in a folder; given back when it is dropped. A process that is killed gives it
/// back, too, and the next one removes the file.
#[derive(Debug)]
pub(super) struct FolderLock {
    path: PathBuf,
    file: Option<File>,
}

impl FolderLock {
    /// Waits for the right.
    ///
    /// # Errors
    /// `Io` where the file can't be made; `Busy` when another process does not give it back.
    pub fn take(folder: &Path) -> Result<Self> {
        let path = folder.join(LOCK);
        let begun = Instant::now();
        loop {
            let file = match open(&path) {
                Ok(file) => file,
                // Made by another process since, or just removed by it.
                Err(error) if matches!(error.kind(), Io::AlreadyExists | Io::NotFound) => {
                    if folder.is_dir() {
                        wait(&path, begun)?;
                        continue;
                    }
                    return Err(Error::io(folder, error));
                }
                Err(error) if error.kind() == Io::InvalidInput => {
                    let path = path.display().to_string();
                    let reason = "it has a lock's name, and is a link, a folder or a device";
                    let reason = reason.to_owned();
                    return Err(ErrorKind::ForeignState { path, reason }.into());
                }
                // On some systems a file that is being removed can't be opened.
                Err(error) if error.kind() == Io::PermissionDenied && path.exists() => {
                    wait(&path, begun)?;
                    continue;
                }
                Err(error) => return Err(Error::io(folder, error)),
            };
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => wait(&path, begun)?,
                // Where files can't be locked there is nothing to wait for. Who had it before has removed it.
                Ok(()) | Err(TryLockError::Error(_)) if is_at(&file, &path) => {
                    return Ok(Self { path, file: Some(file) });
                }
                _ => {}
            }
        }
    }

    /// Whether a running process replaces files in the folder.
    pub fn is_taken(folder: &Path) -> bool {
        let Ok(file) = open_own(&folder.join(LOCK), false) else { return false };
        matches!(file.try_lock(), Err(TryLockError::WouldBlock))
    }

    /// Waits while a running process replaces files in the folder, for as long as [`FolderLock::take`] would.
    pub fn wait_until_free(folder: &Path) {
        let begun = Instant::now();
        while Self::is_taken(folder) && begun.elapsed() < PATIENCE {
            std::thread::sleep(PAUSE);
        }
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // Removed while it is locked: who waits for it sees that it is gone, and makes a new one.
        if self.file.as_ref().is_some_and(|file| is_at(file, &self.path)) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// The lock's file, made if there is none; never what a link of that name leads to.
fn open(path: &Path) -> std::io::Result<File> {
    match path.symlink_metadata() {
        Ok(_) => open_own(path, true),
        Err(_) => File::options().read(true).write(true).create_new(true).open(path),
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), path.symlink_metadata()) {
        (Ok(file), Ok(path)) => Stamp::of(&file).is_same_file(&Stamp::of(&path)),
        _ => false,
    }
}

fn wait(path: &Path, begun: Instant) -> Result<()> {
    if begun.elapsed() > PATIENCE {
        return Err(ErrorKind::Busy { path: path.display().to_string() }.into());
    }
    std::thread::sleep(PAUSE);
    Ok(())
}
