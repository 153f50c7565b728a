//! The files in a folder, at every depth.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::Links;
use super::leftover::{is_journal, is_temporary, unfinished_in};
use super::links::leads_into;

/// A look for the files in a folder. Links are followed as [`Links`] says, into each folder once: links in circles
/// and links that fan out end.
#[derive(Debug, Clone)]
pub struct Walk<'a> {
    root: &'a Path,
    links: Links,
    depth: usize,
    files_first: bool,
}

/// The files that a [`Walk`] has found, by name.
#[derive(Debug, Default)]
pub struct Walked {
    /// The files.
    pub files: Vec<PathBuf>,
    /// Entries that were passed over: links that lead out of the folder, pipes, devices.
    pub left_out: Vec<LeftOut>,
    /// Folders that can't be listed, with the reason.
    pub unlisted: Vec<(PathBuf, String)>,
    /// Files that are not there, since a replacement of them was cut short: a folder without them looks whole.
    pub unfinished: Vec<PathBuf>,
}

/// Something in a folder that is not looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Where it is.
    pub path: PathBuf,
    /// Whether it is a link that leads out of the folder, which [`Links::Followed`] would follow, and no pipe or
    /// device.
    pub is_link: bool,
}

impl<'a> Walk<'a> {
    /// The whole folder at `root`, which may be a link itself.
    pub fn new(root: &'a Path, links: Links) -> Self {
        Self { root, links, depth: usize::MAX, files_first: false }
    }

    /// Folders in folders only this deep: 1 for the files of the folder itself.
    #[must_use]
    pub fn depth(mut self, depth: usize) -> Self {
        self.depth = depth;
        self
    }

    /// The files of a folder before those of folders in it.
    #[must_use]
    pub fn files_first(mut self) -> Self {
        self.files_first = true;
        self
    }

    /// Looks.
    pub fn run(&self) -> Walked {
        let mut walked = Walked::default();
        let follows = self.links == Links::Followed;
        let walk = walkdir::WalkDir::new(self.root).follow_links(follows).max_depth(self.depth);
        let walk = match self.files_first {
            true => walk.sort_by(|a, b| {
                let key = |entry: &walkdir::DirEntry| entry.file_type().is_dir();
                key(a).cmp(&key(b)).then_with(|| a.file_name().cmp(b.file_name()))
            }),
            false => walk.sort_by_file_name(),
        };
        let mut seen = HashSet::new();
        let mut with_journals: Vec<PathBuf> = Vec::new();
        // Only links make a folder appear twice.
        let is_new = |entry: &walkdir::DirEntry| {
            !follows
                || !entry.file_type().is_dir()
                || entry.path().canonicalize().is_ok_and(|path| seen.insert(path))
        };
        for entry in walk.into_iter().filter_entry(is_new) {
            match entry {
                // What runs that were cut short have left is no file of the folder.
                Ok(entry) if is_temporary(entry.path()) && !entry.file_type().is_dir() => {
                    let folder = entry.path().parent().filter(|_| is_journal(entry.path()));
                    with_journals.extend(folder.map(Path::to_path_buf));
                }
                Ok(entry) if entry.file_type().is_file() => walked.files.push(entry.into_path()),
                Ok(entry) if entry.file_type().is_dir() => {}
                Ok(entry) if entry.file_type().is_symlink() => {
                    self.look_at_link(entry.into_path(), &mut walked);
                }
                Ok(entry) => {
                    walked.left_out.push(LeftOut { path: entry.into_path(), is_link: false });
                }
                // Links in circles lead to what is visited anyway.
                Err(error) if error.loop_ancestor().is_some() => {}
                Err(error) => {
                    let path = error.path().unwrap_or(self.root);
                    // A link to nothing is no file.
                    let is_link = path.symlink_metadata().is_ok_and(|it| it.is_symlink());
                    if !is_link || path == self.root {
                        walked.unlisted.push((path.to_owned(), error.to_string()));
                    }
                }
            }
        }
        with_journals.sort();
        with_journals.dedup();
        walked.unfinished = with_journals.iter().flat_map(|it| unfinished_in(it)).collect();
        walked
    }

    /// A link that is not followed: a file within the folder counts under both names, a folder there is visited
    /// under its own.
    fn look_at_link(&self, path: PathBuf, walked: &mut Walked) {
        let Ok(metadata) = std::fs::metadata(&path) else { return };
        if !leads_into(&path, &[self.root]) {
            walked.left_out.push(LeftOut { path, is_link: true });
        } else if metadata.is_file() {
            walked.files.push(path);
        }
    }
}
