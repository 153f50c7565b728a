//! The files of a folder that a container can hold.

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use unreal_packages::error::UnrealError;
use unreal_packages::file::{Links, acts_by_itself, backed_up, is_temporary, unfinished_in};

use crate::containers;
use crate::failure::Failure;
use crate::files::parent_of;
use crate::input;

/// What a folder holds: the files with their paths in a container, and what such a path can't name.
#[derive(Debug, Default)]
pub struct Found {
    /// Paths in the container, and where the files are.
    pub files: Vec<(String, PathBuf)>,
    /// What is left out, with the reason.
    pub left_out: Vec<(PathBuf, String)>,
    /// Files that edits have kept beside those that they changed, which no game wants.
    pub backups: Vec<PathBuf>,
}

/// Searches a folder at every depth. Links are left out unless `--follow-links` says otherwise, each folder then
/// counting once.
///
/// # Errors
/// The folder itself can't be read; two files have one path to a game, which ignores case; a replacement was cut short
/// in it, so that a container would hold a part of a set.
pub fn walk(folder: &Path) -> Result<Found, Failure> {
    let mut found = Found::default();
    let mut empty: HashSet<PathBuf> = HashSet::new();
    let follows = input::links() == Links::Followed;
    let (mut visited, mut with_leftovers) = (HashSet::new(), HashSet::new());
    let walk = walkdir::WalkDir::new(folder).follow_links(follows).sort_by_file_name();
    let mut entries = walk.into_iter();
    while let Some(entry) = entries.next() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) if error.depth() == 0 => {
                return Err(Failure::Failed(anyhow::Error::new(error)));
            }
            // Links in circles lead to what is visited anyway.
            Err(error) if error.loop_ancestor().is_some() => {
                if let Some(parent) = error.path().and_then(Path::parent) {
                    empty.remove(parent);
                }
                continue;
            }
            Err(error) => {
                let path = error.path().unwrap_or(folder).to_owned();
                found.left_out.push((path, error.to_string()));
                continue;
            }
        };
        if let Some(parent) = entry.path().parent() {
            empty.remove(parent);
        }
        let kind = entry.file_type();
        if follows
            && kind.is_dir()
            && !dunce::canonicalize(entry.path()).is_ok_and(|it| visited.insert(it))
        {
            entries.skip_current_dir();
            continue;
        }
        if entry.depth() == 0 {
            continue;
        }
        if let Some(reason) = fault(entry.file_name()) {
            found.left_out.push((entry.path().to_owned(), reason.to_owned()));
            if kind.is_dir() {
                entries.skip_current_dir();
            } else if is_temporary(entry.path()) {
                with_leftovers.extend(entry.path().parent().map(Path::to_path_buf));
            }
        } else if kind.is_dir() {
            empty.insert(entry.path().to_owned());
        } else if kind.is_file() && is_kept_by_an_edit(entry.path()) {
            found.backups.push(entry.into_path());
        } else if kind.is_file() {
            let inside = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            let parts: Vec<_> = inside.iter().filter_map(OsStr::to_str).collect();
            found.files.push((parts.join("/"), entry.path().to_owned()));
        } else {
            let reason = if kind.is_symlink() {
                "it is a link, which --follow-links packs"
            } else {
                "it is no regular file"
            };
            found.left_out.push((entry.path().to_owned(), reason.to_owned()));
        }
    }
    if let Some(path) = with_leftovers.iter().flat_map(|folder| unfinished_in(folder)).min() {
        let error: unreal_packages::Error =
            UnrealError::Unfinished { path: path.display().to_string() }.into();
        return Err(error.into());
    }
    let mut empty: Vec<_> = empty.into_iter().collect();
    empty.sort();
    let empty = empty.into_iter().map(|path| (path, "it is an empty folder".to_owned()));
    found.left_out.extend(empty);
    refuse_clashes(&found.files)?;
    Ok(found)
}

/// Whether a file is the backup that an edit has left beside what it changed, or the list of a run's backups.
fn is_kept_by_an_edit(path: &Path) -> bool {
    let is_list = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("upk-run"));
    is_list || backed_up(path).is_some_and(|original| original.is_file())
}

/// Why no path in a container can have this part.
fn fault(name: &OsStr) -> Option<&'static str> {
    match name.to_str() {
        None => Some("its name is no Unicode text"),
        Some(name) if name.contains('\\') => Some("a backslash in its name would be a folder"),
        Some(name) if acts_by_itself(name) => Some("it is for git or for upk itself"),
        Some(_) => None,
    }
}

/// A game finds files whatever their case, and so would find one of two.
fn refuse_clashes(files: &[(String, PathBuf)]) -> Result<(), Failure> {
    let mut known: HashMap<String, &str> = HashMap::with_capacity(files.len());
    let clashes = files.iter().filter_map(|(inside, _)| {
        let other = known.insert(inside.to_lowercase(), inside)?;
        Some(format!("'{other}' and '{inside}'"))
    });
    let clashes: Vec<_> = clashes.collect();
    if clashes.is_empty() {
        return Ok(());
    }
    let next = "give each a name of its own";
    let clashes = clashes.join(", ");
    Err(Failure::failed(format!(
        "a game finds files whatever their case, so that these are one: {clashes}\n  next: {next}"
    )))
}

/// A container within the folder that it is made of would hold itself when that is packed again.
///
/// # Errors
/// For such an output.
pub fn refuse_inside(output: &Path, folder: &Path) -> Result<(), Failure> {
    let parent = parent_of(output);
    let (Ok(parent), Ok(folder)) = (parent.canonicalize(), folder.canonicalize()) else {
        return Ok(());
    };
    if !parent.starts_with(&folder) {
        return Ok(());
    }
    let files = containers::parts(output);
    let shown: Vec<_> = files.iter().map(|path| path.display().to_string()).collect();
    let next = "name a file outside of the folder";
    Err(Failure::usage(format!(
        "{} would lie in the folder that is packed\n  next: {next}",
        shown.join(", ")
    )))
}
