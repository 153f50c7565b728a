//! Where objects lie: the packages of imports, and what packages are called.

use std::borrow::Cow;

use crate::package::Package;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::version::{UnrealVersions, threshold};

/// Bytes of a path that is kept: those of made-up packages may take more than the package.
const LONGEST_KEPT: usize = 512;
/// The export is the copy of another package's object (UE3).
const FORCED_EXPORT: u32 = 0x1;

/// What is known about where the objects of one package lie.
pub(super) struct Origins<'a> {
    package: &'a Package,
    own: &'a str,
    /// Below version 50 an import names its package instead of referring to it.
    names_outer: bool,
    paths: Vec<Option<Box<str>>>,
    /// The last path that is too long to be kept.
    long: String,
}

impl<'a> Origins<'a> {
    /// Of a package that others call `own`.
    pub fn new(package: &'a Package, own: &'a str) -> Self {
        let versions = package.versions();
        let rows = package.imports().len() + package.exports().len();
        Self {
            package,
            own,
            names_outer: versions.file() < threshold::OUTER_INDEX_ADDED && versions.ue4() == 0,
            paths: vec![None; rows],
            long: String::new(),
        }
    }

    /// The package that an object lies in, as `upk deps` says it.
    pub fn package_of(&self, index: PackageIndex) -> Cow<'a, str> {
        if let ObjectRef::Import(row) = index.target()
            && let Some(import) = self.package.imports().entries().get(row)
            && let Some(name) = self.package.file_package(import)
        {
            return self.package.name_text(name).into();
        }
        let root = self.package.outers(index).last().unwrap_or(index);
        match root.target() {
            ObjectRef::Import(row) if self.names_outer => {
                let import = self.package.imports().entries().get(row);
                let named = import.map(|import| import.outer_name);
                let named = named.filter(|name| !self.package.is_name(*name, "None"));
                match named {
                    Some(name) => self.package.name_text(name).into(),
                    None => self.package.object_name(root).into(),
                }
            }
            ObjectRef::Export(row) if !self.is_copy(row) => self.own.into(),
            _ => self.package.object_name(root).into(),
        }
    }

    /// Whether an export stands for another package, whose objects this one carries copies of.
    fn is_copy(&self, row: usize) -> bool {
        self.package.exports().entries().get(row).is_some_and(|export| {
            export.details.export_flags.0 & FORCED_EXPORT != 0
                && self.package.is_group(PackageIndex::export(row))
        })
    }

    /// The path of an object with its package first; what is out of range is its number.
    pub fn full_path(&mut self, index: PackageIndex) -> &str {
        let imports = self.package.imports().len();
        let place = match index.target() {
            ObjectRef::Import(row) if row < imports => row,
            ObjectRef::Export(row) if row < self.paths.len() - imports => imports + row,
            _ => return "",
        };
        if self.paths[place].is_none() {
            let path = self.package.path(index);
            let is_own = matches!(index.target(), ObjectRef::Export(_));
            let full = if is_own { format!("{}.{path}", self.own) } else { path };
            if full.len() > LONGEST_KEPT {
                self.long = full;
                return &self.long;
            }
            self.paths[place] = Some(full.into());
        }
        self.paths[place].as_deref().unwrap_or_default()
    }
}
