//! Which names and objects stood in which rows: bytes that are not decoded may say rows.

use std::collections::HashMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::document::{Document, base64};
use super::paths::object_paths;
use crate::error::{Error, Result};
use crate::package::Package;
use crate::primitive::PackageIndex;

/// The first four bytes of the hash of a row's text: enough to know it again.
type Digest = [u8; 4];

/// The rows of one table as the document was written, each by its digest.
struct KnownRows(Vec<Digest>);

impl KnownRows {
    fn of(texts: impl Iterator<Item = String>) -> Self {
        let digest = |text: String| {
            let hash = blake3::hash(text.as_bytes());
            hash.as_bytes().first_chunk().copied().unwrap_or_default()
        };
        Self(texts.map(digest).collect())
    }

    fn to_json(&self) -> Value {
        json!(STANDARD.encode(self.0.as_flattened()))
    }

    fn from_json(stored: &Value, key: &str) -> Result<Self> {
        let bytes = base64(stored, key)?;
        match bytes.as_chunks() {
            (digests, []) => Ok(Self(digests.to_vec())),
            _ => Err(Error::invalid(format!("'{key}' is cut"))),
        }
    }

    /// The first row that means another thing now: it has gone, or what it said stands in another row. A row whose
    /// text alone is another was renamed, and what says the row goes with it.
    fn moved(&self, now: &Self) -> Option<usize> {
        let mut places: HashMap<Digest, Vec<usize>> = HashMap::new();
        for (row, digest) in now.0.iter().enumerate() {
            if self.0.get(row) != Some(digest) {
                places.entry(*digest).or_default().push(row);
            }
        }
        (0..self.0.len()).find(|&row| match now.0.get(row) {
            None => true,
            Some(digest) => *digest != self.0[row] && places.contains_key(&self.0[row]),
        })
    }
}

/// The tables whose rows bodies say, and their keys.
const TABLES: [&str; 3] = ["names", "imports", "exports"];

impl Package {
    fn rows_by_digest(&self) -> [KnownRows; 3] {
        let paths: HashMap<i32, String> = object_paths(&self.path_rows()).into_iter().collect();
        let path = |index: PackageIndex| paths.get(&index.value()).cloned().unwrap_or_default();
        let names = self.names();
        let (imports, exports) = (self.tables.imports.len(), self.tables.exports.len());
        [
            KnownRows::of(names.iter().map(|name| name.into_owned())),
            KnownRows::of((0..imports).map(|row| path(PackageIndex::import(row)))),
            KnownRows::of((0..exports).map(|row| path(PackageIndex::export(row)))),
        ]
    }

    /// What is stored of the rows of a package with bytes that are not decoded.
    pub(super) fn rows_in_document(&self) -> Value {
        let rows = TABLES.iter().zip(self.rows_by_digest());
        Value::Object(rows.map(|(key, rows)| ((*key).to_owned(), rows.to_json())).collect())
    }

    /// Looks at the rows that bytes may say which are not decoded.
    ///
    /// # Errors
    /// `Refused` with the objects that have such bytes, where a row means another thing than when the document was
    /// written.
    pub(super) fn check_rows(&self, document: &Document<'_>, stored: &Value) -> Result<()> {
        let Some(stored) = stored.get("rows") else { return Ok(()) };
        for (key, now) in TABLES.iter().zip(self.rows_by_digest()) {
            let located = |error: Error| error.in_field("rows").in_field("stored");
            let known = KnownRows::from_json(stored, key).map_err(located)?;
            let Some(row) = known.moved(&now) else { continue };
            let mut objects = Vec::new();
            for (row, entry) in document.exports.iter().enumerate() {
                if has_opaque(&document.read(entry)?) {
                    objects.push(self.path(PackageIndex::export(row)));
                }
            }
            if !objects.is_empty() {
                let reason = format!(
                    "{key}[{row}] is another one than when the document was written, and bytes of these \
                     objects, which are not decoded, may say that row: leave the rows where they were and \
                     put new ones behind them"
                );
                return Err(Error::refused(reason, objects));
            }
        }
        Ok(())
    }
}

/// Whether a part of a value stands as bytes.
pub(super) fn has_opaque(value: &Value) -> bool {
    let bytes = |map: &Map<String, Value>| map.get("$opaque").is_some_and(|it| it != "");
    match value {
        Value::Array(list) => list.iter().any(has_opaque),
        Value::Object(map) => bytes(map) || map.values().any(has_opaque),
        _ => false,
    }
}
