//! Pruning and conforming of packages made here.

use crate::common;
use unreal_packages::edit::{PackageEdit, mismatches};

use common::objects::{assert_same, dump, permute};
use common::parts::Parts;
use common::{GUID, open, save_twice};
use unreal_packages::edit::Renumbering;
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::generate::Builder;
use unreal_packages::package::Package;
use unreal_packages::table::Generation;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ErrorKind, Guid, Versions};

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
        assert!(!mismatches(&new, &old).is_empty(), "{file}");
        let report = new.edit(|edit| edit.conform_to(&old)).unwrap();
        assert_eq!(mismatches(&new, &old), [], "{file}");
        assert_eq!(report.names_added, ["Fresh"], "{file}");
        assert_eq!(report.names_nulled, ["Gone"], "{file}");
        assert_eq!(report.exports_added, ["Fresh"], "{file}");
        assert_eq!(report.exports_nulled, ["Gone"], "{file}");
        assert_eq!(report.exports_kept, 2);
        assert_eq!(new.exports().path(0), "First");
        assert!(new.exports().is_null(1), "{file}");
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
            assert_eq!(new.tables().heritage, [GUID, before.guid()], "{file}");
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
        third.edit(|edit| edit.conform_to(&new)).unwrap();
        assert_eq!(mismatches(&third, &new), [], "{file}");
        assert_eq!(mismatches(&third, &old), [], "{file}");
        assert_eq!(third.exports().path(0), "First");
        assert!(third.exports().is_null(1), "what was null for one generation stays null: {file}");
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
        new.edit(|edit| edit.conform_to(&old)).unwrap();
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
    same.edit(|edit| edit.conform_to(&old)).unwrap();
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
    let blocked = |result: unreal_packages::Error| match result.unreal() {
        Some(UnrealError::Refused { objects, .. }) => assert_eq!(objects, &["Notes"]),
        _ => panic!("{result}"),
    };
    blocked(broken.edit(|edit| edit.conform_to(&old)).unwrap_err());
    let mut moved = Renumbering::identity(&broken);
    moved.names.swap(0, 1);
    blocked(broken.edit(|edit| edit.renumber(&moved)).unwrap_err());
    blocked(broken.edit(|edit| edit.reorder_exports(&[1, 0])).unwrap_err());
    let identity = Renumbering::identity(&broken);
    broken.edit(|edit| edit.renumber(&identity)).unwrap();
    assert_eq!(broken.to_bytes().unwrap(), before);
    // What bytes may use that nobody decodes stays; they can't use what came since.
    let mut pruned = broken.clone();
    pruned.edit(|edit| edit.add_name("Unused")).unwrap();
    let names = pruned.names().len();
    assert_eq!(pruned.edit(|edit| edit.prune()).unwrap().names, ["Unused"]);
    assert_eq!(pruned.names().len(), names - 1);
    // Appending moves no index and is no trouble.
    broken.edit(|edit| edit.add_export("More", "Engine.Info", [0])).unwrap();
    save_twice(&broken);
}

#[test]
fn a_heritage_table_does_not_go_on_from_generations() {
    let (old, mut new) = (small(69, false), small(61, true));
    let error = new.edit(|edit| edit.conform_to(&old)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Invalid { .. }), "{error}");
    let (old, mut new) = (small(61, false), small(69, true));
    new.edit(|edit| edit.conform_to(&old)).unwrap();
    assert_eq!(
        new.guid(),
        old.guid(),
        "engines since 68 read the last GUID and assume one generation"
    );
    assert_eq!(mismatches(&new, &old), []);
}

#[test]
fn renumbering_moves_every_table() {
    for file in [61, 69, 128, 512, 868] {
        let parts = Parts::rich(Versions::ue1_to_3(file, 0));
        let package = open(&parts.assemble());
        let mut same = package.clone();
        // Bodies of these packages are not decoded, so that nothing may move.
        let identity = Renumbering::identity(&package);
        let mut moved = identity.clone();
        moved.names.swap(0, 1);
        let refused = same.edit(|edit| edit.renumber(&moved)).unwrap_err();
        assert!(matches!(refused.unreal(), Some(UnrealError::Refused { .. })), "{file}: {refused}");
        same.edit(|edit| edit.renumber(&identity)).unwrap();
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
            assert!(package.edit(|edit| edit.renumber(&renumbering)).is_err(), "{file}");
        }
        let mut dropped = Renumbering::identity(&package);
        let used = package.find("Group").map(|_| package.names().find("Group").unwrap()).unwrap();
        dropped.names.remove(used);
        let error = package.edit(|edit| edit.renumber(&dropped)).unwrap_err();
        assert!(matches!(error.unreal(), Some(UnrealError::Refused { .. })), "{file}: {error}");
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
