//! How many bytes objects have, and which refer to which.

use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::{ObjectBytes, ObjectDependency, coverage, object_bytes};
use unreal_packages::package::{Package, Section};
use unreal_packages::property::{PropertyList, Type};
use unreal_packages::{PackageIndex, Result};

use super::common::GUID;

/// Two lights, of which one names the other and a texture of another package, and an object that nobody knows.
fn package() -> Package {
    let builder = Builder::new(69).guid(GUID).import("Walls.Bricks", "Engine.Texture").export(
        "Unknown",
        "Game.Riddle",
        vec![0xff; 40],
    );
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    let made = package.edit(|edit| -> Result<()> {
        let kind: Type = "object".parse()?;
        for name in ["Lamp0", "Lamp1"] {
            edit.add_plain_object(name, "Engine.Light", PropertyList::default())?;
        }
        edit.add_property_or("Lamp0", "Owner", &kind, "Light'Lamp1'")?;
        edit.add_property_or("Lamp0", "Skin", &kind, "Texture'Walls.Bricks'")?;
        edit.add_property_or("Lamp1", "Owner", &kind, "Light'Lamp1'").map(drop)
    });
    made.unwrap();
    Package::from_bytes(package.to_bytes().unwrap()).unwrap()
}

#[test]
fn bytes_of_objects_are_those_of_their_bodies() {
    let package = package();
    let found = object_bytes(&package);
    let row = |path: &str| package.find_export(path).unwrap();
    let of = |path: &str| *found.iter().find(|bytes| bytes.row == row(path)).unwrap();
    for ObjectBytes { row, .. } in &found {
        let size = package.exports().get(*row).unwrap().size();
        assert_eq!(found.iter().find(|bytes| bytes.row == *row).unwrap().total(), size);
    }
    assert_eq!(found.len(), 3);
    let unknown = of("Unknown");
    assert!(unknown.opaque > 0 && unknown.total() == 40, "{unknown:?}");
    assert_eq!((of("Lamp0").opaque, of("Lamp0").payload), (0, 0));
    // With the tables they are all bytes of the package, by kind as for the whole of it.
    let tables: u64 = package
        .sections()
        .iter()
        .filter(|place| !matches!(place.section, Section::Body(_)))
        .map(|place| place.end() - place.start)
        .sum();
    let bodies: u64 = found.iter().map(ObjectBytes::total).sum();
    assert_eq!(tables + bodies, package.source().len() as u64);
    assert_eq!(found.iter().map(|bytes| bytes.opaque).sum::<u64>(), coverage(&package).opaque);
}

#[test]
fn dependencies_are_what_bodies_refer_to() {
    let package = package();
    let row = |path: &str| package.find_export(path).unwrap();
    let lamp = row("Lamp0");
    let found = ObjectDependency::all(&package);
    let of_lamp: Vec<_> = found.iter().filter(|found| found.from == lamp).collect();
    let texture = package.find("Walls.Bricks").unwrap();
    let other = PackageIndex::export(row("Lamp1"));
    assert_eq!(of_lamp.len(), 2, "{found:?}");
    for to in [texture, other] {
        assert!(of_lamp.iter().any(|found| found.to == to && found.count == 1), "{found:?}");
    }
    // Itself is none.
    assert!(found.iter().all(|found| found.to != PackageIndex::export(found.from)));
}
