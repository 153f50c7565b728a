//! Other keys for curve tables.

use std::collections::HashSet;

use super::contents::{key_of, keys_of};
use super::plan::{PlannedRow, TablePlan};
use crate::content::values::typed_mut;
use crate::edit::Edit;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::inspect::table_rows::check_name;
use crate::object::ue4::table::curve_table::CurveTable;
use crate::object::ue4::value::StructValue;
use crate::property::{Elements, Property, PropertyList, Value};

/// The property of a curve that holds its keys.
const KEYS: &str = "Keys";

/// A column of a curve table is a time, which has several spellings.
pub(super) fn column(text: &str) -> String {
    text.trim().parse::<f32>().map_or_else(|_| text.to_owned(), |time| time.to_string())
}

/// Gives a curve table the keys of a plan.
pub(super) fn replace_curves(
    edit: &mut Edit,
    row: usize,
    table: &CurveTable,
    plan: &TablePlan,
) -> Result<()> {
    let mut names = HashSet::new();
    for row in &plan.rows {
        if let Some((name, _)) = row.from.and_then(|at| table.curves.get(at)) {
            names.insert(edit.name_text(*name).to_lowercase());
        }
    }
    let sample = Sample::of(edit, table)?;
    let mut curves = Vec::with_capacity(plan.rows.len());
    for row in &plan.rows {
        let stored = row.from.and_then(|at| table.curves.get(at));
        let (name, mut curve) = match stored {
            Some((name, curve)) => (*name, curve.clone()),
            None => {
                check_name("row", &row.name)?;
                if !names.insert(row.name.to_lowercase()) {
                    let (what, name) = (noun::ROW, row.name.clone());
                    return Err(ErrorKind::Exists { what, name }.into());
                }
                (edit.needed_name(&row.name)?, StructValue { properties: sample.curve()? })
            }
        };
        if !row.cells.is_empty() {
            let changed = set_keys(edit, &mut curve.properties, row, plan, &sample);
            changed.map_err(|why| Error::invalid(format!("row {}: {why}", row.name)))?;
        }
        curves.push((name, curve));
    }
    edit.change_body(row, |body| {
        typed_mut::<CurveTable>(body)?.curves = curves;
        Ok(())
    })
}

/// A curve of the table, which shows the form of others.
struct Sample {
    curve: Option<PropertyList>,
    key: Option<Value>,
}

impl Sample {
    fn of(edit: &Edit, table: &CurveTable) -> Result<Self> {
        let mut sample = Self { curve: None, key: None };
        for (_, curve) in &table.curves {
            let Some(at) = keys_at(edit, &curve.properties) else { continue };
            let Some(property) = curve.properties.properties.get(at) else { continue };
            let key = keys_of(property.value(), edit.source())?.into_iter().next();
            if sample.curve.is_none() || key.is_some() {
                let mut list = curve.properties.clone();
                list.properties.retain(|known| is_keys(edit, known));
                sample.curve = Some(list);
            }
            if key.is_some() {
                sample.key = key;
                break;
            }
        }
        Ok(sample)
    }

    /// A curve without keys; what else curves say is the engine's default.
    fn curve(&self) -> Result<PropertyList> {
        let mut list = self.curve.clone().ok_or_else(|| {
            Error::invalid("a curve table without keys does not say what its curves are")
        })?;
        for property in &mut list.properties {
            put_keys(property.value_mut(), Vec::new());
        }
        Ok(list)
    }
}

fn is_keys(edit: &Edit, property: &Property) -> bool {
    property.name_text(|name| edit.name_text(name)).eq_ignore_ascii_case(KEYS)
}

fn keys_at(edit: &Edit, list: &PropertyList) -> Option<usize> {
    list.properties.iter().position(|property| is_keys(edit, property))
}

fn put_keys(value: &mut Value, keys: Vec<Value>) {
    match value {
        Value::StructArray(structs) => structs.elements = Elements::of_values(keys),
        other => *other = Value::Array(Elements::of_values(keys)),
    }
}

/// Sets, adds and removes keys by their times.
fn set_keys(
    edit: &Edit,
    list: &mut PropertyList,
    row: &PlannedRow,
    plan: &TablePlan,
    sample: &Sample,
) -> Result<()> {
    let at = match keys_at(edit, list) {
        Some(at) => at,
        None if list.properties.is_empty() => {
            *list = sample.curve()?;
            keys_at(edit, list).unwrap_or(0)
        }
        None => return Err(Error::invalid("the curve stores no keys, so their form is not known")),
    };
    let Some(property) = list.properties.get_mut(at) else { return Ok(()) };
    let mut keys = keys_of(property.value(), edit.source())?;
    for (at, cell) in &row.cells {
        let Some(column) = plan.columns.get(*at) else { continue };
        let number = |text: &str, what: &str| {
            let number = text.trim().parse::<f32>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| Error::invalid(format!("the {what} '{text}' is no number")))
        };
        let time = number(&column.name, "time")?;
        let cell = cell.as_deref().filter(|cell| !cell.is_empty());
        let value = cell.map(|cell| number(cell, "value")).transpose()?;
        set_key(&mut keys, time, value, sample.key.as_ref())?;
    }
    put_keys(property.value_mut(), keys);
    Ok(())
}

fn set_key(
    keys: &mut Vec<Value>,
    time: f32,
    value: Option<f32>,
    sample: Option<&Value>,
) -> Result<()> {
    let time_of = |key: &Value| key_of(key).map(|(time, _)| time);
    let mut there = (0..keys.len()).filter(|&at| time_of(&keys[at]) == Some(time));
    let (at, second) = (there.next(), there.next());
    if second.is_some() {
        return Err(Error::invalid(format!("several keys have the time {time}")));
    }
    match (at, value) {
        (Some(at), Some(value)) => set_number(&mut keys[at], VALUE, value),
        (Some(at), None) => drop(keys.remove(at)),
        (None, None) => {}
        (None, Some(value)) => {
            let at = keys.iter().take_while(|key| time_of(key).is_some_and(|it| it < time)).count();
            // A new key leads on as the one before it does.
            let like = keys.get(at.saturating_sub(1)).or(sample);
            let mut key = like.cloned().ok_or_else(|| {
                Error::invalid("a curve table without keys does not say what they are")
            })?;
            set_number(&mut key, TIME, time);
            set_number(&mut key, VALUE, value);
            if let Value::Fields(fields) = &mut key {
                // Its slopes are its own.
                for field in fields.iter_mut().skip(FIRST_FIELD + 2) {
                    if let Value::Float(slope) = field {
                        *slope = 0.0;
                    }
                }
            }
            keys.insert(at, key);
        }
    }
    Ok(())
}

/// The time among the numbers of a key.
const TIME: usize = 0;
/// The value behind it.
const VALUE: usize = 1;
/// Where they begin in a rich key.
const FIRST_FIELD: usize = 3;

fn set_number(key: &mut Value, part: usize, number: f32) {
    match key {
        Value::Float2(numbers) => numbers[part] = number,
        Value::Fields(fields) => {
            if let Some(field) = fields.get_mut(FIRST_FIELD + part) {
                *field = Value::Float(number);
            }
        }
        _ => {}
    }
}
