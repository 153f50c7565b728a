//! Rows of tables in the words of a document: what is as it is by default is left out.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::texts::PackageTexts;
use crate::archive::{Archive, Archived, Context, JsonSaver};
use crate::error::Result;
use crate::table::{Export, ExportPreload, Import};
use crate::version::threshold::ue4;
use crate::version::{UnrealVersions, Versions};

/// Fields that say what a row is, and are never left out.
const TELLING: [&str; 3] = ["object_name", "class_package", "class_name"];
/// Names that mean none where they are left out.
const NAMES: [&str; 2] = ["package_name", "outer_name"];
const SIZE: &str = "serial_size";
/// Left out where a body begins at the end of the one before it.
const OFFSET: &str = "serial_offset";
/// The fields of an export's row that say where its body is: saving makes them anew.
pub(super) const PLACES: [&str; 4] =
    [SIZE, OFFSET, "script_serialization_start_offset", "script_serialization_end_offset"];

/// The fields of a row that says nothing.
pub(super) struct UsualRow(Map<String, Value>);

impl UsualRow {
    fn of<T: Archived>(mut row: T, versions: &Versions, context: &Arc<Context>) -> Result<Self> {
        let texts = PackageTexts::default();
        let mut saver = JsonSaver::new(versions.clone(), context.clone(), &texts, 0);
        row.serialize(&mut saver as &mut dyn Archive)?;
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
        let has_preload = versions.ue4() >= ue4::PRELOAD_DEPENDENCIES_IN_COOKED_EXPORTS;
        let preload = if has_preload { ExportPreload::NONE } else { ExportPreload::default() };
        let row = Export { preload, ..Export::default() };
        Self::of(row, versions, context)
    }

    /// A row without what is usual, and what it says of the place of its body.
    pub fn without(&self, row: Value) -> (Value, Map<String, Value>) {
        let Value::Object(mut row) = row else { return (row, Map::new()) };
        let mut stored = Map::new();
        // Without its offset a body stands behind the one before it: then 0 must be said as well.
        let has_body = row.get(SIZE).and_then(Value::as_i64).is_some_and(|size| size > 0);
        for place in PLACES {
            if let Some(value) = row.remove(place)
                && (self.0.get(place) != Some(&value) || (has_body && place == OFFSET))
            {
                stored.insert(place.to_owned(), value);
            }
        }
        row.retain(|field, value| self.0.get(field) != Some(value));
        (Value::Object(row), stored)
    }

    /// The row with all of its fields.
    pub fn with(
        &self,
        row: Map<String, Value>,
        stored: Option<&Map<String, Value>>,
        end: &mut i64,
    ) -> Value {
        let mut whole = self.0.clone();
        whole.extend(row);
        if let Some(stored) = stored {
            let places = PLACES
                .iter()
                .filter_map(|place| Some(((*place).to_owned(), stored.get(*place)?.clone())));
            whole.extend(places);
            let size = stored.get(SIZE).and_then(Value::as_i64).unwrap_or(0);
            if !stored.contains_key(OFFSET) && size > 0 {
                match *end {
                    // The body before it is gone: it stands nowhere.
                    0 => drop(whole.insert(SIZE.to_owned(), Value::from(0))),
                    end => drop(whole.insert(OFFSET.to_owned(), Value::from(end))),
                }
            }
            if let Some((size, offset)) = place_in(&whole) {
                *end = offset.saturating_add(size);
            }
        }
        Value::Object(whole)
    }
}

/// Leaves out where a body stands that begins at the end of the one before it, `end`. One that must stay where
/// it stands says so whatever was before.
pub(super) fn follow(stored: &mut Map<String, Value>, must_stay: bool, end: &mut i64) {
    if let Some((size, offset)) = place_in(stored) {
        // An end of 0 means that no body was before.
        if offset == *end && *end != 0 && !must_stay {
            stored.remove(OFFSET);
        }
        *end = offset.saturating_add(size);
    }
}

/// Size and offset of a body.
fn place_in(fields: &Map<String, Value>) -> Option<(i64, i64)> {
    let number = |key: &str| fields.get(key).and_then(Value::as_i64);
    number(SIZE).zip(number(OFFSET)).filter(|(size, _)| *size > 0)
}

/// The key of elements that have fields beside them.
const ELEMENTS: &str = "$elements";

/// The rows of a depends table that has not one for each export, as lists.
pub(super) fn depends_in_words(value: &mut Value) {
    if let Some(map) = value.as_object_mut() {
        // How many rows are missing is counted anew.
        *value = map.remove(ELEMENTS).unwrap_or_else(|| json!([]));
    }
    for row in value.as_array_mut().into_iter().flatten() {
        if let Some(objects) = row.get_mut("objects") {
            *row = match objects.take() {
                Value::Array(objects) => Value::Array(objects),
                _ => json!([]),
            };
        }
    }
}

/// The table from its lists: of exports that were added behind a table that was complete nothing is said.
pub(super) fn depends_apart(value: Value, were: Option<usize>, exports: usize) -> Value {
    let Value::Array(rows) = value else { return value };
    let is_complete = were.is_none_or(|were| rows.len() >= were);
    let given = rows.len();
    let mut rows: Vec<Value> = rows.into_iter().map(|row| json!({ "objects": row })).collect();
    if is_complete {
        let new = exports.saturating_sub(given);
        rows.extend((0..new).map(|_| json!({ "objects": [] })));
    }
    match exports as i64 - rows.len() as i64 {
        0 => Value::Array(rows),
        // Elements that nothing reads would be unknown fields.
        missing if rows.is_empty() => json!({ "missing": missing }),
        missing => json!({ "missing": missing, ELEMENTS: rows }),
    }
}
