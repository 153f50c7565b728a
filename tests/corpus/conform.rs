//! Pruning and conforming: chains of packages that the engine conformed.

use std::collections::BTreeMap;
use unreal_packages::edit::mismatches;
use unreal_packages::inspect::references;

use unreal_packages::PackageIndex;
use unreal_packages::edit::{Mismatch, PackageEdit, Renumbering};
use unreal_packages::package::Package;
use unreal_packages::primitive::NameReferences;

use crate::common::objects::{assert_same, dump, permute};
use crate::common::{GUID, open, save_twice};
use crate::files;

/// Every pair of consecutive releases: title, old, new.
fn pairs() -> Vec<(String, Package, Package)> {
    let mut chains: BTreeMap<String, Vec<(String, Vec<u8>)>> = BTreeMap::new();
    for (name, bytes) in files::of("conform") {
        let (chain, _) = name.split_once("_gen").expect("a name with its generation");
        chains.entry(chain.to_owned()).or_default().push((name, bytes));
    }
    let mut pairs = Vec::new();
    for files in chains.values() {
        for pair in files.windows(2) {
            let title = format!("{} -> {}", pair[0].0, pair[1].0);
            pairs.push((title, open(&pair[0].1), open(&pair[1].1)));
        }
    }
    assert!(!pairs.is_empty(), "no package is there in two releases");
    pairs
}

fn nones(package: &Package) -> Vec<usize> {
    let is_none = |row: &usize| package.names().get(*row).unwrap().eq_ignore_ascii_case("None");
    (0..package.names().len()).filter(is_none).collect()
}

fn null_exports(package: &Package) -> usize {
    (0..package.exports().len()).filter(|&row| package.exports().is_null(row)).count()
}

pub fn pruning_leaves_what_is_used_and_starts_anew() {
    for (title, _, new) in pairs() {
        let mut pruned = new.clone();
        let report = pruned.edit(|edit| edit.prune()).unwrap();
        assert_eq!(nones(&pruned).len(), 1, "{title}");
        assert_eq!(null_exports(&pruned), 0, "{title}");
        assert_eq!(report.null_exports, null_exports(&new), "{title}");
        assert_eq!(report.nones, nones(&new).len() - 1, "{title}");
        let generations = &pruned.summary().generations;
        assert_eq!(generations.len(), 1, "{title}");
        assert_eq!(generations[0].name_count as usize, pruned.names().len());
        assert_eq!(generations[0].export_count as usize, pruned.exports().len());
        assert_ne!(pruned.guid(), new.guid(), "{title}");
        assert_eq!(report.guid, Some(pruned.guid()));
        assert_same(&dump(&pruned), &dump(&new), &title);
        save_twice(&pruned);
        // What was dropped is gone for good: a second time there is nothing to drop.
        let again = pruned.edit(|edit| edit.prune()).unwrap();
        assert!(again.names.is_empty() && again.imports.is_empty(), "{title}: {again:?}");
        assert_eq!((again.nones, again.null_exports, again.generations), (0, 0, 0));
    }
}

pub fn conforming_gives_back_what_the_engine_made() {
    for (seed, (title, old, new)) in pairs().into_iter().enumerate() {
        let mut ours = new.clone();
        ours.edit(|edit| edit.prune()).unwrap();
        permute(&mut ours, seed as u64 + 1);
        assert_same(&dump(&ours), &dump(&new), &format!("{title}, permuted"));
        let report = ours.edit(|edit| edit.conform_to(&old)).unwrap();
        assert_eq!(mismatches(&ours, &old), [], "{title}");
        assert_eq!(ours.guid(), old.guid(), "{title}");
        let (generations, before) = (&ours.summary().generations, &old.summary().generations);
        assert_eq!(generations[..before.len()], before[..], "{title}");
        assert_eq!(generations.len(), before.len() + 1, "{title}");
        assert_eq!(generations.len(), report.generations);
        let newest = generations.last().unwrap();
        assert_eq!(newest.name_count as usize, ours.names().len());
        assert_eq!(newest.export_count as usize, ours.exports().len());
        for (row, entry) in old.names().entries().iter().enumerate() {
            // The engine also keeps names that nothing uses any more but that it happens to know.
            let [ours, theirs, old] =
                [&ours, &new, &old].map(|p| p.names().get(row).unwrap().to_lowercase());
            assert!(ours == old || ours == "none", "{title}: name {row}");
            if theirs == "none" && ours != "none" {
                // The engine does not see names of the old package without flags for loading, which
                // nothing in it used; when the new one uses them they get new rows.
                let flags = entry.flags.0;
                assert_eq!(flags & 0x7_0000, 0, "{title}: name {row}, '{ours}'");
            }
        }
        for row in 0..old.exports().len() {
            assert_eq!(ours.exports().is_null(row), new.exports().is_null(row), "{title}: {row}");
            if !ours.exports().is_null(row) {
                let [ours, theirs] =
                    [&ours, &new].map(|package| package.exports().path(row).to_lowercase());
                assert_eq!(ours, theirs, "{title}: export {row}");
            }
        }
        // Releases between the two may have left null exports of their own.
        let between = (old.exports().len()..new.exports().len())
            .filter(|&row| new.exports().is_null(row))
            .count();
        assert_eq!(ours.exports().len() + between, new.exports().len(), "{title}");
        assert_same(&dump(&ours), &dump(&new), &title);
        the_last_none_is_the_one_that_is_used(&ours);
        save_twice(&ours);
        // Without pruning first, from what is a later generation already.
        let mut direct = new.clone();
        direct.edit(|edit| edit.conform_to(&old)).unwrap();
        assert_eq!(mismatches(&direct, &old), [], "{title}");
        assert_same(&dump(&direct), &dump(&new), &title);
    }
}

fn the_last_none_is_the_one_that_is_used(package: &Package) {
    let mut package = package.clone();
    package.decode_all();
    let references = references(&package);
    let nones = nones(&package);
    let (last, others) = nones.split_last().unwrap();
    assert!(references.names().contains_key(&(*last as i32)));
    for row in others {
        assert!(!references.names().contains_key(&(*row as i32)), "None at {row} is used");
    }
}

pub fn official_releases_conform_and_damaged_ones_do_not() {
    for (title, old, new) in pairs() {
        assert_eq!(mismatches(&new, &old), [], "{title}");
        let mut other = new.clone();
        other.edit(|edit| edit.set_guid(GUID)).unwrap();
        let expected = Mismatch::Guid { old: old.guid(), new: GUID };
        assert_eq!(mismatches(&other, &old), [expected], "{title}");

        let row = (0..old.exports().len())
            .find(|&row| {
                !old.exports().is_null(row)
                    && old.exports().children(PackageIndex::export(row)).next().is_none()
            })
            .unwrap();
        let path = old.exports().path(row);
        let mut other = new.clone();
        if !new.exports().is_null(row) {
            other.edit(|edit| edit.rename_object(&path, "QuiteAnotherName")).unwrap();
            let found = mismatches(&other, &old);
            assert!(
                matches!(&found[..], [Mismatch::Export { row: at, old, new: Some(new) }]
                    if *at == row && *old == path && new.ends_with("QuiteAnotherName")),
                "{title}: {found:?}"
            );
        }

        let mut other = new.clone();
        let mut swapped = Renumbering::identity(&new);
        let named = |row: &usize| !new.names().get(*row).unwrap().eq_ignore_ascii_case("None");
        let rows: Vec<usize> = (0..old.names().len()).filter(named).take(2).collect();
        swapped.names.swap(rows[0], rows[1]);
        other.edit(|edit| edit.renumber(&swapped)).unwrap();
        let found = mismatches(&other, &old);
        let names = found.iter().filter_map(|found| match found {
            Mismatch::Name { row, .. } => Some(*row),
            _ => None,
        });
        assert_eq!(names.collect::<Vec<_>>(), rows, "{title}");
        // Rows that earlier generations count have moved: their promises went with them.
        assert!(found.iter().any(|found| matches!(found, Mismatch::Generation { .. })), "{title}");
    }
}
