//! Rows of imports and exports in any order: what belongs to them goes along, or the document is refused.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::generate::Builder;
use unreal_packages::package::Package;
use unreal_packages::primitive::{ObjectRef, PackageIndex};
use unreal_packages::table::{AssetDependencies, AssetRegistryData, FurtherSections};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{EngineRelease, Versions};

use super::common::parts::Parts;
use super::{edited, schema, to_json};

/// A package of UE3 whose objects have no bodies: nothing but its tables says rows.
fn tables(file: u32, change: impl FnOnce(&mut Parts)) -> Package {
    let mut parts = Parts::rich(Versions::ue1_to_3(file, 0));
    parts.bodies.iter_mut().for_each(Vec::clear);
    change(&mut parts);
    Package::from_bytes(parts.assemble()).unwrap()
}

/// A package that says of its imports whether the game uses them.
fn with_bits() -> Package {
    let mut sections = FurtherSections::default();
    sections.asset_registry = Some(AssetRegistryData::default());
    sections.asset_dependencies = Some(AssetDependencies::default());
    let builder = Builder::for_release(EngineRelease::new(5, 3)).sections(sections);
    let builder = builder.import("/Script/Engine", "/Script/CoreUObject.Package");
    let builder = builder.import("/Script/Engine.Actor", "/Script/CoreUObject.Class");
    let builder = builder.export("First", "/Script/Engine.Actor", []);
    let bytes = builder.export("Second", "/Script/Engine.Actor", []).build().unwrap();
    Package::from_bytes(bytes).unwrap()
}

fn path(package: &Package, index: PackageIndex) -> String {
    match index.target() {
        ObjectRef::Null => "None".to_owned(),
        ObjectRef::Import(row) => package.imports().iter().nth(row).unwrap().path(),
        ObjectRef::Export(row) => package.exports().path(row),
    }
}

/// What each export needs before it loads, by paths; nothing for those that need nothing.
fn depends(package: &Package) -> BTreeMap<String, Vec<String>> {
    let rows = package.tables().depends.iter().enumerate();
    let rows = rows.filter(|(_, row)| !row.objects.is_empty());
    let paths = |objects: &[PackageIndex]| objects.iter().map(|it| path(package, *it)).collect();
    rows.map(|(row, depends)| (package.exports().path(row), paths(&depends.objects))).collect()
}

/// Whether the game uses each import.
fn used(package: &Package) -> BTreeMap<String, Option<bool>> {
    let bits = &package.tables().further.asset_dependencies.as_ref().unwrap().import_used_in_game;
    let rows = package.imports().iter().enumerate();
    rows.map(|(row, import)| (import.path(), bits.get(row))).collect()
}

fn rows<'a>(document: &'a mut Value, table: &str) -> &'a mut Vec<Value> {
    document[table].as_array_mut().unwrap()
}

/// An export with nothing of its own, like another one.
fn like(export: &Value, name: &str) -> Value {
    let mut export = export.clone();
    export["object_name"] = json!(name);
    for key in ["stored", "depends", "$opaque", "value"] {
        export.as_object_mut().unwrap().remove(key);
    }
    export
}

#[test]
fn exports_stand_in_any_order() {
    let package = tables(512, |_| {});
    let before = depends(&package);
    assert_eq!(before["Group.Skin"], ["Group", "Engine.Texture"]);
    assert_eq!(before["Alpha"], ["Group.Skin"]);
    let document: Value = serde_json::from_slice(&to_json(&package)).unwrap();
    assert_eq!(document["depends"], json!({}));
    assert_eq!(document["exports"][1]["depends"], json!(["Group", "Engine.Texture"]));
    assert_eq!(document["exports"][0].get("depends"), None);
    let inserted = edited(&package, |document| {
        let new = like(&document["exports"][2], "Newbie");
        rows(document, "exports").insert(0, new);
    });
    let inserted = inserted.unwrap();
    assert_eq!(inserted.exports().path(0), "Newbie");
    assert_eq!(depends(&inserted), before);
    let reversed = edited(&package, |document| {
        rows(document, "exports").reverse();
        rows(document, "imports").reverse();
    });
    let reversed = reversed.unwrap();
    assert_eq!(reversed.exports().path(0), "Alpha");
    assert_eq!(depends(&reversed), before);
    let removed = edited(&package, |document| {
        let exports = rows(document, "exports");
        exports[1]["depends"] = json!(["Engine.Texture"]);
        exports[2].as_object_mut().unwrap().remove("depends");
    });
    let expected = BTreeMap::from([("Group.Skin".to_owned(), vec!["Engine.Texture".to_owned()])]);
    assert_eq!(depends(&removed.unwrap()), expected);
}

#[test]
fn imports_stand_in_any_order() {
    let package = edited(&with_bits(), |document| {
        assert_eq!(document["asset_dependencies"].get("import_used_in_game"), None);
        document["imports"][1]["used_in_game"] = json!(false);
    });
    let package = package.unwrap();
    let before = used(&package);
    assert_eq!(before.values().filter(|used| **used == Some(false)).count(), 1);
    assert_eq!(before.values().filter(|used| used.is_none()).count(), 0);
    let document: Value = serde_json::from_slice(&to_json(&package)).unwrap();
    assert!(schema().is_valid(&document), "{document:#}");
    assert_eq!(document["imports"][1]["used_in_game"], json!(false));
    let inserted = edited(&package, |document| {
        let new = json!({
            "class_package": "/Script/CoreUObject", "class_name": "Package", "object_name": "/Script/Foo",
        });
        rows(document, "imports").insert(0, new);
    });
    let mut after = used(&inserted.unwrap());
    assert_eq!(after.remove("/Script/Foo"), Some(Some(true)));
    assert_eq!(after, before);
    let reversed = edited(&package, |document| rows(document, "imports").reverse());
    assert_eq!(used(&reversed.unwrap()), before);
    let error = edited(&package, |document| document["imports"][0]["used_in_game"] = json!(1));
    let text = error.unwrap_err().to_string();
    assert!(text.contains("imports[0].used_in_game: it is neither true nor false"), "{text}");
}

/// Inserts an export before the others: which rows that would move, as the error says it.
#[track_caller]
fn is_refused(package: &Package, reason: &str) {
    assert_eq!(super::again(package).unwrap(), package.source());
    let document: Value = serde_json::from_slice(&to_json(package)).unwrap();
    assert!(schema().is_valid(&document), "{document:#}");
    let insert = |at: fn(usize) -> usize| {
        edited(package, |document| {
            let new = like(&document["exports"][0], "Newbie");
            let exports = rows(document, "exports");
            exports.insert(at(exports.len()), new);
        })
    };
    let error = insert(|_| 0).unwrap_err();
    assert!(matches!(error.unreal(), Some(UnrealError::Refused { .. })), "{error}");
    let text = error.to_string();
    assert!(text.contains(reason) && text.contains("leave the rows where they were"), "{text}");
    let behind = insert(|rows| rows).unwrap();
    assert_eq!(depends(&behind), depends(package));
}

#[test]
fn rows_that_are_said_by_their_numbers_stay() {
    // A table that ends before the last export.
    let package = tables(512, |parts| parts.depends.truncate(2));
    assert_eq!(package.tables().depends.len(), 2);
    is_refused(&package, "(depends)");
    let allocations = tables(868, |_| {});
    assert!(!allocations.summary().texture_allocations.is_empty());
    is_refused(&allocations, "(texture_allocations)");
    is_refused(&tables(623, |_| {}), "(export_guids)");
    let twins = Builder::new(69).name("None").export("Twin", "Engine.Info", []);
    let twins = twins.export("Twin", "Engine.Info", []).export("Other", "Engine.Info", []);
    let twins = Package::from_bytes(twins.build().unwrap()).unwrap();
    is_refused(&twins, "another one has the same text");
}
