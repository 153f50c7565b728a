//! Properties: looking, setting, adding, removing; what is refused.

use crate::common;
use crate::common::level;
use unreal_packages::edit::{Edit, PackageEdit, converted};
use unreal_packages::generate::Builder;

use common::save_twice;
use level::{level, open_level};
use unreal_packages::ErrorKind;
use unreal_packages::error::{UnrealError, UnrealErrors, noun};
use unreal_packages::inspect::{PackageValues, PropertyValue};
use unreal_packages::package::Package;
use unreal_packages::property::{PropertyKind, Type, Value};
use unreal_packages::version::UnrealVersions;

const VERSIONS: [u32; 6] = [61, 63, 68, 69, 100, 128];

/// Saves, opens again and looks once more.
fn reopened(package: &Package) -> Package {
    Package::from_bytes(save_twice(package)).unwrap()
}

fn text(package: &Package, object: &str, property: &str) -> String {
    let found = package.values().property(object, property);
    found.unwrap_or_else(|error| panic!("{object}.{property}: {error}")).text
}

#[test]
fn every_type_is_added_read_changed_and_removed() {
    let steps: &[(&str, &str, &str, &str)] = &[
        ("Count", "7", "-123456", "int"),
        ("Title", "\"Hi\"", "\"a rather long text, \\\"quoted\\\"\"", "string"),
        ("Where", "(X=1.0,Y=-2.5,Z=0.0)", "(X=0.25,Y=1.0,Z=2.0)", "struct:Vector"),
        ("Kind", "KB", "KA", "byte"),
        ("Skins", "Lamp'Lamp1'", "None", "object"),
        ("Skins[3]", "Thing'Stranger'", "Lamp'Lamp0'", "object"),
        ("Numbers", "(1,2,300000)", "()", "array:int"),
        ("Owner", "Lamp'Lamp1'", "Class'Lamp'", "object"),
        ("Tag", "Lamp", "Brandnew", "name"),
        ("bOn", "True", "False", "bool"),
        ("Ratio", "0.1", "1e30", "float"),
        ("Spot", "(Px=1.5,Py=2.0)", "(Px=0.0,Py=-1.0)", "struct:Point"),
    ];
    for file in VERSIONS {
        let mut package = Package::from_bytes(level(file)).unwrap();
        for (property, first, second, known) in steps {
            let change = package.edit(|edit| edit.set_property("Lamp0", property, first));
            let change = change.unwrap_or_else(|e| panic!("{file} {property}={first}: {e}"));
            assert_eq!(
                (change.old, change.new.as_deref()),
                (None, Some(*first)),
                "{file} {property}"
            );
            let found = reopened(&package).values().property("Lamp0", property).unwrap();
            assert_eq!(found.text, *first, "{file} {property}");
            assert_eq!(found.property_type.to_string(), *known, "{file} {property}");
            let change = package.edit(|edit| edit.set_property("lamp0", property, second)).unwrap();
            assert_eq!(change.old.as_deref(), Some(*first), "{file} {property}");
            let package = reopened(&package);
            let written = text(&package, "Lamp0", property);
            let parse = |text: &str| text.parse::<f64>().ok();
            assert!(
                written == *second || parse(&written) == parse(second),
                "{property}: {written}"
            );
        }
        let mut package = reopened(&package);
        let all = package.values().properties("Lamp0").unwrap();
        assert_eq!(all.len(), steps.len(), "{file}");
        for PropertyValue { path, text, .. } in all {
            let change = package.edit(|edit| edit.remove_property("Lamp0", &path)).unwrap();
            assert_eq!((change.old, change.new), (Some(text), None), "{file} {path}");
        }
        let package = reopened(&package);
        assert!(package.values().properties("Lamp0").unwrap().is_empty());
        assert_eq!(package.body(package.find_export("Lamp0").unwrap()).unwrap(), [0]);
    }
}

#[test]
fn tags_have_the_form_that_the_engine_writes() {
    let mut package = Package::from_bytes(level(69)).unwrap();
    let row = |package: &Package, name: &str| package.names().find(name).unwrap() as u8;
    package.edit(|edit| edit.set_property("Lamp0", "Count", "7")).unwrap();
    package.edit(|edit| edit.set_property("Lamp0", "bOn", "true")).unwrap();
    package.edit(|edit| edit.set_property("Lamp0", "Skins[2]", "Lamp1")).unwrap();
    package.edit(|edit| edit.set_property("Lamp0", "Skins[1]", "Lamp1")).unwrap();
    package.edit(|edit| edit.set_property("Lamp0", "Where", "(1,2,3)")).unwrap();
    package.edit(|edit| edit.set_property("Lamp0", "Title", "abc")).unwrap();
    let package = reopened(&package);
    let lamp1 = package.find_export("Lamp1").unwrap() as u8 + 1;
    let n = |name: &str| row(&package, name);
    let mut expected = vec![n("Count"), 0x22, 7, 0, 0, 0, n("bOn"), 0xd3, 0];
    // Elements of a static array ascend, whatever the order in which they were set.
    expected.extend([n("Skins"), 0x85, 1, lamp1, n("Skins"), 0x85, 2, lamp1]);
    expected.extend([n("Where"), 0x3a, n("Vector")]);
    expected.extend([1f32, 2.0, 3.0].iter().flat_map(|value| value.to_le_bytes()));
    expected.extend([n("Title"), 0x5d, 5, 4, b'a', b'b', b'c', 0, 0]);
    let body = package.body(package.find_export("Lamp0").unwrap()).unwrap();
    assert_eq!(body, expected);
}

#[test]
fn parts_of_values_are_reached() {
    let mut package = open_level(69);
    let mut set = |property: &str, text: &str| {
        package
            .edit(|edit| edit.set_property("Lamp0", property, text))
            .unwrap_or_else(|e| panic!("{property}: {e}"))
    };
    set("Where", "(X=1,Y=2,Z=3)");
    set("Where.Y", "9");
    set("Where", "(Z=-1)");
    set("Numbers", "(1,2,3)");
    set("Numbers[1]", "20");
    set("Numbers[3]", "4");
    set("Kind", "kb");
    assert_eq!(set("Spot", "(1,2)").new.as_deref(), Some("(Px=1.0,Py=2.0)"));
    package.edit(|edit| edit.remove_property("Lamp0", "Numbers[0]")).unwrap();
    let package = reopened(&package);
    assert_eq!(text(&package, "Lamp0", "where"), "(X=1.0,Y=9.0,Z=-1.0)");
    assert_eq!(text(&package, "Lamp0", "Where.z"), "-1.0");
    assert_eq!(text(&package, "Lamp0", "Numbers"), "(20,3,4)");
    assert_eq!(text(&package, "Lamp0", "Numbers[2]"), "4");
    let kind = package.values().property("Lamp0", "Kind").unwrap().value;
    assert_eq!(kind.as_ref(), Some(&Value::Byte(1)));
}

#[test]
fn the_defaults_of_a_class_are_its_properties() {
    let mut package = open_level(69);
    package.edit(|edit| edit.set_property("Lamp", "Count", "5")).unwrap();
    let (object, property) = package.values().split_property_path("Lamp.Count").unwrap();
    // The longest object wins: the declaration of the property is an object of its own.
    assert_eq!((object, property), ("Lamp", "Count"));
    assert_eq!(
        package.values().split_property_path("Lamp0.Where.X").unwrap(),
        ("Lamp0", "Where.X")
    );
    assert_eq!(package.values().split_property_path("#0.Count").unwrap(), ("#0", "Count"));
    assert!(package.values().split_property_path("Nothing.Count").is_err());
    // Before UE4 an object is no table, whatever stands in brackets.
    let path = "Lamp.Count[2]";
    assert!(package.find_export("Lamp.Count").is_ok(), "an object that is called as the property");
    assert_eq!(package.values().split_property_path(path).unwrap(), ("Lamp", "Count[2]"));
    assert_eq!(text(&reopened(&package), "Lamp", "Count"), "5");
}

#[test]
fn structs_with_tags_keep_their_other_fields() {
    let mut package = open_level(128);
    package.edit(|edit| edit.set_property("Lamp0", "Spot.Py", "4")).unwrap();
    assert_eq!(text(&reopened(&package), "Lamp0", "Spot"), "(Py=4.0)");
    package.edit(|edit| edit.set_property("Lamp0", "Spot", "(Px=1)")).unwrap();
    assert_eq!(text(&reopened(&package), "Lamp0", "Spot"), "(Py=4.0,Px=1.0)");
    package.edit(|edit| edit.remove_property("Lamp0", "Spot.Py")).unwrap();
    assert_eq!(text(&reopened(&package), "Lamp0", "Spot"), "(Px=1.0)");
    let error =
        package.edit(|edit| edit.set_property("Lamp0", "Spot.Pz", "4")).unwrap_err().to_string();
    assert!(error.contains("struct Point has Px, Py"), "{error}");
}

#[test]
fn objects_are_imported_where_the_text_says_their_class() {
    let mut package = open_level(69);
    let names = package.names().len();
    package
        .edit(|edit| edit.set_property("Lamp0", "Owner", "Engine.Texture'Botpack.Skins.Blue'"))
        .unwrap();
    let package = reopened(&package);
    assert!(package.names().len() > names);
    let index = package.find("Botpack.Skins.Blue").unwrap();
    let owner = package.values().property("Lamp0", "Owner").unwrap().value;
    assert_eq!(owner.as_ref(), Some(&Value::Object(index)));
    assert_eq!(text(&package, "Lamp0", "Owner"), "Texture'Botpack.Skins.Blue'");
}

/// A refused call says why, names the object, and leaves every byte as it was.
#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let mut package = open_level(69);
    package.edit(|edit| edit.set_property("Lamp0", "Where", "(1,2,3)")).unwrap();
    package.edit(|edit| edit.set_property("Lamp0", "Count", "3")).unwrap();
    let before = package.to_bytes().unwrap();
    let mut refused = |object: &str, property: &str, text: &str, says: &str| {
        let error =
            package.edit(|edit| edit.set_property(object, property, text)).unwrap_err().to_string();
        assert!(error.contains(says), "{object}.{property}={text}: {error}");
        assert!(object == "Nobody" || error.contains(object), "{error}");
        assert_eq!(package.to_bytes().unwrap(), before, "{object}.{property}={text}");
    };
    refused("Nobody", "Count", "1", "not found");
    refused("Lamp0", "Brightness", "1", "class Lamp declares no such property");
    refused("Stranger", "Count", "1", "state the type");
    refused("Lamp0", "Count", "many", "no value of type int");
    refused("Lamp0", "Count", "99999999999", "no value of type int");
    refused("Lamp0", "Ratio", "1e99", "no value of type float");
    refused("Lamp0", "Kind", "KC", "no value of the enum EKind: KA, KB");
    refused("Lamp0", "bOn", "2", "no value of type bool");
    refused("Lamp0", "Where", "(X=1,W=2)", "no field 'W'");
    refused("Lamp0", "Where", "(X=1,X=2)", "given twice");
    refused("Lamp0", "Where", "(1,2)", "2 values for 3 fields");
    refused("Lamp0", "Where.X.Y", "1", "no field 'Y'");
    refused("Lamp0", "Spot", "(Px=1)", "field 'Py' is missing");
    refused("Lamp0", "Spot.Px", "1", "set it whole");
    refused("Lamp0", "Numbers[3]", "1", "set it whole");
    refused("Lamp0", "Skins[4]", "Lamp1", "4 elements");
    refused("Lamp0", "Owner", "Lamp9", "write it with its class");
    refused("Lamp0", "Owner", "Sound'Pack.Boom'", "write the class with its package");
    refused("Lamp0", "Tag", &"x".repeat(64), "longer than a name");
    refused("Lamp0", "Count.X", "1", "no field 'X'");
    refused("Lamp0", "Count[1]", "1", "1 elements");
    // A name that was added for a value that is refused afterwards is gone again.
    refused("Lamp0", "Owner", "Engine.Texture'A..B'", "empty part");
    let error = package.edit(|edit| edit.remove_property("Lamp0", "Tag")).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotFound { .. }), "{error}");
    let error = package.values().property("Lamp0", "Tag").unwrap_err().to_string();
    assert!(error.contains("stored are Where, Count"), "{error}");
    let error =
        package.edit(|edit| edit.remove_property("Lamp0", "Where.X")).unwrap_err().to_string();
    assert!(error.contains("only whole properties"), "{error}");
    let double = Type::new(PropertyKind::Float);
    let error = package
        .edit(|edit| edit.add_property("Lamp0", "Count", &double, "1"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("stored as int"), "{error}");
    let error = package
        .edit(|edit| edit.add_property("Lamp0", "Title", &double, "1"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("declared as string"), "{error}");
    assert_eq!(package.to_bytes().unwrap(), before);
}

#[test]
fn keys_of_maps_are_paths_as_in_later_engines() {
    let mut package = open_level(69);
    let known = "map:int:string".parse().unwrap();
    package
        .edit(|edit| edit.add_property("Stranger", "Table", &known, "((1,\"a\"),(2,\"b\"))"))
        .unwrap();
    package.edit(|edit| edit.set_property("Stranger", "Table[2]", "c")).unwrap();
    package.edit(|edit| edit.set_property("Stranger", "Table[7]", "d")).unwrap();
    package.edit(|edit| edit.remove_property("Stranger", "Table[1]")).unwrap();
    assert_eq!(text(&package, "Stranger", "Table"), "((2,\"c\"),(7,\"d\"))");
    assert_eq!(text(&package, "Stranger", "Table[7]"), "\"d\"");
    let error = package.values().property("Stranger", "Table[1]").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotFound { what: noun::KEY, .. }), "{error}");
    // What only later engines have.
    let error = package
        .edit(|edit| edit.add_property("Stranger", "Wide", &"double".parse().unwrap(), "1"))
        .unwrap_err();
    assert!(matches!(error.unreal(), Some(UnrealError::Unsupported { .. })), "{error}");
    let error = package
        .edit(|edit| edit.set_property("Stranger", "[Row].Field", "1"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("no rows"), "{error}");
}

#[test]
fn a_struct_within_itself_has_no_new_value() {
    let bytes = include_bytes!("../regressions/struct_in_itself.u").to_vec();
    let mut package = Package::from_bytes(bytes).unwrap();
    let known = "struct:S".parse().unwrap();
    let error =
        package.edit(|edit| edit.add_property("Obj", "Own", &known, "()")).unwrap_err().to_string();
    assert!(error.contains("holds more than a new value can"), "{error}");
}

#[test]
fn a_stated_type_adds_what_nobody_declares() {
    let mut package = open_level(69);
    for (at, (known, value)) in [
        ("int", "5"),
        ("string", "\"x\""),
        ("struct:Rotator", "(Pitch=1,Yaw=2,Roll=3)"),
        ("struct:Color", "(R=1,G=2,B=3,A=4)"),
        ("struct:Scale", "(Scale=(X=1.0,Y=1.0,Z=1.0),SheerRate=0.0,SheerAxis=5)"),
        ("struct:Plane", "(W=4.0,X=1.0,Y=2.0,Z=3.0)"),
        ("struct:PointRegion", "(Zone=Lamp'Lamp1',iLeaf=3,ZoneNumber=1)"),
        ("array:name", "(Lamp,Tag)"),
    ]
    .into_iter()
    .enumerate()
    {
        let property = format!("Extra{at}");
        let stated = known.parse().unwrap();
        package.edit(|edit| edit.add_property("Stranger", &property, &stated, value)).unwrap();
        assert_eq!(text(&package, "Stranger", &property), value, "{known}");
        let again = text(&reopened(&package), "Stranger", &property);
        // Nobody else knows the elements of this array.
        assert!(again == value || known == "array:name" && again.starts_with("opaque:"), "{again}");
    }
    // A dotted field of a flat struct, by its way.
    package.edit(|edit| edit.set_property("Stranger", "Extra4.Scale.Y", "7")).unwrap();
    assert_eq!(text(&package, "Stranger", "Extra4.Scale.Y"), "7.0");
    assert!("array:map:int:".repeat(10_000).parse::<Type>().is_err());
    for wrong in ["", "Number", "struct", "array", "array:array:int", "int:3", "map:int"] {
        assert!(wrong.parse::<Type>().is_err(), "{wrong}");
    }
}

#[test]
fn what_another_package_declares_is_known() {
    let mut package = open_level(69);
    package.add_class_layouts(&{
        let mut other = unreal_packages::property::Layouts::default();
        let declared =
            unreal_packages::property::Declared::of_type("Speed", Type::new(PropertyKind::Float));
        let layout = unreal_packages::property::ClassLayout {
            name: "Thing".into(),
            properties: vec![declared],
            ..Default::default()
        };
        other.declare_class(layout);
        other
    });
    package.edit(|edit| edit.set_property("Stranger", "Speed", "2")).unwrap();
    assert_eq!(text(&reopened(&package), "Stranger", "Speed"), "2.0");
    let error =
        package.edit(|edit| edit.set_property("Stranger", "Weight", "2")).unwrap_err().to_string();
    assert!(error.contains("class Other.Thing declares no such property"), "{error}");
    // What a package says of itself serves others.
    let layouts = Package::from_bytes(level(69)).unwrap().layouts();
    let lamp = layouts.class("lamp").unwrap();
    assert_eq!(lamp.property("skins").unwrap().dimension, 4);
    assert_eq!(lamp.property("Kind").unwrap().enumeration.as_ref().unwrap().values.len(), 2);
}

#[test]
fn texts_are_replaced() {
    let mut package = open_level(69);
    for new in
        ["", "short", "a text that is a good deal longer\r\nand has two lines", "Zoë", "日本"]
    {
        package.edit(|edit| edit.set_text("Texts", new)).unwrap();
        let package = reopened(&package);
        let row = package.find_export("Texts").unwrap();
        let decoded = package.decode(row).unwrap();
        let buffer: &unreal_packages::object::text::TextBuffer =
            unreal_packages::package::native_as(&decoded.body).unwrap();
        assert_eq!(buffer.text.text(package.source()).unwrap(), new);
    }
    let error = package.edit(|edit| edit.set_text("Lamp0", "x")).unwrap_err().to_string();
    assert!(error.contains("Lamp0: it is a Lamp, not a text buffer"), "{error}");
}

#[test]
fn bodies_that_are_not_decoded_are_refused() {
    let mut package = open_level(69);
    let row = package.find_export("Stranger").unwrap();
    package.edit(|edit| edit.replace_body(row, vec![99, 99, 99])).unwrap();
    let error = package.values().properties("Stranger").unwrap_err().to_string();
    assert!(error.contains("Stranger: its body was replaced"), "{error}");
    let mut package = reopened(&package);
    let stated = Type::new(PropertyKind::Int);
    let error = package
        .edit(|edit| edit.add_property("Stranger", "X", &stated, "1"))
        .unwrap_err()
        .to_string();
    assert!(error.contains("Stranger: its body is not decoded"), "{error}");
}

/// A texture says by a property whether it has compressed mips: changing it alone would make what follows
/// unreadable.
#[test]
fn a_property_that_native_data_depends_on_is_guarded() {
    let bytes =
        level::level_with(69, |builder| builder.export("Picture", "Engine.Texture", vec![0, 0]));
    let mut package = Package::from_bytes(bytes).unwrap();
    let before = package.to_bytes().unwrap();
    let stated = Type::new(PropertyKind::Bool);
    let error =
        package.edit(|edit| edit.add_property("Picture", "bHasComp", &stated, "true")).unwrap_err();
    assert!(error.to_string().contains("could not be read again"), "{error}");
    // The name that was added for it is gone again.
    assert!(package.names().find("bHasComp").is_none());
    assert_eq!(package.to_bytes().unwrap(), before);
    package.edit(|edit| edit.add_property("Picture", "bMasked", &stated, "true")).unwrap();
    save_twice(&package);
}

/// Whatever bytes stand in a package: looking, setting, comparing and converting end, with a result or a
/// reason, and a call that fails leaves the package as it was.
#[test]
fn damaged_packages_are_refused_without_panic() {
    let mut whole = open_level(69);
    for (property, text) in [("Count", "7"), ("Where", "(1,2,3)"), ("Numbers", "(1,2)")] {
        whole.edit(|edit| edit.set_property("Lamp0", property, text)).unwrap();
    }
    let bytes = whole.to_bytes().unwrap();
    let mut state = 0x1234_5678u32;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as usize % below
    };
    let (mut opened, mut set) = (0, 0);
    for _ in 0..400 {
        let mut damaged = bytes.clone();
        for _ in 0..1 + random(4) {
            let at = random(damaged.len());
            damaged[at] = random(256) as u8;
        }
        let Ok(mut package) = Package::from_bytes(damaged) else { continue };
        opened += 1;
        for row in 0..package.exports().len().min(30) {
            let object = format!("#{row}");
            for value in package.values().properties(&object).unwrap_or_default() {
                let _ = package.values().property(&object, &value.path);
            }
            for (property, text) in [("Count", "3"), ("Where.X", "2"), ("Owner", "A.B'C.D'")] {
                let before = (package.names().len(), package.imports().len());
                match package.edit(|edit| edit.set_property(&object, property, text)) {
                    Ok(_) => set += 1,
                    Err(_) => {
                        assert_eq!((package.names().len(), package.imports().len()), before);
                    }
                }
            }
        }
        let _ = unreal_packages::compare::diff(&whole, &package);
        let _ = converted(&package, 68);
        let _ = package.layouts();
    }
    assert!(opened > 50 && set > 50, "{opened} opened, {set} set");
}

/// UE3 names the type in the tag, and names have numbers.
#[test]
fn tags_of_ue3_name_their_type() {
    for file in [400, 512, 684, 868] {
        let versions = unreal_packages::Versions::ue1_to_3(file, 0);
        // No net index, then the end of the list.
        let mut body = vec![255; 4];
        body.extend([0; 8]);
        let bytes = unreal_packages::generate::Builder::for_versions(versions)
            .export("Thing", "Other.Stuff", body)
            .build()
            .unwrap();
        let mut package = Package::from_bytes(bytes).unwrap();
        let mut expected = Vec::new();
        for (at, (known, value)) in [
            ("int", "-5"),
            ("string", "\"text\""),
            ("bool", "True"),
            ("byte", "200"),
            ("float", "0.5"),
            ("name", "Light_3"),
            ("object", "Stuff'Thing'"),
            ("struct:Vector", "(X=1.0,Y=2.0,Z=3.0)"),
            ("struct:Color", "(B=1,G=2,R=3,A=4)"),
            ("struct:Unknown", "()"),
        ]
        .into_iter()
        .enumerate()
        {
            let property = format!("Extra{at}");
            let stated = known.parse().unwrap();
            let added = package.edit(|edit| edit.add_property("Thing", &property, &stated, value));
            added.unwrap_or_else(|error| panic!("{file} {known}: {error}"));
            expected.push((property, known.to_owned(), value.to_owned()));
        }
        package.edit(|edit| edit.set_property("Thing", "Extra2", "0")).unwrap();
        expected[2].2 = "False".to_owned();
        let package = reopened(&package);
        assert!(
            package.names().find("Light").is_some() && package.names().find("Light_3").is_none()
        );
        let found = package.values().properties("Thing").unwrap().into_iter();
        let found: Vec<_> =
            found.map(|value| (value.path, value.property_type.to_string(), value.text)).collect();
        assert_eq!(found, expected, "{file}");
    }
}

/// The struct's name is newer than what was known when the edit began.
#[test]
fn fields_of_what_was_just_added_can_be_set() {
    for file in [61, 69, 128] {
        let builder = Builder::new(file).name("None");
        let bytes = builder.export("Lamp", "Engine.Light", *b"\0").build().unwrap();
        for at_once in [false, true] {
            let mut package = Package::from_bytes(bytes.clone()).unwrap();
            let known = "struct:Vector".parse().unwrap();
            let add = |edit: &mut Edit| {
                edit.add_property("Lamp", "Location", &known, "(X=1,Y=2,Z=3)").map(drop)
            };
            let set = |edit: &mut Edit| edit.set_property("Lamp", "Location.Z", "10.5").map(drop);
            if at_once {
                package.edit(|edit| add(edit).and_then(|()| set(edit))).unwrap();
            } else {
                package.edit(add).unwrap();
                package.edit(set).unwrap();
            }
            let text = package.values().property("Lamp", "Location").unwrap().text;
            assert_eq!(text, "(X=1.0,Y=2.0,Z=10.5)", "{file}");
        }
    }
}

/// Number 7 of UE2's tags: an object and the name of its function, which follow both.
#[test]
fn delegates_of_ue2_are_references() {
    for file in [100, 128] {
        let mut package = open_level(file);
        let change = package
            .edit(|edit| edit.set_property("Stranger", "OnClick:delegate", "Lamp1.Brandnew"));
        change.unwrap_or_else(|error| panic!("{file}: {error}"));
        let mut package = reopened(&package);
        let known = package.values().property("Stranger", "OnClick").unwrap().property_type;
        assert_eq!(known.to_string(), "delegate");
        let row = |package: &Package, name: &str| package.names().find(name).unwrap() as u8;
        let lamp1 = package.find_export("Lamp1").unwrap() as u8 + 1;
        let body = package.body(package.find_export("Stranger").unwrap()).unwrap();
        let (name, function) = (row(&package, "OnClick"), row(&package, "Brandnew"));
        // Two compact indices of one byte: the code of a size of two.
        assert_eq!(body[..4], [name, 0x17, lamp1, function], "{file}");
        let written = text(&package, "Stranger", "OnClick");
        assert_eq!(written, "Lamp'Lamp1'.Brandnew", "{file}");
        let found = package.values().property("Stranger", "OnClick").unwrap().value;
        assert!(matches!(found, Some(Value::Delegate(_))), "{file}: {found:?}");

        // Names and objects of other rows.
        package.decode_all();
        let mut renumbering = unreal_packages::edit::Renumbering::identity(&package);
        renumbering.names.reverse();
        renumbering.exports.reverse();
        let mut renumbered = package.clone();
        renumbered.edit(|edit| edit.renumber(&renumbering)).unwrap();
        assert_eq!(text(&reopened(&renumbered), "Stranger", "OnClick"), written, "{file}");
        // And back, as a release must have them.
        renumbered.edit(|edit| edit.conform_to(&package)).unwrap();
        assert_eq!(text(&reopened(&renumbered), "Stranger", "OnClick"), written, "{file}");

        let mut renamed = package.clone();
        renamed.edit(|edit| edit.rename_object("Lamp1", "Bulb")).unwrap();
        assert_eq!(
            text(&reopened(&renamed), "Stranger", "OnClick"),
            "Lamp'Bulb'.Brandnew",
            "{file}"
        );
        package.edit(|edit| edit.set_property("Stranger", "OnClick", "None")).unwrap();
        assert_eq!(text(&reopened(&package), "Stranger", "OnClick"), "None", "{file}");

        let string = package.edit(|edit| edit.set_property("Stranger", "Old:fixed-string", "a"));
        assert!(string.is_err(), "{file}");
    }
    let mut package = open_level(69);
    let string = package.edit(|edit| edit.set_property("Stranger", "Old:fixed-string", "abc"));
    string.unwrap();
    assert_eq!(text(&reopened(&package), "Stranger", "Old"), "\"abc\"");
    assert!(package.edit(|edit| edit.set_property("Stranger", "On:delegate", "None")).is_err());
}

#[test]
fn any_text_is_set_exactly() {
    let texts = [
        "\"quoted\"",
        "\"half",
        "half\"",
        "",
        " ",
        " both ends ",
        "(1,2)",
        "a=b",
        "two\nlines",
        "\\",
        "\t",
        "\\\"",
        "None",
        "'",
    ];
    let mut package = open_level(69);
    for given in texts {
        let change = package.edit(|edit| edit.set_property_text("Lamp0", "Title", given));
        change.unwrap_or_else(|error| panic!("{given:?}: {error}"));
        let package = reopened(&package);
        let value = package.values().property("Lamp0", "Title").unwrap().value;
        let Some(Value::Str(string)) = value else { panic!("{given:?}: {value:?}") };
        assert_eq!(string.text(package.source()).unwrap(), given);
        // What is printed is what is set.
        let printed = text(&package, "Lamp0", "Title");
        assert_eq!(printed, unreal_packages::property::quote(given));
        let mut again = package.clone();
        again.edit(|edit| edit.set_property("Lamp0", "Title", "else")).unwrap();
        again.edit(|edit| edit.set_property("Lamp0", "Title", &printed)).unwrap();
        assert_eq!(text(&reopened(&again), "Lamp0", "Title"), printed);
    }
    // As the grammar has it: quotes around all of it are no part of it.
    package.edit(|edit| edit.set_property("Lamp0", "Title", "\"plain\"")).unwrap();
    assert_eq!(text(&package, "Lamp0", "Title"), "\"plain\"");
    let error = package.edit(|edit| edit.set_property("Lamp0", "Title", "\"half")).unwrap_err();
    assert!(error.to_string().contains(r#"in quotes: "\"half""#), "{error}");
}
