//! Values that have no parts: the fields of structs, the elements of arrays, the cells of tables, each a row.

use super::TableKind;
use super::origin::Origins;
use super::row_buffer::Cell;
use super::rows::PackageRows;
use crate::inspect::ReferenceTexts;
use crate::package::Package;
use crate::property::{PlainValue, quoted};

/// Bytes of a key in a path: a longer one ends in `…`, since it stands in the path of each value behind it.
const LONGEST_KEY: usize = 512;

/// Makes the rows of one object's values.
pub(super) struct LeafRows<'a, 'r> {
    pub package: &'a Package,
    pub rows: &'r mut PackageRows,
    pub origins: &'r mut Origins<'a>,
    pub id: i64,
    /// The row of the object, and its path.
    pub export: (usize, &'r str),
}

/// Where in an object a value stands.
struct LeafPlace<'v> {
    /// The property, or the row of a table, that it is in.
    property: &'v str,
    /// The path of the value.
    path: String,
    /// The field that it is, or whose elements it is one of.
    name: &'v str,
}

impl LeafRows<'_, '_> {
    /// Adds the values in a property, or in the row of a table.
    pub fn add(&mut self, path: &str, value: &PlainValue) {
        let mut place = LeafPlace { property: path, path: path.to_owned(), name: path };
        self.walk(&mut place, value);
    }

    // As deep as values are, which are read to a depth that is bounded.
    fn walk<'v>(&mut self, place: &mut LeafPlace<'v>, value: &'v PlainValue) {
        let (length, name) = (place.path.len(), place.name);
        match value {
            PlainValue::List(values) => {
                for (at, value) in values.iter().enumerate() {
                    place.path.push_str(&format!("[{at}]"));
                    self.walk(place, value);
                    place.path.truncate(length);
                }
            }
            PlainValue::Map(pairs) => {
                for (key, value) in pairs {
                    let key = bracketed(&self.key(key));
                    place.path.push_str(&key);
                    self.walk(place, value);
                    place.path.truncate(length);
                }
            }
            PlainValue::Struct(fields) => {
                // One that says itself which struct it is: paths pass through to its value.
                if let Some(value) = held(fields) {
                    return self.walk(place, value);
                }
                for (field, value) in fields {
                    place.path.push('.');
                    place.path.push_str(field);
                    place.name = field;
                    self.walk(place, value);
                    place.path.truncate(length);
                    place.name = name;
                }
            }
            value => self.leaf(place, value),
        }
    }

    fn leaf(&mut self, place: &LeafPlace<'_>, value: &PlainValue) {
        let whole = |number: i64| (Cell::Integer(number), Cell::Real(number as f64));
        let (kind, (integer, number), text, reference) = match value {
            PlainValue::Bool(is) => ("bool", whole((*is).into()), Cell::Null, Cell::Null),
            PlainValue::Int(number) => ("integer", whole(*number), Cell::Null, Cell::Null),
            PlainValue::UInt(number) => {
                let integer = i64::try_from(*number).map_or(Cell::Null, Cell::Integer);
                ("integer", (integer, Cell::Real(*number as f64)), Cell::Null, Cell::Null)
            }
            PlainValue::Float(number) => {
                ("number", (Cell::Null, Cell::Real((*number).into())), Cell::Null, Cell::Null)
            }
            PlainValue::Double(number) => {
                ("number", (Cell::Null, Cell::Real(*number)), Cell::Null, Cell::Null)
            }
            PlainValue::Text(text) | PlainValue::Localized { source: text, .. } => {
                ("text", (Cell::Null, Cell::Null), Cell::Text(text), Cell::Null)
            }
            PlainValue::SoftPath(path) => {
                ("soft", (Cell::Null, Cell::Null), Cell::Null, Cell::Text(path))
            }
            PlainValue::Object(index) => {
                let path = self.origins.full_path(*index);
                let path = Some(path).filter(|path| !path.is_empty());
                ("object", (Cell::Null, Cell::Null), Cell::Null, Cell::maybe(path))
            }
            PlainValue::Null => ("none", (Cell::Null, Cell::Null), Cell::Null, Cell::Null),
            _ => ("bytes", (Cell::Null, Cell::Null), Cell::Null, Cell::Null),
        };
        let cells = [
            Cell::Integer(self.id),
            Cell::Integer(self.export.0 as i64),
            Cell::Text(self.export.1),
            Cell::Text(&place.path),
            Cell::Text(place.property),
            Cell::Text(bare(place.name)),
            Cell::Text(kind),
            integer,
            number,
            text,
            reference,
        ];
        self.rows.push(TableKind::Leaves, &cells);
    }

    /// The key of a map as paths have it.
    fn key(&self, key: &PlainValue) -> String {
        match key {
            PlainValue::Null => "None".to_owned(),
            PlainValue::Bool(is) => if *is { "True" } else { "False" }.to_owned(),
            PlainValue::Int(number) => number.to_string(),
            PlainValue::UInt(number) => number.to_string(),
            PlainValue::Float(number) => number.to_string(),
            PlainValue::Double(number) => number.to_string(),
            PlainValue::Text(text) | PlainValue::SoftPath(text) => text.clone(),
            PlainValue::Localized { written, .. } => written.clone(),
            PlainValue::Object(index) => self.package.reference_text(*index),
            PlainValue::Struct(fields) => {
                let one =
                    |(name, value): &(String, PlainValue)| format!("{name}={}", self.key(value));
                let fields: Vec<_> = fields.iter().map(one).collect();
                format!("({})", fields.join(","))
            }
            PlainValue::List(values) => {
                let values: Vec<_> = values.iter().map(|value| self.key(value)).collect();
                format!("({})", values.join(","))
            }
            _ => String::new(),
        }
    }
}

/// The value of a struct that says itself which one it is.
fn held(fields: &[(String, PlainValue)]) -> Option<&PlainValue> {
    use PlainValue::{Null, Object, Struct};
    match fields {
        [(first, Object(_) | Null), (second, value @ Struct(_))] => {
            (first == "Struct" && second == "Value").then_some(value)
        }
        _ => None,
    }
}

/// A key in brackets, in quotes where it would be misread.
fn bracketed(key: &str) -> String {
    let end = (0..=LONGEST_KEY).rev().find(|&end| key.is_char_boundary(end)).unwrap_or(0);
    let cut = key.get(..end).filter(|cut| cut.len() < key.len()).map(|cut| format!("{cut}…"));
    let key = cut.as_deref().unwrap_or(key);
    match key.contains(['[', ']', '"', '\\']) || key.trim() != key || key.is_empty() {
        true => format!("[{}]", quoted(key)),
        false => format!("[{key}]"),
    }
}

/// A field or row by itself: without what stands around it in a path.
fn bare(name: &str) -> &str {
    let (name, _) = super::body_rows::parts(name);
    let inner = name.strip_prefix('"').and_then(|name| name.strip_suffix('"'));
    inner.unwrap_or(name)
}
