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
    let ranks = ranks(value, &keys);
    // Where a record stands: by the lists around it, each by its first record and the key of the element there,
    // and its rank among those of one key.
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
                    let rank = ranks.get(element).copied().unwrap_or_default();
                    place.push((first, key.as_str(), rank));
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
        place.push((row, "", 0));
        places.push(place);
    }
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].cmp(&places[*b]));
    let mut records: Vec<_> = std::mem::take(&mut value.records).into_iter().map(Some).collect();
    value.records = order.into_iter().filter_map(|row| records.get_mut(row)?.take()).collect();
    true
}

/// The ranks of elements that have one key, such as those of objects that are gone: by what they say, since each save may
/// store them in another order.
fn ranks(value: &SerializedValue, keys: &HashMap<String, String>) -> HashMap<String, usize> {
    let mut same: HashMap<(&str, &str), Vec<&str>> = HashMap::new();
    for (element, key) in keys {
        let list = element.rfind('[').map_or("", |open| &element[..open]);
        same.entry((list, key)).or_default().push(element);
    }
    same.retain(|_, elements| elements.len() > 1);
    let mut contents: HashMap<&str, Vec<String>> = HashMap::new();
    contents.extend(same.values().flatten().map(|element| (*element, Vec::new())));
    if contents.is_empty() {
        return HashMap::new();
    }
    for record in &value.records {
        for (at, _) in record.path.match_indices(']') {
            let Some(content) = contents.get_mut(&record.path[..=at]) else { continue };
            // Lists in it may have another order, too.
            let rest = record.path[at + 1..].chars().filter(|char| !char.is_ascii_digit());
            let text = value.content(record);
            content.push(rest.chain(['=']).chain(text.chars()).collect());
        }
    }
    let stored = contents.clone();
    contents.values_mut().for_each(|content| content.sort_unstable());
    let mut ranks = HashMap::new();
    for mut elements in same.into_values() {
        // What says the same in another order of its own comes as it is stored, not as a table of hashes has it.
        let number = |element: &&str| -> Option<usize> {
            element.rsplit_once('[')?.1.trim_end_matches(']').parse().ok()
        };
        elements.sort_by_key(number);
        elements.sort_by_key(|element| (contents.get(element), stored.get(element)));
        ranks.extend(elements.iter().enumerate().map(|(rank, it)| ((*it).to_owned(), rank)));
    }
    ranks
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

    /// Objects that are gone have one key: what is said of each stays together, in an order of its own.
    #[test]
    fn elements_of_one_key_stand_by_what_they_say() {
        let lines = |texts: [[&str; 2]; 3]| -> Vec<String> {
            let mut value = SerializedValue::default();
            for (at, [first, second]) in texts.into_iter().enumerate() {
                let key = format!("rows[{at}].key");
                value.records.push(record(&key, "None", Some(Role::Identity)));
                for (inner, text) in [first, second].into_iter().enumerate() {
                    value.records.push(record(&format!("rows[{at}].list[{inner}]"), text, None));
                }
            }
            assert!(by_identity(&mut value));
            value.records.into_iter().map(|record| record.meaning).collect()
        };
        let [one, two, three] = [["b", "x"], ["a", "z"], ["c", "y"]];
        let expected = ["None", "a", "z", "None", "b", "x", "None", "c", "y"];
        assert_eq!(lines([one, two, three]), expected);
        assert_eq!(lines([three, one, two]), expected);
    }
}
