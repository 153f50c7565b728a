//! How many bytes each object has.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use unreal_packages::inspect::{ObjectBytes, object_bytes};
use unreal_packages::package::{Package, Section};

use crate::tree::title;

/// Objects that are sent: the largest.
const MOST_OBJECTS: usize = 5_000;

/// Kinds of bytes as the page numbers them.
const TYPED: u8 = 0;
const PAYLOAD: u8 = 1;
const GAP: u8 = 3;

/// The largest objects with their bytes by kind, classes by their place in one list; the tables; the rest as a sum.
pub(crate) fn of(package: &Package) -> Value {
    let mut all = object_bytes(package);
    all.sort_by_key(|bytes| (std::cmp::Reverse(bytes.total()), bytes.row));
    let rest = all.split_off(all.len().min(MOST_OBJECTS));
    let class_of =
        |row| package.exports().get(row).map(|export| export.class()).unwrap_or_default();
    let of_each: Vec<String> = all.iter().map(|bytes| class_of(bytes.row)).collect();
    let mut classes = of_each.clone();
    classes.sort();
    classes.dedup();
    let objects = all.iter().zip(&of_each).map(|(bytes, class)| {
        let class = classes.binary_search(class).unwrap_or_default();
        json!([bytes.row, class, bytes.typed, bytes.payload, bytes.opaque])
    });
    let objects: Vec<_> = objects.collect();
    let names: Vec<_> = all
        .iter()
        .map(|bytes| package.exports().get(bytes.row).map(|export| export.name()))
        .collect();
    let mut sections = BTreeMap::<(String, u8), u64>::new();
    for place in package.sections() {
        if let Section::Body(_) = place.section {
            continue;
        }
        let name = match place.section {
            Section::ThumbnailImage(_) => ("Pictures of thumbnails".to_owned(), PAYLOAD),
            Section::Gap(_) => ("Gaps".to_owned(), GAP),
            Section::BulkData => ("Bulk data".to_owned(), PAYLOAD),
            section => (title(&section.to_string()), TYPED),
        };
        *sections.entry(name).or_default() += place.end().saturating_sub(place.start);
    }
    sections.retain(|_, bytes| *bytes > 0);
    let sections: Vec<_> =
        sections.into_iter().map(|((name, kind), bytes)| json!([name, bytes, kind])).collect();
    let sum = |part: fn(&ObjectBytes) -> u64| rest.iter().map(part).fold(0, u64::saturating_add);
    let parts = [sum(|one| one.typed), sum(|one| one.payload), sum(|one| one.opaque), 0];
    json!({ "classes": classes, "objects": objects, "names": names, "sections": sections,
            "more": { "objects": rest.len(), "bytes": sum(ObjectBytes::total), "parts": parts } })
}
