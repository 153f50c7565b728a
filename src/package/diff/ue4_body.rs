//! Properties of UE4 and UE5.

use std::collections::HashMap;

use super::body::{Written, compare, is_storage, records_of};
use super::{Difference, Side};
use crate::error::PathStep;
use crate::object::Body;
use crate::object::Properties;
use crate::primitive::Visitor;
use crate::property::{Property, Value};

/// Values that a message shows of something that only one side has.
const SHOWN: usize = 8;

/// Gives the rows of the list of soft paths the numbers that both sides share.
pub(super) struct SoftRows<'a>(pub &'a [i32]);

impl Visitor for SoftRows<'_> {
    fn soft_row(&mut self, row: &mut i32, _: &[PathStep]) {
        if let Some(number) = usize::try_from(*row).ok().and_then(|row| self.0.get(row)) {
            *row = *number;
        }
    }
}

/// One property of an object.
struct Item {
    key: String,
    kind: String,
    written: Written,
    /// What has no bytes of its own.
    plain: Option<String>,
}

impl Item {
    fn new(side: &Side, key: String, kind: String, value: Option<Value>) -> Self {
        let plain = match &value {
            None => Some("0".to_owned()),
            Some(Value::Bool(flag)) => Some(flag.to_string()),
            _ => None,
        };
        let written = value.map(|mut value| records_of(side, &mut value)).unwrap_or_default();
        Self { key, kind, written, plain }
    }

    /// All of it, as far as a line bears.
    fn text(&self) -> String {
        if let Some(plain) = &self.plain {
            return plain.clone();
        }
        let shown = |record: &crate::archive::Record| match Written::characters(record) {
            true => record.meaning.clone(),
            false => self.written.text(record),
        };
        let records: Vec<_> =
            self.written.records.iter().filter(|record| !is_noise(&record.path)).collect();
        match records[..] {
            [] => "empty".to_owned(),
            [only] => shown(only),
            _ => {
                let fields = records.iter().take(SHOWN).map(|record| match record.path.as_str() {
                    "" => shown(record),
                    path => format!("{path}={}", shown(record)),
                });
                let more = if records.len() > SHOWN { ", …" } else { "" };
                format!("({}{more})", fields.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

fn is_noise(path: &str) -> bool {
    is_storage(path) || path.contains("tag.") || is_derived(path)
}

/// The properties of a body, which are taken out of it.
fn items(side: &Side, body: &mut Body) -> Vec<Item> {
    let Some(prologue) = &mut body.prologue else { return Vec::new() };
    let key = |name: String, index: i64| match index {
        0 => name,
        index => format!("{name}[{index}]"),
    };
    match std::mem::take(&mut prologue.properties) {
        Properties::Tagged(list) => list
            .properties
            .into_iter()
            .map(|property| {
                let name = side.package.name_text(property.name());
                let key = key(name, property.array_index().into());
                Item::new(side, key, kind_of(side, &property), Some(property.value().clone()))
            })
            .collect(),
        Properties::Unversioned(list) => list
            .properties
            .into_iter()
            .map(|property| {
                let key = key(property.name().to_owned(), property.array_index().into());
                Item::new(side, key, String::new(), property.value)
            })
            .collect(),
    }
}

/// The type that a tag states.
fn kind_of(side: &Side, property: &Property) -> String {
    let name = |name| side.package.name_text(name);
    let (inner, value) = property.inner_types();
    let parts = [property.struct_name(), property.enum_name(), inner, value];
    let nodes = property.type_nodes().iter().map(|node| node.name);
    let parts = parts.into_iter().flatten().chain(nodes).map(name);
    let guid = property.guid().map(|guid| guid.to_string());
    let extensions = property.extensions().map(|extensions| format!("{extensions:?}"));
    let further = guid.into_iter().chain(extensions);
    let all = std::iter::once(name(property.type_name())).chain(parts).chain(further);
    all.collect::<Vec<_>>().join(" ")
}

/// Properties that differ; both bodies are left without them.
pub(super) fn properties(
    old: &Side,
    new: &Side,
    old_body: &mut Body,
    new_body: &mut Body,
) -> Vec<Difference> {
    let (before, after) = (items(old, old_body), items(new, new_body));
    let order = |items: &[Item]| items.iter().map(|item| item.key.clone()).collect::<Vec<_>>();
    let orders = (order(&before), order(&after));
    let mut left: HashMap<String, Vec<Item>> = HashMap::new();
    for item in after.into_iter().rev() {
        left.entry(item.key.to_ascii_lowercase()).or_default().push(item);
    }
    let mut found = Vec::new();
    for item in before {
        let other = left.get_mut(&item.key.to_ascii_lowercase()).and_then(Vec::pop);
        let Some(other) = other else {
            let (property, old) = (item.key.clone(), Some(item.text()));
            found.push(Difference::Property { property, old, new: None });
            continue;
        };
        compare_items(item, other, &mut found);
    }
    let mut added: Vec<Item> = left.into_values().flatten().collect();
    added.sort_by(|a, b| a.key.cmp(&b.key));
    for item in added {
        let (property, new) = (item.key.clone(), Some(item.text()));
        found.push(Difference::Property { property, old: None, new });
    }
    if found.is_empty() && orders.0 != orders.1 {
        found.push(Difference::Order);
    }
    found
}

fn compare_items(old: Item, new: Item, found: &mut Vec<Difference>) {
    if old.kind != new.kind || old.plain != new.plain {
        let text = |item: &Item| match old.kind == new.kind {
            true => item.text(),
            false => format!("{} ({})", item.text(), item.kind),
        };
        let (property, old, new) = (new.key.clone(), Some(text(&old)), Some(text(&new)));
        found.push(Difference::Property { property, old, new });
        return;
    }
    let key = new.key;
    let place = |path: &str| match path {
        "" => key.clone(),
        path if path.starts_with('[') => format!("{key}{path}"),
        path => format!("{key}.{path}"),
    };
    let skipped = |path: &str| path.ends_with("tag.size");
    let (fields, data) = compare(old.written, new.written, skipped);
    found.extend(fields.into_iter().map(|field| Difference::Property {
        property: place(&field.field),
        old: field.old,
        new: field.new,
    }));
    found.extend(data.into_iter().map(|data| match data {
        Difference::Data { field, offset, old_size, new_size, differing } => {
            Difference::Data { field: place(&field), offset, old_size, new_size, differing }
        }
        other => other,
    }));
}

/// Fields that say how much follows, or where.
fn is_derived(path: &str) -> bool {
    let last = path.rsplit('.').next().unwrap_or(path);
    matches!(last, "count" | "size" | "disk_size" | "memory_size" | "offset_in_file" | "end")
}

/// Sizes, counts and places go where something else tells the difference.
pub(super) fn drop_derived(found: &mut Vec<Difference>) {
    let derived = |difference: &Difference| match difference {
        Difference::Property { property, old: Some(_), new: Some(_) } => is_derived(property),
        Difference::Field(field) => is_derived(&field.field),
        _ => false,
    };
    if found.iter().any(|difference| !derived(difference)) {
        found.retain(|difference| !derived(difference));
    }
}
