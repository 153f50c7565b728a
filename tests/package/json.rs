//! The JSON form: nothing is lost, and what is edited is saved.

use crate::common;
mod ue4;

use common::{all_versions, builder, parts::Parts};
use farchive::generate::Builder;
use farchive::package::Package;
use farchive::{Archived, ErrorKind, FString, Saver, Versions};
use serde_json::{Value, json};

fn to_json(package: &Package) -> Vec<u8> {
    let mut text = Vec::new();
    package.to_json(&mut text, false).unwrap();
    text
}

fn again(package: &Package) -> farchive::Result<Vec<u8>> {
    Package::from_json(&to_json(package))?.to_bytes()
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
        let mut parts = (farchive::CompactIndex::new(0), [0i32; 2], FString::new(text));
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

fn edited(package: &Package, edit: impl FnOnce(&mut Value)) -> farchive::Result<Package> {
    let mut document: Value = serde_json::from_slice(&to_json(package)).unwrap();
    edit(&mut document);
    let package = Package::from_json(document.to_string().as_bytes())?;
    Package::from_bytes(package.to_bytes()?)
}

#[test]
fn sections_of_later_engines_are_refused() {
    let error = edited(&sample(), |document| {
        let section = json!({ "section": "asset_registry", "start": 0, "size": 0, "value": [] });
        document["sections"].as_array_mut().unwrap().push(section);
    });
    let text = error.unwrap_err().to_string();
    assert!(text.contains("packages of version 69/0 have no 'asset_registry'"), "{text}");
}

#[test]
fn a_longer_text_moves_what_follows() {
    let package = sample();
    let after = edited(&package, |document| {
        document["bodies"][0]["value"]["text"] = json!("a text of more letters than before");
    })
    .unwrap();
    let document: Value = serde_json::from_slice(&to_json(&after)).unwrap();
    assert_eq!(document["bodies"][0]["value"]["text"], "a text of more letters than before");
    assert_eq!(after.body(1).unwrap(), package.body(1).unwrap());
    assert_eq!(after.to_bytes().unwrap(), after.source());
}

#[test]
fn a_name_can_be_given_another_text() {
    let package = sample();
    let row = package.names().find("Second").unwrap();
    let after = edited(&package, |document| {
        let names = document["sections"].as_array_mut().unwrap();
        let names = names.iter_mut().find(|section| section["section"] == "names").unwrap();
        names["value"][row]["text"] = json!("SecondOfAllTexts");
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
    let error = fails(|document| document["bodies"][1]["value"]["text"] = json!(null));
    assert!(error.contains("bodies[1]") && error.contains("text"), "{error}");
    let error = fails(|document| document["bodies"][0]["value"]["property_name"] = json!("Nope"));
    assert!(error.contains("name 'Nope'"), "{error}");
    let error = fails(|document| document["length"] = json!(1u64 << 40));
    assert!(error.contains("count"), "{error}");
    let error = fails(|document| document["farchive"] = json!(1));
    assert!(error.contains("version 2"), "{error}");
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
