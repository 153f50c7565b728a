//! What a file changes of a table.

use std::collections::{HashMap, VecDeque};

use serde_json::Value as Json;

use super::cell::{plain_text, without_class};
use super::file::{FileRow, ReadTable};
use super::grid::{Table, same_column};
use super::new::Column;
use crate::error::{Error, Result};
use crate::property::Type;

/// The changes of giving a table the rows of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[non_exhaustive]
pub struct TableChange {
    /// Cells of rows that stay which say something else now.
    pub cells: usize,
    /// Rows that are new.
    pub added: usize,
    /// Rows that are gone.
    pub removed: usize,
    /// Rows that stay stand in another order.
    pub reordered: bool,
    /// The namespace of a string table is another one.
    pub namespace: bool,
}

impl TableChange {
    /// Whether there is one.
    pub fn is_change(&self) -> bool {
        *self != Self::default()
    }
}

/// How rows and columns of a file are those of a table.
pub(super) struct Rules {
    /// Names of rows differ by more than their case.
    pub ignores_case: bool,
    /// Columns that tell rows apart together with their names.
    pub identity: &'static [&'static str],
    /// Columns may say their type behind a colon.
    pub has_types: bool,
    /// Cells are texts: a reference without its class is another one.
    pub are_texts: bool,
    /// The name of a column that may be written in several ways.
    pub column: fn(&str) -> String,
}

impl Rules {
    /// Of tables whose rows are called by names of the engine's.
    pub const NAMES: Self = Self {
        ignores_case: true,
        identity: &[],
        has_types: false,
        are_texts: false,
        column: str::to_owned,
    };
    /// Of tables whose rows are called by texts.
    pub const TEXTS: Self = Self { ignores_case: false, are_texts: true, ..Self::NAMES };
}

/// A column of a file.
#[derive(Debug)]
pub(super) struct PlannedColumn {
    pub name: String,
    /// Its type, where the file says it.
    pub property_type: Option<Type>,
}

/// A row as it is to be.
#[derive(Debug)]
pub(super) struct PlannedRow {
    /// The row that is there, by its place.
    pub from: Option<usize>,
    pub name: String,
    /// Cells that say something else, by their column: `None` for no value.
    pub cells: Vec<(usize, Option<String>)>,
}

/// What a file changes.
#[derive(Debug)]
pub(super) struct TablePlan {
    pub columns: Vec<PlannedColumn>,
    pub rows: Vec<PlannedRow>,
    pub change: TableChange,
}

impl TablePlan {
    /// Compares a table with a file. A cell that says what extracting wrote is no change.
    ///
    /// # Errors
    /// `Invalid` for columns of which two are the same one, or that have no name.
    pub fn of(old: &Table, file: &ReadTable, rules: &Rules) -> Result<Self> {
        let mut columns = columns(old, file, rules)?;
        let mut index: HashMap<String, usize> = HashMap::with_capacity(columns.len());
        index.extend(columns.iter().enumerate().map(|(at, it)| (same_column(&it.name), at)));
        if file.is_complete {
            for name in &old.columns {
                index.entry(same_column(name)).or_insert_with(|| {
                    columns.push(PlannedColumn { name: name.clone(), property_type: None });
                    columns.len() - 1
                });
            }
        }
        let identity = |name: &str, cell: &dyn Fn(&str) -> String| {
            let mut id = if rules.ignores_case { name.to_lowercase() } else { name.to_owned() };
            for column in rules.identity {
                id.push('\0');
                id.push_str(&cell(column));
            }
            id
        };
        let mut places: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (at, name) in old.rows().enumerate() {
            let cell = |column: &str| old.cell(at, column).unwrap_or_default();
            places.entry(identity(name, &cell)).or_default().push_back(at);
        }
        for column in rules.identity {
            if !index.contains_key(&same_column(column)) {
                return Err(Error::invalid(format!("the table has no column {column}")));
            }
        }
        let mut change = TableChange::default();
        let mut rows = Vec::with_capacity(file.rows.len());
        let mut last = None;
        for row in &file.rows {
            let cell = |name: &str| {
                let cell = index.get(&same_column(name)).and_then(|at| row.cell(*at));
                cell.map(plain_text).unwrap_or_default()
            };
            let from = places.get_mut(&identity(&row.name, &cell)).and_then(VecDeque::pop_front);
            // Programs for tables leave empty lines.
            if from.is_none() && row.name.is_empty() && row.cells.is_empty() {
                continue;
            }
            let cells = changed(old, from, row, (&columns, &index), file.is_complete, rules);
            match from {
                Some(at) => {
                    change.cells += cells.len();
                    change.reordered |= last.is_some_and(|last| last > at);
                    last = Some(at);
                }
                None => change.added += 1,
            }
            rows.push(PlannedRow { from, name: row.name.clone(), cells });
        }
        change.removed = places.values().map(VecDeque::len).sum();
        Ok(Self { columns, rows, change })
    }
}

/// The columns of a file by their names in the table.
fn columns(old: &Table, file: &ReadTable, rules: &Rules) -> Result<Vec<PlannedColumn>> {
    let mut columns: Vec<PlannedColumn> = Vec::with_capacity(file.columns.len());
    let mut seen: HashMap<String, &str> = HashMap::new();
    for raw in &file.columns {
        let name = (rules.column)(raw);
        let mut column = PlannedColumn { name, property_type: None };
        if rules.has_types && old.column(raw).is_none() && raw.contains(':') {
            let Column { name, property_type } = raw.parse()?;
            column = PlannedColumn { name, property_type: Some(property_type) };
        }
        if column.name.is_empty() {
            return Err(Error::invalid("a column has no name"));
        }
        if let Some(other) = seen.insert(same_column(&column.name), raw) {
            return Err(Error::invalid(match other == raw {
                true => format!("the column '{raw}' stands twice"),
                false => format!("the columns '{other}' and '{raw}' are the same one"),
            }));
        }
        if let Some(stored) = old.column(&column.name) {
            // `Slots[0]` may also be an element of what the property holds.
            if column.name.ends_with(']') && !stored.ends_with(']') {
                let name = &column.name;
                let reason = format!("the column '{name}' is called '{stored}' in the table");
                return Err(Error::invalid(reason));
            }
            let known = old.types.get(stored);
            if let (Some(known), Some(given)) = (known, column.property_type.take())
                && !known.agrees_with(&given)
            {
                return Err(Error::invalid(format!(
                    "the column '{stored}' is stored as {known}, not as {given}"
                )));
            }
            column.name = stored.to_owned();
        }
        columns.push(column);
    }
    Ok(columns)
}

/// The cells of a row that say something else than the table does.
fn changed(
    old: &Table,
    from: Option<usize>,
    row: &FileRow,
    (columns, index): (&[PlannedColumn], &HashMap<String, usize>),
    is_complete: bool,
    rules: &Rules,
) -> Vec<(usize, Option<String>)> {
    let mut changed = Vec::new();
    for (at, after) in &row.cells {
        let Some(column) = columns.get(*at) else { continue };
        let before = from.and_then(|row| old.value(row, &column.name));
        let is_same = match (before, is_complete) {
            (None, _) => false,
            (Some(before), _) if rules.are_texts => plain_text(before) == plain_text(after),
            (Some(before), true) => same_value(before, after),
            (Some(before), false) => same_text(before, &plain_text(after)),
        };
        if !is_same {
            changed.push((*at, Some(plain_text(after))));
        }
    }
    // What the table says and the file does not.
    let stored = from.and_then(|row| old.rows.get(row)).map(|row| row.1.as_slice());
    for (place, before) in stored.unwrap_or_default() {
        let name = old.columns.get(*place).map(|name| same_column(name));
        let Some(at) = name.and_then(|name| index.get(&name)) else { continue };
        if row.cell(*at).is_some() {
            continue;
        }
        match is_complete {
            true if !before.is_null() => changed.push((*at, None)),
            false if !plain_text(before).is_empty() => changed.push((*at, Some(String::new()))),
            _ => {}
        }
    }
    changed.sort_by_key(|cell| cell.0);
    changed
}

/// Whether a cell of CSV says a value: programs for tables write 1 for 1.0, and TRUE for True.
fn same_text(before: &Json, after: &str) -> bool {
    let is_same = match before {
        Json::Bool(flag) => after.eq_ignore_ascii_case(if *flag { "true" } else { "false" }),
        Json::Number(_) => {
            serde_json::from_str(after.trim()).is_ok_and(|after| same_value(before, &after))
        }
        Json::String(text) => is_path_of(after, text),
        _ => false,
    };
    is_same || plain_text(before) == after
}

/// Whether a text is a reference without the class that the other one has: tables of before said none.
fn is_path_of(path: &str, reference: &str) -> bool {
    without_class(reference).is_some_and(|inside| inside.eq_ignore_ascii_case(path))
}

/// Whether two values of JSON say the same: other programs write 1 for 1.0, and fields in another order.
fn same_value(one: &Json, other: &Json) -> bool {
    match (one, other) {
        (Json::Number(a), Json::Number(b)) if a.is_f64() || b.is_f64() => {
            // Beyond this a double does not tell whole numbers apart.
            const EXACT: f64 = 9_007_199_254_740_992.0;
            let is_exact = |number: f64| number.abs() < EXACT || a.is_f64() && b.is_f64();
            let same = |(a, b): (f64, f64)| a.total_cmp(&b).is_eq() && is_exact(a);
            a.as_f64().zip(b.as_f64()).is_some_and(same)
        }
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_value(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            let same = |(key, a): (&String, &Json)| b.get(key).is_some_and(|b| same_value(a, b));
            a.len() == b.len() && a.iter().all(same)
        }
        (Json::String(a), Json::String(b)) => a == b || is_path_of(b, a),
        _ => one == other,
    }
}
