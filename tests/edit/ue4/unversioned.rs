//! Unversioned lists: values come and go in the order of the schema.

use std::sync::Arc;

use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::{OpenOptions, Package};
use unreal_packages::primitive::PackageFlags;
use unreal_packages::property::Mappings;
use unreal_packages::property::mappings::{
    MappingData, MappingEnum, MappingName, MappingProperty, MappingStruct, MappingValue, SchemaType,
};
use unreal_packages::version::EngineRelease;

use super::{reopened, texts};

/// Thing { Count, Many[3]: Int, Title: Str, Caption: Text, Mode: EMode, Modes: Array of EMode, Pair: Pair,
/// Place: Vector, Table: Map of Name to Pair, Path: soft, Flag: Bool, Maybe: Optional Int }.
fn mappings() -> Arc<Mappings> {
    let mut names = Vec::<MappingName>::new();
    let mut name = |text: &str| {
        let found = names.iter().position(|known| &*known.0 == text);
        found.unwrap_or_else(|| {
            names.push(MappingName(text.into()));
            names.len() - 1
        }) as u32
    };
    let (pair, vector, mode) = (name("Pair"), name("Vector"), name("EMode"));
    let enumeration = || SchemaType::Enum(Box::new(SchemaType::Byte), mode);
    let fields = [
        ("Count", 1, SchemaType::Int),
        ("Many", 3, SchemaType::Int),
        ("Title", 1, SchemaType::Str),
        ("Caption", 1, SchemaType::Text),
        ("Mode", 1, enumeration()),
        ("Modes", 1, SchemaType::Array(Box::new(enumeration()))),
        ("Pair", 1, SchemaType::Struct(pair)),
        ("Place", 1, SchemaType::Struct(vector)),
        (
            "Table",
            1,
            SchemaType::Map(Box::new(SchemaType::Name), Box::new(SchemaType::Struct(pair))),
        ),
        ("Path", 1, SchemaType::SoftObject),
        ("Flag", 1, SchemaType::Bool),
        ("Maybe", 1, SchemaType::Optional(Box::new(SchemaType::Int))),
    ];
    let mut next = 0;
    let mut properties = Vec::new();
    for (text, array_dim, schema) in fields {
        properties.push(MappingProperty {
            schema_index: next,
            array_dim,
            name: name(text),
            schema,
        });
        next += u16::from(array_dim);
    }
    let int = |at, text| MappingProperty {
        schema_index: at,
        array_dim: 1,
        name: text,
        schema: SchemaType::Int,
    };
    let pair_fields = vec![int(0, name("A")), int(1, name("B"))];
    let structure = |name, property_count, properties| MappingStruct {
        name,
        super_struct: u32::MAX,
        property_count,
        properties,
    };
    let structs = vec![structure(name("Thing"), next, properties), structure(pair, 2, pair_fields)];
    let value = |number, name| MappingValue { number, name };
    let values = vec![value(0, name("Slow")), value(4, name("Fast"))];
    let enums = vec![MappingEnum { name: mode, values }];
    Arc::new(Mappings::new(MappingData { names, enums, structs, ..MappingData::default() }))
}

fn opened(release: EngineRelease) -> (Package, OpenOptions) {
    // All of Many zero: a fragment over three values behind the first, bits set; then no GUID.
    let fragment: u16 = 1 | 1 << 7 | 1 << 8 | 3 << 9;
    let mut zeros = fragment.to_le_bytes().to_vec();
    zeros.push(7);
    zeros.extend([0; 4]);
    // Pair (slot 8) zero and not stored.
    let fragment: u16 = 8 | 1 << 7 | 1 << 8 | 1 << 9;
    let mut pair = fragment.to_le_bytes().to_vec();
    pair.push(1);
    pair.extend([0; 4]);
    let bytes = Builder::for_release(release)
        .flags(PackageFlags(0x8000_2200))
        .name("None")
        .export("Lamp", "/Script/Game.Thing", vec![0, 1, 0, 0, 0, 0])
        .export("Zeros", "/Script/Game.Thing", zeros)
        .export("Paired", "/Script/Game.Thing", pair)
        .build()
        .unwrap();
    let options = OpenOptions::new().mappings(mappings());
    let mut package = options.clone().open_bytes(bytes).unwrap();
    package.decode_all();
    (package, options)
}

#[test]
fn values_come_and_go_in_the_order_of_the_schema() {
    for (major, minor) in [(4, 27), (5, 1), (5, 4), (5, 6)] {
        let (mut package, options) = opened(EngineRelease::new(major, minor));
        assert!(package.values().properties("Lamp").unwrap().is_empty());
        // From the last to the first.
        for (way, text) in [
            ("Maybe", "(0)"),
            ("Flag", "true"),
            ("Path", "/Game/A.A:B"),
            ("Table", "((Red,(A=1,B=2)))"),
            ("Place", "(1,2,3)"),
            ("Pair.B", "0"),
            ("Modes", "(Fast,Slow)"),
            ("Mode", "EMode::Fast"),
            ("Caption", "INVTEXT(\"caption\")"),
            ("Title", "Größe"),
            ("Many[2]", "9"),
            ("Count", "0"),
        ] {
            let set = package.edit(|edit| edit.set_property("Lamp", way, text));
            set.unwrap_or_else(|error| panic!("{way}: {error}"));
        }
        let mut package = reopened(&package, &options);
        let shown = |package: &Package| {
            let values = package.values().properties("Lamp").unwrap().into_iter();
            values.map(|value| format!("{}={}", value.path, value.text)).collect::<Vec<_>>()
        };
        assert_eq!(
            shown(&package),
            [
                "Count=0",
                "Many[2]=9",
                "Title=\"Größe\"",
                "Caption=INVTEXT(\"caption\")",
                "Mode=Fast",
                "Modes=(EMode::Fast,EMode::Slow)",
                "Pair=(B=0)",
                "Place=(X=1.0,Y=2.0,Z=3.0)",
                "Table=((Red,(A=1,B=2)))",
                "Path=/Game/A.A:B",
                "Flag=True",
                "Maybe=(0)",
            ]
        );
        package.edit(|edit| edit.set_property("Lamp", "Table[Blue]", "(B=7)")).unwrap();
        package.edit(|edit| edit.set_property("Lamp", "Table[Red].A", "3")).unwrap();
        package.edit(|edit| edit.set_property("Lamp", "Place.Z", "0")).unwrap();
        package.edit(|edit| edit.set_property("Lamp", "Modes[1]", "Fast")).unwrap();
        package.edit(|edit| edit.remove_property("Lamp", "Mode")).unwrap();
        package.edit(|edit| edit.remove_property("Lamp", "Many[2]")).unwrap();
        let mut package = reopened(&package, &options);
        let all = shown(&package).join(" ");
        assert!(all.contains("Table=((Red,(A=3,B=2)),(Blue,(B=7)))"), "{all}");
        assert!(all.contains("Modes=(EMode::Fast,EMode::Fast) ") && !all.contains("Many"), "{all}");
        for (way, text) in [("Mode", "Faster"), ("Nothing", "1"), ("Many[3]", "1"), ("Flag", "7")] {
            let before = texts(&package);
            assert!(package.edit(|edit| edit.set_property("Lamp", way, text)).is_err(), "{way}");
            assert_eq!(texts(&package), before);
        }
    }
}

/// A zero is not stored; what is set is stored, and the rest of a struct that was zero stays zero.
#[test]
fn zeros_stay_zero() {
    let (mut package, options) = opened(EngineRelease::new(5, 4));
    let value = package.values().property("Zeros", "Many[1]").unwrap();
    assert_eq!(value.text, "0");
    assert!(
        package.values().properties("Zeros").unwrap().iter().all(|value| value.value.is_none())
    );
    let before = package.to_bytes().unwrap();
    package.edit(|edit| edit.set_property("Zeros", "Many[1]", "0")).unwrap();
    assert!(package.to_bytes().unwrap() == before);
    package.edit(|edit| edit.set_property("Zeros", "Many[1]", "5")).unwrap();
    package.edit(|edit| edit.set_property("Paired", "Pair.B", "6")).unwrap();
    let package = reopened(&package, &options);
    let shown: Vec<_> = texts(&package).into_iter().map(|(_, text)| text).collect();
    assert_eq!(shown, ["0", "5", "0", "(A=0,B=6)"]);
    let row = package.find_export("Zeros").unwrap();
    // One fragment, bits 0 and 2 of the mask, the value, no GUID.
    assert_eq!(package.body(row).unwrap()[2..], [5, 5, 0, 0, 0, 0, 0, 0, 0]);
}

/// A struct of the engine's is a list of properties in versions that do not store it in a way of its own: its
/// zero is all its fields.
#[test]
fn zeros_are_what_their_versions_store() {
    let mut data = mappings().data().clone();
    let input = data.names.len() as u32;
    data.names.push(MappingName("ScalarMaterialInput".into()));
    (data.structs[0].properties[6].schema, data.structs[1].name) =
        (SchemaType::Struct(input), input);
    let options = OpenOptions::new().mappings(Arc::new(Mappings::new(data)));
    // Pair (slot 8) zero and not stored.
    let fragment: u16 = 8 | 1 << 7 | 1 << 8 | 1 << 9;
    let body = [&fragment.to_le_bytes()[..], &[1], &[0; 4]].concat();
    // Custom versions of the release, and none.
    let own = EngineRelease::new(5, 4).versions();
    let older = own.clone().with_custom_versions(Vec::new());
    for (versions, shown) in [(own, None), (older, Some("(A=0,B=6)"))] {
        let bytes = Builder::for_versions(versions)
            .flags(PackageFlags(0x8000_2200))
            .name("None")
            .export("Paired", "/Script/Game.Thing", body.clone())
            .build()
            .unwrap();
        let mut package = options.clone().open_bytes(bytes).unwrap();
        let set = package.edit(|edit| edit.set_property("Paired", "Pair.B", "6"));
        assert_eq!(set.is_ok(), shown.is_some(), "{set:?}");
        let Some(shown) = shown else { continue };
        let package = reopened(&package, &options);
        assert_eq!(package.values().property("Paired", "Pair").unwrap().text, shown);
    }
}

/// Mappings that leave something out: what stands before it is shown and changed, what stands behind stays, and the
/// reason names what is missing.
#[test]
fn what_stands_before_a_gap_in_mappings_is_shown_and_changed() {
    // The struct alone, a property alone, and the class as it was in an older version of the game.
    type Cut = fn(&mut MappingData);
    let cuts: [(Cut, &str); 3] = [
        (|data| data.structs.truncate(1), "Pair"),
        (
            |data| drop(data.structs[0].properties.remove(6)),
            "schema 'Thing' not found whole: the mappings leave out its property 8",
        ),
        (
            |data| {
                data.structs[0].properties.truncate(6);
                data.structs[0].property_count = 8;
            },
            "another version of the game",
        ),
    ];
    for (major, minor) in [(4, 27), (5, 1), (5, 6)] {
        let (mut package, whole) = opened(EngineRelease::new(major, minor));
        for (path, text) in [
            ("Flag", "true"),
            ("Pair.B", "7"),
            ("Mode", "Fast"),
            ("Title", "Größe"),
            ("Count", "5"),
        ] {
            package.edit(|edit| edit.set_property("Lamp", path, text)).unwrap();
        }
        let bytes = package.to_bytes().unwrap();
        for (cut, missing) in cuts {
            let mut data = mappings().data().clone();
            cut(&mut data);
            let options = OpenOptions::new().mappings(Arc::new(Mappings::new(data)));
            let mut package = options.clone().open_bytes(bytes.clone()).unwrap();
            package.decode_all();
            let row = package.find_export("Lamp").unwrap();
            let decoded = package.decoded(row).unwrap();
            let reason = decoded.error.as_ref().unwrap().to_string();
            assert!(reason.contains(missing), "{reason}");
            // Slots behind the last one may all be others: nothing is shown.
            if missing.starts_with("another version") {
                assert!(!decoded.body.is_partial() && decoded.opaque > 0, "{reason}");
                assert!(reason.contains(missing), "{reason}");
                assert!(package.values().properties("Lamp").is_err());
                assert!(package.to_bytes().unwrap() == bytes);
                continue;
            }
            assert!(decoded.body.is_partial() && decoded.opaque > 0, "{reason}");
            let shown = |package: &Package| {
                let values = package.values().properties("Lamp").unwrap().into_iter();
                values.map(|value| format!("{}={}", value.path, value.text)).collect::<Vec<_>>()
            };
            assert_eq!(shown(&package), ["Count=5", "Title=\"Größe\"", "Mode=Fast"]);
            assert!(package.to_bytes().unwrap() == bytes, "{reason}");
            // Growth of what stands before the gap, and a value more.
            package.edit(|edit| edit.set_property("Lamp", "Title", "A longer title")).unwrap();
            package.edit(|edit| edit.set_property("Lamp", "Many[1]", "3")).unwrap();
            let again = reopened(&package, &whole);
            assert_eq!(
                shown(&again),
                [
                    "Count=5",
                    "Many[1]=3",
                    "Title=\"A longer title\"",
                    "Mode=Fast",
                    "Pair=(B=7)",
                    "Flag=True"
                ],
                "{reason}"
            );
            // Where a value behind the gap would stand is not known.
            let before = package.to_bytes().unwrap();
            let error = package.edit(|edit| edit.set_property("Lamp", "Flag", "false"));
            let error = error.unwrap_err().to_string();
            let says = ["Flag of Thing", "mappings of its own version"];
            assert!(says.iter().all(|word| error.contains(word)), "{error}");
            assert!(package.to_bytes().unwrap() == before);
            // As a document the body is bytes.
            #[cfg(feature = "json")]
            {
                let mut document = Vec::new();
                package.to_json(&mut document, false).unwrap();
                let mappings = package.mappings().cloned();
                let from = Package::from_json_with(&document, mappings).unwrap();
                assert!(from.to_bytes().unwrap() == before);
            }
        }
    }
}

/// Numbers that mappings of another class take for names and objects are none of the package: nothing is shown.
#[test]
fn what_only_looks_like_values_before_a_gap_is_not_shown() {
    let (mut package, _) = opened(EngineRelease::new(5, 6));
    for (path, text) in [("Pair.B", "7"), ("Count", "70000")] {
        package.edit(|edit| edit.set_property("Lamp", path, text)).unwrap();
    }
    let bytes = package.to_bytes().unwrap();
    let mut data = mappings().data().clone();
    data.structs.truncate(1);
    data.structs[0].properties[0].schema = SchemaType::Object;
    let options = OpenOptions::new().mappings(Arc::new(Mappings::new(data)));
    let mut package = options.open_bytes(bytes.clone()).unwrap();
    package.decode_all();
    let row = package.find_export("Lamp").unwrap();
    let decoded = package.decoded(row).unwrap();
    assert!(decoded.body.is_opaque() && !decoded.body.is_partial());
    assert!(package.to_bytes().unwrap() == bytes);
}
