//! What each object needs before it is loaded (UE3).
//!
//! Spec: ue1-3/16 §16.7.

use std::cell::RefCell;
use std::collections::HashSet;

use crate::archive::{Archived, Remap};
use crate::object::script_object::ScriptObject;
use crate::package::Package;
use crate::primitive::{NameRemap, ObjectRef, PackageIndex};
use crate::table::DependsRow;
use crate::version::UnrealVersions;

use super::order::class_name;

/// Groups around an object are followed this far.
const DEEPEST: usize = 64;
/// The flag of native classes.
const NATIVE: u32 = 0x80;

/// The rows of the table; `is_native` says it of classes of other packages.
pub(super) fn depends(package: &Package, is_native: &dyn Fn(&str) -> bool) -> Vec<DependsRow> {
    let mut package = package.clone();
    package.decode_all();
    let native: HashSet<usize> =
        (0..package.exports().len()).filter(|row| is_native_class(&package, *row)).collect();
    let table = DependsTable { package: &package, native, is_native };
    (0..package.exports().len()).map(|row| table.row(row)).collect()
}

struct DependsTable<'a> {
    package: &'a Package,
    native: HashSet<usize>,
    is_native: &'a dyn Fn(&str) -> bool,
}

impl DependsTable<'_> {
    fn row(&self, row: usize) -> DependsRow {
        let mut found: Vec<PackageIndex> = Vec::new();
        let index = PackageIndex::export(row);
        let Some(export) = self.package.tables().exports.get(row) else {
            return DependsRow::default();
        };
        let is_class = export.class_index.is_null();
        let is_declared = ScriptObject::blank(&class_name(self.package, index)).is_some();
        if class_name(self.package, index) == "TextBuffer" {
            return DependsRow::default();
        }
        for reference in references(self.package, row) {
            self.add(&mut found, index, reference);
        }
        if !is_class && !is_declared && class_name(self.package, index) != "MetaData" {
            self.add(&mut found, index, export.class_index);
            self.add(&mut found, index, export.archetype_index);
        }
        DependsRow { objects: found }
    }

    fn add(&self, found: &mut Vec<PackageIndex>, own: PackageIndex, reference: PackageIndex) {
        if reference.is_null() || reference == own || found.contains(&reference) {
            return;
        }
        if !self.counts(reference) {
            return;
        }
        found.push(reference);
        // The group that an object of another package lies in as well.
        let mut around = self.package.outer(reference);
        for _ in 0..DEEPEST {
            let is_import = matches!(around.target(), ObjectRef::Import(_));
            if !is_import || self.package.outer(around).is_null() || found.contains(&around) {
                break;
            }
            found.push(around);
            around = self.package.outer(around);
        }
    }

    fn counts(&self, reference: PackageIndex) -> bool {
        let class = class_name(self.package, reference);
        match reference.target() {
            ObjectRef::Null => false,
            ObjectRef::Export(row) if class == "Class" => !self.native.contains(&row),
            ObjectRef::Export(_)
                if ScriptObject::blank(&class).is_some() || class == "TextBuffer" =>
            {
                !self.class_around(reference).is_some_and(|row| self.native.contains(&row))
            }
            ObjectRef::Export(_) => true,
            ObjectRef::Import(_) if class == "Class" => {
                !(self.is_native)(&self.package.path(reference))
            }
            ObjectRef::Import(_) if ScriptObject::blank(&class).is_some() => {
                // Fields of classes of script alone.
                let around = self.imported_class_around(reference);
                around.is_some_and(|class| !(self.is_native)(&self.package.path(class)))
            }
            ObjectRef::Import(_) => class != "Package" && class != "TextBuffer",
        }
    }

    /// The class of another package that a field is declared in.
    fn imported_class_around(&self, mut index: PackageIndex) -> Option<PackageIndex> {
        for _ in 0..DEEPEST {
            index = self.package.outer(index);
            if !matches!(index.target(), ObjectRef::Import(_)) {
                return None;
            }
            if class_name(self.package, index) == "Class" {
                return Some(index);
            }
        }
        None
    }

    /// The class that an object is declared in.
    fn class_around(&self, mut index: PackageIndex) -> Option<usize> {
        for _ in 0..DEEPEST {
            let ObjectRef::Export(row) = index.target() else { return None };
            if self.package.tables().exports.get(row)?.class_index.is_null() {
                return Some(row);
            }
            index = self.package.outer(index);
        }
        None
    }
}

fn is_native_class(package: &Package, row: usize) -> bool {
    let Some(decoded) = package.decoded(row) else { return false };
    match &decoded.body.native {
        crate::object::Native::Script(object) => {
            matches!(&**object, ScriptObject::Class(class) if class.class_flags & NATIVE != 0)
        }
        _ => false,
    }
}

/// What the body of an object refers to, in its order.
pub(super) fn references(package: &Package, row: usize) -> Vec<PackageIndex> {
    let met = RefCell::new(Vec::new());
    let by_name = |old: i32| Some(old);
    let by_object = |old: i32| {
        met.borrow_mut().push(PackageIndex::new(old));
        Some(old)
    };
    if let Some(decoded) = package.decoded(row) {
        let versions = package.versions().of_bodies();
        let mut remap = Remap::names_and_objects(versions, &by_name, &by_object)
            .with_context(package.decoding_context());
        // What can't be visited is left out.
        let _ = decoded.body.clone().serialize(&mut remap);
    }
    met.into_inner()
}
