//! The objects of other packages as a zen package names them.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::placeholder;
use crate::container::zen::{NameBatch, ZenForm, ZenReference, ZenTarget, hash};
use crate::error::{Error, Result, UnrealErrors};
use crate::package::Package;
use crate::primitive::{Name, ObjectRef, PackageIndex};

/// Where objects lie in one another deeper than this, they do in a circle.
const DEEPEST: usize = 256;
/// Packages of compiled code.
pub(super) const SCRIPTS: &str = "/Script/";
/// Packages of compiled Verse code, which may be either kind.
const VERSE: &str = "/_Verse/";

/// Imports, with the packages and hashes that they name.
#[derive(Default)]
pub(super) struct ZenImports {
    /// A row for each import of the package.
    pub rows: Vec<ZenReference>,
    pub public_hashes: Vec<u64>,
    /// Names by their hashes, ascending.
    pub packages: BTreeMap<u64, String>,
    /// For each import its package among `packages`.
    package_rows: Vec<Option<usize>>,
}

impl ZenImports {
    /// The rows and hashes for a package. `scripts` are hashes of objects that are known to be of compiled code.
    pub fn of(package: &Package, scripts: &HashSet<u64>) -> Result<Self> {
        let mut imports = Self::default();
        let mut outside = Vec::new();
        for import in package.imports().iter() {
            let (chain, root) = chain(package, import.index())?;
            let is_script = root.starts_with(SCRIPTS)
                || placeholder::hash(&root).is_some()
                || scripts.contains(&hash::of_script_object(&import.path()));
            if is_script {
                outside.push(None);
                continue;
            }
            if root.starts_with(VERSE) || placeholder::is(&root) {
                return Err(Error::unsupported(format!(
                    "'{}': whether it is compiled code is not known",
                    import.path()
                )));
            }
            imports.packages.insert(hash::of_package(&root), root.clone());
            outside.push(Some((root, chain)));
        }
        let places: HashMap<&str, usize> =
            imports.packages.values().map(String::as_str).zip(0..).collect();
        let form = ZenForm::of(package.versions());
        let mut hashes: HashMap<u64, u32> = HashMap::new();
        for (import, outside) in package.imports().iter().zip(&outside) {
            let target = match outside {
                None => {
                    let (path, known) = (import.path(), placeholder::hash(&import.name()));
                    ZenTarget::Script(known.unwrap_or_else(|| hash::of_script_object(&path)))
                }
                Some((_, chain)) if chain.is_empty() => ZenTarget::Null,
                Some((root, chain)) => {
                    let known = chain.last().and_then(|name| placeholder::hash(name));
                    if form == ZenForm::Ue4_26 {
                        let of_path = || hash::of_script_object(&import.path());
                        imports.rows.push(ZenReference::of_path(known.unwrap_or_else(of_path)));
                        continue;
                    }
                    let public = known.unwrap_or_else(|| hash::of_public_export(&chain.join(".")));
                    let next = hashes.len() as u32;
                    let hash = *hashes.entry(public).or_insert(next);
                    if hash == next {
                        imports.public_hashes.push(public);
                    }
                    let package = places.get(root.as_str()).copied().unwrap_or_default();
                    ZenTarget::Package { package: package as u32, hash }
                }
            };
            imports.rows.push(target.into());
        }
        let rows = |it: &Option<(String, Vec<String>)>| {
            let (root, chain) = it.as_ref()?;
            places.get(root.as_str()).copied().filter(|_| !chain.is_empty())
        };
        imports.package_rows = outside.iter().map(rows).collect();
        imports.refuse_twins(package)?;
        Ok(imports)
    }

    /// Each object is imported once: one that is known by its hash must not come again by its name.
    fn refuse_twins(&self, package: &Package) -> Result<()> {
        let mut seen = HashMap::new();
        for (row, reference) in self.rows.iter().enumerate() {
            if *reference == ZenReference::NULL {
                continue;
            }
            if let Some(other) = seen.insert(*reference, row) {
                let path = |row| package.path(PackageIndex::import(row));
                return Err(Error::unsupported(format!(
                    "'{}' and '{}' are one object: give the names of script objects \
                     (--script-objects) or of other packages (--env)",
                    path(other),
                    path(row)
                )));
            }
        }
        Ok(())
    }

    /// The zen form of a reference of the package.
    pub fn reference(&self, index: PackageIndex) -> Result<ZenReference> {
        match index.target() {
            ObjectRef::Null => Ok(ZenReference::NULL),
            ObjectRef::Export(row) => Ok(ZenTarget::Export(row as u64).into()),
            ObjectRef::Import(row) => {
                let reason = || Error::invalid(format!("there is no import {row}"));
                self.rows.get(row).copied().ok_or_else(reason)
            }
        }
    }

    /// The package of an import among [`packages`](Self::packages): `None` for objects of compiled code, and for packages
    /// themselves.
    pub fn package_of(&self, import: usize) -> Option<usize> {
        self.package_rows.get(import).copied().flatten()
    }

    /// The names of the packages, and their numbers.
    pub fn package_names(&self) -> (NameBatch, Vec<i32>) {
        let split = |text: &String| match Name::split(text) {
            Some((base, number)) => (base.to_owned(), number),
            None => (text.clone(), 0),
        };
        let (texts, numbers) = self.packages.values().map(split).unzip();
        (NameBatch { texts }, numbers)
    }
}

/// The names of an import from below its package on, and its package.
pub(super) fn chain(package: &Package, index: PackageIndex) -> Result<(Vec<String>, String)> {
    let (mut index, mut names) = (index, Vec::new());
    for _ in 0..DEEPEST {
        names.push(package.object_name(index));
        index = package.outer(index);
        if index.is_null() {
            let root = names.pop().unwrap_or_default();
            names.reverse();
            return Ok((names, root));
        }
        if !matches!(index.target(), ObjectRef::Import(_)) {
            return Err(Error::invalid("an import lies in an object of the package"));
        }
    }
    Err(Error::invalid("imports lie in one another without an end"))
}
