//! Commands that would end well while the package says something else.

use crate::common;

use common::Folder;
use farchive::generate::Builder;

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
