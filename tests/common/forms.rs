//! Packages of UE4 and UE5 whose objects need decisions that no byte states: guessed forms, values that
//! nobody decodes, positions, optional parts.

use std::sync::Arc;

use unreal_packages::generate::Builder;
use unreal_packages::package::{OpenOptions, Package};
use unreal_packages::primitive::PackageFlags;
use unreal_packages::property::Mappings;
use unreal_packages::property::mappings::{
    MappingData, MappingName, MappingProperty, MappingStruct, SchemaType,
};
use unreal_packages::{EngineRelease, Guid};

const NAMES: &[&str] = &[
    "None",
    "Number",
    "IntProperty",
    "Title",
    "StrProperty",
    "Numbers",
    "ArrayProperty",
    "Points",
    "StructProperty",
    "Vector",
    "Odd",
    "Mystery",
    "Lookup",
    "MapProperty",
    "Kinds",
    "ByteProperty",
    "Near",
    "Far",
    "PhysXPC",
    "Link",
    "InstancedStruct",
    "Wide",
];

fn name(text: &str) -> Vec<u8> {
    let row = NAMES.iter().position(|known| *known == text).unwrap() as i32;
    [row.to_le_bytes(), [0; 4]].concat()
}

fn i32s(numbers: &[i32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn string(text: &str) -> Vec<u8> {
    [&i32s(&[text.len() as i32 + 1])[..], text.as_bytes(), &[0]].concat()
}

/// A property with the tag of UE4.27 and UE5.0 to UE5.3.
fn property(text: &str, class: &str, detail: &[u8], value: &[u8]) -> Vec<u8> {
    let head = [name(text), name(class), i32s(&[value.len() as i32, 0])].concat();
    [&head, detail, &[0], value].concat()
}

/// The properties of the first object.
fn properties() -> Vec<u8> {
    let vector = [name("Vector"), vec![0; 16]].concat();
    let mystery = [name("Mystery"), vec![0; 16]].concat();
    let guid = i32s(&[0x7111_1111, 0x2222_2222, 0x3333_3333, 0x4444_4444]);
    let point: Vec<u8> = [1.5_f32, -2.0, 0.1].iter().flat_map(|x| x.to_le_bytes()).collect();
    let points = property("Points", "StructProperty", &vector, &point);
    let keyed = [name("StructProperty"), name("IntProperty")].concat();
    let wide: Vec<u8> = "Größe\0".encode_utf16().flat_map(u16::to_le_bytes).collect();
    [
        property("Number", "IntProperty", &[], &i32s(&[7])),
        property("Title", "StrProperty", &[], &string("Hi")),
        property("Wide", "StrProperty", &[], &[i32s(&[-6]), wide].concat()),
        property("Numbers", "ArrayProperty", &name("IntProperty"), &i32s(&[2, 10, 20])),
        property(
            "Points",
            "ArrayProperty",
            &name("StructProperty"),
            &[i32s(&[1]), points].concat(),
        ),
        // No list of tags, so it stays as it is.
        property("Odd", "StructProperty", &mystery, &[1, 2, 3, 4, 5]),
        // The tag does not say that the keys are GUIDs.
        property("Lookup", "MapProperty", &keyed, &[i32s(&[0, 1]), guid, i32s(&[42])].concat()),
        // Nor that these bytes are names.
        property(
            "Kinds",
            "ArrayProperty",
            &name("ByteProperty"),
            &[i32s(&[2]), name("Near"), name("Far")].concat(),
        ),
        name("None"),
    ]
    .concat()
}

/// A payload that knows where it stands, in a body behind `head`.
fn payload(head: &[u8], position: i64) -> Vec<u8> {
    let bulk = [i32s(&[0x40, 3, 3]), position.to_le_bytes().to_vec(), vec![8, 9, 10]].concat();
    [&name("None"), &i32s(&[0]), head, &bulk].concat()
}

/// A package of UE4.27: an object with properties of many forms, then one of this class with a payload
/// behind `head`, an object that ends with a zero, one that nobody decodes.
fn with_payload(class: &str, head: &[u8]) -> Package {
    let build = |position: i64| {
        let mut builder =
            Builder::for_release(EngineRelease::new(4, 27)).guid(Guid::new(1, 2, 3, 4));
        for name in NAMES {
            builder = builder.name(*name);
        }
        let bytes = builder
            .export("First", "/Script/Engine.Thing", [properties(), i32s(&[0])].concat())
            .export("Payload", class, payload(head, position))
            .export("Zero", "/Script/Engine.Thing", [name("None"), i32s(&[0, 0])].concat())
            .export("Raw", "/Script/Engine.Thing", vec![0xff; 20])
            .build()
            .unwrap();
        Package::from_bytes(bytes).unwrap()
    };
    let package = build(0);
    for (row, text) in NAMES.iter().enumerate() {
        assert_eq!(package.names().find(text), Some(row), "the names are in this order");
    }
    let export = &package.exports().entries()[1];
    build((export.offset() + export.size() - 3) as i64)
}

/// With a payload that can move: a font.
pub fn tagged() -> Package {
    with_payload("/Script/Engine.FontBulkData", &[])
}

/// With shapes of the physics engine, which nobody decodes and which know where they stand.
pub fn pinned() -> Package {
    let head = [i32s(&[1, 2, 3, 4, 1, 1, 1]), name("PhysXPC")].concat();
    with_payload("/Script/Engine.BodySetup", &head)
}

/// A package of UE5.4, whose rows say where properties stand and whose tags are complete.
pub fn complete() -> Package {
    let mut builder = Builder::for_release(EngineRelease::new(5, 4)).guid(Guid::new(1, 2, 3, 4));
    for name in NAMES {
        builder = builder.name(*name);
    }
    let property = |text: &str, class: &str, value: &[u8]| {
        let head = [name(text), name(class), i32s(&[0, value.len() as i32])].concat();
        [&head, &[0][..], value].concat()
    };
    let body = [
        vec![0],
        property("Number", "IntProperty", &i32s(&[7])),
        property("Title", "StrProperty", &string("Hi")),
        name("None"),
        i32s(&[0]),
        vec![0xee; 3],
    ];
    let bytes = builder.export("First", "/Script/Engine.Thing", body.concat()).build().unwrap();
    Package::from_bytes(bytes).unwrap()
}

/// Names and types for [`unversioned`].
pub fn mappings() -> Arc<Mappings> {
    let texts = ["Thing", "Number", "Title", "Numbers", "Flag"];
    let names = texts.map(|text| MappingName(text.into())).to_vec();
    let schemas = [
        SchemaType::Int,
        SchemaType::Str,
        SchemaType::Array(Box::new(SchemaType::Int)),
        SchemaType::Bool,
    ];
    let properties = (0..).zip(schemas).map(|(at, schema)| MappingProperty {
        schema_index: at,
        array_dim: 1,
        name: u32::from(at) + 1,
        schema,
    });
    let thing = MappingStruct {
        name: 0,
        super_struct: u32::MAX,
        property_count: 4,
        properties: properties.collect(),
    };
    Arc::new(Mappings::new(MappingData { names, structs: vec![thing], ..MappingData::default() }))
}

/// A cooked package of UE5.4 that leaves out versions, and names and types of properties.
pub fn unversioned() -> Package {
    let release = EngineRelease::new(5, 4);
    // Four properties, all with values.
    let header = (1_u16 << 8 | 4 << 9).to_le_bytes();
    let body = [&header[..], &i32s(&[7]), &string("Hi"), &i32s(&[2, 10, 20]), &[1], &i32s(&[0])];
    let bytes = Builder::for_release(release)
        .flags(PackageFlags(0x8000_2200))
        .guid(Guid::new(1, 2, 3, 4))
        .unversioned()
        .export("First", "/Script/Engine.Thing", body.concat())
        .export("Last", "/Script/Engine.Thing", vec![0, 1, 0, 0, 0, 0])
        .build()
        .unwrap();
    let options = OpenOptions::new().engine(release).mappings(mappings());
    let header = options.open_bytes(bytes.clone()).unwrap();
    let header = header.summary().total_header_size as usize;
    options.open_split(&bytes[..header], &bytes[header..]).unwrap()
}
