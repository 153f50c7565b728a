//! The classes that a map knows.

use std::collections::{HashMap, HashSet};

use crate::edit::Edit;
use crate::inspect::ReferenceTexts;
use crate::primitive::PackageIndex;

/// Classes and imports of a map, by names in lower case: looked up for every actor and polygon.
#[derive(Default)]
pub(super) struct KnownClasses {
    /// The paths of classes.
    pub paths: HashMap<String, String>,
    /// The first object of each class.
    pub first_rows: HashMap<String, usize>,
    /// What is imported, packages aside.
    pub imports: HashMap<String, PackageIndex>,
}

impl KnownClasses {
    /// Adds the class of a new actor by its path.
    pub fn add_class(&mut self, path: &str) {
        let name = path.rsplit('.').next().unwrap_or(path).to_ascii_lowercase();
        self.paths.entry(name).or_insert_with(|| path.to_owned());
    }

    pub fn of(edit: &Edit) -> Self {
        let mut known = Self::default();
        let mut seen = HashSet::new();
        for (row, export) in edit.tables().exports.iter().enumerate() {
            if seen.insert(export.class_index) {
                let name = edit.object_name(export.class_index).to_ascii_lowercase();
                known.paths.entry(name.clone()).or_insert_with(|| edit.class_path(row));
                known.first_rows.entry(name).or_insert(row);
            }
        }
        for import in edit.imports().iter() {
            let (name, class) = (import.name().to_ascii_lowercase(), import.class());
            if class.ends_with("Class") {
                known.paths.entry(name.clone()).or_insert_with(|| import.path());
            }
            if !class.ends_with("Package") {
                known.imports.entry(name).or_insert_with(|| import.index());
            }
        }
        known
    }
}
