//! The files that a scan looks at: those that are named, and all within folders and containers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::FileToScan;
use crate::container::{Containers, GameContainer, is_package};
use crate::environment::Settings;
use crate::error::{Error, Result, UnrealError};
use crate::file::{FileOrigin, LeftOut, Links, Walk, Walked, is_unfinished};
use crate::package::CompanionKind;

/// What a file that an edit has replaced is called behind its name.
const BACKUP: &str = "bak";
/// Blocks of IoStore containers, and signatures.
const PARTS_OF_CONTAINERS: [&str; 2] = ["ucas", "sig"];

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
        let containers = found.files.iter();
        let containers = containers.map(|(path, _)| path);
        let containers =
            containers.filter(|path| GameContainer::is_named_so(path) && path.is_file());
        let containers: Vec<_> = containers.cloned().collect();
        for path in containers {
            match open(&path) {
                Ok(open) => {
                    let rows = (0..open.files().len()).collect();
                    found.add_contained(&path, &open, rows);
                }
                Err(error) => found.unopened.push((path, error)),
            }
        }
        Ok(found)
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
    /// files that are read together with a package or a container, the `.bak` that an edit has left beside its
    /// package, and what lies in one of `without`.
    pub fn into_scan(self, places: &[PathBuf], without: &[PathBuf]) -> Vec<FileToScan> {
        let folders = places.iter().filter(|path| path.is_dir());
        let settings = folders.filter_map(|path| Settings::detect_with(path, self.links).ok());
        let is_mounted = |settings: &Settings| settings.paths.iter().any(|it| it.mount.is_some());
        let settings: Vec<_> = settings.filter(is_mounted).collect();
        // Of a package that is half replaced the copy is no package either.
        let is_there = |file: &Path| file.is_file() || self.unfinished.iter().any(|it| it == file);
        let is_left_out = |file: &Path| {
            let end = file.extension().and_then(|end| end.to_str()).unwrap_or_default();
            let ends = |known: &str| end.eq_ignore_ascii_case(known);
            ends(BACKUP) && is_there(&file.with_extension(""))
                || PARTS_OF_CONTAINERS.into_iter().any(ends)
                || CompanionKind::is_of_a_package(file)
                || without.iter().any(|folder| file.starts_with(folder))
        };
        let files = self.files.into_iter().filter_map(|(file, origin)| {
            let is_named = origin == FileOrigin::Named;
            let is_container = GameContainer::is_named_so(&file) && file.is_file();
            if is_container || !is_named && is_left_out(&file) {
                return None;
            }
            let mount_path = settings.iter().find_map(|settings| settings.mount_path(&file));
            let path = file.display().to_string();
            Some(FileToScan { file, path, mount_path, is_named })
        });
        files.collect()
    }
}
