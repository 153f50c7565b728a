//! Files of rows and columns.

use std::collections::{HashMap, HashSet};
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map as Object, Value as Json};

use super::cell::plain_text;
use super::grid::{ROW_NAME, TableFormat};
use crate::error::{Error, Result};

/// A table as a file has it.
#[derive(Debug)]
pub(super) struct ReadTable {
    /// The columns beside the names of rows.
    pub columns: Vec<String>,
    pub rows: Vec<FileRow>,
    /// Where the keys of a string table belong, if the file says it.
    pub namespace: Option<String>,
    /// Each row says all that it stores; else columns that the file lacks are as they were.
    pub is_complete: bool,
}

/// A row of a file.
#[derive(Debug)]
pub(super) struct FileRow {
    pub name: String,
    /// The cells that the row has, by their columns.
    pub cells: Vec<(usize, Json)>,
}

impl FileRow {
    /// The value of a column.
    pub fn cell(&self, column: usize) -> Option<&Json> {
        let at = self.cells.binary_search_by_key(&column, |cell| cell.0).ok()?;
        self.cells.get(at).map(|cell| &cell.1)
    }

    /// The texts of the first columns; `None` for what is not stored, which an empty cell of CSV says.
    pub fn texts(&self, columns: usize) -> Vec<Option<String>> {
        (0..columns).map(|column| self.cell(column).map(plain_text)).collect()
    }
}

impl ReadTable {
    /// Reads a file; `key` is what JSON calls the name of a row.
    ///
    /// # Errors
    /// `Invalid` for a damaged file.
    pub fn read(file: &[u8], format: TableFormat, key: &str) -> Result<Self> {
        let file = match format {
            TableFormat::Csv => read_csv(file, key)?,
            TableFormat::Json => read_json(file, key)?,
            #[cfg(feature = "xlsx")]
            TableFormat::Xlsx => super::xlsx::read_xlsx(file, key)?,
        };
        let mut seen = HashSet::new();
        if let Some(column) = file.columns.iter().find(|column| !seen.insert(column.as_str())) {
            return Err(Error::invalid(format!("the column '{column}' stands twice")));
        }
        Ok(file)
    }
}

/// What separates cells: programs for tables write semicolons where a comma stands in numbers, or tabs. It is what
/// follows the first cell.
fn separator(file: &[u8]) -> u8 {
    let first = match file.strip_prefix(b"\"") {
        // Quotes within stand twice, and none in the heads that tables have.
        Some(rest) => rest.iter().position(|byte| *byte == b'"').map_or(0, |at| at + 2),
        None => 0,
    };
    let rest = file.get(first..).unwrap_or_default();
    match rest.iter().find(|byte| b",;\t\r\n".contains(byte)) {
        Some(separator @ (b';' | b'\t')) => *separator,
        _ => b',',
    }
}

/// Refuses what is no table: its first line would be taken for the heads, and all rows would go.
pub(super) fn check_head(first: &str, heads: usize, key: &str) -> Result<()> {
    const HEADS: &[&str] = &["", ROW_NAME, "Key", "Name", "Row Name"];
    let head = first.trim();
    if head.is_empty() && heads < 2 {
        return Err(Error::invalid("the table is empty: its first line has the heads"));
    }
    let is_known = HEADS.iter().any(|known| known.eq_ignore_ascii_case(head));
    match is_known || key.eq_ignore_ascii_case(head) {
        true => Ok(()),
        false => Err(Error::invalid(format!(
            "the file begins with '{head}', and a table with {ROW_NAME}, {key} or an empty head"
        ))),
    }
}

fn read_csv(file: &[u8], key: &str) -> Result<ReadTable> {
    let fail = |why: csv::Error| Error::invalid(format!("the CSV is damaged: {why}"));
    // Editors write a mark before UTF-8.
    let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    let mut reader = csv::ReaderBuilder::new().delimiter(separator(file)).from_reader(file);
    let heads = reader.headers().map_err(fail)?;
    check_head(heads.get(0).unwrap_or_default(), heads.len(), key)?;
    let columns = heads.iter().skip(1).map(str::to_owned).collect();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(fail)?;
        let mut cells = record.iter();
        let name = cells.next().unwrap_or_default().to_owned();
        let cells = cells.enumerate().filter(|(_, text)| !text.is_empty());
        let cells = cells.map(|(column, text)| (column, Json::from(text))).collect();
        rows.push(FileRow { name, cells });
    }
    Ok(ReadTable { columns, rows, namespace: None, is_complete: false })
}

/// JSON whose objects have each name once: of two values one would be lost unsaid.
struct Once(Json);

impl<'de> Deserialize<'de> for Once {
    fn deserialize<D: Deserializer<'de>>(json: D) -> std::result::Result<Self, D::Error> {
        json.deserialize_any(OnceVisitor).map(Self)
    }
}

struct OnceVisitor;

impl<'de> Visitor<'de> for OnceVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> std::result::Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, flag: bool) -> std::result::Result<Json, E> {
        Ok(flag.into())
    }

    fn visit_i64<E>(self, number: i64) -> std::result::Result<Json, E> {
        Ok(number.into())
    }

    fn visit_u64<E>(self, number: u64) -> std::result::Result<Json, E> {
        Ok(number.into())
    }

    fn visit_f64<E>(self, number: f64) -> std::result::Result<Json, E> {
        Ok(number.into())
    }

    fn visit_str<E>(self, text: &str) -> std::result::Result<Json, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<Json, A::Error> {
        let mut values = Vec::new();
        while let Some(Once(value)) = list.next_element()? {
            values.push(value);
        }
        Ok(Json::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> std::result::Result<Json, A::Error> {
        let mut object = Object::new();
        while let Some((name, Once(value))) = pairs.next_entry::<String, Once>()? {
            if object.contains_key(&name) {
                return Err(A::Error::custom(format!("'{name}' stands twice in an object")));
            }
            object.insert(name, value);
        }
        Ok(Json::Object(object))
    }
}

fn read_json(file: &[u8], key: &str) -> Result<ReadTable> {
    let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    let Once(whole) = serde_json::from_slice(file)
        .map_err(|why| Error::invalid(format!("the JSON is damaged: {why}")))?;
    let namespace = whole.get("Namespace").and_then(Json::as_str).map(str::to_owned);
    let list = match whole {
        Json::Array(list) => Some(list),
        Json::Object(mut object) => match object.remove("Entries") {
            Some(Json::Array(list)) => Some(list),
            _ => None,
        },
        _ => None,
    };
    let list = list.ok_or_else(|| Error::invalid("the JSON is no array of rows"))?;
    let (mut columns, mut places) = (Vec::<String>::new(), HashMap::new());
    let mut rows = Vec::with_capacity(list.len());
    for (number, row) in list.into_iter().enumerate() {
        let wrong = || Error::invalid(format!("row {number} of the JSON has no '{key}'"));
        let Json::Object(mut object) = row else { return Err(wrong()) };
        let name = object.shift_remove(ROW_NAME).or_else(|| object.shift_remove(key));
        let Some(Json::String(name)) = name else { return Err(wrong()) };
        let mut cells = Vec::new();
        for (column, value) in object {
            let at = *places.entry(column).or_insert_with_key(|column| {
                columns.push(column.clone());
                columns.len() - 1
            });
            if !value.is_null() {
                cells.push((at, value));
            }
        }
        cells.sort_by_key(|cell: &(usize, Json)| cell.0);
        rows.push(FileRow { name, cells });
    }
    Ok(ReadTable { columns, rows, namespace, is_complete: true })
}
