//! The summary in the words of a document: without what saving counts and places anew.

use serde_json::{Map, Value};

use crate::error::{Error, Result};

/// Counts of the newest generation, which follow from the tables.
const NEWEST: [&str; 2] = ["export_count", "name_count"];

/// Whether a field of the summary says a count or a place.
fn is_computed(field: &str) -> bool {
    field.ends_with("_count") || field.ends_with("_offset") || field == "total_header_size"
}

/// Takes out of a summary what can be computed; says what was there.
pub(super) fn put(summary: &mut Value, (names, exports): (usize, usize)) -> Value {
    let Some(fields) = summary.as_object_mut() else { return Value::Null };
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

/// What a document leaves to be counted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ToCount {
    pub newest_exports: bool,
    pub newest_names: bool,
}

/// The whole summary: what is not said comes from `stored`, then from `usual`; and what is to be counted.
pub(super) fn whole(
    summary: Value,
    stored: Option<&Value>,
    usual: &Value,
) -> Result<(Value, ToCount)> {
    let Value::Object(mut fields) = summary else {
        return Err(Error::invalid("'summary' is missing or no object"));
    };
    for (field, value) in [stored, Some(usual)].into_iter().flatten().filter_map(Value::as_object).flatten() {
        if is_computed(field) && !fields.contains_key(field) {
            fields.insert(field.clone(), value.clone());
        }
    }
    let mut count = ToCount::default();
    if let Some(newest) = newest(&mut fields) {
        let mut add = |field: &str| {
            let is_missing = !newest.contains_key(field);
            newest.entry(field).or_insert(Value::from(0));
            is_missing
        };
        count = ToCount { newest_exports: add(NEWEST[0]), newest_names: add(NEWEST[1]) };
    }
    Ok((Value::Object(fields), count))
}
