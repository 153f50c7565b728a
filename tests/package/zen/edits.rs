//! Changes to packages of containers: everything that counts them follows.

use unreal_packages::EngineRelease;
use unreal_packages::container::zen::{KnownObjects, ZenHeader};
use unreal_packages::edit::{PackageEdit, RenamePackage};
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::{Package, ZenPackage};

use super::{each, open};
use crate::common::zen::{legacy, names, zen};

type Edit = (&'static str, fn(&mut Package));

const EDITS: [Edit; 9] = [
    ("set", |package| {
        let text = "something that is a good deal longer than what was there";
        package.edit(|edit| edit.set_property("Town", "Title", text)).unwrap();
    }),
    ("set shorter", |package| {
        package.edit(|edit| edit.set_property("Town", "Title", "")).unwrap();
    }),
    ("set a new name", |package| {
        package.edit(|edit| edit.set_property("Town.Part.Leaf", "Kind", "Never_Seen_12")).unwrap();
    }),
    ("set to an import", |package| {
        let path = "/Game/Far/Away.Away";
        package
            .edit(|edit| {
                edit.add_import(path, "/Script/Engine.StaticMesh")?;
                edit.set_property("Town.Part", "StaticMesh", path).map(drop)
            })
            .unwrap();
    }),
    ("add", |package| {
        package
            .edit(|edit| edit.add_blank_object("Town.Fresh_2", "/Script/Engine.PointLight"))
            .unwrap();
    }),
    ("duplicate", |package| {
        package.edit(|edit| edit.duplicate_object("Town.Part", "Twin")).unwrap();
    }),
    ("rename", |package| {
        package.edit(|edit| edit.rename_object("Town.Part", "Other")).unwrap();
    }),
    ("remove", |package| {
        package
            .edit(|edit| {
                edit.set_property("Town", "Main", "None")?;
                edit.remove_object("Town.Part_3", Default::default()).map(drop)
            })
            .unwrap();
    }),
    ("a path", |package| {
        let options = RenamePackage::new();
        package.edit(|edit| edit.rename_package("/Game/Maps/Village", &options)).unwrap();
    }),
];

/// The package after each edit, with its label: of a release with its imports named.
pub fn edited(release: EngineRelease, unversioned: bool) -> Vec<(&'static str, Package)> {
    let named = names(&legacy(release, unversioned));
    let bytes = zen(release, unversioned).bytes;
    let edited = EDITS.map(|(label, edit)| {
        let mut package = open(release, named.clone(), &bytes);
        edit(&mut package);
        (label, package)
    });
    edited.into()
}

#[test]
fn a_changed_package_is_what_the_changed_files_become() {
    each(|label, release, unversioned| {
        for ((what, zen), (_, edit)) in edited(release, unversioned).into_iter().zip(EDITS) {
            let mut package = legacy(release, unversioned);
            edit(&mut package);
            let (ours, theirs) = (zen.to_bytes().unwrap(), ZenPackage::of(&package).unwrap().bytes);
            let load = |bytes: &[u8]| ZenHeader::load(bytes, Some(package.versions())).unwrap().0;
            let (mut ours, mut theirs) = (load(&ours), load(&theirs));
            // Names that only tables used come to those of bodies, and lists of objects that wait for compiled
            // code are not known: both make the header of the package outside longer or shorter.
            for header in [&mut ours, &mut theirs] {
                header.summary.cooked_header_size = 0;
            }
            assert_eq!(ours.imports, theirs.imports, "{label} {what}");
            assert_eq!(
                ours.imported_public_hashes, theirs.imported_public_hashes,
                "{label} {what}"
            );
            assert_eq!(ours.imported_packages, theirs.imported_packages, "{label} {what}");
            assert_eq!(ours.commands, theirs.commands, "{label} {what}");
            assert_eq!(ours.dependencies, theirs.dependencies, "{label} {what}");
            assert_eq!(ours.dependency_entries, theirs.dependency_entries, "{label} {what}");
            for (row, (a, b)) in ours.exports.iter().zip(&theirs.exports).enumerate() {
                assert_eq!(
                    ours.inner_path(row).unwrap(),
                    theirs.inner_path(row).unwrap(),
                    "{label} {what}"
                );
                assert_eq!((a.public_hash, a.class, a.outer), (b.public_hash, b.class, b.outer));
                assert_eq!(a.cooked_serial_size, b.cooked_serial_size, "{label} {what}");
            }
            assert_eq!(ours.exports.len(), theirs.exports.len(), "{label} {what}");
        }
    });
}

#[test]
fn edits_without_names_of_imports_save_and_open_again() {
    each(|label, release, unversioned| {
        let mut package = open(release, KnownObjects::default(), &zen(release, unversioned).bytes);
        package
            .edit(|edit| edit.set_property("Town", "Title", "long enough to move all bodies"))
            .unwrap();
        package.edit(|edit| edit.rename_object("Town.Part", "Twin")).unwrap();
        let saved = package.to_bytes().unwrap();
        let again = open(release, KnownObjects::default(), &saved);
        let paths: Vec<_> = again.exports().iter().map(|it| it.path()).collect();
        assert!(paths.contains(&"Town.Twin".to_owned()), "{label}: {paths:?}");
        assert_eq!(again.to_bytes().unwrap(), saved, "{label}");
        // An object that is there by its hash must not come a second time by its name.
        let path = "/Script/Engine.StaticMeshComponent";
        let again = package.edit(|edit| {
            edit.add_import(path, "/Script/CoreUObject.Class")?;
            edit.add_blank_object("Town.More", path)
        });
        // What has a class that is not known has a body that is not, which nothing follows.
        let copied = package.edit(|edit| edit.duplicate_object("Town.Twin", "Third"));
        assert!(copied.unwrap_err().to_string().contains("not decoded"), "{label}");
        let error = again.unwrap_err().to_string();
        assert!(error.contains("are one object"), "{label}: {error}");
        assert_eq!(package.to_bytes().unwrap(), saved, "{label}: a failed edit");
    });
}

#[test]
fn an_edit_and_its_inverse_give_the_same_bytes() {
    each(|label, release, unversioned| {
        let bytes = zen(release, unversioned).bytes;
        let mut package = open(release, names(&legacy(release, unversioned)), &bytes);
        for text in ["a longer title, with ümlauts", "Größe"] {
            package.edit(|edit| edit.set_property("Town", "Title", text)).unwrap();
        }
        assert_eq!(package.to_bytes().unwrap(), bytes, "{label}: set");
        package.edit(|edit| edit.rename_object("Town.Part", "Other")).unwrap();
        package.edit(|edit| edit.rename_object("Town.Other", "Part")).unwrap();
        assert_eq!(package.to_bytes().unwrap(), bytes, "{label}: rename");
        let added = "Town.Fresh";
        package.edit(|edit| edit.add_blank_object(added, "/Script/Engine.PointLight")).unwrap();
        assert_ne!(package.to_bytes().unwrap(), bytes, "{label}");
        package.edit(|edit| edit.remove_object(added, Default::default())).unwrap();
        assert_eq!(package.to_bytes().unwrap(), bytes, "{label}: add and remove");
    });
}

#[cfg(feature = "json")]
#[test]
fn documents_give_the_same_bytes_also_when_they_are_edited() {
    each(|label, release, unversioned| {
        let bytes = zen(release, unversioned).bytes;
        for known in [KnownObjects::default(), names(&legacy(release, unversioned))] {
            let mut package = open(release, known, &bytes);
            package.decode_all();
            let mut document = Vec::new();
            package.to_json(&mut document, false).unwrap();
            let again = Package::from_json(&document).unwrap();
            assert_eq!(again.to_bytes().unwrap(), bytes, "{label}");
            let text = String::from_utf8(document).unwrap();
            let longer = text.replace("Größe", "a longer title");
            assert_ne!(text, longer, "{label}");
            let changed = Package::from_json(longer.as_bytes()).unwrap().to_bytes().unwrap();
            let changed = open(release, KnownObjects::default(), &changed);
            let value = changed.values().property("Town", "Title").unwrap().text;
            assert!(value.contains("a longer title"), "{label}: {value}");
        }
    });
}
