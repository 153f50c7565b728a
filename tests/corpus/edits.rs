//! Edits of every package of UE4 and UE5 of the corpus: saved, opened again, compared with what they were,
//! and read by an independent reader (`tests/reader_modern.py`).
//!
//! `UPK_CORPUS` names a folder with `modern/manifest.tsv`; without one the test says that it is skipped.

use crate::common;
use crate::reader;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::manifest::{self, Entry};
use farchive::ErrorKind;
use farchive::package::checksum::package_source;
use farchive::package::{Diff, Package, RenamePackage, SaveOptions, diff};
use farchive::property::tagged::Value;

/// Larger packages are edited once, with everything together.
const SMALL: usize = 200_000;

const NEW_PATH: &str = "/Game/Edited/Renamed_Asset";

/// 2x1 pixels, red.
const PICTURE: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52, 0, 0, 0,
    2, 0, 0, 0, 1, 8, 2, 0, 0, 0, 0x7b, 0x40, 0xe8, 0xdd, 0, 0, 0, 0x0f, 0x49, 0x44, 0x41, 0x54,
    0x78, 0x9c, 0x63, 0xf8, 0xcf, 0xc0, 0xc0, 0xc0, 0xf0, 0x1f, 0, 0x09, 0xfe, 0x01, 0xfe, 0, 0, 0,
    0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

/// One kind of edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Edit {
    Name,
    Import,
    RenamePackage,
    RenameObject,
    RetargetSoft,
    Retarget,
    Thumbnail,
}

const EDITS: [Edit; 7] = [
    Edit::Name,
    Edit::Import,
    Edit::RenamePackage,
    Edit::RenameObject,
    Edit::RetargetSoft,
    Edit::Retarget,
    Edit::Thumbnail,
];

impl Edit {
    /// Carries it out; false where there is nothing to do it to.
    fn apply(self, package: &mut Package) -> farchive::Result<bool> {
        match self {
            Self::Name => package.add_name("Quite_Another_Name").map(|_| true),
            Self::Import => package
                .add_import("/Game/Edited/Thing.Thing", "/Script/Engine.StaticMesh")
                .map(|_| true),
            Self::RenamePackage => {
                package.rename_package(NEW_PATH, &RenamePackage::new()).map(|_| true)
            }
            Self::RenameObject => {
                let inner = |row: &usize| package.exports().path(*row).contains('.');
                match (0..package.exports().len()).find(inner) {
                    Some(row) => {
                        package.rename_object(&format!("#{row}"), "Renamed_Part").map(|_| true)
                    }
                    None => Ok(false),
                }
            }
            Self::RetargetSoft => match soft_target(package) {
                Some(path) => {
                    let new =
                        if path.contains('.') { "/Game/Edited/S.S" } else { "/Game/Edited/S" };
                    package.retarget_soft(&path, new).map(|_| true)
                }
                None => Ok(false),
            },
            Self::Retarget => {
                // Some import their own package: that is another edit.
                let stem = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
                let own = |path: &str| package.find_export(&stem(path)).is_ok();
                let foreign = |path: &String| {
                    path.starts_with('/') && !path.starts_with("/Script/") && !own(path)
                };
                let mut paths = package.imports().iter().map(|import| import.path());
                let found = paths.find(|path| !path.contains('.') && foreign(path));
                drop(paths);
                match found {
                    Some(path) => package.retarget(&path, "/Game/Edited/Target").map(|_| true),
                    None => Ok(false),
                }
            }
            Self::Thumbnail => {
                if package.versions().filter_editor_only || package.exports().is_empty() {
                    return Ok(false);
                }
                let row = package.main_asset().unwrap_or(0);
                package.set_thumbnail(&format!("#{row}"), PICTURE).map(|_| true)
            }
        }
    }

    /// What the difference may say, and nothing else.
    fn agrees(self, diff: &Diff) -> bool {
        let only = |allowed: &[&str]| {
            let allowed = |field: &str| allowed.iter().any(|start| field.starts_with(start));
            diff.header.iter().all(|field| allowed(&field.field))
        };
        let objects = diff.added.len() == diff.removed.len();
        match self {
            Self::Name => {
                diff.changed.is_empty() && objects && only(&["name"]) && diff.header.len() == 1
            }
            Self::Import => diff.changed.is_empty() && only(&["import"]) && diff.header.len() == 2,
            Self::RenamePackage => {
                let fields = ["main asset", "package_name", "package path", "soft", "gatherable"];
                diff.added.is_empty() && diff.removed.is_empty() && only(&fields)
            }
            Self::RenameObject => objects && !diff.added.is_empty(),
            Self::RetargetSoft => {
                objects && diff.added.is_empty() && only(&["soft", "name", "meta_data"])
            }
            Self::Retarget => {
                let fields = [
                    "import",
                    "soft",
                    "name",
                    "asset registry",
                    "depends",
                    "preload",
                    "gatherable",
                ];
                objects && diff.added.is_empty() && only(&fields) && !diff.header.is_empty()
            }
            Self::Thumbnail => {
                diff.changed.is_empty()
                    && objects
                    && only(&["thumbnail"])
                    && !diff.header.is_empty()
            }
        }
    }
}

/// A path that is referred to softly and is neither the package's own nor the engine's.
fn soft_target(package: &Package) -> Option<String> {
    let (context, own) = (package.context(), package.package_path().unwrap_or_default());
    let modern = package.modern()?;
    let listed = modern.soft_object_paths.iter().map(|path| path.text(&context));
    let packages = modern.soft_package_references.iter().map(|row| {
        let path = row.path.text(package.source()).unwrap_or_default();
        if path.is_empty() { package.name_text(row.name) } else { path.into_owned() }
    });
    let foreign = |path: &String| {
        let head = path.split(['.', ':']).next().unwrap_or_default();
        path.starts_with('/') && !path.starts_with("/Script/") && !head.eq_ignore_ascii_case(&own)
    };
    let mut values = Vec::new();
    for row in 0..package.exports().len() {
        let Some(prologue) = package.decoded(row).and_then(|d| d.body.prologue.as_ref()) else {
            continue;
        };
        prologue.properties.walk(&mut |value| {
            if let Value::SoftObject(path) = value {
                values.push(path.text(&context));
            }
        });
    }
    listed
        .chain(values)
        .chain(packages)
        .map(|path| path.split(':').next().unwrap_or_default().to_owned())
        .find(foreign)
}

#[derive(Default)]
struct Tally {
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
    if package.saved_hash_is_right() != again.saved_hash_is_right() {
        return Err("another state of its hash".to_owned());
    }
    Ok(again)
}

fn reason(error: &str) -> String {
    let reason = error.rsplit_once("package: ").map_or(error, |(_, reason)| reason);
    reason.split([':', ';', '\'']).next().unwrap_or_default().to_owned()
}

#[test]
fn every_package_can_be_edited() {
    let entries = manifest::packages();
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    let threads = std::thread::available_parallelism().map_or(2, usize::from).min(4);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let mut reader = reader::Reader::start();
                while let Some(entry) = entries.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let seen = edit(entry, reader.as_mut());
                    let mut all = tally.lock().unwrap();
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
                }
            });
        }
    });
    let tally = tally.into_inner().unwrap();
    println!("{} packages, edits: {:?}", entries.len(), tally.done);
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

fn edit(entry: &Entry, reader: Option<&mut reader::Reader>) -> Seen {
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
    let mut together = package.clone();
    for edit in EDITS {
        let mut one = package.clone();
        let applied = match edit.apply(&mut one) {
            Ok(applied) => applied,
            Err(error) => {
                let refused = matches!(
                    error.kind(),
                    ErrorKind::Refused { .. } | ErrorKind::Unsupported { .. }
                );
                match refused {
                    true => seen.edits.push((edit, Err(error.to_string()))),
                    false => seen.faults.push(format!("{name}: {edit:?}: {error}")),
                }
                continue;
            }
        };
        // Names are changed by the package's own, so this one comes last.
        if applied && edit != Edit::RenameObject {
            let _ = edit.apply(&mut together);
        }
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
                if edit == Edit::RenamePackage {
                    check_name(name, &old, &again, &mut seen.faults);
                }
                seen.edits.push((edit, Ok(true)));
            }
            Err(error) if error.starts_with("refused") => seen.edits.push((edit, Err(error))),
            Err(error) => seen.faults.push(format!("{name}: {edit:?}: {error}")),
        }
    }
    match reopen(entry, &together) {
        Ok(again) => {
            if let Some(reader) = reader {
                let mut faults = reader.compare(&old, &again);
                faults.iter_mut().for_each(|fault| fault.insert_str(0, &format!("{name}: ")));
                seen.faults.extend(faults);
            }
        }
        Err(error) if error.starts_with("refused") => {}
        Err(error) => seen.faults.push(format!("{name}: together: {error}")),
    }
    seen
}

fn check_name(name: &str, old: &Package, new: &Package, faults: &mut Vec<String>) {
    let source = |package: &Package| package.modern().unwrap().summary.package_source;
    let short = NEW_PATH.rsplit('/').next().unwrap();
    let asset = |package: &Package| {
        package.main_asset().map(|row| package.exports().path(row)).unwrap_or_default()
    };
    let followed = package_source(asset(old).trim_end_matches("_C")) == source(old);
    if followed && source(new) != package_source(short) {
        faults.push(format!("{name}: the package source is not that of the new name"));
    }
    if followed && asset(new).trim_end_matches("_C") != short {
        faults.push(format!("{name}: the main asset is {}", asset(new)));
    }
    let stated = old.folder_name().starts_with('/');
    if stated && new.package_path().as_deref() != Some(NEW_PATH) {
        faults.push(format!("{name}: the path is {:?}", new.package_path()));
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
    let all: Vec<String> = header.chain(changed).chain(added).chain(removed).take(6).collect();
    all.iter()
        .map(|line| line.chars().take(160).collect::<String>())
        .collect::<Vec<_>>()
        .join(" | ")
}
