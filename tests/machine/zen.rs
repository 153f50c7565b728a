//! Packages as containers hold them, seen by a reader that shares nothing with the library.

use std::sync::Arc;

use unreal_packages::EngineRelease;
use unreal_packages::container::zen::{KnownObjects, ZenHeader, ZenReference};
use unreal_packages::edit::{Edit, PackageEdit, RenamePackage};
use unreal_packages::package::{OpenOptions, Package};
use unreal_packages::version::UnrealVersions;

use crate::common::zen::{BUNDLED, RELEASES, bundled, legacy, names, zen};
use crate::zen_reader::ZenReader;

type Change = (&'static str, fn(&mut Edit) -> unreal_packages::Result<()>);

type Damage = (&'static str, fn(&mut ZenHeader));

/// Changes that every form takes.
const VALUES: [Change; 3] = [
    ("set", |edit| {
        edit.set_property("Town", "Title", "a title that is a good deal longer").map(drop)
    }),
    ("a new name", |edit| edit.set_property("Town.Part.Leaf", "Kind", "Größer_12").map(drop)),
    ("rename", |edit| edit.rename_object("Town.Part", "Other").map(drop)),
];

/// Changes of tables.
const STRUCTURE: [Change; 5] = [
    ("import", |edit| {
        edit.add_import("/Game/Far/Away_3.Away", "/Script/Engine.StaticMesh")?;
        edit.set_property("Town.Part_3", "BodySetup", "/Game/Far/Away_3.Away").map(drop)
    }),
    ("add", |edit| edit.add_blank_object("Town.Fresh_2", "/Script/Engine.PointLight").map(drop)),
    ("duplicate", |edit| edit.duplicate_object("Town.Part_3", "Twin").map(drop)),
    ("remove", |edit| {
        edit.set_property("Town", "Main", "None")?;
        edit.remove_object("Town.Part_3", Default::default()).map(drop)
    }),
    ("a path", |edit| edit.rename_package("/Game/Maps/Village", &RenamePackage::new()).map(drop)),
];

fn known() -> Arc<KnownObjects> {
    Arc::new(names(&legacy(EngineRelease::new(5, 6), false)))
}

fn check(
    reader: &mut ZenReader,
    (package, options): (&Package, &OpenOptions),
    label: &str,
    changes: &[Change],
) -> usize {
    let faults = reader.compare(package, options);
    assert!(faults.is_empty(), "{label}: {faults:?}");
    for (what, change) in changes {
        let mut changed = package.clone();
        changed.edit(change).unwrap_or_else(|error| panic!("{label} {what}: {error}"));
        let faults = reader.compare(&changed, options);
        assert!(faults.is_empty(), "{label} {what}: {faults:?}");
        assert_ne!(changed.to_bytes().unwrap(), package.to_bytes().unwrap(), "{label} {what}");
    }
    1 + changes.len()
}

pub fn an_independent_reader_sees_zen_packages_of_every_form_and_their_changes_the_same() {
    let (mut reader, mut compared) = (ZenReader::start(), 0);
    for (major, minor) in RELEASES {
        let release = EngineRelease::new(major, minor);
        for unversioned in [false, true] {
            let label = format!("{release} {unversioned}");
            let options = OpenOptions::new().engine(release);
            let bytes = zen(release, unversioned).bytes;
            // What has a class that is not known has a body that is not.
            let package = options.open_bytes(bytes.clone()).unwrap();
            compared += check(&mut reader, (&package, &options), &label, &VALUES);
            let options = options.import_names(known());
            let package = options.open_bytes(bytes).unwrap();
            let changes: Vec<Change> = VALUES.into_iter().chain(STRUCTURE).collect();
            compared += check(&mut reader, (&package, &options), &label, &changes);
        }
    }
    for (major, minor) in BUNDLED {
        let release = EngineRelease::new(major, minor);
        let (bytes, imported) = bundled(release, false);
        let options =
            OpenOptions::new().engine(release).import_names(known()).imported_packages(imported);
        let package = options.open_bytes(bytes).unwrap();
        compared += check(&mut reader, (&package, &options), &release.to_string(), &VALUES);
    }
    assert_eq!(compared, RELEASES.len() * 2 * (9 + 4) + BUNDLED.len() * 4);
}

/// The reader must see what is wrong, or it proves nothing.
pub fn the_independent_reader_sees_damage_in_zen_packages() {
    let mut reader = ZenReader::start();
    let release = EngineRelease::new(5, 6);
    let zen = zen(release, false);
    let (header, versions) = ZenHeader::load(&zen.bytes, None).unwrap();
    let behind = &zen.bytes[header.size() as usize..];
    let damages: [Damage; 6] = [
        ("order", |header| header.commands.reverse()),
        ("public hash", |header| header.exports[0].public_hash ^= 2),
        ("hashes", |header| header.imported_public_hashes.push(7)),
        ("packages", |header| header.imports.push(ZenReference::NULL)),
        ("place", |header| header.exports[1].cooked_serial_offset += 1),
        ("entries", |header| header.dependency_entries.push(1)),
    ];
    for (what, damage) in damages {
        let mut damaged = header.clone();
        damage(&mut damaged);
        let bytes = [damaged.to_bytes(&versions).unwrap(), behind.to_vec()].concat();
        let seen = reader.read(&bytes, versions.ue5());
        let is_seen = seen["error"].is_string() || seen["faults"] != serde_json::json!([]);
        assert!(is_seen, "{what}: {seen}");
    }
}
