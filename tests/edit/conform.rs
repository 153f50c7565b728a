//! Pruning and conforming: real chains of conformed packages, and packages made here.

use crate::common;

use std::collections::BTreeMap;

use common::objects::{Random, assert_same, dump};
use common::parts::Parts;
use common::{GUID, corpus_files, open, save_twice};
use farchive::package::{Builder, Mismatch, Package, Renumbering};
use farchive::table::Generation;
use farchive::{ErrorKind, Guid, PackageIndex, Versions};

/// Every pair of consecutive releases: title, old, new.
fn pairs() -> Vec<(String, Package, Package)> {
    let mut chains: BTreeMap<String, Vec<(String, Vec<u8>)>> = BTreeMap::new();
    for (name, bytes) in corpus_files("conform") {
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
    pairs
}

fn nones(package: &Package) -> Vec<usize> {
    let is_none = |row: &usize| package.names().get(*row).unwrap().eq_ignore_ascii_case("None");
    (0..package.names().len()).filter(is_none).collect()
}

fn null_exports(package: &Package) -> usize {
    (0..package.exports().len()).filter(|&row| package.is_null_export(row)).count()
}

/// Every row of names, imports and exports in another place.
fn permute(package: &mut Package, seed: u64) {
    let mut random = Random(seed);
    let mut renumbering = Renumbering::identity(package);
    random.shuffle(&mut renumbering.names);
    random.shuffle(&mut renumbering.imports);
    random.shuffle(&mut renumbering.exports);
    package.renumber(&renumbering).unwrap();
}

#[test]
fn pruning_leaves_what_is_used_and_starts_anew() {
    for (title, _, new) in pairs() {
        let mut pruned = new.clone();
        let report = pruned.prune().unwrap();
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
        let again = pruned.prune().unwrap();
        assert!(again.names.is_empty() && again.imports.is_empty(), "{title}: {again:?}");
        assert_eq!((again.nones, again.null_exports, again.generations), (0, 0, 0));
    }
}

#[test]
fn conforming_gives_back_what_the_engine_made() {
    for (seed, (title, old, new)) in pairs().into_iter().enumerate() {
        let mut ours = new.clone();
        ours.prune().unwrap();
        permute(&mut ours, seed as u64 + 1);
        assert_same(&dump(&ours), &dump(&new), &format!("{title}, permuted"));
        let report = ours.conform_to(&old).unwrap();
        assert_eq!(ours.check_conforms(&old), [], "{title}");
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
            assert_eq!(ours.is_null_export(row), new.is_null_export(row), "{title}: {row}");
            if !ours.is_null_export(row) {
                let [ours, theirs] =
                    [&ours, &new].map(|package| package.exports().path(row).to_lowercase());
                assert_eq!(ours, theirs, "{title}: export {row}");
            }
        }
        // Releases between the two may have left null exports of their own.
        let between = (old.exports().len()..new.exports().len())
            .filter(|&row| new.is_null_export(row))
            .count();
        assert_eq!(ours.exports().len() + between, new.exports().len(), "{title}");
        assert_same(&dump(&ours), &dump(&new), &title);
        the_last_none_is_the_one_that_is_used(&ours);
        save_twice(&ours);
        // Without pruning first, from what is a later generation already.
        let mut direct = new.clone();
        direct.conform_to(&old).unwrap();
        assert_eq!(direct.check_conforms(&old), [], "{title}");
        assert_same(&dump(&direct), &dump(&new), &title);
    }
}

fn the_last_none_is_the_one_that_is_used(package: &Package) {
    let mut package = package.clone();
    package.decode_all();
    let references = package.references();
    let nones = nones(&package);
    let (last, others) = nones.split_last().unwrap();
    assert!(references.names().contains_key(&(*last as i32)));
    for row in others {
        assert!(!references.names().contains_key(&(*row as i32)), "None at {row} is used");
    }
}

#[test]
fn official_releases_conform_and_damaged_ones_do_not() {
    for (title, old, new) in pairs() {
        assert_eq!(new.check_conforms(&old), [], "{title}");
        let mut other = new.clone();
        other.set_guid(GUID).unwrap();
        let expected = Mismatch::Guid { old: old.guid(), new: GUID };
        assert_eq!(other.check_conforms(&old), [expected], "{title}");

        let row = (0..old.exports().len())
            .find(|&row| {
                !old.is_null_export(row) && old.children(PackageIndex::export(row)).next().is_none()
            })
            .unwrap();
        let path = old.exports().path(row);
        let mut other = new.clone();
        if !new.is_null_export(row) {
            other.rename_object(&path, "QuiteAnotherName").unwrap();
            let found = other.check_conforms(&old);
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
        other.renumber(&swapped).unwrap();
        let found = other.check_conforms(&old);
        let names = found.iter().filter_map(|found| match found {
            Mismatch::Name { row, .. } => Some(*row),
            _ => None,
        });
        assert_eq!(names.collect::<Vec<_>>(), rows, "{title}");
        // Rows that earlier generations count have moved: their promises went with them.
        assert!(found.iter().any(|found| matches!(found, Mismatch::Generation { .. })), "{title}");
    }
}

/// Two versions of a small package: `Gone` goes, `Fresh` comes, tables in another order.
fn small(file: u32, fresh: bool) -> Package {
    let builder = Builder::new(file).guid(if fresh { Guid::new(5, 6, 7, 8) } else { GUID });
    let body = match file {
        ..178 => vec![0],
        178..322 => vec![0; 4],
        322..343 => [[0xff; 4], [0; 4]].concat(),
        _ => [&[0xff; 4][..], &[0; 8]].concat(),
    };
    let builder = match fresh {
        false => builder
            .export("First", "Engine.Info", body.clone())
            .export("Gone", "Engine.Info", body.clone())
            .export("Last", "Engine.Info", body),
        true => builder
            .name("Fresh")
            .export("Last", "Engine.Info", body.clone())
            .export("Fresh", "Engine.Info", body.clone())
            .export("First", "Engine.Info", body),
    };
    open(&builder.build().unwrap())
}

#[test]
fn made_packages_conform_in_every_generation() {
    for file in [61, 67, 68, 69, 128, 200, 512, 868] {
        let (old, mut new) = (small(file, false), small(file, true));
        let before = new.clone();
        assert!(!new.check_conforms(&old).is_empty(), "{file}");
        let report = new.conform_to(&old).unwrap();
        assert_eq!(new.check_conforms(&old), [], "{file}");
        assert_eq!(report.names_added, ["Fresh"], "{file}");
        assert_eq!(report.names_nulled, ["Gone"], "{file}");
        assert_eq!(report.exports_added, ["Fresh"], "{file}");
        assert_eq!(report.exports_nulled, ["Gone"], "{file}");
        assert_eq!(report.exports_kept, 2);
        assert_eq!(new.exports().path(0), "First");
        assert!(new.is_null_export(1), "{file}");
        assert_eq!(new.exports().path(2), "Last");
        assert_eq!(new.exports().path(3), "Fresh");
        let boundary = old.names().len();
        assert_eq!(new.names().get(boundary).unwrap(), "None", "{file}");
        let gone = old.names().find("Gone").unwrap();
        assert_eq!(new.names().get(gone).unwrap(), "None", "{file}");
        let null = &new.exports().entries()[1];
        assert_eq!(null.object_name.index.value() as usize, boundary, "{file}");
        assert_eq!((null.object_flags.0, null.serial_size.value()), (0, 0));
        if file < 68 {
            assert_eq!(new.heritage(), [GUID, before.guid()], "{file}");
        } else {
            assert_eq!(new.guid(), GUID, "{file}");
            let counts = |g: &Generation| (g.export_count as usize, g.name_count as usize);
            let [first, second] = &new.summary().generations[..] else { panic!("{file}") };
            assert_eq!(counts(first), (3, boundary), "{file}");
            assert_eq!(counts(second), (4, new.names().len()), "{file}");
        }
        assert_same(&dump(&new), &dump(&before), &file.to_string());
        save_twice(&new);
        // A third generation goes on from the second.
        let mut third = small(file, false);
        third.conform_to(&new).unwrap();
        assert_eq!(third.check_conforms(&new), [], "{file}");
        assert_eq!(third.check_conforms(&old), [], "{file}");
        assert_eq!(third.exports().path(0), "First");
        assert!(third.is_null_export(1), "what was null for one generation stays null: {file}");
        assert_eq!(third.exports().path(4), "Gone");
    }
}

#[test]
fn objects_keep_their_net_index() {
    for file in [334, 512, 868] {
        let build = |objects: &[(&str, i32)]| {
            let add = |builder: Builder, (name, index): &(&str, i32)| {
                let none = if file < 343 { 4 } else { 8 };
                let body = [&index.to_le_bytes()[..], &vec![0; none]].concat();
                builder.export(*name, "Engine.Info", body)
            };
            open(&objects.iter().fold(Builder::new(file), add).build().unwrap())
        };
        let old = build(&[("First", 0), ("Gone", 1), ("Silent", -1), ("Last", 2)]);
        let mut new = build(&[("Last", 0), ("Fresh", 1), ("First", 2), ("Silent", -1)]);
        new.conform_to(&old).unwrap();
        let index = |path: &str| {
            let row = new.find_export(path).unwrap();
            new.decode(row).unwrap().body.net_index.unwrap()
        };
        let found = ["First", "Last", "Fresh", "Silent"].map(index);
        assert_eq!(found, [0, 2, 3, -1], "{file}");
        assert_eq!(new.summary().generations.last().unwrap().net_object_count, 4, "{file}");
    }
}

#[test]
fn a_generation_that_adds_no_name_adds_no_row() {
    let old = small(69, false);
    let mut same = small(69, false);
    same.conform_to(&old).unwrap();
    assert_eq!(same.names().len(), old.names().len());
    assert_eq!(same.summary().generations.len(), 2);
    assert_eq!(same.summary().generations[0], same.summary().generations[1]);
}

#[test]
fn bodies_that_nobody_decodes_block_and_nothing_changes() {
    let text = |bytes: &[u8]| {
        let builder = Builder::new(69).export("Notes", "Core.TextBuffer", bytes.to_vec());
        open(&builder.export("Fine", "Engine.Info", [0]).build().unwrap())
    };
    let old = small(69, false);
    let mut broken = text(b"\0\0\0");
    let before = broken.to_bytes().unwrap();
    let blocked = |result: farchive::Error| match result.into_kind() {
        ErrorKind::Refused { objects, .. } => assert_eq!(objects, ["Notes"]),
        other => panic!("{other}"),
    };
    blocked(broken.conform_to(&old).unwrap_err());
    blocked(broken.prune().unwrap_err());
    let identity = Renumbering::identity(&broken);
    blocked(broken.renumber(&identity).unwrap_err());
    assert_eq!(broken.to_bytes().unwrap(), before);
    // Appending moves no index and is no trouble.
    broken.add_export("More", "Engine.Info", [0]).unwrap();
    save_twice(&broken);
}

#[test]
fn a_heritage_table_does_not_go_on_from_generations() {
    let (old, mut new) = (small(69, false), small(61, true));
    let error = new.conform_to(&old).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Invalid { .. }), "{error}");
    let (old, mut new) = (small(61, false), small(69, true));
    new.conform_to(&old).unwrap();
    assert_eq!(
        new.guid(),
        old.guid(),
        "engines since 68 read the last GUID and assume one generation"
    );
    assert_eq!(new.check_conforms(&old), []);
}

#[test]
fn renumbering_moves_every_table() {
    for file in [61, 69, 128, 512, 868] {
        let parts = Parts::rich(Versions::classic(file, 0));
        let package = open(&parts.assemble());
        let mut same = package.clone();
        // Bodies of these packages are not decoded, so that not even the identity may pass.
        let refused = same.renumber(&Renumbering::identity(&package)).unwrap_err();
        assert!(matches!(refused.kind(), ErrorKind::Refused { .. }), "{file}: {refused}");
    }
    for file in [61, 69, 128, 512, 868] {
        let mut package = open(&builder_without_bodies(file));
        let before = dump(&package);
        permute(&mut package, 99);
        assert_same(&dump(&package), &before, &file.to_string());
        let (rows, names) = (package.exports().len(), package.names().len());
        for bad in [Some(0), Some(rows + 5)] {
            let mut renumbering = Renumbering::identity(&package);
            renumbering.exports[1] = bad;
            assert!(package.renumber(&renumbering).is_err(), "{file}");
        }
        let mut dropped = Renumbering::identity(&package);
        let used = package.find("Group").map(|_| package.names().find("Group").unwrap()).unwrap();
        dropped.names.remove(used);
        let error = package.renumber(&dropped).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Refused { .. }), "{file}: {error}");
        assert_eq!(package.names().len(), names);
    }
}

fn builder_without_bodies(file: u32) -> Vec<u8> {
    let builder = Builder::new(file).name("Alpha").import("Engine.Actor", "Core.Class");
    let builder = builder.export("Group", "Core.Package", []);
    let inner = if file < 50 { "Inner" } else { "Group.Inner" };
    builder
        .export("Other", "Engine.Texture", [])
        .export(inner, "Engine.Texture", [])
        .build()
        .unwrap()
}
