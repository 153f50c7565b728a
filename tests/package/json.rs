//! The JSON form: nothing is lost, and what is edited is saved.

use crate::common;
mod empty;
mod enums;
mod rows;
mod ue4;

use common::code::{Code, Member, property};
use common::{all_versions, builder, forms, parts::Parts};
use serde_json::{Value, json};
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::script_object::{ScriptObject, ScriptStruct};
use unreal_packages::package::{Package, check_unedited};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archived, EngineRelease, ErrorKind, FString, Saver, Versions};

fn to_json(package: &Package) -> Vec<u8> {
    let mut text = Vec::new();
    package.to_json(&mut text, false).unwrap();
    text
}

fn again(package: &Package) -> unreal_packages::Result<Vec<u8>> {
    Package::from_json(&to_json(package))?.to_bytes()
}

/// The schema that people have for documents.
fn schema() -> jsonschema::Validator {
    let schema = include_str!("../../docs/document.schema.json");
    jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap()
}

#[test]
fn documents_follow_their_schema() {
    let schema = schema();
    let document = |package: &Package| serde_json::from_slice::<Value>(&to_json(package)).unwrap();
    let built = all_versions().into_iter().map(|versions| builder(versions).build().unwrap());
    let versions = built.map(Package::from_bytes);
    let forms = [forms::tagged(), forms::pinned(), forms::complete(), forms::unversioned()];
    for package in versions.map(Result::unwrap).chain(forms).chain([sample(), plane(), stray()]) {
        let document = document(&package);
        let errors: Vec<_> = schema.iter_errors(&document).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{}: {errors:?}", package.versions());
    }
    let wrong = |change: fn(&mut Value)| {
        let mut document = document(&sample());
        change(&mut document);
        assert!(!schema.is_valid(&document), "{document:#}");
    };
    // That of the description is one, and makes a package.
    let text = include_str!("../../docs/documents.md");
    let (_, block) = text.split_once("```json\n").unwrap();
    let (described, _) = block.split_once("```").unwrap();
    assert!(schema.is_valid(&serde_json::from_str(described).unwrap()));
    let package = Package::from_json(described.as_bytes()).unwrap().to_bytes().unwrap();
    let package = Package::from_bytes(package).unwrap();
    assert_eq!(package.exports().path(0), "First");
    let again: Value = document(&package);
    let value = &again["exports"][0]["value"];
    assert_eq!(value["properties"], json!([{ "name": "Count", "type": "int", "value": 7 }]));
    assert_eq!(
        (&value["text"], &again["names"][2]),
        (&json!("one"), &json!(["Count", 67_568_656]))
    );
    wrong(|document| document["farchive"] = json!(3));
    wrong(|document| document["bodies"] = json!([]));
    wrong(|document| document["exports"][0]["object_nam"] = json!("First"));
    wrong(|document| {
        let one = json!({ "name": "One", "type": 1 });
        document["exports"][0]["value"]["properties"] = json!([one]);
    });
    wrong(|document| document["exports"][0]["value"]["script"] = json!([1]));
}

#[test]
fn every_version_comes_back_byte_for_byte() {
    for versions in all_versions() {
        let bytes = builder(versions.clone()).build().unwrap();
        let package = Package::from_bytes(bytes.clone()).unwrap();
        assert_eq!(again(&package).unwrap(), bytes, "{versions}");
        let rich = Parts::rich(versions.clone()).assemble();
        if let Ok(package) = Package::from_bytes(rich.clone()) {
            assert_eq!(again(&package).unwrap(), rich, "{versions}, all sections");
        }
    }
}

/// A text and a property list in one object each.
fn sample() -> Package {
    let versions = Versions::ue1_to_3(69, 0);
    let text = |text: &str| {
        let mut saver = Saver::new(versions.clone());
        // No properties, position, top, text.
        let mut parts = (unreal_packages::CompactIndex::new(0), [0i32; 2], FString::new(text));
        parts.0.serialize(&mut saver).unwrap();
        parts.1.serialize(&mut saver).unwrap();
        parts.2.serialize(&mut saver).unwrap();
        saver.into_bytes()
    };
    let bytes = Builder::new(69)
        .export("First", "Engine.TextBuffer", text("one"))
        .export("Second", "Engine.TextBuffer", text("two"))
        .build()
        .unwrap();
    Package::from_bytes(bytes).unwrap()
}

fn edited(package: &Package, edit: impl FnOnce(&mut Value)) -> unreal_packages::Result<Package> {
    let mut document: Value = serde_json::from_slice(&to_json(package)).unwrap();
    edit(&mut document);
    let package = Package::from_json(document.to_string().as_bytes())?;
    Package::from_bytes(package.to_bytes()?)
}

#[test]
fn sections_of_later_engines_are_refused() {
    let error = edited(&sample(), |document| {
        document["asset_registry"] = json!([]);
    });
    let text = error.unwrap_err().to_string();
    assert!(text.contains("packages of version 69/0 have no 'asset_registry'"), "{text}");
}

#[test]
fn a_longer_text_moves_what_follows() {
    let package = sample();
    let after = edited(&package, |document| {
        document["exports"][0]["value"]["text"] = json!("a text of more letters than before");
    })
    .unwrap();
    let document: Value = serde_json::from_slice(&to_json(&after)).unwrap();
    assert_eq!(document["exports"][0]["value"]["text"], "a text of more letters than before");
    assert_eq!(after.body(1).unwrap(), package.body(1).unwrap());
    assert_eq!(after.to_bytes().unwrap(), after.source());
}

#[test]
fn an_object_less_moves_what_follows() {
    let package = sample();
    for row in 0..2 {
        let after = edited(&package, |document| {
            document["exports"].as_array_mut().unwrap().remove(row);
        })
        .unwrap();
        assert_eq!(after.exports().len(), 1);
        assert_eq!(after.exports().path(0), ["Second", "First"][row]);
        assert_eq!(after.body(0).unwrap(), package.body(1 - row).unwrap());
        assert!(after.source().len() <= package.source().len());
        assert_eq!(after.to_bytes().unwrap(), after.source());
    }
}

#[test]
fn a_name_can_be_given_another_text() {
    let package = sample();
    let row = package.names().find("Second").unwrap();
    let after = edited(&package, |document| {
        assert_eq!(document["names"][row], "Second");
        let text = document.to_string().replace("\"Second\"", "\"SecondOfAllTexts\"");
        *document = serde_json::from_str(&text).unwrap();
    })
    .unwrap();
    assert_eq!(after.exports().path(1), "SecondOfAllTexts");
    assert_eq!(after.body(1).unwrap(), package.body(1).unwrap());
}

#[test]
fn what_does_not_fit_is_an_error_that_says_where() {
    let package = sample();
    let fails = |edit: fn(&mut Value)| edited(&package, edit).unwrap_err().to_string();
    let error = fails(|document| document["exports"][1]["value"]["text"] = json!(null));
    assert!(error.contains("exports[1]") && error.contains("text"), "{error}");
    let error = fails(|document| {
        document["exports"][0]["value"]["properties"] = json!([{ "name": "Nope", "type": "nope" }]);
    });
    assert!(error.contains("exports[0].value.properties[0]") && error.contains("nope"), "{error}");
    let error = fails(|document| document["stored"]["length"] = json!(1u64 << 40));
    assert!(error.contains("count"), "{error}");
    let error = fails(|document| document["farchive"] = json!(1));
    assert!(error.contains("version 1 of the form"), "{error}");
    let error = Package::from_json(b"[").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Invalid { .. }), "{error}");
}

#[test]
fn damaged_documents_never_panic() {
    let text = String::from_utf8(to_json(&sample())).unwrap();
    for (at, _) in text.char_indices().step_by(3) {
        for with in ["", "9", "-1", "\"\"", "null", "[]", "{}"] {
            let rest = text[at..].find([',', '}', ']']).map_or("", |skip| &text[at + skip..]);
            let damaged = format!("{}{with}{rest}", &text[..at]);
            if let Ok(package) = Package::from_json(damaged.as_bytes()) {
                let _ = package.to_bytes();
            }
        }
    }
}

/// The document as it is, but for one text, and the error of reading it.
fn refused(package: &Package, from: &str, to: &str) -> String {
    let text = String::from_utf8(to_json(package)).unwrap();
    let changed = text.replacen(from, to, 1);
    assert_ne!(changed, text, "{from}");
    Package::from_json(changed.as_bytes()).unwrap_err().to_string()
}

#[test]
fn keys_are_free_in_order() {
    fn reversed(value: Value) -> Value {
        match value {
            Value::Array(values) => values.into_iter().map(reversed).collect(),
            Value::Object(map) => {
                let mut all: Vec<_> =
                    map.into_iter().map(|(key, it)| (key, reversed(it))).collect();
                all.reverse();
                Value::Object(all.into_iter().collect())
            }
            value => value,
        }
    }
    for package in [sample(), plane(), stray()] {
        let document = reversed(serde_json::from_slice(&to_json(&package)).unwrap());
        let again = Package::from_json(document.to_string().as_bytes()).unwrap();
        assert_eq!(again.to_bytes().unwrap(), package.source(), "{document:#}");
    }
}

#[test]
fn keys_that_are_misspelt_missing_or_doubled_are_refused() {
    let package = sample();
    let error = refused(&package, "\"text\":\"one\"", "\"txet\":\"one\"");
    assert!(error.contains("exports[0].value.text") && error.contains("'txet'"), "{error}");
    let error = refused(&package, "\"text\":\"one\"", "\"top\":0");
    assert!(error.contains("stands twice") && error.contains("exports[0].value.top"), "{error}");
    let error = refused(&package, "\"text\":\"one\"", "\"text\":\"one\",\"more\":1");
    assert!(error.contains("exports[0].value") && error.contains("'more'"), "{error}");
    let error = refused(&package, ",\"text\":\"one\"", "");
    assert!(error.contains("exports[0].value.text") && error.contains("missing"), "{error}");
    let error = refused(&package, "\"game\"", "\"gmae\"");
    assert!(error.contains("'gmae'"), "{error}");
    let error = refused(&package, "\"serial_size\"", "\"serial_sise\"");
    assert!(error.contains("exports[0].stored") && error.contains("'serial_sise'"), "{error}");
    // Lists that have nothing in them, too.
    let error = refused(&package, "\"game\"", "\"depends\": [], \"depends\": [], \"game\"");
    assert!(error.contains("the key depends stands twice"), "{error}");
}

/// A struct whose defaults hold a struct that another declaration says to be a list of tags.
fn plane() -> Package {
    let versions = Versions::ue1_to_3(600, 0);
    let mut code = Code::new(versions.clone(), unreal_packages::Guid::new(1, 2, 3, 4));
    let members = [Member::Struct("Plane", "", vec![property("X", "FloatProperty")])];
    let name = |code: &mut Code, text: &str| code.name(text).index.value().to_le_bytes();
    let mut held = Vec::new();
    for (text, class, size) in [("XPlane", "StructProperty", 36_i32), ("X", "FloatProperty", 4)] {
        held.extend([name(&mut code, text), [0; 4], name(&mut code, class), [0; 4]].concat());
        held.extend([size.to_le_bytes(), [0; 4]].concat());
        if size == 36 {
            held.extend([name(&mut code, "Plane"), [0; 4]].concat());
        }
    }
    held.extend(1.5_f32.to_le_bytes());
    // Both lists end with the first name.
    held.extend([0; 16]);
    let mut saver = Saver::new(versions);
    ScriptObject::Struct(ScriptStruct::default()).serialize(&mut saver).unwrap();
    let empty = saver.into_bytes();
    let body = [&[0; 12], &empty[..empty.len() - 8], &held].concat();
    code.instance("Matrix", "Core.ScriptStruct", &body);
    code.class("Maths", "Core.Object", false, &members, &[]);
    let package = Package::from_bytes(code.build()).unwrap();
    let mut decoded = package.clone();
    decoded.decode_all();
    assert_eq!(decoded.decoded(0).unwrap().opaque, 0, "the plane is a list of tags");
    package
}

#[test]
fn defaults_are_read_as_the_packages_own_structs_say() {
    let package = plane();
    let text = String::from_utf8(to_json(&package)).unwrap();
    assert!(text.contains("\"name\":\"X\",\"type\":\"float\""), "{text}");
    assert_eq!(again(&package).unwrap(), package.source());
}

/// A package with an object of no bytes whose offset points behind the file.
fn stray() -> Package {
    let mut bytes = Builder::new(600)
        .export("Empty", "Engine.Thing", Vec::new())
        .export("Other", "Engine.Thing", vec![0xff; 12])
        .build()
        .unwrap();
    let package = Package::from_bytes(bytes.clone()).unwrap();
    let row = &package.exports().entries()[0];
    let (flags, offset) = (row.object_flags.0.to_le_bytes(), row.offset() as u32);
    let stored = [&flags[..], &[0; 4], &offset.to_le_bytes()].concat();
    let at = bytes.windows(16).position(|it| it == stored).unwrap();
    bytes[at + 12..at + 16].copy_from_slice(&0x7000_0000_u32.to_le_bytes());
    let package = Package::from_bytes(bytes).unwrap();
    assert_eq!(package.exports().entries()[0].offset(), 0x7000_0000);
    package
}

#[test]
fn objects_of_no_bytes_may_stand_anywhere() {
    let package = stray();
    assert_eq!(package.to_bytes().unwrap(), package.source());
    assert_eq!(again(&package).unwrap(), package.source());
}

fn two_objects() -> Vec<u8> {
    Builder::for_release(EngineRelease::new(4, 18))
        .export("First", "/Script/Engine.Thing", vec![0xff; 12])
        .export("Second", "/Script/Engine.Thing", vec![0xfe; 20])
        .build()
        .unwrap()
}

/// A package whose table of dependencies begins with a number of references that no row has.
fn without_depends() -> Package {
    let mut bytes = two_objects();
    let package = Package::from_bytes(bytes.clone()).unwrap();
    let at = package.summary().depends_offset as usize;
    bytes[at..at + 4].copy_from_slice(&(-64_i32).to_le_bytes());
    let package = Package::from_bytes(bytes).unwrap();
    assert_eq!(package.tables().depends.len(), 0);
    package
}

/// A package with a body at the start of the file, where the header stands, and none at another odd place.
fn at_the_start() -> Package {
    let mut bytes = two_objects();
    let package = Package::from_bytes(bytes.clone()).unwrap();
    for (row, (size, offset)) in [(12_i64, 0_i64), (0, 11)].into_iter().enumerate() {
        let entry = &package.exports().entries()[row];
        let place = [entry.serial_size.value(), entry.serial_offset.value()].map(i64::to_le_bytes);
        let at = bytes.windows(16).position(|it| it == place.concat()).unwrap();
        bytes[at..at + 16].copy_from_slice(&[size, offset].map(i64::to_le_bytes).concat());
    }
    Package::from_bytes(bytes).unwrap()
}

#[test]
fn odd_packages_come_back_or_are_refused() {
    for package in [without_depends(), at_the_start()] {
        assert_eq!(package.to_bytes().unwrap(), package.source());
        assert!(again(&package).unwrap() == package.source());
    }
}

#[test]
fn an_unedited_document_gives_its_package_or_is_refused() {
    let package = without_depends();
    for pretty in [false, true] {
        let mut text = Vec::new();
        package.to_json(&mut text, pretty).unwrap();
        check_unedited(&text, package.source()).unwrap();
        // Other bytes of the same document: it does not say everything.
        let mut other = package.source().to_vec();
        *other.last_mut().unwrap() ^= 1;
        let error = check_unedited(&text, &other).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Invalid { .. }), "{error}");
        // An edited document gives what it says.
        let edited = String::from_utf8(text).unwrap().replace("\"First\"", "\"Fifth\"");
        check_unedited(edited.as_bytes(), &other).unwrap();
        let without_seal = edited[..edited.rfind(",\n\"seal\"").unwrap()].to_owned() + "}";
        check_unedited(without_seal.as_bytes(), &other).unwrap();
        Package::from_json(without_seal.as_bytes()).unwrap();
    }
}

/// Documents name references: what they name stays, whatever rows the names get.
#[test]
fn delegates_name_what_they_named_where_names_have_other_rows() {
    let mut package = crate::common::level::open_level(128);
    let set = |edit: &mut unreal_packages::edit::Edit| {
        edit.set_property("Stranger", "OnClick:delegate", "Lamp1.Brandnew")?;
        edit.set_property("Stranger", "OnOther:delegate", "Only")
    };
    package.edit(set).unwrap();
    let package = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
    let said = |package: &Package| {
        let text = |property| package.values().property("Stranger", property).unwrap().text;
        ["OnClick", "OnOther"].map(text)
    };
    let reversed = edited(&package, |document| {
        document["names"].as_array_mut().unwrap().reverse();
    });
    let reversed = reversed.unwrap();
    assert_ne!(reversed.names().find("Brandnew"), package.names().find("Brandnew"));
    assert_eq!(said(&reversed), said(&package));
    assert_eq!(said(&package), ["Lamp'Lamp1'.Brandnew", "Only"]);
}

/// Empty lists are written as `[]`, read as `[]`, and still as what older documents have.
#[test]
fn lists_are_emptied_with_brackets() {
    let mut package = crate::common::level::open_level(69);
    package.edit(|edit| edit.set_property("Lamp0", "Numbers", "(1,2,3)")).unwrap();
    package.edit(|edit| edit.set_property("Lamp1", "Numbers", "()")).unwrap();
    let package = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
    let document: Value = serde_json::from_slice(&to_json(&package)).unwrap();
    let at = |object: &str| {
        let row = package.find_export(object).unwrap();
        format!("/exports/{row}/value/properties/0/value")
    };
    assert_eq!(document.pointer(&at("Lamp0")), Some(&json!([1, 2, 3])));
    assert_eq!(document.pointer(&at("Lamp1")), Some(&json!([])));
    for empty in [json!([]), json!({ "count": 0 })] {
        let edited = edited(&package, |document| {
            *document.pointer_mut(&at("Lamp0")).unwrap() = empty.clone();
        });
        let edited = edited.unwrap_or_else(|error| panic!("{empty}: {error}"));
        assert_eq!(edited.values().property("Lamp0", "Numbers").unwrap().text, "()", "{empty}");
    }
    // The list of properties itself.
    let none = edited(&package, |document| {
        let row = package.find_export("Lamp0").unwrap();
        document["exports"][row]["value"]["properties"] = json!([]);
    });
    assert!(none.unwrap().values().properties("Lamp0").unwrap().is_empty());
}

/// `Foo_85` in one row and `Foo` with a number are two names, whichever names a document adds.
#[test]
fn names_with_a_number_in_their_text_stay_what_they_are() {
    for (name, other, expected) in [
        ("Foo_85", "Foo", json!({ "$row": "Foo_85", "$number": 0 })),
        ("Foo", "Foo_85", json!("Foo_85")),
    ] {
        let bytes = Builder::new(868).name(name).export("Foo_85", "Engine.Info", vec![0; 12]);
        let package = Package::from_bytes(bytes.build().unwrap()).unwrap();
        let called = package.exports().entries()[0].object_name;
        assert_eq!(called.number != 0, name == "Foo");
        let mut document: Value = serde_json::from_slice(&to_json(&package)).unwrap();
        assert_eq!(document["exports"][0]["object_name"], expected);
        assert!(schema().is_valid(&document));
        assert_eq!(again(&package).unwrap(), package.to_bytes().unwrap());
        document["names"].as_array_mut().unwrap().push(json!(other));
        let more = Package::from_json(document.to_string().as_bytes()).unwrap();
        assert_eq!(more.exports().entries()[0].object_name, called, "{name}");
        // Each in its own form again.
        let more: Value = serde_json::from_slice(&to_json(&more)).unwrap();
        assert_eq!(more["exports"][0]["object_name"], expected);
    }
}
