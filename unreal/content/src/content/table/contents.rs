//! Tables of UE4 and UE5 as rows and columns.

use std::collections::HashMap;

use serde_json::Value as Json;

use super::cell::{Cells, plain_text};
use super::grid::{ROW_NAME, Table};
use crate::content::Contents;
use crate::error::{Error, Result};
use crate::inspect::meaning::ObjectLookup;
use crate::object::Body;
use crate::object::ue4::structure::enumeration::Enum;
use crate::object::ue4::table::{
    curve_table::CurveTable, data_table::DataTable, string_table::StringTable,
};
use crate::package::{Package, native_as};
use crate::primitive::FString;
use crate::property::PropertyList;
use crate::property::{Elements, PropertyKind, Value};

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
                let mut rows = Table::new(ROW_NAME, "Name");
                let context = package.context();
                let lookup = ObjectLookup::reading(package, context, row);
                for row in table.rows.iter() {
                    let name = package.name_text(row.name).to_string();
                    let values = cells.properties(&row.value.properties);
                    for (property, (column, _)) in
                        row.value.properties.properties.iter().zip(&values)
                    {
                        if rows.types.contains_key(column) {
                            continue;
                        }
                        let list = &row.value.properties;
                        let schema =
                            list.schema_type(property, package.mappings().map(AsRef::as_ref));
                        let known = schema.unwrap_or_else(|| list.type_of(property, &lookup));
                        if known.kind() != PropertyKind::Unknown {
                            rows.types.insert(column.clone(), known);
                        }
                    }
                    rows.push(name, values);
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
    let meta = table.meta_data.0.iter().map(|(key, data)| Ok((text(key)?, data)));
    let meta = meta.collect::<Result<HashMap<_, _>>>()?;
    for (key, source) in &table.entries.0 {
        let mut cells = vec![("SourceString".to_owned(), text(source)?.into())];
        let key = text(key)?;
        if let Some(data) = meta.get(&key) {
            for (name, value) in &data.0 {
                let name = package.name_text(*name).to_string();
                // It would hide the text.
                if name.eq_ignore_ascii_case("SourceString") {
                    return Err(Error::invalid(format!(
                        "the text '{key}' has meta data called {name}, as the column of texts is"
                    )));
                }
                cells.push((name, text(value)?.into()));
            }
        }
        rows.push(key, cells);
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
        let keys = curve.properties.value("Keys", &context);
        let values = keys.map(|keys| keys_of(keys, package.source())).transpose()?;
        let keys = values.unwrap_or_default();
        let keys = keys.iter().map(key_of).collect::<Option<Vec<_>>>();
        let keys = keys.ok_or_else(|| Error::invalid("has keys of a form that is not known"))?;
        keyed.push((package.name_text(*name).to_string(), keys));
    }
    let mut times: Vec<f32> = keyed.iter().flat_map(|(_, keys)| keys).map(|key| key.0).collect();
    times.sort_by(f32::total_cmp);
    times.dedup_by_key(|time| time.to_bits());
    let mut rows = Table::new(ROW_NAME, "Name");
    let times: Vec<_> = times.iter().map(ToString::to_string).collect();
    rows.add_columns(&times.iter().map(String::as_str).collect::<Vec<_>>());
    for (name, keys) in keyed {
        let cell = |(time, value): (f32, f32)| (time.to_string(), number(value));
        rows.push(name, keys.into_iter().map(cell).collect());
    }
    Ok(rows)
}

fn number(value: f32) -> Json {
    value.to_string().parse::<f64>().map_or(Json::Null, Json::from)
}

/// The keys of a curve.
pub(super) fn keys_of(keys: &Value, source: &[u8]) -> Result<Vec<Value>> {
    match keys {
        Value::StructArray(structs) => structs.elements.to_values(source),
        Value::Array(elements) => elements.to_values(source),
        _ => Err(Error::invalid("has keys of a form that is not known")),
    }
}

/// Time and value of a key of a rich or simple curve.
pub(super) fn key_of(key: &Value) -> Option<(f32, f32)> {
    match key {
        Value::Float2([time, value]) => Some((*time, *value)),
        Value::Fields(fields) => match fields.get(3..5)? {
            [Value::Float(time), Value::Float(value)] => Some((*time, *value)),
            _ => None,
        },
        _ => None,
    }
}
