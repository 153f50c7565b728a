//! Data of removed objects that is kept, so that they can come back.

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use crate::archive::Span;
use crate::edit::Edit;
use crate::edit::conform::export_titles;
use crate::package::{Decoded, ImportView, Package};
use crate::primitive::PackageIndex;
use crate::table::{ExportPreload, Generation, Tables};

/// The data that is kept of removed objects: the package as it was, its bodies as far as they changed, and what
/// the tables say since. All rows are those from before.
#[derive(Debug)]
pub(in crate::edit) struct KeptObjects {
    /// The package without its bodies; spans of all that is kept lie in its source.
    before: Package,
    titles: OnceLock<Titles>,
    /// The exports that went, ascending.
    pub rows: Vec<usize>,
    /// Empty rows of exports that the same edit had removed before.
    pub gaps: BTreeSet<usize>,
    /// The bodies of what went.
    pub bodies: Vec<(usize, Arc<Decoded>)>,
    /// The bodies of those that are not decoded.
    pub hidden: Vec<(usize, Span)>,
    /// Bodies that referred to them, before and after; the numbers in both are those from before.
    pub changed: Vec<(usize, Arc<Decoded>, Arc<Decoded>)>,
    /// The preload dependencies afterwards: the list, and each export's range of it.
    pub preloads: (Vec<PackageIndex>, Vec<ExportPreload>),
    /// The generations afterwards.
    pub generations: Vec<Generation>,
}

/// Class and path of each row.
#[derive(Debug)]
struct Titles {
    exports: Vec<String>,
    imports: Vec<String>,
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
            before: package.without_bodies(),
            titles: OnceLock::new(),
            rows: rows.to_vec(),
            gaps: package.gaps(),
            bodies: rows.iter().filter_map(body).collect(),
            hidden: rows.iter().filter_map(hidden).collect(),
            changed: Vec::new(),
            preloads: Default::default(),
            generations: Vec::new(),
        }
    }

    /// Where spans of all that is kept lie.
    pub fn source(&self) -> Bytes {
        self.before.source_bytes()
    }

    /// The tables as they were before.
    pub fn tables(&self) -> &Tables {
        self.before.tables()
    }

    /// Class and path of each export, in lower case.
    pub fn exports(&self) -> &[String] {
        &self.titles().exports
    }

    /// Class and path of each import, in lower case.
    pub fn imports(&self) -> &[String] {
        &self.titles().imports
    }

    fn titles(&self) -> &Titles {
        self.titles.get_or_init(|| Titles {
            exports: export_titles(&self.before),
            imports: import_titles(&self.before),
        })
    }

    /// Remembers what tables say once the objects have gone.
    pub fn note_after(&mut self, package: &Edit) {
        let tables = package.tables();
        if !tables.further.preload_dependencies.is_empty() {
            let ranges = tables.exports.iter().map(|export| export.preload).collect();
            self.preloads = (tables.further.preload_dependencies.clone(), ranges);
        }
        self.generations = tables.summary.generations.clone();
        // The empty rows are not counted in the end.
        let gaps = self.gaps.len() + self.rows.len();
        if let Some(newest) = self.generations.last_mut() {
            newest.export_count = newest.export_count.saturating_sub_unsigned(gaps as u32);
        }
    }
}

/// Class and path of every import in lower case.
pub(in crate::edit) fn import_titles(package: &Package) -> Vec<String> {
    let title = |import: ImportView<'_>| {
        format!("{} {}", import.class(), import.path()).to_ascii_lowercase()
    };
    package.imports().iter().map(title).collect()
}
