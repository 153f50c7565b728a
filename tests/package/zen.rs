//! Packages as containers hold them: opened, saved again, changed, converted.

mod bundled;
mod edits;
mod waiting;

use std::sync::Arc;

use unreal_packages::EngineRelease;
use unreal_packages::compression::ContainerForm;
use unreal_packages::container::zen::{
    ImportNames, ImportedObject, KnownObjects, PackageId, ScriptPaths, ZenHeader, ZenTarget, hash,
};
use unreal_packages::edit::PackageEdit;
use unreal_packages::inspect::PackageValues;
use unreal_packages::package::{OpenOptions, Package, SaveOptions, ZenPackage};
use unreal_packages::version::UnrealVersions;

use crate::common::zen::{PATH, RELEASES, legacy, names, zen};

/// Each release, with versions and without, and how such packages are opened.
fn each(mut check: impl FnMut(&str, EngineRelease, bool)) {
    for (major, minor) in RELEASES {
        for unversioned in [false, true] {
            let release = EngineRelease::new(major, minor);
            check(&format!("{release} {unversioned}"), release, unversioned);
        }
    }
}

fn open(release: EngineRelease, names: KnownObjects, bytes: &[u8]) -> Package {
    let options = OpenOptions::new().engine(release).import_names(Arc::new(names));
    options.open_bytes(bytes.to_vec()).unwrap_or_else(|error| panic!("{release}: {error}"))
}

#[test]
fn hashes_are_those_of_the_engine() {
    assert_eq!(hash::of_name("None"), 0x7537_0f5b_a635_2dc2);
    assert_eq!(hash::of_name("Set_日本語"), 0x5eda_c32d_26c1_249a);
    let package = hash::of_package("/Game/Fixtures/Properties/DA_AllProperties");
    assert_eq!(package, 0xcdb1_5c92_50e9_af86);
    let script = |path| hash::of_script_object(path) | 1 << 62;
    assert_eq!(script("/Script/Engine"), 0x51ac_ced3_dc7c_0922);
    assert_eq!(script("/Script/Engine.Default__Texture2D"), 0x6bfa_d34a_c8b1_f6d0);
    assert_eq!(script("/Script/Engine:Default__Texture2D"), 0x6bfa_d34a_c8b1_f6d0);
    let public = hash::of_public_export("DA_AllProperties.InlineFixture");
    assert_eq!(public, 0x05fd_ebba_5fc8_05f9);
}

#[test]
fn a_package_from_a_container_is_the_package_that_it_was_cooked_from() {
    each(|label, release, unversioned| {
        let legacy = legacy(release, unversioned);
        let zen = zen(release, unversioned);
        assert_eq!((&*zen.name, zen.id), (PATH, hash::of_package(PATH)), "{label}");
        let mut ids = ["/Game/Props/Door", "/Game/Look/Red_2"].map(hash::of_package);
        ids.sort_unstable();
        assert_eq!(zen.imported, ids, "{label}");
        let package = open(release, names(&legacy), &zen.bytes);
        assert_eq!(package.container().unwrap().form(), ContainerForm::Zen);
        assert_eq!(package.to_bytes().unwrap(), zen.bytes, "{label}");
        let rows = |package: &Package| -> Vec<_> {
            package.imports().iter().map(|it| (it.path(), it.class())).collect()
        };
        assert_eq!(rows(&package), rows(&legacy), "{label}");
        let rows = |package: &Package| -> Vec<_> {
            let exports = package.exports();
            exports
                .iter()
                .map(|it| (it.path(), it.class(), it.flags(), it.body().to_vec()))
                .collect()
        };
        assert_eq!(rows(&package), rows(&legacy), "{label}");
        assert_eq!(
            package.summary().total_header_size,
            legacy.summary().total_header_size,
            "{label}"
        );
        assert_eq!(package.versions().ue5(), release.ue5());
        for (object, property) in
            [("Town", "Title"), ("Town.Part.Leaf", "Look"), ("Town.Part.Leaf", "Kind")]
        {
            let value =
                |package: &Package| package.values().property(object, property).unwrap().text;
            assert_eq!(value(&package), value(&legacy), "{label}");
        }
    });
}

#[test]
fn imports_without_names_keep_their_hashes() {
    each(|label, release, unversioned| {
        let zen = zen(release, unversioned);
        let package = open(release, KnownObjects::default(), &zen.bytes);
        assert_eq!(package.to_bytes().unwrap(), zen.bytes, "{label}");
        let paths: Vec<_> = package.imports().iter().map(|import| import.path()).collect();
        let at = |hash: u64| format!("@{hash:016x}");
        assert!(
            paths.contains(&at(hash::of_script_object("/Script/Engine.DataAsset"))),
            "{paths:?}"
        );
        // Packages say their names, and their main assets are usually called like them.
        assert!(paths.contains(&"/Game/Props/Door.Door".to_owned()), "{label}: {paths:?}");
        let handle = format!("/Game/Props/Door.{}", at(hash::of_public_export("Door.Handle")));
        assert!(paths.contains(&handle), "{label}: {paths:?}");
        let unknown = package.imports().iter().filter(|import| !import.is_known()).count();
        assert!(0 < unknown && unknown < paths.len(), "{label}: {unknown}");
    });
}

/// Says of every hash that it is this object.
#[derive(Debug)]
struct Liar;

impl ImportNames for Liar {
    fn script(&self, _: u64) -> Option<ImportedObject> {
        Some(ImportedObject { path: "/Script/Engine.Lie".to_owned(), class: None })
    }

    fn package(&self, _: u64) -> Option<String> {
        Some("/Game/Lie".to_owned())
    }

    fn export(&self, _: PackageId<'_>, _: u64) -> Option<ImportedObject> {
        Some(ImportedObject { path: "/Game/Props/Door.Lie".to_owned(), class: None })
    }

    fn exports(&self, _: PackageId<'_>) -> Vec<ImportedObject> {
        vec![ImportedObject { path: "Lie".to_owned(), class: None }]
    }
}

#[test]
fn names_that_do_not_have_the_hash_are_not_believed() {
    let release = EngineRelease::new(5, 6);
    let zen = zen(release, false);
    let package =
        OpenOptions::new().import_names(Arc::new(Liar)).open_bytes(zen.bytes.clone()).unwrap();
    assert!(package.imports().iter().all(|import| !import.path().contains("Lie")));
    assert_eq!(package.to_bytes().unwrap(), zen.bytes);
}

#[test]
fn there_and_back_through_files_gives_the_same_bytes() {
    each(|label, release, unversioned| {
        let legacy = legacy(release, unversioned);
        let zen = zen(release, unversioned);
        let package = open(release, names(&legacy), &zen.bytes);
        let (saved, is_exact) = ZenPackage::save_legacy(&package, &SaveOptions::new()).unwrap();
        assert!(is_exact, "{label}");
        let split = saved.split.unwrap() as usize;
        let (header, bodies) = saved.bytes.split_at(split);
        let again = OpenOptions::new().engine(release).open_split(header, bodies).unwrap();
        assert!(again.container().is_none());
        assert_eq!(ZenPackage::of(&again).unwrap().bytes, zen.bytes, "{label}");
        let saved = ZenPackage::save(&again, &SaveOptions::new()).unwrap();
        assert_eq!(saved.bytes, zen.bytes, "{label}");
    });
}

#[test]
fn packages_that_containers_do_not_hold_are_refused_with_the_reason() {
    let refused = |package: &Package| ZenPackage::of(package).unwrap_err().to_string();
    let old = legacy(EngineRelease::new(4, 25), false);
    assert!(refused(&old).contains("before 4.26"), "{}", refused(&old));
    let uncooked =
        unreal_packages::generate::NewAsset::object("/Game/New", "/Script/Engine.DataAsset");
    let uncooked = uncooked.build(EngineRelease::new(5, 6)).unwrap();
    assert!(refused(&uncooked).contains("cooked"), "{}", refused(&uncooked));
    let file = legacy(EngineRelease::new(5, 6), false);
    let error = ZenPackage::save_legacy(&file, &SaveOptions::new()).unwrap_err();
    assert!(error.to_string().contains("no package of a container"), "{error}");
}

#[test]
fn a_header_that_another_tool_ordered_is_kept() {
    let release = EngineRelease::new(5, 6);
    let zen = zen(release, false);
    let (mut header, versions) = ZenHeader::load(&zen.bytes, None).unwrap();
    let behind = zen.bytes[header.size() as usize..].to_vec();
    let before = header.commands.clone();
    let public: Vec<bool> = header.exports.iter().map(|it| it.public_hash != 0).collect();
    assert_eq!(public, [true, false, true, false]);
    // Making goes first, whatever is public.
    header.commands.sort_by_key(|step| (step.command, step.export));
    assert_ne!(header.commands, before);
    let bytes = [header.to_bytes(&versions).unwrap(), behind].concat();
    let mut package = open(release, names(&legacy(release, false)), &bytes);
    assert_eq!(package.to_bytes().unwrap(), bytes);
    package
        .edit(|edit| edit.set_property("Town", "Title", "A much longer title than it was"))
        .unwrap();
    let saved = package.to_bytes().unwrap();
    let (again, _) = ZenHeader::load(&saved, None).unwrap();
    assert_eq!(again.commands, header.commands);
    // A new object needs a place in the order: then it is made anew.
    package.edit(|edit| edit.add_blank_object("Town.New", "/Script/Engine.DataAsset")).unwrap();
    let (again, _) = ZenHeader::load(&package.to_bytes().unwrap(), None).unwrap();
    assert_eq!(again.exports.len(), header.exports.len() + 1);
    assert_eq!(again.commands.len(), 2 * again.exports.len());
    assert_ne!(&again.commands[..header.commands.len()], header.commands);
}

#[test]
fn every_byte_of_the_file_is_a_field_or_a_body() {
    each(|label, release, unversioned| {
        let zen = zen(release, unversioned);
        let package = open(release, KnownObjects::default(), &zen.bytes);
        let container = package.container().unwrap();
        let mut end = 0;
        for record in container.fields().unwrap() {
            assert_eq!(record.start, end, "{label}: {}", record.path);
            end = record.end;
        }
        assert_eq!(end, zen.bytes.len() as u64, "{label}");
        let coverage = container.coverage();
        assert_eq!((coverage.opaque, coverage.gap), (0, 0), "{label}");
    });
}

#[test]
fn script_objects_are_read_from_the_tables_of_both_engines() {
    let mut objects = unreal_packages::container::zen::ScriptObjects::default();
    let paths = ["/Script/Engine", "/Script/Engine.Actor", "/Script/Engine.Default__Actor"];
    for (row, path) in (0..).zip(paths) {
        let name = path.rsplit('.').next().unwrap();
        objects.names.texts.push(name.to_owned());
        let reference = |path: &str| ZenTarget::Script(hash::of_script_object(path)).into();
        objects.rows.push(unreal_packages::container::zen::ScriptObjectEntry {
            name: unreal_packages::container::zen::ZenName { row: row | 2 << 30, number: 0 },
            global: reference(path),
            outer: path.rsplit_once('.').map(|(outer, _)| reference(outer)).unwrap_or_default(),
            default_of: if row == 2 { reference(paths[1]) } else { Default::default() },
        });
    }
    let versions = EngineRelease::new(5, 6).versions();
    let mut saver = unreal_packages::Saver::new(versions);
    unreal_packages::Archived::serialize(&mut objects, &mut saver).unwrap();
    let bytes = saver.into_bytes();
    let known = ScriptPaths::from_bytes(&bytes).unwrap();
    // UE4 has the lengths and characters in one file, the rows in another one.
    let texts = objects.names.texts.iter();
    let names: Vec<u8> = texts
        .flat_map(|it| [&(it.len() as u16).to_be_bytes()[..], it.as_bytes()].concat())
        .collect();
    let rows = &bytes[bytes.len() - 4 - 32 * paths.len()..];
    let old = ScriptPaths::from_ue4(&names, rows).unwrap();
    for known in [known, old] {
        let find = |path| known.find(hash::of_script_object(path)).unwrap();
        let classes = ["/Script/CoreUObject.Package", "/Script/CoreUObject.Class", paths[1]];
        for (path, class) in paths.into_iter().zip(classes) {
            let found = find(path);
            assert_eq!((&*found.path, found.class.as_deref()), (path, Some(class)));
        }
        assert!(known.find(7).is_none());
    }
    for length in 0..bytes.len() {
        assert!(ScriptPaths::from_bytes(&bytes[..length]).is_err(), "{length}");
    }
}
