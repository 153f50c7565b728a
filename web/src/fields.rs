//! Bytes with their fields.

use std::ops::ControlFlow;

use farchive::archive::{Kind, RecordValue};
use farchive::inspect::Explanation;
use farchive::package::{Package, Section};
use farchive::primitive::PackageIndex;
use serde_json::{Value, json};

use crate::failure::{Failure, Result};
use crate::layout;
use crate::properties::cut;
use crate::tree::{Key, title};

/// Characters of a meaning that are sent.
const LONGEST: usize = 2_000;
/// Fields that one window has.
const MOST: usize = 20_000;

/// Ends the reading of fields.
enum Stop {
    Enough,
    Failed(farchive::Error),
}

impl From<farchive::Error> for Stop {
    fn from(error: farchive::Error) -> Self {
        Self::Failed(error)
    }
}

fn each(
    package: &Package,
    range: std::ops::Range<u64>,
    mut take: impl FnMut(Explanation) -> ControlFlow<()>,
) -> Result<()> {
    let done = Explanation::each(package, range, &mut |explanation| match take(explanation) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Stop::Enough),
    });
    match done {
        Ok(()) | Err(Stop::Enough) => Ok(()),
        Err(Stop::Failed(error)) => Err(error.into()),
    }
}

fn kind(value: &RecordValue) -> &'static str {
    match value {
        RecordValue::Span(Kind::Text) => "text",
        RecordValue::Span(Kind::Payload) => "payload",
        RecordValue::Span(Kind::Opaque) => "opaque",
        RecordValue::Span(Kind::Gap) => "gap",
        _ => "typed",
    }
}

fn one(explanation: &Explanation) -> Value {
    let record = &explanation.record;
    json!([record.start, record.end, record.path, record.type_name, cut(&record.value.to_string(), LONGEST),
           cut(&record.meaning, LONGEST), kind(&record.value)])
}

/// The fields of some bytes, each as [start, end, path, type, value, meaning, kind].
pub(crate) fn window(package: &Package, from: u64, length: u64) -> Result<Value> {
    let end = from.saturating_add(length).min(package.source().len() as u64);
    let mut found = Vec::new();
    each(package, from..end.max(from), |explanation| {
        found.push(one(&explanation));
        if found.len() < MOST { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    Ok(json!({ "from": from, "to": end, "fields": found }))
}

/// Everything about the field at a byte.
pub(crate) fn at(package: &Package, at: u64) -> Result<Value> {
    let mut found = None;
    each(package, at..at + 1, |explanation| {
        let is_met = (explanation.record.start..explanation.record.end).contains(&at);
        found = found.take().or(is_met.then_some(explanation));
        if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    let Some(explanation) = found else {
        return Err(Failure::new(format!("no byte {at:#x} is there"), "Choose a byte of the package."));
    };
    let record = &explanation.record;
    let (place, object) = match explanation.section {
        Section::Body(row) => {
            let row = row as usize;
            (package.exports().path(row), Some(Key::Export(row).to_string()))
        }
        section => (title(&section.to_string()), key_of(section, &record.path)),
    };
    let mut value = json!({
        "field": one(&explanation),
        "place": place,
        "object": object,
        "refers": refers(package, &record.value),
        "jump": jump(package, &record.path, &record.value),
        "layout": Value::Null,
    });
    let class = match explanation.section {
        Section::Body(row) => package.exports().get(row as usize).map(|export| export.class()),
        _ => None,
    };
    if let Some(found) = layout::field(&record.path, class.as_deref()) {
        value["layout"] = found;
    }
    Ok(value)
}

/// The place in the tree that a field of a table belongs to.
fn key_of(section: Section, path: &str) -> Option<String> {
    let row = || -> Option<usize> { path.split_once('[')?.1.split_once(']')?.0.parse().ok() };
    Some(match section {
        Section::Summary => Key::Header,
        Section::Names => Key::Name(row()?),
        Section::Imports => Key::Import(row()?),
        Section::Exports => Key::Export(row()?),
        Section::Gap(_) | Section::ThumbnailImage(_) => return None,
        section => Key::Table(section),
    }.to_string())
}

/// What a reference refers to.
fn refers(package: &Package, value: &RecordValue) -> Option<Value> {
    let RecordValue::Reference { space, row, .. } = value else { return None };
    if **space == PackageIndex::SPACE {
        let index = PackageIndex::new(*row);
        return Key::of(index).map(|key| json!({ "link": key.to_string(), "text": package.path(index) }));
    }
    let row = usize::try_from(*row).ok()?;
    let is_name = **space == farchive::Name::SPACE;
    let text = package.names().get(row).filter(|_| is_name)?;
    Some(json!({ "link": Key::Name(row).to_string(), "text": text }))
}

/// Where an offset leads.
fn jump(package: &Package, path: &str, value: &RecordValue) -> Option<u64> {
    let RecordValue::Integer(number) = value else { return None };
    let last = path.rsplit('.').next().unwrap_or_default();
    let is_offset = last.contains("offset") || last.contains("position") || last == "end";
    let target = u64::try_from(*number).ok().filter(|at| *at > 0 && *at < package.source().len() as u64)?;
    is_offset.then_some(target)
}

/// The bytes of one row of a table; none where it is not found quickly.
pub(crate) fn place(package: &Package, section: Section, row: usize) -> Option<[u64; 2]> {
    let table = package.sections().into_iter().find(|place| place.section == section)?;
    let count = match section {
        Section::Names => package.names().len(),
        Section::Imports => package.imports().len(),
        _ => package.exports().len(),
    };
    let row_at = |at: u64| -> Option<(usize, u64, u64)> {
        let mut found = None;
        each(package, at..at + 1, |it| {
            let path = &it.record.path;
            let row = path.split_once('[').and_then(|(_, rest)| rest.split_once(']')?.0.parse().ok());
            found = row.map(|row: usize| (row, it.record.start, it.record.end));
            ControlFlow::Break(())
        })
        .ok()?;
        found
    };
    let (mut low, mut high) = (table.start, table.end());
    let (mut low_row, mut high_row) = (0_usize, count);
    // Rows have about the same size: a guess between what is known comes near.
    for _ in 0..40 {
        if low >= high {
            return None;
        }
        let rows = (high_row.saturating_sub(low_row)).max(1) as u128;
        let share = (row.saturating_sub(low_row)) as u128 * 2 + 1;
        let guess = low + (u128::from(high - low) * share / (rows * 2)) as u64;
        let (found, start, end) = row_at(guess.clamp(low, high - 1))?;
        match found.cmp(&row) {
            std::cmp::Ordering::Less => (low, low_row) = (end, found),
            std::cmp::Ordering::Greater => (high, high_row) = (start, found),
            std::cmp::Ordering::Equal => {
                let (mut first, mut last) = (start, end);
                while let Some((found, start, _)) = first.checked_sub(1).filter(|at| *at >= table.start).and_then(row_at)
                    && found == row
                {
                    first = start;
                }
                while last < table.end()
                    && let Some((found, _, end)) = row_at(last)
                    && found == row
                {
                    last = end;
                }
                return Some([first, last]);
            }
        }
    }
    None
}
