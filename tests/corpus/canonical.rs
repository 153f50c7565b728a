//! Real packages as text: the same whatever was decoded before, and one line another where one property is.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use unreal_packages::compare::canonical;
use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::property::{PropertyKind, Value};

use crate::{files, manifest};

/// Larger packages say nothing more.
const LARGEST: usize = 300_000;

fn text(package: &Package) -> Vec<String> {
    let mut lines = Vec::new();
    let each = |part: &str| {
        lines.extend(part.lines().map(str::to_owned));
        Ok::<_, std::convert::Infallible>(())
    };
    let Ok(()) = canonical(package, each);
    lines
}

/// The lines that one text has more often than the other.
fn only_in<'a>(one: &'a [String], other: &[String]) -> Vec<&'a str> {
    let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
    other.iter().for_each(|line| *counts.entry(line).or_default() += 1);
    one.iter()
        .filter(|line| {
            let count = counts.entry(line).or_default();
            *count -= 1;
            *count < 0
        })
        .map(String::as_str)
        .collect()
}

/// Gives one property another value; what it is called, or `None` where there is none that can have one.
fn change(package: &mut Package) -> Option<String> {
    for row in 0..package.exports().len() {
        let object = format!("#{row}");
        let Ok(properties) = package.values().properties(&object) else { continue };
        for property in properties {
            let text = match (&property.value, property.property_type.kind()) {
                (Some(Value::Int(number)), _) => number.wrapping_add(1).to_string(),
                (Some(Value::Float(_)), _) => "12345.5".to_owned(),
                (Some(Value::Str(_)), _) => "another text".to_owned(),
                (_, PropertyKind::Bool) if property.text == "true" => "false".to_owned(),
                _ => continue,
            };
            let before = package.clone();
            if package.edit(|edit| edit.set_property(&object, &property.path, &text)).is_ok() {
                return Some(format!("{object}.{}", property.path));
            }
            *package = before;
        }
    }
    None
}

/// Whether a property of the package was changed.
fn check(name: &str, mut package: Package) -> bool {
    if package.source().len() > LARGEST {
        return false;
    }
    let before = text(&package);
    let mut decoded = package.clone();
    decoded.decode_all();
    assert!(before == text(&decoded), "{name}: not the same once decoded");
    let Some(place) = change(&mut package) else { return false };
    let after = text(&package);
    let (gone, came) = (only_in(&before, &after), only_in(&after, &before));
    assert!(gone.len() == 1 && came.len() == 1, "{name} {place}: {gone:#?} {came:#?}");
    assert_eq!(before.len(), after.len(), "{name} {place}");
    true
}

pub fn one_property_is_one_line() {
    let classic: Vec<_> = ["classic", "conform"].iter().copied().flat_map(files::of).collect();
    let modern = manifest::packages();
    let (next, changed) = (AtomicUsize::new(0), Mutex::new(0));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let is_changed =
                        match (classic.get(at), modern.get(at.wrapping_sub(classic.len()))) {
                            (Some((name, bytes)), _) => match Package::from_bytes(bytes.clone()) {
                                Ok(package) => check(name, package),
                                Err(_) => continue,
                            },
                            (None, Some(entry)) => {
                                match entry.options_with_mappings().open(&entry.path) {
                                    Ok(package) => check(entry.name(), package),
                                    Err(_) => continue,
                                }
                            }
                            (None, None) => break,
                        };
                    *changed.lock().unwrap() += usize::from(is_changed);
                }
            });
        }
    });
    let changed = changed.into_inner().unwrap();
    println!("{changed} packages with one property changed: one line of text each");
    assert!(changed >= 300, "{changed} packages");
}
