//! From imports to what they mean.

use unreal_packages::edit::PackageEdit;
use unreal_packages::environment::Outcome;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::Explanation;
use unreal_packages::package::Package;
use unreal_packages::primitive::{ObjectFlags, PackageFlags};

use crate::game::{Folder, builder, game, outcome};

#[test]
fn every_outcome_of_an_import() {
    let folder = game();
    folder.write("textures/Broken.utx", b"not a package");
    let mut private =
        Package::from_bytes(builder(20).export("Secret", "Engine.Texture", []).build().unwrap())
            .unwrap();
    private.edit(|edit| edit.set_object_flags(0, ObjectFlags(0x7_0000))).unwrap();
    folder.write("textures/Hidden.utx", private.to_bytes().unwrap());
    let test = builder(21)
        .import("Engine.Actor", "Core.Class")
        .import("Skins.skins.BLUE", "Engine.Texture")
        .import("Skins.Skins.Blu", "Engine.Texture")
        .import("Skins.Blue", "Engine.Texture")
        .import("Core.Object", "Core.Function")
        .import("Core.IntProperty", "Core.Class")
        .import("Gone.Thing", "Engine.Texture")
        .import("Broken.Thing", "Engine.Texture")
        .import("Hidden.Secret", "Engine.Texture")
        .import("Test.OwnNative", "Core.Class")
        .build()
        .unwrap();
    folder.write("System/Test.u", test.clone());
    let (environment, package) = (folder.environment(), Package::from_bytes(test).unwrap());
    let of = |path: &str| outcome(&environment, &package, path);
    assert_eq!(of("Engine.Actor"), Outcome::Found { row: Some(0) });
    assert_eq!(of("Engine"), Outcome::Found { row: None });
    assert_eq!(of("Skins.Skins.Blue"), Outcome::Found { row: Some(1) });
    let near = vec!["Skins.Skins.Blue".to_owned()];
    assert_eq!(of("Skins.Skins.Blu"), Outcome::ObjectMissing { near: near.clone() });
    assert_eq!(of("Skins.Blue"), Outcome::ObjectMissing { near });
    let found = "Core.Class".to_owned();
    assert_eq!(of("Core.Object"), Outcome::ClassDiffers { found, row: 0 });
    assert_eq!(of("Core.IntProperty"), Outcome::Native);
    assert_eq!(of("Gone.Thing"), Outcome::PackageMissing);
    assert_eq!(of("Gone"), Outcome::PackageMissing);
    assert!(matches!(of("Broken.Thing"), Outcome::PackageUnreadable { .. }));
    assert_eq!(of("Hidden.Secret"), Outcome::NotPublic { row: 0 });
    assert_eq!(of("Test.OwnNative"), Outcome::Native);
}

#[test]
fn early_versions_name_the_package_of_an_import() {
    let folder = Folder::new();
    let skins = Builder::new(45).export("Blue", "Engine.Texture", []).build().unwrap();
    folder.write("Skins.utx", skins);
    let package = Builder::new(45)
        .import("Skins.Blue", "Engine.Texture")
        .import("Skins.Red", "Engine.Texture");
    let package = Package::from_bytes(package.build().unwrap()).unwrap();
    let environment = folder.environment();
    assert_eq!(outcome(&environment, &package, "Skins.Blue"), Outcome::Found { row: Some(0) });
    assert!(matches!(outcome(&environment, &package, "Skins.Red"), Outcome::ObjectMissing { .. }));
}

#[test]
fn cooked_packages_carry_copies_of_others() {
    let folder = Folder::new();
    let cooked = PackageFlags::COOKED;
    let carrier = Builder::new(684)
        .flags(cooked)
        .export("Shared", "Core.Package", [])
        .export("Shared.Skin", "Engine.Texture2D", vec![0; 8])
        .build()
        .unwrap();
    let mut bytes = carrier.clone();
    // The builder has no forced exports: the flag of the first row is set in the bytes.
    let package = Package::from_bytes(carrier).unwrap();
    let fields = Explanation::of(&package).unwrap();
    let field =
        fields.iter().find(|field| field.record.path == "exports[0].details.export_flags").unwrap();
    bytes[field.record.start as usize] = 1;
    folder.write("Carrier.pcc", bytes);
    let user = Builder::new(684)
        .flags(cooked)
        .import("Shared.Skin", "Engine.Texture2D")
        .import("Shared.Other", "Engine.Texture2D")
        .build()
        .unwrap();
    let user = Package::from_bytes(user).unwrap();
    let environment = folder.environment();
    let by = "Carrier".to_owned();
    let carried = Outcome::Carried { by: by.clone(), row: Some(1) };
    assert_eq!(outcome(&environment, &user, "Shared.Skin"), carried);
    assert_eq!(outcome(&environment, &user, "Shared"), Outcome::Carried { by, row: None });
    assert_eq!(outcome(&environment, &user, "Shared.Other"), Outcome::PackageMissing);
}

#[test]
fn users_are_those_that_would_break() {
    let folder = game();
    let environment = folder.environment();
    let users = environment.users_of("Botpack", "Enforcer");
    assert_eq!(users.len(), 1);
    assert_eq!(
        (users[0].package.as_str(), users[0].path.as_str()),
        ("DM-Test", "Botpack.Enforcer")
    );
    let within = environment.users_of("Skins", "Skins");
    assert_eq!(within.len(), 2, "the group and what lies in it: {within:?}");
    assert!(environment.users_of("Botpack", "Enforce").is_empty());
    let whole: Vec<_> =
        environment.users_of("engine", "").into_iter().map(|user| user.path).collect();
    assert_eq!(whole, ["Engine", "Engine.Actor", "Engine", "Engine.Texture"]);
}
