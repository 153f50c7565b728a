//! What an open edit knows of the tables stays true, whatever changes in them.

use unreal_packages::edit::{Edit, PackageEdit, RemoveOptions};
use unreal_packages::generate::{Builder, Profile, create};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::property::{PropertyKind, Type};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{EngineRelease, Result};

fn packages() -> Vec<Package> {
    let release = EngineRelease::new(4, 27);
    let modern = Builder::for_release(release).name("None").build().unwrap();
    vec![create(&Profile::UT99).unwrap(), Package::from_bytes(modern).unwrap()]
}

fn class(edit: &Edit) -> &'static str {
    match edit.versions().has_object_versions() {
        true => "/Script/Engine.PointLight",
        false => "Engine.Light",
    }
}

/// The paths of all objects lead to them, and a copy that knows nothing yet finds the same.
fn is_known(edit: &Edit, what: &str) {
    let fresh = Package::clone(edit);
    for row in (0..edit.exports().len()).filter(|&row| !edit.exports().is_null(row)) {
        let path = edit.exports().path(row);
        assert_eq!(edit.find_export(&path).unwrap(), row, "{what}: {path}");
        assert_eq!(fresh.find_export(&path).unwrap(), row, "{what}: {path}");
    }
    for row in 0..edit.imports().len() {
        let path = edit.imports().get(row).unwrap().path();
        assert!(edit.find(&path).is_some(), "{what}: {path}");
    }
}

fn count(edit: &Edit, object: &str) -> String {
    edit.values().property(object, "Count").unwrap().text
}

#[test]
fn objects_and_values_are_found_after_every_kind_of_change() {
    let int = Type::new(PropertyKind::Int);
    for mut package in packages() {
        let done = package.edit(|edit| {
            let class = class(edit);
            for at in 0..8 {
                let name = format!("Thing{at}");
                edit.add_blank_object(&name, class)?;
                edit.add_property(&name, "Count", &int, &at.to_string())?;
                is_known(edit, &name);
            }
            edit.rename_object("Thing1", "Lamp")?;
            is_known(edit, "an object has another name");
            assert!(edit.find("Thing1").is_none() && count(edit, "Lamp") == "1");
            edit.rename_name("Thing2", "Door")?;
            is_known(edit, "a name has another text");
            assert!(edit.find("Thing2").is_none() && count(edit, "Door") == "2");
            edit.duplicate_object("Door", "Gate")?;
            is_known(edit, "a copy");
            edit.set_property("Gate", "Count", "9")?;
            assert_eq!((count(edit, "Gate"), count(edit, "Door")), ("9".into(), "2".into()));
            edit.remove_object("Thing3", RemoveOptions::Refuse)?;
            is_known(edit, "one is gone");
            assert!(edit.find_export("Thing3").is_err());
            // A name that was free again is taken again.
            edit.rename_name("Door", "Thing2")?;
            edit.rename_object("Lamp", "Door")?;
            is_known(edit, "names have changed places");
            assert_eq!((count(edit, "Door"), count(edit, "Thing2")), ("1".into(), "2".into()));
            Ok(())
        });
        done.unwrap();
        let again = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
        assert_eq!(again.values().property("Door", "Count").unwrap().text, "1");
    }
}

#[test]
fn what_a_call_that_fails_has_changed_is_not_known_any_more() {
    for mut package in packages() {
        let done = package.edit(|edit| {
            let class = class(edit);
            edit.add_blank_object("First", class)?;
            let before = (edit.names().len(), edit.imports().len(), edit.exports().len());
            let failed: Result<usize> = edit.add_export("Other", "NoPackage", vec![0]);
            failed.unwrap_err();
            edit.add_export("First.", class, vec![0]).unwrap_err();
            edit.duplicate_object("First", "First").unwrap_err();
            edit.rename_object("First", "").unwrap_err();
            let after = (edit.names().len(), edit.imports().len(), edit.exports().len());
            assert_eq!(before, after);
            is_known(edit, "after calls that failed");
            edit.add_blank_object("Other", class)?;
            is_known(edit, "and one that did not");
            Ok(())
        });
        done.unwrap();
    }
}

#[test]
fn what_is_put_in_place_of_names_is_known() {
    let release = EngineRelease::new(4, 27);
    let bytes = Builder::for_release(release).name("None").build().unwrap();
    let mut package = Package::from_bytes(bytes).unwrap();
    let made = package.edit(|edit| {
        edit.add_import("/Game/Old.Rock", "/Script/Engine.StaticMesh")?;
        // Its text is taken, so that the import gets another row of the name table.
        edit.add_name("/Game/New").map(drop)
    });
    made.unwrap();
    let changed = package.edit(|edit| {
        assert!(edit.find("/Game/Old.Rock").is_some());
        edit.retarget("/Game/Old", "/Game/New")?;
        is_known(edit, "the import lies elsewhere");
        assert!(edit.find("/Game/Old").is_none() && edit.find("/Game/New.Rock").is_some());
        edit.add_import("/Game/New.Tree", "/Script/Engine.StaticMesh").map(drop)
    });
    changed.unwrap();
    let imports = package.imports();
    let packages = imports.iter().filter(|import| import.path() == "/Game/New").count();
    assert_eq!(packages, 1, "it is imported once");
}
