//! Imports: packages and objects that are not there, of another class, not public.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use arrow_array::cast::AsArray;

use super::super::TableKind;
use super::super::depot::integers;
use super::tables::{KnownExport, Lacking, TableReader, each_batch, texts};
use crate::environment::{Finding, external, native};
use crate::error::Result;
use crate::version::Engine;

/// Packages that one finding names; more are only counted.
const NAMED: usize = 8;

impl TableReader {
    pub(super) fn exports(&mut self, folder: &Path) -> Result<()> {
        let columns = ["package_id", "path", "class", "outer", "flags"];
        let mut exports = std::mem::take(&mut self.exports);
        let mut carried = std::mem::take(&mut self.carried);
        each_batch(folder, TableKind::Exports, &columns, self.ids(), |batch| {
            let [path, class, outer] = ["path", "class", "outer"].map(|name| texts(batch, name));
            let (Some(ids), Some(flags)) =
                (integers(batch, "package_id"), integers(batch, "flags"))
            else {
                return;
            };
            for row in 0..batch.num_rows() {
                let Some(&at) = ids(row).and_then(|id| self.by_id.get(&id)) else { continue };
                let known = &self.packages[at];
                let (path, written) = (path(row), class(row));
                // A class of the package itself has no package in front.
                let class = match written.contains('.') {
                    true => self.hash(written),
                    false => self.hash(&format!("{}.{written}", known.name)),
                };
                let export = KnownExport {
                    class,
                    is_redirector: written.ends_with("ObjectRedirector"),
                    is_public: flags(row).unwrap_or(0) & known.public_flag != 0,
                    is_made_anew: external::is_made_anew(written),
                };
                exports.entry((at, self.hash(path))).or_insert(export);
                let is_group =
                    written.eq_ignore_ascii_case("Core.Package") && outer(row).is_empty();
                if is_group && known.carries_copies {
                    carried.insert(path.to_ascii_lowercase());
                }
            }
        })?;
        (self.exports, self.carried) = (exports, carried);
        Ok(())
    }

    pub(super) fn code_classes(&mut self, folder: &Path) -> Result<()> {
        let columns = ["package_id", "path", "class", "resolved_package"];
        let mut code_classes = HashSet::new();
        each_batch(folder, TableKind::Imports, &columns, self.ids(), |batch| {
            let [path, class, of] =
                ["path", "class", "resolved_package"].map(|name| texts(batch, name));
            let Some(ids) = integers(batch, "package_id") else { return };
            for row in 0..batch.num_rows() {
                let Some(&at) = ids(row).and_then(|id| self.by_id.get(&id)) else { continue };
                let is_own = of(row).eq_ignore_ascii_case(&self.packages[at].name);
                if is_own && class(row).eq_ignore_ascii_case("Core.Class") {
                    let name = path(row).rsplit('.').next().unwrap_or_default();
                    code_classes.insert((at, self.hash(name)));
                }
            }
        })?;
        self.code_classes = code_classes;
        Ok(())
    }

    pub(super) fn imports(&mut self, folder: &Path) -> Result<()> {
        let columns = ["package_id", "path", "class", "optional", "resolved_package"];
        let mut lacking: BTreeMap<String, Lacking> = BTreeMap::new();
        let mut found = Vec::new();
        // Of the package whose rows come: those without a file, and whether only code could have their objects.
        let mut current: Option<ImportsOfPackage> = None;
        let mut end = |current: &mut Option<ImportsOfPackage>| {
            let Some((at, packages)) = current.take() else { return };
            for (key, (package, has_objects, is_native)) in packages {
                if !(has_objects && is_native) {
                    self.lacks(&mut lacking, at, key, package);
                }
            }
        };
        each_batch(folder, TableKind::Imports, &columns, self.ids(), |batch| {
            let [path, class, of] =
                ["path", "class", "resolved_package"].map(|name| texts(batch, name));
            let optional = batch.column_by_name("optional").and_then(|it| it.as_boolean_opt());
            let (Some(ids), Some(optional)) = (integers(batch, "package_id"), optional) else {
                return;
            };
            for row in 0..batch.num_rows() {
                let Some(&at) = ids(row).and_then(|id| self.by_id.get(&id)) else { continue };
                if current.as_ref().is_none_or(|(known, _)| *known != at) {
                    end(&mut current);
                    current = Some((at, BTreeMap::new()));
                }
                let Some((_, packages)) = &mut current else { continue };
                if optional.value(row) || !self.packages[at].is_found {
                    continue;
                }
                let import = TableImport { path: path(row), class: class(row), package: of(row) };
                let is_elsewhere = self.roots.elsewhere(import.package).is_some();
                if native::is_package(import.package) || is_elsewhere {
                    continue;
                }
                match self.find(import.package) {
                    Some(target) => found.extend(self.object(at, target, import)),
                    None if self.is_carried(at, import.package) => {}
                    None => {
                        let key = import.package.to_ascii_lowercase();
                        let new = || (import.package.to_owned(), false, true);
                        let entry = packages.entry(key).or_insert_with(new);
                        if import.object().is_some() {
                            entry.1 = true;
                            entry.2 &= import.is_native(self.packages[at].engine);
                        }
                    }
                }
            }
        })?;
        end(&mut current);
        for (finding, at, object) in found {
            self.add(&finding, Some(at), Some(object));
        }
        for Lacking { package, needed_by, first, count } in lacking.into_values() {
            let finding = Finding::PackageMissing { package: package.clone(), needed_by, count };
            self.add(&finding, Some(first), Some(package));
        }
        Ok(())
    }

    fn is_carried(&self, at: usize, package: &str) -> bool {
        let known = &self.packages[at];
        known.carries_copies && self.carried.contains(&package.to_ascii_lowercase())
    }

    pub(super) fn lacks(
        &self,
        lacking: &mut BTreeMap<String, Lacking>,
        at: usize,
        key: String,
        package: String,
    ) {
        let new = || Lacking { package, first: at, ..Lacking::default() };
        let entry = lacking.entry(key).or_insert_with(new);
        entry.count += 1;
        if entry.needed_by.len() < NAMED {
            entry.needed_by.push(self.packages[at].name.clone());
        }
    }

    /// What is wrong with an import of an object of a package that is there.
    fn object(
        &self,
        at: usize,
        target: usize,
        import: TableImport<'_>,
    ) -> Option<(Finding, usize, String)> {
        let known = &self.packages[target];
        let object = import.object()?;
        // Without exports nothing can be said of objects.
        if !known.is_open || self.exports.is_empty() {
            return None;
        }
        let package = self.packages[at].name.clone();
        let (path, class) = (import.path.to_owned(), import.class.to_owned());
        let finding = match self.exports.get(&(target, self.hash(object))) {
            Some(export) if export.class == self.hash(import.class) => {
                let belongs = [&package, &known.name].map(|name| external::is_part_of_a_map(name));
                if export.is_public || belongs.contains(&true) {
                    return None;
                }
                Finding::NotPublic { package, object: path.clone() }
            }
            Some(export) if export.is_redirector => {
                let to = self.broken_redirect(target, object, Some(self.hash(import.class)))?;
                Finding::RedirectorBroken { package, object: path.clone(), to }
            }
            _ if import.is_native(self.packages[at].engine) => return None,
            Some(_) => {
                let found = "of another class".to_owned();
                Finding::ClassDiffers { package, object: path.clone(), class, found }
            }
            None => {
                let name = object.rsplit('.').next().unwrap_or(object);
                let is_class = import.class.eq_ignore_ascii_case("Core.Class");
                if is_class && self.code_classes.contains(&(target, self.hash(name))) {
                    return None;
                }
                let near = Vec::new();
                Finding::ObjectMissing { package, object: path.clone(), class, near }
            }
        };
        Some((finding, at, path))
    }
}

/// The imports of one package from packages without a file: by name in lower case the name, whether it has objects of
/// them, and whether only code could have all of those.
type ImportsOfPackage = (usize, BTreeMap<String, (String, bool, bool)>);

/// An import of the table.
#[derive(Clone, Copy)]
struct TableImport<'a> {
    path: &'a str,
    class: &'a str,
    package: &'a str,
}

impl<'a> TableImport<'a> {
    /// The path within its package; `None` for the package itself.
    fn object(self) -> Option<&'a str> {
        let head = self.path.get(..self.package.len())?;
        let rest = self.path[self.package.len()..].strip_prefix('.')?;
        head.eq_ignore_ascii_case(self.package).then_some(rest)
    }

    /// Whether it may exist in code alone.
    fn is_native(self, engine: Engine) -> bool {
        let class = self.class.rsplit('.').next().unwrap_or_default();
        let name = self.path.rsplit('.').next().unwrap_or_default();
        native::is_object(self.package, class, name, engine)
    }
}
