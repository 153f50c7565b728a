//! Two edits of a real package, each on its own copy, merged: the same as one after the other. Two edits of one
//! place: a conflict.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use unreal_packages::ErrorKind;
use unreal_packages::compare::{Diff, Difference, FieldOrigin, diff};
use unreal_packages::edit::{Edit, MergeOptions, MergePreference, PackageEdit, RemoveOptions};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::primitive::ObjectFlags;
use unreal_packages::property::{PropertyKind, Value};
use unreal_packages::script::ScriptString;
use unreal_packages::version::UnrealVersions;

use crate::folders::every;
use crate::going::{each, is_whole};
use crate::{files, manifest};

/// Larger packages take too long where nothing is optimised.
const LARGEST: usize = 300_000;
/// Objects that are looked at for values and code.
const LOOKED_AT: usize = 40;
/// Triples of each package with edits in different places.
const PAIRS: usize = 5;

/// One edit, on one place.
#[derive(Debug, Clone)]
enum Change {
    Property(String, String, String),
    Element(String, String, String),
    Duplicate(String, String),
    Add(String, &'static str),
    Remove(String),
    Rename(String, String),
    Flags(String, u64),
    Code(String, u32, String),
}

impl Change {
    fn kind(&self) -> &'static str {
        match self {
            Self::Property(..) => "property",
            Self::Element(..) => "element",
            Self::Duplicate(..) => "duplicate",
            Self::Add(..) => "add",
            Self::Remove(..) => "remove",
            Self::Rename(..) => "rename",
            Self::Flags(..) => "flags",
            Self::Code(..) => "code",
        }
    }

    fn apply(&self, edit: &mut Edit) -> unreal_packages::Result<()> {
        edit.set_checks(false);
        match self {
            Self::Property(object, property, text) | Self::Element(object, property, text) => {
                edit.set_property(object, property, text).map(drop)
            }
            Self::Duplicate(object, name) => edit.duplicate_object(object, name).map(drop),
            Self::Add(name, class) => edit.add_blank_object(name, class).map(drop),
            Self::Remove(object) => edit.remove_object(object, RemoveOptions::Refuse).map(drop),
            Self::Rename(object, name) => match edit.rename_object(object, name)?.care.pop() {
                Some(reason) => Err(ErrorKind::Invalid { reason }.into()),
                None => Ok(()),
            },
            Self::Flags(object, flags) => {
                let row = edit.find_export(object)?;
                edit.set_object_flags(row, ObjectFlags(*flags))
            }
            Self::Code(object, place, text) => edit.set_script_text(object, *place, text).map(drop),
        }
    }

    /// Another change of the same place.
    fn rival(&self) -> Option<Self> {
        let more = |text: &str| text.parse::<i32>().ok().map(|number| number.wrapping_add(3));
        Some(match self.clone() {
            Self::Property(object, property, text) => {
                let text = more(&text)?.to_string();
                Self::Property(object, property, text)
            }
            Self::Element(object, property, text) => {
                let text = more(&text)?.to_string();
                Self::Element(object, property, text)
            }
            Self::Rename(object, _) => Self::Rename(object, "RenamedByRival".to_owned()),
            Self::Flags(object, flags) => Self::Flags(object, flags ^ 0x18),
            Self::Code(object, place, _) => Self::Code(object, place, "rival".to_owned()),
            Self::Remove(object) => Self::Rename(object, "RenamedByRival".to_owned()),
            Self::Duplicate(..) | Self::Add(..) => return None,
        })
    }
}

/// Changes that may be made to a package, those of one kind spread over it.
fn changes(package: &Package, seed: usize) -> Vec<Change> {
    let rows: Vec<_> = package
        .exports()
        .iter()
        .filter(|it| !it.class().is_empty() && package.find_export(&it.path()).is_ok())
        .collect();
    let mut found = Vec::new();
    let class = match package.versions().has_object_versions() {
        true => "/Script/Engine.DataAsset",
        false => "Engine.Info",
    };
    let count = rows.len().max(1);
    let mut by_kind: BTreeMap<&str, usize> = BTreeMap::new();
    let mut put = |change: Change, most: usize| {
        let count = by_kind.entry(change.kind()).or_default();
        *count += 1;
        if *count <= most {
            found.push(change);
        }
    };
    put(Change::Add("AddedByOne".to_owned(), class), 2);
    put(Change::Add("AddedByTwo".to_owned(), class), 2);
    for at in 0..LOOKED_AT.min(rows.len()) {
        let row = &rows[(at * 7919 + seed) % count];
        let path = row.path();
        for value in package.values().properties(&path).unwrap_or_default() {
            let number = value.text.parse::<i32>().ok();
            let is_plain =
                matches!(value.property_type.kind(), PropertyKind::Int | PropertyKind::Float);
            if let Some(number) = number.filter(|_| is_plain) {
                let text = number.wrapping_add(1).to_string();
                put(Change::Property(path.clone(), value.path.clone(), text), 6);
            }
            if let Some(Value::Array(elements)) = &value.value
                && let Some(last) = elements.len().checked_sub(1)
            {
                for index in [0, last] {
                    let property = format!("{}[{index}]", value.path);
                    let known = package.values().property(&path, &property).ok();
                    let number = known.and_then(|known| known.text.parse::<i32>().ok());
                    if let Some(number) = number.filter(|number| (0..100).contains(number)) {
                        let text = (number + 1).to_string();
                        put(Change::Element(path.clone(), property, text), 6);
                    }
                }
            }
        }
        let code = package.decoded(row.row()).and_then(|decoded| decoded.body.native.code());
        let strings = code.map(|code| ScriptString::all(&code.items, package.versions()));
        if let Some(string) = strings.unwrap_or_default().first() {
            put(Change::Code(path.clone(), string.place, "put here".to_owned()), 4);
        }
        let flags = package.exports().entries()[row.row()].object_flags.0;
        put(Change::Flags(path.clone(), flags ^ 0x8), 3);
        put(Change::Rename(path.clone(), format!("RenamedByTest{at}")), 3);
        put(Change::Duplicate(path.clone(), format!("CopiedByTest{at}")), 4);
        // Without the asset that it is called after a package of UE4 takes the next one for it.
        if !package.versions().has_object_versions() || path.contains('.') {
            put(Change::Remove(path), 5);
        }
    }
    found
}

/// What became of the triples.
#[derive(Default)]
struct Seen {
    packages: usize,
    merged: BTreeMap<(&'static str, &'static str), usize>,
    bytes: usize,
    conflicts: BTreeMap<&'static str, usize>,
    refused: Vec<String>,
    faults: Vec<String>,
}

fn changed(base: &Package, changes: &[&Change]) -> Option<Package> {
    let mut package = base.clone();
    for change in changes {
        package.edit(|edit| change.apply(edit)).ok()?;
    }
    (!diff(base, &package).is_empty()).then_some(package)
}

/// Copies get GUIDs of their own, others each time.
fn is_random(change: &Difference) -> bool {
    let is_guid = |text: &str| text.to_ascii_lowercase().ends_with("guid");
    match change {
        Difference::Property { property, .. } => is_guid(property),
        // Pins of copied nodes, and the links between them.
        Difference::Field(field) => {
            field.field.starts_with("pins[") && field.field.ends_with(".id")
        }
        _ => false,
    }
}

/// Differences but for those that are random, and but for objects that an export of the merged package waits for beyond
/// those that it must.
fn differences(expected: &Package, merged: &Package) -> Diff {
    let mut found = diff(expected, merged);
    for object in &mut found.changed {
        // A copy of a list lacks what the other side has added to the list.
        let is_copy =
            object.path.rsplit('.').next().is_some_and(|name| name.starts_with("CopiedByTest"));
        let is_other = |change: &Difference| match change {
            Difference::Property { old: Some(old), new: None, .. }
            | Difference::Element { old: Some(old), new: None, .. } => old.contains("CopiedByTest"),
            _ => false,
        };
        object.changes.retain(|it| !(is_random(it) || is_copy && is_other(it)));
    }
    found.changed.retain(|object| !object.changes.is_empty());
    found.header.retain(|field| {
        if field.origin == FieldOrigin::Derived {
            return false;
        }
        let objects = |text: &Option<String>| -> Vec<String> {
            let list = text.as_deref().and_then(|text| text.split_once("] "));
            list.map_or_else(Vec::new, |(_, list)| list.split(", ").map(str::to_owned).collect())
        };
        let (old, new) = (objects(&field.old), objects(&field.new));
        !field.field.starts_with("preload of ") || !old.iter().all(|object| new.contains(object))
    });
    found
}

/// Merges two changes of different places.
fn check_pair(name: &str, base: &Package, pair: [&Change; 2], seen: &Mutex<Seen>) -> bool {
    let [one, two] = pair;
    let (Some(ours), Some(theirs)) = (changed(base, &[one]), changed(base, &[two])) else {
        return false;
    };
    let Some(expected) = changed(base, &[one, two]) else { return false };
    let mut merged = ours.clone();
    let done = merged.edit(|edit| edit.merge(base, &theirs, &MergeOptions::new()));
    let mut seen = seen.lock().unwrap();
    let what = format!("{name}: {one:?} and {two:?}");
    match done {
        // What can't be laid out: nothing was written.
        Err(error) if matches!(error.unreal(), Some(UnrealError::Refused { .. })) => {
            seen.refused.push(format!("{what}: {error}"));
        }
        Err(error) => seen.faults.push(format!("{what}: {error}")),
        Ok(outcome) if !outcome.conflicts.is_empty() => {
            let first = &outcome.conflicts[0];
            seen.refused.push(format!("{what}: {first}"));
        }
        Ok(_) => {
            let mut found = differences(&expected, &merged);
            if !found.is_empty()
                && let Some(other) = changed(base, &[two, one])
            {
                // A copy of a list has what was added to the list before, not what came later: a merge knows no order.
                let turned = differences(&other, &merged);
                if turned.is_empty() {
                    found = turned;
                }
            }
            if !found.is_empty() {
                seen.faults.push(format!("{what}: {found:?}").chars().take(900).collect());
                return true;
            }
            *seen.merged.entry((one.kind(), two.kind())).or_default() += 1;
            seen.bytes += usize::from(merged.to_bytes().ok() == expected.clone().to_bytes().ok());
        }
    }
    true
}

/// Merges two changes of one place: a conflict, which changes nothing; or one of both where it is preferred.
fn check_rivals(name: &str, base: &Package, change: &Change, seen: &Mutex<Seen>) {
    let Some(rival) = change.rival() else { return };
    let (Some(ours), Some(theirs)) = (changed(base, &[change]), changed(base, &[&rival])) else {
        return;
    };
    if diff(&ours, &theirs).is_empty() {
        return;
    }
    let what = format!("{name}: {change:?} against {rival:?}");
    let mut merged = ours.clone();
    let done = merged.edit(|edit| edit.merge(base, &theirs, &MergeOptions::new()));
    let mut kept = ours.clone();
    let options = MergeOptions::new().prefer(MergePreference::Ours);
    let preferred = kept.edit(|edit| edit.merge(base, &theirs, &options));
    let mut seen = seen.lock().unwrap();
    match done {
        Ok(outcome) if outcome.conflicts.is_empty() => {
            seen.faults.push(format!("{what}: no conflict: {outcome:?}"));
        }
        Ok(_) if !diff(&ours, &merged).is_empty() => {
            seen.faults.push(format!("{what}: it is changed in spite of a conflict"));
        }
        Ok(_) => *seen.conflicts.entry(change.kind()).or_default() += 1,
        Err(error) => seen.faults.push(format!("{what}: {error}")),
    }
    if let Ok(outcome) = preferred
        && outcome.conflicts.is_empty()
    {
        let found = diff(&ours, &kept);
        if !found.is_empty() {
            seen.faults.push(format!("{what}: not ours: {found:?}"));
        }
    }
}

fn check(name: &str, mut base: Package, seed: usize, seen: &Mutex<Seen>) {
    base.decode_all();
    if base.container().is_some() || !is_whole(&base) || base.to_bytes().is_err() {
        return;
    }
    seen.lock().unwrap().packages += 1;
    let all = changes(&base, seed);
    let (mut done, mut tried) = (0, 0);
    let count = all.len();
    // Every kind with every other one, over the packages.
    let kinds = ["property", "element", "code", "duplicate", "add", "remove", "rename", "flags"];
    for step in 0..kinds.len() * kinds.len() {
        let step = (step * 29 + seed * 13) % (kinds.len() * kinds.len());
        let of = |kind: &str, skip: usize| {
            let fitting: Vec<_> = (0..count).filter(|&at| all[at].kind() == kind).collect();
            (!fitting.is_empty()).then(|| fitting[(seed + skip) % fitting.len()])
        };
        let (first, second) = (kinds[step / kinds.len()], kinds[step % kinds.len()]);
        let (Some(a), Some(b)) = (of(first, 0), of(second, 1)) else { continue };
        if a == b || same_place(&all[a], &all[b]) {
            continue;
        }
        tried += 1;
        done += usize::from(check_pair(name, &base, [&all[a], &all[b]], seen));
        if done == PAIRS || tried == 4 * PAIRS {
            break;
        }
    }
    for kind in 0..2 {
        let kind = kinds[(seed + kind * 3) % kinds.len()];
        if let Some(change) = all.iter().find(|change| change.kind() == kind) {
            check_rivals(name, &base, change, seen);
        }
    }
}

/// Whether two changes are of one place: one removes, copies or renames what the other one changes.
fn same_place(one: &Change, two: &Change) -> bool {
    let place = |change: &Change| match change {
        Change::Property(object, property, _) | Change::Element(object, property, _) => {
            Some((object.clone(), property.clone()))
        }
        Change::Code(object, ..) => Some((object.clone(), "code".to_owned())),
        Change::Flags(object, _) => Some((object.clone(), "flags".to_owned())),
        Change::Remove(object) | Change::Rename(object, _) => Some((object.clone(), String::new())),
        Change::Duplicate(object, _) => Some((object.clone(), String::new())),
        Change::Add(..) => None,
    };
    let (Some((a, of_a)), Some((b, of_b))) = (place(one), place(two)) else { return false };
    let within = |a: &str, b: &str| a == b || a.starts_with(&format!("{b}."));
    let overlap = within(&a, &b) || within(&b, &a);
    overlap && (of_a.is_empty() || of_b.is_empty() || of_a == of_b)
}

/// Triples that are merged, over all packages of both tests.
static MERGED: AtomicUsize = AtomicUsize::new(0);

fn report(what: &str, seen: Mutex<Seen>, least: usize) {
    let seen = seen.into_inner().unwrap();
    let merged: usize = seen.merged.values().sum();
    let all = MERGED.fetch_add(merged, Ordering::Relaxed) + merged;
    println!(
        "{what}: {} packages, {merged} triples merged ({} to the same bytes), {} refused; {all} in all; \
         conflicts {:?}",
        seen.packages,
        seen.bytes,
        seen.refused.len(),
        seen.conflicts
    );
    println!("merged: {:?}", seen.merged);
    for refused in &seen.refused {
        println!("refused: {refused}");
    }
    let faults = &seen.faults;
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(merged >= least, "{merged} triples");
    assert!(seen.refused.len() * 20 <= merged, "{} of {merged} refused", seen.refused.len());
    assert!(seen.conflicts.values().sum::<usize>() >= least / 10, "{:?}", seen.conflicts);
}

pub fn edits_of_classic_packages_are_merged() {
    let files: Vec<_> = files::of("classic").into_iter().chain(files::of("conform")).collect();
    let files: Vec<_> = files.into_iter().enumerate().step_by(every(3)).collect();
    let seen = Mutex::new(Seen::default());
    each(&files, |(seed, (name, bytes))| {
        if bytes.len() <= LARGEST
            && let Ok(package) = Package::from_bytes(bytes.clone())
        {
            check(name, package, *seed, &seen);
        }
    });
    report("UE1 to UE3", seen, 250 / every(3));
}

pub fn edits_of_ue4_and_ue5_packages_are_merged() {
    let entries: Vec<_> = manifest::packages().into_iter().enumerate().step_by(every(3)).collect();
    let seen = Mutex::new(Seen::default());
    each(&entries, |(seed, entry)| {
        if let Ok(package) = entry.options_with_mappings().open(&entry.path)
            && package.source().len() <= LARGEST
        {
            check(entry.name(), package, *seed, &seen);
        }
    });
    report("UE4 and UE5", seen, 250 / every(3));
}
