//! New properties: whatever a type says is read as it was made.

use std::sync::Arc;

use unreal_packages::edit::PackageEdit;
use unreal_packages::package::Package;
use unreal_packages::property::{Elements, Naming, Property, PropertyList, Type, Value};
use unreal_packages::version::{EngineRelease, UnrealVersions};
use unreal_packages::{Archived, Loader, Saver, Versions};

use super::common::ue4;

/// Types of every kind, nested.
const TYPES: &[&str] = &[
    "bool",
    "byte",
    "byte-enum:ELight",
    "int8",
    "int16",
    "int",
    "int64",
    "uint16",
    "uint32",
    "uint64",
    "float",
    "double",
    "name",
    "string",
    "text",
    "object",
    "class",
    "weak-object",
    "lazy-object",
    "soft-object",
    "soft-class",
    "interface",
    "delegate",
    "multicast-inline-delegate",
    "struct:Vector",
    "struct:Guid",
    "struct:Box",
    "struct:Color",
    "struct:LinearColor",
    "struct:SoftObjectPath",
    "struct:GameplayTagContainer",
    "struct:EdGraphPinType",
    "struct:ColorMaterialInput",
    "struct:RichCurveKey",
    "struct:/Game/Row.Row_7",
    "array:int",
    "array:byte",
    "array:bool",
    "array:string",
    "array:byte-enum:ELight",
    "array:soft-object",
    "array:struct:Vector",
    "array:struct:RichCurveKey",
    "array:struct:Row",
];
/// Types of versions that have sets and maps whose tags name what they hold.
const NEWER: &[&str] = &[
    "utf8-string",
    "field-path",
    "enum:EMode",
    "set:name",
    "set:struct:Guid",
    "map:name:int",
    "map:int:struct:Row",
    "map:enum:EMode:string",
    "optional:int",
    "optional:struct:Vector",
    "array:enum:EMode",
];

fn versions() -> Vec<Versions> {
    let releases = [(4, 0), (4, 7), (4, 12), (4, 18), (4, 27), (5, 0), (5, 2), (5, 4), (5, 6)];
    let of = |(major, minor)| EngineRelease::new(major, minor).versions();
    releases.into_iter().map(of).collect()
}

/// A list of these properties, and the same after it was written and read.
fn read_back(package: &Package, list: &PropertyList) -> PropertyList {
    let mut list = list.clone();
    let context = Arc::new((*package.context()).clone());
    let mut saver = Saver::new(package.versions().clone()).with_context(context.clone());
    list.serialize(&mut saver).unwrap();
    let bytes = saver.into_bytes();
    let mut loader = Loader::new(&bytes, package.versions().clone()).with_context(context);
    let mut read = PropertyList::default();
    read.serialize(&mut loader).unwrap();
    assert_eq!(loader.remaining(), 0);
    read
}

#[test]
fn new_properties_are_read_as_they_were_made() {
    let mut made = 0;
    for versions in versions() {
        for listed in [false, true] {
            let builder = match listed {
                true => ue4::rich(&versions, Default::default()),
                false => ue4::builder(&versions),
            };
            let mut package = Package::from_bytes(builder.build().unwrap()).unwrap();
            let newer = if versions.ue4() >= 509 { NEWER } else { &[] };
            for text in TYPES.iter().chain(newer) {
                let known: Type = text.parse().unwrap();
                let property =
                    package.edit(|edit| Property::blank("Made", 0, &known, edit)).unwrap();
                let second = package.edit(|edit| Property::blank("Made", 3, &known, edit)).unwrap();
                let terminator = package.edit(|edit| edit.name("None")).unwrap();
                let list = PropertyList::new(vec![property, second], terminator);
                let read = read_back(&package, &list);
                assert_eq!(read.properties.len(), 2, "{text}");
                for (one, other) in list.properties.iter().zip(&read.properties) {
                    assert_eq!(one, other, "{text} {versions:?}");
                    assert!(!matches!(other.value(), Value::Opaque(_)), "{text}");
                }
                assert_eq!(read.properties[1].array_index(), 3);
                made += 1;
            }
        }
    }
    assert!(made > 800, "{made}");
}

/// Elements in the form that loading gives them.
#[test]
fn elements_become_values_and_back() {
    let mut package =
        Package::from_bytes(ue4::builder(&EngineRelease::new(4, 27).versions()).build().unwrap())
            .unwrap();
    for text in TYPES.iter().chain(NEWER) {
        let Some(element) = text.strip_prefix("array:") else { continue };
        let known: Type = text.parse().unwrap();
        let element: Type = element.parse().unwrap();
        let mut property = package.edit(|edit| Property::blank("Made", 0, &known, edit)).unwrap();
        let place = unreal_packages::property::Place::Element;
        let one = package.edit(|edit| Value::blank(&element, place, edit)).unwrap();
        let elements = Elements::of_values(vec![one; 3]);
        match property.value_mut() {
            Value::Array(values) => *values = elements,
            Value::StructArray(structs) => structs.elements = elements,
            other => panic!("{other:?}"),
        }
        let terminator = package.edit(|edit| edit.name("None")).unwrap();
        let list = PropertyList::new(vec![property.clone()], terminator);
        let read = read_back(&package, &list);
        let elements = match read.properties[0].value() {
            Value::StructArray(structs) => &structs.elements,
            Value::Array(elements) => elements,
            other => panic!("{other:?}"),
        };
        assert_eq!(elements.len(), 3, "{text}");
        // Bytes stay where they were read.
        if text != &"array:byte" {
            let values = elements.to_values(&[]).unwrap();
            assert_eq!(Elements::of_values(values), *elements, "{text}");
            assert_eq!(property, read.properties[0], "{text}");
        }
    }
}
