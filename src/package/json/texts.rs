//! Names, objects and strings as text.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::{Value, json};

use crate::archive::{JsonTexts, Space, hex, unhex};
use crate::primitive::{Encoding, FString, Name, PackageIndex};
use crate::version::Versions;

/// The texts that stand for names and objects in JSON, both ways. A text that two rows share stands for
/// none of them: such rows are written as numbers.
#[derive(Debug, Default)]
pub(super) struct PackageTexts {
    names: BothWays,
    objects: BothWays,
}

impl PackageTexts {
    /// From the texts of all name rows, and the indices and paths of all objects.
    pub fn new(
        names: impl IntoIterator<Item = String>,
        objects: impl IntoIterator<Item = (i32, String)>,
    ) -> Self {
        Self { names: BothWays::new((0..).zip(names)), objects: BothWays::new(objects) }
    }

    fn of(&self, space: &Space) -> Option<&BothWays> {
        match space {
            space if *space == Name::SPACE => Some(&self.names),
            space if *space == PackageIndex::SPACE => Some(&self.objects),
            _ => None,
        }
    }
}

impl JsonTexts for PackageTexts {
    fn text(&self, space: &Space, row: i32) -> Option<&str> {
        self.of(space)?.texts.get(&row).map(|text| &**text)
    }

    fn row(&self, space: &Space, text: &str) -> Option<i32> {
        self.of(space)?.rows.get(text).copied()
    }

    /// A string, if its parts are what a new string of the same text has.
    fn joined(&self, fields: &[(&str, &Value)], versions: &Versions) -> Option<String> {
        let text = match *fields {
            [("length", length)] if *length == json!(0) => return Some(String::new()),
            [("length", _), ("characters", characters), ("terminator", _)] => {
                match (characters.get("$text"), characters.get("$hex")) {
                    (Some(text), _) => text.as_str()?.to_owned(),
                    (_, Some(digits)) => {
                        let bytes = unhex(digits.as_str()?)?;
                        let (order, game) = (versions.byte_order, versions.game);
                        let wide = FString::new_in("\u{fffd}", order, game).encoding();
                        FString::from_bytes(bytes, wide).text(&[]).ok()?.into_owned()
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        let again = self.apart(&text, versions);
        let same = again.iter().map(|(name, value)| (*name, value)).eq(fields.iter().copied());
        same.then_some(text)
    }

    fn apart(&self, text: &str, versions: &Versions) -> Vec<(&'static str, Value)> {
        let string = FString::new_in(text, versions.byte_order, versions.game);
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
}

/// Rows and texts.
#[derive(Debug, Default)]
struct BothWays {
    texts: HashMap<i32, Arc<str>>,
    rows: HashMap<Arc<str>, i32>,
}

impl BothWays {
    fn new(all: impl IntoIterator<Item = (i32, String)>) -> Self {
        let (mut texts, mut rows) = (HashMap::new(), HashMap::new());
        let mut shared = Vec::new();
        for (row, text) in all {
            let text: Arc<str> = text.into();
            if rows.insert(text.clone(), row).is_some() {
                shared.push(text);
            } else {
                texts.insert(row, text);
            }
        }
        for text in shared {
            rows.remove(&text);
        }
        texts.retain(|_, text| rows.contains_key(text));
        Self { texts, rows }
    }
}
