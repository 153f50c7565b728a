//! Commands that would end well while the package says something else.

use crate::common;

use common::Folder;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;

/// An object of UE1 with a brightness.
fn lights() -> Folder {
    let folder = Folder::new();
    let body = [1, 0x01, 64, 0];
    let builder = Builder::new(69).name("LightBrightness");
    let builder =
        builder.export("Light0", "Engine.Light", body).export("Light1", "Engine.Light", body);
    folder.write("Map.u", builder.build().unwrap());
    folder
}

#[test]
fn an_operator_before_the_equals_sign_is_no_wildcard() {
    let folder = lights();
    let before = folder.read("Map.u");
    for change in [
        "Light*.LightBrightness*=2",
        "Light0.LightBrightness*=2",
        "Light0.LightBrightness+=2",
        "Light*.LightBrightness-=2",
        "Light0.LightBrightness/=2",
    ] {
        let run = folder.run("set", "Map.u", &[change, "--in-place"]).exits(2);
        assert!(
            run.err.contains("next: write the value itself") && run.err.contains(change),
            "{run:?}"
        );
        assert!(folder.read("Map.u") == before, "{change}");
    }
    // Other wildcards are what they were.
    folder.run("set", "Map.u", &["Light*.LightBrightness=2", "--in-place"]).exits(0);
    let package = folder.open("Map.u");
    assert_eq!(package.values().property("Light1", "LightBrightness").unwrap().text, "2");
}

/// A package with a variable, and a map with an object that stores a value of it.
fn game() -> Folder {
    let folder = Folder::new();
    // An int variable: no super field, none next to it, one element, flags, no category.
    let variable = [&[0, 0, 0][..], &1_u32.to_le_bytes(), &1_u32.to_le_bytes(), &[0]].concat();
    let builder = Builder::new(69).name("Speed").export("Gun", "Core.Package", []);
    let builder = builder.export("Gun.Speed", "Core.IntProperty", variable);
    folder.write("Mod.u", builder.build().unwrap());
    let body = [1, 0x22, 7, 0, 0, 0, 0];
    let builder = Builder::new(69).name("Speed").export("Mine", "Mod.Gun", body);
    folder.write("Map.unr", builder.build().unwrap());
    folder
}

#[test]
fn other_packages_that_say_the_name_of_a_declaration_are_named() {
    let folder = game();
    let (env, out) = (folder.arg(""), folder.arg("Out.u"));
    let rest = ["Gun.Speed", "Pace", "-o", &out, "--env", &env];
    let run = folder.run("rename", "Mod.u", &rest).exits(1);
    assert!(run.err.contains("Map: Mine says Speed"), "{run:?}");
    assert!(!folder.names().contains(&"Out.u".to_owned()));
    folder.run("rename", "Mod.u", &[&rest[..], &["--break-imports"]].concat()).exits(0);
    assert!(folder.open("Out.u").find_export("Gun.Pace").is_ok());
}
