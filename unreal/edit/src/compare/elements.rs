//! Elements of arrays: which are others, which came, which went.

use super::body::same_versions;
use super::properties::placed;
use super::records::{BASE, compare, records_of};
use super::sequence::hunks;
use super::text_hash::TextHasher;
use super::{Difference, Side};
use crate::archive::{Archived, Saver};
use crate::inspect::PackageValues;
use crate::property::{Elements, Value};
use crate::version::UnrealVersions;

/// The elements of an array; bytes are compared as bytes.
pub(super) fn elements_of(value: &Value) -> Option<&Elements> {
    match value {
        Value::Array(Elements::Bytes(_)) => None,
        Value::Array(elements) => Some(elements),
        Value::StructArray(structs) => Some(&structs.elements),
        _ => None,
    }
}

/// The hash of what an element says, the same on both sides.
fn hash_of(side: &Side<'_>, value: &Value, hasher: &TextHasher) -> Option<u128> {
    form_of(side, value).map(|bytes| hasher.of_bytes(&bytes))
}

/// A value as bytes that are the same on both sides when it says the same.
pub(super) fn form_of(side: &Side<'_>, value: &Value) -> Option<Vec<u8>> {
    let mut value = value.clone();
    side.renumber(&mut value, None)?;
    let versions = side.package.versions().of_bodies();
    let mut saver = Saver::new(versions).at(BASE).with_context(side.context.clone());
    value.serialize(&mut saver).ok()?;
    Some(saver.into_bytes())
}

/// The differences of two arrays, element by element. False where they are to be compared in another way: no
/// arrays, other versions, or as many elements on both sides of which most stand at the same places.
pub(super) fn differences(
    (old_side, old): (&Side<'_>, &Value),
    (new_side, new): (&Side<'_>, &Value),
    property: &str,
    found: &mut Vec<Difference>,
) -> bool {
    let (Some(before), Some(after)) = (elements_of(old), elements_of(new)) else { return false };
    if !same_versions(old_side, new_side) {
        return false;
    }
    let values =
        |side: &Side<'_>, elements: &Elements| elements.to_values(side.package.source()).ok();
    let (Some(before), Some(after)) = (values(old_side, before), values(new_side, after)) else {
        return false;
    };
    let hasher = TextHasher::default();
    let hashes = |side: &Side<'_>, values: &[Value]| -> Option<Vec<u128>> {
        values.iter().map(|value| hash_of(side, value, &hasher)).collect()
    };
    let (Some(old_hashes), Some(new_hashes)) =
        (hashes(old_side, &before), hashes(new_side, &after))
    else {
        return false;
    };
    let hunks = hunks(&old_hashes, &new_hashes);
    if before.len() == after.len() {
        let moved = hunks.iter().map(|hunk| hunk.old.len().max(hunk.new.len())).sum::<usize>();
        let others = old_hashes.iter().zip(&new_hashes).filter(|(old, new)| old != new).count();
        if others <= moved {
            return false;
        }
    }
    for hunk in hunks {
        let shared = hunk.old.len().min(hunk.new.len());
        for (old, new) in hunk.old.clone().zip(hunk.new.clone()) {
            let records = |side: &Side<'_>, values: &[Value], at: usize| {
                values.get(at).map(|value| records_of(side, &mut value.clone())).unwrap_or_default()
            };
            let sides = (records(old_side, &before, old), records(new_side, &after, new));
            let (fields, data) = compare(&sides.0, &sides.1, |_| false);
            placed(&format!("{property}[{new}]"), fields, data, found);
        }
        let shown = |side: &Side<'_>, values: &[Value], at: usize| {
            values.get(at).map(|value| side.package.values().shown(value, &side.context))
        };
        found.extend(hunk.old.skip(shared).map(|at| Difference::Element {
            property: format!("{property}[{at}]"),
            old: shown(old_side, &before, at),
            new: None,
        }));
        found.extend(hunk.new.skip(shared).map(|at| Difference::Element {
            property: format!("{property}[{at}]"),
            old: None,
            new: shown(new_side, &after, at),
        }));
    }
    true
}
