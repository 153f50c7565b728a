//! What is imported becomes the package's own.

use unreal_packages::content::{Image, NewTexture, NewTextures, PackageContents};
use unreal_packages::edit::{CopyOptions, Dependencies, PackageEdit};
use unreal_packages::generate::{Profile, create};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::property::PropertyList;

fn image(shift: u8) -> Image {
    let texel = |at: u32| [(at % 8) as u8 * 16, (at / 8) as u8 * 16, shift, 255];
    Image::from_rgba(8, 8, (0..64).map(texel).collect()).unwrap()
}

/// Textures in and beside groups, with a palette each.
fn textures(profile: &Profile) -> Package {
    let mut package = create(profile).unwrap();
    for (shift, path) in (1..).zip(["Plain", "Walls.Rough", "Walls.Stone.Old"]) {
        package.edit(|edit| edit.add_texture(path, &image(shift), &NewTexture::default())).unwrap();
    }
    reopened(&package)
}

fn reopened(package: &Package) -> Package {
    Package::from_bytes(package.to_bytes().unwrap()).unwrap()
}

/// An object that refers to textures of `MyTex`, and has the import of another package.
fn user(profile: &Profile, skins: &[&str]) -> Package {
    let mut package = create(profile).unwrap();
    package
        .edit(|edit| {
            edit.add_import("Other.Plain", "Engine.Texture")?;
            for (at, skin) in skins.iter().enumerate() {
                edit.add_import(skin, "Engine.Texture")?;
                let name = format!("Lamp{at}");
                edit.add_object(&name, "Engine.Light", PropertyList::default(), ())?;
                let value = format!("Texture'{skin}'");
                edit.add_property(&name, "Skin", &"object".parse()?, &value)?;
            }
            Ok::<_, unreal_packages::Error>(())
        })
        .unwrap();
    reopened(&package)
}

fn imports(package: &Package) -> Vec<String> {
    package.imports().iter().map(|import| import.path()).collect()
}

fn skin(package: &Package, lamp: &str) -> String {
    package.values().property(lamp, "Skin").unwrap().text
}

fn options() -> CopyOptions {
    CopyOptions::new().source_name("MyTex").target_name("Map")
}

#[test]
fn textures_come_with_palettes_and_groups_and_imports_go() {
    for profile in [&Profile::UT99, &Profile::UT2004] {
        let source = textures(profile);
        let paths = ["MyTex.Plain", "MyTex.Walls.Rough", "MyTex.Walls.Stone.Old"];
        let mut package = user(profile, &paths);
        let done = package.edit(|edit| edit.embed(&source, &["mytex"], &options())).unwrap();
        let inner: Vec<&str> = done.objects.iter().map(|(_, path)| path.as_str()).collect();
        assert_eq!(inner, ["Plain", "Walls.Rough", "Walls.Stone.Old"]);
        assert_eq!(done.users, ["Lamp0", "Lamp1", "Lamp2"]);
        let package = reopened(&package);
        let left = imports(&package);
        assert!(!left.iter().any(|path| path.starts_with("MyTex")), "{left:?}");
        assert!(left.contains(&"Other.Plain".to_owned()), "others stay");
        for (at, path) in inner.iter().enumerate() {
            assert_eq!(skin(&package, &format!("Lamp{at}")), format!("Texture'{path}'"));
            let picture = |package: &Package| {
                let row = package.find_export(path).unwrap();
                package.contents().texture_image(row).unwrap().to_png().unwrap()
            };
            assert_eq!(picture(&package), picture(&source), "{path}");
        }
    }
}

#[test]
fn one_import_is_embedded_and_others_of_its_package_stay() {
    let source = textures(&Profile::UT99);
    let mut package = user(&Profile::UT99, &["MyTex.Plain", "MyTex.Walls.Rough"]);
    package.edit(|edit| edit.embed(&source, &["MyTex.Walls.Rough"], &options())).unwrap();
    let left = imports(&package);
    assert!(left.contains(&"MyTex.Plain".to_owned()), "{left:?}");
    assert!(!left.contains(&"MyTex.Walls".to_owned()), "nothing uses it: {left:?}");
    assert_eq!(skin(&package, "Lamp0"), "Texture'MyTex.Plain'");
    assert_eq!(skin(&package, "Lamp1"), "Texture'Walls.Rough'");
}

#[test]
fn a_name_that_is_taken_gives_the_copy_a_free_one() {
    let source = textures(&Profile::UT99);
    let mut package = user(&Profile::UT99, &["MyTex.Plain"]);
    package.edit(|edit| edit.add_texture("Plain", &image(9), &NewTexture::default())).unwrap();
    let done = package.edit(|edit| edit.embed(&source, &["MyTex.Plain"], &options())).unwrap();
    assert_eq!(done.objects, [("MyTex.Plain".to_owned(), "Plain1".to_owned())]);
    assert_eq!(skin(&package, "Lamp0"), "Texture'Plain1'");
}

#[test]
fn what_is_not_imported_or_not_there_is_refused_and_nothing_changes() {
    let source = textures(&Profile::UT99);
    let mut package = user(&Profile::UT99, &["MyTex.Plain", "MyTex.Gone"]);
    let before = package.to_bytes().unwrap();
    let mut said = |paths: &[&str]| {
        let error = package.edit(|edit| edit.embed(&source, paths, &options())).unwrap_err();
        error.to_string()
    };
    assert!(said(&["MyTex.Walls"]).contains("MyTex.Walls"));
    assert!(said(&["MyTex"]).contains("Gone"), "the other package has none");
    assert!(said(&["MyTex.Plain", "Other.Plain"]).contains("several packages"));
    assert!(said(&[]).contains("no import"));
    assert_eq!(package.to_bytes().unwrap(), before);
}

/// Objects of two classes under one name, and the name alone.
fn of_two_classes() -> Package {
    let mut package = create(&Profile::UT99).unwrap();
    package
        .edit(|edit| {
            edit.add_object("Blue", "Engine.Light", PropertyList::default(), ())?;
            edit.add_property("Blue", "Tag", &"name".parse()?, "OfLight")?;
            edit.add_object("Bluf", "Engine.Info", PropertyList::default(), ())?;
            edit.add_property("Bluf", "Tag", &"name".parse()?, "OfInfo")
        })
        .unwrap();
    // The edit refuses to make a second one.
    let rows = ["Blue", "Bluf"].map(|path| package.find_export(path).unwrap());
    let exports = &mut package.parts_mut().tables.exports;
    exports[rows[1]].object_name = exports[rows[0]].object_name;
    reopened(&package)
}

#[test]
fn imports_of_one_path_and_several_classes_are_told_apart() {
    let source = of_two_classes();
    let mut package = create(&Profile::UT99).unwrap();
    package
        .edit(|edit| {
            for (lamp, class, path) in [("Lamp0", "Light", "Blue"), ("Lamp1", "Info", "Bluf")] {
                let path = format!("MyTex.{path}");
                edit.add_import(&path, &format!("Engine.{class}"))?;
                edit.add_object(lamp, "Engine.Light", PropertyList::default(), ())?;
                let value = format!("{class}'{path}'");
                edit.add_property(lamp, "Skin", &"object".parse()?, &value)?;
            }
            Ok::<_, unreal_packages::Error>(())
        })
        .unwrap();
    let row = |path: &str| imports(&package).iter().position(|it| it == path).unwrap();
    let rows = ["MyTex.Blue", "MyTex.Bluf"].map(row);
    let all = &mut package.parts_mut().tables.imports;
    all[rows[1]].object_name = all[rows[0]].object_name;
    let mut package = reopened(&package);
    let done = package.edit(|edit| edit.embed(&source, &["MyTex"], &options())).unwrap();
    assert_eq!(done.objects.len(), 2);
    assert_eq!(done.users, ["Lamp0", "Lamp1"]);
    let package = reopened(&package);
    assert!(!imports(&package).iter().any(|path| path.starts_with("MyTex")));
    for (lamp, class, tag) in [("Lamp0", "Light", "OfLight"), ("Lamp1", "Info", "OfInfo")] {
        let skin = skin(&package, lamp);
        assert!(skin.starts_with(&format!("{class}'")), "{lamp}: {skin}");
        let place = package.values().property(&skin, "Tag").unwrap();
        assert!(place.text.contains(tag), "{lamp}: {skin} has {}", place.text);
    }
}

#[test]
fn copies_with_their_dependencies_need_no_palette_of_the_source() {
    let source = textures(&Profile::UT99);
    for (dependencies, needs) in [(Dependencies::Copy, false), (Dependencies::Auto, true)] {
        let mut package = create(&Profile::UT99).unwrap();
        let options = options().dependencies(dependencies);
        package.edit(|edit| edit.copy_from(&source, "Walls.Rough", &options)).unwrap();
        let found = imports(&package).iter().any(|path| path.starts_with("MyTex"));
        assert_eq!(found, needs, "{dependencies:?}");
    }
}
