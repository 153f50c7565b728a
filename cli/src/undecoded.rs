//! Bytes of bodies that are not decoded, with the reason, for people and programs.

use std::collections::HashMap;

use serde::Serialize;
use unreal_packages::inspect::OpaquePart;
use unreal_packages::package::Package;

use crate::output::{count, grouped};

/// Bytes of a body that could not be decoded.
#[derive(Debug, Serialize)]
pub struct NotDecoded {
    /// Row of the export table.
    pub row: usize,
    /// The object.
    pub path: String,
    /// Its class.
    pub class: String,
    /// The field that has the bytes; `body` where that is all of it.
    pub field: String,
    /// The first of them, from the start of the package.
    pub start: u64,
    /// How many.
    pub bytes: u64,
    /// Why: what was expected in their place.
    pub reason: String,
}

/// The parts of a package's bodies, by row and place.
pub fn listed(package: &Package, mut parts: Vec<OpaquePart>) -> Vec<NotDecoded> {
    parts.sort_by_key(|part| (part.row, part.start));
    let one = |part: OpaquePart| {
        let export = package.exports().get(part.row)?;
        let OpaquePart { row, field, start, size: bytes, reason } = part;
        let (path, class) = (export.path(), last_name(&export.class()));
        Some(NotDecoded { row, path, class, field, start, bytes, reason })
    };
    parts.into_iter().filter_map(one).collect()
}

/// One line for each field of a class: the first place, what was expected there, and how many more there are.
pub fn lines(parts: &[NotDecoded]) -> Vec<String> {
    let mut places = HashMap::new();
    let mut groups: Vec<(&NotDecoded, u64, u64)> = Vec::new();
    for part in parts {
        let key = (part.class.as_str(), without_numbers(&part.field));
        let place = *places.entry(key).or_insert(groups.len());
        match groups.get_mut(place) {
            Some((_, more, bytes)) => (*more, *bytes) = (*more + 1, *bytes + part.bytes),
            None => groups.push((part, 0, 0)),
        }
    }
    let line = |(part, more, bytes): (&NotDecoded, u64, u64)| {
        let NotDecoded { row, path, class, field, start, reason, .. } = part;
        let size = grouped(part.bytes);
        let more = match more {
            0 => String::new(),
            _ => {
                format!(" (and {} like it, {} bytes)", count(more, "more", "more"), grouped(bytes))
            }
        };
        format!("#{row} {path} ({class}): {field} at {start:#x}, {size} bytes: {reason}{more}")
    };
    groups.into_iter().map(line).collect()
}

/// A path whose elements are all the same.
fn without_numbers(path: &str) -> String {
    path.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

/// The name in a path.
pub fn last_name(path: &str) -> String {
    path.rsplit('.').next().unwrap_or(path).to_owned()
}
