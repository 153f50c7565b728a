//! Runs over many packages: which backups of a folder belong together.
//!
//! Beside the packages that a run changes stands a list, `NAME.upk-run`: of each package its name, the number of its
//! backup and the hash of what the run has written. It names no other folder, so a list that came with a download can
//! do no more than bring back a backup of a file beside it, and only over what the list itself knows.

use std::collections::HashMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::backup::Backup;
use super::name::{file_name_fault, safe_file_name};
use super::open::{FileOrigin, create_new};
use super::read::{hash_of, read_found};
use super::replacement::Replaced;
use crate::error::{Error, Result};

/// The extension of the lists.
const EXTENSION: &str = "upk-run";

/// A run that goes on: what it has replaced is listed as it goes.
#[derive(Debug)]
pub struct Run {
    name: String,
    lists: HashMap<PathBuf, File>,
}

/// A package that a run has changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunMember {
    /// The package.
    pub path: PathBuf,
    /// The number of its backup.
    pub number: u32,
    /// The files that the run has written, the package first, with the hashes of their content in hexadecimal digits.
    written: Vec<(PathBuf, String)>,
}

impl RunMember {
    /// The backup that the run has made; `None` where it is gone.
    pub fn backup(&self) -> Option<Backup> {
        super::backups(&self.path).into_iter().find(|backup| backup.number == self.number)
    }

    /// Whether the package is still what the run has written.
    ///
    /// # Errors
    /// `Io`; `NotReadable`.
    pub fn is_untouched(&self) -> Result<bool> {
        for (path, hash) in &self.written {
            if hash_of(path, FileOrigin::Found)?.to_hex().as_str() != hash {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Run {
    /// A run of this name; characters that some system forbids in the names of files become `_`.
    pub fn new(name: &str) -> Self {
        Self { name: safe_file_name(name), lists: HashMap::new() }
    }

    /// A run of this name, or of this name with a number behind it: the first that none of the folders has.
    pub fn named_freely<'a>(name: &str, folders: impl IntoIterator<Item = &'a Path>) -> Self {
        let folders: Vec<&Path> = folders.into_iter().collect();
        let mut run = Self::new(name);
        let mut number = 1_u32;
        while folders.iter().any(|folder| list(folder, &run.name).symlink_metadata().is_ok()) {
            number = number.saturating_add(1);
            run = Self::new(&format!("{name}-{number}"));
            if number == u32::MAX {
                break;
            }
        }
        run
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Removes the lists that it has made: all that it has replaced is what it was.
    ///
    /// # Errors
    /// `Io`.
    pub fn discard(self) -> Result<()> {
        for (folder, list) in self.lists {
            drop(list);
            let path = self::list(&folder, &self.name);
            std::fs::remove_file(&path).map_err(|error| Error::io(&path, error))?;
        }
        Ok(())
    }

    /// Whether a folder has a list of such a run already.
    pub fn is_in(&self, folder: &Path) -> bool {
        list(folder, &self.name).symlink_metadata().is_ok()
    }

    /// Lists what was replaced, if it has a backup.
    ///
    /// # Errors
    /// `Io`, among others where another run of this name has a list in the folder.
    pub fn add(&mut self, replaced: &Replaced) -> Result<()> {
        let (Some(file), Some(backup)) = (replaced.files.first(), replaced.backups.first()) else {
            return Ok(());
        };
        let Some(folder) = file.parent() else { return Ok(()) };
        let number = super::backups(file).into_iter().find(|known| known.path == *backup);
        let Some(number) = number else { return Ok(()) };
        let mut line = number.number.to_string();
        for file in &replaced.files {
            let Some(name) = file.file_name().and_then(|name| name.to_str()) else { return Ok(()) };
            let hash = hash_of(file, FileOrigin::Found)?.to_hex();
            line.push_str(&format!("\t{hash}\t{name}"));
        }
        line.push('\n');
        let path = list(folder, &self.name);
        let list = match self.lists.get_mut(folder) {
            Some(list) => list,
            None => self.lists.entry(folder.to_owned()).or_insert(create_new(&path)?),
        };
        list.write_all(line.as_bytes()).map_err(|error| Error::io(&path, error))
    }
}

/// The names of the runs that have a list in a folder, sorted.
pub fn runs(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let lists = entries.filter_map(|entry| {
        let path = entry.path();
        let is_list = path.extension().is_some_and(|extension| extension == EXTENSION);
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        (is_list && is_file).then(|| path.file_stem()?.to_str().map(str::to_owned)).flatten()
    });
    let mut names: Vec<String> = lists.collect();
    names.sort();
    names
}

/// The packages that a run has changed in a folder, in the order in which it did; lines that name other places are
/// passed over.
///
/// # Errors
/// `Io`; `NotReadable`.
pub fn run_members(folder: &Path, run: &str) -> Result<Vec<RunMember>> {
    let (bytes, _) = read_found(&list(folder, &safe_file_name(run)))?;
    let text = String::from_utf8_lossy(&bytes);
    let member = |line: &str| {
        let mut fields = line.split('\t');
        let number = fields.next()?.parse().ok()?;
        let mut written = Vec::new();
        while let Some(hash) = fields.next() {
            let name = fields.next().filter(|name| file_name_fault(name).is_none())?;
            written.push((folder.join(name), hash.to_owned()));
        }
        let path = written.first()?.0.clone();
        Some(RunMember { path, number, written })
    };
    // The last line of a run that was killed may lack its end.
    let lines = text.split_inclusive('\n').filter_map(|line| line.strip_suffix('\n'));
    Ok(lines.filter_map(member).collect())
}

fn list(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.{EXTENSION}"))
}
