//! Bodies: properties, code, and the class's own data.

use std::collections::HashMap;

use super::{Difference, FieldDifference, Side, ue4_body};
use crate::archive::{Annotate, Archived, Record, Remap, Saver, Value};
use crate::inspect::PropertyValue;
use crate::object::script_object::ScriptObject;
use crate::object::{Body, Native};
use crate::primitive::{PackageIndex, SoftObjectPath, Visit};
use crate::property::PropertyList;

/// Bodies are written as if they stood here, so that file positions in them can be told from numbers.
const BASE: u64 = 0x4000_0000;

/// A value as bytes and records.
#[derive(Debug, Default)]
pub(super) struct Written {
    bytes: Vec<u8>,
    pub(super) records: Vec<Record>,
}

impl Written {
    fn bytes_of(&self, record: &Record) -> &[u8] {
        let range = (record.start - BASE) as usize..(record.end - BASE) as usize;
        self.bytes.get(range).unwrap_or_default()
    }

    /// What a record says: texts of names and objects, positions from their own place.
    pub(super) fn text(&self, record: &Record) -> String {
        match &record.value {
            Value::Reference { space, .. }
                if !record.meaning.is_empty() || **space != SoftObjectPath::SPACE =>
            {
                record.meaning.clone()
            }
            Value::Integer(value) => {
                let end = (BASE + self.bytes.len() as u64).into();
                let last = record.path.rsplit('.').next().unwrap_or_default();
                if matches!(last, "end" | "offset") && (BASE.into()..=end).contains(value) {
                    return "the place behind it".to_owned();
                }
                match record.meaning.as_str() {
                    "" => value.to_string(),
                    meaning => format!("{value} ({meaning})"),
                }
            }
            value => value.to_string(),
        }
    }

    /// Characters are compared as text, other spans as bytes.
    pub(super) fn characters(record: &Record) -> bool {
        record.value == Value::Span(crate::Kind::Text)
    }
}

/// Writes a value and says what its bytes are, objects by their paths.
pub(super) fn records_of<T: Archived>(side: &Side, value: &mut T) -> Written {
    let mut saver =
        Saver::new(side.package.versions.clone()).at(BASE).with_context(side.context.clone());
    let mut annotate = Annotate::new(&mut saver);
    // What can't be written is compared as far as it can.
    let _ = value.serialize(&mut annotate);
    let mut records = annotate.into_records();
    for record in &mut records {
        if let Value::Reference { space, row, .. } = record.value
            && *space == PackageIndex::SPACE
        {
            record.meaning = side.reference_text(PackageIndex::new(row));
        }
    }
    Written { bytes: saver.into_bytes(), records }
}

/// Fields that only say how the others are stored.
pub(super) fn is_storage(path: &str) -> bool {
    let last = path.rsplit('.').next().unwrap_or(path);
    matches!(last, "length" | "terminator" | "property_name")
}

/// Compares records by their paths; those of one path in their order.
pub(super) fn compare(
    old: Written,
    new: Written,
    skipped: impl Fn(&str) -> bool,
) -> (Vec<FieldDifference>, Vec<Difference>) {
    fn keys(written: &Written) -> Vec<(&str, usize)> {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let mut keys = Vec::with_capacity(written.records.len());
        for record in &written.records {
            let count = counts.entry(record.path.as_str()).or_default();
            keys.push((record.path.as_str(), *count));
            *count += 1;
        }
        keys
    }
    let (old_keys, new_keys) = (keys(&old), keys(&new));
    let found: HashMap<_, _> = new_keys.iter().enumerate().map(|(at, key)| (*key, at)).collect();
    let mut taken = vec![false; new_keys.len()];
    let (mut fields, mut data) = (Vec::new(), Vec::new());
    let wanted = |path: &str| !skipped(path) && !is_storage(path);
    for (record, key) in old.records.iter().zip(&old_keys) {
        let other = found.get(key).map(|&at| {
            taken[at] = true;
            &new.records[at]
        });
        if !wanted(&record.path) {
            continue;
        }
        let is_span = |record: &Record| matches!(record.value, Value::Span(_));
        match other {
            Some(other) if is_span(record) && is_span(other) => {
                let (a, b) = (old.bytes_of(record), new.bytes_of(other));
                if a == b {
                    continue;
                }
                if Written::characters(record) && Written::characters(other) {
                    fields.push(FieldDifference {
                        field: record.path.trim_end_matches(".characters").to_owned(),
                        old: Some(record.meaning.clone()),
                        new: Some(other.meaning.clone()),
                    });
                    continue;
                }
                let first = a.iter().zip(b).position(|(a, b)| a != b);
                data.push(Difference::Data {
                    field: record.path.clone(),
                    offset: first.unwrap_or(a.len().min(b.len())) as u64,
                    old_size: a.len() as u64,
                    new_size: b.len() as u64,
                    differing: a.iter().zip(b).filter(|(a, b)| a != b).count() as u64,
                });
            }
            other => {
                let (old, new) = (old.text(record), other.map(|other| new.text(other)));
                if new.as_ref() != Some(&old) {
                    fields.push(FieldDifference {
                        field: record.path.clone(),
                        old: Some(old),
                        new,
                    });
                }
            }
        }
    }
    for (record, _) in new.records.iter().zip(&taken).filter(|(_, taken)| !**taken) {
        if wanted(&record.path) {
            let new = Some(match Written::characters(record) {
                true => record.meaning.clone(),
                false => new.text(record),
            });
            fields.push(FieldDifference { field: record.path.clone(), old: None, new });
        }
    }
    (fields, data)
}

/// Differences of two bodies.
pub(super) fn differences(
    old: &mut Side,
    new: &mut Side,
    (before, after): (usize, usize),
) -> Vec<Difference> {
    match (common_form(old, before), common_form(new, after)) {
        (Some(a), Some(b)) if a == b => return Vec::new(),
        (Some(_), Some(_)) => {}
        // Not decoded on one side: the bytes as they stand.
        _ => return raw(old, new, (before, after)),
    }
    let (Some(mut old_body), Some(mut new_body)) = (taken(old, before), taken(new, after)) else {
        return raw(old, new, (before, after));
    };
    let mut found = ue4_body::properties(old, new, &mut old_body, &mut new_body);
    for which in [List::Properties, List::Defaults] {
        let list = |side: &Side, row: usize, body: &mut Body| {
            let list = which.take(body);
            side.package.values().listed(row, &list, &side.context)
        };
        let (a, b) = (list(old, before, &mut old_body), list(new, after, &mut new_body));
        found.extend(properties(&a, &b));
    }
    found.extend(code(old, new, &mut old_body, &mut new_body));
    let (a, b) = (records_of(old, &mut old_body), records_of(new, &mut new_body));
    let (fields, data) = compare(a, b, |_| false);
    found.extend(fields.into_iter().map(Difference::Field));
    found.extend(data);
    if old.package.versions.has_object_versions() {
        ue4_body::drop_derived(&mut found);
    }
    // Another version may have another form for the same.
    if found.is_empty() && old.package.versions.file == new.package.versions.file {
        found.push(Difference::Form);
    }
    found
}

/// A decoded body as bytes that are the same on both sides when it says the same.
fn common_form(side: &Side, row: usize) -> Option<Vec<u8>> {
    let decoded =
        side.package.bodies.decoded.get(&row).filter(|decoded| !decoded.body.is_opaque())?;
    let mut body = decoded.body.clone();
    let (name, object) = (|index| Some(side.name(index)), |index| Some(side.object(index)));
    let versions = &side.package.versions.of_bodies();
    body.serialize(&mut Remap::names_and_objects(versions.clone(), &name, &object)).ok()?;
    if !side.soft.is_empty() {
        let (mut rows, context) = (ue4_body::SoftRows(&side.soft), side.context.clone());
        body.serialize(&mut Visit::new(&mut rows, versions.clone(), context)).ok()?;
    }
    let size = side.package.body_range(row).1;
    let mut saver = Saver::new(versions.clone())
        .at(BASE)
        .with_capacity(usize::try_from(size).unwrap_or(0) + 64)
        .with_context(side.context.clone());
    body.serialize(&mut saver).ok()?;
    Some(saver.into_bytes())
}

fn taken(side: &mut Side, row: usize) -> Option<Body> {
    side.package.bodies.decoded.remove(&row).map(|decoded| decoded.body)
}

/// Bodies that are not decoded on both sides, byte by byte.
fn raw(old: &Side, new: &Side, (before, after): (usize, usize)) -> Vec<Difference> {
    let written = |side: &Side, row: usize| {
        // What is decoded may have been changed since the package was opened.
        if let Some(decoded) = side.package.bodies.decoded.get(&row) {
            let start = side.package.body_range(row).0;
            let mut body = decoded.body.clone();
            let written = side.package.written(&mut body, start, side.context.clone());
            return written.map(|(bytes, _)| bytes).unwrap_or_default();
        }
        side.package.body(row).unwrap_or_default().to_vec()
    };
    let (a, b) = (written(old, before), written(new, after));
    if a == b {
        return Vec::new();
    }
    let first = a.iter().zip(&b).position(|(a, b)| a != b);
    vec![Difference::Data {
        field: "body".to_owned(),
        offset: first.unwrap_or(a.len().min(b.len())) as u64,
        old_size: a.len() as u64,
        new_size: b.len() as u64,
        differing: a.iter().zip(&b).filter(|(a, b)| a != b).count() as u64,
    }]
}

/// The lists of properties that a body may have.
#[derive(Debug, Clone, Copy)]
enum List {
    Properties,
    Defaults,
}

impl List {
    /// Takes the properties out, so that only the rest is left to be compared.
    fn take(self, body: &mut Body) -> PropertyList {
        let list = match self {
            Self::Properties => body.properties.as_mut(),
            Self::Defaults => match &mut body.native {
                Native::Script(object) => match &mut **object {
                    ScriptObject::Class(class) => Some(&mut class.defaults),
                    ScriptObject::Struct(structure) => Some(&mut structure.defaults),
                    _ => None,
                },
                _ => None,
            },
        };
        list.map(|list| PropertyList {
            properties: std::mem::take(&mut list.properties),
            ..PropertyList::default()
        })
        .unwrap_or_default()
    }
}

fn properties(old: &[PropertyValue], new: &[PropertyValue]) -> Vec<Difference> {
    let mut counts: HashMap<(String, bool), usize> = HashMap::new();
    let mut key = |value: &PropertyValue, side: bool| {
        let path = value.path.to_ascii_lowercase();
        let count = counts.entry((path.clone(), side)).or_default();
        *count += 1;
        (path, *count)
    };
    let old: Vec<_> = old.iter().map(|value| (key(value, false), value)).collect();
    let new: Vec<_> = new.iter().map(|value| (key(value, true), value)).collect();
    let find: HashMap<_, _> = new.iter().map(|(key, value)| (key, *value)).collect();
    let there: HashMap<_, _> = old.iter().map(|(key, value)| (key, *value)).collect();
    let mut found = Vec::new();
    for (key, value) in &old {
        let other = find.get(key);
        let same = other.is_some_and(|other| {
            // Fields without tags may have the same text and another form.
            other.text == value.text && other.property_type.agrees_with(&value.property_type)
        });
        if !same {
            found.push(Difference::Property {
                property: value.path.clone(),
                old: Some(value.text.clone()),
                new: other.map(|other| other.text.clone()),
            });
        }
    }
    for (key, value) in &new {
        if !there.contains_key(key) {
            let (property, new) = (value.path.clone(), Some(value.text.clone()));
            found.push(Difference::Property { property, old: None, new });
        }
    }
    if found.is_empty() && old.iter().zip(&new).any(|((a, _), (b, _))| a != b) {
        found.push(Difference::Order);
    }
    found
}

/// Takes the code out and compares its listing.
fn code(old: &Side, new: &Side, old_body: &mut Body, new_body: &mut Body) -> Vec<Difference> {
    let lines = |side: &Side, body: &mut Body| {
        let Native::Script(object) = &mut body.native else { return Vec::new() };
        let Some(structure) = object.structure_mut() else { return Vec::new() };
        let lines =
            crate::inspect::script_lines(&side.package, &structure.script).unwrap_or_default();
        structure.script.items = Vec::new();
        (structure.script.memory_size, structure.script.disk_size) = (0, 0);
        lines
    };
    let (a, b) = (lines(old, old_body), lines(new, new_body));
    let first = a.iter().zip(&b).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[first..], &b[first..]);
    let last = a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count();
    let (a, b) = (&a[..a.len() - last], &b[..b.len() - last]);
    if a.is_empty() && b.is_empty() {
        return Vec::new();
    }
    vec![Difference::Code { line: first, old: a.to_vec(), new: b.to_vec() }]
}
