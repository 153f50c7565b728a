//! Types of properties as text.

use unreal_packages::property::{PropertyKind, Type};

#[test]
fn texts_are_read_back() {
    for text in [
        "int",
        "bool",
        "byte",
        "byte-enum:ELight",
        "int8",
        "uint64",
        "float",
        "double",
        "string",
        "fixed-string",
        "utf8-string",
        "name",
        "text",
        "object",
        "class",
        "soft-object",
        "delegate",
        "enum:EMode",
        "multicast-inline-delegate",
        "struct:Vector",
        "array:struct:Vector",
        "set:name",
        "map:enum:EMode:array:int",
        "optional:struct:Row",
        "field-path",
        "interface",
    ] {
        let known: Type = text.parse().unwrap();
        assert_eq!(known.to_string(), text);
        assert_ne!(known.kind(), PropertyKind::Unknown, "{text}");
    }
    assert_eq!("intproperty".parse::<Type>().unwrap().class(), "IntProperty");
    let path: Type = "struct:/Script/CoreUObject.Vector".parse().unwrap();
    assert_eq!(path.name().unwrap().package, "/Script/CoreUObject");
    for wrong in [
        "",
        "nothing",
        "array",
        "struct:",
        "map:int",
        "int:int",
        "array:array:int",
        &"array:".repeat(99),
    ] {
        assert!(wrong.parse::<Type>().is_err(), "{wrong}");
    }
}
