//! The paths of objects, from rows whose outers may themselves stand as paths.

use std::collections::HashMap;

use super::Package;
use crate::package::LONGEST_PATH;
use crate::primitive::{Name, PackageIndex};
use crate::version::{UnrealVersions, threshold};

/// The object around another, as its row says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outer {
    /// There is none.
    Top,
    /// By its index.
    Index(i32),
    /// By its path.
    Path(String),
    /// Nothing that has a path.
    Unknown,
}

/// An object, by what its row says.
#[derive(Debug)]
pub(super) struct PathRow {
    pub index: i32,
    /// The text of its name.
    pub name: Option<String>,
    pub outer: Outer,
}

/// The paths of all objects that have one: circles and very long ones have none.
pub(super) fn object_paths(rows: &[PathRow]) -> Vec<(i32, String)> {
    let places: HashMap<i32, usize> =
        rows.iter().enumerate().map(|(at, row)| (row.index, at)).collect();
    // Not asked for yet, asked for, found.
    let mut paths: Vec<Option<Option<String>>> = vec![None; rows.len()];
    let mut chain = Vec::new();
    for at in 0..rows.len() {
        let mut next = Some(at);
        while let Some(at) = next.filter(|&at| paths[at].is_none()) {
            paths[at] = Some(None);
            chain.push(at);
            next = match &rows[at].outer {
                Outer::Index(index) => places.get(index).copied(),
                _ => None,
            };
        }
        while let Some(at) = chain.pop() {
            let around = match &rows[at].outer {
                Outer::Top => Some(None),
                Outer::Path(path) => Some(Some(path.as_str())),
                Outer::Index(index) => {
                    let outer = places.get(index).and_then(|outer| paths[*outer].as_ref());
                    outer.and_then(Option::as_deref).map(Some)
                }
                Outer::Unknown => None,
            };
            let name = rows[at].name.as_deref().filter(|name| !name.is_empty());
            let path = around.zip(name).map(|(around, name)| match around {
                Some(around) => format!("{around}.{name}"),
                None => name.to_owned(),
            });
            paths[at] = Some(path.filter(|path| path.len() <= LONGEST_PATH));
        }
    }
    let found = rows.iter().zip(paths).filter_map(|(row, path)| Some((row.index, path??)));
    found.collect()
}

impl Package {
    /// The rows of all objects, as the tables have them.
    pub(super) fn path_rows(&self) -> Vec<PathRow> {
        let text = |name: Name| {
            let row = usize::try_from(name.index.value()).ok();
            row.filter(|row| *row < self.tables.names.len()).map(|_| self.name_text(name))
        };
        let outer = |index: PackageIndex| match index.value() {
            0 => Outer::Top,
            value => Outer::Index(value),
        };
        // Below version 50 an import names its package instead of referring to it.
        let by_name = self.versions.file() < threshold::OUTER_INDEX_ADDED;
        let imports = self.tables.imports.iter().enumerate().map(|(row, import)| PathRow {
            index: PackageIndex::import(row).value(),
            name: text(import.object_name),
            outer: match by_name {
                true => outer_by_name(text(import.outer_name)),
                false => outer(import.outer_index),
            },
        });
        let exports = self.tables.exports.iter().enumerate().map(|(row, export)| PathRow {
            index: PackageIndex::export(row).value(),
            name: text(export.object_name),
            outer: outer(export.outer_index),
        });
        exports.chain(imports).collect()
    }
}

/// The object around another, where its package stands by its name instead of a reference.
pub(super) fn outer_by_name(package: Option<String>) -> Outer {
    match package {
        Some(package) if package == "None" => Outer::Top,
        Some(package) => Outer::Path(package),
        None => Outer::Unknown,
    }
}
