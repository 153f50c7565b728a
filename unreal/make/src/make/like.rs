//! An older package as the pattern of a new one: the order of its tables, and what stands in its header.

use std::collections::{HashMap, HashSet};

use crate::package::Package;
use crate::primitive::{NameFlags, PackageIndex};

use super::draft::PackageDraft;
use super::finish::RowPlaces;
use super::order::class_name;

/// The parts that are taken from an older package.
#[derive(Debug, Clone)]
pub(super) struct Like {
    names: Vec<String>,
    flags: HashMap<String, NameFlags>,
    /// Class and path, as the draft knows them.
    imports: Vec<String>,
    exports: Vec<(String, String)>,
}

impl Like {
    pub fn of(package: &Package) -> Self {
        let names: Vec<String> = (0..package.tables().names.len())
            .map(|row| package.names().get(row).unwrap_or_default().into_owned())
            .collect();
        let flags = names
            .iter()
            .zip(package.tables().names.iter())
            .map(|(text, entry)| (text.to_lowercase(), entry.flags));
        let flags = flags.collect();
        let key = |row: usize| {
            let index = PackageIndex::import(row);
            let import = &package.tables().imports[row];
            let class = package.name_text(import.class_package);
            let class = format!("{class}.{}", package.name_text(import.class_name));
            format!("{} .{}", class, package.path(index)).to_lowercase()
        };
        let imports = (0..package.tables().imports.len()).map(key).collect();
        let exports = (0..package.tables().exports.len())
            .map(|row| {
                let index = PackageIndex::export(row);
                (class_name(package, index), package.path(index))
            })
            .collect();
        Self { names, flags, imports, exports }
    }

    /// The flags of a name.
    pub fn name_flags(&self, text: &str) -> Option<NameFlags> {
        self.flags.get(&text.to_lowercase()).copied()
    }

    /// How names are written there.
    pub fn spelling(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The rows of a draft at the places of the older package's; what is new stands behind.
    pub fn places(&self, draft: &PackageDraft, used: &RowPlaces) -> RowPlaces {
        let rows: HashMap<String, usize> = draft
            .names()
            .iter()
            .enumerate()
            .map(|(row, name)| (name.to_lowercase(), row))
            .collect();
        let names = self.names.iter().filter_map(|name| rows.get(&name.to_lowercase()).copied());
        let imports = self.imports.iter().filter_map(|key| draft.imported(key));
        let exports = self.exports.iter().filter_map(|(class, path)| draft.find(class, path));
        RowPlaces {
            names: ordered(names, &used.names),
            imports: ordered(imports, &used.imports),
            exports: ordered(exports, &used.exports),
        }
    }
}

/// Rows in an order, as far as they are used, then the others.
fn ordered(order: impl Iterator<Item = usize>, used: &[usize]) -> Vec<usize> {
    let is_used: HashSet<usize> = used.iter().copied().collect();
    let mut seen = HashSet::new();
    let mut rows: Vec<usize> =
        order.filter(|row| is_used.contains(row) && seen.insert(*row)).collect();
    rows.extend(used.iter().filter(|row| !seen.contains(row)));
    rows
}
