//! The JSON form of every package that can be opened: nothing is lost.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};
use unreal_packages::inspect::PackageEnums;
use unreal_packages::package::{OpenOptions, Package, SaveOptions};

use crate::folders::{corpus, every};
use crate::{files, manifest};

/// Packages with how they are opened.
pub fn packages() -> Vec<(String, PathBuf, OpenOptions)> {
    let mut all = Vec::new();
    for folder in ["classic", "conform"] {
        let files = files::of(folder).into_iter();
        all.extend(files.map(|(name, _)| {
            let path = corpus().join(folder).join(&name);
            (name, path, OpenOptions::new())
        }));
    }
    all.extend(
        manifest::packages().into_iter().map(|entry| {
            (entry.name().to_owned(), entry.path.clone(), entry.options_with_mappings())
        }),
    );
    all
}

/// Asks of every so many packages, two at a time; what is wrong with any is said at the end.
pub fn each_package(
    step: usize,
    ask: impl Fn(&Package, &OpenOptions) -> Result<(), String> + Sync,
) {
    let packages: Vec<_> = packages().into_iter().step_by(step).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let faults = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, path, options)) =
                    packages.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let Ok(package) = options.open(path) else { continue };
                    done.fetch_add(1, Ordering::Relaxed);
                    if let Err(fault) = ask(&package, options) {
                        faults.lock().unwrap().push(format!("{name}: {fault}"));
                    }
                }
            });
        }
    });
    let done = done.into_inner();
    println!("{done} packages");
    assert!(done > 0);
    let faults = faults.into_inner().unwrap();
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Documents, each of which follows the schema, lose nothing.
pub fn every_package_comes_back_byte_for_byte() {
    let schema = include_str!("../../docs/document.schema.json");
    let schema = jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap();
    each_package(every(3), |package, _| {
        let mut text = Vec::new();
        package.to_json_with(&mut text, false, &PackageEnums::new(package)).unwrap();
        if let Err(error) = schema.validate(&serde_json::from_slice(&text).unwrap()) {
            return Err(format!("{}: {:.300}", error.instance_path(), error.to_string()));
        }
        let saved = Package::from_json_with(&text, package.mappings().cloned())
            .and_then(|package| package.save(&SaveOptions::new()))
            .map_err(|error| error.to_string())?;
        if saved.bytes != package.file() {
            let (a, b) = (saved.bytes, package.file());
            let at = a.iter().zip(b).position(|(a, b)| a != b);
            return Err(format!("{} bytes, not {}; differs at {at:x?}", a.len(), b.len()));
        }
        // The form without names of values, which parts of packages have.
        let mut plain = Vec::new();
        package.to_json(&mut plain, false).unwrap();
        let again = Package::from_json_with(&plain, package.mappings().cloned());
        let again = again.and_then(|package| package.save(&SaveOptions::new()));
        if again.map_err(|error| error.to_string())?.bytes != package.file() {
            return Err("numbers give another package back".to_owned());
        }
        if saved.split == package.split_at() { Ok(()) } else { Err("other files".to_owned()) }
    });
}

/// What is left of a document without what is stored beside its words.
pub fn words_of(package: &Package) -> Value {
    let mut text = Vec::new();
    package.to_json(&mut text, false).unwrap();
    let mut document: Value = serde_json::from_slice(&text).unwrap();
    strip(&mut document);
    document
}

/// Takes out what is stored beside the words, and the seal, which is of the whole document.
pub fn strip(document: &mut Value) {
    let parts = document.as_object_mut().unwrap();
    parts.remove("stored");
    parts.remove("seal");
    let exports = document.get_mut("exports").and_then(Value::as_array_mut);
    for export in exports.into_iter().flatten() {
        export.as_object_mut().unwrap().remove("stored");
    }
}

/// The package of a document, saved and opened again.
pub fn saved_again(
    package: &Package,
    options: &OpenOptions,
    document: &str,
) -> Result<Package, String> {
    Package::from_json_with(document.as_bytes(), package.mappings().cloned())
        .and_then(|package| package.save(&SaveOptions::new()))
        .and_then(|saved| options.clone().open_bytes(saved.bytes))
        .map_err(|error| error.to_string())
}

/// What the canonical form may have otherwise: flags of names, how many rows a table leaves out, positions.
pub fn settle(document: &mut Value) {
    let names = document.get_mut("names").and_then(Value::as_array_mut);
    for name in names.into_iter().flatten() {
        if let Some(text) = name.get(0) {
            *name = text.clone();
        }
    }
    if let Some(Value::Array(rows)) = document.get("depends").cloned() {
        // A table that is complete stands at the exports.
        document["depends"] = json!({});
        for (row, objects) in rows.into_iter().enumerate() {
            if objects != json!([]) {
                document["exports"][row]["depends"] = objects;
            }
        }
    }
    without_positions(document);
    each_script(document);
}

/// Labels are called by their places.
fn each_script(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(each_script),
        Value::Object(map) => {
            for (key, value) in map {
                match value {
                    Value::Array(lines) if key == "script" => count_labels(lines),
                    value => each_script(value),
                }
            }
        }
        _ => {}
    }
}

/// Calls the labels of code by their numbers.
fn count_labels(lines: &mut [Value]) {
    let label = |line: &Value| Some(line.as_str()?.strip_suffix(':')?.to_owned());
    let labels: Vec<String> = lines.iter().filter_map(label).collect();
    let texts = lines.iter_mut().filter_map(|line| match line {
        Value::String(text) => Some(text),
        _ => None,
    });
    let number = |word: &str| labels.iter().position(|label| label == word);
    for text in texts {
        let words = text.split_inclusive(|c: char| !c.is_alphanumeric());
        let words = words.map(|word| {
            let end = word.trim_end_matches(|c: char| !c.is_alphanumeric());
            match number(end) {
                Some(number) => format!("label {number}{}", &word[end.len()..]),
                None => word.to_owned(),
            }
        });
        *text = words.collect();
    }
}

fn without_positions(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(without_positions),
        Value::Object(map) => {
            let positions = ["offset", "end", "file_offset", "start", "dependency_data_offset"];
            map.retain(|key, _| !positions.contains(&&**key));
            // Counted anew, also where a tag stands field by field.
            if let Some(tag) = map.get_mut("tag").and_then(Value::as_object_mut) {
                tag.remove("size");
            }
            map.values_mut().for_each(without_positions);
        }
        _ => {}
    }
}

/// Where two documents differ first.
pub fn difference(a: &Value, b: &Value, at: String) -> String {
    let of = |a: &Value, b: Option<&Value>, at| difference(a, b.unwrap_or(&Value::Null), at);
    match (a, b) {
        (Value::Object(x), Value::Object(y)) if x.keys().eq(y.keys()) => {
            let other = x.iter().find(|(key, value)| y.get(*key) != Some(value));
            other.map_or(at.clone(), |(key, value)| of(value, y.get(key), format!("{at}.{key}")))
        }
        (Value::Array(x), Value::Array(y)) if x.len() == y.len() => {
            let other = x.iter().enumerate().find(|(row, value)| y.get(*row) != Some(value));
            other.map_or(at.clone(), |(row, value)| of(value, y.get(row), format!("{at}[{row}]")))
        }
        (a, b) => format!("{at}: {:.100}, then {:.100}", a.to_string(), b.to_string()),
    }
}

/// Without anything that is stored beside its words a document makes a package of the same words.
pub fn what_is_stored_may_be_deleted() {
    let next = AtomicUsize::new(0);
    each_package(every(3), |package, options| {
        if !next.fetch_add(1, Ordering::Relaxed).is_multiple_of(every(2)) {
            return Ok(());
        }
        let mut words = words_of(package);
        let text = words.to_string();
        let mut again = words_of(&saved_again(package, options, &text)?);
        settle(&mut words);
        settle(&mut again);
        if again == words { Ok(()) } else { Err(difference(&words, &again, String::new())) }
    });
}
