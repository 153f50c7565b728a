//! Documents that people read: nothing is lost in them, and their faults are named.

use std::fmt::Debug;

use farchive::{Archived, Map, from_json, from_json_value, to_json, to_json_value};
use serde_json::{Value, json};

use crate::stored::{Stored, own};

/// The document of the value, which reads as the value again.
fn document<T: Stored>(value: &T) -> Value {
    let document = to_json_value(value, &own(1)).expect("it is a document");
    let again = from_json_value::<T>(&document, &own(1));
    assert_eq!(again.unwrap_or_else(|error| panic!("{error}: {document}")), *value, "{document}");
    let pretty = to_json(value, &own(1)).expect("it is a text");
    assert_eq!(from_json::<T>(&pretty, &own(1)).expect("it is the same"), *value);
    document
}

#[test]
fn options_are_null_or_the_value() {
    assert_eq!(document(&None::<u8>), json!(null));
    assert_eq!(document(&Some(7_u8)), json!(7));
    assert_eq!(document(&Some(None::<u8>)), json!({ "value": null }));
    assert_eq!(document(&Some(Some(7_u8))), json!(7));
    assert_eq!(document(&Some(Some(None::<u8>))), json!({ "value": { "value": null } }));
    assert_eq!(document(&Some(())), json!({ "value": {} }));
    assert_eq!(document(&Some(String::new())), json!(""));
    assert_eq!(document(&Some(vec![Some(true), None])), json!([true, null]));
    assert_eq!(
        document(&vec![None, Some(Some(1_u8)), Some(None)]),
        json!([null, 1, { "value": null }])
    );
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Value {
        value: u8,
    }
    assert_eq!(document(&Some(Value { value: 7 })), json!({ "value": { "value": 7 } }));
    assert_eq!(
        document(&Some(Some(Value { value: 7 }))),
        json!({ "value": { "value": { "value": 7 } } })
    );
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(i16)]
enum Shape {
    #[default]
    Point,
    Circle(f32) = -5,
    Box {
        #[archive(rename = "size")]
        width: u8,
        shape: Option<Box<Shape>>,
    },
    #[since(2)]
    Later,
    #[archive(rename = "kept")]
    Kept(u8, String),
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(i16)]
enum Open {
    #[default]
    First,
    #[archive(other)]
    Other(i16),
}

#[test]
fn variants_are_names() {
    assert_eq!(document(&Shape::Point), json!("Point"));
    assert_eq!(document(&Shape::Circle(0.5)), json!({ "Circle": { "0": 0.5 } }));
    let inner = Some(Box::new(Shape::Kept(1, "x".into())));
    assert_eq!(
        document(&Shape::Box { width: 3, shape: inner }),
        json!({ "Box": { "size": 3, "shape": { "kept": { "0": 1, "1": "x" } } } })
    );
    assert_eq!(
        document(&Shape::Box { width: 3, shape: None }),
        json!({ "Box": { "size": 3, "shape": null } })
    );
    assert_eq!(document(&Open::Other(77)), json!({ "discriminant": 77 }));
    assert_eq!(
        document(&vec![Open::First, Open::Other(8)]),
        json!(["First", { "discriminant": 8 }])
    );
    assert_eq!(document(&(Shape::Point, Shape::Point)), json!({ "0": "Point", "1": "Point" }));
    assert_eq!(document(&Some(Shape::Point)), json!("Point"));
}

#[test]
fn lists_maps_and_texts() {
    assert_eq!(document(&Vec::<String>::new()), json!([]));
    assert_eq!(
        document(&vec![String::new(), "Grüße \u{1f600}".to_owned()]),
        json!(["", "Grüße \u{1f600}"])
    );
    assert_eq!(document(&vec![vec![1_u16], vec![]]), json!([[1], []]));
    assert_eq!(document(&Map(vec![("a".to_owned(), 1_u8)])), json!([{ "key": "a", "value": 1 }]));
    assert_eq!(document(&vec![0xab_u8, 1]), json!({ "$hex": "ab01" }));
    assert_eq!(
        document(&("$hex".to_owned(), "null".to_owned())),
        json!({ "0": "$hex", "1": "null" })
    );
    assert_eq!(document(&f32::NEG_INFINITY), json!({ "$bits": 0xff80_0000_u32 }));
}

#[test]
fn fields_are_renamed_and_flattened() {
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Outer {
        #[archive(rename = "type")]
        kind: u8,
        #[archive(flatten)]
        inner: Inner,
        last: bool,
    }
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Inner {
        width: u8,
        name: String,
    }
    let value = Outer { kind: 1, inner: Inner { width: 2, name: "n".into() }, last: true };
    assert_eq!(document(&value), json!({ "type": 1, "width": 2, "name": "n", "last": true }));
    let error = crate::stored::refused::<Outer>(&[1], 1);
    assert_eq!(error.path(), "width");
    assert_eq!(Outer::LAYOUT.fields().next().map(|it| it.name), Some("type"));
}

#[test]
fn faults_name_their_place() {
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Hero {
        name: String,
        shape: Shape,
        pet: Option<Box<Hero>>,
        alive: bool,
    }
    let fault = |text: &str| from_json::<Hero>(text, &own(1)).expect_err(text).to_string();
    let good = r#"{"name": "a", "shape": "Point", "pet": null, "alive": true}"#;
    assert!(from_json::<Hero>(good, &own(1)).is_ok());
    for (change, to, message) in [
        ("\"a\"", "7", "name (version 1): the JSON has 7 where a text belongs"),
        (
            "\"Point\"",
            "\"Pint\"",
            "shape.Pint.discriminant (version 1): unknown variant 'Pint': it is one of 'Point', 'Circle', 'Box', 'Later', 'kept'",
        ),
        (
            "\"Point\"",
            "{\"Box\": {\"size\": 1, \"width\": 2, \"shape\": null}}",
            "shape.Box (version 1): unknown field 'width'",
        ),
        (
            "\"Point\"",
            "\"Later\"",
            "shape.Later.discriminant (version 1): -3 is the variant Later of Shape, which is there from 2",
        ),
        ("null", "{\"name\": \"b\"}", "pet.value.shape (version 1): missing"),
        ("true", "1", "alive (version 1): the JSON has 1 where true or false belongs"),
        ("\"alive\"", "\"alife\"", "alive (version 1): missing; not read yet: 'alife'"),
        ("true", "true, \"more\": 1", "(version 1): unknown field 'more'"),
        ("\"pet\": null, ", "", "pet (version 1): missing; not read yet: 'alive'"),
        ("\"shape\": \"Point\", ", "", "shape (version 1): missing; not read yet: 'pet', 'alive'"),
    ] {
        assert_eq!(fault(&good.replace(change, to)), message);
    }
    assert!(fault("[").contains("no JSON"));
}

#[test]
fn a_document_of_another_form_is_an_error_and_no_panic() {
    for text in
        ["null", "[]", "{}", "7", "\"x\"", "[[[]]]", "{\"value\": {}}", "{\"discriminant\": {}}"]
    {
        let _ = from_json::<Shape>(text, &own(1));
        let _ = from_json::<Option<Shape>>(text, &own(1));
        let _ = from_json::<Vec<Option<String>>>(text, &own(1));
        let _ = from_json::<Map<Shape, bool>>(text, &own(1));
    }
}
