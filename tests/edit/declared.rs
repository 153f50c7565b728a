//! Declarations that get another name: what means them by it follows, and what can't is listed.

use unreal_packages::edit::{PackageEdit, Renamed, uses_of_name};
use unreal_packages::inspect::{CodeTexts, PackageValues};
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Guid, Versions};

use crate::common::code::{Code, Member, property};

/// An int in a list of properties of UE1.
fn number(name: u8, value: i32) -> Vec<u8> {
    [&[name, 0x22][..], &value.to_le_bytes()].concat()
}

/// Three classes with a variable `Speed` and a function `Fire` each, the second one derived from the first; an
/// object of the second and one of the third.
fn package() -> Package {
    let mut code = Code::new(Versions::ue1_to_3(69, 0), Guid::new(1, 2, 3, 4));
    let name = |code: &mut Code, text: &str| u8::try_from(code.name(text).index.value()).unwrap();
    let speed = name(&mut code, "Speed");
    let function = |name: &'static str| Member::Function(name, 0, 0, Vec::new());
    let members = [property("Speed", "IntProperty"), function("Fire")];
    code.class("Gun", "Core.Object", false, &members, &number(speed, 1));
    let members = [function("Fire"), function("Go")];
    code.class("Rifle", "Gun", false, &members, &number(speed, 2));
    let members = [property("Speed", "IntProperty"), function("Fire"), function("Go")];
    code.class("Car", "Core.Object", false, &members, &number(speed, 3));
    code.instance("Mine", "Rifle", &[number(speed, 7), vec![0]].concat());
    code.instance("Yours", "Car", &[number(speed, 8), vec![0]].concat());
    let mut package = Package::from_bytes(code.build()).unwrap();
    let go = "    VirtualFunction('Fire', EndFunctionParms)\n    Let(LocalVariable(null), NameConst('Fire'))\n";
    let text = format!("code Rifle.Go\n{go}end\ncode Car.Go\n{go}end\n");
    package
        .edit(|edit| {
            edit.set_checks(false);
            edit.assemble(&text)
        })
        .unwrap();
    Package::from_bytes(package.to_bytes().unwrap()).unwrap()
}

/// Renamed, saved and opened again.
fn renamed(path: &str, new: &str) -> (Package, Renamed) {
    let mut package = package();
    let done = package.edit(|edit| edit.rename_object(path, new)).unwrap();
    (Package::from_bytes(package.to_bytes().unwrap()).unwrap(), done)
}

fn value(package: &Package, object: &str, property: &str) -> Option<String> {
    package.values().property(object, property).ok().map(|found| found.text)
}

#[test]
fn values_of_a_variable_follow_its_name() {
    let (package, done) = renamed("Gun.Speed", "Pace");
    for (object, text) in [("Gun", "1"), ("Rifle", "2"), ("Mine", "7")] {
        assert_eq!(value(&package, object, "Pace").as_deref(), Some(text), "{object}");
        assert_eq!(value(&package, object, "Speed"), None, "{object}");
    }
    // Another class's variable of the same name keeps it.
    for (object, text) in [("Car", "3"), ("Yours", "8")] {
        assert_eq!(value(&package, object, "Speed").as_deref(), Some(text), "{object}");
    }
    assert!(
        done.changes.iter().any(|change| change.to_string().contains("3 uses by name")),
        "{done:?}"
    );
}

#[test]
fn calls_of_a_function_follow_its_name() {
    let (package, done) = renamed("Gun.Fire", "Shoot");
    assert!(package.find_export("Gun.Shoot").is_ok() && package.find_export("Rifle.Shoot").is_ok());
    assert!(package.find_export("Car.Fire").is_ok());
    let text = |path: &str| {
        let row = package.find_export(path).unwrap();
        CodeTexts::new(&package).section(row).unwrap().unwrap()
    };
    let go = text("Rifle.Go");
    assert!(go.contains("VirtualFunction('Shoot'"), "{go}");
    // A name that is a value may mean anything: it stays, and is listed with its object.
    assert!(go.contains("NameConst('Fire')"), "{go}");
    assert!(done.care.iter().any(|care| care.starts_with("Rifle.Go ")), "{:?}", done.care);
    assert!(text("Car.Go").contains("VirtualFunction('Fire'"));
}

#[test]
fn uses_of_a_name_are_found_in_values_and_code() {
    let package = package();
    let found = uses_of_name(&package, "Speed");
    let objects: Vec<&str> = found.iter().map(|(object, _)| object.as_str()).collect();
    for object in ["Gun", "Rifle", "Car", "Mine", "Yours"] {
        assert!(objects.contains(&object), "{found:?}");
    }
    assert!(uses_of_name(&package, "Nothing like it").is_empty());
}
