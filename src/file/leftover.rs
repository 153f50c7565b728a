//! What killed runs leave behind.

use std::path::{Path, PathBuf};

use super::disk::Disk;
use super::folder::FolderLock;
use super::journal::Journal;
use super::state::folder_of;
use crate::error::{Error, Result};

/// What names of temporary files begin with; the process follows.
pub(super) const PREFIX: &str = ".upk-";
/// What names of files end with that are not complete yet, or on their way out.
pub(super) const TEMPORARY: &str = ".tmp";
/// What names of journals end with.
pub(super) const JOURNAL: &str = ".journal";

/// Finishes or undoes what a killed run has begun with the file at `path`, and removes the temporary files of
/// killed runs in its folder. Every replacement does it by itself. Says whether a replacement was finished or
/// undone.
///
/// # Errors
/// `Io` where a journal of the file can't be carried out; `Busy`.
pub fn recover(path: &Path) -> Result<bool> {
    recover_on(&Disk::default(), path)
}

/// As [`recover`], on this disk.
///
/// # Errors
/// As [`recover`].
#[doc(hidden)]
pub fn recover_on(disk: &Disk, path: &Path) -> Result<bool> {
    let target = super::attributes::target(path)?;
    let folder = folder_of(&target);
    // Most folders have nothing to clear up, and some can't be written to.
    if leftovers(folder).is_empty() {
        return Ok(false);
    }
    let _lock = FolderLock::take(folder)?;
    clean(disk, folder, &[&target])
}

/// Whether a run has left this file half replaced; those that are running are waited for.
pub(super) fn is_unfinished(path: &Path) -> bool {
    let folder = folder_of(path);
    let named = || {
        let journals = leftovers(folder).into_iter().filter(|path| is_journal(path));
        journals.filter_map(|path| Journal::read(&path).ok()).any(|journal| journal.names(path))
    };
    if !named() {
        return false;
    }
    FolderLock::wait_until_free(folder);
    !path.exists() && named()
}

/// The same for everything in a folder that is locked. Only a journal of one of `targets` that can't be
/// carried out is an error: others are none of this run's business.
pub(super) fn clean(disk: &Disk, folder: &Path, targets: &[&Path]) -> Result<bool> {
    let found = leftovers(folder);
    let (mut settled, mut needed) = (false, false);
    for path in found.iter().filter(|path| is_journal(path)) {
        let done = match Journal::read(path) {
            Ok(journal) => match journal.settle(disk) {
                Err(error) if targets.iter().any(|target| journal.names(target)) => {
                    return Err(error);
                }
                done => done.is_ok() && disk.remove(path).is_ok(),
            },
            // Another version wrote it, or nobody did: whatever it needs must stay.
            Err(_) => false,
        };
        settled |= done;
        needed |= !done;
    }
    if !needed {
        for path in found.iter().filter(|path| !is_journal(path)) {
            // What can't be removed is in nobody's way.
            let _ = disk.remove(path);
        }
    }
    Ok(settled)
}

/// Temporary files and journals in `folder`; folders, links and pipes of such names are none.
fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths
        .filter(|path| is_temporary(path) || is_journal(path))
        .filter(|path| path.symlink_metadata().is_ok_and(|metadata| metadata.is_file()))
        .collect()
}

fn is_journal(path: &Path) -> bool {
    has_name(path, JOURNAL)
}

/// Whether a file has the name of a temporary one.
pub(super) fn is_temporary(path: &Path) -> bool {
    has_name(path, TEMPORARY)
}

fn has_name(path: &Path, end: &str) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.starts_with(PREFIX.as_bytes()) && name.ends_with(end.as_bytes())
}

/// Removes a file that may be gone already.
pub(super) fn remove(disk: &Disk, path: &Path) -> Result<()> {
    match disk.remove(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Error::io(path, error)),
        _ => Ok(()),
    }
}
