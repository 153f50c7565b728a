//! Rows of removed objects stay empty until the edit ends: no other row moves meanwhile.

use unreal_packages::edit::{PackageEdit, RemoveOptions, Removed};
use unreal_packages::package::Package;
use unreal_packages::primitive::PackageFlags;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Error, Versions};

use super::going::{bare, builder, class, engines, open};
use super::paths;

const OBJECTS: [&str; 6] = ["A", "Group", "Group.B", "C", "D", "E"];

/// Objects that refer to none of the others, in a group and outside.
fn package(versions: &Versions, flags: PackageFlags) -> Package {
    let info = class(versions, "Info");
    let group = match versions.has_object_versions() {
        true => info.clone(),
        false => "Core.Package".to_owned(),
    };
    let mut builder = builder(versions, flags).name("None");
    for object in OBJECTS {
        let class = if object == "Group" { &group } else { &info };
        builder = builder.export(object, class.as_str(), bare(versions));
    }
    open(&builder.build().unwrap(), versions)
}

fn each(check: impl Fn(&Versions, Package)) {
    for (versions, flags) in engines() {
        check(&versions, package(&versions, flags));
    }
}

fn remove(edit: &mut unreal_packages::edit::Edit, path: &str) -> Result<Removed, Error> {
    edit.remove_object(path, RemoveOptions::Refuse)
}

#[test]
fn rows_stay_until_the_edit_ends() {
    each(|versions, mut package| {
        let info = class(versions, "Info");
        package
            .edit(|edit| {
                let rows = ["C", "D", "E"].map(|path| edit.find_export(path).unwrap());
                remove(edit, "A")?;
                remove(edit, "Group")?;
                assert_eq!(["C", "D", "E"].map(|path| edit.find_export(path).unwrap()), rows);
                for gone in ["A", "Group", "Group.B"] {
                    assert!(edit.find_export(gone).is_err(), "{versions:?}: {gone}");
                }
                edit.duplicate_object("C", "F")?;
                edit.rename_object("D", "G")?;
                // The name is free again; what has it now is another object.
                edit.add_blank_object("A", &info).map(drop)
            })
            .unwrap_or_else(|error| panic!("{versions:?}: {error}"));
        assert_eq!(paths(&package), ["C", "G", "E", "F", "A"], "{versions:?}");
        let bytes = package.to_bytes().unwrap();
        let again = open(&bytes, versions);
        assert_eq!(paths(&again), ["C", "G", "E", "F", "A"], "{versions:?}");
        assert!(again.to_bytes().unwrap() == bytes, "{versions:?}");
    });
}

#[test]
fn what_one_edit_removed_comes_back_in_reverse() {
    each(|versions, mut package| {
        let before = package.to_bytes().unwrap();
        let removed = package
            .edit(|edit| ["A", "Group", "D"].iter().map(|path| remove(edit, path)).collect())
            .unwrap_or_else(|error| panic!("{versions:?}: {error}"));
        let removed: Vec<Removed> = removed;
        assert_eq!(paths(&package), ["C", "E"], "{versions:?}");
        assert_eq!(removed[1].objects, ["Group", "Group.B"]);
        for removed in removed.iter().rev() {
            package.edit(|edit| edit.restore(removed)).unwrap();
        }
        assert_eq!(paths(&package), OBJECTS, "{versions:?}");
        assert!(package.to_bytes().unwrap() == before, "{versions:?}");
    });
}

#[test]
fn what_was_removed_comes_back_within_the_edit() {
    each(|versions, mut package| {
        let before = package.to_bytes().unwrap();
        package
            .edit(|edit| {
                let (a, group) = (remove(edit, "A")?, remove(edit, "Group")?);
                edit.restore(&group)?;
                edit.restore(&a).map(drop)
            })
            .unwrap_or_else(|error| panic!("{versions:?}: {error}"));
        assert_eq!(paths(&package), OBJECTS, "{versions:?}");
        assert!(package.to_bytes().unwrap() == before, "{versions:?}");
    });
}

#[test]
fn an_edit_that_fails_brings_everything_back() {
    each(|versions, mut package| {
        let before = package.to_bytes().unwrap();
        let failed = package.edit(|edit| {
            remove(edit, "Group")?;
            edit.rename_object("C", "Group")?;
            remove(edit, "Nobody").map(drop)
        });
        assert!(failed.is_err(), "{versions:?}");
        assert_eq!(paths(&package), OBJECTS, "{versions:?}");
        assert!(package.to_bytes().unwrap() == before, "{versions:?}");
    });
}

#[test]
fn rows_are_reordered_and_pruned_after_a_removal() {
    each(|versions, mut package| {
        package
            .edit(|edit| {
                remove(edit, "A")?;
                let mut order: Vec<usize> = (0..edit.exports().len()).collect();
                order.reverse();
                edit.reorder_exports(&order)?;
                assert_eq!(edit.exports().len(), OBJECTS.len() - 1, "{versions:?}");
                remove(edit, "C")?;
                edit.prune().map(drop)
            })
            .unwrap_or_else(|error| panic!("{versions:?}: {error}"));
        assert_eq!(paths(&package), ["E", "D", "Group.B", "Group"], "{versions:?}");
    });
}

#[test]
fn what_was_removed_is_not_found_by_its_empty_row() {
    each(|versions, mut package| {
        package
            .edit(|edit| {
                let row = edit.find_export("C")?;
                remove(edit, "C")?;
                let by_row = edit.find_export(&format!("#{row}")).unwrap_err().to_string();
                assert!(by_row.contains("this edit has removed it"), "{versions:?}: {by_row}");
                for text in ["None", "#3"] {
                    assert!(remove(edit, text).is_err(), "{versions:?}: {text}");
                    assert!(edit.duplicate_object(text, "F").is_err(), "{versions:?}: {text}");
                }
                Ok(())
            })
            .unwrap_or_else(|error| panic!("{versions:?}: {error}"));
        assert_eq!(paths(&package), ["A", "Group", "Group.B", "D", "E"], "{versions:?}");
    });
}
