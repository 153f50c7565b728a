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
    for record in &mut value.records {
        let mut path = String::with_capacity(record.path.len());
        let mut start = 0;
        for (at, _) in record.path.match_indices(']') {
            let (element, rest) = (&record.path[..=at], &record.path[start..=at]);
            match (keys.get(element), rest.rfind('[')) {
                (Some(key), Some(open)) => {
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
    }
    true
}
