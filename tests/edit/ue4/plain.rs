//! Values as programs take them, and the forms in which maps and optional values are set.

use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::{NewAsset, NewRows};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::property::PlainValue;

fn thing(properties: &[(&str, &str, &str)]) -> Package {
    let mut asset = NewAsset::object("/Game/Thing", "/Script/MyGame.Thing");
    for (name, known, text) in properties {
        asset = asset.property(name, known.parse().unwrap(), text);
    }
    asset.build("5.4".parse().unwrap()).unwrap()
}

fn text(text: &str) -> PlainValue {
    PlainValue::Text(text.to_owned())
}

#[test]
fn values_have_no_form_of_their_package() {
    let package = thing(&[
        ("Number", "int", "-7"),
        ("Flag", "bool", "true"),
        ("Real", "float", "0.1"),
        ("Line", "string", "a, b"),
        ("Label", "text", "NSLOCTEXT(\"ns\",\"key\",\"Hello\")"),
        ("Mesh", "soft-object", "None"),
        ("Place", "struct:Vector", "(X=1,Y=2,Z=3)"),
        ("Numbers", "array:int", "(1,2)"),
        ("Scores", "map:name:int", "((One,1))"),
    ]);
    let values = package.values();
    let found = values.plain_properties(package.find_export("Thing").unwrap()).unwrap();
    let point = |number| PlainValue::Double(number);
    let expected = [
        ("Number", PlainValue::Int(-7)),
        ("Flag", PlainValue::Bool(true)),
        ("Real", PlainValue::Float(0.1)),
        ("Line", text("a, b")),
        (
            "Label",
            PlainValue::Localized {
                source: "Hello".to_owned(),
                written: "NSLOCTEXT(\"ns\",\"key\",\"Hello\")".to_owned(),
            },
        ),
        ("Mesh", PlainValue::Null),
        (
            "Place",
            PlainValue::Struct(vec![
                ("X".to_owned(), point(1.0)),
                ("Y".to_owned(), point(2.0)),
                ("Z".to_owned(), point(3.0)),
            ]),
        ),
        ("Numbers", PlainValue::List(vec![PlainValue::Int(1), PlainValue::Int(2)])),
        ("Scores", PlainValue::Map(vec![(text("One"), PlainValue::Int(1))])),
    ];
    let expected: Vec<_> =
        expected.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    assert_eq!(found, expected);
    // One by one they are what they are together.
    for (name, value) in expected {
        assert_eq!(values.plain_property("Thing", &name).unwrap(), value, "{name}");
    }
}

#[test]
fn maps_take_keys_before_equals_signs_and_optional_values_stand_alone() {
    let mut package =
        thing(&[("Scores", "map:string:int", "((One,1))"), ("Chance", "optional:float", "()")]);
    let shown =
        |package: &Package, name: &str| package.values().property("Thing", name).unwrap().text;
    let set = |package: &mut Package, name: &str, text: &str| {
        package.edit(|edit| edit.set_property("Thing", name, text).map(drop))
    };
    set(&mut package, "Scores", "(One=2,\"a, b\"=3)").unwrap();
    assert_eq!(shown(&package, "Scores"), "((\"One\",2),(\"a, b\",3))");
    assert!(set(&mut package, "Scores", "(1,2)").is_err(), "no pairs");
    assert!(set(&mut package, "Scores", "(One=2,one=3)").is_err(), "one key twice");
    for (text, expected) in [("0.5", "(0.5)"), ("(2)", "(2.0)"), ("None", "()"), ("()", "()")] {
        set(&mut package, "Chance", text).unwrap();
        assert_eq!(shown(&package, "Chance"), expected, "{text}");
    }
    assert!(set(&mut package, "Chance", "(1,2)").is_err(), "no float");
}

#[test]
fn rows_of_tables_are_called_as_properties() {
    let mut rows = NewRows::of("/Script/MyGame.Row");
    rows.column("Damage", "float".parse().unwrap());
    rows.row("Sword", ["12.5"]).unwrap();
    rows.row("RowStruct", ["3"]).unwrap();
    let table = NewAsset::data_table("/Game/DT", rows).build("5.4".parse().unwrap()).unwrap();
    let values = table.values();
    let split = |path: &str| values.split_value_path(path).unwrap();
    let pair = |object: &str, property: &str| (object.to_owned(), property.to_owned());
    assert_eq!(split("DT.Sword.Damage"), pair("DT", "[Sword].Damage"));
    assert_eq!(split("DT.sword"), pair("DT", "[sword]"));
    assert_eq!(split("DT[Sword].Damage"), pair("DT", "[Sword].Damage"));
    // What the table itself stores comes first, and what is no row is a property.
    assert_eq!(split("DT.RowStruct"), pair("DT", "RowStruct"));
    assert_eq!(split("DT.Other.Damage"), pair("DT", "Other.Damage"));
    let row = table.find_export("DT").unwrap();
    let found = values.plain_rows(row).unwrap();
    let fields = PlainValue::Struct(vec![("Damage".to_owned(), PlainValue::Float(12.5))]);
    assert_eq!(found[0], ("Sword".to_owned(), fields));
    assert_eq!(found.len(), 2);
}
