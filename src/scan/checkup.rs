//! What is wrong among the packages of a scan, seen in its tables alone.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};

use super::TableKind;
use super::depot::{TableFile, integers, table_files};
use crate::environment::native;
use crate::environment::{Finding, Severity};
use crate::error::Result;
use crate::primitive::PackageFlags;
use crate::version::Engine;

/// Packages that one finding names; more are only counted.
const NAMED: usize = 8;
/// Object flags: other packages may refer to it, before UE4 and from UE4.
const PUBLIC: [i64; 2] = [0x4, 0x1];

/// Something that is wrong, with the package that shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ScanFinding {
    /// The word for the kind of finding.
    pub rule: String,
    /// How bad it is.
    pub severity: Severity,
    /// The file of the package.
    pub path: Option<String>,
    /// The object or package that it is about.
    pub object: Option<String>,
    /// What is wrong.
    pub message: String,
}

/// What [`check_tables`] has found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableCheckup {
    /// Packages that the tables have.
    pub packages: usize,
    /// What is wrong.
    pub findings: Vec<ScanFinding>,
}

/// A package of the scan.
struct KnownPackage {
    id: i64,
    path: String,
    name: String,
    is_open: bool,
    engine: Engine,
    is_cooked: bool,
    guid: Option<String>,
    blake3: String,
    /// Whether its name finds it and not another one.
    is_found: bool,
}

/// What is known of an export.
#[derive(Clone, Copy)]
struct KnownExport {
    class: u64,
    is_redirector: bool,
    is_public: bool,
}

/// A package that is not there, and who needs it.
#[derive(Default)]
struct Lacking {
    package: String,
    needed_by: Vec<String>,
    first: usize,
    count: u64,
}

struct TableReader {
    packages: Vec<KnownPackage>,
    by_id: HashMap<i64, usize>,
    by_name: HashMap<String, Vec<usize>>,
    hasher: RandomState,
    exports: HashMap<(usize, u64), KnownExport>,
    /// Packages that cooked ones carry copies of (UE3).
    carried: HashSet<String>,
    /// Classes that packages import from themselves: only their code has them.
    code_classes: HashSet<(usize, u64)>,
    found: Vec<ScanFinding>,
}

/// What is wrong among the packages of the tables in `folder`: what the scan has found in each, and packages and
/// objects that are missing, have another class or are not public, names and GUIDs that clash. Tables that the scan
/// was not asked for say nothing.
///
/// # Errors
/// `Io`.
pub fn check_tables(folder: &Path) -> Result<TableCheckup> {
    let mut checkup = TableReader::of(folder)?;
    checkup.table_findings(folder)?;
    checkup.same_names();
    checkup.exports(folder)?;
    if !checkup.exports.is_empty() {
        checkup.code_classes(folder)?;
    }
    checkup.imports(folder)?;
    checkup.soft_references(folder)?;
    checkup.same_guids();
    Ok(TableCheckup { packages: checkup.packages.len(), findings: checkup.found })
}

/// Calls `each` for every batch of some columns of a table, with the rows of packages that count.
fn each_batch(
    folder: &Path,
    table: TableKind,
    columns: &[&str],
    wanted: Option<Arc<HashSet<i64>>>,
    mut each: impl FnMut(&RecordBatch),
) -> Result<()> {
    for path in table_files(folder, table)? {
        let mut file = TableFile::open(&path)?.columns(columns);
        if let Some(wanted) = &wanted {
            file = file.packages(wanted.clone());
        }
        for batch in file.read(&path)? {
            each(&batch?);
        }
    }
    Ok(())
}

/// The texts in a column.
fn texts<'a>(batch: &'a RecordBatch, name: &str) -> impl Fn(usize) -> &'a str + use<'a> {
    let column = batch.column_by_name(name).and_then(|column| column.as_string_opt::<i32>());
    move |row| match column {
        Some(column) if column.is_valid(row) => column.value(row),
        _ => "",
    }
}

fn engine_of(text: &str) -> Engine {
    match text {
        "UE1" => Engine::Ue1,
        "UE2" => Engine::Ue2,
        "UE3" => Engine::Ue3,
        "UE4" => Engine::Ue4,
        _ => Engine::Ue5,
    }
}

impl TableReader {
    fn of(folder: &Path) -> Result<Self> {
        let mut packages = Vec::new();
        let columns =
            ["package_id", "path", "mount_path", "blake3", "engine", "flags", "guid", "status"];
        each_batch(folder, TableKind::Packages, &columns, None, |batch| {
            let [path, name, blake3, engine, guid, status] =
                ["path", "mount_path", "blake3", "engine", "guid", "status"]
                    .map(|column| texts(batch, column));
            let (Some(ids), Some(flags)) =
                (integers(batch, "package_id"), integers(batch, "flags"))
            else {
                return;
            };
            for row in 0..batch.num_rows() {
                let Some(id) = ids(row) else { continue };
                let cooked = i64::from(PackageFlags::COOKED.0);
                packages.push(KnownPackage {
                    id,
                    path: path(row).to_owned(),
                    name: name(row).to_owned(),
                    is_open: status(row) == "opened",
                    engine: engine_of(engine(row)),
                    is_cooked: flags(row).unwrap_or(0) & cooked != 0,
                    guid: Some(guid(row).to_owned()).filter(|guid| !guid.is_empty()),
                    blake3: blake3(row).to_owned(),
                    is_found: false,
                });
            }
        })?;
        packages.sort_by(|a, b| a.path.cmp(&b.path));
        let by_id = packages.iter().enumerate().map(|(at, known)| (known.id, at)).collect();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, known) in packages.iter_mut().enumerate() {
            let named = by_name.entry(known.name.to_ascii_lowercase()).or_default();
            known.is_found = named.is_empty();
            named.push(at);
        }
        let (hasher, exports, carried, code_classes, found) = Default::default();
        Ok(Self { packages, by_id, by_name, hasher, exports, carried, code_classes, found })
    }

    /// The ids of all packages.
    fn ids(&self) -> Option<Arc<HashSet<i64>>> {
        Some(Arc::new(self.by_id.keys().copied().collect()))
    }

    fn hash(&self, text: &str) -> u64 {
        self.hasher.hash_one(text.to_ascii_lowercase())
    }

    fn add(&mut self, finding: &Finding, package: Option<usize>, object: Option<String>) {
        let path = package.map(|at| self.packages[at].path.clone());
        self.found.push(ScanFinding {
            rule: finding.word().to_owned(),
            severity: finding.severity(),
            path,
            object,
            message: finding.to_string(),
        });
    }

    /// What the scan has found in each package.
    fn table_findings(&mut self, folder: &Path) -> Result<()> {
        let columns = ["package_id", "rule", "severity", "object", "message"];
        let mut found = Vec::new();
        each_batch(folder, TableKind::Findings, &columns, self.ids(), |batch| {
            let [rule, severity, object, message] =
                ["rule", "severity", "object", "message"].map(|column| texts(batch, column));
            let Some(ids) = integers(batch, "package_id") else { return };
            for row in 0..batch.num_rows() {
                let at = ids(row).and_then(|id| self.by_id.get(&id).copied());
                let object = Some(object(row).to_owned()).filter(|object| !object.is_empty());
                found.push(ScanFinding {
                    rule: rule(row).to_owned(),
                    severity: severity(row).parse().unwrap_or(Severity::Error),
                    path: at.map(|at| self.packages[at].path.clone()),
                    object,
                    message: message(row).to_owned(),
                });
            }
        })?;
        found.sort_by(|a, b| (&a.path, &a.rule, &a.object).cmp(&(&b.path, &b.rule, &b.object)));
        self.found.append(&mut found);
        Ok(())
    }

    fn same_names(&mut self) {
        let mut names: Vec<_> = self.by_name.values().filter(|files| files.len() > 1).collect();
        names.sort();
        let findings: Vec<_> = names
            .into_iter()
            .map(|files| {
                let name = self.packages[files[0]].name.clone();
                let paths = files.iter().map(|&at| self.packages[at].path.clone().into()).collect();
                (Finding::SameName { name: name.clone(), paths }, files[0], name)
            })
            .collect();
        for (finding, at, name) in findings {
            self.add(&finding, Some(at), Some(name));
        }
    }

    fn same_guids(&mut self) {
        let mut by_guid: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        for (at, known) in self.packages.iter().enumerate() {
            if let Some(guid) = &known.guid {
                by_guid.entry(guid).or_default().push(at);
            }
        }
        let differ = |files: &Vec<usize>| {
            files.iter().any(|&at| self.packages[at].blake3 != self.packages[files[0]].blake3)
        };
        let findings: Vec<_> = by_guid
            .into_iter()
            .filter(|(_, files)| differ(files))
            .filter_map(|(guid, files)| {
                let paths = files.iter().map(|&at| self.packages[at].path.clone().into()).collect();
                let finding = Finding::SameGuid { guid: guid.parse().ok()?, paths };
                Some((finding, files[0], guid.to_owned()))
            })
            .collect();
        for (finding, at, guid) in findings {
            self.add(&finding, Some(at), Some(guid));
        }
    }

    /// The package that a name finds.
    fn find(&self, name: &str) -> Option<usize> {
        let name = name.to_ascii_lowercase();
        let found = self.by_name.get(&name).or_else(|| self.by_name.get(&format!("{name}_sf")));
        Some(*found?.first()?)
    }

    fn exports(&mut self, folder: &Path) -> Result<()> {
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
                let (path, class) = (path(row), class(row));
                // A class of the package itself has no package in front.
                let class = match class.contains('.') {
                    true => self.hash(class),
                    false => self.hash(&format!("{}.{class}", known.name)),
                };
                let public = PUBLIC[usize::from(known.engine >= Engine::Ue4)];
                let export = KnownExport {
                    class,
                    is_redirector: texts(batch, "class")(row).ends_with("ObjectRedirector"),
                    is_public: flags(row).unwrap_or(0) & public != 0,
                };
                exports.entry((at, self.hash(path))).or_insert(export);
                let is_package = texts(batch, "class")(row).eq_ignore_ascii_case("Core.Package");
                if known.is_cooked && known.engine == Engine::Ue3 && is_package && outer(row).is_empty()
                {
                    carried.insert(path.to_ascii_lowercase());
                }
            }
        })?;
        (self.exports, self.carried) = (exports, carried);
        Ok(())
    }

    fn code_classes(&mut self, folder: &Path) -> Result<()> {
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

    fn imports(&mut self, folder: &Path) -> Result<()> {
        let columns = ["package_id", "path", "class", "optional", "resolved_package"];
        let mut lacking: BTreeMap<String, Lacking> = BTreeMap::new();
        let mut found = Vec::new();
        // Of the package whose rows come: those without a file, and whether only code could have their objects.
        let mut current: Option<(usize, BTreeMap<String, (String, bool, bool)>)> = None;
        let mut end = |current: &mut Option<(usize, BTreeMap<String, (String, bool, bool)>)>| {
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
                if native::is_package(import.package) {
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
        known.engine == Engine::Ue3
            && known.is_cooked
            && self.carried.contains(&package.to_ascii_lowercase())
    }

    fn lacks(
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
                if export.is_public {
                    return None;
                }
                Finding::NotPublic { package, object: path.clone() }
            }
            Some(export) if export.is_redirector => return None,
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

    fn soft_references(&mut self, folder: &Path) -> Result<()> {
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
            for path in all {
                let package = super::origin::package_of_path(&path);
                if native::is_package(package) {
                    continue;
                }
                let object = path[package.len()..].trim_start_matches(['.', ':']).replace(':', ".");
                match self.find(package) {
                    Some(_) if object.is_empty() || self.exports.is_empty() => {}
                    Some(target) if !self.packages[target].is_open => {}
                    Some(target) => {
                        if !self.exports.contains_key(&(target, self.hash(&object))) {
                            let package = self.packages[at].name.clone();
                            let object = path.clone();
                            let finding = Finding::SoftObjectMissing { package, object };
                            found.push((finding, at, path));
                        }
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
}

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
