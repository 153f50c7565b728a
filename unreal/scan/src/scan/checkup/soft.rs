//! Soft references to what is not there.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use super::super::TableKind;
use super::super::depot::integers;
use super::tables::{Lacking, TablePackage, TableReader, each_batch, texts};
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
            let of_package = |package: &str| -> Vec<&str> {
                let of_it = |path: &&str| split_soft_path(path).0.eq_ignore_ascii_case(package);
                let own = all.iter().map(String::as_str).filter(of_it);
                own.map(|path| path[package.len()..].trim_start_matches('.')).collect()
            };
            let name = &self.packages[at].name;
            let last =
                |path: &str| path.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
            let own = last(name);
            let former: HashSet<String> = all
                .iter()
                .map(|path| split_soft_path(path).0)
                .filter(|package| last(package) == own && self.find(package).is_none())
                .filter(|package| external::is_former_self(name, package, of_package(package)))
                .map(str::to_ascii_lowercase)
                .collect();
            for path in &all {
                let (path, package) = (path.clone(), split_soft_path(path).0);
                if former.contains(&package.to_ascii_lowercase()) {
                    continue;
                }
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
                            None if self.may_be_an_actor(target, &object) => None,
                            None => {
                                let object = path.clone();
                                Some(Finding::SoftObjectMissing { package: from, object })
                            }
                        };
                        found.extend(finding.map(|finding| (finding, at, path)));
                    }
                    None => {
                        let key = package.to_ascii_lowercase();
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

    /// Whether an object that a level lacks may be an actor in a file of its own: these name no level.
    fn may_be_an_actor(&self, package: usize, object: &str) -> bool {
        let map = &self.packages[package].name;
        let Some((root, rest)) = map.strip_prefix('/').and_then(|path| path.split_once('/')) else {
            return false;
        };
        let folder = format!("/{root}/__externalactors__/{rest}/").to_ascii_lowercase();
        let is_of_map = |known: &TablePackage| known.name.to_ascii_lowercase().starts_with(&folder);
        object.contains(".PersistentLevel.") && self.packages.iter().any(is_of_map)
    }
}
