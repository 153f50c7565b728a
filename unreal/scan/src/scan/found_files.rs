//! The files that a scan looks at: those that are named, and all within folders and containers.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{FileFault, FileToScan, passed_over};
use crate::container::{Containers, GameContainer, is_package};
use crate::environment::Settings;
use crate::error::{Error, Result, UnrealError, UnrealErrors};
use crate::file::{FileOrigin, LeftOut, Links, Walk, Walked, is_temporary, is_unfinished};

/// Files in the order of their paths.
///
/// A path may lead into a container (`Game.pak/Content/Town.umap`).
#[derive(Debug, Default)]
pub struct FoundFiles {
    /// The files.
    pub files: BTreeMap<PathBuf, FileOrigin>,
    /// Folders that can't be listed, with the reason.
    pub unlisted: Vec<(PathBuf, String)>,
    /// Containers that can't be opened, likewise; they stand among the files.
    pub unopened: Vec<(PathBuf, Error)>,
    /// What was passed over in folders: links that lead out of them, pipes, devices.
    pub left_out: Vec<LeftOut>,
    /// Files that a replacement which was cut short has taken away; they stand among the files, and whoever opens one
    /// is told so.
    unfinished: Vec<PathBuf>,
    links: Links,
    /// Whether the files are those of a listing, and not on this disk.
    is_listing: bool,
}

impl FoundFiles {
    /// Folders are searched at every depth, with these links, and containers stand there with each of their packages;
    /// `open` opens one.
    ///
    /// # Errors
    /// `Io` for a place that is not there, and why a container can't be opened that a place leads into.
    pub fn search(
        places: &[PathBuf],
        links: Links,
        open: &dyn Fn(&Path) -> Result<Arc<GameContainer>>,
    ) -> Result<Self> {
        let mut found = Self { links, ..Self::default() };
        for place in places {
            if let Some((container, inside)) = Containers::split(place) {
                let open = open(&container)?;
                let mut rows = open.within(&inside);
                if rows.is_empty() {
                    rows = vec![open.find(&inside)?];
                }
                found.add_contained(&container, &open, rows);
                continue;
            }
            let facts = std::fs::metadata(place).map_err(|error| match is_unfinished(place) {
                true => UnrealError::Unfinished { path: place.display().to_string() }.into(),
                false => Error::io(place, error),
            })?;
            match facts.is_dir() {
                true => found.add_folder(place, links),
                false => drop(found.files.insert(place.clone(), FileOrigin::Named)),
            }
        }
        found.look_into_containers(open);
        Ok(found)
    }

    /// The files of a listing, such as that of an object store, and those in its containers. `root` is a folder of
    /// this disk that stands for the listed one: it holds what projects are told by (`.uproject`, `.uplugin`, folders
    /// called `Content`) and, empty, the containers.
    pub fn of_listing(
        root: &Path,
        files: impl IntoIterator<Item = PathBuf>,
        open: &dyn Fn(&Path) -> Result<Arc<GameContainer>>,
    ) -> Self {
        let files = files.into_iter().filter(|file| !is_temporary(file));
        let files = files.map(|file| (root.join(file), FileOrigin::Found)).collect();
        let mut found = Self { files, is_listing: true, ..Self::default() };
        found.look_into_containers(open);
        found
    }

    fn look_into_containers(&mut self, open: &dyn Fn(&Path) -> Result<Arc<GameContainer>>) {
        let containers = self.files.keys().filter(|path| self.is_container(path));
        let containers: Vec<_> = containers.cloned().collect();
        for path in containers {
            match open(&path) {
                Ok(open) => {
                    let rows = (0..open.files().len()).collect();
                    self.add_contained(&path, &open, rows);
                }
                Err(error) => self.unopened.push((path, error)),
            }
        }
    }

    fn is_container(&self, path: &Path) -> bool {
        GameContainer::is_named_so(path) && (self.is_listing || path.is_file())
    }

    /// Adds the packages of a container: found ones, also where the container was named, since a table of contents
    /// can call them anything.
    fn add_contained(&mut self, path: &Path, open: &GameContainer, rows: Vec<usize>) {
        let files = rows.into_iter().filter_map(|row| open.files().get(row));
        let packages = files.filter(|file| is_package(file));
        let packages = packages.map(|file| (Containers::join(path, file), FileOrigin::Found));
        self.files.extend(packages);
    }

    fn add_folder(&mut self, folder: &Path, links: Links) {
        let Walked { files, left_out, unlisted, unfinished } = Walk::new(folder, links).run();
        self.left_out.extend(left_out);
        self.unlisted.extend(unlisted);
        // In the order of the map, which is then built without looking for places.
        let here = files.into_iter().map(|path| (path, FileOrigin::Found));
        if self.files.is_empty() {
            self.files = here.collect();
        } else {
            for (path, origin) in here {
                self.files.entry(path).or_insert(origin);
            }
        }
        for path in unfinished {
            self.files.entry(path.clone()).or_insert(FileOrigin::Found);
            self.unfinished.push(path);
        }
    }

    /// What a scan of these `places` looks at: not containers themselves, and of what nobody has named not the
    /// files that are read together with a package or a container, those whose name is that of another kind of file
    /// (`.png`, `.txt`), the `.bak` that an edit has left beside its package, and what lies in one of `without`.
    /// Containers that can't be opened and folders that can't be listed are among them, with the reason: nothing is
    /// passed over without a row.
    pub fn into_scan(self, places: &[PathBuf], without: &[PathBuf]) -> Vec<FileToScan> {
        let folders = places.iter().filter(|path| path.is_dir());
        let settings = folders.filter_map(|path| Settings::detect_with(path, self.links).ok());
        let is_mounted = |settings: &Settings| settings.paths.iter().any(|it| it.mount.is_some());
        let settings: Vec<_> = settings.filter(is_mounted).collect();
        // Of a package that is half replaced the copy is no package either.
        let (is_listing, listed) = (self.is_listing, &self.files);
        let is_there = |file: &Path| match is_listing {
            true => listed.contains_key(file),
            false => file.is_file() || self.unfinished.iter().any(|it| it == file),
        };
        let is_left_out = |file: &Path| {
            passed_over::is_by_name(file, is_there)
                || without.iter().any(|folder| file.starts_with(folder))
        };
        let files = self.files.iter().filter_map(|(file, origin)| {
            let is_named = *origin == FileOrigin::Named;
            if self.is_container(file) || !is_named && is_left_out(file) {
                return None;
            }
            let mount_path = settings.iter().find_map(|settings| settings.mount_path(file));
            Some(FileToScan { mount_path, is_named, ..FileToScan::found(file.clone()) })
        });
        let with_fault = |file: &Path, fault| {
            let is_wanted = !without.iter().any(|folder| file.starts_with(folder));
            let fault = Some(fault);
            is_wanted.then(|| FileToScan { fault, ..FileToScan::found(file.to_owned()) })
        };
        let unlisted = self.unlisted.iter().filter_map(|(folder, reason)| {
            let fault = FileFault { is_unsupported: false, reason: reason.clone() };
            with_fault(folder, fault)
        });
        let unopened = self.unopened.iter().filter_map(|(container, error)| {
            // What only has the name of a container is none.
            let is_none = matches!(error.unreal(), Some(UnrealError::NotAPackage { .. }));
            let fault = || FileFault::of(error);
            (!is_none).then(|| with_fault(container, fault())).flatten()
        });
        let mut files: Vec<_> = files.chain(unlisted).chain(unopened).collect();
        files.sort_by(|a, b| a.file.cmp(&b.file));
        name_below(&mut files, places);
        files
    }
}

/// Says what files are called below the places that were searched: by their full path where two would be called the
/// same.
fn name_below(files: &mut [FileToScan], places: &[PathBuf]) {
    let is_alone = places.len() == 1;
    let bases: Vec<_> = places
        .iter()
        .map(|place| match is_alone && place.is_dir() {
            true => (place.as_path(), place.as_path()),
            false => (place.as_path(), place.parent().unwrap_or(Path::new(""))),
        })
        .collect();
    for file in &mut *files {
        let base = bases.iter().find(|(place, _)| file.file.starts_with(place));
        let below = base.and_then(|(_, base)| file.file.strip_prefix(base).ok());
        // The place itself, where it can't be listed.
        let below = below.filter(|below| !below.as_os_str().is_empty());
        if let Some(below) = below {
            let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
            file.relative_path = parts.join("/");
        }
    }
    let mut counts: HashMap<&str, u32> = HashMap::new();
    for file in &*files {
        *counts.entry(&file.relative_path).or_default() += 1;
    }
    let same: HashSet<String> = counts
        .iter()
        .filter(|(_, count)| **count > 1)
        .map(|(name, _)| (*name).to_owned())
        .collect();
    for file in files.iter_mut().filter(|file| same.contains(&file.relative_path)) {
        file.relative_path.clone_from(&file.path);
    }
}
