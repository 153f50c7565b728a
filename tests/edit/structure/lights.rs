//! The lights of a model of UE1: what was computed for one goes with it.

use unreal_packages::edit::{PackageEdit, RemoveOptions};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::generate::Builder;
use unreal_packages::object::ue1::{Leaf, LightMap, Model};
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::{Index, Payload};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{PackageIndex, Span, Versions};

use super::common::save;

/// Rows of the lights; the model is the first export.
fn lights(rows: &[usize]) -> Vec<PackageIndex> {
    let light = |&row: &usize| match row {
        0 => PackageIndex::NULL,
        row => PackageIndex::export(row),
    };
    rows.iter().map(light).collect()
}

/// Two light maps of 9 times 2 and 8 times 1 texels, with the lights 1 and 2, and 2 and 3, of this many bytes.
fn package(bytes: u8) -> Package {
    let versions = Versions::ue1_to_3(69, 0);
    let map = |data_offset, wide, high, light_actors| LightMap {
        data_offset,
        u_clamp: Index::new(wide),
        v_clamp: Index::new(high),
        light_actors,
        ..LightMap::default()
    };
    let leaf = Leaf { permeating: Index::new(3), volumetric: Index::new(-1), ..Leaf::default() };
    let mut model = Model {
        light_maps: vec![map(0, 9, 2, 0), map(8, 8, 1, 3), map(-1, 0, 0, -1)],
        light_bits: Payload(Span::owned((0..bytes).collect::<Vec<u8>>())),
        lights: lights(&[1, 2, 0, 2, 3, 0]),
        leaves: vec![leaf],
        ..Model::default()
    };
    // The name at row 0 ends the list of properties.
    let body = [vec![0], save(&mut model, &versions).unwrap()].concat();
    let mut builder =
        Builder::for_versions(versions).name("None").export("Model1", "Engine.Model", body);
    for row in 1..4 {
        builder = builder.export(format!("Light{row}"), "Engine.Light", vec![0]);
    }
    let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
    package.decode_all();
    package
}

fn model(package: &Package) -> Model {
    let decoded = package.decode(package.find_export("Model1").unwrap()).unwrap();
    native_as::<Model>(&decoded.body).unwrap().clone()
}

#[test]
fn a_light_takes_its_bits_along() {
    let mut package = package(10);
    package.edit(|edit| edit.remove_object("Light2", RemoveOptions::Refuse)).unwrap();
    let package = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
    let model = model(&package);
    let names: Vec<String> = model.lights.iter().map(|&light| package.object_name(light)).collect();
    let none = package.object_name(PackageIndex::NULL);
    assert_eq!(names, ["Light1", &none, "Light3", &none]);
    assert_eq!(*model.light_bits.0.bytes(package.source()).unwrap(), [0, 1, 2, 3, 9]);
    let places: Vec<_> =
        model.light_maps.iter().map(|map| (map.data_offset, map.light_actors)).collect();
    assert_eq!(places, [(0, 0), (4, 2), (-1, -1)]);
    assert_eq!(model.leaves[0].permeating.value(), 2);
}

#[test]
fn a_model_that_does_not_fit_stays_as_it_is() {
    let mut package = package(9);
    let before = package.to_bytes().unwrap();
    for options in [RemoveOptions::Refuse, RemoveOptions::NullReferences] {
        let error = package.edit(|edit| edit.remove_object("Light2", options)).unwrap_err();
        assert!(matches!(error.unreal(), Some(UnrealError::Refused { .. })), "{error}");
        assert_eq!(package.to_bytes().unwrap(), before);
    }
}
