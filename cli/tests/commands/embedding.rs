//! What `upk embed` says and leaves.

use crate::common;

use common::Folder;
use unreal_packages::content::{Image, NewTexture, NewTextures};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{Profile, create};
use unreal_packages::inspect::PackageValues;
use unreal_packages::property::PropertyList;

/// A package of textures in two groups, and one that refers to them, in a folder.
fn folder() -> Folder {
    let folder = Folder::new();
    let image = Image::from_rgba(4, 4, (0..16).map(|at| [at * 16, 7, 9, 255]).collect()).unwrap();
    let mut package = create(&Profile::UT99).unwrap();
    for path in ["Walls.Rough", "Walls.Smooth", "Sky"] {
        package.edit(|edit| edit.add_texture(path, &image, &NewTexture::default())).unwrap();
    }
    folder.write("MyTex.utx", package.to_bytes().unwrap());
    let mut package = create(&Profile::UT99).unwrap();
    package
        .edit(|edit| {
            for (lamp, skin) in [("Lamp0", "MyTex.Walls.Rough"), ("Lamp1", "MyTex.Sky")] {
                edit.add_import(skin, "Engine.Texture")?;
                edit.add_object(lamp, "Engine.Light", PropertyList::default(), ())?;
                let value = format!("Texture'{skin}'");
                edit.add_property(lamp, "Skin", &"object".parse()?, &value)?;
            }
            Ok::<_, unreal_packages::Error>(())
        })
        .unwrap();
    folder.write("Mod.u", package.to_bytes().unwrap());
    folder
}

#[test]
fn what_is_embedded_needs_the_other_package_no_more() {
    let folder = folder();
    let out = folder.arg("Out.u");
    let run = folder.run("embed", "Mod.u", &["MyTex.Walls.*", "-o", &out]).exits(0);
    assert!(run.out.contains("embedded 1 object (3 new objects)"), "{run:?}");
    assert!(run.out.contains("  MyTex.Walls.Rough is Walls.Rough here"), "{run:?}");
    assert!(run.out.contains("  Lamp0 (refers to a copy)"), "{run:?}");
    let package = folder.open("Out.u");
    assert_eq!(package.values().property("Lamp0", "Skin").unwrap().text, "Texture'Walls.Rough'");
    assert_eq!(package.values().property("Lamp1", "Skin").unwrap().text, "Texture'MyTex.Sky'");
    let change = folder.run("embed", "Mod.u", &["MyTex", "--overwrite", "--json", "-o", &out]);
    let change = change.exits(0).object()["change"].clone();
    assert_eq!(change["objects"].as_array().unwrap().len(), 2);
    assert_eq!(change["users"], serde_json::json!(["Lamp0", "Lamp1"]));
    let left =
        folder.open("Out.u").imports().iter().map(|import| import.path()).collect::<Vec<_>>();
    assert!(!left.iter().any(|path| path.starts_with("MyTex")), "{left:?}");
    std::fs::remove_file(folder.path("MyTex.utx")).unwrap();
    folder.run("verify", "Out.u", &[]).exits(0);
}

/// `Skins` refers to `Palettes`, and `Mod` to `Skins` and, with `is_direct`, to another object of `Palettes`.
fn chain(is_direct: bool) -> Folder {
    let folder = Folder::new();
    let object = |edit: &mut unreal_packages::edit::Edit, name: &str, import: &str| {
        edit.add_object(name, "Engine.Light", PropertyList::default(), ())?;
        if !import.is_empty() {
            edit.add_import(import, "Engine.Light")?;
            edit.add_property(name, "Skin", &"object".parse()?, &format!("Light'{import}'"))?;
        }
        Ok::<_, unreal_packages::Error>(())
    };
    let mut files = vec![
        ("Palettes.u", vec![("Night", ""), ("Day", "")]),
        ("Skins.u", vec![("Dark", "Palettes.Night")]),
        ("Mod.u", vec![("Lamp", "Skins.Dark")]),
    ];
    if is_direct {
        files[2].1.push(("Other", "Palettes.Day"));
    }
    for (file, objects) in files {
        let mut package = create(&Profile::UT99).unwrap();
        package
            .edit(|edit| objects.iter().try_for_each(|(name, import)| object(edit, name, import)))
            .unwrap();
        folder.write(file, package.to_bytes().unwrap());
    }
    folder
}

#[test]
fn further_packages_are_embedded_where_they_are_named() {
    for is_direct in [false, true] {
        let folder = chain(is_direct);
        let out = folder.arg("Out.u");
        for words in [["Skins.*", "Palettes.*"], ["Skins", "Palettes"]] {
            let args = [words[0], words[1], "--overwrite", "-o", &out];
            folder.run("embed", "Mod.u", &args).exits(0);
            let package = folder.open("Out.u");
            let left: Vec<String> = package.imports().iter().map(|it| it.path()).collect();
            let is_of = |path: &String| path.starts_with("Skins") || path.starts_with("Palettes");
            assert!(!left.iter().any(is_of), "{words:?}: {left:?}");
            assert_eq!(package.values().property("Lamp", "Skin").unwrap().text, "Light'Dark'");
            assert_eq!(package.values().property("Dark", "Skin").unwrap().text, "Light'Night'");
        }
        let run = folder.run("embed", "Mod.u", &["Skins", "Nowhere.*", "--overwrite", "-o", &out]);
        assert!(run.exits(1).err.contains("Nowhere.*"));
    }
}

#[test]
fn what_can_not_be_embedded_says_why() {
    let folder = folder();
    let out = folder.arg("Out.u");
    for (word, expected) in [("MyTex.None", "MyTex.None"), ("My?ex.Nothing*", "My?ex.Nothing*")] {
        let run = folder.run("embed", "Mod.u", &[word, "-o", &out]).exits(1);
        assert!(run.err.contains(expected), "{run:?}");
    }
    std::fs::remove_file(folder.path("MyTex.utx")).unwrap();
    let run = folder.run("embed", "Mod.u", &["MyTex", "-o", &out]).exits(1);
    assert!(run.err.contains("MyTex"), "{run:?}");
}
