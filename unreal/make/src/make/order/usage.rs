//! How often the rows of a package are used: what older compilers sort them by.

use std::collections::BTreeMap;

use crate::archive::{Archived, References};
use crate::package::Package;
use crate::primitive::{Name, ObjectRef, PackageIndex};
use crate::version::UnrealVersions;

/// Groups around an object are followed this far.
const DEEPEST: usize = 64;

/// How often the bodies of a package use its names, imports and exports.
///
/// Spec: ue1-3/16 §16.6.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Usage {
    /// By row: uses in bodies.
    pub names: Vec<u64>,
    /// By row: uses in bodies, those by the classes of exports, and all of these by what lies within.
    pub imports: Vec<u64>,
    /// By row: uses in bodies.
    pub exports: Vec<u64>,
}

impl Usage {
    /// Counts the uses in a package, whose bodies must be decoded to be counted.
    pub fn of(package: &Package) -> Self {
        let mut references = References::new(package.versions().of_bodies())
            .with_context(package.decoding_context());
        let mut package = package.clone();
        package.decode_all();
        for row in 0..package.exports().len() {
            if let Some(decoded) = package.decoded(row) {
                // What can't be visited is left out of the count.
                let _ = decoded.body.clone().serialize(&mut references);
                references.forget_spans();
            }
        }
        let mut usage = Self::default();
        let rows = |uses: &BTreeMap<i32, u64>, of: &dyn Fn(usize) -> i32, count: usize| {
            (0..count).map(|row| uses.get(&of(row)).copied().unwrap_or(0)).collect::<Vec<_>>()
        };
        let objects = references.rows(&PackageIndex::SPACE);
        let tables = package.tables();
        usage.names = rows(
            references.rows(&Name::SPACE),
            &|row| i32::try_from(row).unwrap_or(i32::MAX),
            tables.names.len(),
        );
        usage.exports =
            rows(objects, &|row| PackageIndex::export(row).value(), tables.exports.len());
        usage.imports = vec![0; tables.imports.len()];
        for row in 0..tables.imports.len() {
            let import = PackageIndex::import(row);
            let uses = objects.get(&import.value()).copied().unwrap_or(0);
            usage.add_import(&package, import, uses);
        }
        // The class of classes is an import where the package has it.
        let class_of_classes = package.find(package.versions().class_of_classes());
        for export in tables.exports.iter() {
            let class = match export.class_index.is_null() {
                true => class_of_classes.unwrap_or_default(),
                false => export.class_index,
            };
            usage.add_import(&package, class, 1);
        }
        usage
    }

    /// Counts uses of an import, and with it those of what is around it.
    fn add_import(&mut self, package: &Package, mut object: PackageIndex, uses: u64) {
        for _ in 0..DEEPEST {
            let ObjectRef::Import(row) = object.target() else { return };
            let Some(count) = self.imports.get_mut(row) else { return };
            *count += uses;
            object = package.outer(object);
        }
    }
}
