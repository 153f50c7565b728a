//! Rows and columns, and how they are written.

use super::cell::plain_text;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::property::Type;
use serde_json::{Map as Object, Value as Json};
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

/// The head of the names of rows, as the engine's editor writes it.
pub(super) const ROW_NAME: &str = "---";

/// What the names of two columns have in common that are one property: names differ by more than their case, and a
/// property without a number is the first element.
pub(super) fn same_column(name: &str) -> String {
    let name = name.to_ascii_lowercase();
    let element = name.strip_suffix(']').and_then(|name| name.rsplit_once('['));
    match element.and_then(|(name, number)| Some((name, number.parse::<u32>().ok()?))) {
        Some((name, 0)) => name.to_owned(),
        Some((name, number)) => format!("{name}[{number}]"),
        None => name,
    }
}

/// How tables are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum TableFormat {
    /// Comma-separated values, as the engine's editor imports them.
    Csv,
    /// An array of objects, as the engine's editor exports it.
    #[default]
    Json,
    /// A workbook (ECMA-376), as programs for tables write it.
    #[cfg(feature = "xlsx")]
    Xlsx,
}

impl TableFormat {
    /// Every format.
    pub const ALL: &'static [Self] = &[
        Self::Csv,
        Self::Json,
        #[cfg(feature = "xlsx")]
        Self::Xlsx,
    ];

    /// The format of a file by how it begins.
    pub fn detect(file: &[u8]) -> Self {
        #[cfg(feature = "xlsx")]
        if file.starts_with(b"PK\x03\x04") {
            return Self::Xlsx;
        }
        let file = file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file);
        match file.iter().find(|byte| !byte.is_ascii_whitespace()) {
            Some(b'[' | b'{') => Self::Json,
            _ => Self::Csv,
        }
    }

    /// Name on the command line, and extension.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
            #[cfg(feature = "xlsx")]
            Self::Xlsx => "xlsx",
        }
    }
}

impl fmt::Display for TableFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.slug())
    }
}

impl FromStr for TableFormat {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let found = Self::ALL.iter().find(|format| format.slug().eq_ignore_ascii_case(text));
        found.copied().ok_or_else(|| {
            let slugs: Vec<_> = Self::ALL.iter().map(|format| format.slug()).collect();
            let hint = format!("; known are {}", slugs.join(", "));
            ErrorKind::NotFound { what: noun::TABLE_FORMAT, name: text.to_owned(), hint }.into()
        })
    }
}

/// Rows and columns: a data table, curve table, string table, the values of an enum, the texts of a language.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// Head of the first column in CSV.
    pub(super) head: &'static str,
    /// Name of the first column in JSON.
    pub(super) key: &'static str,
    pub(super) namespace: Option<String>,
    pub(super) columns: Vec<String>,
    /// The types of columns, where they are known.
    pub(super) types: HashMap<String, Type>,
    /// Whether the head of CSV says the types of columns.
    pub(super) typed: bool,
    /// The places of columns by what [`same_column`] makes of their names.
    pub(super) places: HashMap<String, usize>,
    /// Names, and the values that are there with the places of their columns, in order.
    pub(super) rows: Vec<(String, Vec<(usize, Json)>)>,
}

impl Table {
    pub(super) fn new(head: &'static str, key: &'static str) -> Self {
        Self { head, key, ..Self::default() }
    }

    /// Columns that are there even where no row has a value.
    pub(super) fn add_columns(&mut self, columns: &[&str]) {
        for column in columns {
            self.places.insert(same_column(column), self.columns.len());
            self.columns.push((*column).to_owned());
        }
    }

    pub(super) fn push(&mut self, name: String, cells: Vec<(String, Json)>) {
        let mut row = Vec::with_capacity(cells.len());
        for (column, value) in cells {
            let next = self.columns.len();
            let at = *self.places.entry(same_column(&column)).or_insert(next);
            if at == next {
                self.columns.push(column);
            }
            row.push((at, value));
        }
        row.sort_by_key(|cell| cell.0);
        // The last value of a column counts.
        row.dedup_by(|later, kept| {
            let same = later.0 == kept.0;
            if same {
                std::mem::swap(later, kept);
            }
            same
        });
        self.rows.push((name, row));
    }

    /// The columns beside the names of the rows, in the order in which they are met first.
    pub fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Where the keys of a string table belong.
    pub fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    /// The same with the types of the columns in the head of CSV, as new data tables take them: `Damage:float`.
    #[must_use]
    pub fn with_types(self) -> Self {
        Self { typed: true, ..self }
    }

    /// The column that a name means, as the table writes it.
    pub(super) fn column(&self, name: &str) -> Option<&str> {
        let at = *self.places.get(&same_column(name))?;
        self.columns.get(at).map(String::as_str)
    }

    /// The head of a column.
    pub(super) fn head_of(&self, column: &str) -> String {
        match self.types.get(column).filter(|_| self.typed) {
            Some(known) => format!("{column}:{known:#}"),
            None => column.to_owned(),
        }
    }

    /// The value of a cell.
    pub(super) fn value(&self, row: usize, column: &str) -> Option<&Json> {
        let at = *self.places.get(&same_column(column))?;
        let cells = &self.rows.get(row)?.1;
        let found = cells.binary_search_by_key(&at, |cell| cell.0).ok()?;
        cells.get(found).map(|cell| &cell.1)
    }

    /// The names of the rows, in stored order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &str> {
        self.rows.iter().map(|(name, _)| name.as_str())
    }

    /// The text of a cell; `None` where the row has none.
    pub fn cell(&self, row: usize, column: &str) -> Option<String> {
        self.value(row, column).map(plain_text)
    }

    /// The table as a file.
    ///
    /// # Errors
    /// `Invalid` when it can't be written.
    pub fn file(&self, format: TableFormat) -> Result<Vec<u8>> {
        match format {
            TableFormat::Csv => self.to_csv(),
            TableFormat::Json => self.to_json(),
            #[cfg(feature = "xlsx")]
            TableFormat::Xlsx => self.to_xlsx(),
        }
    }

    pub(super) fn to_csv(&self) -> Result<Vec<u8>> {
        let fail = |why: csv::Error| Error::invalid(format!("no CSV: {why}"));
        let mut writer = csv::Writer::from_writer(Vec::new());
        let heads = self.columns.iter().map(|column| self.head_of(column));
        writer.write_record([self.head.to_owned()].into_iter().chain(heads)).map_err(fail)?;
        for (name, cells) in &self.rows {
            let mut cells = cells.iter().peekable();
            let cells = (0..self.columns.len()).map(|at| {
                let cell = cells.next_if(|cell| cell.0 == at);
                cell.map(|cell| plain_text(&cell.1)).unwrap_or_default()
            });
            writer.write_record([name.clone()].into_iter().chain(cells)).map_err(fail)?;
        }
        writer.into_inner().map_err(|why| Error::invalid(format!("no CSV: {why}")))
    }

    pub(super) fn to_json(&self) -> Result<Vec<u8>> {
        if self.column(ROW_NAME).is_some() {
            return Err(Error::invalid(format!(
                "a column is called {ROW_NAME}, which JSON says of the names of rows: write CSV"
            )));
        }
        // A column may be called as the names of rows are.
        let key = if self.column(self.key).is_some() { ROW_NAME } else { self.key };
        let row = |(name, cells): &(String, Vec<(usize, Json)>)| {
            let mut object = Object::new();
            object.insert(key.to_owned(), name.as_str().into());
            for (at, value) in cells {
                if let Some(column) = self.columns.get(*at) {
                    object.insert(column.clone(), value.clone());
                }
            }
            Json::Object(object)
        };
        let rows = Json::Array(self.rows.iter().map(row).collect());
        let whole = match &self.namespace {
            Some(namespace) => {
                let mut object = Object::new();
                object.insert("Namespace".to_owned(), namespace.as_str().into());
                object.insert("Entries".to_owned(), rows);
                Json::Object(object)
            }
            None => rows,
        };
        let mut bytes = serde_json::to_vec_pretty(&whole)
            .map_err(|why| Error::invalid(format!("no JSON: {why}")))?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}
