//! From an import to the export that it means.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::digest::DEEPEST;
use super::{Digest, Environment, FileId, native};
use crate::package::Package;
use crate::primitive::{ObjectRef, PackageIndex};

/// Imports of one package for which near names are looked for: a damaged one may miss thousands.
const HINTS: u32 = 64;

/// What became of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize),
    serde(tag = "outcome", rename_all = "kebab-case")
)]
#[non_exhaustive]
pub enum Outcome {
    /// The package or object is there.
    Found {
        /// Row of the export table; `None` for a package.
        row: Option<usize>,
    },
    /// An object of another name stands there and refers to the right one (UE3).
    Redirected {
        /// Row of the redirector.
        row: usize,
    },
    /// Another, cooked package carries a copy of the object (UE3).
    Carried {
        /// The package that carries it.
        by: String,
        /// Row of its export table; `None` for a package.
        row: Option<usize>,
    },
    /// The engine's code has it; there is no file.
    Native,
    /// There is no file of this name.
    PackageMissing,
    /// There is a file, but it can't be opened.
    PackageUnreadable {
        /// Why not.
        reason: String,
    },
    /// The package has no such object.
    ObjectMissing {
        /// Paths of objects that may be meant.
        near: Vec<String>,
    },
    /// The object is there, but of another class: an engine does not take it.
    ClassDiffers {
        /// The class that it has.
        found: String,
        /// Row of the export table.
        row: usize,
    },
    /// The object is there, but other packages may not use it.
    NotPublic {
        /// Row of the export table.
        row: usize,
    },
}

/// One import and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Resolution {
    /// Row of the import table.
    pub import: usize,
    /// The path, its package first.
    pub path: String,
    /// The class that is asked for, with its package.
    pub class: String,
    /// The package that it lies in.
    pub package: String,
    /// UE5: the package loads without it.
    pub optional: bool,
    /// What became of it.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub outcome: Outcome,
}

impl Resolution {
    /// Whether an engine finds it or does without it.
    pub fn is_fine(&self) -> bool {
        self.optional || self.outcome.is_fine()
    }
}

/// An import of another package that refers to an object.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct User {
    /// The package that imports.
    pub package: String,
    /// Its file.
    pub file: std::path::PathBuf,
    /// Row of its import table.
    pub import: usize,
    /// Path of what is imported: the object itself or something within it.
    pub path: String,
    /// The class that is asked for.
    pub class: String,
}

impl Outcome {
    /// Whether an engine finds it.
    pub fn is_fine(&self) -> bool {
        matches!(
            self,
            Self::Found { .. } | Self::Redirected { .. } | Self::Carried { .. } | Self::Native
        )
    }

    /// The word for people and scripts.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Found { .. } => "found",
            Self::Redirected { .. } => "redirected",
            Self::Carried { .. } => "carried",
            Self::Native => "native",
            Self::PackageMissing => "package missing",
            Self::PackageUnreadable { .. } => "package unreadable",
            Self::ObjectMissing { .. } => "object missing",
            Self::ClassDiffers { .. } => "class differs",
            Self::NotPublic { .. } => "not public",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        match self {
            Self::Carried { by, .. } => write!(f, " by {by}"),
            Self::PackageUnreadable { reason } => write!(f, ": {reason}"),
            Self::ObjectMissing { near } if !near.is_empty() => {
                write!(f, "; did you mean {}?", near.join(", "))
            }
            Self::ClassDiffers { found, .. } => write!(f, ": it is a {found}"),
            _ => Ok(()),
        }
    }
}

/// Where the object around an import was found.
#[derive(Debug, Clone)]
enum Place {
    /// In this package: null for the package itself, else the export.
    At(Target, PackageIndex),
    /// In a package without a file of its own, of which cooked packages carry copies.
    Copies,
    /// Nowhere.
    Nowhere(Outcome),
}

#[derive(Debug, Clone)]
struct Target {
    digest: Arc<Digest>,
    name: Arc<str>,
    /// A copy that another package carries.
    carried: bool,
}

impl Environment {
    /// What every import of a package means, in the order of its table; `name` is what other packages
    /// call it.
    pub fn resolve(&self, package: &Package, name: &str) -> Vec<Resolution> {
        self.resolve_digest(Arc::new(Digest::of(package)), name)
    }

    /// What every import of a file means.
    ///
    /// # Errors
    /// Why the file can't be opened.
    pub fn resolve_file(&self, id: FileId) -> crate::Result<Vec<Resolution>> {
        Ok(self.resolve_digest(self.digest(id)?, &self.file(id).name))
    }

    pub(super) fn resolve_digest(&self, digest: Arc<Digest>, name: &str) -> Vec<Resolution> {
        let rows = digest.imports.len();
        let mut resolver = Resolver {
            environment: self,
            digest,
            name,
            places: vec![None; rows],
            roots: HashMap::new(),
            hints_left: HINTS.into(),
        };
        let mut found: Vec<_> = (0..rows).map(|row| resolver.resolution(row)).collect();
        settle_native_packages(&mut found);
        found
    }

    /// The imports of all packages that mean an object of `package` or something within it: what breaks
    /// when it goes or gets another name. An empty path asks for the package itself. Packages that can't
    /// be opened are passed over; [`Environment::doctor`] lists them.
    pub fn users_of(&self, package: &str, object: &str) -> Vec<User> {
        let mut users = Vec::new();
        let whole = match object {
            "" => package.to_owned(),
            object => format!("{package}.{object}"),
        };
        let within = |path: &str| {
            path.get(..whole.len()).is_some_and(|head| head.eq_ignore_ascii_case(&whole))
                && matches!(path.as_bytes().get(whole.len()), None | Some(b'.'))
        };
        let last = whole.rsplit('.').next().unwrap_or_default();
        for (id, file) in self.files() {
            let Ok(digest) = self.digest(id) else { continue };
            // Most packages do not even have the name.
            if digest.id(last).is_none() || file.name.eq_ignore_ascii_case(package) {
                continue;
            }
            for row in 0..digest.imports.len() {
                let path = digest.path(PackageIndex::import(row));
                if within(&path) {
                    users.push(User {
                        package: file.name.to_string(),
                        file: file.path.clone(),
                        import: row,
                        path,
                        class: class_of(&digest, row),
                    });
                }
            }
        }
        users
    }
}

/// The class of an import with its package.
fn class_of(digest: &Digest, row: usize) -> String {
    let import = &digest.imports[row];
    format!("{}.{}", digest.text(import.class_package), digest.text(import.class_name))
}

/// A package without a file all of whose objects are in the engine's code has none by its nature.
fn settle_native_packages(found: &mut [Resolution]) {
    let mut whole: HashMap<String, bool> = HashMap::new();
    for resolution in found.iter().filter(|found| found.path.contains('.')) {
        let native = resolution.outcome == Outcome::Native;
        *whole.entry(resolution.package.to_ascii_lowercase()).or_insert(true) &= native;
    }
    for resolution in found {
        let native = whole.get(&resolution.package.to_ascii_lowercase()) == Some(&true);
        if native && resolution.outcome == Outcome::PackageMissing {
            resolution.outcome = Outcome::Native;
        }
    }
}

struct Resolver<'a> {
    environment: &'a Environment,
    digest: Arc<Digest>,
    name: &'a str,
    places: Vec<Option<Place>>,
    /// Packages that imports lie in, found once.
    roots: HashMap<String, Place>,
    /// Imports for which near names are still looked for.
    hints_left: std::cell::Cell<u32>,
}

impl Resolver<'_> {
    fn resolution(&mut self, row: usize) -> Resolution {
        let index = PackageIndex::import(row);
        let outcome = match self.place(index, 0) {
            Place::Nowhere(outcome) => outcome,
            Place::At(target, at) => self.outcome(row, &target, at),
            Place::Copies if self.digest.outer(index).is_null() => {
                let by = self.carriers(self.digest.name(index)).next();
                by.map_or(Outcome::PackageMissing, |copy| Outcome::Carried {
                    by: copy.0.name.to_string(),
                    row: None,
                })
            }
            Place::Copies => Outcome::PackageMissing,
        };
        Resolution {
            import: row,
            path: self.digest.path(index),
            class: class_of(&self.digest, row),
            package: self.package_of(index),
            optional: self.digest.imports[row].optional.is_true(),
            outcome,
        }
    }

    /// The package that an object lies in.
    fn package_of(&self, index: PackageIndex) -> String {
        let root = self.digest.root(index);
        match self.digest.named_package(root) {
            Some(package) => package.to_owned(),
            None if root.value() > 0 && !self.digest.is_forced_package(root) => {
                self.name.to_owned()
            }
            None => self.digest.name(root).to_owned(),
        }
    }

    /// What is said about an import whose name was found.
    fn outcome(&self, row: usize, target: &Target, at: PackageIndex) -> Outcome {
        let ObjectRef::Export(export) = at.target() else {
            return match target.carried {
                true => Outcome::Carried { by: target.name.to_string(), row: None },
                false => Outcome::Found { row: None },
            };
        };
        let import = &self.digest.imports[row];
        let wanted = (self.digest.text(import.class_package), self.digest.text(import.class_name));
        let found = target.digest.class_of(export, &target.name);
        let same = wanted.0.eq_ignore_ascii_case(found.0) && wanted.1.eq_ignore_ascii_case(found.1);
        match () {
            () if target.carried && same => {
                Outcome::Carried { by: target.name.to_string(), row: Some(export) }
            }
            () if found.1.eq_ignore_ascii_case("ObjectRedirector") && !same => {
                Outcome::Redirected { row: export }
            }
            () if !same => {
                Outcome::ClassDiffers { found: format!("{}.{}", found.0, found.1), row: export }
            }
            () if !target.digest.is_public(export) => Outcome::NotPublic { row: export },
            () => Outcome::Found { row: Some(export) },
        }
    }

    /// Where an import is found, by its name within what is around it.
    fn place(&mut self, index: PackageIndex, depth: usize) -> Place {
        let row = match index.target() {
            ObjectRef::Import(row) if row < self.places.len() => row,
            // Within an export: of the copy of another package, or of this package itself.
            ObjectRef::Export(_) if depth < DEEPEST => return self.place_of_export(index),
            _ => return Place::Nowhere(Outcome::ObjectMissing { near: Vec::new() }),
        };
        if let Some(place) = &self.places[row] {
            return place.clone();
        }
        // A handle of its own, since finding a package notes it here.
        let digest = self.digest.clone();
        let outer = digest.outer(index);
        let place = match digest.named_package(index) {
            Some(package) => {
                let root = self.root(package);
                self.within(root, row)
            }
            None if outer.is_null() => self.root(digest.name(index)),
            None if depth >= DEEPEST => Place::Nowhere(Outcome::ObjectMissing { near: Vec::new() }),
            None => {
                let around = self.place(outer, depth + 1);
                self.within(around, row)
            }
        };
        self.places[row] = Some(place.clone());
        place
    }

    fn place_of_export(&mut self, index: PackageIndex) -> Place {
        let digest = self.digest.clone();
        let root = digest.root(index);
        if !digest.is_forced_package(root) {
            let name = Arc::from(self.name);
            return Place::At(Target { digest, name, carried: false }, index);
        }
        let mut way = Vec::new();
        let mut at = index;
        while at != root && way.len() < DEEPEST {
            way.push(digest.name(at));
            at = digest.outer(at);
        }
        let mut place = self.root(digest.name(root));
        for name in way.iter().rev() {
            let Place::At(target, at) = &place else { break };
            let child = target.digest.id(name);
            let row = child.and_then(|id| target.digest.children(*at, id).next());
            place = match row {
                Some(row) => Place::At(target.clone(), PackageIndex::export(row)),
                None => Place::Nowhere(Outcome::ObjectMissing { near: Vec::new() }),
            };
        }
        place
    }

    /// The package of this name.
    fn root(&mut self, package: &str) -> Place {
        if let Some(place) = self.roots.get(package) {
            return place.clone();
        }
        let place = self.find_root(package);
        self.roots.insert(package.to_owned(), place.clone());
        place
    }

    fn find_root(&self, package: &str) -> Place {
        let environment = self.environment;
        if native::is_package(package) {
            return Place::Nowhere(Outcome::Native);
        }
        if let Some(id) = environment.find(package) {
            return match environment.digest(id) {
                Ok(digest) => {
                    let target = Target { digest, name: package.into(), carried: false };
                    Place::At(target, PackageIndex::NULL)
                }
                Err(error) => {
                    let reason = error.to_string();
                    Place::Nowhere(Outcome::PackageUnreadable { reason })
                }
            };
        }
        // Only cooked packages carry copies, and only for one another.
        match self.digest.is_cooked() && self.carriers(package).next().is_some() {
            true => Place::Copies,
            false => Place::Nowhere(Outcome::PackageMissing),
        }
    }

    /// Other packages that carry copies of objects of `package`, and the export that stands for it.
    fn carriers(&self, package: &str) -> impl Iterator<Item = (Target, PackageIndex)> {
        let environment = self.environment;
        environment.carriers(package).iter().filter_map(move |&id| {
            let name = environment.file(id).name.as_ref();
            let digest =
                environment.digest(id).ok().filter(|_| !name.eq_ignore_ascii_case(self.name))?;
            let rows = digest.children(PackageIndex::NULL, digest.id(package)?);
            let root =
                rows.map(PackageIndex::export).find(|root| digest.is_forced_package(*root))?;
            Some((Target { digest, name: name.into(), carried: true }, root))
        })
    }

    /// An import in one of the copies of its package.
    fn copy(&self, index: PackageIndex) -> Place {
        let mut way = Vec::new();
        let root = self.digest.root(index);
        let mut at = index;
        while at != root && way.len() < DEEPEST {
            way.push(self.digest.name(at));
            at = self.digest.outer(at);
        }
        for (target, root) in self.carriers(self.digest.name(root)) {
            let found = way.iter().rev().try_fold(root, |outer, name| {
                let id = target.digest.id(name)?;
                target.digest.children(outer, id).next().map(PackageIndex::export)
            });
            if let Some(found) = found {
                return Place::At(target, found);
            }
        }
        Place::Copies
    }

    /// The object of an import's name within `around`: of its class, if there is one.
    fn within(&self, around: Place, row: usize) -> Place {
        let import = &self.digest.imports[row];
        let name = self.digest.text(import.name);
        let class = (self.digest.text(import.class_package), self.digest.text(import.class_name));
        let package = self.package_of(PackageIndex::import(row));
        let native = native::is_object(&package, class.1, name, self.digest.engine());
        let (target, at) = match around {
            Place::At(target, at) => (target, at),
            Place::Copies => return self.copy(PackageIndex::import(row)),
            Place::Nowhere(Outcome::PackageMissing) if native => {
                return Place::Nowhere(Outcome::Native);
            }
            // What is around it is not of the right class: that says nothing about this one.
            Place::Nowhere(outcome) => return Place::Nowhere(outcome),
        };
        let digest = &target.digest;
        let mut rows = digest.id(name).into_iter().flat_map(|id| digest.children(at, id));
        let first = rows.next();
        let is_class = |row: &usize| {
            let found = digest.class_of(*row, &target.name);
            found.0.eq_ignore_ascii_case(class.0) && found.1.eq_ignore_ascii_case(class.1)
        };
        let exact = first.into_iter().chain(rows).find(is_class);
        // A package that imports from itself means what only its code has; else it would be an export.
        let own = target.name.eq_ignore_ascii_case(self.name);
        let native = native || own && first.is_none() && class.1.eq_ignore_ascii_case("Class");
        match exact.or(first.filter(|_| !native)) {
            Some(row) => Place::At(target, PackageIndex::export(row)),
            None if native => Place::Nowhere(Outcome::Native),
            None => {
                let left = self.hints_left.get();
                self.hints_left.set(left.saturating_sub(1));
                let near = match left {
                    0 => Vec::new(),
                    _ => near(digest, &target.name, name, class),
                };
                Place::Nowhere(Outcome::ObjectMissing { near })
            }
        }
    }
}

/// Paths of exports that may be meant: of the same name elsewhere, or of nearly the same name and the
/// same class.
fn near(digest: &Digest, own: &str, name: &str, class: (&str, &str)) -> Vec<String> {
    const SHOWN: usize = 3;
    /// Names are compared up to this many, so that a large package costs little.
    const COMPARED: usize = 20_000;
    let lower = name.to_ascii_lowercase();
    let mut found: Vec<(usize, String)> = Vec::new();
    for row in 0..digest.exports.len().min(COMPARED) {
        let index = PackageIndex::export(row);
        let other = digest.name(index);
        let steps = match other.eq_ignore_ascii_case(name) {
            true => 0,
            false => {
                let same_class = digest.class_of(row, own).1.eq_ignore_ascii_case(class.1);
                let close = other.len().abs_diff(name.len()) <= 2 && name.len() > 2;
                if !same_class || !close {
                    continue;
                }
                distance(&lower, &other.to_ascii_lowercase())
            }
        };
        if steps <= 2 {
            found.push((steps, format!("{own}.{}", digest.path(index))));
        }
    }
    found.sort();
    found.truncate(SHOWN);
    found.into_iter().map(|(_, path)| path).collect()
}

/// Letters to add, take away or change to get from one text to the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let change = corner + usize::from(a != *b);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row[other.len()]
}
