//! Asking a document that may hold anything.

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::archive::JsonLoader;
use crate::error::{Error, ErrorKind, Result};

/// A document whose lists are not in memory but as text: each entry is read when it is asked for.
pub(super) struct Document<'t> {
    text: &'t [u8],
    /// Everything but the lists.
    pub head: Value,
    pub sections: Vec<&'t RawValue>,
    pub bodies: Vec<&'t RawValue>,
    pub gaps: Vec<&'t RawValue>,
}

impl<'t> Document<'t> {
    /// Finds the entries of the lists.
    ///
    /// # Errors
    /// As [`JsonLoader::parse`], but of what is in the lists only what ends them is seen.
    pub fn parse(text: &'t [u8]) -> Result<Self> {
        let Ok(DocumentParts(parts)) = serde_json::from_slice(text) else {
            // It says what is wrong and where.
            return Err(match JsonLoader::parse(text) {
                Ok(_) => Error::invalid("the document is no object"),
                Err(error) => error,
            });
        };
        let mut document = Self {
            text,
            head: Value::Null,
            sections: Vec::new(),
            bodies: Vec::new(),
            gaps: Vec::new(),
        };
        let mut head = serde_json::Map::new();
        let mut seen = HashSet::new();
        for (key, value) in parts {
            if !seen.insert(key.clone()) {
                return Err(document.explained());
            }
            let entries = serde_json::from_str::<Vec<&RawValue>>(value.get());
            let list = match &*key {
                "sections" => &mut document.sections,
                "bodies" => &mut document.bodies,
                "gaps" => &mut document.gaps,
                _ => {
                    head.insert(key, document.read(value)?);
                    continue;
                }
            };
            match entries {
                Ok(entries) => *list = entries,
                // Something else than a list has no entries, and is read like any other value.
                Err(_) => drop(document.read(value)?),
            }
        }
        document.head = Value::Object(head);
        Ok(document)
    }

    /// Bytes of the whole document.
    pub fn length(&self) -> u64 {
        self.text.len() as u64
    }

    /// An entry of a list.
    ///
    /// # Errors
    /// As [`JsonLoader::parse`].
    pub fn read(&self, entry: &RawValue) -> Result<Value> {
        JsonLoader::parse(entry.get().as_bytes()).map_err(|_| self.explained())
    }

    /// What is wrong, with its line and path: found by reading everything.
    fn explained(&self) -> Error {
        match JsonLoader::parse(self.text) {
            Ok(_) => Error::invalid("a key of the document stands twice"),
            Err(error) => error,
        }
    }
}

/// The keys of an object with their values as text.
struct DocumentParts<'t>(Vec<(String, &'t RawValue)>);

impl<'de: 't, 't> Deserialize<'de> for DocumentParts<'t> {
    fn deserialize<D: Deserializer<'de>>(source: D) -> Result<Self, D::Error> {
        struct Keys;
        impl<'de> Visitor<'de> for Keys {
            type Value = DocumentParts<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut source: A,
            ) -> Result<DocumentParts<'de>, A::Error> {
                let mut parts = Vec::new();
                while let Some(part) = source.next_entry()? {
                    parts.push(part);
                }
                Ok(DocumentParts(parts))
            }
        }
        source.deserialize_map(Keys)
    }
}

/// Whether an entry has a key; what stands there is not read.
pub(super) fn has_key(entry: &RawValue, wanted: &str) -> bool {
    let Ok(DocumentParts(parts)) = serde_json::from_str(entry.get()) else { return false };
    parts.iter().any(|(key, _)| key == wanted)
}

/// Refuses keys that mean nothing here.
pub(super) fn check_keys(value: &Value, known: &[&str]) -> Result<()> {
    let mut keys = value.as_object().into_iter().flat_map(|map| map.keys());
    match keys.find(|key| !known.contains(&key.as_str())) {
        Some(key) => {
            Err(Error::invalid(format!("unknown field '{key}'; known are {}", known.join(", "))))
        }
        None => Ok(()),
    }
}

pub(super) fn number(value: &Value, key: &'static str) -> Result<u64> {
    value
        .get(key)
        .and_then(Value::as_u64)
        .ok_or_else(|| Error::invalid(format!("'{key}' is missing or no number")))
}

pub(super) fn base64(value: &Value, key: &'static str) -> Result<Vec<u8>> {
    let text = value.get(key).and_then(Value::as_str);
    text.and_then(|text| STANDARD.decode(text).ok())
        .ok_or_else(|| Error::invalid(format!("'{key}' is missing or no base64")))
}

pub(super) fn place_bytes(image: &mut [u8], start: u64, bytes: &[u8]) -> Result<()> {
    // Nothing may stand anywhere.
    if bytes.is_empty() {
        return Ok(());
    }
    let length = image.len() as u64;
    let end = start.saturating_add(bytes.len() as u64);
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    match range.and_then(|(start, end)| image.get_mut(start..end)) {
        Some(place) => {
            place.copy_from_slice(bytes);
            Ok(())
        }
        None => Err(ErrorKind::OutsideSource { start, end, length }.into()),
    }
}
