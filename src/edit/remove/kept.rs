//! What is kept of removed objects, so that they can come back.

use std::sync::Arc;

use bytes::Bytes;

use crate::archive::Span;
use crate::edit::Edit;
use crate::edit::conform::export_titles;
use crate::package::{Decoded, ImportView, Package};
use crate::primitive::PackageIndex;
use crate::table::{ExportPreload, Generation, Tables};

/// What is kept of removed objects: the package's tables as they were before, its bodies as far as they
/// changed, and what the tables say since. All rows are those from before.
#[derive(Debug)]
pub(in crate::edit) struct KeptObjects {
    /// Where spans of all that is kept lie.
    pub source: Bytes,
    pub tables: Tables,
    /// Class and path of each export.
    pub exports: Vec<String>,
    /// Class and path of each import.
    pub imports: Vec<String>,
    /// The exports that went, ascending.
    pub rows: Vec<usize>,
    /// Their bodies.
    pub bodies: Vec<(usize, Arc<Decoded>)>,
    /// The bodies of those that are not decoded.
    pub hidden: Vec<(usize, Span)>,
    /// Bodies that referred to them, before and after; the numbers in both are those from before.
    pub changed: Vec<(usize, Arc<Decoded>, Arc<Decoded>)>,
    /// What must be loaded first, afterwards: the list, and each export's range of it.
    pub preloads: (Vec<PackageIndex>, Vec<ExportPreload>),
    /// The generations afterwards.
    pub generations: Vec<Generation>,
}

impl KeptObjects {
    /// Before these exports go, whose bodies are decoded as far as they can be.
    pub fn of(package: &Edit, rows: &[usize]) -> Self {
        let bodies = &package.bodies().decoded;
        let body = |&row: &usize| Some((row, bodies.shared(row)?.clone()));
        let hidden = |&row: &usize| {
            let is_hidden = bodies.get(&row).is_none() && package.tables().exports[row].size() > 0;
            is_hidden.then(|| (row, package.body_span(row)))
        };
        Self {
            source: package.source_bytes(),
            tables: package.tables().clone(),
            exports: export_titles(package),
            imports: import_titles(package),
            rows: rows.to_vec(),
            bodies: rows.iter().filter_map(body).collect(),
            hidden: rows.iter().filter_map(hidden).collect(),
            changed: Vec::new(),
            preloads: Default::default(),
            generations: Vec::new(),
        }
    }

    /// Remembers what tables say once the objects have gone.
    pub fn note_after(&mut self, package: &Package) {
        let tables = package.tables();
        let ranges = tables.exports.iter().map(|export| export.preload).collect();
        self.preloads = (tables.further.preload_dependencies.clone(), ranges);
        self.generations = tables.summary.generations.clone();
    }
}

/// Class and path of every import in lower case.
pub(in crate::edit) fn import_titles(package: &Package) -> Vec<String> {
    let title = |import: ImportView<'_>| {
        format!("{} {}", import.class(), import.path()).to_ascii_lowercase()
    };
    package.imports().iter().map(title).collect()
}
