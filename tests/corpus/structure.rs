//! Objects of real packages are renamed, duplicated, removed: what is meant changes and nothing else.

use unreal_packages::PackageIndex;
use unreal_packages::edit::{Edit, PackageEdit, RemoveOptions};
use unreal_packages::package::{Overlap, Package};

use crate::common::objects::{assert_same, dump};
use crate::common::{open, reopen_decoded as reopen, save_twice};
use crate::files;

/// The last object that has no others in it and that can be duplicated and removed again.
fn leaf(package: &Package) -> Option<String> {
    let tree = package.exports().tree();
    let mut seen = std::collections::HashMap::new();
    for export in package.exports().iter() {
        *seen.entry(export.path().to_lowercase()).or_insert(0) += 1;
    }
    let mut candidates = package.exports().iter().collect::<Vec<_>>();
    candidates.reverse();
    let free = |path: &str| {
        let mut copy = package.clone();
        copy.edit(|edit| edit.duplicate_object(path, "ACopyOfIt")).is_ok()
            && seen[&path.to_lowercase()] == 1
    };
    candidates
        .into_iter()
        .filter(|export| !tree.contains_key(&PackageIndex::export(export.row())))
        .filter(|export| !package.exports().is_null(export.row()))
        .map(|export| export.path())
        .take(40)
        .find(|path| free(path))
}

pub fn real_packages_are_edited_and_nothing_else_changes() {
    let (mut edited, mut removed, mut blocked) = (0, 0, 0);
    let files = files::of("classic").into_iter().chain(files::of("conform"));
    for (name, bytes) in files {
        let Ok(mut package) = Package::from_bytes(bytes) else { continue };
        // What becomes of compressed files is a matter of their own.
        if package.container().is_some() {
            continue;
        }
        let mut decoded = package.clone();
        decoded.decode_all();
        let whole = |row: usize| decoded.decoded(row).is_none_or(|body| body.opaque == 0);
        let twins = {
            let mut titles: Vec<_> = package
                .exports()
                .iter()
                .filter(|row| !package.exports().is_null(row.row()))
                .map(|row| format!("{} {}", row.class(), row.path()).to_lowercase())
                .collect();
            let count = titles.len();
            titles.sort();
            titles.dedup();
            titles.len() != count
        };
        if !(0..package.exports().len()).all(whole) || !Overlap::of(&package).is_empty() || twins {
            blocked += 1;
            continue;
        }
        // Decoded bodies may move, whatever file positions they hold.
        package = decoded;
        let Some(path) = leaf(&package) else { continue };
        let before = dump(&package);
        let (group, old) = match path.rsplit_once('.') {
            Some((group, old)) => (format!("{group}."), old.to_owned()),
            None => (String::new(), path.clone()),
        };
        // A function that overrides another package's is one no longer: this is about rows, not about classes.
        let rename = |edit: &mut Edit| {
            edit.set_checks(false);
            edit.rename_object(&path, "RenamedHere").map(drop)
        };
        package.edit(rename).unwrap();
        assert!(open(&save_twice(&package)).find_export(&format!("{group}RenamedHere")).is_ok());
        package.edit(|edit| edit.add_import("SomePackage.SomeClass", "Core.Class")).unwrap();
        package
            .edit(|edit| edit.duplicate_object(&format!("{group}RenamedHere"), "CopiedHere"))
            .unwrap();
        let copied = reopen(&package);
        assert!(copied.find_export(&format!("{group}CopiedHere")).is_ok(), "{name}");
        package
            .edit(|edit| edit.remove_object(&format!("{group}CopiedHere"), RemoveOptions::Refuse))
            .unwrap();
        // The old name may be one that the class inherits.
        package
            .edit(|edit| {
                edit.set_checks(false);
                edit.rename_object(&format!("{group}RenamedHere"), &old)
            })
            .unwrap();
        let again = reopen(&package);
        assert!(again.find("SomePackage.SomeClass").is_some());
        assert_same(&dump(&again), &before, &name);
        edited += 1;

        if let Ok(gone) = package.edit(|edit| edit.remove_object(&path, RemoveOptions::Refuse)) {
            // Chains of fields close up behind it, lists of owners lose it; nothing else may know that it was there.
            let links = |lines: &mut Vec<String>| {
                lines.retain(|line| !line.contains("field.next =") && !line.contains("children ="));
            };
            let (mut expected, mut after) = (before, dump(&reopen(&package)));
            let is = |title: &str, path: &str| {
                title.to_lowercase().ends_with(&format!(" {}", path.to_lowercase()))
            };
            expected.retain(|title, _| !is(title, &path));
            for owner in &gone.unlisted {
                expected.retain(|title, _| !is(title, owner));
                after.retain(|title, _| !is(title, owner));
            }
            expected.values_mut().for_each(links);
            after.values_mut().for_each(links);
            assert_same(&after, &expected, &format!("{name} without {path}"));
            removed += 1;
        }
    }
    println!("{edited} edited, {removed} with an object removed, {blocked} not decoded whole");
    assert!(edited > 60 && removed > 40, "{edited} edited, {removed} removed");
}
