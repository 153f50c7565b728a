//! Edits: each is made, saved, opened and saved again; what was not edited stays; failures change nothing.

use crate::common;
use unreal_packages::edit::{Edit, PackageEdit};
use unreal_packages::package::Overlap;

use common::parts::Parts;
use common::{GUID, ORDERS, builder, open, save_twice};
use unreal_packages::error::noun;
use unreal_packages::package::{LayoutChoice, LayoutKind, Package, SaveOptions, Section};
use unreal_packages::primitive::{ObjectFlags, PackageFlags};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ErrorKind, Guid, PackageIndex, Versions};

const FILES: [u32; 9] = [35, 44, 61, 69, 128, 200, 512, 684, 868];

fn versions() -> impl Iterator<Item = Versions> {
    FILES
        .iter()
        .flat_map(|&file| ORDERS.map(|order| Versions::ue1_to_3(file, 0).with_byte_order(order)))
}

/// A package made by the builder and one with every table, at every version.
fn packages() -> impl Iterator<Item = Package> {
    versions().flat_map(|v| {
        [open(&builder(v.clone()).build().unwrap()), open(&Parts::rich(v).assemble())]
    })
}

fn bodies(package: &Package) -> Vec<Vec<u8>> {
    package.exports().iter().map(|row| row.body().to_vec()).collect()
}

fn names(package: &Package) -> Vec<String> {
    package.names().iter().map(|name| name.into_owned()).collect()
}

fn kind<T: std::fmt::Debug>(result: unreal_packages::Result<T>) -> ErrorKind {
    result.expect_err("this must fail").into_kind()
}

/// Saves under a choice of layout, opens the result, and makes sure that it saves the same again.
fn reopen(package: &Package, layout: LayoutChoice) -> Package {
    let saved = package.save(&SaveOptions::new().layout(layout));
    let saved = saved.unwrap_or_else(|e| panic!("{} {layout:?}: {e}", package.versions()));
    let again = open(&saved.bytes);
    assert!(again.to_bytes().unwrap() == saved.bytes, "{} {layout:?}", package.versions());
    assert!(Overlap::of(&again).is_empty(), "{} {layout:?}", package.versions());
    header_ends_where_it_says(&again);
    again
}

/// From version 249 on the summary says where the tables end: they stand before, the bodies behind.
fn header_ends_where_it_says(package: &Package) {
    let end = package.summary().total_header_size as u64;
    if package.versions().file() < 249 {
        assert_eq!(end, 0);
        return;
    }
    for place in package.sections() {
        match place.section {
            Section::Body(_) => assert!(place.start >= end, "{}: {end:#x}", package.versions()),
            Section::Gap(_) => {}
            _ => assert!(place.end() <= end, "{}: {end:#x}", package.versions()),
        }
    }
}

#[test]
fn renaming_changes_the_name_and_nothing_else() {
    for package in packages() {
        let (before, old_names) = (bodies(&package), names(&package));
        let paths: Vec<_> = package.exports().iter().map(|row| row.path()).collect();
        let row = package.names().find("Alpha").unwrap();
        for new in ["A", "Omega", "A_name_that_is_much_longer_than_Alpha", "ALPHA", "Alpha"] {
            let mut renamed = package.clone();
            assert_eq!(renamed.edit(|edit| edit.rename_name("alpha", new)).unwrap(), row);
            let saved = open(&save_twice(&renamed));
            let mut expected = old_names.clone();
            expected[row] = new.to_owned();
            assert_eq!(names(&saved), expected, "{}", package.versions());
            assert_eq!(bodies(&saved), before, "{}: {new}", package.versions());
            let expected: Vec<_> = paths.iter().map(|path| path.replace("Alpha", new)).collect();
            let now: Vec<_> = saved.exports().iter().map(|row| row.path()).collect();
            assert_eq!(now, expected, "{}: {new}", package.versions());
            if new.len() == 5 {
                let report = renamed.save(&SaveOptions::new()).unwrap().report;
                assert_eq!(report.layout, LayoutKind::InPlace);
            }
        }
    }
}

/// Also what looks wrong is done.
fn unchecked(edit: &mut Edit) -> &mut Edit {
    edit.set_checks(false);
    edit
}

#[test]
fn renaming_refuses_what_would_not_be_a_name() {
    for mut package in packages() {
        let before = package.to_bytes().unwrap();
        let file = package.versions().file();
        let old = names(&package);
        let other = old.iter().find(|name| !["None", "Alpha"].contains(&&***name)).unwrap();
        let taken = package.edit(|edit| edit.rename_name("Alpha", &other.to_uppercase()));
        assert!(matches!(kind(taken), ErrorKind::Exists { what: noun::NAME, .. }), "{file}");
        assert!(matches!(
            kind(package.edit(|edit| edit.rename_name("none", "Some"))),
            ErrorKind::Invalid { .. }
        ));
        assert!(matches!(
            kind(package.edit(|edit| edit.rename_name("Alpha", "NONE"))),
            ErrorKind::Exists { .. }
        ));
        let missing = package.edit(|edit| edit.rename_name("No_such", "Alpha"));
        assert!(matches!(kind(missing), ErrorKind::NotFound { what: noun::NAME, .. }));
        let longest = if file < 178 { 63 } else { 1023 };
        for bad in [String::new(), "a\0b".into(), "x".repeat(longest + 1)] {
            assert!(matches!(
                kind(package.edit(|edit| edit.rename_name("Alpha", &bad))),
                ErrorKind::BadText { .. }
            ));
            assert!(matches!(
                kind(package.edit(|edit| edit.add_name(&bad))),
                ErrorKind::BadText { .. }
            ));
        }
        // 8-bit only below 64; UTF-16 from there on.
        assert_eq!(
            package.clone().edit(|edit| unchecked(edit).rename_name("Alpha", "Ω")).is_err(),
            file < 64,
            "{file}"
        );
        let mut accented = package.clone();
        accented.edit(|edit| edit.rename_name("Alpha", "Ä")).unwrap();
        assert_eq!(open(&save_twice(&accented)).names().find("Ä"), package.names().find("Alpha"));
        assert!(package.to_bytes().unwrap() == before, "{file}: a failed call changed the package");
        package.edit(|edit| edit.rename_name("Alpha", &"x".repeat(longest))).unwrap();
        save_twice(&package);
    }
}

#[test]
fn adding_a_name_that_is_there_returns_it() {
    for mut package in packages() {
        let (count, before) = (package.names().len(), bodies(&package));
        let there = package.edit(|edit| edit.add_name("ALPHA")).unwrap();
        assert_eq!(Some(there.index.value() as usize), package.names().find("Alpha"));
        assert_eq!(package.names().len(), count);
        let added = package.edit(|edit| edit.add_name("Brand_new")).unwrap();
        assert_eq!(package.edit(|edit| edit.add_name("brand_NEW")).unwrap(), added);
        let saved = open(&save_twice(&package));
        assert_eq!(saved.name_text(added), "Brand_new");
        assert_eq!(saved.summary().name_count as usize, count + 1);
        assert!(
            saved.summary().generations.last().is_none_or(|g| g.name_count as usize == count + 1)
        );
        assert_eq!(bodies(&saved), before, "{}", package.versions());
    }
}

#[test]
fn imports_come_with_the_packages_around_them_and_only_once() {
    for mut package in packages() {
        let (v, before) = (package.versions().clone(), bodies(&package));
        let grouped = v.file() >= 50;
        let path = if grouped { "Fresh.Skins.Blue" } else { "Fresh.Blue" };
        let count = package.imports().len();
        let added = package.edit(|edit| edit.add_import(path, "Engine.Texture")).unwrap();
        let rows = if grouped { 3 } else { 1 };
        assert_eq!(package.imports().len(), count + rows, "{v}");
        assert_eq!(
            package.edit(|edit| edit.add_import(&path.to_lowercase(), "engine.texture")).unwrap(),
            added
        );
        assert_eq!(package.imports().len(), count + rows, "{v}: the same import twice");
        let saved = open(&save_twice(&package));
        assert_eq!(saved.path(added), path, "{v}");
        assert_eq!(saved.find(path), Some(added), "{v}");
        let row = saved.imports().get(count + rows - 1).unwrap();
        assert_eq!((row.class(), row.name()), ("Engine.Texture".into(), "Blue".into()), "{v}");
        if grouped {
            assert_eq!(saved.imports().get(count).unwrap().class(), "Core.Package");
            assert_eq!(saved.imports().get(count).unwrap().path(), "Fresh");
        }
        assert_eq!(bodies(&saved), before, "{v}");
        let bytes = package.to_bytes().unwrap();
        let conflict = package.edit(|edit| edit.add_import(path, "Engine.Sound"));
        assert!(matches!(kind(conflict), ErrorKind::Exists { what: noun::IMPORT, .. }), "{v}");
        for (path, class) in [
            ("Fresh..Blue", "Core.Class"),
            ("", "Core.Class"),
            ("Fresh.X", "Class"),
            ("A.B", "Core."),
        ] {
            let result = package.edit(|edit| edit.add_import(path, class));
            assert!(matches!(kind(result), ErrorKind::Invalid { .. }), "{v}: '{path}' '{class}'");
        }
        // Fails at its last part: the parts before it must not stay behind.
        let late = package
            .edit(|edit| edit.add_import(&format!("Other.{}", "x".repeat(2000)), "Core.Class"));
        assert!(matches!(kind(late), ErrorKind::BadText { .. }), "{v}");
        if !grouped {
            assert!(package.edit(|edit| edit.add_import("A.B.C", "Core.Class")).is_err());
        }
        assert!(package.to_bytes().unwrap() == bytes, "{v}: a failed call changed the package");
    }
}

#[test]
fn guids_and_package_flags_are_replaced() {
    for package in packages() {
        let (v, before) = (package.versions().clone(), package.to_bytes().unwrap());
        let mut changed = package.clone();
        let new = Guid::new(1, 2, 3, 4);
        if v.file() < 42 {
            let error = changed.edit(|edit| edit.set_guid(new)).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
            assert!(changed.to_bytes().unwrap() == before);
        } else {
            assert_eq!(package.guid(), GUID);
            changed.edit(|edit| edit.set_guid(new)).unwrap();
            let saved = open(&save_twice(&changed));
            assert_eq!(saved.guid(), new, "{v}");
            assert_eq!(
                saved.tables().heritage.last().copied(),
                (v.file() < 68).then_some(new),
                "{v}"
            );
            let drawn = changed.edit(|edit| edit.renew_guid()).unwrap();
            assert!(drawn != new && changed.guid() == drawn && !drawn.is_zero());
        }
        changed.edit(|edit| edit.set_package_flags(PackageFlags(0x1234_5679))).unwrap();
        let saved = open(&save_twice(&changed));
        assert_eq!(saved.summary().package_flags, PackageFlags(0x1234_5679), "{v}");
        assert!(package.to_bytes().unwrap() == before, "the other clone has not changed");
    }
}

#[test]
fn object_flags_are_replaced_but_not_the_state_frame() {
    for mut package in packages() {
        let v = package.versions().clone();
        let wide = v.file() >= 195;
        let shift = if wide { 32 } else { 0 };
        let before = package.to_bytes().unwrap();
        let stack = ObjectFlags(0x0200_0000 << shift);
        let old = package.exports().get(1).unwrap().flags();
        let refused = package.edit(|edit| edit.set_object_flags(1, old.with(stack)));
        assert!(matches!(kind(refused), ErrorKind::Invalid { .. }), "{v}");
        let missing = package.edit(|edit| edit.set_object_flags(99, old));
        assert!(matches!(kind(missing), ErrorKind::NotFound { what: noun::EXPORT, .. }), "{v}");
        if !wide {
            let result = package.edit(|edit| edit.set_object_flags(1, ObjectFlags(1 << 32)));
            assert!(matches!(kind(result), ErrorKind::OutOfRange { bits: 32, .. }), "{v}");
        }
        assert!(package.to_bytes().unwrap() == before, "{v}: a failed call changed the package");
        let new = ObjectFlags(0x000f_0004 << shift);
        package.edit(|edit| edit.set_object_flags(1, new)).unwrap();
        let saved = open(&save_twice(&package));
        assert_eq!(saved.exports().get(1).unwrap().flags(), new, "{v}");
        assert_eq!(
            saved.exports().get(0).unwrap().flags(),
            package.exports().get(0).unwrap().flags()
        );
    }
}

#[test]
fn bodies_are_replaced_at_every_size_and_layout() {
    for package in packages() {
        let (v, before) = (package.versions().clone(), bodies(&package));
        for row in 0..before.len() {
            let size = before[row].len();
            for new in [0, 1, size.saturating_sub(1), size, size + 1, 5000] {
                let mut changed = package.clone();
                changed.edit(|edit| edit.replace_body(row, vec![0xee; new])).unwrap();
                let mut expected = before.clone();
                expected[row] = vec![0xee; new];
                assert_eq!(bodies(&changed), expected);
                let saved = open(&save_twice(&changed));
                assert_eq!(bodies(&saved), expected, "{v}: body {row} of {new} bytes");
                let canonical = reopen(&changed, LayoutChoice::Canonical);
                assert_eq!(bodies(&canonical), expected, "{v}: body {row} of {new} bytes");
                assert_eq!(canonical.coverage().gap, 0, "{v}: body {row} of {new} bytes");
                let kept = reopen(&changed, LayoutChoice::Keep);
                assert_eq!(bodies(&kept), expected, "{v}: body {row} of {new} bytes, kept");
                let offset = |package: &Package, row: usize| {
                    package.exports().entries()[row].serial_offset.value()
                };
                for other in (0..before.len()).filter(|&at| at != row && !before[at].is_empty()) {
                    // What a longer export table needs in UE3 is taken from the first bodies.
                    if (178..249).contains(&v.file()) && size == 0 {
                        continue;
                    }
                    assert_eq!(offset(&kept, other), offset(&package, other), "{v}: {other} moved");
                }
            }
        }
        let missing = package.clone().edit(|edit| edit.replace_body(99, vec![1]));
        assert!(matches!(kind(missing), ErrorKind::NotFound { what: noun::EXPORT, .. }));
    }
}

#[test]
fn many_edits_together_survive_both_layouts() {
    for mut package in packages() {
        let v = package.versions().clone();
        let mut expected = bodies(&package);
        package.edit(|edit| edit.rename_name("Alpha", "Renamed_to_something_longer")).unwrap();
        for at in 0..100 {
            package.edit(|edit| edit.add_name(&format!("Added{at}"))).unwrap();
        }
        package.edit(|edit| edit.add_import("Late.Import", "Core.Class")).unwrap();
        expected[0] = vec![0x31; 70_000];
        package.edit(|edit| edit.replace_body(0, expected[0].clone())).unwrap();
        let mut saved: Vec<Package> = Vec::new();
        for layout in [LayoutChoice::Auto, LayoutChoice::Canonical, LayoutChoice::Keep] {
            let again = reopen(&package, layout);
            assert_eq!(bodies(&again), expected, "{v} {layout:?}");
            assert_eq!(names(&again), names(&package), "{v} {layout:?}");
            assert!(again.find("Late.Import").is_some(), "{v} {layout:?}");
            assert_eq!(
                again.tables().thumbnails.len(),
                package.tables().thumbnails.len(),
                "{v} {layout:?}"
            );
            for (now, before) in again.tables().thumbnails.iter().zip(&package.tables().thumbnails)
            {
                let size = |p: &Package, t| p.tables().image(t).map(|image| image.image.len());
                assert_eq!(size(&again, now), size(&package, before), "{v} {layout:?}");
            }
            assert_eq!(again.tables().depends, package.tables().depends, "{v} {layout:?}");
            assert_eq!(
                again.tables().export_guids,
                package.tables().export_guids,
                "{v} {layout:?}"
            );
            saved.push(again);
        }
        // A kept file may be made canonical again, and is then what it would have been at once.
        assert!(saved[0].source() == saved[1].source(), "{v}: canonical is what Auto chooses");
        let tidied = reopen(&saved[2], LayoutChoice::Canonical);
        assert_eq!(bodies(&tidied), expected, "{v}");
    }
}

#[test]
fn references_say_whether_they_are_there() {
    let package = open(&builder(Versions::ue1_to_3(69, 0)).build().unwrap());
    let (imports, exports) = (package.imports().len(), package.exports().len());
    assert!(!package.object_name(PackageIndex::export(exports - 1)).is_empty());
    assert!(package.object_name(PackageIndex::export(exports)).is_empty());
    assert!(!package.object_name(PackageIndex::import(imports - 1)).is_empty());
    assert!(package.object_name(PackageIndex::import(imports)).is_empty());
    assert!(package.object_name(PackageIndex::NULL).is_empty());
}
