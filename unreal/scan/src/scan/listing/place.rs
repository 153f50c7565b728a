//! The files of one place.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::{FileFault, FileToScan, passed_over};
use super::note::{ContainerOpener, ListingNote};
use crate::container::{Containers, GameContainer, is_package};
use crate::environment::Settings;
use crate::error::{Error, Result, UnrealError, UnrealErrors};
use crate::file::{Links, Walk, WalkStep, WalkSteps, is_unfinished};

/// A file, or what stands for those that can't be seen.
#[derive(Debug)]
pub(super) struct Listed {
    pub file: PathBuf,
    /// As it is shown: by that files are in order, since names may be no text.
    pub shown: String,
    pub is_named: bool,
    pub fault: Option<FileFault>,
}

impl Listed {
    pub fn new(file: PathBuf, is_named: bool, fault: Option<FileFault>) -> Self {
        Self { shown: file.display().to_string(), file, is_named, fault }
    }

    /// What is scanned, which other packages call as one of these settings says.
    pub fn into_file(self, relative_path: String, settings: &[Settings]) -> FileToScan {
        let Self { file, shown: path, is_named, fault } = self;
        let mounts = || settings.iter().find_map(|settings| settings.mount_path(&file));
        let mount_path = if fault.is_none() { mounts() } else { None };
        FileToScan { file, path, relative_path, mount_path, is_named, content_key: None, fault }
    }
}

/// The files of a place in order, while they are asked for.
pub(super) struct PlaceFiles {
    /// A place that is no folder.
    named: Option<PathBuf>,
    walk: Option<WalkSteps>,
    /// Packages of the container that was met last.
    contained: VecDeque<Listed>,
    without: Vec<PathBuf>,
    open: ContainerOpener,
}

impl PlaceFiles {
    pub fn new(
        place: &Path,
        without: &[PathBuf],
        links: Links,
        open: ContainerOpener,
    ) -> Result<Self> {
        let (mut contained, mut named, mut walk) = (VecDeque::new(), None, None);
        if let Some((container, inside)) = Containers::split(place) {
            let opened = open(&container)?;
            let mut rows = opened.within(&inside);
            if rows.is_empty() {
                rows = vec![opened.find(&inside)?];
            }
            contained = packages(&container, &opened, rows);
        } else {
            let facts = std::fs::metadata(place).map_err(|error| match is_unfinished(place) {
                true => UnrealError::Unfinished { path: place.display().to_string() }.into(),
                false => Error::io(place, error),
            })?;
            match facts.is_dir() {
                true => walk = Some(Walk::new(place, links).steps()),
                false => named = Some(place.to_owned()),
            }
        }
        Ok(Self { named, walk, contained, without: without.to_vec(), open })
    }

    /// The next file; what else there is to say is noted.
    pub fn next(&mut self, note: &mut dyn FnMut(ListingNote)) -> Option<Listed> {
        loop {
            if let Some(listed) = self.contained.pop_front() {
                if self.is_wanted(&listed.file) {
                    return Some(listed);
                }
                continue;
            }
            if let Some(file) = self.named.take() {
                if !GameContainer::is_named_so(&file) {
                    return Some(Listed::new(file, true, None));
                }
                self.look_into(file, note);
                continue;
            }
            match self.walk.as_mut()?.next()? {
                WalkStep::File(file) if GameContainer::is_named_so(&file) => {
                    self.look_into(file, note);
                }
                WalkStep::File(file) | WalkStep::Unfinished(file) => {
                    // Of a package that is half replaced the copy is no package either.
                    let is_there = |file: &Path| file.is_file() || is_unfinished(file);
                    if self.is_wanted(&file) && !passed_over::is_by_name(&file, is_there) {
                        return Some(Listed::new(file, false, None));
                    }
                }
                WalkStep::Unlisted(folder, reason) => {
                    let fault = FileFault::because(&reason);
                    note(ListingNote::Unlisted(folder.clone(), reason));
                    if self.is_wanted(&folder) {
                        return Some(Listed::new(folder, false, Some(fault)));
                    }
                }
                WalkStep::LeftOut(entry) => note(ListingNote::LeftOut(entry)),
            }
        }
    }

    fn is_wanted(&self, file: &Path) -> bool {
        !self.without.iter().any(|folder| file.starts_with(folder))
    }

    /// Lists the packages of a container: found ones, also where the container was named, since a table of contents
    /// can call them anything.
    fn look_into(&mut self, container: PathBuf, note: &mut dyn FnMut(ListingNote)) {
        let (packages, error) = look_into(&container, &*self.open);
        self.contained = packages;
        if let Some(error) = error {
            note(ListingNote::Unopened(container, error));
        }
    }
}

/// The packages of a container, in order; it stands there itself where it can't be opened, for the reason.
pub(super) fn look_into(
    container: &Path,
    open: &dyn Fn(&Path) -> Result<Arc<GameContainer>>,
) -> (VecDeque<Listed>, Option<Error>) {
    match open(container) {
        Ok(opened) => (packages(container, &opened, (0..opened.files().len()).collect()), None),
        Err(error) => {
            // What only has the name of a container is none.
            let is_none = matches!(error.unreal(), Some(UnrealError::NotAPackage { .. }));
            let fault = || Some(FileFault::of(&error));
            let stands = (!is_none).then(|| Listed::new(container.to_owned(), false, fault()));
            (stands.into_iter().collect(), Some(error))
        }
    }
}

/// Some files of a container that are packages, in order.
fn packages(path: &Path, open: &Arc<GameContainer>, rows: Vec<usize>) -> VecDeque<Listed> {
    let files = rows.into_iter().filter_map(|row| open.files().get(row));
    let packages = files.filter(|file| is_package(file));
    let mut listed: Vec<_> = packages
        .map(|file| Listed::new(Containers::join(path, file), false, None))
        .filter(|listed| !passed_over::is_by_name(&listed.file, |_| false))
        .collect();
    listed.sort_by(|a, b| Path::new(&a.shown).cmp(Path::new(&b.shown)));
    listed.dedup_by(|a, b| a.file == b.file);
    listed.into()
}

/// Whether these say what packages are called.
pub(super) fn is_mounted(settings: &Settings) -> bool {
    settings.paths.iter().any(|path| path.mount.is_some())
}
