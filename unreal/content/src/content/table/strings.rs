//! Other texts for string tables.

use std::collections::{HashMap, HashSet};

use super::plan::TablePlan;
use crate::content::values::typed_mut;
use crate::edit::Edit;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::object::ue4::table::string_table::StringTable;
use crate::primitive::{FString, Map, Name};

/// The column of texts; others are meta data.
const TEXT: &str = "SourceString";

/// The meta data of a text.
type KeyMetaData = Map<Name, FString>;

/// Gives a string table the texts of a plan.
pub(super) fn replace_strings(
    edit: &mut Edit,
    row: usize,
    table: &StringTable,
    plan: &TablePlan,
    namespace: Option<&str>,
) -> Result<()> {
    let source = edit.source_bytes();
    let text_of = |text: &FString| Ok::<_, Error>(text.text(&source)?.into_owned());
    let mut keys = HashSet::new();
    let mut entries = Vec::with_capacity(plan.rows.len());
    let mut meta_data = table.meta_data.0.clone();
    let mut places = HashMap::with_capacity(meta_data.len());
    for (at, (key, _)) in meta_data.iter().enumerate() {
        places.entry(text_of(key)?).or_insert(at);
    }
    // Places whose meta data change: those that lose their last go.
    let mut touched = HashSet::new();
    for row in &plan.rows {
        if !keys.insert(row.name.clone()) {
            return Err(ErrorKind::Exists { what: noun::KEY, name: row.name.clone() }.into());
        }
        let stored = row.from.and_then(|at| table.entries.0.get(at));
        let (key, mut text) = match stored {
            Some((key, text)) => (key.clone(), text.clone()),
            None => (edit.string(&row.name), FString::default()),
        };
        for (at, cell) in &row.cells {
            let Some(column) = plan.columns.get(*at) else { continue };
            if column.name.eq_ignore_ascii_case(TEXT) {
                text = edit.string(cell.as_deref().unwrap_or_default());
                continue;
            }
            let cell = cell.as_deref().filter(|cell| !cell.is_empty());
            let name = edit.needed_name(&column.name)?;
            let at = match (places.get(&row.name).copied(), cell) {
                (Some(at), _) => at,
                (None, None) => continue,
                (None, Some(_)) => {
                    meta_data.push((key.clone(), Map(Vec::new())));
                    places.insert(row.name.clone(), meta_data.len() - 1);
                    meta_data.len() - 1
                }
            };
            if let Some((_, data)) = meta_data.get_mut(at) {
                set_meta(data, name, cell.map(|cell| edit.string(cell)));
                touched.insert(at);
            }
        }
        entries.push((key, text));
    }
    let before = table.entries.0.iter().map(|(key, _)| text_of(key));
    let before = before.collect::<Result<HashSet<_>>>()?;
    let mut kept = Vec::with_capacity(meta_data.len());
    for (at, (key, data)) in meta_data.into_iter().enumerate() {
        if data.0.is_empty() && touched.contains(&at) {
            continue;
        }
        // Those of keys that are not there are the file's own.
        let named = text_of(&key)?;
        if keys.contains(&named) || !before.contains(&named) {
            kept.push((key, data));
        }
    }
    let namespace = namespace.map(|text| edit.string(text)).filter(|_| plan.change.namespace);
    edit.change_body(row, |body| {
        let table = typed_mut::<StringTable>(body)?;
        table.entries.0 = entries;
        table.meta_data.0 = kept;
        if let Some(namespace) = namespace {
            table.namespace = namespace;
        }
        Ok(())
    })
}

fn set_meta(data: &mut KeyMetaData, name: Name, value: Option<FString>) {
    let place = data.0.iter().position(|(known, _)| *known == name);
    match (place, value) {
        (Some(place), Some(value)) => data.0[place].1 = value,
        (Some(place), None) => drop(data.0.remove(place)),
        (None, Some(value)) => data.0.push((name, value)),
        (None, None) => {}
    }
}
