//! Rows of new tables from CSV and JSON, in the forms that tables are extracted to.

use std::str::FromStr;

use super::cell::{numbered, plain_text};
use super::file::{FileRow, ReadTable};
use super::grid::{TableFormat, same_column};
use crate::error::{Error, ErrorKind, Result, noun};
use crate::generate::NewRows;
use crate::inspect::table_rows::cell_value;
use crate::property::{Mappings, PropertyKind, Type};

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
        let (name, known) = text.split_once(':').ok_or_else(|| untyped(text, &[]))?;
        Ok(Self { name: name.to_owned(), property_type: known.parse()? })
    }
}

impl Column {
    /// The columns that tables of a struct may have: its fields, as mappings declare them. Elements of static arrays
    /// are columns of their own: `Slots`, `Slots[1]`.
    ///
    /// # Errors
    /// `NotFound` for a struct that the mappings do not have.
    pub fn of_struct(mappings: &Mappings, row_struct: &str) -> Result<Vec<Self>> {
        let name = row_struct.rsplit('.').next().unwrap_or_default();
        if !mappings.knows(name) {
            let (name, hint) = (name.to_owned(), " in the mappings".to_owned());
            return Err(ErrorKind::NotFound { what: noun::SCHEMA, name, hint }.into());
        }
        // What the mappings have no type for is a column that has none.
        let fields = mappings.properties(name);
        let fields = fields.filter(|(_, known, _)| known.kind() != PropertyKind::Unknown);
        let columns = fields.flat_map(|(name, property_type, dimension)| {
            (0..dimension.cast_signed()).map(move |element| Self {
                name: numbered(name, element),
                property_type: property_type.clone(),
            })
        });
        Ok(columns.collect())
    }

    /// The column of a head, `Damage` or `Damage:float`: its name as it is known, and the type that the head and the known
    /// columns agree on.
    fn of_head(head: &str, all: &[Self]) -> Result<Self> {
        let same = |name: &str| {
            let name = same_column(name);
            all.iter().filter(move |known| same_column(&known.name) == name)
        };
        let given = match head.contains(':') && same(head).next().is_none() {
            true => Some(head.parse::<Self>()?),
            false => None,
        };
        let name = given.as_ref().map_or(head, |given| &given.name);
        let known: Vec<&Self> = same(name).collect();
        let mut types = given.iter().chain(known.iter().copied()).map(|one| &one.property_type);
        let first = types.next().ok_or_else(|| untyped(head, all))?;
        let agreed = types.try_fold(first.clone(), |agreed, declared| {
            let known = seen_as(declared, &agreed);
            match agreed.agrees_with(&known) {
                true => Ok(agreed.completed_by(&known)),
                false => Err(Error::invalid(format!(
                    "the column '{name}' is declared as {declared}, not as {agreed}"
                ))),
            }
        })?;
        let name = known.last().map_or(name, |known| &known.name).to_owned();
        Ok(Self { name, property_type: agreed })
    }
}

/// A declared type as another one says it: mappings do not tell bytes of an enum from enums.
fn seen_as(declared: &Type, given: &Type) -> Type {
    let kinds = (given.kind(), declared.kind());
    if kinds == (PropertyKind::Byte, PropertyKind::Enum) && given.name().is_some() {
        return Type::byte_enum(declared.type_name());
    }
    let inner =
        declared.inner().iter().enumerate().map(|(at, inner)| match given.inner().get(at) {
            Some(given) => seen_as(inner, given),
            None => inner.clone(),
        });
    declared.clone().of_inner(inner.collect())
}

/// The rows of a new data table. The types of columns stand in the head of the CSV (`---,Damage:float`),
/// or in `columns`, which JSON needs; [`Column::of_struct`] has those of mappings. Empty cells and missing values keep the
/// struct's default.
///
/// # Errors
/// `Invalid` for a damaged file, for a column without type, and where head and columns say different types.
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
        let column = Column::of_head(column, columns)?;
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

fn untyped(head: &str, known: &[Column]) -> Error {
    /// So many names fit into a message.
    const SHOWN: usize = 24;
    let names: Vec<&str> = known.iter().take(SHOWN).map(|known| &*known.name).collect();
    let known = match known.len() {
        0 => String::new(),
        count if count > SHOWN => format!("; declared are {}, ...", names.join(", ")),
        _ => format!("; declared are {}", names.join(", ")),
    };
    Error::invalid(format!(
        "the column '{head}' has no type: write {head}:float or {head}:int{known}"
    ))
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
