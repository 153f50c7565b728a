//! Objects that have another name or lie elsewhere, and otherwise say the same.

use std::collections::{HashMap, HashSet};

use super::body::{common_form, neutral_form};
use super::difference::RenamedObject;
use super::pair::ObjectPairs;
use super::text_hash::TextHasher;
use super::{Difference, Side};
use crate::inspect::{ReferenceTexts, package_path};
use crate::package::PathMap;
use crate::primitive::PackageIndex;

/// How deep objects lie in ones that are renamed.
const DEEPEST: usize = 64;
/// Renamed objects whose old paths are followed in texts; it bounds time.
const FOLLOWED: usize = 64;
/// The number of all objects that are not paired yet.
const UNPAIRED: i32 = 1 << 29;

/// A mark that only one object of each side has.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
enum Mark {
    /// Where it lies, its name and class: what lies in a renamed object.
    Name(i32, u128, i32),
    /// Where it lies, its class and its body.
    Body(i32, u128, i32),
}

/// By what objects are paired, the surest first.
#[derive(PartialEq, Eq, Hash, Clone, Copy)]
enum Criterion {
    Name,
    Body,
    /// The body but for the object's own name: script objects hold it.
    BodyWithoutName,
}

/// The hashes of bodies that are known.
type BodyHashes = HashMap<(usize, Criterion), u128>;

/// The rows that alone have their mark.
fn unique(marks: impl Iterator<Item = (usize, Option<Mark>)>) -> HashMap<Mark, Option<usize>> {
    let mut found = HashMap::new();
    for (row, mark) in marks.filter_map(|(row, mark)| Some((row, mark?))) {
        found.entry(mark).and_modify(|known| *known = None).or_insert(Some(row));
    }
    found
}

/// Pairs what only one side seems to have. Both sides know the numbers of names and imports, and of the objects
/// that are paired; `next` is the last number of an object.
pub(super) fn find<'a>(
    old: &mut Side<'a>,
    new: &mut Side<'a>,
    pairs: &mut ObjectPairs,
    mut next: i32,
) {
    if pairs.removed.is_empty() || pairs.added.is_empty() {
        return;
    }
    for (side, rows) in [(&mut *old, &pairs.removed), (&mut *new, &pairs.added)] {
        rows.iter().for_each(|&row| side.exports[row] = UNPAIRED);
    }
    let hasher = TextHasher::default();
    let mut bodies: [BodyHashes; 2] = Default::default();
    for _ in 0..DEEPEST {
        let mut met = Vec::new();
        for by in [Criterion::Name, Criterion::Body, Criterion::BodyWithoutName] {
            let [known_old, known_new] = &mut bodies;
            let marks = |side: &Side<'_>, rows: &[usize], known: &mut BodyHashes| {
                unique(rows.iter().map(|&row| (row, mark(side, row, by, &hasher, known))))
            };
            let before = marks(old, &pairs.removed, known_old);
            let after = marks(new, &pairs.added, known_new);
            met.extend(
                before.iter().filter_map(|(mark, row)| Some(((*row)?, (*after.get(mark)?)?))),
            );
            if !met.is_empty() {
                break;
            }
        }
        if met.is_empty() {
            return;
        }
        for &(before, after) in &met {
            next += 1;
            (old.exports[before], new.exports[after]) = (next, next);
        }
        let gone: HashSet<usize> = met.iter().map(|pair| pair.0).collect();
        let come: HashSet<usize> = met.iter().map(|pair| pair.1).collect();
        pairs.removed.retain(|row| !gone.contains(row));
        pairs.added.retain(|row| !come.contains(row));
        pairs.both.extend(met);
    }
}

/// The mark of an object whose place is paired.
fn mark(
    side: &Side<'_>,
    row: usize,
    by: Criterion,
    hasher: &TextHasher,
    bodies: &mut BodyHashes,
) -> Option<Mark> {
    let export = side.package.exports().entries().get(row)?;
    let number = |index: PackageIndex| side.object(index.value());
    let (outer, class) = (number(export.outer_index), number(export.class_index));
    if outer == UNPAIRED {
        return None;
    }
    if by == Criterion::Name {
        let name = side.package.object_name(PackageIndex::export(row));
        return Some(Mark::Name(outer, hasher.of(&[&name]), class));
    }
    let form = || match by {
        Criterion::BodyWithoutName => neutral_form(side, row),
        _ => common_form(side, row),
    };
    let body = bodies.entry((row, by)).or_insert_with(|| match form() {
        Some(bytes) => hasher.of_bytes(&bytes),
        None => hasher.of_bytes(side.package.body(row).unwrap_or_default()),
    });
    Some(Mark::Body(outer, *body, class))
}

/// Names those of the pairs that have other paths than before, but for what only lies in such; the old side knows
/// the new paths from then on.
pub(super) fn name(old: &mut Side<'_>, new: &Side<'_>, pairs: &ObjectPairs) -> Vec<RenamedObject> {
    let mut found = Vec::new();
    for &(before, after) in &pairs.both {
        let place = |side: &Side<'_>, row: usize| {
            let outer = side.package.exports().entries().get(row).map(|export| export.outer_index);
            side.object(outer.unwrap_or_default().value())
        };
        let name = |side: &Side<'_>, row| side.package.object_name(PackageIndex::export(row));
        let same_name = name(old, before).eq_ignore_ascii_case(&name(new, after));
        if same_name && place(old, before) == place(new, after) {
            continue;
        }
        let path = |side: &Side<'_>, row| side.package.path(PackageIndex::export(row));
        let (was, is) = (path(old, before), path(new, after));
        if old.now(was.clone()).eq_ignore_ascii_case(&is) {
            continue;
        }
        let (class, rows) = (new.package.class_path(after), (before, after));
        found.push(RenamedObject { old: was, new: is, class, rows });
    }
    if !found.is_empty() {
        let [before, after] = [&*old, new].map(|side| package_path(side.package));
        let map = old.renamed.get_or_insert_with(|| PathMap {
            old: before.unwrap_or_default(),
            new: after.unwrap_or_default(),
            ..PathMap::default()
        });
        let paths = found.iter().take(FOLLOWED);
        map.objects.extend(paths.map(|renamed| (renamed.old.clone(), renamed.new.clone())));
    }
    found
}

/// Takes out what only says once more that an object has another name: the name that functions and structs
/// store of themselves. Any other name of that text may mean something else.
pub(super) fn drop_own_names(
    old: &Side<'_>,
    new: &Side<'_>,
    (before, after): (usize, usize),
    changes: &mut Vec<Difference>,
) {
    if old.renamed.is_none() || changes.is_empty() {
        return;
    }
    let was = old.package.object_name(PackageIndex::export(before));
    let is = new.package.object_name(PackageIndex::export(after));
    if was.eq_ignore_ascii_case(&is) {
        return;
    }
    changes.retain(|change| match change {
        Difference::Field(field) => {
            let is_own = field.field.rsplit('.').next() == Some("friendly_name");
            !is_own || field.old.as_ref() != Some(&was) || field.new.as_ref() != Some(&is)
        }
        _ => true,
    });
}
