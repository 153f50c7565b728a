//! Whether objects of two packages say the same, with all that they refer to.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::body::form_of;
use super::pair::{by_text, is_null_export, number_texts, take_pairs};
use super::text_hash::TextHasher;
use super::{Side, attribute};
use crate::archive::{Archived, References};
use crate::inspect::ReferenceTexts;
use crate::package::Package;
use crate::primitive::{NameReferences, ObjectRef, PackageIndex};

/// Compares objects of one path and class as [`diff`](super::diff) does: what their rows say, and each byte of
/// their bodies. Two objects are the same where that is so for them, for what lies in them, and for each
/// object of their package that they refer to, and so on; objects that refer to each other in a circle are the
/// same where none of them differs.
///
/// Bodies are read when they are asked about, each once: what one question has settled is not asked again.
pub(crate) struct Identity<'a> {
    source: Side<'a>,
    target: Side<'a>,
    /// For each export of the source the one of the target that has its path and class.
    twins: Vec<Option<usize>>,
    /// The verdicts that are settled.
    verdicts: Vec<Option<bool>>,
    /// How many pairs of bodies were compared.
    #[cfg(test)]
    compared: usize,
}

impl<'a> Identity<'a> {
    /// Both packages with bodies as they are now ([`settled`](super::settled)). `places` are exports of the
    /// source and those of the target that stand for them whatever they say; `copied` are those of the source
    /// for which nothing in the target may stand. An import of the target from the package `source_name` is
    /// the object of the source itself.
    pub fn new(
        source: &'a Package,
        target: &'a Package,
        places: &BTreeMap<usize, usize>,
        copied: impl Iterator<Item = usize>,
        source_name: Option<&str>,
    ) -> Self {
        let (mut source, mut target) = (Side::new(source), Side::new(target));
        number_texts(&mut source, &mut target);
        let hasher = TextHasher::default();
        let title = |side: &Side<'_>, row: usize| {
            let path = side.package.path(PackageIndex::export(row));
            hasher.of(&[&path, &side.package.class_path(row)])
        };
        let rows = |side: &Side<'_>| {
            let all = 0..side.package.exports().len();
            let rows: Vec<_> = all.filter(|&row| !is_null_export(side.package, row)).collect();
            by_text(side, &rows, title)
        };
        let (mut before, mut after, mut pairs) = (rows(&source), rows(&target), Vec::new());
        take_pairs(&mut before, &mut after, &mut pairs);
        let count = source.package.exports().len();
        let mut twins = vec![None; count];
        // No number is that of two objects unless they are a pair.
        let mut numbers = 1..;
        let mut next = || numbers.next().unwrap_or(i32::MAX);
        source.exports = (0..count).map(|_| next()).collect();
        target.exports = (0..target.package.exports().len()).map(|_| next()).collect();
        let places = places.iter().map(|(&place, &there)| (place, there));
        for (row, twin) in pairs.into_iter().chain(places.clone()) {
            if let (Some(number), Some(place)) = (target.exports.get(twin), twins.get_mut(row)) {
                (source.exports[row], *place) = (*number, Some(twin));
            }
        }
        let mut verdicts = vec![None; count];
        if let Some(name) = source_name {
            for (row, number) in imported(&source, &target, name) {
                if twins[row].is_none() {
                    (source.exports[row], verdicts[row]) = (number, Some(true));
                }
            }
        }
        let settled = places.map(|(row, _)| (row, true)).chain(copied.map(|row| (row, false)));
        for (row, is_same) in settled {
            if let Some(verdict) = verdicts.get_mut(row) {
                *verdict = Some(is_same);
            }
        }
        Self {
            source,
            target,
            twins,
            verdicts,
            #[cfg(test)]
            compared: 0,
        }
    }

    /// The export of the target that says the same as this one of the source. `is_doubtful` says of which
    /// exports the bodies do not say all: those are never the same.
    pub fn twin(&mut self, row: usize, is_doubtful: &dyn Fn(usize) -> bool) -> Option<usize> {
        if self.verdicts.get(row)?.is_none() {
            self.settle(row, is_doubtful);
        }
        (self.verdicts[row] == Some(true)).then_some(self.twins[row]).flatten()
    }

    /// Settles an export and all open ones that it refers to: each one that differs makes those differ that
    /// refer to it, and what is left is the same.
    fn settle(&mut self, row: usize, is_doubtful: &dyn Fn(usize) -> bool) {
        let mut users: HashMap<usize, Vec<usize>> = HashMap::new();
        let (mut met, mut open, mut others) = (HashSet::new(), vec![row], Vec::new());
        while let Some(row) = open.pop() {
            if !met.insert(row) {
                continue;
            }
            if !self.looks_same(row) || is_doubtful(row) {
                others.push(row);
                continue;
            }
            for used in self.uses(row) {
                match self.verdicts.get(used) {
                    None | Some(Some(true)) => {}
                    Some(Some(false)) => others.push(row),
                    Some(None) => {
                        users.entry(used).or_default().push(row);
                        open.push(used);
                    }
                }
            }
        }
        while let Some(row) = others.pop() {
            if self.verdicts[row].replace(false) != Some(false) {
                others.extend(users.remove(&row).unwrap_or_default());
            }
        }
        for row in met {
            self.verdicts[row].get_or_insert(true);
        }
    }

    /// Whether an export and the one of its path and class are the same but for what they refer to.
    fn looks_same(&mut self, row: usize) -> bool {
        let Some(twin) = self.twins[row] else { return false };
        let (ours, theirs) = (&self.source, &self.target);
        let is_group = |side: &Side<'_>, row| side.package.is_group(PackageIndex::export(row));
        if is_group(ours, row) && is_group(theirs, twin) {
            // A group is a place.
            return true;
        }
        #[cfg(test)]
        {
            self.compared += 1;
        }
        if !attribute::differences(ours, theirs, (row, twin)).is_empty() {
            return false;
        }
        match (form(ours, row), form(theirs, twin)) {
            (Some(one), Some(other)) => one == other,
            (None, None) => [(ours, row), (theirs, twin)].iter().all(|(side, row)| {
                side.package.body_range(*row).1 == 0 && side.package.decoded(*row).is_none()
            }),
            _ => false,
        }
    }

    /// The exports that one of the source refers to, and those that lie in it.
    fn uses(&self, row: usize) -> Vec<usize> {
        let package = self.source.package;
        let mut references = References::new(package.versions().clone());
        // Visiting never fails: it neither reads nor writes.
        if let Some(export) = package.exports().entries().get(row) {
            let _ = export.clone().serialize(&mut references);
        }
        if let Some(mut decoded) = self.source.decoded(row) {
            let _ = decoded.body.serialize(&mut references);
        }
        let index = PackageIndex::export(row);
        let objects = package.object_index();
        let inner: &[PackageIndex] = match package.is_group(index) {
            true => &[],
            false => objects.inner(index),
        };
        let used = references.objects().keys().copied().map(PackageIndex::new);
        let rows = used.chain(inner.iter().copied()).filter_map(|index| match index.target() {
            ObjectRef::Export(row) => Some(row),
            _ => None,
        });
        rows.collect()
    }
}

/// The exports of the source that the target imports from its package, with the numbers of the imports.
fn imported(source: &Side<'_>, target: &Side<'_>, source_name: &str) -> Vec<(usize, i32)> {
    let prefix = format!("'{source_name}.").to_ascii_lowercase();
    let mut numbers = HashMap::new();
    for (row, &number) in target.imports.iter().enumerate() {
        let text = target.package.reference_text(PackageIndex::import(row)).to_ascii_lowercase();
        if text.contains(&prefix) {
            numbers.insert(text.replacen(&prefix, "'", 1), number);
        }
    }
    if numbers.is_empty() {
        return Vec::new();
    }
    let rows = 0..source.package.exports().len();
    let number = |row| {
        let text = source.package.reference_text(PackageIndex::export(row)).to_ascii_lowercase();
        Some((row, *numbers.get(&text)?))
    };
    rows.filter_map(number).collect()
}

/// A body that is decoded whole, as bytes that both sides have alike where they say the same. The index on the
/// net counts the objects of a package and is no part of what one says.
fn form(side: &Side<'_>, row: usize) -> Option<Vec<u8>> {
    let mut body = side.decoded(row).filter(|decoded| decoded.is_complete())?.body;
    if let Some(index) = &mut body.net_index {
        *index = 0;
    }
    form_of(side, row, body, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::PackageEdit;
    use crate::error::Result;
    use crate::generate::Builder;

    /// A chain of so many objects; the last one says this number, and refers to the first.
    fn chain(count: usize, number: u32) -> Result<Package> {
        let mut package = Package::from_bytes(Builder::new(69).build()?)?;
        package.edit(|edit| {
            for at in 0..count {
                edit.add_blank_object(&format!("Object{at}"), "Engine.Info")?;
            }
            for at in 0..count {
                let next = format!("Object{}", (at + 1) % count);
                let object = format!("Object{at}");
                edit.add_property(&object, "Other", &"object".parse()?, &next)?;
            }
            let last = format!("Object{}", count - 1);
            edit.add_property(&last, "Number", &"int".parse()?, &number.to_string())
        })?;
        Ok(package)
    }

    /// Bodies are compared once, however many questions lead to them and whatever the answer is.
    #[test]
    fn each_body_is_compared_once() -> Result<()> {
        let count = 60;
        let source = chain(count, 1)?;
        for (target, is_same) in [(chain(count, 1)?, true), (chain(count, 2)?, false)] {
            let mut identity =
                Identity::new(&source, &target, &BTreeMap::new(), std::iter::empty(), None);
            for row in 0..count {
                assert_eq!(identity.twin(row, &|_| false).is_some(), is_same, "{row}");
            }
            assert_eq!(identity.compared, count);
        }
        Ok(())
    }
}
