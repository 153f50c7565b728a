//! A package is opened without its bodies: whether they were looked at before an edit makes no difference to it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use unreal_packages::compare::{Difference, diff};
use unreal_packages::edit::{Edit, PackageEdit, RemoveOptions};
use unreal_packages::package::Package;
use unreal_packages::{PackageIndex, Result};

use crate::folders::corpus;

/// Larger packages are left to other tests.
const LARGEST: u64 = 150_000;
/// One of so many packages of a folder is tried.
const EACH: usize = 4;
/// Objects of a package that are tried, from its last one on.
const OBJECTS: usize = 3;
/// Values that are new in each copy.
const NEW: &[&str] = &["guid", "networkid", "hash", "key.id", "].id", "build_data"];

type Work = fn(&mut Edit, &str, &str) -> Result<()>;

/// Kinds of edits of an object with this path and this number.
const EDITS: &[(&str, Work)] = &[
    ("duplicate", |edit, object, _| edit.duplicate_object(object, "CopyOfIt77").map(drop)),
    ("rename", |edit, object, _| edit.rename_object(object, "AnotherName77").map(drop)),
    ("remove", |edit, object, _| {
        edit.remove_object(object, RemoveOptions::NullReferences).map(drop)
    }),
    ("move", |edit, object, other| edit.move_object(object, Some(other))),
    ("prune", |edit, object, _| {
        edit.remove_object(object, RemoveOptions::Refuse)?;
        edit.prune().map(drop)
    }),
];

fn files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in ["classic", "modern", "modern-ue6", "wild/classic", "wild/modern"] {
        let Ok(entries) = std::fs::read_dir(corpus().join(folder)) else { continue };
        let mut here: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        here.retain(|file| file.metadata().is_ok_and(|it| it.is_file() && it.len() <= LARGEST));
        here.sort();
        files.extend(here.into_iter().step_by(EACH));
    }
    files
}

/// The changes between two results that no new number explains.
fn differences(old: &Package, new: &Package) -> Vec<String> {
    let found = diff(old, new);
    let is_new = |text: &str| NEW.iter().any(|word| text.to_lowercase().contains(word));
    let mut told: Vec<String> = Vec::new();
    told.extend(found.added.iter().map(|object| format!("only then: {}", object.path)));
    told.extend(found.removed.iter().map(|object| format!("only before: {}", object.path)));
    for object in &found.changed {
        for change in &object.changes {
            let text = match change {
                Difference::Property { property, old, new } => {
                    format!("{property}: {old:?} and {new:?}")
                }
                other => format!("{other:?}"),
            };
            if !is_new(&text) {
                told.push(format!("{}: {text}", object.path));
            }
        }
    }
    told
}

pub fn what_was_decoded_before_makes_no_difference_to_an_edit() {
    let (mut done, mut refused): (BTreeMap<&str, usize>, usize) = Default::default();
    let mut faults = Vec::new();
    for file in files() {
        let Ok(fresh) = Package::open(&file) else { continue };
        let mut decoded = fresh.clone();
        decoded.decode_all();
        let count = fresh.exports().len();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        for row in (0..count).rev().take(OBJECTS) {
            let object = format!("#{row}");
            let other = fresh.path(PackageIndex::export(count / 2));
            for &(kind, work) in EDITS {
                let edited = |package: &Package| {
                    let mut package = package.clone();
                    package.edit(|edit| {
                        edit.set_checks(false);
                        work(edit, &object, &other)
                    })?;
                    Ok::<_, unreal_packages::Error>(package)
                };
                let at = format!("{name}, {kind} of {}", fresh.path(PackageIndex::export(row)));
                match (edited(&fresh), edited(&decoded)) {
                    (Ok(one), Ok(two)) => {
                        *done.entry(kind).or_default() += 1;
                        let told = differences(&two, &one);
                        if let Some(first) = told.first() {
                            faults.push(format!("{at}: {first} ({} in all)", told.len()));
                        }
                    }
                    (Err(_), Err(_)) => refused += 1,
                    (Ok(_), Err(error)) => {
                        faults.push(format!("{at}: refused when decoded: {error}"))
                    }
                    (Err(error), Ok(_)) => faults.push(format!("{at}: refused when not: {error}")),
                }
            }
        }
    }
    println!("{done:?}, {refused} refused alike");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(done.values().all(|&count| count > 20) && done.len() == EDITS.len(), "{done:?}");
}
