//! Which objects, imports and names of two packages are the same.

use std::collections::HashMap;

use super::Side;
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

/// Numbers for texts, the same for the same text.
#[derive(Default)]
struct TextNumbers(HashMap<String, i32>);

impl TextNumbers {
    /// From 1 on.
    fn of(&mut self, mut text: String) -> i32 {
        text.make_ascii_lowercase();
        let next = i32::try_from(self.0.len() + 1).unwrap_or(i32::MAX);
        *self.0.entry(text).or_insert(next)
    }
}

/// A null export of a conformed package stands for nothing (spec: ue1-3/07 §7.5).
fn is_null_export(package: &Package, row: usize) -> bool {
    package.exports().entries().get(row).is_some_and(|export| {
        export.class_index.is_null()
            && export.serial_size.value() == 0
            && export.outer_index.is_null()
            && package.name_text(export.object_name).eq_ignore_ascii_case("None")
    })
}

/// Rows by text; those of one text in their order.
fn by_text(
    side: &Side,
    rows: impl Iterator<Item = usize>,
    text: impl Fn(&Side, usize) -> String,
) -> HashMap<(String, usize), usize> {
    let mut counts: HashMap<String, usize> = HashMap::new();
    let mut found = HashMap::new();
    for row in rows {
        let mut text = text(side, row);
        text.make_ascii_lowercase();
        let count = counts.entry(text.clone()).or_default();
        found.insert((text, *count), row);
        *count += 1;
    }
    found
}

impl ObjectPairs {
    /// Finds them and gives names and objects their common numbers.
    pub fn find(old: &mut Side, new: &mut Side) -> Self {
        let mut pairs = Self::default();
        let with_class = |side: &Side, row: usize| {
            let package = &side.package;
            let path = package.path(PackageIndex::export(row));
            format!("{} {}", side.now(path), side.now(package.class_path(row)))
        };
        let path = |side: &Side, row: usize| side.now(side.package.path(PackageIndex::export(row)));
        let rows = |package: &Package| {
            let all = 0..package.exports().len();
            all.filter(|&row| !is_null_export(package, row)).collect::<Vec<_>>()
        };
        let (mut old_rows, mut new_rows) = (rows(&old.package), rows(&new.package));
        // With their class first; then those of the same path whose class has changed.
        let mut find = |text: &dyn Fn(&Side, usize) -> String| {
            let mut found = by_text(old, old_rows.iter().copied(), text);
            let wanted = by_text(new, new_rows.iter().copied(), text);
            for (key, new) in wanted {
                if let Some(old) = found.remove(&key) {
                    pairs.both.push((old, new));
                }
            }
            let (olds, news): (std::collections::HashSet<_>, std::collections::HashSet<_>) =
                pairs.both.iter().copied().unzip();
            old_rows.retain(|row| !olds.contains(row));
            new_rows.retain(|row| !news.contains(row));
        };
        find(&with_class);
        find(&path);
        (pairs.removed, pairs.added) = (old_rows, new_rows);
        pairs.both.sort_by_key(|pair| pair.1);
        let mut names = TextNumbers::default();
        for side in [&mut *old, &mut *new] {
            let texts = side.package.names();
            let numbers = (0..texts.len()).map(|row| match texts.get(row) {
                Some(text) if text.starts_with('/') => names.of(side.now(text.into_owned())),
                Some(text) => names.of(text.into_owned()),
                None => -1,
            });
            side.names = numbers.collect();
        }
        let mut imports = TextNumbers::default();
        for side in [&mut *old, &mut *new] {
            let package = &side.package;
            let text = |row| package.reference_text(PackageIndex::import(row));
            side.imports = (0..package.imports().len()).map(|row| -imports.of(text(row))).collect();
        }
        let mut soft = TextNumbers::default();
        for side in [&mut *old, &mut *new] {
            let texts =
                side.package.soft_object_paths().iter().map(|path| path.text(&side.context));
            let texts = texts.map(|text| side.now(text));
            side.soft = texts.map(|text| soft.of(text)).collect();
        }
        let mut next = 0;
        for side in [&mut *old, &mut *new] {
            side.exports = vec![0; side.package.exports().len()];
        }
        let mut number = || {
            next += 1;
            next
        };
        for &(before, after) in &pairs.both {
            let number = number();
            (old.exports[before], new.exports[after]) = (number, number);
        }
        for (side, rows) in [(old, &pairs.removed), (new, &pairs.added)] {
            for &row in rows {
                side.exports[row] = number();
            }
        }
        pairs
    }
}
