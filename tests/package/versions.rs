//! Every file version from 35 to 868: packages are made, opened, saved and explained.

use crate::common;
use unreal_packages::package::Overlap;

use common::parts::Parts;
use common::{GAMES, ORDERS, builder, is_explained, open, save_twice};
use unreal_packages::edit::PackageEdit;
use unreal_packages::package::{LayoutKind, OpenOptions, Package, SaveOptions};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ByteOrder, Game, Versions};

/// What must hold for every sound package.
fn is_sound(bytes: &[u8], what: &str) -> Package {
    let package = Package::from_bytes(bytes.to_vec()).unwrap_or_else(|e| panic!("{what}: {e}"));
    let saved = package.save(&SaveOptions::new()).unwrap_or_else(|e| panic!("{what}: {e}"));
    assert!(saved.bytes == bytes, "{what}: saves differently");
    assert_eq!(saved.report.layout, LayoutKind::InPlace, "{what}");
    let coverage = package.coverage();
    let sum = coverage.typed + coverage.payload + coverage.opaque + coverage.gap;
    assert_eq!(sum, bytes.len() as u64, "{what}: {coverage:?}");
    assert_eq!(coverage.gap, 0, "{what}");
    assert!(Overlap::of(&package).is_empty(), "{what}");
    let bodies: u64 = package.exports().entries().iter().map(|row| row.size()).sum();
    assert_eq!(coverage.opaque, bodies, "{what}");
    let mut at = 0;
    for place in package.sections() {
        assert_eq!(place.start, at, "{what}: {:?}", place.section);
        at = place.end();
    }
    assert_eq!(at, bytes.len() as u64, "{what}");
    package
}

#[test]
fn packages_of_every_version_open_and_save_identically() {
    for file in 35..=868 {
        let orders: &[ByteOrder] =
            if file % 7 == 0 || file < 70 { &ORDERS } else { &[ByteOrder::Little] };
        for &order in orders {
            let what = format!("{file} {order:?}");
            let versions = Versions::ue1_to_3(file, 0).with_byte_order(order);
            let bytes = builder(versions.clone()).build().unwrap_or_else(|e| panic!("{what}: {e}"));
            let package = is_sound(&bytes, &what);
            assert_eq!(package.versions(), &versions, "{what}");
            if file % 5 == 0 || file < 70 {
                is_explained(&package, &what);
            }
        }
    }
}

#[test]
fn what_was_built_is_there_in_every_version() {
    for file in 35..=868 {
        let bytes = builder(Versions::ue1_to_3(file, 0)).build().unwrap();
        let package = open(&bytes);
        let names: Vec<_> = package.names().iter().map(|name| name.into_owned()).collect();
        assert_eq!(names[..2], ["None", "Alpha"], "{file}");
        let exports: Vec<_> = package.exports().iter().map(|row| row.path()).collect();
        let grouped = ["Notes", "Empty", "Group", "Group.Skin", "Group.Skin.Inner", "Last"];
        let flat = ["Notes", "Empty", "Group", "Last"];
        assert_eq!(exports, if file < 50 { &flat[..] } else { &grouped[..] }, "{file}");
        assert_eq!(package.exports().get(0).unwrap().class(), "Core.TextBuffer", "{file}");
        assert_eq!(package.body(0).unwrap(), b"\0\0\0\0hello", "{file}");
        assert_eq!(package.body(1).unwrap(), b"", "{file}");
        assert_eq!(package.body(exports.len() - 1).unwrap(), [9], "{file}");
        let actor =
            package.find("engine.ACTOR").unwrap_or_else(|| panic!("{file}: no Engine.Actor"));
        assert_eq!(package.path(actor), "Engine.Actor", "{file}");
        let guid = if file < 42 { unreal_packages::Guid::default() } else { common::GUID };
        assert_eq!(package.guid(), guid, "{file}");
        let summary = package.summary();
        match summary.generations.last() {
            None => assert!(file < 68),
            Some(last) => assert_eq!(
                (last.export_count, last.name_count),
                (summary.export_count, summary.name_count)
            ),
        }
    }
}

#[test]
fn packages_of_every_version_can_be_changed() {
    for file in 35..=868 {
        let mut package = open(&builder(Versions::ue1_to_3(file, 0)).build().unwrap());
        let bodies: Vec<_> = package.exports().iter().map(|row| row.body().to_vec()).collect();
        package.edit(|edit| edit.rename_name("Alpha", "A_longer_name_than_Alpha")).unwrap();
        package.edit(|edit| edit.replace_body(0, vec![5; 999])).unwrap();
        package.edit(|edit| edit.add_import("Other.Thing", "Core.Class")).unwrap();
        let changed = open(&save_twice(&package));
        assert_eq!(changed.coverage().gap, 0, "{file}");
        assert!(changed.find("Other.Thing").is_some(), "{file}");
        assert_eq!(changed.names().find("a_longer_name_than_alpha"), Some(1), "{file}");
        assert_eq!(changed.body(0).unwrap(), [5; 999], "{file}");
        for (row, body) in bodies.iter().enumerate().skip(1) {
            assert!(changed.body(row).unwrap() == body, "{file}: body {row}");
        }
    }
}

/// Every table with rows, laid out by the tests instead of the library.
#[test]
fn packages_with_every_table_open_and_save_identically() {
    for versions in common::all_versions() {
        let what = format!("{versions} {:?} {}", versions.byte_order, versions.game().slug());
        let parts = Parts::rich(versions.clone());
        let bytes = parts.assemble();
        let package = is_sound(&bytes, &what);
        is_explained(&package, &what);
        assert_eq!(package.versions(), &versions, "{what}");
        assert_eq!(package.tables().depends, parts.depends, "{what}");
        assert_eq!(package.tables().export_guids, parts.export_guids, "{what}");
        assert_eq!(package.tables().import_guids.len(), parts.import_guids.len(), "{what}");
        assert_eq!(package.tables().thumbnails.len(), parts.thumbnails.len(), "{what}");
        let payload: u64 = parts.images.iter().map(|image| image.image.len()).sum();
        assert_eq!(package.coverage().payload, payload, "{what}");
        for (row, body) in parts.bodies.iter().enumerate() {
            assert_eq!(package.body(row).unwrap(), body, "{what}: body {row}");
        }
        for thumbnail in &package.tables().thumbnails {
            let image = package.tables().image(thumbnail).unwrap_or_else(|| panic!("{what}"));
            assert_eq!((image.width, image.height), (2, 3), "{what}");
        }
    }
}

#[test]
fn the_tag_of_killing_floor_is_kept() {
    let mut file = builder(Versions::ue1_to_3(128, 29)).build().unwrap();
    file[0] = 0xc2;
    let package = is_sound(&file, "Killing Floor");
    assert!(package.summary().tag.killing_floor);
}

#[test]
fn every_game_is_detected_and_can_be_set() {
    for &(file, licensee, game) in GAMES {
        assert_eq!(Game::detect(file, licensee), game, "{file}/{licensee}");
        for order in ORDERS {
            let versions = Versions::ue1_to_3(file, licensee).with_byte_order(order);
            assert_eq!(versions.game(), game);
            let what = format!("{versions} {order:?}");
            let package = is_sound(&builder(versions).build().unwrap(), &what);
            assert_eq!(package.versions().game(), game, "{what}");
            is_explained(&package, &what);
        }
    }
    for &game in Game::ALL {
        assert_eq!(game.slug().parse::<Game>().unwrap(), game);
        for file in [61, 69, 128, 512, 684, 868] {
            let versions = Versions::ue1_to_3(file, 0).with_game(game);
            let bytes = builder(versions).build().unwrap();
            let package = OpenOptions::new().game(game).open_bytes(bytes.clone()).unwrap();
            let detected = if game == Game::Detect { Game::Mainline } else { game };
            assert_eq!(package.versions().game(), detected);
            assert!(package.to_bytes().unwrap() == bytes, "{file} as {game}");
            assert_eq!(package.exports().get(3).unwrap().path(), "Group.Skin");
        }
    }
    assert!("no such game".parse::<Game>().is_err());
}

#[test]
fn the_first_and_last_bytes_are_as_the_engine_writes_them() {
    let bytes = builder(Versions::ue1_to_3(69, 0)).build().unwrap();
    assert_eq!(bytes[..12], [0xc1, 0x83, 0x2a, 0x9e, 69, 0, 0, 0, 1, 0, 0, 0]);
    let big = Versions::ue1_to_3(512, 0).with_byte_order(ByteOrder::Big);
    assert_eq!(builder(big).build().unwrap()[..8], [0x9e, 0x2a, 0x83, 0xc1, 0, 0, 2, 0]);
    // Below 178 the file ends with the exports, from there on with the data (spec: ue1-3/03 §3.9).
    let ends = |file| {
        let package = open(&builder(Versions::ue1_to_3(file, 0)).build().unwrap());
        let sections = package.sections();
        sections.last().unwrap().section.to_string()
    };
    assert_eq!(
        (ends(61), ends(69), ends(177)),
        ("exports".into(), "exports".into(), "exports".into())
    );
    assert_eq!((ends(178), ends(868)), ("bodies[5]".into(), "bodies[5]".into()));
    // Summary 44, heritage 16 (spec: ue1-3/02 §2.6).
    let package = open(&builder(Versions::ue1_to_3(61, 0)).build().unwrap());
    let summary = package.summary();
    assert_eq!((summary.heritage_count, summary.heritage_offset, summary.name_offset), (1, 44, 60));
    let package = open(&builder(Versions::ue1_to_3(868, 0)).build().unwrap());
    let first_body = package.exports().entries()[0].serial_offset.value() as i32;
    assert_eq!(package.summary().total_header_size, first_body);
}
