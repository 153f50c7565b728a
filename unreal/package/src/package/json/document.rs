//! Asking a document that may hold anything.

use std::collections::HashSet;
use std::fmt::Display;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::{Index, RawValue};

use crate::archive::JsonLoader;
use crate::error::{Error, ErrorKind, Result};

/// A document whose values are not in memory but as text: each is read when it is asked for.
pub(super) struct Document<'t> {
    text: &'t [u8],
    keys: Vec<(String, &'t RawValue)>,
    /// The entries of the list of exports.
    pub exports: Vec<&'t RawValue>,
}

impl<'t> Document<'t> {
    /// Finds the keys and the exports.
    ///
    /// # Errors
    /// As [`JsonLoader::parse`], but of what is in the values only what ends them is seen.
    pub fn parse(text: &'t [u8]) -> Result<Self> {
        let Ok(DocumentParts(keys)) = serde_json::from_slice(text) else {
            // It says what is wrong and where.
            return Err(match JsonLoader::parse(text) {
                Ok(_) => Error::invalid("the document is no object"),
                Err(error) => error,
            });
        };
        let mut document = Self { text, keys, exports: Vec::new() };
        let mut seen = HashSet::new();
        if !document.keys.iter().all(|(key, _)| seen.insert(key.clone())) {
            return Err(document.explained());
        }
        if let Some(exports) = document.raw("exports") {
            let Ok(exports) = serde_json::from_str(exports.get()) else {
                return Err(Error::invalid("'exports' is no list"));
            };
            document.exports = exports;
        }
        Ok(document)
    }

    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|(key, _)| key.as_str())
    }

    pub fn has(&self, key: &str) -> bool {
        self.raw(key).is_some()
    }

    fn raw(&self, wanted: &str) -> Option<&'t RawValue> {
        self.keys.iter().find(|(key, _)| key == wanted).map(|(_, value)| *value)
    }

    /// The value under a key; null where there is none.
    ///
    /// # Errors
    /// As [`JsonLoader::parse`].
    pub fn get(&self, key: &str) -> Result<Value> {
        self.raw(key).map_or(Ok(Value::Null), |value| self.read(value))
    }

    /// The value of a key that stands last, and the text before it.
    pub fn last(&self, wanted: &str) -> Option<(Value, &'t [u8])> {
        let (_, value) = self.keys.last().filter(|(key, _)| key == wanted)?;
        let start = value.get().as_ptr().addr().checked_sub(self.text.as_ptr().addr())?;
        let known = self.read(value).ok()?;
        Some((known, self.text.get(..start)?))
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

    /// The first fault, with its line and path: found by reading everything.
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

/// The keys of an entry with their values as text.
///
/// # Errors
/// `Invalid` for what is no object, or has a key twice.
pub(super) fn parts(entry: &RawValue) -> Result<Vec<(String, &RawValue)>> {
    let Ok(DocumentParts(parts)) = serde_json::from_str(entry.get()) else {
        return Err(Error::invalid("it is no object"));
    };
    let mut seen = HashSet::new();
    match parts.iter().all(|(key, _)| seen.insert(key.as_str())) {
        true => Ok(parts),
        false => Err(Error::invalid("a key stands twice")),
    }
}

/// Whether an entry has a key; what stands there is not read.
pub(super) fn has_key(entry: &RawValue, wanted: &str) -> bool {
    parts(entry).is_ok_and(|parts| parts.iter().any(|(key, _)| key == wanted))
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

/// A number that stands under a key or at a place of a list.
pub(super) fn number<I: Index + Display + Copy>(value: &Value, key: I) -> Result<u64> {
    value
        .get(key)
        .and_then(Value::as_u64)
        .ok_or_else(|| Error::invalid(format!("'{key}' is missing or no number")))
}

/// The same for bytes.
pub(super) fn base64<I: Index + Display + Copy>(value: &Value, key: I) -> Result<Vec<u8>> {
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
