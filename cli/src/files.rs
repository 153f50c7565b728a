//! The files that paths on the command line mean: each one named, and all within folders.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use unreal_packages::Error;
use unreal_packages::container::Containers;
use unreal_packages::file::LeftOut;
use unreal_packages::scan::{FileOrigin, FoundFiles};

use crate::containers;
use crate::failure::Failure;
use crate::input;
use crate::output::{count, warn_early};

/// Files in the order of their paths.
#[derive(Debug)]
pub struct Collected {
    pub files: BTreeMap<PathBuf, FileOrigin>,
    /// What can't be listed, with the reason.
    pub unlisted: Vec<(PathBuf, String)>,
    /// Containers that can't be opened, likewise: they stand among the files, for commands that open each.
    pub unopened: Vec<(PathBuf, Error)>,
}

/// The files to look at: folders are searched at every depth.
///
/// # Errors
/// A path that is not there is wrong usage: it says so before a long run, not after it.
pub fn collect(paths: &[PathBuf]) -> Result<Collected, Failure> {
    let (standard, places): (Vec<_>, Vec<_>) =
        paths.iter().cloned().partition(|path| input::is_standard(path));
    let FoundFiles { mut files, unlisted, unopened, .. } = search(&places)?;
    files.extend(standard.into_iter().map(|path| (path, FileOrigin::Named)));
    Ok(Collected { files, unlisted, unopened })
}

/// The files that these places mean, without standard input.
///
/// # Errors
/// A path that is not there, or that leads into a container which can't be opened, is wrong usage.
pub fn search(places: &[PathBuf]) -> Result<FoundFiles, Failure> {
    let open = |path: &Path| containers::open(path, None)?.container(path);
    let found = FoundFiles::search(places, input::links(), &open)
        .map_err(|error| Failure::Usage(error.into()))?;
    warn_of_left_out(&found.left_out);
    Ok(found)
}

/// The folder that a file lies in, `.` for a name alone.
pub fn parent_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Whether a word of the command line names a file or folder that is there. What lies in a container is looked for when it is
/// opened.
pub fn is_place(path: &Path) -> bool {
    input::is_standard(path) || path.exists() || Containers::split(path).is_some()
}

/// What is named of what was passed over; more is only counted.
const NAMED: usize = 4;

/// Says what was passed over in folders, since it is missing from every answer.
pub fn warn_of_left_out(left_out: &[LeftOut]) {
    let (links, others): (Vec<_>, Vec<_>) = left_out.iter().partition(|it| it.is_link);
    let named = |all: &[&LeftOut]| {
        let shown = all.iter().take(NAMED).map(|it| it.path.display().to_string());
        let shown = shown.collect::<Vec<_>>().join(", ");
        if all.len() > NAMED { format!("{shown}, …") } else { shown }
    };
    if !links.is_empty() {
        let number = count(links.len() as u64, "link leads", "links lead");
        warn_early(&format!(
            "{number} out of the folder, passed over: {}\n  next: --follow-links follows them",
            named(&links)
        ));
    }
    if !others.is_empty() {
        let number =
            count(others.len() as u64, "pipe, socket or device", "pipes, sockets and devices");
        warn_early(&format!("{number} passed over: {}", named(&others)));
    }
}

/// Says which folders are not searched although an ini file or a link names them.
pub fn warn_of_outside(folders: &[PathBuf]) {
    for folder in folders.iter().take(NAMED) {
        warn_early(&format!(
            "{} lies outside of the folder that was given, and is not searched\n  next: --follow-links searches it",
            folder.display()
        ));
    }
}

/// Says which paths of an ini file are not searched because there are too many.
pub fn warn_of_surplus(paths: &[String]) {
    if paths.is_empty() {
        return;
    }
    let shown = paths.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    let more = if paths.len() > NAMED { ", …" } else { "" };
    let number = count(paths.len() as u64, "path", "paths");
    warn_early(&format!(
        "the ini file has too many paths; {number} of them not searched: {shown}{more}\n  next: name the folders with --env"
    ));
}
