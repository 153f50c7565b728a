//! An edit of a real package and its inverse, one committed after the other: the original bytes.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Mutex;

use unreal_packages::compare::{Diff, FieldDifference, diff};
use unreal_packages::edit::{Edit, PackageEdit, RemoveOptions};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::Package;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{ErrorKind, PackageIndex};

use crate::going::{each, is_whole};
use crate::{files, manifest};

/// Larger packages take too long where nothing is optimised.
const LARGEST: usize = 400_000;
/// Objects of a package that are tried.
const TRIED: usize = 6;

type Change<'a> = &'a dyn Fn(&mut Edit) -> unreal_packages::Result<()>;

/// What became of each edit and its inverse.
#[derive(Default)]
struct Seen {
    packages: usize,
    exact: BTreeMap<&'static str, usize>,
    /// Other bytes, but no difference: packages that did not have the engine's layout.
    same: BTreeMap<&'static str, Vec<String>>,
    refused: BTreeMap<(&'static str, String), usize>,
    faults: Vec<String>,
}

/// One edit, and the one that takes it back; says whether the first was not refused.
fn there_and_back(
    (name, original, bytes): (&str, &Package, &[u8]),
    what: &'static str,
    there: Change<'_>,
    back: Change<'_>,
    seen: &Mutex<Seen>,
) -> bool {
    let mut package = original.clone();
    if let Err(error) = package.edit(|edit| there(edit)) {
        let reason: String = error.to_string().chars().take(80).collect();
        *seen.lock().unwrap().refused.entry((what, reason)).or_default() += 1;
        return false;
    }
    let between = package.to_bytes();
    let done = package.edit(|edit| back(edit)).and_then(|()| package.to_bytes());
    let mut seen = seen.lock().unwrap();
    match (between, done) {
        (Ok(between), Ok(_)) if between == bytes => {
            seen.faults.push(format!("{name}: {what}: nothing has changed in between"));
        }
        (Ok(_), Ok(after)) if after == bytes => *seen.exact.entry(what).or_default() += 1,
        (Ok(_), Ok(_)) => match without_hashes(diff(original, &package)) {
            same if same.is_empty() => seen.same.entry(what).or_default().push(name.to_owned()),
            other => {
                let object = other.changed.first().map(|object| object.path.clone());
                let field = other.header.first().map(|field| format!("{field:?}"));
                seen.faults.push(format!("{name}: {what}: differs: {field:?} {object:?}"));
            }
        },
        (Err(error), _) | (_, Err(error)) => {
            seen.faults.push(format!("{name}: {what}: {error}"));
        }
    }
    true
}

/// All kinds of edits on one package.
fn check(name: &str, mut package: Package, seen: &Mutex<Seen>) {
    package.decode_all();
    let Ok(bytes) = package.to_bytes() else { return };
    if package.container().is_some() || !is_whole(&package) {
        return;
    }
    seen.lock().unwrap().packages += 1;
    let of = (name, &package, &*bytes);
    let rows: Vec<_> = package.exports().iter().filter(|it| !it.class().is_empty()).collect();
    let some = || rows.iter().rev().filter(|row| package.find_export(&row.path()).is_ok());
    let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
    let around =
        |path: &str| path.rsplit_once('.').map_or(String::new(), |it| format!("{}.", it.0));
    let remove =
        |edit: &mut Edit, path: &str| edit.remove_object(path, RemoveOptions::Refuse).map(drop);
    some().take(TRIED).any(|row| {
        let (path, old) = (row.path(), last(&row.path()));
        there_and_back(
            of,
            "rename",
            &|edit| {
                // What does not follow can't come back: the asset that the package is called after.
                match edit.rename_object(&path, "RenamedByTest")?.care.pop() {
                    Some(reason) => Err(ErrorKind::Invalid { reason }.into()),
                    None => Ok(()),
                }
            },
            &|edit| {
                // Names of real objects are odd at times.
                edit.set_checks(false);
                edit.rename_object(&format!("{}RenamedByTest", around(&path)), &old).map(drop)
            },
            seen,
        )
    });
    some().take(TRIED).any(|row| {
        let path = row.path();
        there_and_back(
            of,
            "duplicate and remove",
            &|edit| edit.duplicate_object(&path, "CopiedByTest").map(drop),
            &|edit| remove(edit, &format!("{}CopiedByTest", around(&path))),
            seen,
        )
    });
    let class = match package.versions().has_object_versions() {
        true => "/Script/Engine.DataAsset",
        false => "Engine.Info",
    };
    there_and_back(
        of,
        "add and remove",
        &|edit| edit.add_blank_object("AddedByTest", class).map(drop),
        &|edit| remove(edit, "AddedByTest"),
        seen,
    );
    some().take(TRIED).any(|row| {
        let path = row.path();
        let values = package.values().properties(&path).unwrap_or_default();
        let number = values.into_iter().find_map(|value| {
            let number: i32 = value.text.parse().ok()?;
            Some((value.path, value.text, number.wrapping_add(1)))
        });
        let Some((property, text, other)) = number else { return false };
        there_and_back(
            of,
            "set and set back",
            &|edit| edit.set_property(&path, &property, &other.to_string()).map(drop),
            &|edit| edit.set_property(&path, &property, &text).map(drop),
            seen,
        )
    });
    check_removal(of, seen);
}

/// Objects that bulk data belongs to are tried first: their rows leave the table of data resources, wherever they
/// stand in it.
fn check_removal((name, package, bytes): (&str, &Package, &[u8]), seen: &Mutex<Seen>) {
    let owned = |package: &Package, row: usize| {
        let rows = package.tables().further.data_resources.iter().flat_map(|table| &table.rows);
        rows.filter(|known| known.outer_index == PackageIndex::export(row)).count()
    };
    let count = |package: &Package| {
        package.tables().further.data_resources.as_ref().map_or(0, |table| table.rows.len())
    };
    let mut rows: Vec<usize> = (0..package.exports().len()).rev().collect();
    // Those whose rows don't come last.
    rows.sort_by_key(|&row| std::cmp::Reverse((owned(package, row) > 0, row)));
    if let Some(first) = rows.iter().position(|&row| owned(package, row) == 0) {
        rows[..first].reverse();
    }
    rows.into_iter().take(TRIED).any(|row| {
        let last =
            package.tables().further.data_resources.iter().flat_map(|table| table.rows.last());
        let is_last = last.map(|known| known.outer_index).next() == Some(PackageIndex::export(row));
        let what = match owned(package, row) {
            0 => "remove and restore",
            _ if is_last => "remove and restore with data resources",
            _ => "remove and restore with data resources before others",
        };
        let kept = RefCell::new(None);
        there_and_back(
            (name, package, bytes),
            what,
            &|edit| {
                let removed =
                    edit.remove_object(&format!("#{row}"), RemoveOptions::NullReferences)?;
                *kept.borrow_mut() = Some(removed);
                Ok(())
            },
            &|edit| {
                let kept = kept.borrow();
                let removed = kept.as_ref().unwrap();
                let gone = removed.objects.iter().map(|path| package.find_export(path));
                let gone: usize = gone.map(|row| row.map_or(0, |row| owned(package, row))).sum();
                if count(edit) > (count(package) - gone).max(1) {
                    let reason = format!("{} rows of data resources", count(edit));
                    return Err(ErrorKind::Invalid { reason }.into());
                }
                edit.restore(removed).map(drop)
            },
            seen,
        )
    });
}

/// A name without a hash went and came back with one: names that are added have their hashes, as engines write them.
fn without_hashes(mut found: Diff) -> Diff {
    let is_hash = |field: &FieldDifference| {
        field.field.starts_with("flags of the name ") && field.old.as_deref() == Some("0x0")
    };
    found.header.retain(|field| !is_hash(field));
    found
}

fn report(what: &str, seen: Mutex<Seen>) {
    let seen = seen.into_inner().unwrap();
    println!("{what}: {} packages; the same bytes: {:?}", seen.packages, seen.exact);
    for (edit, packages) in &seen.same {
        println!("other bytes and no difference, {edit}: {}: {packages:?}", packages.len());
    }
    for ((edit, reason), count) in &seen.refused {
        println!("refused {count}: {edit}: {reason}");
    }
    let faults = &seen.faults;
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    let edits = [
        "rename",
        "duplicate and remove",
        "add and remove",
        "set and set back",
        "remove and restore",
    ];
    for edit in edits {
        let exact = seen.exact.get(edit).copied().unwrap_or(0);
        assert!(exact > seen.packages / 3, "{edit}: {exact} of {}", seen.packages);
    }
}

pub fn edits_of_classic_packages_are_taken_back() {
    let files: Vec<_> = files::of("classic").into_iter().chain(files::of("conform")).collect();
    let seen = Mutex::new(Seen::default());
    each(&files, |(name, bytes)| {
        if bytes.len() <= LARGEST
            && let Ok(package) = Package::from_bytes(bytes.clone())
        {
            check(name, package, &seen);
        }
    });
    report("UE1 to UE3", seen);
}

pub fn edits_of_ue4_and_ue5_packages_are_taken_back() {
    let entries = manifest::packages();
    let seen = Mutex::new(Seen::default());
    each(&entries, |entry| {
        if let Ok(package) = entry.options_with_mappings().open(&entry.path)
            && package.source().len() <= LARGEST
        {
            check(entry.name(), package, &seen);
        }
    });
    let resources = "remove and restore with data resources";
    assert!(seen.lock().unwrap().exact.get(resources).is_some_and(|exact| *exact > 1));
    report("UE4 and UE5", seen);
}
