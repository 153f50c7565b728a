//! Properties of a class that nobody knows: they cost their value, not the object.

use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::{EngineRelease, Package};

/// An object with a property of an unknown class, of five bytes, and a number behind it.
fn package(builder: Builder, complete: bool) -> Vec<u8> {
    let tag = |name: i32, kind: i32, value: &[u8]| {
        let mut bytes = [name, 0, kind, 0].map(i32::to_le_bytes).concat();
        if complete {
            // No inner types; size, no flags.
            bytes.extend([0, value.len() as i32].map(i32::to_le_bytes).concat());
            bytes.push(0);
        } else {
            bytes.extend([value.len() as i32, 0].map(i32::to_le_bytes).concat());
            bytes.push(0);
        }
        bytes.extend(value);
        bytes
    };
    let mut body = Vec::new();
    if complete {
        body.push(0);
    }
    body.extend(tag(1, 2, b"fancy"));
    body.extend(tag(3, 4, &7_i32.to_le_bytes()));
    body.extend([0; 12]);
    let names = ["Strange", "FancyProperty", "Number", "IntProperty"];
    let builder = names.into_iter().fold(builder, Builder::name);
    builder.export("Thing", "/Script/Engine.Thing", body).build().unwrap()
}

#[test]
fn a_property_of_unknown_type_costs_one_value() {
    for (release, complete) in [((4, 15), false), ((4, 27), false), ((5, 3), false), ((5, 4), true)]
    {
        let release = EngineRelease::new(release.0, release.1);
        let bytes = package(Builder::for_release(release), complete);
        let mut package = Package::from_bytes(bytes.clone()).unwrap();
        let number = package.values().property("Thing", "Number").unwrap();
        assert_eq!(number.text, "7", "{release}");
        package.decode_all();
        let decoded = package.decoded(0).unwrap();
        assert_eq!((decoded.opaque, decoded.error.is_some()), (5, false), "{release}");
        assert_eq!(package.to_bytes().unwrap(), bytes, "{release}");
        package.edit(|edit| edit.set_property("Thing", "Number", "8")).unwrap();
        let changed = package.to_bytes().unwrap();
        let differ = bytes.iter().zip(&changed).filter(|(old, new)| old != new).count();
        assert_eq!((changed.len(), differ), (bytes.len(), 1), "{release}");
    }
}
