//! Actors in files of their own (UE5).

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::external::map_of;
use super::installation::lower;
use super::{Environment, FileId};

/// The packages of one actor or object each, by the map that they belong to, in lower case.
#[derive(Debug, Default)]
pub(super) struct ActorFiles(HashMap<String, OfMap>);

#[derive(Debug, Default)]
struct OfMap {
    files: Vec<FileId>,
    /// What they hold, in lower case: read when a reference to the map finds nothing there, which may be so for each of
    /// thousands.
    names: OnceLock<HashSet<Box<str>>>,
}

impl Environment {
    /// Whether a level has an actor of this name in a file of its own.
    pub(super) fn has_actor(&self, map: &str, name: &str) -> bool {
        let Some(of_map) = self.actor_files(map) else { return false };
        let names = of_map.names.get_or_init(|| {
            let mut names = HashSet::new();
            for digest in of_map.files.iter().filter_map(|&file| self.digest(file).ok()) {
                names.extend(digest.exports.iter().map(|export| lower(digest.text(export.name))));
            }
            names
        });
        names.contains(&lower(name))
    }

    fn actor_files(&self, map: &str) -> Option<&OfMap> {
        let maps = self.actor_files.get_or_init(|| {
            let mut maps = ActorFiles::default();
            for (id, file) in self.files() {
                if let Some(map) = map_of(&file.name) {
                    maps.0.entry(map).or_default().files.push(id);
                }
            }
            maps
        });
        maps.0.get(&map.to_ascii_lowercase())
    }

    /// The packages of one actor each that belong to a map (`/Game/Maps/Town`): of several with one name that which it finds.
    pub fn actor_packages(&self, map: &str) -> Vec<FileId> {
        let files = self.actor_files(map).map(|of_map| of_map.files.as_slice()).unwrap_or_default();
        files.iter().copied().filter(|file| self.is_found(*file)).collect()
    }
}
