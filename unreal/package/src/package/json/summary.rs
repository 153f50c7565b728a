//! The summary in the words of a document: without what saving counts and places anew.

use serde_json::{Map, Value, json};

use crate::error::{Error, Result};

/// Counts of the newest generation, which follow from the tables.
const NEWEST: [&str; 2] = ["export_count", "name_count"];

/// Fields that saving counts or places anew, and what they say of what is not there.
const COMPUTED: [(&str, i32); 35] = [
    ("total_header_size", 0),
    ("name_count", 0),
    ("name_offset", 0),
    ("soft_object_paths_count", 0),
    ("soft_object_paths_offset", 0),
    ("gatherable_text_data_count", 0),
    ("gatherable_text_data_offset", 0),
    ("export_count", 0),
    ("export_offset", 0),
    ("import_count", 0),
    ("import_offset", 0),
    ("heritage_count", 0),
    ("heritage_offset", 0),
    ("cell_export_count", 0),
    ("cell_export_offset", 0),
    ("cell_import_count", 0),
    ("cell_import_offset", 0),
    ("meta_data_offset", 0),
    ("depends_offset", 0),
    ("import_export_guids_offset", 0),
    ("import_guids_count", 0),
    ("export_guids_count", 0),
    ("soft_package_references_count", 0),
    ("soft_package_references_offset", 0),
    ("searchable_names_offset", 0),
    ("thumbnail_table_offset", 0),
    ("import_type_hierarchies_count", 0),
    ("import_type_hierarchies_offset", 0),
    ("asset_registry_data_offset", 0),
    ("bulk_data_start_offset", 0),
    ("world_tile_info_data_offset", 0),
    // These count from -1.
    ("preload_dependency_count", -1),
    ("preload_dependency_offset", 0),
    ("payload_toc_offset", -1),
    ("data_resource_offset", -1),
];

/// Counted, but not from a list: names that bodies use.
const USED_NAMES: &str = "names_referenced_from_export_data_count";

/// The hash of the file, which is kept only where it is not that.
const HASH: &str = "saved_hash";

fn is_computed(field: &str) -> bool {
    field == USED_NAMES || COMPUTED.iter().any(|(computed, _)| *computed == field)
}

/// The computed fields of a package where nothing is counted.
pub(super) fn unsaid() -> Map<String, Value> {
    let fields = COMPUTED.into_iter().chain([(USED_NAMES, 0)]);
    let fields = fields.map(|(field, value)| (field.to_owned(), value.into()));
    fields.chain([(HASH.to_owned(), json!({ "$hex": "00".repeat(20) }))]).collect()
}

/// Takes out of a summary what can be computed; says what was there.
pub(super) fn put(
    summary: &mut Value,
    (names, exports): (usize, usize),
    hash_is_right: bool,
) -> Value {
    let Some(fields) = summary.as_object_mut() else { return Value::Null };
    if hash_is_right {
        fields.remove(HASH);
    }
    let computed: Vec<String> = fields.keys().filter(|field| is_computed(field)).cloned().collect();
    let taken = computed.into_iter().filter_map(|field| Some((fields.remove(&field)?, field)));
    let taken: Map<String, Value> = taken.map(|(value, field)| (field, value)).collect();
    if let Some(newest) = newest(fields) {
        for (field, count) in NEWEST.into_iter().zip([exports, names]) {
            if newest.get(field).and_then(Value::as_u64) == Some(count as u64) {
                newest.remove(field);
            }
        }
    }
    Value::Object(taken)
}

fn newest(fields: &mut Map<String, Value>) -> Option<&mut Map<String, Value>> {
    fields.get_mut("generations")?.as_array_mut()?.last_mut()?.as_object_mut()
}

/// The numbers that a document leaves to be computed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ToCount {
    /// The hash of the file.
    pub hash: bool,
    /// Exports of the newest generation.
    pub newest_exports: bool,
    /// Names of the newest generation.
    pub newest_names: bool,
    /// Names when the document was written, if it says so.
    pub names: Option<i64>,
    /// Exports when the document was written, if it says so.
    pub exports: Option<i64>,
}

/// The summary with what `stored` says of it, and what is to be counted.
///
/// # Errors
/// `Invalid` where it is no object.
pub(super) fn with_stored(summary: Value, stored: &Value) -> Result<(Value, ToCount)> {
    let Value::Object(mut fields) = summary else {
        return Err(Error::invalid("'summary' is missing or no object"));
    };
    for (field, value) in stored.as_object().into_iter().flatten() {
        if is_computed(field) && !fields.contains_key(field) {
            fields.insert(field.clone(), value.clone());
        }
    }
    let said = |field: &str| fields.get(field).and_then(Value::as_i64);
    let (names, exports) = (said("name_count"), said("export_count"));
    let is_missing = |field: &str, newest: &Map<String, Value>| !newest.contains_key(field);
    let hash = !fields.contains_key(HASH);
    let mut count = ToCount { hash, names, exports, ..ToCount::default() };
    if let Some(newest) = newest(&mut fields) {
        count.newest_exports = is_missing(NEWEST[0], newest);
        count.newest_names = is_missing(NEWEST[1], newest);
    }
    Ok((Value::Object(fields), count))
}
