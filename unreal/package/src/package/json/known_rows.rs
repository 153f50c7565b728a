//! Which names and objects stood in which rows, where something says rows by their numbers: bytes that are not
//! decoded, references to one of several rows of the same text, tables that name no objects.

use std::collections::{HashMap, HashSet};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::by_row::tables_by_place;
use super::document::{Document, base64};
use super::paths::object_paths;
use super::texts::PackageTexts;
use crate::error::{Error, Result, UnrealErrors};
use crate::package::Package;
use crate::primitive::PackageIndex;

/// The first four bytes of the hash of a row's text: enough to know it again.
type RowDigest = [u8; 4];

/// The rows of one table as the document was written, each by its digest.
struct KnownRows(Vec<RowDigest>);

impl KnownRows {
    fn of(texts: impl Iterator<Item = String>) -> Self {
        Self(texts.map(|text| Self::digest(&text)).collect())
    }

    fn digest(text: &str) -> RowDigest {
        let hash = blake3::hash(text.as_bytes());
        hash.as_bytes().first_chunk().copied().unwrap_or_default()
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

    /// The first row that means another thing now, of those that count: it has gone, or what it said stands in
    /// another row. A row whose text alone is another was renamed, and what says the row goes with it.
    fn moved(&self, now: &Self, counts: impl Fn(&RowDigest) -> bool) -> Option<usize> {
        let others = now.0.iter().enumerate().filter(|(row, it)| self.0.get(*row) != Some(*it));
        let others: HashSet<RowDigest> = others.map(|(_, digest)| *digest).collect();
        let rows = self.0.iter().enumerate().filter(|(_, digest)| counts(digest));
        let mut moved = rows.filter(|(row, digest)| match now.0.get(*row) {
            None => true,
            Some(now) => now != *digest && others.contains(*digest),
        });
        moved.next().map(|(row, _)| row)
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

    /// Whether something says rows by their numbers, beside bytes that are not decoded.
    pub(super) fn says_rows(&self, texts: &PackageTexts) -> bool {
        let tables = &self.tables;
        let (imports, exports) = (tables.imports.len(), self.export_count());
        let has_used = tables.further.asset_dependencies.is_some();
        texts.lack(tables.names.len(), imports + exports)
            || !tables.depends.is_empty() && !self.has_depends_by_row()
            || has_used && self.used_by_row().is_none()
            || self.numbers_of_exports().is_some()
    }

    /// The table that names exports by their rows.
    fn numbers_of_exports(&self) -> Option<&'static str> {
        let allocations = &self.tables.summary.texture_allocations;
        if allocations.iter().any(|allocation| !allocation.export_indices.is_empty()) {
            return Some("texture_allocations");
        }
        // Whether these count from 0 or 1 is not known (spec: ue1-3/03 §3.7).
        (!self.tables.export_guids.is_empty()).then_some("export_guids")
    }

    /// The digests of all rows, which documents of packages store where something says rows by their numbers.
    pub(super) fn rows_in_document(&self) -> Value {
        let rows = TABLES.iter().zip(self.rows_by_digest());
        Value::Object(rows.map(|(key, rows)| ((*key).to_owned(), rows.to_json())).collect())
    }

    /// Looks at the rows that something says by their numbers.
    ///
    /// # Errors
    /// `Refused` with what says them, where a row means another thing than when the document was written.
    pub(super) fn check_rows(&self, document: &Document<'_>, stored: &Value) -> Result<()> {
        let Some(stored) = stored.get("rows") else { return Ok(()) };
        let located = |error: Error| error.in_field("rows").in_field("stored");
        let known = |key: &str| KnownRows::from_json(stored, key).map_err(located);
        let known = [known(TABLES[0])?, known(TABLES[1])?, known(TABLES[2])?];
        let now = self.rows_by_digest();
        let mut by_place = tables_by_place(document)?;
        by_place.extend(self.numbers_of_exports().map(|table| (TABLES[2], table)));
        let mut opaque = None;
        for ((key, known), now) in TABLES.iter().zip(&known).zip(&now) {
            let Some(row) = known.moved(now, |_| true) else { continue };
            let opaque = match &opaque {
                Some(objects) => objects,
                None => opaque.insert(self.objects_with_bytes(document)?),
            };
            if !opaque.is_empty() {
                let says = "bytes of these objects, which are not decoded, may say that row";
                return Err(moved(key, row, says, opaque.clone()));
            }
            if let Some((_, table)) = by_place.iter().find(|(rows, _)| rows == key) {
                return Err(moved(key, row, "a table says that row", vec![(*table).to_owned()]));
            }
        }
        let [names, imports, exports] = &known;
        let (names, mut objects) = (shared([names]), shared([imports, exports]));
        // Objects without a path are said by their numbers as well.
        objects.insert(KnownRows::digest(""));
        let shared = [&names, &objects, &objects];
        for (((key, known), now), shared) in TABLES.iter().zip(&known).zip(&now).zip(shared) {
            if let Some(row) = known.moved(now, |digest| shared.contains(digest)) {
                let says = "it is said by its number, since another one has the same text";
                return Err(moved(key, row, says, vec![format!("{key}[{row}]")]));
            }
        }
        Ok(())
    }

    /// The objects of a document that have bytes which are not decoded.
    fn objects_with_bytes(&self, document: &Document<'_>) -> Result<Vec<String>> {
        let mut objects = Vec::new();
        for (row, entry) in document.exports.iter().enumerate() {
            if has_opaque(&document.read(entry)?) {
                objects.push(self.path(PackageIndex::export(row)));
            }
        }
        Ok(objects)
    }
}

/// Texts that several rows have: documents say such rows by their numbers.
fn shared<'a>(tables: impl IntoIterator<Item = &'a KnownRows>) -> HashSet<RowDigest> {
    let (mut seen, mut shared) = (HashSet::new(), HashSet::new());
    let digests = tables.into_iter().flat_map(|table| &table.0);
    shared.extend(digests.filter(|digest| !seen.insert(**digest)));
    shared
}

fn moved(key: &str, row: usize, says: &str, objects: Vec<String>) -> Error {
    let reason = format!(
        "{key}[{row}] is another one than when the document was written, and {says}: leave the rows where they were \
         and put new ones behind them"
    );
    Error::refused(reason, objects)
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
