//! Backups: the files as they were, under their names with `.bak` behind.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use super::open::{FileOrigin, open};
use crate::error::{Error, Result, UnrealError};

/// Bytes that are compared at once.
const PIECE: usize = 1 << 16;

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
        is_backup(&path).then_some(path)
    }
}

/// Whether what has a backup's name is one: replacements make regular files, and a link of that name, which somebody
/// else has made, would have any file of the user taken for a package's former state.
fn is_backup(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|metadata| metadata.is_file())
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
            (path.file_name() == Some(&name) && is_backup(&path)).then_some(Backup { number, path })
        })
        .collect();
    found.sort_unstable_by_key(|backup| backup.number);
    found
}

/// Whether a file is called as backups are. Whoever changes the packages of a folder passes over them.
pub fn has_backup_name(path: &Path) -> bool {
    path.file_name().is_some_and(|name| parts(name).is_some())
}

/// The file of which another one is called as a backup is, whether it is there or not.
pub fn backed_up(path: &Path) -> Option<PathBuf> {
    let (name, _) = parts(path.file_name()?)?;
    Some(path.with_file_name(name))
}

/// The newest backup of files that were kept together, the first of which is the package itself, in which
/// at least one of them differs from what it is now.
///
/// # Errors
/// `Io`; `NotReadable` for a file that is mostly holes.
pub fn latest_backup(files: &[&Path]) -> Result<Option<Backup>> {
    let Some(first) = files.first() else { return Ok(None) };
    for backup in backups(first).into_iter().rev() {
        for file in files {
            let Some(kept) = backup.of(file) else { continue };
            if !is_same(file, &kept)? {
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
    /// The backups in `folder`.
    pub fn of(folder: &Path) -> Self {
        let mut newest = Self::default();
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            if let Some((file, number)) = parts(&name).filter(|_| is_backup(&entry.path())) {
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
        if files.iter().zip(&kept).all(|(file, name)| is_same(file, name).is_ok_and(|same| same)) {
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
            crate::Error::from(UnrealError::NotReplaceable { path, reason })
        })?;
    }
}

/// A name for one backup of this file that no file has.
pub(super) fn free_name(file: &Path) -> Result<PathBuf> {
    let next = backups(file).last().map_or(0, |backup| backup.number.saturating_add(1));
    first_free(&[file], next).map(|mut names| names.remove(0))
}

/// Whether a file and a backup hold the same bytes: their sizes are compared first, and nothing is read whole. A file
/// that is not there is like none.
fn is_same(file: &Path, kept: &Path) -> Result<bool> {
    let size = |path: &Path| match path.metadata() {
        Ok(metadata) => Ok(Some(metadata.len())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io(path, error)),
    };
    let (now, then) = (size(file)?, size(kept)?);
    if now.is_none() || now != then || !is_backup(kept) {
        return Ok(false);
    }
    let reader =
        |path| open(path, FileOrigin::Found).map(|(file, _)| BufReader::with_capacity(PIECE, file));
    let (mut now, mut then) = (reader(file)?, reader(kept)?);
    loop {
        let now_piece = now.fill_buf().map_err(|error| Error::io(file, error))?;
        let then_piece = then.fill_buf().map_err(|error| Error::io(kept, error))?;
        let count = now_piece.len().min(then_piece.len());
        if count == 0 {
            return Ok(now_piece.len() == then_piece.len());
        }
        if now_piece[..count] != then_piece[..count] {
            return Ok(false);
        }
        now.consume(count);
        then.consume(count);
    }
}

fn name(file: &Path, number: u32) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".bak");
    if number > 0 {
        name.push(number.to_string());
    }
    name.into()
}
