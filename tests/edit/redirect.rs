//! References that go to what is in the package already.

use unreal_packages::edit::{PackageEdit, Redirected};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::generate::Builder;
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{PackageIndex, Result};

use super::common::{GUID, level, reopen_decoded};
use super::placed_actors::{FILES, actors, map, prefix, value};

fn redirect(package: &Package, old: &str, new: &str, drop: bool) -> Result<(Redirected, Package)> {
    let mut changed = package.clone();
    let done = changed.edit(|edit| edit.redirect(old, new, drop))?;
    Ok((done, reopen_decoded(&changed)))
}

/// Two skins of other packages, and one of the package itself.
fn skins(file: u32) -> Package {
    let builder = Builder::new(file)
        .guid(GUID)
        .import("Old.Skins.Blue", "Engine.Texture")
        .import("Old.Skins.Red", "Engine.Texture")
        .import("New.Skins.Blue", "Engine.Texture");
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    package
        .edit(|edit| {
            edit.add_blank_object("Own", "Engine.Texture")?;
            edit.add_blank_object("User", "Engine.Info")?;
            edit.set_property("User", "First:object", "Old.Skins.Blue")?;
            edit.set_property("User", "Second:object", "Old.Skins.Red")?;
            edit.add_blank_object("Other", "Engine.Info")
        })
        .unwrap_or_else(|error| panic!("{file}: {error}"));
    reopen_decoded(&package)
}

#[test]
fn an_import_gives_way_to_an_import_or_an_object_that_is_there() {
    for file in FILES {
        let package = skins(file);
        let (done, again) = redirect(&package, "Old.Skins.Blue", "New.Skins.Blue", false).unwrap();
        assert_eq!(done.objects, ["User"], "{file}");
        assert_eq!(value(&again, "User", "First").unwrap(), "Texture'New.Skins.Blue'", "{file}");
        assert_eq!(value(&again, "User", "Second").unwrap(), "Texture'Old.Skins.Red'");
        let (_, again) = redirect(&package, "Old.Skins.Red", "Own", false).unwrap();
        assert_eq!(value(&again, "User", "Second").unwrap(), "Texture'Own'", "{file}");
        // An object of another class is doubted.
        let error = redirect(&package, "Old.Skins.Red", "Other", false).unwrap_err();
        assert!(matches!(error.unreal(), Some(UnrealError::Doubtful { .. })), "{file}: {error}");
    }
}

#[test]
fn the_imports_of_a_package_become_those_of_another() {
    for file in FILES {
        let package = skins(file);
        let (done, again) = redirect(&package, "Old", "New", false).unwrap();
        let pair = |old: &str, new: &str| (old.to_owned(), new.to_owned());
        assert!(done.references.contains(&pair("Old.Skins.Blue", "New.Skins.Blue")), "{done:?}");
        assert_eq!(value(&again, "User", "First").unwrap(), "Texture'New.Skins.Blue'", "{file}");
        // What the other package was not imported for yet lies in it now.
        assert_eq!(value(&again, "User", "Second").unwrap(), "Texture'New.Skins.Red'", "{file}");
        let error = redirect(&package, "New", "New.Skins", false).unwrap_err();
        assert!(error.to_string().contains("lies in"), "{file}: {error}");
    }
}

#[test]
fn lists_of_a_level_keep_what_others_no_longer_refer_to() {
    for file in FILES {
        let mut package = map(file, "Light1");
        let prefix = prefix(package.versions().engine());
        let [first, second, builder] =
            ["Light0", "Light1", "Builder"].map(|name| format!("{prefix}{name}"));
        package.edit(|edit| edit.set_property(&builder, "Target:object", &first)).unwrap();
        let (done, again) = redirect(&package, &first, &second, false).unwrap();
        assert_eq!(done.objects, [&*builder], "{file}");
        assert_eq!(value(&again, &builder, "Target").unwrap(), format!("Light'{second}'"));
        assert_eq!(actors(&again), actors(&package), "{file}");
        package.edit(|edit| edit.set_property(&builder, "nextPawn:object", &first)).unwrap();
        let error = redirect(&package, &first, &second, false).unwrap_err();
        assert!(error.to_string().contains("chain of its level"), "{file}: {error}");
    }
}

#[test]
fn objects_of_a_class_become_objects_of_another_and_what_it_lacks_is_named() {
    for file in [69, 128] {
        let mut package = Package::from_bytes(level::level(file)).unwrap();
        package.edit(|edit| edit.set_property("Lamp0", "Count", "7")).unwrap();
        let copy = package.edit(|edit| {
            let row = edit.duplicate_object("Lamp", "Torch")?;
            edit.remove_object("Torch.Title", unreal_packages::edit::RemoveOptions::Refuse)?;
            Ok::<_, unreal_packages::Error>(row)
        });
        copy.unwrap_or_else(|error| panic!("{file}: {error}"));
        let package = reopen_decoded(&package);
        let torch = PackageIndex::export(package.find_export("Torch").unwrap());
        let class = |package: &Package, path: &str| {
            package.exports().get(package.find_export(path).unwrap()).unwrap().entry().class_index
        };
        let (done, again) = redirect(&package, "Lamp", "Torch", false).unwrap();
        assert_eq!(done.instances, ["Lamp0", "Lamp1"], "{file}");
        assert_eq!(class(&again, "Lamp0"), torch, "{file}");
        assert_eq!(value(&again, "Lamp0", "Count").unwrap(), "7");

        let mut titled = package.clone();
        titled.edit(|edit| edit.set_property("Lamp0", "Title", "Old")).unwrap();
        let error = redirect(&titled, "Lamp", "Torch", false).unwrap_err();
        match error.unreal() {
            Some(UnrealError::Refused { objects, .. }) => assert_eq!(*objects, ["Lamp0.Title"]),
            _ => panic!("{file}: {error}"),
        }
        let (done, again) = redirect(&titled, "Lamp", "Torch", true).unwrap();
        assert_eq!(done.dropped, ["Lamp0.Title"], "{file}");
        assert_eq!(value(&again, "Lamp0", "Title"), None);
        assert_eq!(value(&again, "Lamp0", "Count").unwrap(), "7");
    }
}

#[test]
fn archetypes_of_ue3_follow_the_class() {
    let builder = Builder::new(868)
        .guid(GUID)
        .import("Game.Lamp", "Core.Class")
        .import("Game.Default__Lamp", "Game.Lamp")
        .import("Mod.Torch", "Core.Class");
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    package.edit(|edit| edit.add_blank_object("Lamp0", "Game.Lamp")).unwrap();
    package.edit(|edit| edit.set_property("Lamp0", "Base:object", "Game.Default__Lamp")).unwrap();
    let package = reopen_decoded(&package);
    let base = |package: &Package| value(package, "Lamp0", "Base").unwrap();
    let (done, again) = redirect(&package, "Game.Lamp", "Mod.Torch", false).unwrap();
    assert_eq!(done.instances, ["Lamp0"]);
    assert_eq!(base(&again), "Torch'Mod.Default__Torch'");
    // The same where the new class is not imported yet.
    let mut changed = package.clone();
    changed.edit(|edit| edit.retarget_import("Game.Lamp", "Far.Flame", "Core.Class")).unwrap();
    assert_eq!(base(&reopen_decoded(&changed)), "Flame'Far.Default__Flame'");
}

/// Amid the path to an import stand groups, and from UE3 on the defaults of classes, which are of these.
#[test]
fn objects_within_defaults_are_imported_with_these() {
    for (file, class) in [(69, "Core.Package"), (868, "Engine.PointLight")] {
        let mut package =
            Package::from_bytes(Builder::new(file).guid(GUID).build().unwrap()).unwrap();
        let path = "Engine.Default__PointLight.Lamp0";
        package.edit(|edit| edit.add_import(path, "Engine.PointLightComponent")).unwrap();
        let classes: Vec<(String, String)> =
            package.imports().iter().map(|import| (import.path(), import.class())).collect();
        let of = |path: &str, class: &str| (path.to_owned(), class.to_owned());
        assert_eq!(
            classes,
            [
                of("Engine", "Core.Package"),
                of("Engine.Default__PointLight", class),
                of(path, "Engine.PointLightComponent"),
            ]
        );
    }
}
