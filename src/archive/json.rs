//! Archives whose bytes are JSON: the same `serialize` writes and reads a form that people can edit.
//!
//! Fields are keys, elements stand in arrays, what is stored is a leaf. Reading goes by the same steps as
//! writing, so that the keys of an object may stand in any order; one that is missing, unknown or doubled is an
//! error that names its path.
//!
//! | JSON | stands for |
//! |---|---|
//! | number | a number; a row without a text |
//! | string | a row by its text, such as a name or the path of an object; a string as [`JsonTexts`] knows them |
//! | `[…]` | elements, which are as many as their count says; or a list whose keys come again and again, an object for each turn |
//! | `{"$row": …, "$number": n}` | a row with a number beside it |
//! | `{"$text": "…"}` | characters |
//! | `{"$hex": "…"}` | bytes that are a value; where a count stands before them, also that |
//! | `{"$compact": "…"}` | a compact index in a form that the engine would not write |
//! | `{"$bits": n}` | a floating point number that JSON can't hold |
//! | `{"$payload": "…"}`, `$opaque`, `$gap` | bytes that stay as they are, in base64 |
//! | `{}` | nothing stored |
//! | any other object | fields; `$value` is a leaf without a name, `$elements` are elements without a count, `$groups` a list whose keys come again |
//!
//! A form that no byte says is a key as well, absent for the usual one: see `ArchiveExt::form`.

mod fold;
mod loader;
mod parse;
mod saver;
mod text;

pub use loader::JsonLoader;
pub use saver::JsonSaver;
pub use text::JsonTexts;

use serde_json::{Map, Value, json};

use super::Kind;

/// Key of a leaf that has no name beside others that have.
const VALUE: &str = "$value";
/// Key of elements without a count beside fields.
const ELEMENTS: &str = "$elements";
/// Key of a list whose keys come again, where an array would be taken for elements.
const GROUPS: &str = "$groups";
/// Key of a row.
const ROW: &str = "$row";
/// Key of the number beside a row.
const NUMBER: &str = "$number";
/// Key of characters.
const TEXT: &str = "$text";
/// Key of bytes that are a value.
const HEX: &str = "$hex";
/// Key of an odd compact index.
const COMPACT: &str = "$compact";
/// Key of the bits of a floating point number.
const BITS: &str = "$bits";
/// The field whose number an array alone says.
const COUNT: &str = "count";

/// The key of bytes that stay as they are.
fn key_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => TEXT,
        Kind::Payload => "$payload",
        Kind::Opaque => "$opaque",
        Kind::Gap => "$gap",
    }
}

/// Whether a value stands for something stored and holds nothing else.
fn is_leaf(value: &Value) -> bool {
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
fn group(groups: &[Value], at: usize) -> Option<&Map<String, Value>> {
    groups.get(at)?.as_object()
}

/// Bytes as digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a String can't fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Digits as bytes.
pub(crate) fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes();
    let digit = |at: usize| char::from(digits[at]).to_digit(16);
    let pairs =
        (0..digits.len() / 2).map(|at| Some((digit(at * 2)? << 4 | digit(at * 2 + 1)?) as u8));
    digits.len().is_multiple_of(2).then(|| pairs.collect()).flatten()
}

/// Characters, as text where that says the same.
fn characters(bytes: &[u8]) -> Value {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() && !bytes.contains(&0) => json!({ TEXT: text }),
        _ => json!({ HEX: hex(bytes) }),
    }
}

/// A leaf as bytes of a value or of characters.
fn bytes_of(leaf: &Value) -> Option<Vec<u8>> {
    match (leaf.get(TEXT), leaf.get(HEX)) {
        (Some(text), _) => text.as_str().map(|text| text.as_bytes().to_vec()),
        (_, Some(digits)) => unhex(digits.as_str()?),
        _ => None,
    }
}
