//! The pictures of thumbnails in a document, which it ties to their rows by file positions.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

const ROWS: &str = "thumbnails";
const IMAGES: &str = "thumbnail_images";
const POSITION: &str = "file_offset";
/// The key of a row that holds its picture, while no position does.
const PICTURE: &str = "picture";

/// Where a document has the pictures, and whose they are.
#[derive(Debug, Default)]
pub(super) struct Pictures {
    images: Vec<StoredPicture>,
    /// The length of the file: no picture that it has begins there.
    length: u64,
    has_table: bool,
}

#[derive(Debug)]
struct StoredPicture {
    start: u64,
    size: Value,
    value: Value,
    /// The row that names it, without its picture; of several the first.
    row: Value,
}

fn rows_of(keys: &mut Map<String, Value>) -> impl Iterator<Item = &mut Map<String, Value>> {
    let rows = keys.get_mut(ROWS).and_then(Value::as_array_mut);
    rows.into_iter().flatten().filter_map(Value::as_object_mut)
}

impl Pictures {
    /// Takes the positions away: each row has its picture itself. A table that is not there is an empty one, since the
    /// summary keeps the place of one that is.
    pub fn take(keys: &mut Map<String, Value>) -> Self {
        let mut images: BTreeMap<u64, StoredPicture> = BTreeMap::new();
        if let Some(Value::Array(list)) = keys.shift_remove(IMAGES) {
            for mut entry in list {
                let Some(start) = entry.get("start").and_then(Value::as_u64) else { continue };
                let [size, value] = ["size", "value"]
                    .map(|key| entry.get_mut(key).map(Value::take).unwrap_or_default());
                images.insert(start, StoredPicture { start, size, value, row: Value::Null });
            }
        }
        for row in rows_of(keys) {
            let start = row.get(POSITION).and_then(Value::as_u64);
            let Some(image) = start.and_then(|start| images.get_mut(&start)) else { continue };
            row.shift_remove(POSITION);
            if image.row.is_null() {
                image.row = Value::Object(row.clone());
            }
            row.insert(PICTURE.to_owned(), image.value.clone());
        }
        let has_table = keys.contains_key(ROWS);
        if !has_table {
            keys.insert(ROWS.to_owned(), json!([]));
        }
        let length = keys.get("stored").and_then(|stored| stored.get("length"));
        let length = length.and_then(Value::as_u64).unwrap_or(0);
        Self { images: images.into_values().collect(), length, has_table }
    }

    /// Gives each picture a position again: its own, that of the one that the row had before, or one behind the file,
    /// which saving takes for a new one.
    pub fn put(self, keys: &mut Map<String, Value>) {
        if !self.has_table && rows_of(keys).next().is_none() {
            keys.shift_remove(ROWS);
        }
        let mut given: BTreeMap<u64, Value> = BTreeMap::new();
        let mut next = self.length.max(1);
        for row in rows_of(keys) {
            let Some(value) = row.shift_remove(PICTURE) else { continue };
            let title = Value::Object(row.clone());
            let own = self.images.iter().find(|it| it.row == title && it.value == value);
            let same = || self.images.iter().find(|it| it.value == value);
            let before = || {
                let free = |it: &&StoredPicture| it.row == title && !given.contains_key(&it.start);
                self.images.iter().find(free)
            };
            let (start, size) = match own.or_else(same).or_else(before) {
                Some(image) => (image.start, image.size.clone()),
                None => (next, json!(0)),
            };
            next = next.max(start + 1);
            row.insert(POSITION.to_owned(), json!(start));
            let entry = json!({ "start": start, "size": size, "value": value });
            given.entry(start).or_insert(entry);
        }
        if !given.is_empty() {
            keys.insert(IMAGES.to_owned(), Value::Array(given.into_values().collect()));
        }
    }
}
