//! Classes that exist in the engine's code alone: no import of one is missing.

use unreal_packages::environment::{Finding, Outcome};
use unreal_packages::generate::Builder;
use unreal_packages::package::Package;

use crate::game::{Folder, builder, game, outcome};

#[test]
fn classes_of_the_engines_code_are_no_missing_objects() {
    let folder = game();
    let test = builder(21)
        .import("Engine.Viewport", "Core.Class")
        .import("Engine.Viewpoint", "Core.Class")
        .import("Engine.Polys", "Engine.Texture")
        .build()
        .unwrap();
    folder.write("System/Test.u", test.clone());
    let (environment, package) = (folder.environment(), Package::from_bytes(test).unwrap());
    let found = environment.resolve(&package, "Test");
    let of = |path: &str| {
        let found = found.iter().find(|found| found.path == path);
        found.unwrap().outcome.clone()
    };
    assert_eq!(of("Engine.Viewport"), Outcome::Native);
    assert!(matches!(of("Engine.Viewpoint"), Outcome::ObjectMissing { .. }));
    assert!(matches!(of("Engine.Polys"), Outcome::ObjectMissing { .. }), "no class");
    let findings = environment.doctor(&mut |_| {});
    let missing = findings.iter().filter_map(|finding| match finding {
        Finding::ObjectMissing { object, class, .. } => Some(format!("{object} {class}")),
        _ => None,
    });
    let missing: Vec<_> = missing.collect();
    assert_eq!(missing, ["Engine.Viewpoint Core.Class", "Engine.Polys Engine.Texture"]);
}

#[test]
fn each_engine_has_classes_of_its_own() {
    for (version, path, native) in [
        (69, "Engine.Viewport", true),
        (128, "Engine.Viewport", true),
        (128, "Engine.StaticMeshInstance", true),
        (128, "Engine.KMeshProps", true),
        (868, "UnrealEd.SoundFactory", true),
        (684, "Engine.ShaderCachePayload", true),
        (868, "Engine.KMeshProps", false),
        (69, "UnrealEd.SoundFactory", false),
    ] {
        let folder = Folder::new();
        let (package, _) = path.split_once('.').unwrap();
        let whole = Builder::new(version).export("Other", "Core.Class", []).build().unwrap();
        folder.write(&format!("{package}.u"), whole);
        let user = Builder::new(version).import(path, "Core.Class").build().unwrap();
        let user = Package::from_bytes(user).unwrap();
        let found = outcome(&folder.environment(), &user, path);
        assert_eq!(found == Outcome::Native, native, "{path} in {version}: {found:?}");
    }
}

/// What a package imports from itself it does not export, so others find it in its code as well.
#[test]
fn classes_that_a_package_imports_from_itself_are_in_its_code() {
    let folder = Folder::new();
    let driver = builder(1)
        .import("Driver.Device", "Core.Class")
        .import("Driver.Flag", "Core.Texture")
        .export("Settings", "Core.Class", []);
    folder.write("Driver.u", driver.build().unwrap());
    let user = builder(2)
        .import("Driver.Device", "Core.Class")
        .import("Driver.Settings", "Core.Class")
        .import("Driver.Flag", "Core.Class")
        .import("Driver.Other", "Core.Class");
    let user = Package::from_bytes(user.build().unwrap()).unwrap();
    let environment = folder.environment();
    let of = |path: &str| outcome(&environment, &user, path);
    assert_eq!(of("Driver.Device"), Outcome::Native);
    assert_eq!(of("Driver.Settings"), Outcome::Found { row: Some(0) });
    assert!(matches!(of("Driver.Flag"), Outcome::ObjectMissing { .. }));
    assert!(matches!(of("Driver.Other"), Outcome::ObjectMissing { .. }));
}
