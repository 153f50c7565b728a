//! Packages of UE4 and UE5 get new objects: added, duplicated, moved, copied from another package of the
//! release. Saved, opened again, compared with what they were, and read by an independent reader.

use std::collections::{BTreeMap, BTreeSet};

use unreal_packages::Error;
use unreal_packages::compare::{Difference, diff};
use unreal_packages::edit::{CopyOptions, PackageEdit};
use unreal_packages::object::ue4::world::level::Level;
use unreal_packages::package::checksum::saved_hash_is_right;
use unreal_packages::package::{OpenOptions, Package, native_as};
use unreal_packages::version::UnrealVersions;

use crate::folders::every;
use crate::manifest;
use crate::ue4_reader::Reader;

/// Larger packages take too long here.
const LARGEST: usize = 2_000_000;
/// Objects that are tried in each package.
const TRIED: usize = 8;
const CLASS: &str = "/Script/Engine.DataAsset";

#[derive(Default)]
struct Seen {
    done: BTreeMap<&'static str, usize>,
    refused: BTreeMap<(&'static str, String), usize>,
    faults: Vec<String>,
}

impl Seen {
    fn refuse(&mut self, what: &'static str, error: &Error) {
        let text = error.to_string();
        let text = text.rsplit_once("package: ").map_or(&*text, |(_, reason)| reason);
        let text = text.split([':', ';', '\'', '(']).next().unwrap_or_default().to_owned();
        *self.refused.entry((what, text)).or_default() += 1;
    }
}

/// A package of which every body is decoded.
struct Whole {
    name: String,
    package: Package,
    options: OpenOptions,
}

fn packages() -> Vec<Whole> {
    let mut found = Vec::new();
    for entry in manifest::packages().into_iter().step_by(every(3)) {
        let size: usize = entry.column("bytes").parse().unwrap_or(0);
        if size > LARGEST {
            continue;
        }
        let options = entry.options_with_mappings();
        let Ok(mut package) = options.open(&entry.path) else { continue };
        package.decode_all();
        let whole = |row| package.decoded(row).is_none_or(|body| body.is_complete());
        if package.source().len() <= LARGEST && (0..package.exports().len()).all(whole) {
            found.push(Whole { name: entry.name().to_owned(), package, options });
        }
    }
    found
}

/// The actors of every level, by path.
fn actors(package: &Package) -> BTreeSet<String> {
    let rows = 0..package.exports().len();
    let levels = rows.filter_map(|row| native_as::<Level>(&package.decoded(row)?.body));
    levels.flat_map(|level| &level.actors).map(|&actor| package.path(actor)).collect()
}

/// What every changed package must be.
fn check(
    what: &'static str,
    old: &Whole,
    new: &Package,
    added: &str,
    reader: &mut Reader,
    seen: &mut Seen,
) -> Option<Package> {
    let mut fault = |text: String| seen.faults.push(format!("{}: {what}: {text}", old.name));
    let saved = match new.to_bytes() {
        Ok(saved) => saved,
        Err(error) => {
            seen.refuse(what, &error);
            return None;
        }
    };
    let again = old.options.clone().open_bytes(saved.clone());
    let mut again = match again {
        Ok(again) => again,
        Err(error) => {
            fault(format!("can't be opened again: {error}"));
            return None;
        }
    };
    again.decode_all();
    let opaque = (0..again.exports().len())
        .filter(|&row| again.decoded(row).is_some_and(|body| !body.is_complete()));
    let opaque: Vec<_> = opaque.map(|row| again.exports().path(row)).collect();
    if !opaque.is_empty() {
        fault(format!("no longer decoded whole: {opaque:?}"));
    }
    if !again.to_bytes().is_ok_and(|bytes| bytes == saved) {
        fault("re-saves differently".to_owned());
    }
    if saved_hash_is_right(&old.package) != saved_hash_is_right(&again) {
        fault("another state of its hash".to_owned());
    }
    if again.find_export(added).is_err() {
        fault(format!("{added} is not there"));
    }
    let found = diff(&old.package, &again);
    if !found.removed.is_empty() {
        fault(format!("objects are gone: {:?}", found.removed));
    }
    // What lists objects changes, and nothing else: a function knows the next one.
    let lists = ["Level", "Class", "MetaData", "Function"];
    for changed in &found.changed {
        // A list of the owner has the copy at its end.
        let is_listed = |change: &Difference| match change {
            Difference::Property { old: None, new: Some(new), .. }
            | Difference::Element { old: None, new: Some(new), .. } => new.contains("ByTest"),
            _ => false,
        };
        if changed.changes.iter().all(is_listed) {
            continue;
        }
        let is_list = lists.iter().any(|end| changed.class.ends_with(end));
        if !is_list || changed.class.ends_with("Function") && changed.changes.len() > 1 {
            fault(format!("{} changed: {:?}", changed.path, changed.changes.first()));
        }
    }
    for text in reader.compare(&old.package, &again) {
        fault(format!("the reader: {text}"));
    }
    *seen.done.entry(what).or_default() += 1;
    Some(again)
}

/// Objects from everywhere in the table, actors first.
fn candidates(package: &Package) -> Vec<usize> {
    let count = package.exports().len();
    let listed = actors(package);
    let actors = (0..count).filter(|&row| listed.contains(&package.exports().path(row)));
    let step = count.div_ceil(TRIED).max(1);
    actors.take(2).chain((0..count).step_by(step)).collect()
}

pub fn every_package_takes_new_objects() {
    let (mut seen, mut reader) = (Seen::default(), Reader::start());
    let packages = packages();
    let mut maps = 0;
    // Packages by what they must share to be copied between.
    let mut releases: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, whole) in packages.iter().enumerate() {
        let versions = whole.package.versions();
        let flags = (versions.filter_editor_only(), versions.unversioned_properties());
        let key = format!("{} {} {flags:?}", versions.ue4(), versions.ue5());
        releases.entry(key).or_default().push(at);
    }
    for (at, whole) in packages.iter().enumerate() {
        let mut new = whole.package.clone();
        match new.edit(|edit| edit.add_blank_object("AddedByTest", CLASS)) {
            Ok(_) => {
                check("add", whole, &new, "AddedByTest", &mut reader, &mut seen);
                let moved = new.edit(|edit| {
                    edit.add_blank_object("PlaceByTest", CLASS)?;
                    edit.move_object("AddedByTest", Some("PlaceByTest"))
                });
                match moved {
                    Ok(()) => {
                        let path = "PlaceByTest.AddedByTest";
                        check("move", whole, &new, path, &mut reader, &mut seen);
                    }
                    Err(error) => seen.refuse("move", &error),
                }
            }
            Err(error) => seen.refuse("add", &error),
        }
        let listed = actors(&whole.package);
        let mut done = 0;
        for row in candidates(&whole.package) {
            let (object, mut new) = (format!("#{row}"), whole.package.clone());
            match new.edit(|edit| edit.duplicate_object(&object, "CopyByTest")) {
                Ok(copy) => {
                    let path = new.exports().path(copy);
                    let again = check("duplicate", whole, &new, &path, &mut reader, &mut seen);
                    let is_actor = listed.contains(&whole.package.exports().path(row));
                    if let Some(again) = again.filter(|_| is_actor) {
                        maps += 1;
                        if !actors(&again).contains(&path) {
                            let name = &whole.name;
                            seen.faults.push(format!("{name}: {path} is in no level"));
                        }
                    }
                    done += 1;
                }
                Err(error) => seen.refuse("duplicate", &error),
            }
            if done == 2 {
                break;
            }
        }
        let versions = whole.package.versions();
        let flags = (versions.filter_editor_only(), versions.unversioned_properties());
        let others = &releases[&format!("{} {} {flags:?}", versions.ue4(), versions.ue5())];
        let next = others.iter().copied().find(|&other| other > at).or(others.first().copied());
        let Some(source) = next.filter(|&other| other != at).map(|other| &packages[other]) else {
            *seen.done.entry("alone of its release").or_default() += 1;
            continue;
        };
        for row in candidates(&source.package) {
            let (object, mut new) = (format!("#{row}"), whole.package.clone());
            let options = CopyOptions::new();
            match new.edit(|edit| edit.copy_from(&source.package, &object, &options)) {
                Ok(copied) => {
                    let path = new.exports().path(copied.row);
                    check("copy", whole, &new, &path, &mut reader, &mut seen);
                    break;
                }
                Err(error) => seen.refuse("copy", &error),
            }
        }
    }
    println!("{} packages; {:?}; {maps} actors duplicated in levels", packages.len(), seen.done);
    for ((what, why), count) in &seen.refused {
        println!("{count:>5} {what}: {why}");
    }
    let faults = &seen.faults;
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(seen.done["add"] > 100 && seen.done["duplicate"] > 100, "{:?}", seen.done);
}
