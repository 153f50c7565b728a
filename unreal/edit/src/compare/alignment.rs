//! Lists whose elements have keys: paths within them name the key in place of the number.

use std::collections::HashMap;

use super::records::SerializedValue;
use crate::archive::Role;

/// The path of an element in front of its last bracket that is closed, and the element itself.
fn element_of(path: &str) -> Option<&str> {
    let end = path.rfind(']')?;
    path.get(..=end)
}

/// Names elements by the fields that the layout calls their identity; says whether there are any.
pub(super) fn by_identity(value: &mut SerializedValue) -> bool {
    let mut keys: HashMap<String, String> = HashMap::new();
    for record in &value.records {
        let Some(element) = element_of(&record.path) else { continue };
        if record.role == Some(Role::Identity) {
            let text = match record.meaning.is_empty() {
                true => value.text(record),
                false => record.meaning.clone(),
            };
            let key = keys.entry(element.to_owned()).or_default();
            if !key.is_empty() {
                key.push(' ');
            }
            key.push_str(&text.to_ascii_lowercase());
        }
    }
    if keys.is_empty() {
        return false;
    }
    // Where a record stands: by the lists around it, each by its first record and the key of the element there.
    let mut firsts: HashMap<String, usize> = HashMap::new();
    let mut places = Vec::with_capacity(value.records.len());
    for (row, record) in value.records.iter_mut().enumerate() {
        let mut path = String::with_capacity(record.path.len());
        let mut place = Vec::new();
        let mut start = 0;
        for (at, _) in record.path.match_indices(']') {
            let (element, rest) = (&record.path[..=at], &record.path[start..=at]);
            match (keys.get(element), rest.rfind('[')) {
                (Some(key), Some(open)) => {
                    let first =
                        *firsts.entry(record.path[..=start + open].to_owned()).or_insert(row);
                    place.push((first, key.as_str()));
                    path.push_str(&rest[..=open]);
                    path.push_str(key);
                    path.push(']');
                }
                _ => path.push_str(rest),
            }
            start = at + 1;
        }
        path.push_str(&record.path[start..]);
        record.path = path;
        place.push((row, ""));
        places.push(place);
    }
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].cmp(&places[*b]));
    let mut records: Vec<_> = std::mem::take(&mut value.records).into_iter().map(Some).collect();
    value.records = order.into_iter().filter_map(|row| records.get_mut(row)?.take()).collect();
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Record, RecordValue};

    fn record(path: &str, meaning: &str, role: Option<Role>) -> Record {
        let (value, meaning) = (RecordValue::Integer(1), meaning.to_owned());
        Record { start: 0, end: 0, path: path.to_owned(), type_name: "u8", value, meaning, role }
    }

    /// Two saves with another order of a list say the same, line by line.
    #[test]
    fn elements_with_keys_stand_by_their_keys() {
        let element = |at: usize, key: &str| {
            let key = record(&format!("rows[{at}].key"), key, Some(Role::Identity));
            [key, record(&format!("rows[{at}].list[0]"), "", None)]
        };
        let lines = |rows: [&str; 2]| -> Vec<String> {
            let mut value = SerializedValue::default();
            value.records.push(record("first", "", None));
            value
                .records
                .extend(rows.into_iter().enumerate().flat_map(|(at, key)| element(at, key)));
            value.records.push(record("last", "", None));
            assert!(by_identity(&mut value));
            value.records.into_iter().map(|record| record.path).collect()
        };
        let expected =
            ["first", "rows[a].key", "rows[a].list[0]", "rows[b].key", "rows[b].list[0]", "last"];
        assert_eq!(lines(["B", "A"]), expected);
        assert_eq!(lines(["A", "B"]), expected);
        let mut value = SerializedValue::default();
        value.records.push(record("rows[0]", "", None));
        assert!(!by_identity(&mut value));
    }
}
