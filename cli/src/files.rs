//! The files that paths on the command line mean: each one named, and all within folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use farchive::container::{Containers, GameContainer};

use crate::containers;
use crate::failure::Failure;
use crate::input;

/// Where a path comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Origin {
    /// Found in a folder.
    Found,
    /// The user has named it.
    Named,
}

/// Files in the order of their paths, and what can't be listed, with the reason.
pub type Collected = (BTreeMap<PathBuf, Origin>, Vec<(PathBuf, String)>);

/// The files to look at: folders are searched at every depth.
///
/// # Errors
/// A path that is not there is wrong usage: it says so before a long run, not after it.
pub fn collect(paths: &[PathBuf]) -> Result<Collected, Failure> {
    let mut files = BTreeMap::new();
    let mut unlisted = Vec::new();
    for path in paths {
        if input::is_standard(path) {
            files.insert(path.clone(), Origin::Named);
            continue;
        }
        if Containers::split(path).is_some() {
            let inside = containers::packages(path)?.unwrap_or_default();
            files.extend(inside.into_iter().map(|path| (path, Origin::Named)));
            continue;
        }
        let metadata = std::fs::metadata(path)
            .map_err(|error| Failure::Usage(farchive::Error::io(path, error).into()))?;
        if metadata.is_dir() {
            search(path, &mut files, &mut unlisted);
        } else {
            files.insert(path.clone(), Origin::Named);
        }
    }
    enter_containers(&mut files);
    Ok((files, unlisted))
}

/// Adds the packages of the containers that were found; one that can't be opened stays a file that says so.
fn enter_containers(files: &mut BTreeMap<PathBuf, Origin>) {
    let found = files.iter().filter(|(path, _)| GameContainer::is_named_so(path) && path.is_file());
    let found: Vec<_> = found.map(|(path, origin)| (path.clone(), *origin)).collect();
    for (path, origin) in found {
        if let Ok(Some(inside)) = containers::packages(&path) {
            files.extend(inside.into_iter().map(|path| (path, origin)));
        }
    }
}

fn search(
    folder: &Path,
    files: &mut BTreeMap<PathBuf, Origin>,
    unlisted: &mut Vec<(PathBuf, String)>,
) {
    for entry in walkdir::WalkDir::new(folder).follow_links(true) {
        match entry {
            Ok(entry) if entry.file_type().is_file() => {
                files.entry(entry.into_path()).or_insert(Origin::Found);
            }
            Ok(_) => {}
            // Links in circles lead to what is visited anyway.
            Err(error) if error.loop_ancestor().is_some() => {}
            Err(error) => {
                let path = error.path().unwrap_or(folder);
                // A link to nothing is no package.
                let dangling = std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink());
                if !dangling {
                    unlisted.push((path.to_owned(), error.to_string()));
                }
            }
        }
    }
}
