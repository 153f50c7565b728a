//! Tables: rows and columns, as CSV and JSON.

use crate::content::Contents;
use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use serde_json::{Map as Object, Value as Json};

use super::cell::{Cells, plain_text};
use crate::error::{Error, ErrorKind, Result, noun};
use crate::object::Body;
use crate::object::ue4::structure::enumeration::Enum;
use crate::object::ue4::table::{
    curve_table::CurveTable, data_table::DataTable, string_table::StringTable,
};
use crate::package::{Package, native_as};
use crate::primitive::FString;
use crate::property::PropertyList;
use crate::property::{Elements, Value};

/// How tables are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum TableFormat {
    /// Comma-separated values, as the engine's editor imports them.
    Csv,
    /// An array of objects, as the engine's editor exports it.
    #[default]
    Json,
}

impl TableFormat {
    /// Every format.
    pub const ALL: &'static [Self] = &[Self::Csv, Self::Json];

    /// Name on the command line, and extension.
    pub fn slug(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Json => "json",
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
            let hint = "; known are csv and json".to_owned();
            ErrorKind::NotFound { what: noun::TABLE_FORMAT, name: text.to_owned(), hint }.into()
        })
    }
}

/// A table of UE4 or UE5: a data table, curve table, string table, or the values of an enum.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// Head of the first column in CSV.
    head: &'static str,
    /// Name of the first column in JSON.
    key: &'static str,
    namespace: Option<String>,
    columns: Vec<String>,
    places: HashMap<String, usize>,
    /// Names, and the values that are there with the places of their columns, in order.
    rows: Vec<(String, Vec<(usize, Json)>)>,
}

impl Table {
    fn new(head: &'static str, key: &'static str) -> Self {
        Self { head, key, ..Self::default() }
    }

    fn push(&mut self, name: String, cells: Vec<(String, Json)>) {
        let mut row = Vec::with_capacity(cells.len());
        for (column, value) in cells {
            let at = match self.places.get(&column) {
                Some(&at) => at,
                None => {
                    let next = self.columns.len();
                    self.places.insert(column.clone(), next);
                    self.columns.push(column);
                    next
                }
            };
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

    /// The names of the rows, in stored order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &str> {
        self.rows.iter().map(|(name, _)| name.as_str())
    }

    /// The text of a cell; `None` where the row has none.
    pub fn cell(&self, row: usize, column: &str) -> Option<String> {
        let at = *self.places.get(column)?;
        let cells = &self.rows.get(row)?.1;
        let found = cells.binary_search_by_key(&at, |cell| cell.0).ok()?;
        cells.get(found).map(|cell| plain_text(&cell.1))
    }

    /// The table as a file.
    ///
    /// # Errors
    /// `Invalid` when it can't be written.
    pub fn file(&self, format: TableFormat) -> Result<Vec<u8>> {
        match format {
            TableFormat::Csv => self.to_csv(),
            TableFormat::Json => self.to_json(),
        }
    }

    fn to_csv(&self) -> Result<Vec<u8>> {
        let fail = |why: csv::Error| Error::invalid(format!("no CSV: {why}"));
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer
            .write_record([self.head].into_iter().chain(self.columns.iter().map(String::as_str)))
            .map_err(fail)?;
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

    fn to_json(&self) -> Result<Vec<u8>> {
        let row = |(name, cells): &(String, Vec<(usize, Json)>)| {
            let mut object = Object::new();
            object.insert(self.key.to_owned(), name.as_str().into());
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

impl Contents<'_> {
    /// The rows and columns of a data table, curve table, string table or enum of UE4 or UE5. Columns of
    /// curve tables are times.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for what is no table, or is not decoded.
    pub fn table(&self, row: usize) -> Result<Table> {
        self.named(row, |package, body| {
            let cells = Cells::of(package);
            if let Some(table) = native_as::<DataTable>(body) {
                let mut rows = Table::new("---", "Name");
                for row in &table.rows {
                    let name = package.name_text(row.name).to_string();
                    rows.push(name, cells.properties(&row.value.properties));
                }
                return Ok(rows);
            }
            if let Some(table) = native_as::<CurveTable>(body) {
                return curves(package, table);
            }
            if let Some(table) = native_as::<StringTable>(body) {
                return strings(package, table);
            }
            match native_as::<Enum>(body) {
                Some(known) => Ok(enumerators(package, &cells, body, known)),
                None => Err(Error::invalid("is no table that can be decoded")),
            }
        })
    }
}

fn strings(package: &Package, table: &StringTable) -> Result<Table> {
    let text = |text: &FString| Ok::<_, Error>(text.text(package.source())?.into_owned());
    let mut rows = Table::new("Key", "Key");
    rows.namespace = Some(text(&table.namespace)?);
    for (key, source) in &table.entries.0 {
        let mut cells = vec![("SourceString".to_owned(), text(source)?.into())];
        if let Some(data) = table.meta_data.get(key) {
            for (name, value) in &data.0 {
                cells.push((package.name_text(*name).to_string(), text(value)?.into()));
            }
        }
        rows.push(text(key)?, cells);
    }
    Ok(rows)
}

fn enumerators(package: &Package, cells: &Cells<'_>, body: &Body, known: &Enum) -> Table {
    let context = package.context();
    let list = body.prologue.as_deref().map(|prologue| &prologue.properties);
    let value = |name| list.and_then(|list: &PropertyList| list.value(name, &context));
    let mut shown: HashMap<String, Json> = HashMap::new();
    if let Some(Value::Map(map)) = value("DisplayNameMap") {
        for (key, text) in &map.pairs {
            shown.insert(plain_text(&cells.json(key, None)), cells.json(text, None));
        }
    }
    let listed = match value("DisplayNames") {
        Some(Value::Array(Elements::Values(values))) => values.as_slice(),
        _ => &[],
    };
    // Old versions store no numbers: the place is the number.
    let stored = known.enumerators.iter().any(|row| row.value != 0);
    let mut rows = Table::new("Name", "Name");
    for (at, row) in known.enumerators.iter().enumerate() {
        let name = package.name_text(row.name).to_string();
        let short = name.rsplit("::").next().unwrap_or_default();
        let number = if stored { row.value } else { at as i64 };
        let mut line = vec![("Value".to_owned(), Json::from(number))];
        let text = shown.get(short).cloned();
        let text = text.or_else(|| listed.get(at).map(|text| cells.json(text, None)));
        if let Some(text) = text {
            line.push(("DisplayName".to_owned(), text));
        }
        rows.push(name, line);
    }
    rows
}

fn curves(package: &Package, table: &CurveTable) -> Result<Table> {
    let context = package.context();
    let mut keyed = Vec::new();
    for (name, curve) in &table.curves {
        let keys = match curve.properties.value("Keys", &context) {
            Some(Value::StructArray(structs)) => Some(&structs.elements),
            Some(Value::Array(elements)) => Some(elements),
            Some(_) => return Err(Error::invalid("has keys of a form that is not known")),
            None => None,
        };
        let values = match keys {
            Some(elements) => elements.to_values(package.source())?,
            None => Vec::new(),
        };
        let keys = values.iter().map(key_of).collect::<Option<Vec<_>>>();
        let keys = keys.ok_or_else(|| Error::invalid("has keys of a form that is not known"))?;
        keyed.push((package.name_text(*name).to_string(), keys));
    }
    let mut times: Vec<f32> = keyed.iter().flat_map(|(_, keys)| keys).map(|key| key.0).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    let mut rows = Table::new("---", "Name");
    for time in times {
        rows.places.insert(time.to_string(), rows.columns.len());
        rows.columns.push(time.to_string());
    }
    for (name, keys) in keyed {
        let cell = |(time, value): (f32, f32)| (time.to_string(), number(value));
        rows.push(name, keys.into_iter().map(cell).collect());
    }
    Ok(rows)
}

fn number(value: f32) -> Json {
    value.to_string().parse::<f64>().map_or(Json::Null, Json::from)
}

/// Time and value of a key of a rich or simple curve.
fn key_of(key: &Value) -> Option<(f32, f32)> {
    match key {
        Value::Float2([time, value]) => Some((*time, *value)),
        Value::Fields(fields) => match fields.get(3..5)? {
            [Value::Float(time), Value::Float(value)] => Some((*time, *value)),
            _ => None,
        },
        _ => None,
    }
}
