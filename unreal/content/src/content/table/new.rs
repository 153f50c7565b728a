//! Rows of new tables from CSV and JSON, in the forms that tables are extracted to.

use std::str::FromStr;

use super::cell::plain_text;
use super::file::{FileRow, ReadTable};
use super::grid::TableFormat;
use crate::error::{Error, Result};
use crate::generate::NewRows;
use crate::inspect::table_rows::cell_value;
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
    let read = ReadTable::read(file, format, "Name")?;
    let mut rows = NewRows::of(row_struct);
    let mut types = Vec::with_capacity(read.columns.len());
    for column in &read.columns {
        let given = columns.iter().find(|given| given.name == *column);
        let column = match given {
            Some(column) => column.clone(),
            None => column.parse()?,
        };
        types.push(column.property_type.clone());
        rows.column(&column.name, column.property_type);
    }
    for row in read.rows {
        let cell = |(cell, known): (Option<String>, &Type)| {
            cell_value(known, &cell?).map(|text| text.into_owned())
        };
        let texts = row.texts(types.len()).into_iter();
        rows.partial_row(&row.name, texts.zip(&types).map(cell))?;
    }
    Ok(rows)
}

/// Keys with texts.
pub type NewStrings = Vec<(String, String)>;

/// The namespace, if the file has one, and the keys and texts of a new string table: of CSV with the columns
/// `Key` and `SourceString`, or of JSON as string tables are extracted.
///
/// # Errors
/// `Invalid` for a damaged file, or one without texts.
pub fn strings_from(file: &[u8], format: TableFormat) -> Result<(Option<String>, NewStrings)> {
    let read = ReadTable::read(file, format, "Key")?;
    let column = read.columns.iter().position(|column| column == "SourceString");
    let column = column.ok_or_else(|| Error::invalid("the table has no column SourceString"))?;
    let entry = |row: FileRow| {
        let text = row.cell(column).map(plain_text).unwrap_or_default();
        (row.name, text)
    };
    Ok((read.namespace, read.rows.into_iter().map(entry).collect()))
}
