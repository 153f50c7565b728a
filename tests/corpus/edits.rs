//! Edits of every package of UE4 and UE5 of the corpus: saved, opened again, compared with what they were,
//! and read by an independent reader (`tests/reader_ue4.py`).

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use unreal_packages::inspect::{folder_name, main_asset, package_path};
use unreal_packages::package::checksum::saved_hash_is_right;

use unreal_packages::EngineRelease;
use unreal_packages::compare::{Diff, diff};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::package::checksum::package_source;
use unreal_packages::package::{Package, SaveOptions};
use unreal_packages::version::UnrealVersions;

use crate::edit::{EDITS, Edit, NEW_PATH};
use crate::manifest::{self, Entry};
use crate::ue4_reader::Reader;

/// Larger packages are edited once, with everything together.
const SMALL: usize = 200_000;

#[derive(Default)]
struct Tally {
    packages: usize,
    done: BTreeMap<Edit, usize>,
    absent: BTreeMap<Edit, usize>,
    refused: BTreeMap<(Edit, String), Vec<String>>,
    faults: Vec<String>,
}

/// Saves, opens again, and checks what every saved package must be.
fn reopen(entry: &Entry, package: &Package) -> Result<Package, String> {
    let saved = package.save(&SaveOptions::new());
    let saved = saved.map_err(|error| format!("refused: {error}"))?;
    let again = entry.options().open_bytes(saved.bytes.clone());
    let again = again.map_err(|error| format!("can't be opened again: {error}"))?;
    match again.to_bytes() {
        Ok(bytes) if bytes == saved.bytes => {}
        Ok(_) => return Err("re-saves differently".to_owned()),
        Err(error) => return Err(format!("can't be saved again: {error}")),
    }
    if saved_hash_is_right(package) != saved_hash_is_right(&again) {
        return Err("another state of its hash".to_owned());
    }
    Ok(again)
}

fn reason(error: &str) -> String {
    let reason = error.rsplit_once("package: ").map_or(error, |(_, reason)| reason);
    reason.split([':', ';', '\'']).next().unwrap_or_default().to_owned()
}

/// Takes every package once, in several threads; each of them starts with `start`.
fn each<T>(start: impl Fn() -> T + Sync, check: impl Fn(&mut T, &Entry) + Sync) {
    let entries = manifest::packages();
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(2, usize::from).min(4);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut state = start();
                while let Some(entry) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
                    check(&mut state, entry);
                }
            });
        }
    });
}

pub fn every_package_can_be_edited() {
    let tally = Mutex::new(Tally::default());
    each(
        || (),
        |(), entry| {
            let seen = edit(entry);
            let mut all = tally.lock().unwrap();
            all.packages += 1;
            for (edit, result) in seen.edits {
                match result {
                    Ok(true) => *all.done.entry(edit).or_default() += 1,
                    Ok(false) => *all.absent.entry(edit).or_default() += 1,
                    Err(error) => {
                        let key = (edit, reason(&error));
                        all.refused.entry(key).or_default().push(entry.name().to_owned());
                    }
                }
            }
            all.faults.extend(seen.faults);
        },
    );
    let tally = tally.into_inner().unwrap();
    println!("{} packages, edits: {:?}", tally.packages, tally.done);
    println!("nothing to do it to: {:?}", tally.absent);
    for ((edit, reason), names) in &tally.refused {
        println!("{edit:?} refused {}: {reason} ({})", names.len(), names[0]);
    }
    let faults = &tally.faults;
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

#[derive(Default)]
struct Seen {
    edits: Vec<(Edit, Result<bool, String>)>,
    faults: Vec<String>,
}

/// Whether each import repeats its name, as in cooked packages of 5.8 and later.
fn repeats_names(package: &Package) -> bool {
    let versions = package.versions();
    let mut imports = package.imports().entries().iter();
    versions.filter_editor_only()
        && versions.is_release(EngineRelease::new(5, 8))
        && imports.all(|import| import.package_name == import.object_name)
}

fn edit(entry: &Entry) -> Seen {
    let mut seen = Seen::default();
    let name = entry.name();
    let mut package = match entry.options().open(&entry.path) {
        Ok(package) => package,
        Err(error) => {
            seen.faults.push(format!("{name}: {error}"));
            return seen;
        }
    };
    let old = package.clone();
    package.decode_all();
    let is_small = old.source().len() < SMALL;
    for edit in EDITS {
        let mut one = package.clone();
        let applied = match edit.apply(&mut one) {
            Ok(applied) => applied,
            Err(error) => {
                let refused = matches!(
                    error.unreal(),
                    Some(UnrealError::Refused { .. } | UnrealError::Unsupported { .. })
                );
                match refused {
                    true => seen.edits.push((edit, Err(error.to_string()))),
                    false => seen.faults.push(format!("{name}: {edit:?}: {error}")),
                }
                continue;
            }
        };
        if !applied || !is_small {
            seen.edits.push((edit, Ok(applied)));
            continue;
        }
        match reopen(entry, &one) {
            Ok(again) => {
                let found = diff(&old, &again);
                if !edit.agrees(&found) {
                    seen.faults.push(format!("{name}: {edit:?}: {}", short(&found)));
                }
                if repeats_names(&old) && !repeats_names(&again) {
                    seen.faults
                        .push(format!("{name}: {edit:?}: an import has another package's name"));
                }
                if edit == Edit::RenamePackage {
                    check_name(name, &old, &again, &mut seen.faults);
                }
                seen.edits.push((edit, Ok(true)));
            }
            Err(error) if error.starts_with("refused") => seen.edits.push((edit, Err(error))),
            Err(error) => seen.faults.push(format!("{name}: {edit:?}: {error}")),
        }
    }
    match reopen(entry, &together(package)) {
        Err(error) if !error.starts_with("refused") => {
            seen.faults.push(format!("{name}: together: {error}"));
        }
        _ => {}
    }
    seen
}

/// Everything that can be done to a package.
fn together(mut package: Package) -> Package {
    // Names are changed by the package's own, so this one is left out.
    for edit in EDITS.into_iter().filter(|edit| *edit != Edit::RenameObject) {
        // Each of them is checked alone.
        let _ = edit.apply(&mut package);
    }
    package
}

pub fn an_independent_reader_sees_what_was_edited() {
    let (compared, faults) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    each(Reader::start, |reader, entry| {
        let old = entry.options().open(&entry.path).unwrap();
        let mut package = old.clone();
        package.decode_all();
        // What can't be saved is a matter of the other test.
        let Ok(again) = reopen(entry, &together(package)) else { return };
        compared.fetch_add(1, Ordering::Relaxed);
        let found = reader.compare(&old, &again);
        let found = found.into_iter().map(|fault| format!("{}: {fault}", entry.name()));
        faults.lock().unwrap().extend(found);
    });
    let (compared, faults) = (compared.into_inner(), faults.into_inner().unwrap());
    println!("{compared} packages compared");
    assert!(compared > 0);
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

fn check_name(name: &str, old: &Package, new: &Package, faults: &mut Vec<String>) {
    let source = |package: &Package| package.summary().package_source;
    let short = NEW_PATH.rsplit('/').next().unwrap();
    let asset = |package: &Package| {
        main_asset(package).map(|row| package.exports().path(row)).unwrap_or_default()
    };
    let followed = package_source(asset(old).trim_end_matches("_C")) == source(old);
    if followed && source(new) != package_source(short) {
        faults.push(format!("{name}: the package source is not that of the new name"));
    }
    if followed && asset(new).trim_end_matches("_C") != short {
        faults.push(format!("{name}: the main asset is {}", asset(new)));
    }
    let stated = folder_name(old).starts_with('/');
    if stated && package_path(new).as_deref() != Some(NEW_PATH) {
        faults.push(format!("{name}: the path is {:?}", package_path(new)));
    }
}

fn short(diff: &Diff) -> String {
    let header = diff.header.iter().map(ToString::to_string);
    let changed = diff.changed.iter().map(|object| {
        let first = object.changes.first().map(ToString::to_string).unwrap_or_default();
        format!("~{}: {} {first}", object.path, object.changes.len())
    });
    let added = diff.added.iter().map(|object| format!("+{}", object.path));
    let removed = diff.removed.iter().map(|object| format!("-{}", object.path));
    let renamed = diff.renamed.iter().map(|object| format!("{} > {}", object.old, object.new));
    let all = header.chain(changed).chain(renamed).chain(added).chain(removed);
    let all: Vec<String> = all.take(6).collect();
    all.iter()
        .map(|line| line.chars().take(160).collect::<String>())
        .collect::<Vec<_>>()
        .join(" | ")
}
