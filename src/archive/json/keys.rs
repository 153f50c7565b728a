//! The keys of documents, and what stands at them.

use serde_json::{Map, Value, json};

use crate::archive::{Kind, hex, unhex};

/// Key of a leaf that has no name beside others that have.
pub(super) const VALUE: &str = "$value";
/// Key of elements without a count beside fields.
pub(super) const ELEMENTS: &str = "$elements";
/// Key of a list whose keys come again, where an array would be taken for elements.
pub(super) const GROUPS: &str = "$groups";
/// Key of a row.
pub(super) const ROW: &str = "$row";
/// Key of the number beside a row.
pub(super) const NUMBER: &str = "$number";
/// Key of characters.
pub(super) const TEXT: &str = "$text";
/// Key of bytes that are a value.
pub(super) const HEX: &str = "$hex";
/// Key of an odd compact index.
pub(super) const COMPACT: &str = "$compact";
/// Key of the bits of a floating point number.
pub(super) const BITS: &str = "$bits";
/// The field whose number an array alone says.
pub(super) const COUNT: &str = "count";

/// The key of bytes that stay as they are.
pub(super) fn key_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => TEXT,
        Kind::Payload => "$payload",
        Kind::Opaque => "$opaque",
        Kind::Gap => "$gap",
    }
}

/// Whether a value stands for something stored and holds nothing else.
pub(super) fn is_leaf(value: &Value) -> bool {
    const KEYS: [&str; 8] = [ROW, TEXT, HEX, COMPACT, BITS, "$payload", "$opaque", "$gap"];
    match value {
        Value::Array(_) => false,
        Value::Object(map) => match map.len() {
            1 => map.keys().all(|key| KEYS.contains(&key.as_str())),
            2 => map.contains_key(ROW) && map.contains_key(NUMBER),
            _ => false,
        },
        _ => true,
    }
}

/// The turn of a list whose keys come again.
pub(super) fn group(groups: &[Value], at: usize) -> Option<&Map<String, Value>> {
    groups.get(at)?.as_object()
}

/// Characters, as text where that says the same.
pub(super) fn characters(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() && !bytes.contains(&0) => json!({ TEXT: text }),
        _ => json!({ HEX: hex(bytes) }),
    }
}

/// A leaf as bytes of a value or of characters.
pub(super) fn bytes_of(leaf: &Value) -> Option<Vec<u8>> {
    match (leaf.get(TEXT), leaf.get(HEX)) {
        (Some(text), _) => text.as_str().map(|text| text.as_bytes().to_vec()),
        (_, Some(digits)) => unhex(digits.as_str()?),
        _ => None,
    }
}
