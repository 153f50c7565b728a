//! Strings in documents: one text instead of length, characters and terminator.

use serde_json::{Value, json};

use super::{Encoding, FString};
use crate::archive::{hex, unhex};
use crate::version::{UnrealVersions, Versions};

/// The text of a string, if its parts are what a new string of the same text has.
#[doc(hidden)]
pub fn joined(fields: &[(&str, &Value)], versions: &Versions) -> Option<String> {
    let text = match *fields {
        [("length", length)] if *length == json!(0) => return Some(String::new()),
        [("length", _), ("characters", characters), ("terminator", _)] => {
            match (characters.get("$text"), characters.get("$hex")) {
                (Some(text), _) => text.as_str()?.to_owned(),
                (_, Some(digits)) => {
                    let bytes = unhex(digits.as_str()?)?;
                    let (order, game) = (versions.byte_order, versions.game());
                    let wide = FString::new_in("\u{fffd}", order, game).encoding();
                    FString::from_bytes(bytes, wide).text(&[]).ok()?.into_owned()
                }
                _ => return None,
            }
        }
        _ => return None,
    };
    let again = apart(&text, versions);
    let same = again.iter().map(|(name, value)| (*name, value)).eq(fields.iter().copied());
    same.then_some(text)
}

/// The parts of a new string of this text.
#[doc(hidden)]
pub fn apart(text: &str, versions: &Versions) -> Vec<(&'static str, Value)> {
    let string = FString::new_in(text, versions.byte_order, versions.game());
    let length = ("length", json!(string.stored_length().value()));
    if text.is_empty() {
        return vec![length];
    }
    let bytes = string.span().as_owned().unwrap_or_default();
    let (characters, terminator) = match string.encoding() {
        Encoding::Ansi => (json!({ "$text": text }), json!(0)),
        _ => (json!({ "$hex": hex(bytes) }), json!({ "$hex": "0000" })),
    };
    vec![length, ("characters", characters), ("terminator", terminator)]
}
