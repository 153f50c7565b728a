//! The files that paths on the command line mean: each one named, and all within folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use farchive::scan::{FileOrigin, FoundFiles};

use crate::containers;
use crate::failure::Failure;
use crate::input;

/// Files in the order of their paths, and what can't be listed, with the reason.
pub type Collected = (BTreeMap<PathBuf, FileOrigin>, Vec<(PathBuf, String)>);

/// The files to look at: folders are searched at every depth.
///
/// # Errors
/// A path that is not there is wrong usage: it says so before a long run, not after it.
pub fn collect(paths: &[PathBuf]) -> Result<Collected, Failure> {
    let (standard, places): (Vec<_>, Vec<_>) =
        paths.iter().cloned().partition(|path| input::is_standard(path));
    let FoundFiles { mut files, unlisted, .. } = search(&places)?;
    files.extend(standard.into_iter().map(|path| (path, FileOrigin::Named)));
    Ok((files, unlisted))
}

/// The files that these places mean, without standard input.
///
/// # Errors
/// A path that is not there, or that leads into a container which can't be opened, is wrong usage.
pub fn search(places: &[PathBuf]) -> Result<FoundFiles, Failure> {
    let open = |path: &Path| containers::open(path, None)?.container(path);
    FoundFiles::search(places, &open).map_err(|error| Failure::Usage(error.into()))
}
