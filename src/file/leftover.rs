//! What killed runs leave behind.

use std::fs::File;
use std::io::ErrorKind as Io;
use std::path::{Path, PathBuf};

use super::disk::Disk;
use super::journal::Journal;
use super::state::folder_of;
use crate::error::{Error, Result};

/// What names of temporary files begin with; the process follows.
pub(super) const PREFIX: &str = ".upk-";
/// What names of files end with that are not complete yet.
pub(super) const TEMPORARY: &str = ".tmp";
/// What names of journals end with.
pub(super) const JOURNAL: &str = ".journal";

/// Finishes or undoes what a killed run has begun with the file at `path`, and removes its temporary files;
/// what running processes own stays. Every replacement does it by itself. Says whether a replacement was
/// finished or undone.
///
/// # Errors
/// `Io` of a folder that can't be read, or where a journal can't be carried out.
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
    clean(disk, folder_of(&target))
}

/// Whether a killed run has left this file, or the one that belongs to it, half replaced.
pub(super) fn is_unfinished(path: &Path) -> bool {
    let folder = folder_of(path);
    let Ok(names) = leftovers(folder) else { return false };
    let journals = names.iter().filter(|name| is_journal(name));
    journals
        .filter_map(|name| Journal::read(&folder.join(name)).ok().flatten())
        .any(|journal| journal.names(path))
}

/// The same for everything in `folder`.
pub(super) fn clean(disk: &Disk, folder: &Path) -> Result<bool> {
    let mut settled = false;
    let names = match leftovers(folder) {
        Ok(names) => names,
        // The write that follows says what is wrong with the folder.
        Err(error) if matches!(error.kind(), Io::NotFound | Io::PermissionDenied) => {
            return Ok(false);
        }
        Err(error) => return Err(Error::io(folder, error)),
    };
    // Journals first: the temporary files that they name are still needed.
    for name in names.iter().filter(|name| is_journal(name)) {
        let path = folder.join(name);
        let Some(_owned) = own(&path) else { continue };
        if let Some(journal) = Journal::read(&path)? {
            journal.settle(disk)?;
            settled = true;
        }
        remove(disk, &path)?;
    }
    for name in names.iter().filter(|name| !is_journal(name)) {
        let path = folder.join(name);
        if let Some(_owned) = own(&path) {
            remove(disk, &path)?;
        }
    }
    Ok(settled)
}

/// Names of temporary files and journals in `folder`.
fn leftovers(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let name = entry?.file_name();
        let text = name.to_string_lossy();
        let ends = [TEMPORARY, JOURNAL].iter().any(|end| text.ends_with(end));
        if text.starts_with(PREFIX) && ends {
            names.push(name.into());
        }
    }
    Ok(names)
}

fn is_journal(name: &Path) -> bool {
    name.to_string_lossy().ends_with(JOURNAL)
}

/// Whether a file has the name of a temporary one.
pub(super) fn is_temporary(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(PREFIX) && name.ends_with(TEMPORARY)
}

/// The file, locked, unless its process lives.
fn own(path: &Path) -> Option<File> {
    let file = File::open(path).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

fn remove(disk: &Disk, path: &Path) -> Result<()> {
    match disk.remove(path) {
        Err(error) if error.kind() != Io::NotFound => Err(Error::io(path, error)),
        _ => Ok(()),
    }
}
