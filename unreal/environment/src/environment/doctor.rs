//! Doctor: the faults in a folder of packages.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use super::definition::SERVER_SIDE_ONLY;
use super::graph::circles;
use super::{Dependency, Environment, FileId, Finding, NamedPackage, Outcome, Resolution};
use crate::Guid;
use crate::file;
use crate::package::Package;

/// Packages that one finding names; more are only counted.
const NAMED: usize = 8;

/// How a checkup goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checkup {
    /// Steps that are done: every file is read once and compared once.
    pub done: usize,
    /// Steps in all.
    pub total: usize,
}

/// The facts of each package that the comparisons at the end need.
#[derive(Debug, Clone, Copy, Default)]
struct CheckedPackage {
    guid: Guid,
    bytes: u64,
    readable: bool,
    code: bool,
    server_side_only: bool,
}

/// A package that is not there, and who needs it.
#[derive(Debug, Default)]
struct Missing {
    package: String,
    needed_by: Vec<String>,
    count: u64,
    /// Who was counted last: the imports of one package come together.
    last: Option<String>,
}

impl Environment {
    /// Looks at every package and at how they fit together; `progress` hears how it goes on.
    ///
    /// Each package is opened once; what can't be opened is a finding, a container as well. Copies of other packages in cooked
    /// ones count as those packages' objects.
    pub fn doctor(&self, progress: &mut dyn FnMut(Checkup)) -> Vec<Finding> {
        let total = 2 * self.len();
        let unopened = self.unopened_containers().iter();
        let mut findings: Vec<_> = unopened
            .map(|(path, reason)| Finding::Unreadable {
                path: path.clone(),
                reason: reason.clone(),
            })
            .collect();
        let mut kept = vec![CheckedPackage::default(); self.len()];
        for (done, (id, file)) in self.files().enumerate() {
            progress(Checkup { done, total });
            match self.digest(id) {
                Ok(digest) => {
                    kept[id.0 as usize] = CheckedPackage {
                        guid: digest.guid,
                        bytes: digest.bytes,
                        readable: true,
                        code: digest.has_code(),
                        server_side_only: digest.flags & SERVER_SIDE_ONLY != 0,
                    };
                }
                Err(error) => findings.push(Finding::Unreadable {
                    path: file.path.clone(),
                    reason: error.to_string(),
                }),
            }
        }
        self.same_names(&mut findings);
        let mut missing = BTreeMap::new();
        let mut needs: HashMap<FileId, Vec<FileId>> = HashMap::new();
        for (done, (id, file)) in self.files().enumerate() {
            progress(Checkup { done: self.len() + done, total });
            // A shadowed file is never loaded: what it imports does not matter.
            let (true, Ok(digest)) = (self.is_found(id), self.digest(id)) else { continue };
            let resolutions = self.resolve_digest(digest.clone(), &file.name).into_iter();
            for resolution in resolutions.filter(|resolution| !resolution.is_fine()) {
                note(&file.name, resolution, &mut missing, &mut findings);
            }
            let is_other = |other: &FileId| *other != id && !self.is_cached(*other);
            let found = |name: &&str| self.find(name).filter(is_other);
            let needed: Vec<FileId> = digest.packages().iter().filter_map(found).collect();
            self.flags(id, &needed, &kept, &mut findings);
            let is_code = |other: &FileId| kept[other.0 as usize].code;
            if is_code(&id) {
                needs.insert(id, needed.into_iter().filter(is_code).collect());
            }
        }
        progress(Checkup { done: total, total });
        findings.extend(missing_packages(missing));
        self.build_order(&needs, &mut findings);
        self.sent(&kept, &mut findings);
        self.named(&mut findings);
        let libraries = self.missing_libraries().into_iter();
        findings.extend(
            libraries.map(|it| Finding::LibraryMissing { package: it.package, folder: it.folder }),
        );
        self.same_guids(&kept, &mut findings);
        if let Some(cache) = self.cache() {
            let faults = cache.faults(&self.options).into_iter();
            findings.extend(
                faults.map(|fault| Finding::Cache { path: fault.path, state: fault.state }),
            );
        }
        findings
    }

    /// What is wrong with what one package imports and refers to, by the packages that are here; others call it
    /// `name`.
    pub fn findings_of(&self, package: &Package, name: &str) -> Vec<Finding> {
        let (mut findings, mut missing) = (Vec::new(), BTreeMap::new());
        let resolutions = self.resolve(package, name).into_iter();
        for resolution in resolutions.filter(|resolution| !resolution.is_fine()) {
            note(name, resolution, &mut missing, &mut findings);
        }
        findings.extend(missing_packages(missing));
        findings
    }

    fn name(&self, id: FileId) -> String {
        self.file(id).name.to_string()
    }

    fn same_names(&self, findings: &mut Vec<Finding>) {
        for (id, file) in self.files() {
            let shadowed = self.shadowed(&file.name);
            if self.is_found(id) && !shadowed.is_empty() {
                let all = std::iter::once(&id).chain(shadowed);
                let paths = all.map(|id| self.file(*id).path.clone()).collect();
                findings.push(Finding::SameName { name: file.name.to_string(), paths });
            }
        }
    }

    /// A client must have what its packages need.
    fn flags(
        &self,
        id: FileId,
        needed: &[FileId],
        kept: &[CheckedPackage],
        findings: &mut Vec<Finding>,
    ) {
        if kept[id.0 as usize].server_side_only {
            return;
        }
        for other in needed.iter().filter(|other| kept[other.0 as usize].server_side_only) {
            let (package, needs) = (self.name(id), self.name(*other));
            findings.push(Finding::ServerSideOnly { package, needs });
        }
    }

    /// What the configuration sends to clients is there and may be sent.
    fn sent(&self, kept: &[CheckedPackage], findings: &mut Vec<Finding>) {
        let list = "ServerPackages".to_owned();
        for name in &self.settings().server_packages {
            match self.find(name).filter(|id| !self.is_cached(*id)) {
                Some(id) if kept[id.0 as usize].server_side_only => {
                    findings.push(Finding::ServerSideOnly {
                        package: list.clone(),
                        needs: name.clone(),
                    });
                }
                Some(_) => {}
                None => findings.push(Finding::PackageMissing {
                    package: name.clone(),
                    needed_by: vec![list.clone()],
                    count: 1,
                }),
            }
        }
    }

    /// The packages of classes that the configuration names are there.
    fn named(&self, findings: &mut Vec<Finding>) {
        for NamedPackage { key, package } in &self.settings().named_packages {
            if self.find(package).is_none() {
                findings.push(Finding::PackageMissing {
                    package: package.clone(),
                    needed_by: vec![key.clone()],
                    count: 1,
                });
            }
        }
    }

    /// Circles among code packages, and lists that build one before what it needs.
    fn build_order(&self, needs: &HashMap<FileId, Vec<FileId>>, findings: &mut Vec<Finding>) {
        let circles = circles(needs);
        let mut circle_of: HashMap<FileId, usize> = HashMap::new();
        for (number, circle) in circles.iter().enumerate() {
            circle_of.extend(circle.iter().map(|id| (*id, number)));
            let packages = circle.iter().map(|id| self.name(*id)).collect();
            findings.push(Finding::Circle { packages });
        }
        let listed: Vec<Option<FileId>> =
            self.settings().edit_packages.iter().map(|name| self.find(name)).collect();
        for (at, id) in listed.iter().enumerate() {
            let Some(id) = id else { continue };
            for other in needs.get(id).into_iter().flatten() {
                // In a circle there is no order that could be right.
                let together = circle_of.get(id).is_some_and(|n| circle_of.get(other) == Some(n));
                let before = listed[..at].contains(&Some(*other));
                if !together && !before {
                    let listed = listed.contains(&Some(*other));
                    let (package, needs) = (self.name(*id), self.name(*other));
                    findings.push(Finding::BuildOrder { package, needs, listed });
                }
            }
        }
    }

    /// Files that one GUID stands for, of the paths and of the cache, must be the same.
    fn same_guids(&self, kept: &[CheckedPackage], findings: &mut Vec<Finding>) {
        let mut by_guid: BTreeMap<Guid, Vec<(PathBuf, u64)>> = BTreeMap::new();
        for (id, file) in self.files() {
            let kept = kept[id.0 as usize];
            if kept.readable && !kept.guid.is_zero() {
                by_guid.entry(kept.guid).or_default().push((file.path.clone(), kept.bytes));
            }
        }
        for entry in self.cache().into_iter().flat_map(|cache| cache.entries()) {
            if let Some(files) = by_guid.get_mut(&entry.guid).filter(|_| entry.exists) {
                files.push((entry.path.clone(), entry.bytes));
            }
        }
        for (guid, files) in by_guid.into_iter().filter(|(_, files)| files.len() > 1) {
            if !files.windows(2).all(|pair| same_bytes(&pair[0], &pair[1])) {
                let paths = files.into_iter().map(|(path, _)| path).collect();
                findings.push(Finding::SameGuid { guid, paths });
            }
        }
    }
}

/// A file that can't be read any more is a finding of its own, not a difference.
fn same_bytes(one: &(PathBuf, u64), other: &(PathBuf, u64)) -> bool {
    one.1 == other.1
        && match (file::read_found(&one.0), file::read_found(&other.0)) {
            (Ok((one, _)), Ok((other, _))) => one == other,
            _ => true,
        }
}

/// Turns an import that was not found into a finding; packages that are missing are joined, and what lies
/// in them or in unreadable ones says nothing more.
/// Packages that are not there, as findings.
fn missing_packages(
    missing: BTreeMap<(Dependency, String), Missing>,
) -> impl Iterator<Item = Finding> {
    missing.into_iter().map(|((kind, _), Missing { package, needed_by, count, .. })| match kind {
        Dependency::Hard => Finding::PackageMissing { package, needed_by, count },
        Dependency::Soft => Finding::SoftPackageMissing { package, needed_by, count },
    })
}

fn note(
    package: &str,
    resolution: Resolution,
    missing: &mut BTreeMap<(Dependency, String), Missing>,
    findings: &mut Vec<Finding>,
) {
    let Resolution { kind, path: object, class, package: of, outcome, .. } = resolution;
    let package = package.to_owned();
    match outcome {
        Outcome::PackageMissing => {
            let entry = missing.entry((kind, of.to_ascii_lowercase())).or_default();
            if entry.last.as_ref() == Some(&package) {
                return;
            }
            entry.package = of;
            entry.count += 1;
            entry.last = Some(package.clone());
            if entry.needed_by.len() < NAMED {
                entry.needed_by.push(package);
            }
        }
        Outcome::ObjectMissing { .. } if kind == Dependency::Soft => {
            findings.push(Finding::SoftObjectMissing { package, object });
        }
        Outcome::ObjectMissing { near } => {
            findings.push(Finding::ObjectMissing { package, object, class, near });
        }
        Outcome::ClassDiffers { found, .. } => {
            findings.push(Finding::ClassDiffers { package, object, class, found });
        }
        Outcome::NotPublic { .. } => findings.push(Finding::NotPublic { package, object }),
        Outcome::RedirectorBroken { to, .. } => {
            findings.push(Finding::RedirectorBroken { package, object, to });
        }
        _ => {}
    }
}
