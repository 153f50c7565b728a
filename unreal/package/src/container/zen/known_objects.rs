//! Objects of other packages, from packages that were seen.

use std::collections::HashMap;

use super::{ImportNames, ImportedObject, PackageId, ScriptPaths, ZenHeader, ZenTarget, hash};
use crate::Result;

/// Objects by the hashes that packages in containers know them by, all in memory.
///
/// ```
/// use unreal_packages::container::zen::{ImportNames, KnownObjects, hash};
///
/// let mut known = KnownObjects::default();
/// known.add_script("/Script/Engine.Actor", Some("/Script/CoreUObject.Class"));
/// let hash = hash::of_script_object("/Script/Engine.Actor");
/// assert_eq!(known.script(hash).unwrap().path, "/Script/Engine.Actor");
/// ```
#[derive(Debug, Clone, Default)]
pub struct KnownObjects {
    scripts: ScriptPaths,
    packages: HashMap<u64, KnownPackage>,
}

#[derive(Debug, Clone, Default)]
struct KnownPackage {
    name: String,
    /// By the hash that is public; path within the package and class.
    exports: HashMap<u64, (String, Option<String>)>,
}

impl KnownPackage {
    fn object(&self, (path, class): &(String, Option<String>)) -> ImportedObject {
        ImportedObject { path: format!("{}.{path}", self.name), class: class.clone() }
    }
}

impl KnownObjects {
    fn find(&self, package: PackageId<'_>) -> Option<&KnownPackage> {
        self.packages.get(&package.id.or_else(|| package.name.map(hash::of_package))?)
    }

    /// With the objects of compiled code from `global.utoc`.
    pub fn new(scripts: ScriptPaths) -> Self {
        Self { scripts, ..Self::default() }
    }

    /// Adds an object of compiled code by its path, with everything around it.
    pub fn add_script(&mut self, path: &str, class: Option<&str>) {
        self.scripts.add(path, class);
    }

    /// Adds a package, by its name.
    pub fn add_package(&mut self, name: &str) {
        self.packages.entry(hash::of_package(name)).or_default().name = name.to_owned();
    }

    /// Adds an object that a package exports, by its path within it: `Town.PersistentLevel`.
    pub fn add_export(&mut self, package: &str, path: &str, class: Option<&str>) {
        let id = hash::of_package(package);
        let known = self.packages.entry(id).or_default();
        known.name = package.to_owned();
        let class = class.map(ToOwned::to_owned);
        known.exports.insert(hash::of_public_export(path), (path.to_owned(), class));
    }

    /// Adds the objects that a package in a container exports; their classes where those of compiled code are known.
    ///
    /// # Errors
    /// `Invalid` for names and objects that are not in the header.
    pub fn add_header(&mut self, header: &ZenHeader) -> Result<()> {
        let package = header.name(header.summary.name)?;
        self.add_package(&package);
        for (row, export) in header.exports.iter().enumerate() {
            if matches!(export.public_hash, 0 | u64::MAX) {
                continue;
            }
            let class = match export.class.target() {
                ZenTarget::Null => Some("/Script/CoreUObject.Class".to_owned()),
                ZenTarget::Script(hash) => self.scripts.find(hash).map(|class| class.path),
                ZenTarget::Export(row) => {
                    Some(format!("{package}.{}", header.inner_path(row as usize)?))
                }
                ZenTarget::Package { .. } => None,
            };
            self.add_export(&package, &header.inner_path(row)?, class.as_deref());
        }
        Ok(())
    }
}

impl ImportNames for KnownObjects {
    fn script(&self, hash: u64) -> Option<ImportedObject> {
        self.scripts.find(hash)
    }

    fn package(&self, id: u64) -> Option<String> {
        self.packages.get(&id).map(|package| package.name.clone())
    }

    fn export(&self, package: PackageId<'_>, hash: u64) -> Option<ImportedObject> {
        let package = self.find(package)?;
        package.exports.get(&hash).map(|export| package.object(export))
    }

    fn exports(&self, package: PackageId<'_>) -> Vec<ImportedObject> {
        let package = self.find(package);
        let all = |package: &KnownPackage| {
            package.exports.values().map(|export| package.object(export)).collect()
        };
        package.map(all).unwrap_or_default()
    }
}
