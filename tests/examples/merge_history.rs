//! Merges what an editor saved with edits by the library: `merge_history FOLDER…`.
//!
//! Each folder is a project; each folder in it a commit with `base/NAME` and `theirs/NAME`, the package before and
//! after it. Of every commit four triples are made: our side sets a property, adds a name or an import, renames an
//! object, or copies one. The edit is one that may be made on both sides of the commit, so that their side with the
//! edit is what has to come of the merge. A fifth triple is a conflict: both sides set one value, each to its own.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use unreal_packages::compare::{Diff, Difference, diff};
use unreal_packages::edit::{Edit, MergeOptions, PackageEdit};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::property::PropertyKind;
use unreal_packages::version::UnrealVersions;

type Failure = Box<dyn std::error::Error>;

/// An edit of our side.
#[derive(Debug, Clone)]
enum Change {
    Set(String, String, String),
    Name(String),
    Import(String),
    Rename(String, String),
    Copy(String, String),
}

const KINDS: [&str; 4] = ["set", "add", "rename", "copy"];

impl Change {
    fn apply(&self, edit: &mut Edit) -> unreal_packages::Result<()> {
        edit.set_checks(false);
        match self {
            Self::Set(object, property, text) => {
                edit.set_property(object, property, text).map(drop)
            }
            Self::Name(text) => edit.add_name(text).map(drop),
            Self::Import(path) => edit.add_import(path, "/Script/CoreUObject.Class").map(drop),
            Self::Rename(object, name) => edit.rename_object(object, name).map(drop),
            Self::Copy(object, name) => edit.duplicate_object(object, name).map(drop),
        }
    }
}

fn with(package: &Package, change: &Change) -> Option<Package> {
    let mut package = package.clone();
    package.edit(|edit| change.apply(edit)).ok()?;
    Some(package)
}

/// A value of the same kind that is another one.
fn other_value(kind: &PropertyKind, text: &str) -> Option<String> {
    match kind {
        PropertyKind::Int | PropertyKind::Float => {
            let number: f64 = text.parse().ok()?;
            (number.abs() < 1e6).then(|| format!("{}", number.trunc() + 1.0))
        }
        PropertyKind::Bool => {
            Some(if text.eq_ignore_ascii_case("true") { "False" } else { "True" }.to_owned())
        }
        PropertyKind::Str => Some("\"set by our side\"".to_owned()),
        _ => None,
    }
}

/// Edits of a kind, those of objects that both packages have alike, some of all over the package.
fn candidates(kind: &str, base: &Package, theirs: &Package, seed: usize) -> Vec<Change> {
    let mut found = Vec::new();
    if kind == "add" {
        found.push(match seed % 2 {
            0 => Change::Name("NameOfOurSide".to_owned()),
            _ => Change::Import("/Script/Engine.ClassOfOurSide".to_owned()),
        });
        return found;
    }
    // Copies of what their side has changed would be copies of another object there.
    let changed: Vec<String> = diff(base, theirs).changed.into_iter().map(|it| it.path).collect();
    let within = |path: &str, other: &str| {
        other == path || other.strip_prefix(path).is_some_and(|rest| rest.starts_with(['.', ':']))
    };
    let paths: Vec<String> = base.exports().iter().map(|it| it.path()).collect();
    let count = paths.len();
    for at in 0..count.min(60) {
        let path = &paths[(at * 7919 + seed * 31) % count];
        if base.find_export(path).is_err() || theirs.find_export(path).is_err() {
            continue;
        }
        let name = path.rsplit(['.', ':']).next().unwrap_or(path);
        match kind {
            "set" => {
                let values = base.values().properties(path).unwrap_or_default();
                for value in values.iter().take(20) {
                    let same = theirs
                        .values()
                        .property(path, &value.path)
                        .is_ok_and(|it| it.text == value.text);
                    if let Some(text) = other_value(&value.property_type.kind(), &value.text)
                        && same
                    {
                        found.push(Change::Set(path.clone(), value.path.clone(), text));
                        break;
                    }
                }
            }
            // The asset itself is called after its file.
            "rename" if path.contains(['.', ':']) && !name.contains("Default__") => {
                found.push(Change::Rename(path.clone(), format!("{name}_RenamedByOurs")));
            }
            "copy"
                if path.contains(['.', ':'])
                    && !name.contains("Default__")
                    && !changed.iter().any(|other| within(path, other)) =>
            {
                found.push(Change::Copy(path.clone(), format!("{name}_CopiedByOurs")));
            }
            _ => {}
        }
        if found.len() >= 8 {
            break;
        }
    }
    found
}

/// A value that both sides may set, each to its own.
fn rivals(base: &Package, theirs: &Package, seed: usize) -> Option<(Package, Package)> {
    for change in candidates("set", base, theirs, seed + 5) {
        let Change::Set(object, property, text) = &change else { continue };
        let more = match text.as_str() {
            "True" | "False" => continue,
            text => match text.parse::<f64>() {
                Ok(number) => format!("{}", number + 3.0),
                Err(_) => "\"set by their side\"".to_owned(),
            },
        };
        let other = Change::Set(object.clone(), property.clone(), more);
        if let (Some(ours), Some(theirs)) = (with(base, &change), with(theirs, &other)) {
            return Some((ours, theirs));
        }
    }
    None
}

/// Where a difference stands.
fn place(change: &Difference) -> &str {
    match change {
        Difference::Property { property, .. } | Difference::Element { property, .. } => property,
        Difference::Attribute(field) | Difference::Field(field) => &field.field,
        Difference::Data { field, .. } => field,
        _ => "",
    }
}

/// Copies get GUIDs that nobody else has: others each time. What differs between two runs of one edit is no difference
/// of the merge.
fn without_random(mut found: Diff, of_two_runs: &Diff) -> Diff {
    for object in &mut found.changed {
        let Some(random) = of_two_runs.changed.iter().find(|it| it.path == object.path) else {
            continue;
        };
        let places: Vec<&str> =
            random.changes.iter().map(place).filter(|it| !it.is_empty()).collect();
        object.changes.retain(|change| !places.contains(&place(change)));
    }
    found.changed.retain(|object| !object.changes.is_empty());
    found
}

#[derive(Default)]
struct Figures {
    commits: usize,
    other_versions: usize,
    merged: BTreeMap<&'static str, usize>,
    conflicts: BTreeMap<&'static str, usize>,
    wrong: BTreeMap<&'static str, usize>,
    no_edit: BTreeMap<&'static str, usize>,
    rivals: usize,
    missed: usize,
    /// Of the merged: those in which a save would make something else anew.
    derived: usize,
}

fn check(
    what: &str,
    kind: &'static str,
    base: &Package,
    theirs: &Package,
    seed: usize,
    seen: &mut Figures,
) {
    let made = candidates(kind, base, theirs, seed).into_iter().find_map(|change| {
        let sides = (with(base, &change)?, with(theirs, &change)?);
        (!diff(base, &sides.0).is_empty()).then_some((change, sides))
    });
    let Some((change, (ours, expected))) = made else {
        *seen.no_edit.entry(kind).or_default() += 1;
        return;
    };
    let mut merged = ours;
    let result = merged.edit(|edit| edit.merge(base, theirs, &MergeOptions::new()));
    let fault = match result {
        Err(error) => format!("error: {error}"),
        Ok(outcome) if !outcome.conflicts.is_empty() => {
            *seen.conflicts.entry(kind).or_default() += 1;
            let all: Vec<String> =
                outcome.conflicts.iter().map(|it| it.to_string().replace('\n', " ")).collect();
            let shown: String = all.join(" || ").chars().take(700).collect();
            println!("conflict {what} {kind} {change:?}: {} {shown}", all.len());
            return;
        }
        Ok(_) => {
            let again = with(theirs, &change).map(|again| diff(&expected, &again));
            let found = without_random(diff(&expected, &merged), &again.unwrap_or_default());
            let bytes = merged.to_bytes();
            let again =
                bytes.as_ref().ok().and_then(|bytes| Package::from_bytes(bytes.clone()).ok());
            match again {
                _ if !found.says_nothing() => format!("differs: {found:?}"),
                None => "does not open again".to_owned(),
                Some(again) if again.to_bytes().ok() != bytes.ok() => {
                    "is saved otherwise when it is opened again".to_owned()
                }
                Some(_) => {
                    if !found.is_empty() {
                        seen.derived += 1;
                        let all: Vec<&str> = found.header.iter().map(|it| &*it.field).collect();
                        println!("of the save {what} {kind}: {}", all.join(", "));
                    }
                    *seen.merged.entry(kind).or_default() += 1;
                    return;
                }
            }
        }
    };
    *seen.wrong.entry(kind).or_default() += 1;
    println!("wrong {what} {kind} {change:?}: {}", fault.chars().take(900).collect::<String>());
}

fn package_in(folder: &Path) -> Result<Package, Failure> {
    let file = std::fs::read_dir(folder)?.next().ok_or("an empty folder")??;
    Ok(Package::open(file.path())?)
}

fn main() -> Result<(), Failure> {
    let kinds: Vec<&'static str> = match std::env::var("KINDS") {
        Ok(list) => KINDS.into_iter().filter(|kind| list.contains(kind)).collect(),
        Err(_) => KINDS.to_vec(),
    };
    let only = std::env::var("ONLY").ok();
    let start = Instant::now();
    for project in std::env::args_os().skip(1).map(PathBuf::from) {
        let mut seen = Figures::default();
        let mut commits: Vec<PathBuf> = std::fs::read_dir(&project)?
            .filter_map(|it| Some(it.ok()?.path()))
            .filter(|it| it.is_dir())
            .collect();
        commits.sort();
        for (seed, commit) in commits.iter().enumerate() {
            let what =
                format!("{}", commit.strip_prefix(project.parent().unwrap_or(&project))?.display());
            if only.as_ref().is_some_and(|only| !what.contains(only.as_str())) {
                continue;
            }
            let (base, theirs) =
                match (package_in(&commit.join("base")), package_in(&commit.join("theirs"))) {
                    (Ok(base), Ok(theirs)) => (base, theirs),
                    (base, theirs) => {
                        println!("unreadable {what}: {:?} {:?}", base.err(), theirs.err());
                        continue;
                    }
                };
            let versions = |package: &Package| (package.versions().ue4(), package.versions().ue5());
            if versions(&base) != versions(&theirs) {
                seen.other_versions += 1;
                continue;
            }
            seen.commits += 1;
            for &kind in &kinds {
                check(&what, kind, &base, &theirs, seed, &mut seen);
            }
            if let Some((ours, theirs)) = rivals(&base, &theirs, seed) {
                let mut merged = ours;
                let outcome = merged.edit(|edit| edit.merge(&base, &theirs, &MergeOptions::new()));
                match outcome {
                    Ok(outcome) if outcome.conflicts.is_empty() => {
                        seen.missed += 1;
                        println!("missed {what}: a conflict was merged");
                    }
                    _ => seen.rivals += 1,
                }
            }
        }
        let sum = |map: &BTreeMap<&str, usize>| map.values().sum::<usize>();
        let all = sum(&seen.merged) + sum(&seen.conflicts) + sum(&seen.wrong);
        println!(
            "{}: {} commits ({} more between versions), {} of {all} triples merged {:?}, conflicts {:?}, \
             wrong {:?}, {} of the merged but for what saves make anew, without an edit {:?}; {} true conflicts, {} missed; {:.0} s",
            project.display(),
            seen.commits,
            seen.other_versions,
            sum(&seen.merged),
            seen.merged,
            seen.conflicts,
            seen.wrong,
            seen.derived,
            seen.no_edit,
            seen.rivals,
            seen.missed,
            start.elapsed().as_secs_f64()
        );
    }
    Ok(())
}
