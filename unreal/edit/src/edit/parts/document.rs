//! A package as a document in memory.

use serde_json::{Map, Value};

use super::part::PartHash;
use super::pictures::Pictures;
use crate::error::{Error, Result};
use crate::inspect::ReferenceTexts;
use crate::package::Package;
use crate::primitive::PackageIndex;

/// Keys that say what the package is and how its document is written.
pub(super) const HEAD: [&str; 5] = ["farchive", "game", "engine", "big_endian", "mappings"];
/// Keys that are no parts: the objects, what follows from the file, the hash of the text.
pub(super) const APART: [&str; 3] = ["exports", "stored", "seal"];
/// Where a body stands: saving makes it anew.
const PLACES: [&str; 4] = [
    "serial_size",
    "serial_offset",
    "script_serialization_start_offset",
    "script_serialization_end_offset",
];
pub(super) const STORED: &str = "stored";
/// Keys in others that say where something of the file is: those of the package at hand stay, and saving moves them.
pub(super) const POSITIONS: [&str; 1] = ["asset_registry.dependency_data_offset"];
/// What `stored` says of what other keys mean.
pub(super) const MEANINGS: [&str; 1] = ["name_flags"];

/// The keys of a document, and its objects by their rows.
pub(super) struct PackageDocument {
    pub keys: Map<String, Value>,
    pub exports: Vec<Value>,
    /// Where the pictures of thumbnails are, which the keys do not say here.
    pictures: Pictures,
}

impl PackageDocument {
    pub fn of(package: &Package) -> Result<Self> {
        let mut text = Vec::new();
        package.to_json(&mut text, false)?;
        let unread = |error: serde_json::Error| Error::invalid(error.to_string());
        let mut keys: Map<String, Value> = serde_json::from_slice(&text).map_err(unread)?;
        // It is of the document before it was changed.
        keys.shift_remove("seal");
        let exports = match keys.get_mut("exports").map(Value::take) {
            Some(Value::Array(exports)) => exports,
            _ => Vec::new(),
        };
        let pictures = Pictures::take(&mut keys);
        Ok(Self { keys, exports, pictures })
    }

    pub fn into_text(mut self) -> Vec<u8> {
        self.pictures.put(&mut self.keys);
        if self.keys.contains_key("exports") || !self.exports.is_empty() {
            self.keys.insert("exports".to_owned(), Value::Array(self.exports));
        }
        Value::Object(self.keys).to_string().into_bytes()
    }
}

/// An object's entry without what says where its body stands.
pub(super) fn without_place(entry: &Value) -> Value {
    let mut entry = entry.clone();
    if let Some(stored) = entry.get_mut(STORED).and_then(Value::as_object_mut) {
        PLACES.iter().for_each(|key| drop(stored.shift_remove(*key)));
        if stored.is_empty() {
            entry.as_object_mut().map(|entry| entry.shift_remove(STORED));
        }
    }
    entry
}

/// The entry with the place that another one has.
pub(super) fn with_place_of(mut entry: Value, other: &Value) -> Value {
    let place = other.get(STORED).and_then(Value::as_object);
    let place = place.into_iter().flatten().filter(|(key, _)| PLACES.contains(&key.as_str()));
    let place: Map<String, Value> =
        place.map(|(key, value)| (key.clone(), value.clone())).collect();
    if let Some(entry) = entry.as_object_mut().filter(|_| !place.is_empty()) {
        let stored = entry.entry(STORED).or_insert_with(|| Value::Object(Map::new()));
        stored.as_object_mut().into_iter().for_each(|stored| stored.extend(place.clone()));
    }
    entry
}

/// Whether the entry holds file positions that nothing can move.
pub(super) fn is_pinned(entry: &Value) -> bool {
    entry.get(STORED).is_some_and(|stored| stored.get("pinned").is_some())
}

/// Whether bytes in it are not decoded.
pub(super) fn has_opaque(value: &Value) -> bool {
    match value {
        Value::Object(map) => map.iter().any(|(key, value)| {
            key == "$opaque" && value.as_str().is_some_and(|text| !text.is_empty())
                || has_opaque(value)
        }),
        Value::Array(list) => list.iter().any(has_opaque),
        _ => false,
    }
}

/// The hash of what each row of names, imports and exports says.
pub(super) fn rows_hash(package: &Package) -> PartHash {
    let mut hasher = blake3::Hasher::new();
    let mut add = |text: &str| {
        hasher.update(text.as_bytes());
        hasher.update(&[0]);
    };
    package.names().iter().for_each(|name| add(&name));
    let imports = (0..package.imports().len()).map(PackageIndex::import);
    let exports = (0..package.export_count()).map(PackageIndex::export);
    imports.chain(exports).for_each(|index| add(&package.reference_text(index)));
    PartHash(hasher.finalize().as_bytes().first_chunk().copied().unwrap_or_default())
}
