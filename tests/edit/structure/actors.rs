//! A level's list of actors, before UE4: who is copied is in it.

use unreal_packages::edit::{CopyOptions, PackageEdit};
use unreal_packages::object::{ue1, ue2, ue3};
use unreal_packages::package::{Package, native_as};
use unreal_packages::property::PropertyList;
use unreal_packages::{ErrorKind, PackageIndex};

use super::common::GUID;
use super::reopen;
use unreal_packages::generate::Builder;

/// File versions of each engine: UE1, UE2, UE3.
const FILES: [u32; 8] = [61, 69, 118, 128, 512, 576, 684, 868];
const UE2: u32 = 99;
const UE3: u32 = 178;

/// Where the level of such a package is, and what lies before the name of an actor.
fn places(file: u32) -> (&'static str, &'static str) {
    match file {
        ..UE3 => ("MyLevel", ""),
        _ => ("World.PersistentLevel", "World.PersistentLevel."),
    }
}

/// A level with three actors.
fn level(file: u32) -> Package {
    let mut package = Package::from_bytes(Builder::new(file).guid(GUID).build().unwrap()).unwrap();
    let (level, prefix) = places(file);
    let made = package.edit(|edit| {
        let plain = PropertyList::default;
        let info = "Engine.Info";
        if file >= UE3 {
            edit.add_plain_object("World", "Core.Package", plain())?;
            edit.add_plain_object("World.PersistentLevel", "Core.Package", plain())?;
        }
        let mut actors = Vec::new();
        for name in ["LevelInfo0", "Brush0", "Light0"] {
            let row = edit.add_plain_object(&format!("{prefix}{name}"), info, plain())?;
            actors.push(PackageIndex::export(row));
        }
        let path = if file >= UE3 { "World.Level" } else { level };
        let maximum = actors.len() as i32;
        match file {
            ..UE2 => {
                let mut level = ue1::Level::default();
                (level.actors.items, level.actors.maximum) = (actors, maximum);
                edit.add_object(path, "Engine.Level", plain(), level)
            }
            UE2..UE3 => {
                let mut level = ue2::Level::default();
                (level.actors.items, level.actors.maximum) = (actors, maximum);
                edit.add_object(path, "Engine.Level", plain(), level)
            }
            _ => {
                let level = ue3::world::level::Level { actors, ..Default::default() };
                edit.add_object(path, "Engine.Level", plain(), level)
            }
        }
    });
    made.unwrap_or_else(|error| panic!("{file}: {error}"));
    reopen(&package)
}

fn actors(package: &Package) -> Vec<String> {
    let rows = 0..package.exports().len();
    let listed = rows.into_iter().find_map(|row| {
        let body = &package.decoded(row)?.body;
        let ue1 = native_as::<ue1::Level>(body).map(|level| level.actors.items.clone());
        let ue2 = || native_as::<ue2::Level>(body).map(|level| level.actors.items.clone());
        let ue3 = || native_as::<ue3::world::level::Level>(body).map(|level| level.actors.clone());
        ue1.or_else(ue2).or_else(ue3)
    });
    listed.unwrap().into_iter().map(|index| package.path(index)).collect()
}

#[test]
fn a_duplicated_actor_is_at_the_end_of_its_levels_list() {
    for file in FILES {
        let mut package = level(file);
        let (_, prefix) = places(file);
        let path = |name: &str| format!("{prefix}{name}");
        let before = actors(&package);
        package.edit(|edit| edit.duplicate_object(&path("Light0"), "Light1")).unwrap();
        let again = reopen(&package);
        let expected: Vec<_> = before.iter().cloned().chain([path("Light1")]).collect();
        assert_eq!(actors(&again), expected, "{file}");
    }
}

#[test]
fn a_copied_actor_comes_into_the_list_of_the_other_level() {
    for file in FILES.into_iter().filter(|&file| file < UE3) {
        let source = level(file);
        let mut target = level(file);
        target.edit(|edit| edit.rename_object("Light0", "Lamp0")).unwrap();
        let mut target = reopen(&target);
        let before = actors(&target);
        target.edit(|edit| edit.copy_from(&source, "Light0", &CopyOptions::new())).unwrap();
        let again = reopen(&target);
        let expected: Vec<_> = before.iter().cloned().chain(["Light0".to_owned()]).collect();
        assert_eq!(actors(&again), expected, "{file}");
    }
}

#[test]
fn objects_of_one_path_are_told_apart_by_their_class() {
    for file in [69, 128, 868] {
        let mut package =
            Package::from_bytes(Builder::new(file).guid(GUID).build().unwrap()).unwrap();
        package
            .edit(|edit| {
                edit.add_plain_object("Skins.Blue", "Engine.Info", PropertyList::default())?;
                edit.add_plain_object("Skins.Blue", "Engine.Note", PropertyList::default())
            })
            .unwrap();
        let package = reopen(&package);
        let error = package.find_export("Skins.Blue").unwrap_err().to_string();
        assert!(error.contains("Info'Skins.Blue' (#1), Note'Skins.Blue' (#2)"), "{error}");
        for (text, row) in
            [("Info'Skins.Blue'", 1), ("note'skins.blue'", 2), ("Engine.Note'Skins.Blue'", 2)]
        {
            assert_eq!(package.find_export(text).unwrap(), row, "{text}");
            assert_eq!(package.find(text), Some(PackageIndex::export(row)));
        }
        let error = package.find_export("Actor'Skins.Blue'").unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NotFound { .. }));
        assert!(error.to_string().contains("did you mean 'Info'Skins.Blue''"), "{error}");
        // Whatever takes an object takes the form.
        let mut package = package;
        package.edit(|edit| edit.duplicate_object("Note'Skins.Blue'", "Red")).unwrap();
        assert_eq!(package.exports().get(3).unwrap().class(), "Engine.Note");
    }
}
