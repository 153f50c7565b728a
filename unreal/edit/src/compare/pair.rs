//! Which objects, imports and names of two packages are the same.

use super::Side;
use super::renamed_objects;
use super::text_hash::{TextHasher, TextNumbers};
use crate::inspect::ReferenceTexts;
use crate::package::Package;
use crate::primitive::PackageIndex;

/// Exports of two packages.
#[derive(Debug, Default)]
pub(super) struct ObjectPairs {
    /// Rows of the same object in both, in the order of the new package.
    pub both: Vec<(usize, usize)>,
    /// Rows that only the old package has.
    pub removed: Vec<usize>,
    /// Rows that only the new package has.
    pub added: Vec<usize>,
}

/// A null export of a conformed package stands for nothing (spec: ue1-3/07 §7.5).
pub(super) fn is_null_export(package: &Package, row: usize) -> bool {
    package.exports().entries().get(row).is_some_and(|export| {
        export.class_index.is_null()
            && export.serial_size.value() == 0
            && export.outer_index.is_null()
            && package.name_text(export.object_name).eq_ignore_ascii_case("None")
    })
}

/// Rows by the hashes of their texts; those of one text in their order.
pub(super) fn by_text(
    side: &Side<'_>,
    rows: &[usize],
    hash: impl Fn(&Side<'_>, usize) -> u128,
) -> Vec<(u128, u32)> {
    let mut found: Vec<_> = rows.iter().map(|&row| (hash(side, row), row as u32)).collect();
    found.sort_unstable();
    found
}

/// Takes the rows of the same text out of both lists, in pairs.
pub(super) fn take_pairs(
    old: &mut Vec<(u128, u32)>,
    new: &mut Vec<(u128, u32)>,
    pairs: &mut Vec<(usize, usize)>,
) {
    let mut at = 0;
    let mut is_met = vec![false; old.len()];
    new.retain(|&(hash, row)| {
        while old.get(at).is_some_and(|(other, _)| *other < hash) {
            at += 1;
        }
        let Some(&(_, before)) = old.get(at).filter(|(other, _)| *other == hash) else {
            return true;
        };
        pairs.push((before as usize, row as usize));
        is_met[at] = true;
        at += 1;
        false
    });
    let mut is_met = is_met.into_iter();
    old.retain(|_| is_met.next() != Some(true));
}

/// Gives names, imports and soft paths of both sides their common numbers.
pub(super) fn number_texts<'a>(old: &mut Side<'a>, new: &mut Side<'a>) {
    new.share_numbers(old);
    let mut names = TextNumbers::default();
    for side in [&mut *old, &mut *new] {
        let texts = side.package.names();
        let numbers = (0..texts.len()).map(|row| match texts.get(row) {
            Some(text) if text.starts_with('/') => names.of(&side.now(text.into_owned())),
            Some(text) => names.of(&text),
            None => -1,
        });
        side.names = numbers.collect();
    }
    let mut imports = TextNumbers::default();
    for side in [&mut *old, &mut *new] {
        let package = side.package;
        let text = |row| package.reference_text(PackageIndex::import(row));
        side.imports = (0..package.imports().len()).map(|row| -imports.of(&text(row))).collect();
    }
    let mut soft = TextNumbers::default();
    for side in [&mut *old, &mut *new] {
        let texts = side.package.soft_object_paths().iter().map(|path| path.text(&side.context));
        let texts = texts.map(|text| side.now(text));
        side.soft = texts.map(|text| soft.of(&text)).collect();
    }
}

impl ObjectPairs {
    /// Finds them and gives names and objects their common numbers.
    pub fn find<'a>(old: &mut Side<'a>, new: &mut Side<'a>) -> Self {
        let mut pairs = Self::default();
        let hasher = TextHasher::default();
        let path =
            |side: &Side<'_>, row: usize| side.now(side.package.path(PackageIndex::export(row)));
        let with_class = |side: &Side<'_>, row: usize| {
            hasher.of(&[&path(side, row), &side.now(side.package.class_path(row))])
        };
        let alone = |side: &Side<'_>, row: usize| hasher.of(&[&path(side, row)]);
        let rows = |package: &Package| {
            let all = 0..package.exports().len();
            all.filter(|&row| !is_null_export(package, row)).collect::<Vec<_>>()
        };
        let (mut old_rows, mut new_rows) = (rows(old.package), rows(new.package));
        // With their class first; then those of the same path whose class has changed.
        let mut find = |hash: &dyn Fn(&Side<'_>, usize) -> u128| {
            let mut before = by_text(old, &old_rows, hash);
            let mut after = by_text(new, &new_rows, hash);
            take_pairs(&mut before, &mut after, &mut pairs.both);
            let rows = |left: Vec<(u128, u32)>| {
                let mut rows: Vec<_> = left.into_iter().map(|(_, row)| row as usize).collect();
                rows.sort_unstable();
                rows
            };
            (old_rows, new_rows) = (rows(before), rows(after));
        };
        find(&with_class);
        find(&alone);
        (pairs.removed, pairs.added) = (old_rows, new_rows);
        pairs.both.sort_by_key(|pair| pair.1);
        number_texts(old, new);
        let mut next = 0;
        for side in [&mut *old, &mut *new] {
            side.exports = vec![0; side.package.exports().len()];
        }
        let both = |next: &mut i32, pairs: &Self, old: &mut Side<'a>, new: &mut Side<'a>| {
            for &(before, after) in &pairs.both {
                *next += 1;
                (old.exports[before], new.exports[after]) = (*next, *next);
            }
        };
        both(&mut next, &pairs, old, new);
        let known = pairs.both.len();
        renamed_objects::find(old, new, &mut pairs, next);
        if pairs.both.len() > known {
            pairs.both.sort_by_key(|pair| pair.1);
            next = 0;
            both(&mut next, &pairs, old, new);
        }
        for (side, rows) in [(old, &pairs.removed), (new, &pairs.added)] {
            for &row in rows {
                next += 1;
                side.exports[row] = next;
            }
        }
        pairs
    }
}
