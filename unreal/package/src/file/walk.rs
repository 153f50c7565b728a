//! The files in a folder, at every depth.

use std::collections::{BTreeSet, HashSet};
use std::ffi::OsStr;
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

    /// Looks, and holds all that is found.
    pub fn run(&self) -> Walked {
        let mut walked = Walked::default();
        for step in self.steps() {
            match step {
                WalkStep::File(path) => walked.files.push(path),
                WalkStep::Unfinished(path) => walked.unfinished.push(path),
                WalkStep::LeftOut(entry) => walked.left_out.push(entry),
                WalkStep::Unlisted(path, reason) => walked.unlisted.push((path, reason)),
            }
        }
        walked
    }

    /// Looks while the steps are taken, in the order of the paths: only the entries of one folder and of those around
    /// it are held.
    pub fn steps(&self) -> WalkSteps {
        let follows = self.links == Links::Followed;
        let walk = walkdir::WalkDir::new(self.root).follow_links(follows).max_depth(self.depth);
        let files_first = self.files_first;
        let walk = walk.sort_by(move |a, b| {
            // A journal tells of files that stand anywhere in its folder, and of names that are no text their shown
            // form counts.
            let key = |entry: &walkdir::DirEntry| {
                (!is_journal(entry.path()), files_first && entry.file_type().is_dir())
            };
            let name = |a: &OsStr, b: &OsStr| {
                a.to_string_lossy().cmp(&b.to_string_lossy()).then_with(|| a.cmp(b))
            };
            key(a).cmp(&key(b)).then_with(|| name(a.file_name(), b.file_name()))
        });
        WalkSteps {
            root: self.root.to_owned(),
            follows,
            walk: walk.into_iter(),
            seen: HashSet::new(),
            with_journals: None,
            unfinished: BTreeSet::new(),
            held: None,
        }
    }
}

/// One thing that a [`Walk`] finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WalkStep {
    /// A file.
    File(PathBuf),
    /// A file that is not there, since a replacement of it was cut short.
    Unfinished(PathBuf),
    /// An entry that is passed over.
    LeftOut(LeftOut),
    /// A folder that can't be listed, with the reason.
    Unlisted(PathBuf, String),
}

impl WalkStep {
    fn path(&self) -> &Path {
        match self {
            Self::File(path) | Self::Unfinished(path) | Self::Unlisted(path, _) => path,
            Self::LeftOut(entry) => &entry.path,
        }
    }
}

/// The steps of a [`Walk`].
#[derive(Debug)]
pub struct WalkSteps {
    root: PathBuf,
    follows: bool,
    walk: walkdir::IntoIter,
    /// Folders, where links are followed: only links make one appear twice.
    seen: HashSet<PathBuf>,
    /// The folder whose journals were read last.
    with_journals: Option<PathBuf>,
    /// Unfinished files whose place has not come yet.
    unfinished: BTreeSet<PathBuf>,
    held: Option<WalkStep>,
}

impl Iterator for WalkSteps {
    type Item = WalkStep;

    fn next(&mut self) -> Option<WalkStep> {
        let Some(step) = self.held.take().or_else(|| self.look()) else {
            return self.unfinished.pop_first().map(WalkStep::Unfinished);
        };
        if self.unfinished.first().is_some_and(|first| **first < *step.path()) {
            self.held = Some(step);
            return self.unfinished.pop_first().map(WalkStep::Unfinished);
        }
        Some(step)
    }
}

impl WalkSteps {
    /// The next entry of the folder that is told of.
    fn look(&mut self) -> Option<WalkStep> {
        loop {
            match self.walk.next()? {
                // What runs that were cut short have left is no file of the folder.
                Ok(entry) if is_temporary(entry.path()) && !entry.file_type().is_dir() => {
                    self.read_journals(entry.path());
                }
                Ok(entry) if entry.file_type().is_file() => {
                    return Some(WalkStep::File(entry.into_path()));
                }
                Ok(entry) if entry.file_type().is_dir() => {
                    if self.follows
                        && !dunce::canonicalize(entry.path()).is_ok_and(|it| self.seen.insert(it))
                    {
                        self.walk.skip_current_dir();
                    }
                }
                Ok(entry) if entry.file_type().is_symlink() => {
                    if let Some(step) = self.look_at_link(entry.into_path()) {
                        return Some(step);
                    }
                }
                Ok(entry) => {
                    let path = entry.into_path();
                    return Some(WalkStep::LeftOut(LeftOut { path, is_link: false }));
                }
                // Links in circles lead to what is visited anyway.
                Err(error) if error.loop_ancestor().is_some() => {}
                Err(error) => {
                    let path = error.path().unwrap_or(&self.root);
                    // A link to nothing is no file.
                    let is_link = path.symlink_metadata().is_ok_and(|it| it.is_symlink());
                    if !is_link || path == self.root {
                        return Some(WalkStep::Unlisted(path.to_owned(), error.to_string()));
                    }
                }
            }
        }
    }

    /// All journals of a folder are read at the first of them.
    fn read_journals(&mut self, file: &Path) {
        let Some(folder) = file.parent().filter(|_| is_journal(file)) else { return };
        if self.with_journals.as_deref() != Some(folder) {
            self.with_journals = Some(folder.to_owned());
            self.unfinished.extend(unfinished_in(folder));
        }
    }

    /// A link that is not followed: a file within the folder counts under both names, a folder there is visited
    /// under its own.
    fn look_at_link(&self, path: PathBuf) -> Option<WalkStep> {
        let metadata = std::fs::metadata(&path).ok()?;
        if !leads_into(&path, &[&*self.root]) {
            return Some(WalkStep::LeftOut(LeftOut { path, is_link: true }));
        }
        metadata.is_file().then_some(WalkStep::File(path))
    }
}
