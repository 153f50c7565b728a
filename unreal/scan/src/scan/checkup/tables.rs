//! Going through the tables: packages first, then what they have.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, RecordBatch};

use super::super::TableKind;
use super::super::depot::{TableFile, integers, table_files};
use super::redirects::RedirectTarget;
use crate::environment::roots::Roots;
use crate::environment::{Finding, Severity};
use crate::error::Result;
use crate::primitive::PackageFlags;
use crate::version::Engine;

/// Something that is wrong, with the package that shows it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ScanFinding {
    /// The word for the kind of finding.
    pub rule: String,
    /// How bad it is.
    pub severity: Severity,
    /// The file of the package.
    pub path: Option<String>,
    /// The same below the folder that was scanned: what a finding is known by wherever that lies.
    #[serde(skip)]
    pub relative_path: Option<String>,
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
pub(super) struct TablePackage {
    pub(super) id: i64,
    pub(super) path: String,
    pub(super) relative_path: String,
    pub(super) name: String,
    pub(super) is_open: bool,
    pub(super) engine: Engine,
    /// Whether it may carry copies of other packages: cooked ones of UE3.
    pub(super) carries_copies: bool,
    /// The object flag of what other packages may refer to.
    pub(super) public_flag: i64,
    pub(super) guid: Option<String>,
    pub(super) blake3: String,
    /// Whether its name finds it and not another one.
    pub(super) is_found: bool,
}

/// What is known of an export.
#[derive(Clone, Copy)]
pub(super) struct KnownExport {
    pub(super) class: u64,
    pub(super) is_redirector: bool,
    pub(super) is_public: bool,
    /// What is within it comes and goes with each edit.
    pub(super) is_made_anew: bool,
}

/// A package that is not there, and who needs it.
#[derive(Default)]
pub(super) struct Lacking {
    pub(super) package: String,
    pub(super) needed_by: Vec<String>,
    pub(super) first: usize,
    pub(super) count: u64,
}

pub(super) struct TableReader {
    pub(super) packages: Vec<TablePackage>,
    pub(super) by_id: HashMap<i64, usize>,
    pub(super) by_name: HashMap<String, Vec<usize>>,
    pub(super) hasher: RandomState,
    pub(super) exports: HashMap<(usize, u64), KnownExport>,
    /// Where redirectors lead, by package and path.
    pub(super) redirects: HashMap<(usize, u64), RedirectTarget>,
    /// Packages that cooked ones carry copies of (UE3).
    pub(super) carried: HashSet<String>,
    /// Classes that packages import from themselves: only their code has them.
    pub(super) code_classes: HashSet<(usize, u64)>,
    pub(super) found: Vec<ScanFinding>,
    /// The roots of paths that have packages.
    pub(super) roots: Roots,
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
        checkup.redirects(folder)?;
    }
    checkup.imports(folder)?;
    checkup.soft_references(folder)?;
    checkup.same_guids();
    Ok(TableCheckup { packages: checkup.packages.len(), findings: checkup.found })
}

/// Calls `each` for every batch of some columns of a table, with the rows of packages that count.
pub(super) fn each_batch(
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
pub(super) fn texts<'a>(batch: &'a RecordBatch, name: &str) -> impl Fn(usize) -> &'a str + use<'a> {
    let column = batch.column_by_name(name).and_then(|column| column.as_string_opt::<i32>());
    move |row| match column {
        Some(column) if column.is_valid(row) => column.value(row),
        _ => "",
    }
}

/// The engine of a package, its object flag of what other packages may refer to, and whether its cooked packages
/// carry copies of others.
fn facts_of(text: &str) -> (Engine, i64, bool) {
    match text {
        "UE1" => (Engine::Ue1, 0x4, false),
        "UE2" => (Engine::Ue2, 0x4, false),
        "UE3" => (Engine::Ue3, 0x4, true),
        "UE4" => (Engine::Ue4, 0x1, false),
        _ => (Engine::Ue5, 0x1, false),
    }
}

impl TableReader {
    fn of(folder: &Path) -> Result<Self> {
        let mut packages = Vec::new();
        let columns = [
            "package_id",
            "path",
            "relative_path",
            "mount_path",
            "blake3",
            "engine",
            "flags",
            "guid",
            "status",
        ];
        each_batch(folder, TableKind::Packages, &columns, None, |batch| {
            let [path, relative_path, name, blake3, engine, guid, status] =
                ["path", "relative_path", "mount_path", "blake3", "engine", "guid", "status"]
                    .map(|column| texts(batch, column));
            let (Some(ids), Some(flags)) =
                (integers(batch, "package_id"), integers(batch, "flags"))
            else {
                return;
            };
            for row in 0..batch.num_rows() {
                let Some(id) = ids(row) else { continue };
                let cooked = flags(row).unwrap_or(0) & i64::from(PackageFlags::COOKED.0) != 0;
                let (engine, public_flag, may_carry) = facts_of(engine(row));
                packages.push(TablePackage {
                    id,
                    path: path(row).to_owned(),
                    relative_path: relative_path(row).to_owned(),
                    name: name(row).to_owned(),
                    is_open: status(row) == "opened",
                    engine,
                    carries_copies: cooked && may_carry,
                    public_flag,
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
        let (hasher, exports, redirects, carried, code_classes, found) = Default::default();
        let roots = Roots::of_packages(packages.iter().map(|known| known.name.as_str()));
        Ok(Self {
            packages,
            by_id,
            by_name,
            hasher,
            exports,
            redirects,
            carried,
            code_classes,
            found,
            roots,
        })
    }

    /// The ids of all packages.
    pub(super) fn ids(&self) -> Option<Arc<HashSet<i64>>> {
        Some(Arc::new(self.by_id.keys().copied().collect()))
    }

    pub(super) fn hash(&self, text: &str) -> u64 {
        self.hasher.hash_one(text.to_ascii_lowercase())
    }

    pub(super) fn add(
        &mut self,
        finding: &Finding,
        package: Option<usize>,
        object: Option<String>,
    ) {
        let path = package.map(|at| self.packages[at].path.clone());
        let relative_path = package.map(|at| self.packages[at].relative_path.clone());
        self.found.push(ScanFinding {
            relative_path,
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
                    relative_path: at.map(|at| self.packages[at].relative_path.clone()),
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
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let name = name.to_ascii_lowercase();
        let found = self.by_name.get(&name).or_else(|| self.by_name.get(&format!("{name}_sf")));
        Some(*found?.first()?)
    }
}
