//! Packages of containers up to 5.2: what they wait for is known to bundles only, so it is kept.

use std::sync::Arc;

use unreal_packages::EngineRelease;
use unreal_packages::container::zen::{KnownObjects, ZenForm, ZenHeader};
use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::{OpenOptions, Package};

use crate::common::zen::{BUNDLED, bundled, legacy, names};

fn options(release: EngineRelease, says: bool) -> OpenOptions {
    // Those that say their versions need no release, and UE4 has one form.
    match says || release.major() == 4 {
        true => OpenOptions::new(),
        false => OpenOptions::new().engine(release),
    }
}

/// Each form, with versions where it may say them: how it is opened, its bytes, what its container lists.
fn each(mut check: impl FnMut(&str, EngineRelease, OpenOptions, Vec<u8>, Vec<u64>)) {
    for (major, minor) in BUNDLED {
        let release = EngineRelease::new(major, minor);
        for says in [false, true] {
            if says && major == 4 {
                continue;
            }
            let (bytes, imported) = bundled(release, says);
            check(&format!("{release} {says}"), release, options(release, says), bytes, imported);
        }
    }
}

fn known() -> Arc<KnownObjects> {
    Arc::new(names(&legacy(EngineRelease::new(5, 3), false)))
}

fn paths(package: &Package) -> Vec<String> {
    package.imports().iter().map(|import| import.path()).collect()
}

#[test]
fn every_form_is_saved_byte_for_byte_with_and_without_what_its_container_says() {
    let expected = paths(&legacy(EngineRelease::new(5, 3), false));
    each(|label, release, options, bytes, imported| {
        let form = ZenForm::of(&release.versions());
        let alone =
            options.open_bytes(bytes.clone()).unwrap_or_else(|error| panic!("{label}: {error}"));
        assert_eq!(ZenForm::of(alone.versions()), form, "{label}");
        assert_eq!(alone.to_bytes().unwrap(), bytes, "{label}");
        assert!(alone.imports().iter().any(|import| !import.is_known()), "{label}");
        let listed = options.imported_packages(imported).import_names(known());
        let package = listed.open_bytes(bytes.clone()).unwrap();
        assert_eq!(package.to_bytes().unwrap(), bytes, "{label}");
        assert_eq!(paths(&package), expected, "{label}");
        assert_eq!(package.exports().get(2).unwrap().path(), "Town.Part_3", "{label}");
        let title = package.values().property("Town", "Title").unwrap().text;
        assert!(title.contains("Größe"), "{label}: {title}");
    });
}

#[test]
fn values_of_any_length_are_set_and_bodies_stand_in_the_order_of_reading() {
    each(|label, _, options, bytes, imported| {
        let options = options.imported_packages(imported).import_names(known());
        let mut package = options.open_bytes(bytes.clone()).unwrap();
        package
            .edit(|edit| {
                edit.set_property("Town.Part.Leaf", "Kind", "Some_New_Name_4")?;
                edit.set_property("Town", "Title", "a title that is longer than the old one was")
            })
            .unwrap_or_else(|error| panic!("{label}: {error}"));
        let saved = package.to_bytes().unwrap();
        let again = options.open_bytes(saved.clone()).unwrap();
        assert_eq!(again.to_bytes().unwrap(), saved, "{label}");
        let kind = again.values().property("Town.Part.Leaf", "Kind").unwrap().text;
        assert!(kind.contains("Some_New_Name_4"), "{label}: {kind}");
        let load = |bytes: &[u8]| ZenHeader::load(bytes, Some(again.versions())).unwrap().0;
        let (old, new) = (load(&bytes), load(&saved));
        assert_eq!(new.commands, old.commands, "{label}");
        assert_eq!(new.package_arcs, old.package_arcs, "{label}");
        let body = |row: usize| again.body(row).unwrap();
        let bodies: Vec<u8> = new.reading_order().flat_map(body).copied().collect();
        assert!(saved.ends_with(&bodies), "{label}");
        assert_eq!(saved.len() as u64, new.size() + bodies.len() as u64, "{label}");
        // And back.
        package
            .edit(|edit| {
                edit.set_property("Town.Part.Leaf", "Kind", "Straße_7")?;
                edit.set_property("Town", "Title", "Größe")
            })
            .unwrap();
        assert_eq!(package.to_bytes().unwrap(), bytes, "{label}");
    });
}

#[test]
fn what_bundles_wait_for_does_not_change() {
    each(|label, _, options, bytes, imported| {
        let options = options.imported_packages(imported).import_names(known());
        let mut package = options.open_bytes(bytes.clone()).unwrap();
        let added =
            package.edit(|edit| edit.add_blank_object("Town.New", "/Script/Engine.DataAsset"));
        let error = added.unwrap_err().to_string();
        assert!(error.contains("up to 5.2"), "{label}: {error}");
        // In UE4 bodies that are not decoded stand in the way before.
        let removed = package.edit(|edit| edit.remove_object("Town.Part.Leaf", Default::default()));
        let error = removed.unwrap_err().to_string();
        let known = ["up to 5.2", "not decoded whole"];
        assert!(known.iter().any(|it| error.contains(it)), "{label}: {error}");
        let import = package.edit(|edit| {
            edit.add_import("/Game/Far.Far", "/Script/Engine.StaticMesh")?;
            edit.set_property("Town.Part", "StaticMesh", "/Game/Far.Far")
        });
        let error = import.unwrap_err().to_string();
        assert!(error.contains("imported anew"), "{label}: {error}");
        assert_eq!(package.to_bytes().unwrap(), bytes, "{label}: after failed edits");
        // Objects of compiled code are always there.
        let script = "/Script/Engine.Default__StaticMesh";
        package
            .edit(|edit| {
                edit.add_import(script, "/Script/Engine.StaticMesh")?;
                edit.set_property("Town.Part", "StaticMesh", script)
            })
            .unwrap_or_else(|error| panic!("{label}: {error}"));
        package.edit(|edit| edit.rename_object("Town.Part", "Other")).unwrap();
        let saved = package.to_bytes().unwrap();
        let again = options.open_bytes(saved.clone()).unwrap();
        assert_eq!(again.to_bytes().unwrap(), saved, "{label}");
        assert_eq!(again.exports().get(1).unwrap().path(), "Town.Other", "{label}");
    });
}
