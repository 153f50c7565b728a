//! Lists of members of real packages: whatever lists an object in its owner lists its copy, and no longer lists what
//! was removed; nothing else changes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use unreal_packages::PackageIndex;
use unreal_packages::compare::diff;
use unreal_packages::edit::{PackageEdit, RemoveOptions};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::object::{ue1, ue2, ue3, ue4};
use unreal_packages::package::{Package, native_as};
use unreal_packages::property::{Elements, Property, Value};
use unreal_packages::version::UnrealVersions;

use crate::folders::{corpus, every};

/// Lists whose members lie in the object that has them, as the packages of the corpora say.
const LISTS: &[&str] = &[
    "SequenceObjects",
    "InterpGroups",
    "InterpTracks",
    "Nodes",
    "Expressions",
    "FunctionExpressions",
    "EditorComments",
    "Components",
    "BlueprintCreatedComponents",
    "InstanceComponents",
    "AllWidgets",
    "Slots",
    "AllNodes",
    "Emitters",
    "UbergraphPages",
    "FunctionGraphs",
    "Controls",
    "Sequences",
    "Sockets",
    "Pins",
];
/// Properties that no two objects may share.
const IDENTITIES: &[&str] =
    &["NavGuid", "ActorGuid", "NodeGuid", "LightGuid", "MaterialExpressionGuid"];
/// Larger packages, and more objects of each kind of list, are tried in a whole run alone.
const LARGEST: u64 = 200_000;
const TRIED: usize = 4;

/// Whether all packages are tried.
fn is_whole() -> bool {
    every(2) == 1
}

/// The members of each list of an object: those of a level are its actors.
pub fn lists(package: &Package, row: usize) -> BTreeMap<String, Vec<PackageIndex>> {
    let mut found = BTreeMap::new();
    let Some(decoded) = package.decoded(row).filter(|decoded| decoded.is_complete()) else {
        return found;
    };
    let body = &decoded.body;
    let actors = native_as::<ue1::Level>(body)
        .map(|level| &level.actors.items)
        .or_else(|| native_as::<ue2::Level>(body).map(|level| &level.actors.items))
        .or_else(|| native_as::<ue3::world::level::Level>(body).map(|level| &level.actors))
        .or_else(|| native_as::<ue4::world::level::Level>(body).map(|level| &level.actors));
    if let Some(actors) = actors {
        found.insert("actors".to_owned(), actors.clone());
    }
    for property in body.lists().flat_map(|list| &list.properties) {
        let name = property.name_text(|name| package.name_text(name)).into_owned();
        if let Value::Array(Elements::Object(members)) = property.value()
            && LISTS.contains(&&*name)
        {
            found.insert(name, members.clone());
        }
    }
    found
}

pub fn identities(package: &Package) -> Vec<(String, String)> {
    let bodies = (0..package.exports().len()).filter_map(|row| package.decoded(row));
    let lists = bodies.flat_map(|decoded| decoded.body.lists());
    let one = |property: &Property| {
        let name = property.name_text(|name| package.name_text(name)).into_owned();
        let is_identity = IDENTITIES.contains(&&*name);
        is_identity.then(|| (name, format!("{:?}", property.value())))
    };
    lists.flat_map(|list| &list.properties).filter_map(one).collect()
}

/// How many values stand more than once.
fn repeated(identities: &[(String, String)]) -> usize {
    identities.len() - identities.iter().collect::<BTreeSet<_>>().len()
}

fn files() -> Vec<PathBuf> {
    let folders =
        ["classic", "conform", "make", "modern", "modern-ue6", "wild/classic", "wild/modern"];
    let mut files = Vec::new();
    for folder in folders {
        let Ok(entries) = std::fs::read_dir(corpus().join(folder)) else { continue };
        files.extend(entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_file()));
    }
    files.retain(|file| file.metadata().is_ok_and(|it| is_whole() || it.len() <= LARGEST));
    files.sort();
    files
}

#[derive(Default)]
struct Tally {
    tried: BTreeMap<String, usize>,
    duplicated: BTreeMap<String, usize>,
    removed: BTreeMap<String, usize>,
    refused: BTreeMap<String, usize>,
    faults: Vec<String>,
}

impl Tally {
    fn add(&mut self, other: Self) {
        let Self { tried, duplicated, removed, refused, faults } = other;
        for (sums, more) in [
            (&mut self.tried, tried),
            (&mut self.duplicated, duplicated),
            (&mut self.removed, removed),
            (&mut self.refused, refused),
        ] {
            more.into_iter().for_each(|(kind, count)| *sums.entry(kind).or_default() += count);
        }
        self.faults.extend(faults);
    }
}

pub fn members_are_listed_whatever_is_done_to_them() {
    let (files, next) = (files(), AtomicUsize::new(0));
    let tally = Mutex::new(Tally::default());
    // What a part tries depends on what it has tried: one after the other.
    let workers =
        if is_whole() { std::thread::available_parallelism().map_or(1, Into::into) } else { 1 };
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                let mut own = Tally::default();
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    try_package(file, &mut own);
                }
                tally.lock().unwrap().add(own);
            });
        }
    });
    let tally = tally.into_inner().unwrap();
    println!("duplicated: {:?}", tally.duplicated);
    println!("removed: {:?}", tally.removed);
    println!("refused: {:#?}", tally.refused);
    let faults = &tally.faults;
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(tally.duplicated.values().sum::<usize>() > 60);
}

/// One member of each list of each class of a package.
fn try_package(file: &Path, tally: &mut Tally) {
    let Ok(fresh) = Package::open(file) else { return };
    let started = Instant::now();
    let mut package = fresh.clone();
    package.decode_all();
    let engine = format!("{:?}", package.versions().engine());
    let mut tried = BTreeSet::new();
    for row in 0..package.exports().len() {
        let class = package.exports().get(row).unwrap().class();
        for (list, members) in lists(&package, row) {
            if !tried.insert((class.clone(), list.clone())) {
                continue;
            }
            let lies_here = |index: &&PackageIndex| {
                let outer = package.outer(**index);
                // Actors of another package may be imports.
                let is_export = index.value() > 0;
                is_export && (outer == PackageIndex::export(row) || outer.is_null())
            };
            let kind = format!("{engine} {list}");
            if !is_whole() && tally.tried.get(&kind).is_some_and(|&count| count >= TRIED) {
                continue;
            }
            // The first places of a level are its own.
            let Some(&member) = members.iter().skip(2).filter(lies_here).last() else {
                continue;
            };
            *tally.tried.entry(kind.clone()).or_default() += 1;
            let name = file.file_name().unwrap().to_string_lossy();
            let at = format!("{name}: {kind} of {class} #{row}");
            try_member([&fresh, &package], (row, &list, member), &kind, &at, tally);
        }
    }
    if is_whole() {
        let (count, seconds) = (tried.len(), started.elapsed().as_secs());
        println!("{}: {count} lists, {seconds} s, {} faults", file.display(), tally.faults.len());
    }
}

/// `fresh` is the package as it is opened, without a body: edits begin so.
fn try_member(
    [fresh, package]: [&Package; 2],
    (row, list, member): (usize, &str, PackageIndex),
    kind: &str,
    at: &str,
    tally: &mut Tally,
) {
    let before = lists(package, row)[list].clone();
    let object = format!("#{}", member.value() - 1);
    let mut changed = fresh.clone();
    let done = changed.edit(|edit| {
        edit.set_checks(false);
        edit.duplicate_object(&object, "CopyOfIt77")
    });
    let new = match done {
        Ok(new) => new,
        Err(error) => return note_refusal(&error, kind, at, tally),
    };
    changed.decode_all();
    let index = PackageIndex::export(new);
    let after = lists(&changed, row).remove(list).unwrap_or_default();
    if after.last() != Some(&index) || after[..after.len() - 1] != before[..] {
        tally.faults.push(format!("{at}: the copy is not at the end of its list"));
        return;
    }
    if repeated(&identities(&changed)) > repeated(&identities(package)) {
        tally.faults.push(format!("{at}: an identity stands twice"));
    }
    let owner = package.path(PackageIndex::export(row));
    let difference = diff(package, &changed);
    let allowed = |path: &String, class: &str| {
        *path == owner
            || class.ends_with("Level")
            || *path == package.path(member)
            || class.ends_with("LevelInfo")
            || class.ends_with("MetaData")
    };
    for object in &difference.changed {
        // Whatever listed the original lists the copy; the one before it in a chain leads to it.
        if !allowed(&object.path, &object.class) {
            let listed = package
                .find_export(&object.path)
                .is_ok_and(|user| lists(package, user).values().any(|list| list.contains(&member)));
            if !listed {
                tally.faults.push(format!("{at}: {} changed too", object.path));
            }
        }
    }
    *tally.duplicated.entry(kind.to_owned()).or_default() += 1;
    // And back.
    let back = changed.edit(|edit| edit.remove_object(&format!("#{new}"), RemoveOptions::Refuse));
    match back {
        Ok(_) => {
            let left = lists(&changed, row).remove(list).unwrap_or_default();
            if left != before {
                tally.faults.push(format!("{at}: its list is not as it was"));
            }
            *tally.removed.entry(kind.to_owned()).or_default() += 1;
        }
        Err(error) => note_refusal(&error, kind, at, tally),
    }
}

fn note_refusal(error: &unreal_packages::Error, kind: &str, at: &str, tally: &mut Tally) {
    let is_refused = matches!(
        error.unreal(),
        Some(UnrealError::Refused { .. } | UnrealError::Unsupported { .. })
    );
    let text = error.to_string();
    match is_refused {
        true => {
            let reason: String = text.chars().take(90).collect();
            *tally.refused.entry(format!("{kind}: {reason}")).or_default() += 1;
        }
        false => tally.faults.push(format!("{at}: {text}")),
    }
}
