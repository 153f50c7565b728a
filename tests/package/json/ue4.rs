//! Packages of UE4 and UE5: decisions are stated, edits move what follows.

use std::sync::Arc;

use serde_json::{Value, json};
use unreal_packages::edit::PackageEdit;
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::package::{LayoutKind, OpenOptions, Package, SaveOptions};
use unreal_packages::primitive::PackageFlags;
use unreal_packages::property::Mappings;
use unreal_packages::property::mappings::{MappingData, MappingName};
use unreal_packages::version::UnrealVersions;

use super::common::ue4::{TEXELS, cooked_texture, inline_texels, rich};
use super::common::{forms, ue4_versions};
use super::to_json;

fn document(package: &Package) -> Value {
    serde_json::from_slice(&to_json(package)).unwrap()
}

fn load(package: &Package, document: &Value) -> unreal_packages::Result<Package> {
    Package::from_json_with(document.to_string().as_bytes(), package.mappings().cloned())
}

/// The package after an edit, opened from the bytes that it was saved as.
fn edited(package: &Package, edit: impl FnOnce(&mut Value)) -> Package {
    let mut document = document(package);
    edit(&mut document);
    let saved = load(package, &document).unwrap().save(&SaveOptions::new()).unwrap();
    let mut options = OpenOptions::new().engine(package.versions().release().unwrap());
    if let Some(mappings) = package.mappings() {
        options = options.mappings(mappings.clone());
    }
    let again = options.open_bytes(saved.bytes).unwrap();
    assert_eq!(again.save(&SaveOptions::new()).unwrap().report.layout, LayoutKind::InPlace);
    again
}

fn value(document: &Value, row: usize) -> &Value {
    &document["exports"][row]["value"]
}

#[test]
fn every_header_comes_back_byte_for_byte() {
    for versions in ue4_versions().into_iter().filter(|it| !it.unversioned_properties()) {
        let flags = match versions.filter_editor_only() {
            true => PackageFlags::FILTER_EDITOR_ONLY,
            false => PackageFlags(0),
        };
        let bytes = rich(&versions, flags).build().unwrap();
        let Ok(package) = Package::from_bytes(bytes.clone()) else { continue };
        let again = Package::from_json(&to_json(&package)).and_then(|package| package.to_bytes());
        assert!(again.unwrap_or_else(|e| panic!("{versions}: {e}")) == bytes, "{versions}");
    }
}

#[test]
fn every_form_comes_back_byte_for_byte() {
    for package in [forms::tagged(), forms::pinned(), forms::complete(), forms::unversioned()] {
        let document = document(&package);
        let saved = load(&package, &document).unwrap().save(&SaveOptions::new()).unwrap();
        assert!(saved.bytes == package.source(), "{document:#}");
        assert_eq!(saved.split, package.split_at());
    }
}

#[test]
fn decisions_that_no_byte_states_are_stated() {
    let document = document(&forms::tagged());
    let first = value(&document, 0);
    let property = |name: &str| {
        let all = first["properties"].as_array().unwrap();
        all.iter().find(|part| part["name"] == name).unwrap()
    };
    assert!(property("Odd")["value"].to_string().contains("$opaque"), "{first:#}");
    assert_eq!(property("Odd")["form"], "opaque", "{first:#}");
    assert_eq!(property("Lookup")["form"], 2, "{first:#}");
    assert_eq!(property("Kinds")["value"], json!(["Near", "Far"]), "{first:#}");
    assert_eq!(property("Wide")["value"], "Größe", "{first:#}");
    assert_eq!(property("Number")["value"], 7, "{first:#}");
    // A true position is a number, one of another place says so.
    assert!(value(&document, 1)["bulk"]["offset"].is_u64(), "{}", value(&document, 1));
    assert_eq!(value(&document, 2)["form"], "zero", "{}", value(&document, 2));
    assert!(document["exports"][3].get("$opaque").is_some());
}

#[test]
fn edited_properties_move_what_follows() {
    let package = forms::tagged();
    let after = edited(&package, |document| {
        let first = document["exports"][0]["value"]["properties"].as_array_mut().unwrap();
        for part in first {
            let name = part["name"].clone();
            let Some(value) = part.get_mut("value") else { continue };
            match name.as_str().unwrap() {
                "Number" => *value = json!(-8),
                "Title" => *value = json!("a rather long title: Maß"),
                "Numbers" => value.as_array_mut().unwrap().extend([json!(30), json!(40)]),
                "Points" => value["count"].as_array_mut().unwrap().extend_from_within(..1),
                "Kinds" => value.as_array_mut().unwrap().push(json!("Near")),
                _ => {}
            }
        }
    });
    let seen = document(&after);
    let first = value(&seen, 0).to_string();
    for text in ["-8", "a rather long title: Maß", "[10,20,30,40]", "[\"Near\",\"Far\",\"Near\"]"]
    {
        assert!(first.contains(text), "{text}: {first}");
    }
    assert_eq!(first.matches("[1.5,-2.0,0.1]").count(), 2, "{first}");
    // The payload's position has moved along.
    let shapes = &after.exports().entries()[1];
    assert_eq!(after.body(1).unwrap().len(), package.body(1).unwrap().len());
    let stated = (shapes.offset() + shapes.size() - 3) as i64;
    assert_eq!(value(&seen, 1)["bulk"]["offset"], stated, "{seen:#}");
    assert_ne!(after.body(1).unwrap(), package.body(1).unwrap());
    for row in [2, 3] {
        assert_eq!(after.body(row).unwrap(), package.body(row).unwrap());
    }
}

#[test]
fn the_element_of_an_array_may_be_negative() {
    let package = forms::tagged();
    let at = "/exports/0/value/properties/0/index";
    let mut stated = document(&package);
    let first = &mut stated["exports"][0]["value"]["properties"][0];
    assert!(first["type"].is_string(), "{first:#}");
    first["index"] = json!(-2);
    let again = load(&package, &stated).unwrap();
    assert_eq!(document(&again).pointer(at).unwrap(), &json!(-2));
    for wrong in [json!(i64::from(i32::MAX) + 1), json!(1.5), json!("1")] {
        *stated.pointer_mut(at).unwrap() = wrong;
        let error = load(&package, &stated).unwrap_err();
        assert!(error.to_string().contains("'index' is no number that fits"), "{error}");
    }
}

#[test]
fn bodies_that_seem_to_hold_positions_stay() {
    let package = forms::pinned();
    let stated = document(&package);
    assert_eq!(stated["exports"][1]["stored"]["pinned"], true, "{stated:#}");
    let edited = stated.to_string().replace("\"Hi\"", "\"longer\"");
    let error = Package::from_json(edited.as_bytes()).unwrap().to_bytes().unwrap_err();
    assert!(
        matches!(error.unreal(), Some(UnrealError::Refused { objects, .. }) if objects == &["Payload"])
    );
    let edited = stated.to_string().replace("\"CAkK\"", "\"CAkKCw==\"");
    let error = Package::from_json(edited.as_bytes()).unwrap_err();
    assert!(matches!(error.unreal(), Some(UnrealError::Refused { .. })), "{error}");
}

#[test]
fn rows_say_where_edited_properties_stand() {
    let package = forms::complete();
    let (start, end) = (0, package.body(0).unwrap().len() as i64 - 7);
    let rows = |document: &mut Value, start: i64, end: i64| {
        let row = &mut document["exports"][0]["stored"];
        row["script_serialization_start_offset"] = json!(start);
        row["script_serialization_end_offset"] = json!(end);
    };
    let told = edited(&package, |document| rows(document, start, end));
    let longer = "as long as it takes";
    let after = edited(&told, |document| {
        let text = document["exports"][0]["value"]
            .to_string()
            .replace("\"Hi\"", &json!(longer).to_string());
        document["exports"][0]["value"] = serde_json::from_str(&text).unwrap();
    });
    let row = &after.exports().entries()[0];
    assert_eq!(row.script_serialization_start_offset, start);
    assert_eq!(row.script_serialization_end_offset, end + longer.len() as i64 - 2);
    assert!(value(&document(&after), 0).to_string().contains(longer));
}

#[test]
fn unversioned_properties_need_their_mappings() {
    let package = forms::unversioned();
    let stated = document(&package);
    assert_eq!(value(&stated, 0)["properties"]["Numbers"], json!([10, 20]), "{stated:#}");
    let text = stated.to_string();
    let error = Package::from_json(text.as_bytes()).unwrap_err();
    assert!(error.to_string().contains("--mappings"), "{error}");
    let names = vec![MappingName("Other".into())];
    let other = Mappings::new(MappingData { names, ..MappingData::default() });
    let error = Package::from_json_with(text.as_bytes(), Some(Arc::new(other))).unwrap_err();
    assert!(error.to_string().contains("other mappings"), "{error}");
    let after = edited(&package, |document| {
        let first = &mut document["exports"][0]["value"]["properties"];
        first["Title"] = json!("longer than it was");
        first["Numbers"].as_array_mut().unwrap().push(json!(30));
    });
    let seen = document(&after);
    assert_eq!(value(&seen, 0)["properties"]["Title"], "longer than it was");
    assert_eq!(value(&seen, 0)["properties"]["Numbers"], json!([10, 20, 30]));
    assert_eq!(after.body(1).unwrap(), package.body(1).unwrap());
}

#[test]
fn what_was_changed_before_is_written() {
    let mut package = forms::tagged();
    package.edit(|edit| edit.add_name("Fresh")).unwrap();
    let again = Package::from_json(&to_json(&package)).unwrap();
    package.decode_all();
    assert_eq!(again.to_bytes().unwrap(), package.to_bytes().unwrap());
    assert_ne!(again.to_bytes().unwrap(), package.source());
}

#[test]
fn renamed_names_have_new_hashes() {
    let after = edited(&forms::tagged(), |document| {
        let text = document.to_string().replace("\"Near\"", "\"Nearest\"");
        *document = serde_json::from_str(&text).unwrap();
    });
    let row = after.names().find("Nearest").unwrap();
    let hashes = after.names().entries()[row].hashes();
    assert_eq!(hashes, unreal_packages::table::NameHashes::of("Nearest"));
}

#[test]
fn errors_name_the_place_in_the_document() {
    let package = forms::tagged();
    let fails = |edit: fn(&mut Value)| {
        let mut document = document(&package);
        edit(&mut document);
        load(&package, &document).unwrap_err().to_string()
    };
    let error = fails(|document| document["exports"][1]["value"]["bulk"]["flags"] = json!(true));
    assert!(error.contains("exports[1].value.bulk.flags") && error.contains("true"), "{error}");
    let error = fails(|document| document["names"][2] = json!({ "text": 7.5 }));
    assert!(error.contains("names[2].text"), "{error}");
    let error = fails(|document| document["exports"][0]["value"] = json!([]));
    assert!(error.contains("exports[0].value"), "{error}");
    let error = fails(|document| document["exports"][1]["object_name"] = json!(12.5));
    let wanted = "exports[1].object_name";
    assert!(error.contains(wanted) && error.contains("12.5 where the name"), "{error}");
    let error = fails(|document| document["stored"]["places"][0][2] = json!(u64::MAX));
    assert!(error.contains("stored.places[0]"), "{error}");
}

/// A property that the document makes longer moves the payload, and with it what the table says.
#[test]
fn the_table_follows_payloads_that_an_edit_moves() {
    let release = unreal_packages::EngineRelease::new(5, 4);
    let options = OpenOptions::new().engine(release);
    let mut package = options.open_bytes(cooked_texture(release)).unwrap();
    let text = "string".parse().unwrap();
    package.edit(|edit| edit.add_property("Picture", "Title", &text, "short")).unwrap();
    let package = options.open_bytes(package.to_bytes().unwrap()).unwrap();
    let (start, texels, others) = inline_texels(&package);
    assert_eq!(texels, TEXELS);
    let plain = document(&package);
    assert!(load(&package, &plain).unwrap().to_bytes().unwrap() == package.source());
    let longer = plain.to_string().replace("\"short\"", "\"quite a lot longer\"");
    assert_ne!(longer, plain.to_string());
    let again = edited(&package, |document| *document = serde_json::from_str(&longer).unwrap());
    let (moved, texels, same) = inline_texels(&again);
    assert_eq!((moved, &texels[..], same), (start + 13, &TEXELS[..], others));
    // Where nobody knows where the payload stands, the size stays.
    let mut hidden = plain;
    let riddle = package.find_export("Riddle").unwrap();
    let picture = package.find_export("Picture").unwrap();
    let properties = value(&hidden, picture)["properties"].clone();
    hidden["exports"][riddle]["value"]["properties"] = properties;
    let refused = load(&package, &hidden).unwrap().to_bytes().unwrap_err();
    assert!(matches!(refused.unreal(), Some(UnrealError::Refused { .. })), "{refused}");
    assert!(refused.to_string().contains("Riddle"), "{refused}");
}

/// A package may say that it was saved by a release that nobody knows.
#[test]
fn releases_that_nobody_knows_are_written_and_read() {
    let package = Package::from_bytes(
        rich(&unreal_packages::Versions::ue4_and_5(522, 1013), PackageFlags(0)).build().unwrap(),
    );
    let mut told = document(&package.unwrap());
    for (major, minor) in [(5, 77), (12, 27), (4, 99)] {
        let version = &mut told["summary"]["saved_by"]["engine_version"];
        (version["major"], version["minor"]) = (json!(major), json!(minor));
        told.as_object_mut().unwrap().remove("engine");
        let saved = Package::from_json(told.to_string().as_bytes()).unwrap().to_bytes().unwrap();
        let opened = Package::from_bytes(saved.clone()).unwrap();
        let written = document(&opened);
        assert_eq!(written["engine"], json!(format!("{major}.{minor}")));
        assert!(load(&opened, &written).unwrap().to_bytes().unwrap() == saved, "{major}.{minor}");
    }
}

#[test]
fn rows_that_bytes_may_say_stay() {
    let package = forms::tagged();
    let document = document(&package);
    let refused = |edit: &dyn Fn(&mut Value)| {
        let mut edited = document.clone();
        edit(&mut edited);
        match load(&package, &edited) {
            Err(error) => {
                matches!(error.unreal(), Some(UnrealError::Refused { objects, .. }) if !objects.is_empty())
            }
            Ok(_) => false,
        }
    };
    let list = |document: &mut Value, key: &str, change: &dyn Fn(&mut Vec<Value>)| {
        change(document[key].as_array_mut().unwrap());
    };
    assert!(refused(&|it| list(it, "names", &|names| names.reverse())));
    assert!(refused(&|it| list(it, "names", &|names| names.insert(1, json!("Fresh")))));
    assert!(refused(&|it| list(it, "imports", &|imports| imports.swap(0, 1))));
    assert!(refused(&|it| list(it, "exports", &|exports| exports.swap(0, 1))));
    assert!(!refused(&|it| list(it, "names", &|names| names.push(json!("Fresh")))));
    // Whoever uses the row means the new text: the object of that name, too.
    let renamed = |it: &mut Value| {
        list(it, "names", &|names| {
            *names.iter_mut().find(|name| **name == json!("Raw")).unwrap() = json!("Fresh");
        });
        let mut exports = it["exports"].as_array_mut().unwrap().iter_mut();
        exports.find(|export| export["object_name"] == "Raw").unwrap()["object_name"] =
            json!("Fresh");
    };
    assert!(!refused(&renamed));
}
