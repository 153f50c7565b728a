//! Objects are added, duplicated, moved and copied: rows, and all that depends on rows.

use unreal_packages::edit::{CopyOptions, Dependencies, PackageEdit, PreloadDependencies};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::ue4::world::level::Level;
use unreal_packages::package::{FurtherSections, OpenOptions, Package, native_as};
use unreal_packages::primitive::PackageFlags;
use unreal_packages::version::{EngineRelease, UnrealVersions};
use unreal_packages::{ErrorKind, PackageIndex};

use super::reopened;

/// Releases of every form of tags and of tables.
const RELEASES: [(u8, u8); 13] = [
    (4, 0),
    (4, 7),
    (4, 12),
    (4, 14),
    (4, 15),
    (4, 18),
    (4, 27),
    (5, 0),
    (5, 2),
    (5, 3),
    (5, 4),
    (5, 6),
    (5, 7),
];
/// From this object version on cooked packages have preload dependencies.
const PRELOAD: u32 = 507;
const LEVEL: &str = "Map.PersistentLevel";
const SETTINGS: &str = "Map.PersistentLevel.Settings";
const BRUSH: &str = "Map.PersistentLevel.Brush";
const LAMP: &str = "Map.PersistentLevel.Lamp";

fn options(release: EngineRelease) -> OpenOptions {
    OpenOptions::new().engine(release)
}

/// A map with an actor that has a component, a second actor that refers to the first, and an asset.
fn map(release: EngineRelease, cooked: bool) -> Package {
    let mut sections = FurtherSections::default();
    let mut flags = PackageFlags::default();
    if cooked {
        flags = PackageFlags(PackageFlags::COOKED.0 | PackageFlags::FILTER_EDITOR_ONLY.0);
        if release.ue4() >= PRELOAD {
            // A row that belongs to no export, so that there is a table.
            sections.preload_dependencies = vec![PackageIndex::new(-1)];
        }
    }
    let bytes = Builder::for_release(release)
        .flags(flags)
        .sections(sections)
        .import("/Script/Engine", "/Script/CoreUObject.Package")
        .build()
        .unwrap();
    let options = options(release);
    let mut package = options.open_bytes(bytes).unwrap();
    let known = |text: &str| text.parse().unwrap();
    package
        .edit(|edit| {
            edit.add_blank_object("Map", "/Script/Engine.World")?;
            edit.add_blank_object(LEVEL, "/Script/Engine.Level")?;
            // The first two places of the list have a meaning of their own.
            edit.add_blank_object(SETTINGS, "/Script/Engine.WorldSettings")?;
            edit.add_blank_object(BRUSH, "/Script/Engine.Brush")?;
            edit.add_blank_object(LAMP, "/Script/Engine.PointLight")?;
            let light = "Map.PersistentLevel.Lamp.Light";
            edit.add_blank_object(light, "/Script/Engine.PointLightComponent")?;
            edit.add_property(LAMP, "LightComponent", &known("object"), light)?;
            edit.add_property(LAMP, "ActorLabel", &known("string"), "Lamp")?;
            let guid = "00000001000000020000000300000004";
            edit.add_property(LAMP, "ActorGuid", &known("struct:Guid"), guid)?;
            edit.add_property(light, "LightGuid", &known("struct:Guid"), guid)?;
            let user = "Map.PersistentLevel.User";
            edit.add_blank_object(user, "/Script/Engine.PointLight")?;
            edit.add_property(user, "Target", &known("object"), LAMP)?;
            edit.add_blank_object("Asset", "/Script/Engine.DataAsset")
        })
        .unwrap_or_else(|error| panic!("{release} {cooked}: {error}"));
    reopened(&package, &options)
}

fn paths(package: &Package) -> Vec<String> {
    package.exports().iter().map(|export| export.path()).collect()
}

/// The paths in the level's list of actors.
fn actors(package: &Package, level: &str) -> Vec<String> {
    let row = package.find_export(level).unwrap();
    let decoded = package.decode(row).unwrap();
    let level = native_as::<Level>(&decoded.body).unwrap();
    level.actors.iter().map(|&actor| package.path(actor)).collect()
}

fn value(package: &Package, object: &str, property: &str) -> String {
    package.values().property(object, property).unwrap().text
}

/// What stands in each of the lists of an export, as paths.
fn preload(package: &Package, path: &str) -> Option<[Vec<String>; 4]> {
    let found = PreloadDependencies::of(package, package.find_export(path).unwrap())?;
    Some(found.lists().map(|list| list.iter().map(|&index| package.path(index)).collect()))
}

/// Every package of these tests: whether it is cooked, and how it is opened.
fn each(mut check: impl FnMut(EngineRelease, bool, Package)) {
    for (major, minor) in RELEASES {
        let release = EngineRelease::new(major, minor);
        for cooked in [false, true] {
            check(release, cooked, map(release, cooked));
        }
    }
}

#[test]
fn a_new_object_has_all_that_the_header_says_of_it() {
    each(|release, cooked, package| {
        let label = format!("{release} {cooked}");
        let versions = package.versions();
        let expected = [SETTINGS, BRUSH, LAMP, "Map.PersistentLevel.User"];
        assert_eq!(actors(&package, LEVEL), expected, "{label}");
        let count = package.exports().len();
        assert_eq!(package.tables().depends.len(), count, "{label}");
        let newest = package.summary().generations.last().unwrap();
        assert_eq!(newest.export_count as usize, count);
        assert_eq!(newest.name_count as usize, package.names().len());
        let lamp = &package.tables().exports[package.find_export(LAMP).unwrap()];
        let template = package.path(lamp.template_index);
        if !cooked || versions.ue4() < 508 {
            assert!(lamp.template_index.is_null(), "{label}: {template}");
        } else {
            assert_eq!(template, "/Script/Engine.Default__PointLight", "{label}");
            let class = package.imports().iter().find(|row| row.path() == template).unwrap();
            assert_eq!(class.class(), "/Script/Engine.PointLight");
        }
        let registry = package.tables().further.asset_registry.as_ref();
        let assets = registry.map_or(0, |registry| registry.assets.len());
        assert_eq!(assets, if cooked { 0 } else { 2 }, "{label}");
        let (lamp, level) = (preload(&package, LAMP), preload(&package, LEVEL));
        let has_table = cooked && versions.ue4() >= PRELOAD;
        assert_eq!(lamp.is_some(), has_table, "{label}");
        if let Some((lamp, level)) = lamp.zip(level) {
            let [before, created, first, outer] = lamp;
            assert_eq!(before, [""; 0]);
            assert_eq!(created, ["Map.PersistentLevel.Lamp.Light"], "{label}");
            assert_eq!(
                first,
                ["/Script/Engine.PointLight", "/Script/Engine.Default__PointLight"],
                "{label}"
            );
            assert_eq!(outer, [LEVEL]);
            assert_eq!(level[1], expected, "{label}");
            // One behind the other, in the order of the exports.
            let mut next = 0;
            for export in package.exports().iter() {
                let found = PreloadDependencies::of(&package, export.row()).unwrap();
                let total: usize = found.lists().iter().map(|list| list.len()).sum();
                let first = export.entry().preload.first;
                assert_eq!(first, if total > 0 { next } else { -1 }, "{label}");
                next += total as i32;
            }
        }
    });
}

#[test]
fn a_duplicated_actor_stands_in_its_level_with_names_of_its_own() {
    each(|release, cooked, mut package| {
        let label = format!("{release} {cooked}");
        let before: Vec<_> =
            (0..package.exports().len()).map(|row| package.body(row).unwrap().to_vec()).collect();
        let row = package.edit(|edit| edit.duplicate_object(LAMP, "Lamp_7")).unwrap();
        let again = reopened(&package, &options(release));
        let copy = "Map.PersistentLevel.Lamp_7";
        assert_eq!(again.exports().path(row), copy);
        assert_eq!(paths(&again)[row + 1], "Map.PersistentLevel.Lamp_7.Light");
        let expected = [SETTINGS, BRUSH, LAMP, "Map.PersistentLevel.User", copy];
        assert_eq!(actors(&again, LEVEL), expected, "{label}");
        let component = value(&again, copy, "LightComponent");
        assert_eq!(component, "PointLightComponent'Map.PersistentLevel.Lamp_7.Light'", "{label}");
        assert_eq!(value(&again, copy, "ActorLabel").trim_matches('"'), "Lamp2", "{label}");
        let light = "Map.PersistentLevel.Lamp_7.Light";
        for (object, old, name) in
            [(copy, LAMP, "ActorGuid"), (light, "Map.PersistentLevel.Lamp.Light", "LightGuid")]
        {
            let (new, old) = (value(&again, object, name), value(&again, old, name));
            assert_ne!(new, old, "{label}");
        }
        // All others but the level are as they were.
        let level = again.find_export(LEVEL).unwrap();
        for (row, body) in before.iter().enumerate().filter(|(row, _)| *row != level) {
            assert!(again.body(row).unwrap() == body, "{label}: {row}");
        }
        if let Some([_, created, first, outer]) = preload(&again, copy) {
            assert_eq!(created, [light], "{label}");
            assert_eq!(first.len(), 2);
            assert_eq!(outer, [LEVEL]);
            let [_, created, ..] = preload(&again, LEVEL).unwrap();
            assert_eq!(created.last().unwrap(), copy, "{label}");
        }
    });
}

#[test]
fn objects_move_and_actors_stay_in_levels() {
    each(|release, cooked, mut package| {
        let label = format!("{release} {cooked}");
        let error = package.edit(|edit| edit.move_object(LAMP, None)).unwrap_err();
        assert!(matches!(error.unreal(), Some(UnrealError::Refused { .. })), "{label}: {error}");
        let error = package.edit(|edit| edit.move_object(LEVEL, Some(LAMP))).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Invalid { .. }), "{label}: {error}");
        package
            .edit(|edit| {
                edit.add_blank_object("Second", "/Script/Engine.World")?;
                edit.add_blank_object("Second.PersistentLevel", "/Script/Engine.Level")?;
                edit.move_object(LAMP, Some("Second.PersistentLevel"))?;
                edit.move_object("Asset", Some("Second"))
            })
            .unwrap_or_else(|error| panic!("{label}: {error}"));
        let again = reopened(&package, &options(release));
        let left = [SETTINGS, BRUSH, "Map.PersistentLevel.User"];
        assert_eq!(actors(&again, LEVEL), left, "{label}");
        let moved = "Second.PersistentLevel.Lamp";
        assert_eq!(actors(&again, "Second.PersistentLevel"), [moved], "{label}");
        let target = value(&again, "Map.PersistentLevel.User", "Target");
        assert_eq!(target, format!("PointLight'{moved}'"), "{label}");
        let registry = again.tables().further.asset_registry.as_ref();
        let known: Vec<_> = registry
            .iter()
            .flat_map(|registry| &registry.assets)
            .map(|asset| asset.object_path.text(again.source()).unwrap().into_owned())
            .collect();
        let expected: &[&str] = if cooked { &[] } else { &["Map", "Second"] };
        assert_eq!(known, expected, "{label}");
        if let Some([_, created, _, outer]) = preload(&again, moved) {
            assert_eq!(outer, ["Second.PersistentLevel"], "{label}");
            assert_eq!(created, ["Second.PersistentLevel.Lamp.Light"]);
            let [_, created, ..] = preload(&again, LEVEL).unwrap();
            assert_eq!(created, left, "{label}");
        }
    });
}

#[test]
fn actors_are_copied_into_the_level_of_another_package() {
    each(|release, cooked, source| {
        let label = format!("{release} {cooked}");
        let mut target = map(release, cooked);
        target.edit(|edit| edit.rename_object("Map", "Other")).unwrap();
        target.edit(|edit| edit.rename_object("Other.PersistentLevel.User", "Lone")).unwrap();
        let mut target = reopened(&target, &options(release));
        // Without a level there is no place for an actor.
        let user = "Map.PersistentLevel.User";
        let error =
            target.edit(|edit| edit.copy_from(&source, user, &CopyOptions::new())).unwrap_err();
        assert!(matches!(error.unreal(), Some(UnrealError::Refused { .. })), "{label}: {error}");
        let into = CopyOptions::new().into_group("Other.PersistentLevel");
        // The lamp that it refers to is an actor of its own.
        let error = target.edit(|edit| edit.copy_from(&source, user, &into)).unwrap_err();
        match error.unreal() {
            Some(UnrealError::Refused { objects, .. }) => assert_eq!(*objects, [LAMP], "{label}"),
            _ => panic!("{label}: {error}"),
        }
        let into = into.dependencies(Dependencies::Copy);
        let copied = target
            .edit(|edit| edit.copy_from(&source, user, &into))
            .unwrap_or_else(|error| panic!("{label}: {error}"));
        let again = reopened(&target, &options(release));
        let path = "Other.PersistentLevel.User";
        assert_eq!(again.exports().path(copied.row), path, "{label}");
        let listed = actors(&again, "Other.PersistentLevel");
        assert!(listed.contains(&path.to_owned()), "{label}: {listed:?}");
        // The lamp that it refers to is private to the map and lies in the same level.
        let lamp = value(&again, path, "Target");
        assert!(lamp.starts_with("PointLight'"), "{label}: {lamp} {copied:?}");
        if let Some([_, created, first, outer]) = preload(&again, path) {
            assert_eq!((created.len(), first.len()), (1, 2), "{label}");
            assert_eq!(outer, ["Other.PersistentLevel"]);
        }
    });
    let (old, new) = (EngineRelease::new(4, 27), EngineRelease::new(5, 0));
    let (source, mut target) = (map(old, false), map(new, false));
    let options = CopyOptions::new().into_group(LEVEL);
    let error = target.edit(|edit| edit.copy_from(&source, "Asset", &options)).unwrap_err();
    assert!(error.to_string().contains("release"), "{error}");
}

#[test]
fn a_reference_that_comes_and_goes_leaves_the_table_as_it_was() {
    for (major, minor) in RELEASES {
        let release = EngineRelease::new(major, minor);
        let mut package = map(release, true);
        let original = package.to_bytes().unwrap();
        let user = "Map.PersistentLevel.User";
        package.edit(|edit| edit.set_property(user, "Target", "Asset")).unwrap();
        let changed = reopened(&package, &options(release));
        if let Some([_, created, ..]) = preload(&changed, user) {
            assert_eq!(created, ["Asset"], "{release}");
        }
        package.edit(|edit| edit.set_property(user, "Target", LAMP)).unwrap();
        assert!(package.to_bytes().unwrap() == original, "{release}");
    }
}

/// What is copied together comes into the list of the other level, refers to its own copies, and is nobody's twin.
#[test]
fn a_group_of_actors_stands_in_the_other_level_with_names_of_its_own() {
    each(|release, cooked, source| {
        let label = format!("{release} {cooked}");
        let user = "Map.PersistentLevel.User";
        let mut target = map(release, cooked);
        let into = CopyOptions::new().into_group(LEVEL);
        let copied = target.edit(|edit| edit.copy_objects_from(&source, &[user, LAMP], &into));
        let copied = copied.unwrap_or_else(|error| panic!("{label}: {error}"));
        let again = reopened(&target, &options(release));
        let [other, lamp] = [0, 1].map(|at| again.exports().path(copied.rows[at]));
        assert_eq!([&*other, &*lamp], ["Map.PersistentLevel.User1", "Map.PersistentLevel.Lamp1"]);
        assert_eq!(actors(&again, LEVEL), [SETTINGS, BRUSH, LAMP, user, &lamp, &other], "{label}");
        assert_eq!(value(&again, &other, "Target"), format!("PointLight'{lamp}'"), "{label}");
        assert_eq!(value(&again, &lamp, "ActorLabel").trim_matches('"'), "Lamp2", "{label}");
        let light = format!("{lamp}.Light");
        for (object, name) in [(&lamp, "ActorGuid"), (&light, "LightGuid")] {
            let old = value(&again, &object.replace("Lamp1", "Lamp"), name);
            assert_ne!(value(&again, object, name), old, "{label}");
        }
    });
}

/// Labels count upwards past those that are taken.
#[test]
fn copies_have_labels_that_nobody_has() {
    let release = EngineRelease::new(5, 4);
    let mut package = map(release, false);
    let taken = ["Lamp", "Lamp2", "lamp3", "Door9"];
    package
        .edit(|edit| {
            for (at, label) in taken.iter().enumerate() {
                let actor = format!("{LEVEL}.Taken{at}");
                edit.add_blank_object(&actor, "/Script/Engine.PointLight")?;
                edit.add_property(&actor, "ActorLabel", &"string".parse().unwrap(), label)?;
            }
            Ok(())
        })
        .unwrap();
    for (label, next) in [("Lamp", "Lamp4"), ("Lamp2", "Lamp4"), ("Door9", "Door10"), ("7", "72")] {
        let mut package = package.clone();
        package.edit(|edit| edit.set_property(LAMP, "ActorLabel", label)).unwrap();
        package.edit(|edit| edit.duplicate_object(LAMP, "Copy")).unwrap();
        let copy = value(&package, &format!("{LEVEL}.Copy"), "ActorLabel");
        assert_eq!(copy.trim_matches('"'), next, "{label}");
    }
}

/// Ranges of the table follow rows that go: those that end before, around and behind it, and none at all.
#[test]
fn preload_ranges_follow_a_table_that_shrinks() {
    let release = EngineRelease::new(4, 27);
    let mut package = map(release, true);
    let names = ["A", "B", "C"].map(|name| format!("Asset.{name}"));
    package
        .edit(|edit| {
            for name in &names {
                edit.add_blank_object(name, "/Script/Engine.DataAsset")?;
                edit.add_property(
                    "Asset",
                    name.trim_start_matches("Asset."),
                    &"object".parse().unwrap(),
                    name,
                )?;
            }
            Ok(())
        })
        .unwrap();
    let package = reopened(&package, &options(release));
    let before: Vec<_> =
        paths(&package).into_iter().map(|path| (preload(&package, &path), path)).collect();
    for gone in &names {
        let mut package = package.clone();
        let options_of = unreal_packages::edit::RemoveOptions::NullReferences;
        package.edit(|edit| edit.remove_object(gone, options_of)).unwrap();
        let again = reopened(&package, &options(release));
        let without = |lists: Option<[Vec<String>; 4]>| {
            lists.map(|lists| {
                lists.map(|list| list.into_iter().filter(|path| path != gone).collect::<Vec<_>>())
            })
        };
        for (lists, path) in before.iter().filter(|(_, path)| path != gone) {
            assert_eq!(preload(&again, path), without(lists.clone()), "{path} without {gone}");
        }
        let table = &again.tables().further.preload_dependencies;
        let counted: usize = paths(&again)
            .iter()
            .filter_map(|path| preload(&again, path))
            .map(|lists| lists.iter().map(Vec::len).sum::<usize>())
            .sum();
        // The first row belongs to no export.
        assert_eq!(table.len(), counted + 1, "{gone}");
    }
}
