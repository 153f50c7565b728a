//! Class layouts from the packages around one: of the classes and structs that its values are of.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Digest, Environment, FileId};
use crate::package::Package;
use crate::property::Layouts;
use crate::version::UnrealVersions;

/// Packages that one package may learn from: more than any game has code packages.
const MOST: usize = 4096;

/// Declarations of packages, by file.
pub(super) type KnownLayouts = Mutex<HashMap<FileId, Arc<Layouts>>>;

impl Environment {
    /// Gives `package` what the packages declare that it imports from, and those that these build on:
    /// then values of their classes and structs are decoded. What is not there, can't be opened or is of
    /// another engine is passed over.
    pub fn add_class_layouts(&self, package: &mut Package) {
        let engine = package.versions().engine();
        for id in self.sources_of(&Digest::of_tables(package)) {
            if self.digest(id).is_ok_and(|digest| digest.engine().shares_classes(engine)) {
                package.add_class_layouts(&self.layouts(id));
            }
        }
    }

    /// The packages with declarations that a package builds on, nearest first.
    pub(super) fn sources_of(&self, digest: &Digest) -> Vec<FileId> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let note = |digest: &Digest, seen: &mut HashSet<FileId>, waiting: &mut VecDeque<FileId>| {
            let ids = digest.packages().into_iter().filter_map(|name| self.find(name));
            waiting.extend(ids.filter(|id| seen.insert(*id)));
        };
        let mut waiting = VecDeque::new();
        note(digest, &mut seen, &mut waiting);
        while let Some(id) = waiting.pop_front() {
            let Ok(digest) = self.digest(id) else { continue };
            if digest.declares() && found.len() < MOST {
                found.push(id);
                note(&digest, &mut seen, &mut waiting);
            }
        }
        found
    }

    /// Declarations of a package; none when it can't be opened.
    pub fn layouts(&self, id: FileId) -> Arc<Layouts> {
        let known = || self.layouts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(layouts) = known().get(&id) {
            return layouts.clone();
        }
        let layouts = self.open_file(id).map(|package| package.layouts()).unwrap_or_default();
        let layouts = Arc::new(layouts);
        known().insert(id, layouts.clone());
        layouts
    }
}
