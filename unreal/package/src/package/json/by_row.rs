//! Values of separate tables for imports and exports, row by row: a document has them at the rows, so that these may
//! stand in any order.
//!
//! | table | the key | left out |
//! |---|---|---|
//! | `depends` | `depends` of an export: what must exist before it loads | where it is empty |
//! | `import_used_in_game` of `asset_dependencies` | `used_in_game` of an import | where it is true |
//!
//! A table that has not one row for each stays a table, and its rows stay where they are ([`super::known_rows`]).

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::document::Document;
use super::texts::WrittenTexts;
use crate::archive::{Archive, Archived, JsonSaver};
use crate::error::{Error, Result};
use crate::package::{Package, Section};
use crate::table::BitArray;

/// The key of an export, and that of the table.
pub(super) const DEPENDS: &str = "depends";
/// The key of an import.
pub(super) const USED: &str = "used_in_game";
/// The bits of imports in the table of asset dependencies.
const BITS: &str = "import_used_in_game";
/// The objects of a row of the depends table, as the archive has them.
const OBJECTS: &str = "objects";

/// Values at rows that belong to tables that are read later.
#[derive(Debug, Default)]
pub(super) struct TablesByRow {
    /// A row of the depends table for each export.
    pub depends: Vec<Value>,
    /// Whether the game uses each import.
    pub used: BitArray,
}

impl Package {
    fn has_place(&self, section: Section) -> bool {
        self.places.iter().any(|place| place.section == section)
    }

    /// Whether the depends table has a row for each export.
    pub(super) fn has_depends_by_row(&self) -> bool {
        self.has_place(Section::Depends) && self.tables.depends.len() == self.export_count()
    }

    /// The imports that the game uses, if each import says that and nothing else.
    pub(super) fn used_by_row(&self) -> Option<BitArray> {
        let known = self.tables.further.asset_dependencies.as_ref()?;
        let bits = &known.import_used_in_game;
        let mut again = BitArray::default();
        (0..bits.len()).filter_map(|row| bits.get(row)).for_each(|bit| again.push(bit));
        let is_by_row = bits.len() == self.tables.imports.len() && again == *bits;
        (is_by_row && self.has_place(Section::AssetDependencies)).then_some(again)
    }

    /// The objects that must exist before an export loads; `None` for nothing.
    pub(super) fn depends_in_words(
        &self,
        row: usize,
        words: WrittenTexts<'_>,
    ) -> Result<Option<Value>> {
        let Some(depends) = self.tables.depends.get(row).filter(|row| !row.objects.is_empty())
        else {
            return Ok(None);
        };
        let mut saver = words.saver(&self.versions, 0);
        depends.clone().serialize(&mut saver as &mut dyn Archive)?;
        Ok(saver.into_value().get_mut(OBJECTS).map(Value::take))
    }

    /// The table of asset dependencies as the archive has it.
    pub(super) fn dependencies_apart(&self, mut value: Value, used: &BitArray) -> Result<Value> {
        if let Some(fields) = value.as_object_mut().filter(|fields| !fields.contains_key(BITS)) {
            let mut saver = JsonSaver::new(self.versions.clone(), Arc::default(), &(), 0);
            used.clone().serialize(&mut saver as &mut dyn Archive)?;
            fields.insert(BITS.to_owned(), saver.into_value());
        }
        Ok(value)
    }
}

/// Takes the bits of imports out of the table of asset dependencies.
pub(super) fn put_dependencies(value: &mut Value) {
    if let Some(fields) = value.as_object_mut() {
        fields.remove(BITS);
    }
}

/// Whether the exports of a document say what must exist before them: then the table has no rows of its own.
pub(super) fn are_depends_by_row(document: &Document<'_>) -> Result<bool> {
    Ok(document.get(DEPENDS)?.as_object().is_some_and(Map::is_empty))
}

/// Whether the imports of a document say whether the game uses them.
pub(super) fn are_used_by_row(document: &Document<'_>) -> Result<bool> {
    let table = document.get(Section::AssetDependencies.step())?;
    Ok(table.as_object().is_some_and(|fields| !fields.contains_key(BITS)))
}

/// Which tables of a document say rows by their places: each with the table whose rows it says.
pub(super) fn tables_by_place(
    document: &Document<'_>,
) -> Result<Vec<(&'static str, &'static str)>> {
    let mut tables = Vec::new();
    let depends = document.get(DEPENDS)?;
    if depends.as_array().is_some_and(|rows| !rows.is_empty()) {
        tables.push(("exports", DEPENDS));
    }
    let dependencies = document.get(Section::AssetDependencies.step())?;
    let bits = dependencies.get(BITS).and_then(|bits| bits.get("length")).and_then(Value::as_u64);
    if bits.is_some_and(|bits| bits > 0) {
        tables.push(("imports", BITS));
    }
    Ok(tables)
}

/// Takes out of an import whether the game uses it.
///
/// # Errors
/// `Invalid` for what is neither true nor false.
pub(super) fn take_used(row: &mut Map<String, Value>) -> Result<bool> {
    match row.remove(USED) {
        None => Ok(true),
        Some(Value::Bool(used)) => Ok(used),
        Some(_) => Err(Error::invalid("it is neither true nor false").in_field(USED)),
    }
}

/// The depends table as the archive has it, from the rows that stood at exports.
pub(super) fn depends_of_rows(rows: Vec<Value>) -> Value {
    rows.into_iter().map(|row| json!({ OBJECTS: row })).collect()
}
