//! Archives whose bytes are JSON: the same `serialize` writes and reads a form that people can edit.
//!
//! Values stand in stored order. What is stored is a leaf; fields and elements are objects and arrays.
//!
//! | JSON | stands for |
//! |---|---|
//! | number | a number; a reference to an object by index |
//! | string | a name, or the path of an object; where a count is expected, a whole string |
//! | `{"$array": […]}` | a count, then as many elements |
//! | `{"$before": …, "$array": […]}` | the same with something between count and elements |
//! | `{"$name": row, "$number": n}` | a name whose text does not say its row |
//! | `{"$here": n}` | a file position, n at the time: the true one, wherever the value stands |
//! | `{"$text": "…"}` | characters |
//! | `{"$hex": "…"}` | bytes that are a value |
//! | `{"$compact": "…"}` | a compact index in a form that the engine would not write |
//! | `{"$bits": n}` | a floating point number that JSON can't hold |
//! | `{"$choice": n}` | which form follows, where more than one is possible: absent for the usual one |
//! | `{"$payload": "…"}`, `$opaque`, `$gap` | bytes that stay as they are, in base64 |
//! | `{}` | nothing stored |
//! | any other object | its values, in order |

mod cursor;
mod fold;
mod loader;
mod saver;
mod text;

pub use loader::JsonLoader;
pub use saver::JsonSaver;
pub use text::JsonTexts;

use serde_json::{Value, json};

use super::Kind;

/// Key of a decision between forms.
const CHOICE: &str = "$choice";
/// Key of a counted array.
const ARRAY: &str = "$array";
/// Key of what stands between a count and its array.
const BEFORE: &str = "$before";
/// Key of a name's row.
const NAME: &str = "$name";
/// Key of a name's number.
const NUMBER: &str = "$number";
/// Key of a true position.
const HERE: &str = "$here";
/// Key of characters.
const TEXT: &str = "$text";
/// Key of bytes that are a value.
const HEX: &str = "$hex";
/// Key of an odd compact index.
const COMPACT: &str = "$compact";
/// Key of the bits of a floating point number.
const BITS: &str = "$bits";

/// The key of bytes that stay as they are.
fn key_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Text => TEXT,
        Kind::Payload => "$payload",
        Kind::Opaque => "$opaque",
        Kind::Gap => "$gap",
    }
}

/// Bytes as digits.
fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a String can't fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Digits as bytes.
fn unhex(text: &str) -> Option<Vec<u8>> {
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
