//! One replacement at a time in a folder.

use std::fs::{File, TryLockError};
use std::io::ErrorKind as Io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::facts::open_own;
use super::state::Stamp;
use crate::error::{Error, Result, UnrealError};

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
                    return Err(UnrealError::ForeignState { path, reason }.into());
                }
                // Windows can't open a file that is being removed.
                #[cfg(windows)]
                Err(error) if error.kind() == Io::PermissionDenied && path.exists() => {
                    wait(&path, begun)?;
                    continue;
                }
                // Elsewhere a lock that may not even be read is another user's, and waiting does not change that.
                #[cfg(not(windows))]
                Err(error) if error.kind() == Io::PermissionDenied && path.exists() => {
                    let path = path.display().to_string();
                    let reason = format!("it has a lock's name, and can't be opened: {error}");
                    return Err(UnrealError::ForeignState { path, reason }.into());
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

    /// Removes the lock's file where a killed process has left it and no process holds it.
    pub fn remove_abandoned(folder: &Path) {
        let path = folder.join(LOCK);
        if let Ok(file) = open_lock(&path)
            && file.try_lock().is_ok()
        {
            drop(Self { path, file: Some(file) });
        }
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
        // One with something in it is a file of that name which somebody else has made.
        let is_own = |file: &File| {
            is_at(file, &self.path) && file.metadata().is_ok_and(|metadata| metadata.len() == 0)
        };
        if self.file.as_ref().is_some_and(is_own) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// The lock's file, made if there is none; never what a link of that name leads to.
fn open(path: &Path) -> std::io::Result<File> {
    match path.symlink_metadata() {
        Ok(_) => open_lock(path),
        Err(_) => File::options().read(true).write(true).create_new(true).open(path),
    }
}

/// The lock's file that is there. Who may read another user's can lock it; where files can't be locked so,
/// as some systems have it, writing is asked for first.
fn open_lock(path: &Path) -> std::io::Result<File> {
    match open_own(path, true) {
        Err(error) if error.kind() == Io::PermissionDenied => open_own(path, false),
        done => done,
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
        return Err(UnrealError::Busy { path: path.display().to_string() }.into());
    }
    std::thread::sleep(PAUSE);
    Ok(())
}
