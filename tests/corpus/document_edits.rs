//! Edits of documents as people make them: the package that comes out says what the edited document says.

use serde_json::{Map, Value, json};
use unreal_packages::Package;

use crate::json::{each_package, saved_again, settle, words_of};

/// Packages that each edit is made in.
const PACKAGES: usize = 10;

/// Something that one changes in a document; whether there was room for it.
struct DocumentEdit {
    what: &'static str,
    make: fn(&mut Value) -> bool,
}

const EDITS: &[DocumentEdit] = &[
    DocumentEdit { what: "a number", make: |document| each_value(document, &mut number) },
    DocumentEdit { what: "a longer text", make: |document| each_value(document, &mut longer_text) },
    DocumentEdit { what: "an element", make: |document| each_value(document, &mut element) },
    DocumentEdit { what: "a property", make: |document| each_value(document, &mut property) },
    DocumentEdit { what: "a property less", make: |document| each_value(document, &mut less) },
    DocumentEdit { what: "a name", make: name },
    DocumentEdit { what: "an import", make: import },
    DocumentEdit { what: "an export", make: export },
    DocumentEdit { what: "a row", make: |document| each_value(document, &mut row) },
    DocumentEdit { what: "a text in code", make: |document| each_value(document, &mut code) },
    DocumentEdit { what: "a reference", make: reference },
    DocumentEdit { what: "a key without tags", make: |document| each_value(document, &mut key) },
];

/// Asks every part of the values of the exports, until one is changed.
fn each_value(document: &mut Value, change: &mut dyn FnMut(&mut Value) -> bool) -> bool {
    let exports = document.get_mut("exports").and_then(Value::as_array_mut);
    let open = |export: &&mut Value| {
        let stored = export.get("stored");
        stored.is_none_or(|stored| stored.get("pinned").is_none())
    };
    let mut values =
        exports.into_iter().flatten().filter(open).filter_map(|export| export.get_mut("value"));
    values.any(|value| each_part(value, change))
}

fn each_part(value: &mut Value, change: &mut dyn FnMut(&mut Value) -> bool) -> bool {
    if change(value) {
        return true;
    }
    match value {
        Value::Array(list) => list.iter_mut().any(|part| each_part(part, change)),
        Value::Object(map) => map.values_mut().any(|part| each_part(part, change)),
        _ => false,
    }
}

/// The value of a property of this type.
fn of_type<'v>(value: &'v mut Value, wanted: &str) -> Option<&'v mut Value> {
    let is = value.get("name").is_some() && value.get("type")?.as_str()?.starts_with(wanted);
    if is { value.get_mut("value") } else { None }
}

fn number(value: &mut Value) -> bool {
    let Some(number) = of_type(value, "int") else { return false };
    *number = json!(1234);
    true
}

fn longer_text(value: &mut Value) -> bool {
    match of_type(value, "string") {
        Some(Value::String(text)) => text.push_str(", and more of it"),
        _ => return false,
    }
    true
}

fn element(value: &mut Value) -> bool {
    match of_type(value, "array:") {
        Some(Value::Array(list)) if !list.is_empty() => list.extend_from_within(..1),
        _ => return false,
    }
    true
}

/// A list of properties.
fn list(value: &mut Value) -> Option<&mut Vec<Value>> {
    let list = value.get_mut("properties")?.as_array_mut()?;
    let is = |part: &Value| part.get("name").is_some() && part.get("type").is_some();
    Some(list).filter(|list| list.iter().all(is))
}

fn property(value: &mut Value) -> bool {
    let Some(list) = list(value).filter(|list| !list.is_empty()) else { return false };
    list.push(json!({ "name": "BrandNewCount", "type": "int", "value": 7 }));
    true
}

fn less(value: &mut Value) -> bool {
    list(value).is_some_and(|list| list.pop().is_some())
}

fn name(document: &mut Value) -> bool {
    // A package without names has none to be beside.
    let names = document.get_mut("names").and_then(Value::as_array_mut);
    names.map(|names| names.push(json!("BrandNewName"))).is_some()
}

fn import(document: &mut Value) -> bool {
    let imports = document.get_mut("imports").and_then(Value::as_array_mut);
    let Some(imports) = imports.filter(|imports| !imports.is_empty()) else { return false };
    let mut added = imports[0].clone();
    added["object_name"] = json!("BrandNewObject");
    imports.push(added);
    true
}

fn export(document: &mut Value) -> bool {
    let exports = document.get_mut("exports").and_then(Value::as_array_mut);
    let Some(exports) = exports else { return false };
    let is_plain = |export: &Value| {
        let class = export.get("class_index").and_then(Value::as_str).unwrap_or("Core.");
        let value = export.get("value").and_then(Value::as_object);
        let stored = export.get("stored");
        !class.starts_with("Core.")
            && !class.starts_with("/Script/CoreUObject.")
            && value.is_some_and(|value| value.contains_key("properties"))
            && stored.is_none_or(|stored| stored.get("pinned").is_none())
    };
    let Some(mut added) = exports.iter().find(|export| is_plain(export)).cloned() else {
        return false;
    };
    added["object_name"] = json!("BrandNewObject");
    added.as_object_mut().unwrap().remove("stored");
    exports.push(added);
    true
}

/// A row of a table, or an entry of a map that goes by names.
fn row(value: &mut Value) -> bool {
    if let Some(map) = of_type(value, "map:name:")
        && let Some(entries) = map.get_mut("count").and_then(Value::as_array_mut)
        && let Some(mut added) = entries.first().cloned()
    {
        added["key"] = json!("BrandNewKey");
        entries.push(added);
        return true;
    }
    let rows = value.get_mut("rows").and_then(Value::as_array_mut);
    let Some(rows) = rows.filter(|rows| rows.first().is_some_and(|row| row.get("name").is_some()))
    else {
        return false;
    };
    let mut added = rows[0].clone();
    added["name"] = json!("BrandNewRow");
    rows.push(added);
    true
}

fn code(value: &mut Value) -> bool {
    let lines = value.get_mut("script").and_then(Value::as_array_mut);
    let mut texts = lines.into_iter().flatten().filter_map(|line| match line {
        Value::String(line) => Some(line),
        _ => None,
    });
    let line = texts.find(|line| line.contains("StringConst(\""));
    line.is_some_and(|line| {
        *line = line.replacen("StringConst(\"", "StringConst(\"more of it: ", 1);
        true
    })
}

fn reference(document: &mut Value) -> bool {
    let rows = |key: &str| document.get(key).and_then(Value::as_array).into_iter().flatten();
    let name = |row: &Value| row["object_name"].clone();
    let names: Vec<_> = rows("exports").chain(rows("imports")).map(name).collect();
    let is_one = |path: &Value| names.iter().filter(|name| *name == path).count() == 1;
    let mut top = rows("exports").filter(|export| export.get("outer_index").is_none()).map(name);
    let Some(path) = top.find(|path| path.is_string() && is_one(path)) else { return false };
    each_value(document, &mut |value| match of_type(value, "object") {
        Some(object) if object.is_string() && *object != path => {
            *object = path.clone();
            true
        }
        _ => false,
    })
}

/// Lists without tags: a property that was zero gets a value that is not stored either, the first one goes.
fn key(value: &mut Value) -> bool {
    let is_list =
        |map: &Map<String, Value>| !map.is_empty() && !map.contains_key("header") && map.len() > 1;
    let list = value.get_mut("properties").and_then(Value::as_object_mut);
    let Some(list) = list.filter(|list| is_list(list)) else { return false };
    let first = list.keys().next().cloned().unwrap();
    list[&first] = Value::Null;
    true
}

/// The document of a package with what is stored, as it is edited.
fn document_of(package: &Package) -> Value {
    let mut text = Vec::new();
    package.to_json(&mut text, false).unwrap();
    serde_json::from_slice(&text).unwrap()
}

pub fn natural_edits_do_what_they_say() {
    let done: Vec<_> = EDITS.iter().map(|_| std::sync::atomic::AtomicUsize::new(0)).collect();
    each_package(1, |package, options| {
        let order = std::sync::atomic::Ordering::Relaxed;
        if package.file().len() > 1 << 23 || package.container().is_some() {
            return Ok(());
        }
        let mut document = None;
        for (edit, done) in EDITS.iter().zip(&done) {
            if done.load(order) >= PACKAGES {
                continue;
            }
            let mut edited = document.get_or_insert_with(|| document_of(package)).clone();
            if !(edit.make)(&mut edited) {
                continue;
            }
            let failed = |fault: String| format!("{}: {fault}", edit.what);
            let again = saved_again(package, options, &edited.to_string()).map_err(failed)?;
            let (mut said, mut says) = (edited, words_of(&again));
            crate::json::strip(&mut said);
            // Names that were used and not there stand behind the others.
            let names = |document: &Value| document["names"].as_array().unwrap().len();
            if names(&says) < names(&said) {
                return Err(failed("names are missing".to_owned()));
            }
            let count = names(&said);
            says["names"].as_array_mut().unwrap().truncate(count);
            settle(&mut said);
            settle(&mut says);
            if said != says {
                return Err(failed(crate::json::difference(&said, &says, String::new())));
            }
            done.fetch_add(1, order);
        }
        Ok(())
    });
    for (edit, done) in EDITS.iter().zip(done) {
        let done = done.into_inner();
        println!("{}: {done} packages", edit.what);
        assert!(done >= PACKAGES, "{}: only {done} packages have room for it", edit.what);
    }
}
