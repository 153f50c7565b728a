//! Documents of UAssetAPI: what they state becomes a package, what they state otherwise is refused by name.

use serde_json::{Value, json};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::package::{OpenOptions, Package, UassetapiOptions, document_of_uassetapi};
use unreal_packages::{EngineRelease, ErrorKind};

/// The document of this library that comes from one of UAssetAPI, by way of the package.
fn read(document: &Value, engine: Option<EngineRelease>) -> unreal_packages::Result<Value> {
    let text = serde_json::to_vec(document).unwrap();
    let own =
        document_of_uassetapi(&text, &UassetapiOptions { engine, ..Default::default() })?.text;
    let bytes = Package::from_json(&own)?.to_bytes()?;
    let options = engine.map_or(OpenOptions::new(), |engine| OpenOptions::new().engine(engine));
    let mut again = Vec::new();
    options.open_bytes(bytes)?.to_json(&mut again, false)?;
    Ok(serde_json::from_slice(&again).unwrap())
}

/// A document with properties of many kinds, of 4.27.
fn whole() -> Value {
    serde_json::from_str(include_str!("../common/uassetapi.json")).unwrap()
}

#[test]
fn what_a_document_states_is_in_the_package() {
    let made = read(&whole(), None).unwrap();
    let value = |at: usize| made["exports"][0]["value"]["properties"][at].clone();
    let simple = |name: &str, kind: &str, value: Value| json!({ "name": name, "type": kind, "value": value });
    assert_eq!(value(0), simple("On", "bool", json!(true)));
    assert_eq!(value(1), simple("Count", "int", json!(-5)));
    let element = value(2);
    assert_eq!((&element["tag"]["array_index"], &element["value"]), (&json!(2), &json!(6)));
    assert_eq!(element["tag"]["guid"], json!({ "$hex": "05000000000000000000000000000000" }));
    assert_eq!(value(3)["value"].to_string(), "-0.0");
    assert_eq!(value(4)["value"], json!({ "$bits": f64::INFINITY.to_bits() }));
    assert_eq!(value(5), simple("Text", "string", json!("Grüße")));
    assert_eq!(value(6)["value"], json!({ "length": 0 }));
    assert_eq!(value(7), simple("Next", "object", json!("Table")));
    assert_eq!(value(8), simple("Kind", "byte-enum:EKind", json!("EKind::Two")));
    assert_eq!(value(9), simple("Mode", "enum:EMode", json!("EMode::A")));
    let history = json!({
        "discriminant": 0, "namespace": { "length": 1, "terminator": 0 }, "key": "key", "source": "source",
    });
    assert_eq!(value(10), simple("Title", "text", json!({ "flags": 8, "history": history })));
    assert_eq!(value(11)["value"]["asset_path_name"], json!("/Game/Other.Other"));
    assert_eq!(value(12), simple("Numbers", "array:int", json!([1, 2])));
    let list = value(13);
    assert_eq!(list["value"]["tag"]["struct_name"], json!("Item"));
    assert_eq!(
        list["value"]["tag"]["struct_guid"],
        json!({ "$hex": "0a000000000000000000000000000000" })
    );
    assert_eq!(list["value"]["count"][1], json!([simple("Tag", "name", json!("B"))]));
    let pair = json!({ "key": "One", "value": { "$hex": "01000000020000000300000004000000" } });
    assert_eq!(value(14)["value"], json!({ "removed_count": [], "count": [pair] }));
    assert_eq!(value(15), simple("Place", "struct:Vector", json!([1.5, 0.0, -2.0])));
    assert_eq!(value(16)["value"], json!({ "$hex": "0180ff0c" }));
    assert_eq!(value(17)["value"], json!(638_448_068_967_890_000_i64));
    assert_eq!(value(18)["value"], json!(-937_845_000_000_i64));
    let row = |name: &str, number: i32| json!({ "name": name, "value": [simple("Damage", "int", json!(number))] });
    assert_eq!(made["exports"][1]["value"]["rows"], json!([row("Sword", 7), row("Bow_3", 8)]));
    let texts = &made["exports"][2]["value"];
    assert_eq!(
        (&texts["namespace"], &texts["entries"]),
        (&json!("Space"), &json!([{ "key": "Key", "value": "A text" }]))
    );
    assert_eq!(made["exports"][3]["$opaque"], json!("AQIDBA=="));
}

#[test]
fn the_header_is_what_a_document_states() {
    let made = read(&whole(), None).unwrap();
    let summary = &made["summary"];
    assert_eq!(summary["versions"]["ue4"], json!(522));
    let custom = &summary["versions"]["custom_versions"][0];
    assert_eq!(
        *custom,
        json!({ "key": { "$hex": "e4b068edf49442e9a231da0b2e46bb41" }, "version": 40 })
    );
    assert_eq!(
        summary["guid"],
        json!({ "$hex": "332211007766554 4bbaa9988ffeeddcc".replace(' ', "") })
    );
    assert_eq!(
        (&summary["package_flags"], &summary["package_source"]),
        (&json!(0x4000), &json!(77))
    );
    assert_eq!(summary["localization_id"], json!("KEY"));
    assert_eq!(summary["saved_by"]["engine_version"]["branch"], json!("++UE4"));
    let class = json!({
        "class_package": "/Script/CoreUObject", "class_name": "Class", "outer_index": "/Script/Engine",
        "object_name": "DataAsset", "used_in_game": false,
    });
    assert_eq!(made["imports"][1], class);
    let asset = &made["exports"][0];
    assert_eq!(asset["class_index"], json!("/Script/Engine.DataAsset"));
    assert_eq!((&asset["object_flags"], &asset["is_asset"]), (&json!(11), &json!(1)));
    assert_eq!(made["soft_package_references"], json!([{ "name": "/Game/Other" }]));
    assert_eq!(
        made["asset_registry"]["assets"][0]["tags"],
        json!([{ "key": "Key", "value": "Value" }])
    );
    // Bits 0 and 2 of five are set: each import says its own.
    let imports = made["imports"].as_array().unwrap();
    let used: Vec<_> = imports.iter().map(|import| import.get("used_in_game").is_none()).collect();
    assert_eq!(used, [true, false, true, false, false]);
    assert_eq!(made["asset_dependencies"].get("import_used_in_game"), None);
    assert_eq!(made["thumbnails"][0]["object_path"], json!("Asset"));
    assert_eq!(made["thumbnail_images"][0]["value"]["height"], json!(2));
    assert_eq!(made["closing_tag"], json!(0x9e2a_83c1_u32));
}

#[test]
fn packages_without_versions_have_those_of_a_release() {
    let mut stated = whole();
    stated["IsUnversioned"] = json!(true);
    let release = "4.27".parse().unwrap();
    let made = read(&stated, Some(release)).unwrap();
    assert_eq!(made["summary"]["versions"]["ue4"], json!(0));
    assert_eq!(made["engine"], json!("4.27"));
    stated["ObjectVersion"] = json!(0);
    let error = document_of_uassetapi(stated.to_string().as_bytes(), &UassetapiOptions::default())
        .unwrap_err();
    assert!(error.to_string().contains("--engine"), "{error}");
}

#[test]
fn what_says_too_little_is_refused_by_its_place() {
    let refused = |change: &dyn Fn(&mut Value)| {
        let mut stated = whole();
        change(&mut stated);
        read(&stated, None).unwrap_err()
    };
    let error = refused(&|all| all["$type"] = json!("Other"));
    assert!(error.to_string().contains("no document of UAssetAPI"), "{error}");
    let error = refused(&|all| all["ObjectVersion"] = json!("VER_UE4_TOMORROW"));
    assert!(matches!(error.kind(), ErrorKind::NotFound { .. }), "{error}");
    let error = refused(&|all| {
        all["Exports"][0]["$type"] = json!("UAssetAPI.ExportTypes.ClassExport, UAssetAPI")
    });
    assert!(
        error.to_string().contains("Exports[0]")
            && error.to_string().contains("'Asset' is a ClassExport"),
        "{error}"
    );
    let error = refused(&|all| all["Exports"][0]["Data"][1]["Value"] = json!("many"));
    assert!(error.to_string().contains("Exports[0].Data[1].Value"), "{error}");
    let error = refused(&|all| {
        let kind = "UAssetAPI.PropertyTypes.Structs.SmartNamePropertyData, UAssetAPI";
        all["Exports"][0]["Data"][15]["Value"][0]["$type"] = json!(kind);
    });
    assert!(error.to_string().contains("SmartNamePropertyData"), "{error}");
    let error = refused(&|all| all["WorldTileInfo"] = json!({ "Position": 1 }));
    assert!(error.to_string().contains("WorldTileInfo"), "{error}");
    let error = refused(&|all| all["Trailer"] = json!("AQI="));
    assert!(error.to_string().contains("Trailer"), "{error}");
}

#[test]
fn what_is_not_read_comes_from_the_original() {
    let text = |stated: &Value| serde_json::to_vec(stated).unwrap();
    let own = document_of_uassetapi(&text(&whole()), &UassetapiOptions::default()).unwrap();
    assert_eq!(own.taken_over, Vec::<String>::new());
    let bytes = Package::from_json(&own.text).unwrap().to_bytes().unwrap();
    let mut original = Package::from_bytes(bytes.clone()).unwrap();
    original.decode_all();
    let with = UassetapiOptions { original: Some(&original), ..Default::default() };
    let made = |stated: &Value| {
        let own = document_of_uassetapi(&text(stated), &with)?;
        Ok::<_, unreal_packages::Error>((
            Package::from_json(&own.text)?.to_bytes()?,
            own.taken_over,
        ))
    };
    let class = json!("UAssetAPI.ExportTypes.ClassExport, UAssetAPI");
    // One that is decoded, and one that is bytes. Documents have all names of their package.
    let mut stated = whole();
    let names: Vec<Value> = original.names().iter().map(|name| json!(name)).collect();
    stated["NameMap"] = json!(names);
    let raw = stated["Exports"][3]["ObjectName"].as_str().unwrap().to_owned();
    for row in [0, 3] {
        stated["Exports"][row]["$type"] = class.clone();
        stated["Exports"][row]["Data"] = json!([]);
    }
    let (same, taken) = made(&stated).unwrap();
    assert_eq!(taken, ["Asset", raw.as_str()]);
    assert!(same == bytes);
    // A name before the others: what is decoded follows, bytes don't.
    stated["NameMap"].as_array_mut().unwrap().insert(0, json!("First"));
    let error = made(&stated).unwrap_err();
    assert!(matches!(error.unreal(), Some(UnrealError::Unsupported { .. })), "{error}");
    assert!(error.to_string().contains(&format!("'{raw}' comes from the original")), "{error}");
    stated["Exports"][3] = whole()["Exports"][3].clone();
    let (moved, taken) = made(&stated).unwrap();
    assert_eq!(taken, ["Asset"]);
    let value = |bytes: &[u8]| {
        let mut document = Vec::new();
        Package::from_bytes(bytes.to_vec()).unwrap().to_json(&mut document, false).unwrap();
        serde_json::from_slice::<Value>(&document).unwrap()["exports"][0]["value"].take()
    };
    assert_eq!(value(&moved)["properties"], value(&bytes)["properties"]);
    assert_ne!(moved, bytes);
    // What the document states wrongly is an error with an original too, and so is what the original lacks.
    let mut wrong = whole();
    wrong["Exports"][0]["Data"][1]["Value"] = json!("many");
    made(&wrong).unwrap_err();
    let mut other = whole();
    other["Exports"][0]["$type"] = class;
    other["Exports"][0]["ObjectName"] = json!("Other");
    made(&other).unwrap_err();
}

/// Whatever stands in a document, it becomes a package or is refused.
#[test]
fn any_change_of_a_document_is_read_or_refused() {
    let text = whole().to_string();
    let mut state = 1_u64;
    let mut next = |below: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let words = ["null", "[]", "{}", "-1", "1e400", "\"\"", "9223372036854775807", "true", "[[]]"];
    let mut read_all = 0;
    for _ in 0..1500 {
        // A value, or what stands between two commas, becomes something else.
        let from = next(text.len());
        let Some(from) = text.get(from..).and_then(|rest| Some(from + rest.find(':')? + 1)) else {
            continue;
        };
        let to = text[from..].find([',', '}', ']']).map_or(text.len(), |at| from + at);
        let changed = format!("{}{}{}", &text[..from], words[next(words.len())], &text[to..]);
        if let Ok(own) = document_of_uassetapi(changed.as_bytes(), &UassetapiOptions::default()) {
            read_all +=
                usize::from(Package::from_json(&own.text).is_ok_and(|it| it.to_bytes().is_ok()));
        }
    }
    assert!(read_all > 50, "{read_all}");
}
