//! From an import to the export that it means.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::digest::DEEPEST;
use super::external::{is_of_the_editor, is_part_of_a_map};
use super::near::near;
use super::{Dependency, Digest, Environment, FileId, Outcome, Resolution, native};
use crate::package::Package;
use crate::primitive::{ObjectRef, PackageIndex};

/// Imports of one package for which near names are looked for: a damaged one may miss thousands.
const HINTS: u32 = 64;

/// Where the object around an import was found.
#[derive(Debug, Clone)]
pub(super) enum OuterPlace {
    /// In this package: null for the package itself, else the export.
    At(ImportTarget, PackageIndex),
    /// In a package without a file of its own, of which cooked packages carry copies.
    Copies,
    /// Nowhere.
    Nowhere(Outcome),
}

#[derive(Debug, Clone)]
pub(super) struct ImportTarget {
    pub(super) digest: Arc<Digest>,
    pub(super) name: Arc<str>,
    /// A copy that another package carries.
    carried: bool,
}

impl Environment {
    /// Resolves every import of a package, in the order of its table, then its soft references; `name` is its name
    /// in other packages.
    pub fn resolve(&self, package: &Package, name: &str) -> Vec<Resolution> {
        self.resolve_digest(Arc::new(Digest::of(package)), name)
    }

    /// Resolves every import and soft reference of a file.
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
            code_classes: RefCell::default(),
            hints_left: HINTS.into(),
            former_selves: OnceCell::new(),
        };
        let mut found: Vec<_> = (0..rows).map(|row| resolver.resolution(row)).collect();
        settle_native_packages(&mut found);
        let soft = resolver.digest.soft.len();
        found.extend((0..soft).map(|row| resolver.soft_resolution(row)));
        found
    }
}

/// The class of an import with its package.
pub(super) fn class_of(digest: &Digest, row: usize) -> String {
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

pub(super) struct Resolver<'a> {
    pub(super) environment: &'a Environment,
    pub(super) digest: Arc<Digest>,
    pub(super) name: &'a str,
    places: Vec<Option<OuterPlace>>,
    /// Packages that imports lie in, found once.
    roots: HashMap<String, OuterPlace>,
    /// Of packages that were asked: the classes that only their code has.
    code_classes: RefCell<HashMap<Arc<str>, HashSet<u32>>>,
    /// Imports for which near names are still looked for.
    hints_left: Cell<u32>,
    /// What the package was called before, in lower case; made when first asked for.
    pub(super) former_selves: OnceCell<HashSet<String>>,
}

impl Resolver<'_> {
    fn resolution(&mut self, row: usize) -> Resolution {
        let index = PackageIndex::import(row);
        let outcome = match self.place(index, 0) {
            OuterPlace::Nowhere(outcome) => outcome,
            OuterPlace::At(target, at) => self.outcome(row, &target, at),
            OuterPlace::Copies if self.digest.outer(index).is_null() => {
                let by = self.carriers(self.digest.name(index)).next();
                by.map_or(Outcome::PackageMissing, |copy| Outcome::Carried {
                    by: copy.0.name.to_string(),
                    row: None,
                })
            }
            OuterPlace::Copies => Outcome::PackageMissing,
        };
        Resolution {
            kind: Dependency::Hard,
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
        if let Some(package) = self.digest.file_package(index) {
            return package.to_owned();
        }
        let root = self.digest.root(index);
        match self.digest.named_package(root) {
            Some(package) => package.to_owned(),
            None if root.value() > 0 && !self.digest.is_forced_package(root) => {
                self.name.to_owned()
            }
            None => self.digest.name(root).to_owned(),
        }
    }

    /// The outcome of an import whose name was found.
    fn outcome(&self, row: usize, target: &ImportTarget, at: PackageIndex) -> Outcome {
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
            () if is_redirector(found.1) && !same => self.redirected(target, export, Some(wanted)),
            () if !same => {
                Outcome::ClassDiffers { found: format!("{}.{}", found.0, found.1), row: export }
            }
            () if !target.digest.is_public(export)
                && !is_part_of_a_map(self.name)
                && !is_part_of_a_map(&target.name) =>
            {
                Outcome::NotPublic { row: export }
            }
            () => Outcome::Found { row: Some(export) },
        }
    }

    /// Where an import is found, by its name within what is around it.
    fn place(&mut self, index: PackageIndex, depth: usize) -> OuterPlace {
        let row = match index.target() {
            ObjectRef::Import(row) if row < self.places.len() => row,
            // Within an export: of the copy of another package, or of this package itself.
            ObjectRef::Export(_) if depth < DEEPEST => return self.place_of_export(index),
            _ => return OuterPlace::Nowhere(Outcome::ObjectMissing { near: Vec::new() }),
        };
        if let Some(place) = &self.places[row] {
            return place.clone();
        }
        // A handle of its own, since finding a package notes it here.
        let digest = self.digest.clone();
        let outer = digest.outer(index);
        if let Some(package) = digest.file_package(index) {
            let place = self.anywhere(package, row);
            self.places[row] = Some(place.clone());
            return place;
        }
        let place = match digest.named_package(index) {
            Some(package) => {
                let root = self.root(package);
                self.within(root, row)
            }
            None if outer.is_null() => self.root(digest.name(index)),
            None if depth >= DEEPEST => {
                OuterPlace::Nowhere(Outcome::ObjectMissing { near: Vec::new() })
            }
            None => {
                let around = self.place(outer, depth + 1);
                self.within(around, row)
            }
        };
        self.places[row] = Some(place.clone());
        place
    }

    /// The package itself, as a place for objects.
    pub(super) fn own(&self) -> ImportTarget {
        ImportTarget { digest: self.digest.clone(), name: self.name.into(), carried: false }
    }

    fn place_of_export(&mut self, index: PackageIndex) -> OuterPlace {
        let digest = self.digest.clone();
        let root = digest.root(index);
        if !digest.is_forced_package(root) {
            return OuterPlace::At(self.own(), index);
        }
        let place = self.root(digest.name(root));
        let OuterPlace::At(target, at) = place else { return place };
        match target.digest.descend(at, &digest.way(root, index)) {
            Some(found) => OuterPlace::At(target, found),
            None => OuterPlace::Nowhere(Outcome::ObjectMissing { near: Vec::new() }),
        }
    }

    /// The package of this name.
    pub(super) fn root(&mut self, package: &str) -> OuterPlace {
        if let Some(place) = self.roots.get(package) {
            return place.clone();
        }
        let place = self.find_root(package);
        self.roots.insert(package.to_owned(), place.clone());
        place
    }

    pub(super) fn find_root(&self, package: &str) -> OuterPlace {
        let environment = self.environment;
        if native::is_package(package) {
            return OuterPlace::Nowhere(Outcome::Native);
        }
        if let Some(id) = environment.find(package) {
            return match environment.digest(id) {
                Ok(digest) => {
                    let target = ImportTarget { digest, name: package.into(), carried: false };
                    OuterPlace::At(target, PackageIndex::NULL)
                }
                Err(error) => {
                    let reason = error.to_string();
                    OuterPlace::Nowhere(Outcome::PackageUnreadable { reason })
                }
            };
        }
        if let Some(root) = environment.elsewhere(package) {
            return OuterPlace::Nowhere(Outcome::Elsewhere { root: root.to_owned() });
        }
        // Only cooked packages carry copies, and only for one another.
        match self.digest.is_cooked() && self.carriers(package).next().is_some() {
            true => OuterPlace::Copies,
            false => OuterPlace::Nowhere(Outcome::PackageMissing),
        }
    }

    /// An import in a file that its outermost object does not name: actors of a level lie in files of their
    /// own (UE5).
    fn anywhere(&mut self, package: &str, row: usize) -> OuterPlace {
        let place = self.root(package);
        let OuterPlace::At(target, _) = place else { return place };
        let import = &self.digest.imports[row];
        let name = target.digest.id(self.digest.text(import.name));
        let mut exports = target.digest.exports.iter();
        match name.and_then(|name| exports.position(|export| export.name == name)) {
            Some(row) => OuterPlace::At(target, PackageIndex::export(row)),
            None => OuterPlace::Nowhere(Outcome::ObjectMissing { near: Vec::new() }),
        }
    }

    /// Objects that may be meant; of the first imports only.
    pub(super) fn near(
        &self,
        target: &ImportTarget,
        name: &str,
        class: (&str, &str),
    ) -> Vec<String> {
        let left = self.hints_left.get();
        self.hints_left.set(left.saturating_sub(1));
        match left {
            0 => Vec::new(),
            _ => near(&target.digest, &target.name, name, class),
        }
    }

    /// Other packages that carry copies of objects of `package`, and the export that stands for it.
    fn carriers(&self, package: &str) -> impl Iterator<Item = (ImportTarget, PackageIndex)> {
        let environment = self.environment;
        environment.carriers(package).iter().filter_map(move |&id| {
            let name = environment.file(id).name.as_ref();
            let digest =
                environment.digest(id).ok().filter(|_| !name.eq_ignore_ascii_case(self.name))?;
            let rows = digest.children(PackageIndex::NULL, digest.id(package)?);
            let root =
                rows.map(PackageIndex::export).find(|root| digest.is_forced_package(*root))?;
            Some((ImportTarget { digest, name: name.into(), carried: true }, root))
        })
    }

    /// An import in one of the copies of its package.
    fn copy(&self, index: PackageIndex) -> OuterPlace {
        let root = self.digest.root(index);
        let way = self.digest.way(root, index);
        let mut copies = self.carriers(self.digest.name(root));
        let found = copies.find_map(|(target, root)| {
            let found = target.digest.descend(root, &way)?;
            Some(OuterPlace::At(target, found))
        });
        found.unwrap_or(OuterPlace::Copies)
    }

    /// The object of an import's name within `around`: of its class, if there is one.
    fn within(&self, around: OuterPlace, row: usize) -> OuterPlace {
        let import = &self.digest.imports[row];
        let name = self.digest.text(import.name);
        let class = (self.digest.text(import.class_package), self.digest.text(import.class_name));
        let package = self.package_of(PackageIndex::import(row));
        let native = native::is_object(&package, class.1, name, self.digest.engine());
        let (target, at) = match around {
            OuterPlace::At(target, at) => (target, at),
            OuterPlace::Copies => return self.copy(PackageIndex::import(row)),
            OuterPlace::Nowhere(Outcome::PackageMissing) if native => {
                return OuterPlace::Nowhere(Outcome::Native);
            }
            // What is around it is not of the right class: that says nothing about this one.
            OuterPlace::Nowhere(outcome) => return OuterPlace::Nowhere(outcome),
        };
        let digest = &target.digest;
        let mut rows = digest.id(name).into_iter().flat_map(|id| digest.children(at, id));
        let first = rows.next();
        let is_class = |row: &usize| {
            let found = digest.class_of(*row, &target.name);
            found.0.eq_ignore_ascii_case(class.0) && found.1.eq_ignore_ascii_case(class.1)
        };
        let exact = first.into_iter().chain(rows).find(is_class);
        let is_class = class.1.eq_ignore_ascii_case("Class");
        let native = native || first.is_none() && is_class && self.is_code_class(&target, name);
        match exact.or(first.filter(|_| !native)) {
            Some(row) => OuterPlace::At(target, PackageIndex::export(row)),
            None if native => OuterPlace::Nowhere(Outcome::Native),
            None if is_of_the_editor(name) => OuterPlace::Nowhere(Outcome::OfTheEditor),
            None => {
                let near = self.near(&target, name, class);
                OuterPlace::Nowhere(Outcome::ObjectMissing { near })
            }
        }
    }
}

impl Resolver<'_> {
    /// Whether a class of a package exists in its code alone: a package that imports a class from itself
    /// means one that it does not export (`Editor.TransBuffer` in UT99's Editor.u, `UnrealEd.SoundFactory`
    /// in UDK's UnrealEd.u).
    fn is_code_class(&self, target: &ImportTarget, name: &str) -> bool {
        let digest = &target.digest;
        let Some(name) = digest.id(name) else { return false };
        let mut known = self.code_classes.borrow_mut();
        let classes = known.entry(target.name.clone()).or_insert_with(|| {
            let rows = digest.imports.iter().enumerate();
            let is_own = |row: &usize| {
                let index = PackageIndex::import(*row);
                digest.name(digest.root(index)).eq_ignore_ascii_case(&target.name)
            };
            let is_class = |class: u32| digest.text(class).eq_ignore_ascii_case("Class");
            let classes = rows.filter(|(row, import)| is_class(import.class_name) && is_own(row));
            classes.map(|(_, import)| import.name).collect()
        });
        classes.contains(&name)
    }
}

/// Whether objects of this class lead to another object.
pub(super) fn is_redirector(class: &str) -> bool {
    class.eq_ignore_ascii_case("ObjectRedirector")
}
