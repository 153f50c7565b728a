//! Bytes with their fields.

use std::ops::ControlFlow;

use serde_json::{Value, json};
use unreal_packages::archive::{Counter, Kind, Object, Record, RecordValue};
use unreal_packages::inspect::Explanation;
use unreal_packages::package::{Package, Section};
use unreal_packages::primitive::PackageIndex;

use crate::failure::{Failure, Result};
use crate::layout;
use crate::properties::cut;
use crate::tree::{Key, title};
use crate::typed_bytes;

/// Characters of a meaning that are sent.
const LONGEST: usize = 2_000;
/// Fields that one window has.
const MOST: usize = 20_000;

/// Ends the reading of fields.
enum Stop {
    Enough,
    Failed(unreal_packages::Error),
}

impl From<unreal_packages::Error> for Stop {
    fn from(error: unreal_packages::Error) -> Self {
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
    json!([
        record.start,
        record.end,
        record.path,
        record.type_name,
        cut(&record.value.to_string(), LONGEST),
        cut(&record.meaning, LONGEST),
        kind(&record.value)
    ])
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

/// The field at a byte.
pub(crate) fn explanation(package: &Package, at: u64) -> Result<Explanation> {
    let mut found = None;
    each(package, at..at.saturating_add(1), |explanation| {
        let is_met = (explanation.record.start..explanation.record.end).contains(&at);
        found = found.take().or(is_met.then_some(explanation));
        if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })?;
    found.ok_or_else(|| {
        Failure::new(format!("no byte {at:#x} is there"), "Choose a byte of the package.")
    })
}

/// How many fields of a body before a byte are so.
pub(crate) fn count_before(
    package: &Package,
    row: usize,
    at: u64,
    is_so: impl Fn(&Record) -> bool,
) -> usize {
    let (start, _) = package.body_range(row);
    let mut count = 0;
    // What can't be read has no fields.
    let _ = each(package, start..at.max(start), |explanation| {
        if explanation.record.start >= at {
            return ControlFlow::Break(());
        }
        count += usize::from(is_so(&explanation.record));
        ControlFlow::Continue(())
    });
    count
}

/// Everything about the field at a byte.
pub(crate) fn at(package: &Package, at: u64) -> Result<Value> {
    let explanation = explanation(package, at)?;
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
        "set": typed_bytes::card(package, &explanation),
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

/// The bytes of a property, from its name to the end of its value.
pub(crate) fn of_property(package: &Package, row: usize, path: &str) -> Result<Value> {
    let (start, size) = package.body_range(row);
    let (mut range, mut name): (Option<[u64; 2]>, _) = (None, start);
    let body = format!("bodies[{row}].");
    each(package, start..start.saturating_add(size), |explanation| {
        let record = explanation.record;
        let inner = record.path.strip_prefix(&body).unwrap_or_default();
        let is_in_it = inner
            .strip_prefix(path)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
        match &mut range {
            Some([_, end]) if is_in_it => *end = record.end,
            Some(_) => return ControlFlow::Break(()),
            // Its name stands before its tag.
            None if is_in_it && !inner.contains(".tag") => range = Some([record.start, record.end]),
            None if is_in_it => range = Some([name, record.end]),
            None => name = record.start,
        }
        ControlFlow::Continue(())
    })?;
    match range {
        Some(range) => Ok(json!({ "range": range })),
        None => Err(Failure::new(
            format!("no bytes of {path} are known"),
            "Choose the object itself: its bytes are marked.",
        )),
    }
}

/// The place in the tree that a field of a table belongs to.
fn key_of(section: Section, path: &str) -> Option<String> {
    let row = || -> Option<usize> { path.split_once('[')?.1.split_once(']')?.0.parse().ok() };
    Some(
        match section {
            Section::Summary => Key::Header,
            Section::Names => Key::Name(row()?),
            Section::Imports => Key::Import(row()?),
            Section::Exports => Key::Export(row()?),
            Section::Gap(_) | Section::ThumbnailImage(_) => return None,
            section => Key::Table(section),
        }
        .to_string(),
    )
}

/// What a reference refers to.
fn refers(package: &Package, value: &RecordValue) -> Option<Value> {
    let RecordValue::Reference { space, row, .. } = value else { return None };
    if **space == PackageIndex::SPACE {
        let index = PackageIndex::new(*row);
        return Key::of(index)
            .map(|key| json!({ "link": key.to_string(), "text": package.path(index) }));
    }
    let row = usize::try_from(*row).ok()?;
    let is_name = **space == unreal_packages::Name::SPACE;
    let text = package.names().get(row).filter(|_| is_name)?;
    Some(json!({ "link": Key::Name(row).to_string(), "text": text }))
}

/// Where an offset leads.
fn jump(package: &Package, path: &str, value: &RecordValue) -> Option<u64> {
    let RecordValue::Integer(number) = value else { return None };
    let last = path.rsplit('.').next().unwrap_or_default();
    let is_offset = last.contains("offset") || last.contains("position") || last == "end";
    let target =
        u64::try_from(*number).ok().filter(|at| *at > 0 && *at < package.source().len() as u64)?;
    is_offset.then_some(target)
}

/// The bytes of one row of a table: where the rows before it end, as they are counted.
pub(crate) fn place(package: &Package, section: Section, row: usize) -> Option<[u64; 2]> {
    let table = package.sections().into_iter().find(|place| place.section == section)?;
    let mut counter =
        Counter::new(package.versions().clone()).with_context(package.context()).at(table.start);
    let mut range = None;
    let mut count = |at: usize, value: &mut dyn Object| {
        let start = table.start + counter.length();
        let _ = value.serialize_dyn(&mut counter);
        if at == row {
            range = Some([start, table.start + counter.length()]);
        }
    };
    match section {
        Section::Names => {
            let rows = package.names().entries().iter().enumerate();
            rows.for_each(|(at, entry)| count(at, &mut entry.clone()));
        }
        Section::Imports => {
            let rows = package.imports().entries().iter().enumerate();
            rows.for_each(|(at, entry)| count(at, &mut entry.clone()));
        }
        Section::Exports => {
            let rows = package.exports().entries().iter().enumerate();
            rows.for_each(|(at, entry)| count(at, &mut entry.clone()));
        }
        _ => return None,
    }
    // A table that holds more than its rows is not taken apart.
    range.filter(|_| counter.length() == table.size)
}
