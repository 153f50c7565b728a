//! Values of enums stand in documents by name, and are read without anything but the document.

use serde_json::{Value, json};
use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::{Explanation, PackageEnums, PackageValues};
use unreal_packages::package::{ByteEnum, ByteEnums, Package};
use unreal_packages::property::{ClassLayout, Declared, Enumeration, Layouts};

use crate::common::level::level_with;
use std::sync::Arc;

/// A byte of an enum of the package itself, and one of the engine's; the latter where the engine is known.
fn sample(file: u32) -> Package {
    let body = if file < 300 { vec![0] } else { vec![0; 12] };
    let bytes = level_with(file, |builder| builder.export("Light1", "Engine.Light", body));
    let mut package = Package::from_bytes(bytes).unwrap();
    package.edit(|edit| edit.set_property("Lamp0", "Kind", "KB")).unwrap();
    package.edit(|edit| edit.set_property("Light1", "LightType:byte", "2")).unwrap();
    package.edit(|edit| edit.set_property("Light1", "Unheard:byte", "2")).unwrap();
    Package::from_bytes(package.to_bytes().unwrap()).unwrap()
}

fn document(package: &Package, enums: &dyn ByteEnums) -> Value {
    let mut text = Vec::new();
    package.to_json_with(&mut text, false, enums).unwrap();
    serde_json::from_slice(&text).unwrap()
}

fn property<'a>(
    document: &'a mut Value,
    package: &Package,
    object: &str,
    name: &str,
) -> &'a mut Value {
    let row = package.find_export(object).unwrap();
    let list = document["exports"][row]["value"]["properties"].as_array_mut().unwrap();
    list.iter_mut().find(|property| property["name"] == name).unwrap()
}

fn read(document: &Value) -> Result<Package, String> {
    let package = Package::from_json(document.to_string().as_bytes());
    package.map_err(|error| error.to_string())
}

#[test]
fn bytes_have_the_names_of_their_enums_both_ways() {
    for file in [61, 69, 128] {
        let package = sample(file);
        let mut made = document(&package, &PackageEnums::new(&package));
        assert!(super::schema().is_valid(&made));
        assert_eq!(made["enums"]["EKind"], json!(["KA", "KB"]));
        let kind = property(&mut made, &package, "Lamp0", "Kind");
        assert_eq!(
            *kind,
            json!({ "name": "Kind", "type": "byte", "enum": "EKind", "value": "KB" })
        );
        // The tables of UE2 do not say the enum.
        let of_engine = file < 100;
        let light = property(&mut made, &package, "Light1", "LightType");
        let expected = if of_engine { json!("LT_Pulse") } else { json!(2) };
        assert_eq!(light["value"], expected, "{light}");
        assert_eq!(property(&mut made, &package, "Light1", "Unheard")["value"], json!(2));
        let bytes = package.to_bytes().unwrap();
        assert_eq!(read(&made).unwrap().to_bytes().unwrap(), bytes);
        // Without what says the enums there are numbers, and the same bytes.
        let plain = super::to_json(&package);
        assert!(!String::from_utf8_lossy(&plain).contains("EKind\",\"value"));
        assert_eq!(Package::from_json(&plain).unwrap().to_bytes().unwrap(), bytes);
        if !of_engine {
            continue;
        }
        // Names in any case, with the enum before them; numbers, also without a name.
        for (given, text) in [
            (json!("lt_steady"), "LT_Steady"),
            (json!("ELightType::LT_Blink"), "LT_Blink"),
            (json!(1), "LT_Steady"),
            (json!(200), "200"),
        ] {
            property(&mut made, &package, "Light1", "LightType")["value"] = given;
            let edited = read(&made).unwrap();
            assert_eq!(edited.values().property("Light1", "LightType").unwrap().text, text);
        }
    }
}

#[test]
fn a_name_that_its_enum_lacks_is_refused_with_the_object() {
    let package = sample(69);
    let made = document(&package, &PackageEnums::new(&package));
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut made = made.clone();
        change(&mut made);
        read(&made).unwrap_err()
    };
    let of_light = |key: &'static str, value: Value| {
        let package = &package;
        move |made: &mut Value| property(made, package, "Light1", "LightType")[key] = value.clone()
    };
    let error = refused(&of_light("value", json!("LT_Pulsing")));
    assert!(
        error.contains("Light1: 'LT_Pulsing' is no value of the enum ELightType: LT_None"),
        "{error}"
    );
    assert!(error.contains("value.properties[0]"), "{error}");
    let error = refused(&of_light("value", json!("EOther::LT_Blink")));
    assert!(error.contains("'EOther::LT_Blink' is no value of the enum ELightType"), "{error}");
    let error = refused(&of_light("enum", json!("ELight")));
    assert!(error.contains("Light1: 'enums' of the document has no 'ELight'"), "{error}");
    let error = refused(&of_light("enum", json!(7)));
    assert!(error.contains("'enum' is the name of the enum of a byte"), "{error}");
    let error = refused(&of_light("type", json!("int")));
    assert!(error.contains("'enum' is the name of the enum of a byte"), "{error}");
    for wrong in [json!([]), json!({ "E": 1 }), json!({ "E": [1] }), json!({ "E": vec!["A"; 257] })]
    {
        let error = refused(&|made: &mut Value| made["enums"] = wrong.clone());
        assert!(error.contains("'enums"), "{error}");
    }
}

/// Two enums of a name, two numbers of a name, and more names than a byte has numbers.
#[test]
fn what_names_do_not_say_alone_stays_a_number() {
    struct Given(Vec<Option<String>>);

    impl ByteEnums for Given {
        fn enum_of(&self, _: usize, _: Option<&str>, name: &str) -> Option<Arc<ByteEnum>> {
            let mut values = self.0.clone();
            if name == "Unheard" {
                values.push(Some("Another".to_owned()));
            }
            Some(Arc::new(ByteEnum { name: "EOne".to_owned(), values }))
        }
    }
    let package = sample(69);
    let bytes = package.to_bytes().unwrap();
    let name = |text: &str| Some(text.to_owned());
    for (values, light, unheard) in [
        (vec![name("A"), name("B"), name("C")], json!("C"), json!(2)),
        (vec![name("A"), name("B"), name("a")], json!(2), json!(2)),
        (vec![name("C"), name("B"), name("c")], json!(2), json!(2)),
        (vec![name("A"), name("B"), None], json!(2), json!(2)),
        (vec![name("A"), name("B"), name("X::A")], json!("X::A"), json!(2)),
        (vec![name("A"), name("B"), name("EOne::A")], json!("EOne::A"), json!(2)),
        (vec![name("A"); 257], json!(2), json!(2)),
    ] {
        let mut made = document(&package, &Given(values));
        assert_eq!(property(&mut made, &package, "Light1", "LightType")["value"], light);
        assert_eq!(property(&mut made, &package, "Light1", "Unheard")["value"], unheard);
        assert_eq!(read(&made).unwrap().to_bytes().unwrap(), bytes);
    }
}

/// The view of bytes says them as well.
#[test]
fn explained_bytes_say_the_names_of_their_values() {
    for file in [69, 128] {
        let package = sample(file);
        let meaning = |object: &str, name: &str| {
            let row = package.find_export(object).unwrap();
            let fields = Explanation::of_body(&package, row).unwrap();
            let path = format!("bodies[{row}].{name}");
            let found = fields.into_iter().map(|field| field.record).find(|it| it.path == path);
            found.unwrap().meaning
        };
        assert_eq!(meaning("Lamp0", "Kind"), "KB");
        assert_eq!(meaning("Light1", "LightType"), if file < 100 { "LT_Pulse" } else { "" });
        assert_eq!(meaning("Light1", "Unheard"), "");
    }
}

/// Nothing tells which of two enums of a name is meant where their values differ.
#[test]
fn of_two_enums_of_a_name_none_is_known() {
    let class = |name: &str, second: &str| {
        let values = vec!["KA".into(), second.into()];
        let enumeration = Some(Arc::new(Enumeration { name: "EKind".into(), values }));
        let kind = Declared { enumeration, ..Declared::of_type("Kind", "byte".parse().unwrap()) };
        ClassLayout { name: name.into(), parent: "Object".into(), properties: vec![kind] }
    };
    let second = |layouts: &Layouts| Some(layouts.enumeration("ekind")?.values[1].to_string());
    let mut layouts = Layouts::default();
    layouts.declare_class(class("Lamp", "KB"));
    layouts.declare_class(class("Torch", "KB"));
    assert_eq!(second(&layouts).as_deref(), Some("KB"));
    layouts.declare_class(class("Candle", "KC"));
    assert_eq!(second(&layouts), None);
}
