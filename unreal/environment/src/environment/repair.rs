//! Findings that can be mended without a guess: references to redirectors, and soft paths whose target lies elsewhere now.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::external::is_part_of_a_map;
use super::{Dependency, Digest, Environment, FileId, Outcome, Resolution};
use crate::primitive::PackageIndex;

/// A reference of a package that goes to something else.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub struct Repair {
    /// Why.
    pub reason: RepairReason,
    /// The path as it is, of an object or of a whole package.
    pub old: String,
    /// What it becomes.
    pub new: String,
    /// The class of what is imported, with its package; empty for soft references.
    pub class: String,
}

/// Why a reference goes to something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum RepairReason {
    /// A redirector stands there and says where the object is.
    Redirector,
    /// No package is there, and one other package has this name and all that is referred to (UE4 and UE5).
    Moved,
}

/// What can be mended, and what is left for people to decide.
#[derive(Debug, Clone, Default)]
pub struct Repairs {
    /// By the file that changes.
    pub repairs: BTreeMap<FileId, Vec<Repair>>,
    /// Soft paths with several packages that could be meant: the package that refers, what it refers to, and
    /// those.
    pub ambiguous: Vec<(String, String, Vec<String>)>,
}

impl Environment {
    /// What can be mended of what [`Environment::doctor`] finds, and references that lead through redirectors. Nothing is
    /// changed here.
    pub fn repairs(&self) -> Repairs {
        let mut found = Repairs::default();
        let mut by_last: HashMap<String, Vec<FileId>> = HashMap::new();
        for (id, file) in self.files() {
            let counts = file.name.starts_with('/') && self.is_found(id);
            if counts && !is_part_of_a_map(&file.name) {
                by_last.entry(last(&file.name)).or_default().push(id);
            }
        }
        for (id, file) in self.files().filter(|(id, _)| self.is_found(*id)) {
            let Ok(digest) = self.digest(id) else { continue };
            let resolutions = self.resolve_digest(digest, &file.name);
            let mut repairs: Vec<Repair> =
                resolutions.iter().filter_map(|it| self.past_redirector(it)).collect();
            let missing: BTreeSet<&str> = resolutions
                .iter()
                .filter(|it| it.outcome == Outcome::PackageMissing)
                .map(|it| it.package.as_str())
                .collect();
            for package in missing {
                let of_it: Vec<&Resolution> =
                    resolutions.iter().filter(|it| it.package == package).collect();
                // What is imported from there too is missing for a reason that no path says.
                if of_it.iter().any(|it| it.kind == Dependency::Hard) {
                    continue;
                }
                let named = by_last.get(&last(package)).into_iter().flatten();
                let others: Vec<FileId> = named
                    .copied()
                    .filter(|other| *other != id && self.has_all(*other, &of_it))
                    .collect();
                let name = |id: &FileId| self.file(*id).name.to_string();
                match &others[..] {
                    [] => {}
                    [one] => repairs.push(Repair {
                        reason: RepairReason::Moved,
                        old: package.to_owned(),
                        new: name(one),
                        class: String::new(),
                    }),
                    several => {
                        let several = several.iter().map(name).collect();
                        found.ambiguous.push((file.name.to_string(), package.to_owned(), several));
                    }
                }
            }
            // What is imported and referred to softly is one reference: the editor lets both go there.
            repairs.sort_by_cached_key(|it| (it.old.to_ascii_lowercase(), it.class.is_empty()));
            repairs.dedup_by(|a, b| a.old.eq_ignore_ascii_case(&b.old));
            if !repairs.is_empty() {
                found.repairs.insert(id, repairs);
            }
        }
        found
    }

    /// The reference that goes where a redirector leads, if that is at hand.
    fn past_redirector(&self, resolution: &Resolution) -> Option<Repair> {
        let Outcome::Redirected { row, to } = &resolution.outcome else { return None };
        let digest = self.digest(self.find(&resolution.package)?).ok()?;
        let target = to.split('.').next().filter(|name| self.find(name).is_some())?;
        let old = format!("{}.{}", resolution.package, digest.path(PackageIndex::export(*row)));
        let is_other = !old.eq_ignore_ascii_case(to) && !target.is_empty();
        is_other.then(|| Repair {
            reason: RepairReason::Redirector,
            old,
            new: to.clone(),
            class: resolution.class.clone(),
        })
    }

    /// Whether a package has everything that soft references look for in another one of its name.
    fn has_all(&self, file: FileId, references: &[&Resolution]) -> bool {
        let Ok(digest) = self.digest(file) else { return false };
        references.iter().all(|reference| {
            let inside = reference.path.get(reference.package.len()..).unwrap_or_default();
            let names: Vec<&str> = inside.split(['.', ':']).filter(|it| !it.is_empty()).collect();
            match names.is_empty() {
                // The asset that is called like the package.
                true => has(&digest, &[&last(&reference.package)]),
                false => has(&digest, &names),
            }
        })
    }
}

/// Whether a package has an object, and it is no redirector again.
fn has(digest: &Digest, names: &[&str]) -> bool {
    let mut at = PackageIndex::NULL;
    for name in names {
        let row = digest.id(name).and_then(|id| digest.children(at, id).next());
        let Some(row) = row else { return false };
        if digest.class_of(row, "").1.eq_ignore_ascii_case("ObjectRedirector") {
            return false;
        }
        at = PackageIndex::export(row);
    }
    true
}

fn last(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase()
}
