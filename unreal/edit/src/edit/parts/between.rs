//! The parts in which two packages differ.

use std::collections::{BTreeSet, HashMap};

use serde_json::Value;

use super::document::{
    APART, HEAD, MEANINGS, POSITIONS, PackageDocument, STORED, has_opaque, is_pinned, rows_hash,
    without_place,
};
use super::part::{DocumentPart, PartHash, PartPlace};
use crate::compare::sequence::hunks;
use crate::error::{Error, Result, UnrealErrors};
use crate::package::Package;

/// The parts that make the new package of the old one: keys of the header first, then the objects; those of the rows
/// `others` of the old package are left out, since other lines say what has changed in them. Put in place by
/// [`Edit::put_parts`](super::super::Edit::put_parts).
///
/// # Errors
/// `Invalid` where they are of two versions, `Refused` with the objects whose bodies are not decoded and hold file
/// positions; as [`Package::to_json`].
pub fn parts_between(
    old: &Package,
    new: &Package,
    others: &BTreeSet<usize>,
) -> Result<Vec<DocumentPart>> {
    let (before, after) = (PackageDocument::of(old)?, PackageDocument::of(new)?);
    let differs = |key: &&str| before.keys.get(*key) != after.keys.get(*key);
    let versions = |document: &PackageDocument| {
        document.keys.get("summary").and_then(|summary| summary.get("versions")).cloned()
    };
    if HEAD.iter().any(differs) || versions(&before) != versions(&after) {
        return Err(Error::invalid("one is of another version, game or release than the other"));
    }
    let mut parts = Vec::new();
    let mut keys: Vec<&String> = before.keys.keys().collect();
    keys.extend(after.keys.keys().filter(|key| !before.keys.contains_key(*key)));
    for key in keys {
        if !APART.contains(&key.as_str()) && differs(&key.as_str()) {
            add_key(key, before.keys.get(key), after.keys.get(key), &mut parts);
        }
    }
    for key in MEANINGS {
        let said = |document: &PackageDocument| document.keys.get(STORED)?.get(key).cloned();
        let (was, value) = (said(&before), said(&after));
        if was != value {
            let place = PartPlace::Key(format!("{STORED}.{key}"));
            parts.push(DocumentPart {
                place,
                was: was.as_ref().map(PartHash::of),
                value,
                rows: None,
            });
        }
    }
    let mut objects = objects_between((old, &before), (new, &after), others)?;
    if objects.iter().any(|part| part.value.as_ref().is_some_and(has_opaque)) {
        let rows = Some(rows_hash(new));
        let parts = parts.iter_mut().chain(&mut objects);
        let parts = parts.filter(|part| part.value.as_ref().is_some_and(has_opaque));
        parts.for_each(|part| part.rows = rows);
    }
    parts.extend(objects);
    Ok(parts)
}

/// The parts of one key: of a list its rows, of an object its keys.
fn add_key(key: &str, old: Option<&Value>, new: Option<&Value>, parts: &mut Vec<DocumentPart>) {
    let part = |place: PartPlace, was: Option<&Value>, value: Option<&Value>| {
        let (was, value) = (was.map(PartHash::of), value.cloned());
        DocumentPart { place, was, value, rows: None }
    };
    match (old, new) {
        (Some(Value::Array(old)), Some(Value::Array(new))) => {
            for hunk in hunks(old, new) {
                let (key, row, count) = (key.to_owned(), hunk.old.start, hunk.old.len());
                let value = Some(Value::Array(new[hunk.new].to_vec()));
                let was = Value::Array(old[hunk.old].to_vec());
                let was = (count > 0).then(|| PartHash::of(&was));
                let place = PartPlace::Rows { key, row, count };
                parts.push(DocumentPart { place, was, value, rows: None });
            }
        }
        (Some(Value::Object(old)), Some(Value::Object(new))) => {
            let mut keys: Vec<&String> = old.keys().collect();
            keys.extend(new.keys().filter(|key| !old.contains_key(*key)));
            for inner in keys.into_iter().filter(|inner| old.get(*inner) != new.get(*inner)) {
                let place = format!("{key}.{inner}");
                if !POSITIONS.contains(&place.as_str()) {
                    parts.push(part(PartPlace::Key(place), old.get(inner), new.get(inner)));
                }
            }
        }
        (old, new) => parts.push(part(PartPlace::Key(key.to_owned()), old, new)),
    }
}

/// Rows by their paths, those of one path in their order.
fn rows_by_path(package: &Package) -> HashMap<String, Vec<usize>> {
    let mut rows: HashMap<String, Vec<usize>> = HashMap::new();
    for row in 0..package.export_count() {
        rows.entry(package.exports().path(row).to_ascii_lowercase()).or_default().push(row);
    }
    rows
}

fn objects_between(
    (old, before): (&Package, &PackageDocument),
    (new, after): (&Package, &PackageDocument),
    others: &BTreeSet<usize>,
) -> Result<Vec<DocumentPart>> {
    let (old_rows, mut new_rows) = (rows_by_path(old), rows_by_path(new));
    let mut pairs: Vec<(Option<usize>, Option<usize>)> = Vec::new();
    for (path, rows) in &old_rows {
        let mut there = new_rows.remove(path).unwrap_or_default().into_iter();
        pairs.extend(rows.iter().map(|&row| (Some(row), there.next())));
        pairs.extend(there.map(|row| (None, Some(row))));
    }
    pairs.extend(new_rows.into_values().flatten().map(|row| (None, Some(row))));
    // What goes first, then what changes, then what comes, in the order of the new rows.
    pairs.sort_by_key(|&(old, new)| (new.is_some(), old.is_none(), new, old));
    let (mut parts, mut pinned) = (Vec::new(), Vec::new());
    for (before_row, after_row) in pairs {
        let place_of = |row: usize| {
            let path = old.exports().path(row);
            let is_one = old_rows.get(&path.to_ascii_lowercase()).is_some_and(|it| it.len() == 1);
            if is_one && !path.starts_with('#') { path } else { format!("#{row}") }
        };
        let was = before_row.and_then(|row| before.exports.get(row)).map(without_place);
        let value = after_row.and_then(|row| after.exports.get(row)).map(without_place);
        if was == value
            || before_row.is_some_and(|row| after_row.is_some() && others.contains(&row))
        {
            continue;
        }
        if let Some(row) = after_row
            && value.as_ref().is_some_and(is_pinned)
        {
            pinned.push(new.exports().path(row));
        }
        let path = match (before_row, after_row) {
            (Some(row), _) => place_of(row),
            (None, row) => row.map(|row| new.exports().path(row)).unwrap_or_default(),
        };
        let row = after_row.filter(|_| before_row.is_none());
        let place = PartPlace::Object { path, row };
        parts.push(DocumentPart { place, was: was.as_ref().map(PartHash::of), value, rows: None });
    }
    match pinned.is_empty() {
        true => Ok(parts),
        false => {
            let reason = "bytes of them are not decoded and seem to hold file positions";
            Err(Error::positions_at_risk(reason, pinned))
        }
    }
}
