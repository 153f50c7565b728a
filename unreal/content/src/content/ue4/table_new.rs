//! Rows of new tables from CSV and JSON, in the forms that tables are extracted to.

use std::str::FromStr;

use serde_json::Value as Json;

use super::TableFormat;
use super::cell::plain_text;
use crate::error::{Error, Result};
use crate::generate::NewRows;
use crate::property::Type;

/// A column of a new table: a field of its struct, and the field's type. As text: `Damage:float`,
/// `Tags:array:name`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Column {
    /// The field.
    pub name: String,
    /// Its type.
    pub property_type: Type,
}

impl FromStr for Column {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (name, known) = text.split_once(':').ok_or_else(|| {
            Error::invalid(format!(
                "the column '{text}' has no type: write {text}:float or {text}:int"
            ))
        })?;
        Ok(Self { name: name.to_owned(), property_type: known.parse()? })
    }
}

/// A table as read: the names of the columns, and rows with their names.
struct Read {
    columns: Vec<String>,
    rows: Vec<(String, Vec<Option<String>>)>,
    namespace: Option<String>,
}

/// The rows of a new data table. The types of columns stand in the head of the CSV (`---,Damage:float`),
/// or in `columns`, which JSON needs. Empty cells and missing values keep the struct's default.
///
/// # Errors
/// `Invalid` for a damaged file or a column without type.
pub fn rows_from(
    file: &[u8],
    format: TableFormat,
    row_struct: &str,
    columns: &[Column],
) -> Result<NewRows> {
    let read = read(file, format, "Name")?;
    let mut rows = NewRows::of(row_struct);
    for column in &read.columns {
        let given = columns.iter().find(|given| given.name == *column);
        let column = match given {
            Some(column) => column.clone(),
            None => column.parse()?,
        };
        rows.column(&column.name, column.property_type);
    }
    for (name, cells) in read.rows {
        rows.partial_row(&name, cells)?;
    }
    Ok(rows)
}

/// Keys with texts.
pub type Strings = Vec<(String, String)>;

/// The namespace, if the file has one, and the keys and texts of a new string table: of CSV with the columns
/// `Key` and `SourceString`, or of JSON as string tables are extracted.
///
/// # Errors
/// `Invalid` for a damaged file, or one without texts.
pub fn strings_from(file: &[u8], format: TableFormat) -> Result<(Option<String>, Strings)> {
    let read = read(file, format, "Key")?;
    let column = read.columns.iter().position(|column| column == "SourceString");
    let column = column.ok_or_else(|| Error::invalid("the table has no column SourceString"))?;
    let entry = |(key, mut cells): (String, Vec<Option<String>>)| {
        let text = cells.get_mut(column).and_then(Option::take).unwrap_or_default();
        (key, text)
    };
    Ok((read.namespace, read.rows.into_iter().map(entry).collect()))
}

fn read(file: &[u8], format: TableFormat, key: &str) -> Result<Read> {
    match format {
        TableFormat::Csv => read_csv(file),
        TableFormat::Json => read_json(file, key),
    }
}

fn read_csv(file: &[u8]) -> Result<Read> {
    let fail = |why: csv::Error| Error::invalid(format!("the CSV is damaged: {why}"));
    // Editors write a mark before UTF-8.
    let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
    let mut reader = csv::Reader::from_reader(file);
    let columns = reader.headers().map_err(fail)?.iter().skip(1).map(str::to_owned).collect();
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(fail)?;
        let mut cells = record.iter();
        let name = cells.next().unwrap_or_default().to_owned();
        let cell = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        rows.push((name, cells.map(cell).collect()));
    }
    Ok(Read { columns, rows, namespace: None })
}

fn read_json(file: &[u8], key: &str) -> Result<Read> {
    let whole: Json = serde_json::from_slice(file)
        .map_err(|why| Error::invalid(format!("the JSON is damaged: {why}")))?;
    let namespace = whole.get("Namespace").and_then(Json::as_str).map(str::to_owned);
    let list = match &whole {
        Json::Array(list) => Some(list),
        other => other.get("Entries").and_then(Json::as_array),
    };
    let list = list.ok_or_else(|| Error::invalid("the JSON is no array of rows"))?;
    let (mut columns, mut rows) = (Vec::<String>::new(), Vec::new());
    for (number, row) in list.iter().enumerate() {
        let wrong = || Error::invalid(format!("row {number} of the JSON has no '{key}'"));
        let object = row.as_object().ok_or_else(wrong)?;
        let name = object.get(key).and_then(Json::as_str).ok_or_else(wrong)?;
        let mut cells = vec![None; columns.len()];
        for (column, value) in object.iter().filter(|(column, _)| *column != key) {
            let at = columns.iter().position(|known| known == column).unwrap_or_else(|| {
                columns.push(column.clone());
                columns.len() - 1
            });
            if cells.len() <= at {
                cells.resize(at + 1, None);
            }
            cells[at] = (!value.is_null()).then(|| plain_text(value));
        }
        rows.push((name.to_owned(), cells));
    }
    Ok(Read { columns, rows, namespace })
}
