//! Soft references to what is not there.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use super::super::TableKind;
use super::super::depot::integers;
use super::tables::{Lacking, TableReader, each_batch, texts};
use crate::environment::{Finding, external, native};
use crate::error::Result;
use crate::primitive::split_soft_path;

impl TableReader {
    pub(super) fn soft_references(&mut self, folder: &Path) -> Result<()> {
        let columns = ["package_id", "from_i", "kind", "to_path", "to_package"];
        let mut paths: BTreeMap<usize, [HashSet<String>; 2]> = BTreeMap::new();
        each_batch(folder, TableKind::Refs, &columns, self.ids(), |batch| {
            let [kind, path] = ["kind", "to_path"].map(|name| texts(batch, name));
            let (Some(ids), Some(from)) =
                (integers(batch, "package_id"), integers(batch, "from_i"))
            else {
                return;
            };
            for row in 0..batch.num_rows() {
                let Some(&at) = ids(row).and_then(|id| self.by_id.get(&id)) else { continue };
                if kind(row) == "soft" && path(row).len() > 1 && path(row).starts_with('/') {
                    let lists = paths.entry(at).or_default();
                    lists[usize::from(from(row).is_some())].insert(path(row).to_owned());
                }
            }
        })?;
        let mut lacking: BTreeMap<String, Lacking> = BTreeMap::new();
        let mut found = Vec::new();
        // Actors in files of their own: these name no level, so that what a level lacks may be in any of those of it.
        let maps_of_actors: HashSet<String> =
            self.packages.iter().filter_map(|it| external::map_of(&it.name)).collect();
        for (at, [listed, in_bodies]) in paths {
            if !self.packages[at].is_found {
                continue;
            }
            // A package that lists them has no others.
            let mut all: Vec<_> = match listed.is_empty() {
                true => in_bodies.into_iter().collect(),
                false => listed.into_iter().collect(),
            };
            all.sort();
            let mut missing = HashSet::new();
            let name = &self.packages[at].name;
            let soft = all.iter().map(|path| {
                let package = split_soft_path(path).0;
                (package, path[package.len()..].trim_start_matches('.'))
            });
            let former = external::former_selves(name, soft);
            for path in &all {
                let (path, package) = (path.clone(), split_soft_path(path).0);
                if native::is_package(package) || self.roots.elsewhere(package).is_some() {
                    continue;
                }
                let within = &path[package.len()..];
                let object = path[package.len()..].trim_start_matches(['.', ':']).replace(':', ".");
                match self.find(package) {
                    Some(_) if object.is_empty() || self.exports.is_empty() => {}
                    Some(target) if !self.packages[target].is_open => {}
                    Some(target) => {
                        let is_there = self.exports.contains_key(&(target, self.hash(&object)));
                        let from = self.packages[at].name.clone();
                        let finding = match self.redirector_around(target, &object) {
                            Some(redirector) => {
                                let to = self.broken_redirect(target, redirector, None);
                                let object = path.clone();
                                let broken =
                                    |to| Finding::RedirectorBroken { package: from, object, to };
                                to.map(broken)
                            }
                            None if is_there => None,
                            None if self.is_of_the_editor(target, within) => None,
                            None if object.contains(".PersistentLevel.")
                                && maps_of_actors
                                    .contains(&self.packages[target].name.to_ascii_lowercase()) =>
                            {
                                None
                            }
                            None => {
                                let object = path.clone();
                                Some(Finding::SoftObjectMissing { package: from, object })
                            }
                        };
                        found.extend(finding.map(|finding| (finding, at, path)));
                    }
                    None => {
                        let key = package.to_ascii_lowercase();
                        if former.contains(&key) {
                            continue;
                        }
                        if missing.insert(key.clone()) {
                            self.lacks(&mut lacking, at, key, package.to_owned());
                        }
                    }
                }
            }
        }
        for (finding, at, object) in found {
            self.add(&finding, Some(at), Some(object));
        }
        for Lacking { package, needed_by, first, count } in lacking.into_values() {
            let finding =
                Finding::SoftPackageMissing { package: package.clone(), needed_by, count };
            self.add(&finding, Some(first), Some(package));
        }
        Ok(())
    }

    /// Whether the editor makes an object anew, or what is around it.
    fn is_of_the_editor(&self, package: usize, within: &str) -> bool {
        let object = within.trim_start_matches(['.', ':']).replace(':', ".");
        let mut around = object.match_indices('.').map(|(at, _)| &object[..at]);
        external::is_of_the_editor(within)
            || around.any(|path| {
                let known = self.exports.get(&(package, self.hash(path)));
                known.is_some_and(|export| export.is_made_anew)
            })
    }
}
