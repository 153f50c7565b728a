//! Backups: the files as they were, under their names with `.bak` behind.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// The files of a package as they were before a replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Backup {
    /// 0 for `.bak`, 1 for `.bak1` and so on: the order in which they were made.
    pub number: u32,
    /// The backup of the file itself.
    pub path: PathBuf,
}

impl Backup {
    /// The backup of another file that was kept together with this one, if there is one.
    pub fn of(&self, other: &Path) -> Option<PathBuf> {
        let path = name(other, self.number);
        path.is_file().then_some(path)
    }
}

/// The backups of the file at `path`, the oldest first.
pub fn backups(path: &Path) -> Vec<Backup> {
    // Numbers may have gaps where people have removed some; one look at the folder finds them all.
    let (Some(folder), Some(file)) = (path.parent(), path.file_name()) else { return Vec::new() };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let mut start = file.to_owned();
    start.push(".bak");
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<_> = entries
        .filter_map(|entry| {
            let name = entry.file_name();
            let rest = name.as_encoded_bytes().strip_prefix(start.as_encoded_bytes())?;
            let rest = std::str::from_utf8(rest).ok()?;
            let number = if rest.is_empty() { 0 } else { rest.parse().ok()? };
            // Not `.bak01`.
            let path = self::name(path, number);
            (path.file_name() == Some(&name) && path.is_file()).then_some(Backup { number, path })
        })
        .collect();
    found.sort_unstable_by_key(|backup| backup.number);
    found
}

/// The newest backup of files that were kept together, the first of which is the package itself, in which
/// at least one of them differs from what it is now.
///
/// # Errors
/// `Io`.
pub fn latest_backup(files: &[&Path]) -> Result<Option<Backup>> {
    let Some(first) = files.first() else { return Ok(None) };
    for backup in backups(first).into_iter().rev() {
        for file in files {
            let Some(kept) = backup.of(file) else { continue };
            let now = match std::fs::read(file) {
                Ok(bytes) => Some(bytes),
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
                Err(error) => return Err(Error::io(file, error)),
            };
            let bytes = std::fs::read(&kept).map_err(|error| Error::io(&kept, error))?;
            if now.as_ref() != Some(&bytes) {
                return Ok(Some(backup));
            }
        }
    }
    Ok(None)
}

/// The numbers of the newest backups in a folder, by the names of their files: listed once for all of them.
#[derive(Debug, Clone, Default)]
pub(super) struct NewestBackups(HashMap<OsString, u32>);

impl NewestBackups {
    /// Those in `folder`.
    pub fn of(folder: &Path) -> Self {
        let mut newest = Self::default();
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if let Some((file, number)) = parts(&name).filter(|_| entry.path().is_file()) {
                newest.note(&file, number);
            }
        }
        newest
    }

    fn note(&mut self, file: &OsStr, number: u32) {
        let newest = self.0.entry(file.to_owned()).or_insert(number);
        *newest = number.max(*newest);
    }

    fn number(&self, file: &Path) -> Option<u32> {
        self.0.get(file.file_name()?).copied()
    }

    /// Notes backups that were made.
    pub fn add(&mut self, made: &[PathBuf]) {
        for (file, number) in made.iter().filter_map(|path| parts(path.file_name()?)) {
            self.note(&file, number);
        }
    }
}

/// The name of the file that a backup is of, and its number: not of `Mod.u.bak01`.
fn parts(name: &OsStr) -> Option<(OsString, u32)> {
    let path = Path::new(name);
    let number = match path.extension()?.to_str()?.strip_prefix("bak")? {
        "" => 0,
        digits if digits.starts_with(|digit: char| !matches!(digit, '1'..='9')) => return None,
        digits => digits.parse().ok()?,
    };
    Some((path.file_stem()?.to_owned(), number))
}

/// Names for backups of these files, with one number for all that is higher than any before; and whether they
/// are there already, since the newest backup is the same.
pub(super) fn free_names(files: &[&Path], newest: &NewestBackups) -> Result<(Vec<PathBuf>, bool)> {
    let names = |number| files.iter().map(|file| name(file, number)).collect::<Vec<_>>();
    let mut next = 0;
    if let Some(newest) = files.iter().filter_map(|file| newest.number(file)).max() {
        let kept = names(newest);
        if files.iter().zip(&kept).all(|(file, name)| is_same(file, name)) {
            return Ok((kept, true));
        }
        next = newest.saturating_add(1);
    }
    Ok((first_free(files, next)?, false))
}

/// Names of one number, from `next` on, that are free: what is no file may have such a name, too.
fn first_free(files: &[&Path], mut next: u32) -> Result<Vec<PathBuf>> {
    loop {
        let free: Vec<_> = files.iter().map(|file| name(file, next)).collect();
        if free.iter().all(|name| name.symlink_metadata().is_err()) {
            return Ok(free);
        }
        next = next.checked_add(1).ok_or_else(|| {
            let path = files.first().copied().unwrap_or(Path::new("")).display().to_string();
            let reason = "too many backups stand beside it: remove some";
            crate::Error::from(crate::error::ErrorKind::NotReplaceable { path, reason })
        })?;
    }
}

/// A name for one backup of this file that no file has.
pub(super) fn free_name(file: &Path) -> Result<PathBuf> {
    let next = backups(file).last().map_or(0, |backup| backup.number.saturating_add(1));
    first_free(&[file], next).map(|mut names| names.remove(0))
}

fn is_same(one: &Path, other: &Path) -> bool {
    let size = |path: &Path| path.metadata().ok().map(|metadata| metadata.len());
    size(one) == size(other)
        && matches!((std::fs::read(one), std::fs::read(other)), (Ok(a), Ok(b)) if a == b)
}

fn name(file: &Path, number: u32) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".bak");
    if number > 0 {
        name.push(number.to_string());
    }
    name.into()
}
