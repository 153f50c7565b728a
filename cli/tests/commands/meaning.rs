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
fn an_operator_before_the_equals_sign_computes_and_is_no_wildcard() {
    let folder = lights();
    let value = |object: &str| {
        folder.open("Map.u").values().property(object, "LightBrightness").unwrap().text
    };
    for (change, expected) in [
        ("Light*.LightBrightness*=2", ["128", "128"]),
        ("Light0.LightBrightness+=2", ["130", "128"]),
        ("Light*.LightBrightness-=3.4", ["127", "125"]),
        ("Light0.LightBrightness/=2", ["64", "125"]),
        ("Light*.LightBrightness:=clamp(value*4, 0, 255)", ["255", "255"]),
        ("Light*.LightBrightness=2", ["2", "2"]),
    ] {
        folder.run("set", "Map.u", &[change, "--in-place"]).exits(0);
        assert_eq!(["Light0", "Light1"].map(value), expected, "{change}");
    }
    let before = folder.read("Map.u");
    for change in [
        // A wildcard that was meant is no product.
        "Light*.Light*=2",
        "Light*.LightBrightness*=x",
        "Light*.LightBrightness*=200",
        "Light*.LightBrightness/=0",
        "Light*.LightHue*=2",
    ] {
        let run = folder.run("set", "Map.u", &[change, "--in-place"]);
        assert!(run.code != 0 && !run.err.is_empty(), "{change}: {run:?}");
        assert!(folder.read("Map.u") == before, "{change}");
    }
}

#[test]
fn objects_are_chosen_by_conditions_in_every_command() {
    let folder = lights();
    folder.run("set", "Map.u", &["Light1.LightBrightness=200", "--in-place"]).exits(0);
    let bright = ["--where", "class==Light && LightBrightness>100"];
    let list = folder.run("list", "Map.u", &bright).exits(0).out;
    assert!(list.contains("Light1") && !list.contains("Light0"), "{list}");
    let shown = folder.run("get", "Map.u", &[&["Light*.LightBrightness"][..], &bright].concat());
    assert_eq!(shown.exits(0).out, "Light1.LightBrightness=200\n");
    let two = folder.path("Two.u").display().to_string();
    let run = [&["*", "-o", &two][..], &bright].concat();
    let run = folder.run("duplicate", "Map.u", &run).exits(0).out;
    assert!(run.contains("copied Light1 to Light2"), "{run}");
    folder.write("lights.txt", b"# all\nLight0\nLight1\n");
    let list = format!("@{}", folder.path("lights.txt").display());
    let three = folder.path("Three.u").display().to_string();
    let run = folder.run("remove", "Two.u", &[&list, "-o", &three]).exits(0).out;
    assert!(run.contains("removed 2 objects"), "{run}");
    let run = folder.run("remove", "Two.u", &["*", "--where", "class==Pawn", "--dry-run"]).exits(1);
    assert!(run.err.contains("nothing fits"), "{run:?}");
    let run = folder.run("list", "Map.u", &["--where", "LightHue==3"]).exits(0);
    assert!(run.err.contains("2 objects left out"), "{run:?}");
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
