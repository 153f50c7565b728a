//! Backups: the files as they were, under their names with `.bak` behind.

use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Backups of one package that are looked for.
const MOST: u32 = 10_000;

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
    let start = start.to_string_lossy().into_owned();
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<_> = entries
        .filter_map(|entry| {
            let name = entry.file_name();
            let rest = name.to_str()?.strip_prefix(&start)?.to_owned();
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

/// Names for backups of these files with one number for all, and whether they hold the same files already.
pub(super) fn free_names(files: &[&Path]) -> Result<(Vec<PathBuf>, bool)> {
    for number in 0..MOST {
        let names: Vec<_> = files.iter().map(|file| name(file, number)).collect();
        if names.iter().all(|name| name.symlink_metadata().is_err()) {
            return Ok((names, false));
        }
        let pairs = files.iter().zip(&names);
        if pairs.clone().all(|(file, name)| is_same(file, name)) {
            return Ok((names, true));
        }
    }
    let path = files.first().copied().unwrap_or(Path::new("")).display().to_string();
    let reason = "too many backups stand beside it: remove some";
    Err(crate::error::ErrorKind::NotReplaceable { path, reason }.into())
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
