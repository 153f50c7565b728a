//! Files that are looked at: those that are named, and all within folders and containers, at once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::container::{Containers, GameContainer, is_package};
use crate::error::{Error, Result, UnrealError};
use crate::file::{FileOrigin, LeftOut, Links, Walk, Walked, is_unfinished};

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
        let mut found = Self::default();
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

    fn look_into_containers(&mut self, open: &dyn Fn(&Path) -> Result<Arc<GameContainer>>) {
        let is_container = |path: &&PathBuf| GameContainer::is_named_so(path) && path.is_file();
        let containers = self.files.keys().filter(is_container);
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
        // The error of opening one of these says what has become of it.
        for path in unfinished {
            self.files.entry(path).or_insert(FileOrigin::Found);
        }
    }
}
