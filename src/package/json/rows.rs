//! Rows of tables in the words of a document: what is as it is by default is left out.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::texts::PackageTexts;
use crate::archive::{Archived, Context, JsonSaver};
use crate::error::Result;
use crate::table::{Export, ExportPreload, Import};
use crate::version::Versions;

/// Fields that say what a row is, and are never left out.
const TELLING: [&str; 3] = ["object_name", "class_package", "class_name"];
/// Names that mean none where they are left out.
const NAMES: [&str; 2] = ["package_name", "outer_name"];
/// What a row of an export stores of its body: saving makes it anew.
const PLACES: [&str; 4] = [
    "serial_size",
    "serial_offset",
    "script_serialization_start_offset",
    "script_serialization_end_offset",
];

/// The fields of a row that says nothing.
pub(super) struct UsualRow(Map<String, Value>);

impl UsualRow {
    fn of<T: Archived>(mut row: T, versions: &Versions, context: &Arc<Context>) -> Result<Self> {
        let texts = PackageTexts::default();
        let mut saver = JsonSaver::new(versions.clone(), context.clone(), &texts, 0);
        row.serialize(&mut saver)?;
        let mut fields = match saver.into_value() {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        TELLING.iter().for_each(|field| drop(fields.remove(*field)));
        for field in NAMES {
            if let Some(name) = fields.get_mut(field) {
                *name = json!("None");
            }
        }
        Ok(Self(fields))
    }

    /// That of imports.
    pub fn of_imports(versions: &Versions, context: &Arc<Context>) -> Result<Self> {
        Self::of(Import::default(), versions, context)
    }

    /// That of exports.
    pub fn of_exports(versions: &Versions, context: &Arc<Context>) -> Result<Self> {
        let row = Export { preload: ExportPreload::NONE, ..Export::default() };
        Self::of(row, versions, context)
    }

    /// A row without what is usual, and what it says of the place of its body.
    pub fn without(&self, row: Value) -> (Value, Map<String, Value>) {
        let Value::Object(mut row) = row else { return (row, Map::new()) };
        let mut stored = Map::new();
        for place in PLACES {
            if let Some(value) = row.remove(place)
                && self.0.get(place) != Some(&value)
            {
                stored.insert(place.to_owned(), value);
            }
        }
        row.retain(|field, value| self.0.get(field) != Some(value));
        (Value::Object(row), stored)
    }

    /// The row with all of its fields.
    pub fn with(&self, row: Map<String, Value>, stored: Option<&Map<String, Value>>) -> Value {
        let mut whole = self.0.clone();
        whole.extend(row);
        if let Some(stored) = stored {
            let places = PLACES.iter().filter_map(|place| {
                Some(((*place).to_owned(), stored.get(*place)?.clone()))
            });
            whole.extend(places);
        }
        Value::Object(whole)
    }
}
