//! Packages of UE4 and UE5: made, opened, saved, explained, changed; at every object version.

use crate::common;
use unreal_packages::edit::{Edit, EditOptions, PackageEdit};
use unreal_packages::error::{UnrealError, UnrealErrors, Unsupported};
use unreal_packages::inspect::is_newer_than_known;
use unreal_packages::package::checksum::saved_hash_is_right;
use unreal_packages::package::{Overlap, PackageSpan};

use common::object_versions;
use common::ue4::{builder, rich};
use common::{GUID, ORDERS, is_explained, scramble};
use unreal_packages::package::{
    CompanionKind, Coverage, Ground, LayoutChoice, LayoutKind, OpenOptions, Package,
    ReleaseDetection, SaveOptions, Section, checksum,
};
use unreal_packages::primitive::{ObjectFlags, PackageFlags};
use unreal_packages::table::NameHashes;
use unreal_packages::version::UnrealVersions;
use unreal_packages::version::threshold::{ue4, ue5};
use unreal_packages::{EngineRelease, ErrorKind, Versions};

const COOKED: PackageFlags = PackageFlags::FILTER_EDITOR_ONLY;
const UNCOOKED: PackageFlags = PackageFlags(0);

/// Versions of releases have their custom versions, those between have none.
fn versions() -> impl Iterator<Item = Versions> {
    let releases = EngineRelease::all().map(EngineRelease::versions);
    object_versions().into_iter().map(|(v4, v5)| Versions::ue4_and_5(v4, v5)).chain(releases)
}

/// Every version, cooked and not, in both byte orders.
fn samples() -> impl Iterator<Item = (String, Versions, PackageFlags)> {
    versions().flat_map(|versions| {
        ORDERS.into_iter().flat_map(move |order| {
            let versions = versions.clone().with_byte_order(order);
            [UNCOOKED, COOKED].map(|flags| {
                let release = versions.release().map(|it| it.to_string()).unwrap_or_default();
                (format!("{versions} {release} {order:?} {flags:?}"), versions.clone(), flags)
            })
        })
    })
}

fn open(bytes: &[u8], versions: &Versions, what: &str) -> Package {
    let options = match versions.release() {
        Some(release) => OpenOptions::new().engine(release),
        None => OpenOptions::new(),
    };
    options.open_bytes(bytes.to_vec()).unwrap_or_else(|error| panic!("{what}: {error}"))
}

fn total(coverage: Coverage) -> u64 {
    coverage.typed + coverage.payload + coverage.opaque + coverage.gap
}

/// What must hold for every sound package.
fn is_sound(package: &Package, what: &str) {
    let bytes = package.source();
    let saved = package.save(&SaveOptions::new()).unwrap_or_else(|e| panic!("{what}: {e}"));
    assert!(saved.bytes == bytes, "{what}: saves differently");
    assert_eq!(saved.report.layout, LayoutKind::InPlace, "{what}");
    assert_eq!(total(package.coverage()), bytes.len() as u64, "{what}");
    assert_eq!(package.coverage().gap, 0, "{what}: {:?}", package.sections());
    assert!(Overlap::of(package).is_empty(), "{what}");
    let mut at = 0;
    for place in package.sections() {
        assert_eq!(place.start, at, "{what}: {:?}", place.section);
        at = place.end();
    }
    assert_eq!(at, bytes.len() as u64, "{what}");
    let summary = package.summary();
    let header = summary.total_header_size as u64;
    let is_body = |section| matches!(section, Section::Body(_));
    let first = package.sections().into_iter().find(|place| is_body(place.section));
    assert_eq!(first.map(|place| place.start), Some(header), "{what}");
    let last = package.sections().into_iter().rev().find(|place| is_body(place.section));
    let bulk = summary.bulk_data_start_offset as u64;
    assert_eq!(last.map(|place| place.end()), Some(bulk), "{what}");
    for (row, entry) in package.names().entries().iter().enumerate() {
        let text = package.names().get(row).unwrap();
        if package.versions().ue4() >= ue4::NAME_HASHES_SERIALIZED {
            assert_eq!(entry.hashes(), NameHashes::of(&text), "{what}: {text}");
        }
    }
    assert_ne!(saved_hash_is_right(package), Some(false), "{what}");
}

#[test]
fn packages_of_every_version_open_save_and_are_explained() {
    for (what, versions, flags) in samples() {
        for builder in [builder(&versions).flags(flags), rich(&versions, flags)] {
            let bytes = builder.build().unwrap_or_else(|error| panic!("{what}: {error}"));
            let package = open(&bytes, &versions, &what);
            is_sound(&package, &what);
            is_explained(&package, &what);
            assert_eq!(package.versions().filter_editor_only(), flags == COOKED, "{what}");
            assert_eq!(package.versions().byte_order, versions.byte_order, "{what}");
            let built = (package.versions().ue4(), package.versions().ue5());
            assert_eq!(built, (versions.ue4(), versions.ue5()), "{what}");
        }
    }
}

#[test]
fn what_was_built_is_there() {
    for (what, versions, flags) in samples() {
        let bytes = rich(&versions, flags).build().unwrap();
        let package = open(&bytes, &versions, &what);
        let names: Vec<_> = package.names().iter().map(|name| name.into_owned()).collect();
        assert_eq!(names[..3], ["None", "Alpha", "Größe"], "{what}");
        let imports: Vec<_> = package.imports().iter().map(|row| row.path()).collect();
        let expected = [
            "/Script/Engine",
            "/Script/Engine.Actor",
            "/Game/Other",
            "/Script/Engine.TextAsset",
            "/Script/Engine.Thing",
        ];
        assert_eq!(imports, expected, "{what}");
        let exports: Vec<_> = package.exports().iter().map(|row| row.path()).collect();
        let paths = ["Notes", "Empty", "Group", "Group.Skin", "Group.Skin.Inner", "Last"];
        assert_eq!(exports, paths, "{what}");
        assert_eq!(package.exports().get(0).unwrap().class(), "/Script/Engine.TextAsset");
        assert_eq!(package.body(3).unwrap(), [7; 300], "{what}");
        assert_eq!(package.body(1).unwrap(), [0; 0], "{what}");
        assert_eq!(package.find_export("Group:Skin.Inner").unwrap(), 4, "{what}");
        assert_eq!(package.tables().depends.len(), 6, "{what}");
        assert_eq!(package.summary().package_flags, flags, "{what}");
        assert_eq!(package.summary().generations[0].name_count as usize, names.len(), "{what}");
        if versions.ue5() < ue5::PACKAGE_SAVED_HASH {
            assert_eq!(package.guid(), GUID, "{what}");
        }
        let further = &package.tables().further;
        let registry = further.asset_registry.as_ref().unwrap();
        let key = registry.assets[0].tags[0].key.text(package.source()).unwrap();
        assert_eq!(key, "Key", "{what}");
        let uncooked = flags == UNCOOKED;
        let referenced = uncooked && versions.ue4() >= 384;
        assert_eq!(further.soft_package_references.len(), 2 * usize::from(referenced), "{what}");
        let listed = uncooked && versions.ue5() >= 1008;
        assert_eq!(
            package.tables().further.soft_object_paths.len(),
            2 * usize::from(listed),
            "{what}"
        );
        assert_eq!(further.trailer.is_some(), uncooked && versions.ue5() >= 1002, "{what}");
        assert_eq!(further.data_resources.is_some(), !uncooked && versions.ue5() >= 1009, "{what}");
        assert_eq!(
            further.preload_dependencies.len(),
            3 * usize::from(!uncooked && versions.ue4() >= 507)
        );
        if let Some(dependencies) = &further.asset_dependencies {
            assert_eq!(dependencies.import_used_in_game.len(), expected.len(), "{what}");
            assert_eq!(dependencies.soft_package_used_in_game.get(39), Some(true), "{what}");
            assert_eq!(dependencies.soft_package_used_in_game.get(40), None, "{what}");
        }
    }
}

#[test]
fn only_spans_are_taken_from_the_source() {
    for (what, versions, flags) in samples() {
        let bytes = rich(&versions, flags).build().unwrap();
        let package = open(&bytes, &versions, &what);
        let spans: Vec<_> =
            PackageSpan::of(&package).iter().map(|span| (span.start, span.end)).collect();
        let other = scramble(&bytes, &spans);
        let saved = package.save(&SaveOptions::new().source(other.to_vec())).unwrap();
        assert!(saved.bytes == bytes, "{what}");
        let kept: u64 = spans.iter().map(|(start, end)| end - start).sum();
        assert!(kept < bytes.len() as u64 / 2 + 700, "{what}: {kept} of {}", bytes.len());
    }
}

/// Everything that an edit must leave alone.
fn contents(package: &Package) -> (Vec<Vec<u8>>, Vec<String>, String) {
    let bodies = package.exports().iter().map(|row| row.body().to_vec()).collect();
    let imports = package.imports().iter().map(|row| row.path()).collect();
    let further = &package.tables().further;
    let rest = format!(
        "{:?} {:?} {:?} {:?} {:?} {:?}",
        package.tables().depends,
        further.preload_dependencies,
        further.data_resources,
        further.world_tile_info.as_ref().map(|tile| (tile.position, tile.z_order)),
        further.asset_registry.as_ref().map(|registry| registry.assets.len()),
        further.trailer.as_ref().map(|trailer| &trailer.entries),
    );
    (bodies, imports, rest)
}

/// Saves, opens again and checks.
fn reopened(package: &Package, versions: &Versions, what: &str) -> Package {
    let saved = package.save(&SaveOptions::new()).unwrap_or_else(|e| panic!("{what}: {e}"));
    let again = open(&saved.bytes, versions, what);
    is_sound(&again, what);
    again
}

#[test]
fn names_imports_and_bodies_change_and_the_rest_stays() {
    for (what, versions, flags) in samples() {
        let bytes = rich(&versions, flags).build().unwrap();
        let package = open(&bytes, &versions, &what);
        let before = contents(&package);

        let mut named = package.clone();
        let name = named.edit(|edit| edit.add_name("A_new_name")).unwrap();
        assert_eq!(named.edit(|edit| edit.add_name("a_NEW_name")).unwrap(), name, "{what}");
        let again = reopened(&named, &versions, &what);
        assert_eq!(contents(&again), before, "{what}");
        assert_eq!(again.name_text(name), "A_new_name", "{what}");
        let count = again.names().len() as i32;
        let summary = again.summary();
        assert_eq!(summary.name_count, count, "{what}");
        assert_eq!(summary.generations[0].name_count, count, "{what}");
        if versions.ue5() >= ue5::NAMES_REFERENCED_FROM_EXPORT_DATA {
            assert_eq!(summary.names_referenced_from_export_data_count, count, "{what}");
        }

        let mut imported = package.clone();
        let class = "/Script/CoreUObject.Class";
        let index =
            imported.edit(|edit| edit.add_import("/Script/Other.Deep.Thing", class)).unwrap();
        let again = reopened(&imported, &versions, &what);
        assert_eq!(again.path(index), "/Script/Other.Deep.Thing", "{what}");
        assert_eq!(contents(&again).0, before.0, "{what}");
        if let Some(dependencies) = &again.tables().further.asset_dependencies {
            assert_eq!(dependencies.import_used_in_game.len(), again.imports().len(), "{what}");
            let last = again.imports().len() - 1;
            assert_eq!(dependencies.import_used_in_game.get(last), Some(true), "{what}");
        }

        let mut renamed = package.clone();
        renamed.edit(|edit| edit.rename_name("Alpha", "日本")).unwrap();
        let again = reopened(&renamed, &versions, &what);
        assert_eq!(again.names().get(1).unwrap(), "日本", "{what}");
        assert_eq!(contents(&again), before, "{what}");

        for (row, body) in [(3, vec![1; 1000]), (3, vec![1, 2]), (3, vec![]), (1, vec![5; 9])] {
            let mut replaced = package.clone();
            replaced.edit(|edit| edit.replace_body(row, body.clone())).unwrap();
            let again = reopened(&replaced, &versions, &what);
            let mut expected = before.clone();
            expected.0[row] = body;
            assert_eq!(contents(&again), expected, "{what}: body {row}");
            let bulk = &again.tables().further.bulk_data;
            assert_eq!(
                bulk.bytes(again.source()).unwrap(),
                package.tables().further.bulk_data.bytes(package.source()).unwrap(),
                "{what}: bulk data"
            );
        }

        let mut flagged = package.clone();
        flagged.edit(|edit| edit.set_package_flags(PackageFlags(flags.0 | 0x2_0000))).unwrap();
        flagged.edit(|edit| edit.set_object_flags(0, ObjectFlags(0x9))).unwrap();
        let again = reopened(&flagged, &versions, &what);
        assert_eq!(again.summary().package_flags, PackageFlags(flags.0 | 0x2_0000), "{what}");
        assert_eq!(again.exports().get(0).unwrap().flags(), ObjectFlags(0x9), "{what}");
        assert_eq!(contents(&again), before, "{what}");
    }
}

#[test]
fn what_would_break_the_layout_is_refused() {
    let versions = EngineRelease::new(5, 4).versions();
    let mut package = open(&rich(&versions, UNCOOKED).build().unwrap(), &versions, "");
    let before = package.to_bytes().unwrap();
    let refused = |result: unreal_packages::Result<()>| {
        assert!(matches!(result.unwrap_err().kind(), ErrorKind::Invalid { .. }));
    };
    refused(package.edit(|edit| edit.set_package_flags(COOKED)));
    refused(package.edit(|edit| edit.set_package_flags(PackageFlags::UNVERSIONED_PROPERTIES)));
    refused(package.edit(|edit| edit.set_object_flags(0, ObjectFlags::UE4_CLASS_DEFAULT_OBJECT)));
    assert!(package.edit(|edit| edit.set_object_flags(0, ObjectFlags(1 << 32))).is_err());
    assert!(package.to_bytes().unwrap() == before);
    package.edit(|edit| edit.add_name("Longer")).unwrap();
    let keep = package.save(&SaveOptions::new().layout(LayoutChoice::Keep));
    assert!(matches!(keep.unwrap_err().unreal(), Some(UnrealError::Refused { .. })));
}

/// A package whose second body is `body`, made for the place that it has.
fn with_body(versions: &Versions, flags: PackageFlags, body: impl Fn(u64) -> Vec<u8>) -> Package {
    let build = |at: u64| {
        let builder = unreal_packages::generate::Builder::for_versions(versions.clone())
            .guid(GUID)
            .flags(flags);
        let builder = builder.export("First", "/Script/Engine.Thing", vec![1; 40]);
        let builder = builder.export("Second", "/Script/Engine.Thing", body(at));
        open(
            &builder.export("Third", "/Script/Engine.Thing", vec![2]).build().unwrap(),
            versions,
            "",
        )
    };
    let at = build(0).exports().get(1).unwrap().offset();
    let package = build(at);
    assert_eq!(package.exports().get(1).unwrap().offset(), at);
    package
}

fn header(flags: u32, size: u32, offset: i64) -> Vec<u8> {
    let mut bytes = vec![0xcd; 3];
    bytes.extend(flags.to_le_bytes());
    bytes.extend([size.to_le_bytes(), size.to_le_bytes()].concat());
    bytes.extend(offset.to_le_bytes());
    bytes
}

#[test]
fn bodies_with_positions_do_not_move() {
    for release in [EngineRelease::new(4, 27), EngineRelease::new(5, 1)] {
        let versions = release.versions();
        let plain = with_body(&versions, UNCOOKED, |_| vec![3; 90]);
        let inline = with_body(&versions, UNCOOKED, |at| {
            let mut body = header(0x48, 5, at as i64 + 23);
            body.extend([1; 30]);
            body
        });
        let absolute = with_body(&versions, UNCOOKED, |at| {
            let mut body = vec![9; 8];
            body.extend((at + 16).to_le_bytes());
            body
        });
        let grow = |package: &Package, options: &SaveOptions| {
            let mut grown = package.clone();
            let longer = |edit: &mut Edit| edit.add_name("A_name_that_moves_every_body");
            options.edit(&mut grown, longer).map(|(_, saved)| saved)
        };
        let saved = grow(&plain, &SaveOptions::new()).unwrap();
        assert_eq!(saved.report.layout, LayoutKind::Canonical);
        assert_eq!(saved.report.moved.len(), 3);
        assert!(saved.report.moved.iter().all(|moved| moved.ground == Ground::NoPositionsSeen));
        for package in [&inline, &absolute] {
            let error = grow(package, &SaveOptions::new()).unwrap_err();
            let Some(UnrealError::Refused { objects, .. }) = error.unreal() else {
                panic!("{error}")
            };
            assert_eq!(objects, &["Second"], "{release}");
            let forced = grow(package, &SaveOptions::new().force(true)).unwrap();
            assert!(forced.report.moved.iter().all(|moved| moved.ground == Ground::Forced));
            // What stands before it may change its size as long as it stays.
            let mut last = package.clone();
            last.edit(|edit| edit.replace_body(2, vec![4; 100])).unwrap();
            last.save(&SaveOptions::new()).unwrap();
        }
        assert!(grow(&plain, &SaveOptions::new().strict(true)).is_err());
        // References to a companion count from where bulk data starts, wherever the body is.
        let biased = with_body(&versions, COOKED, |_| header(0x501, 500, -40));
        let mut last = biased.clone();
        let error = last.edit(|edit| edit.replace_body(2, vec![4; 100])).unwrap_err();
        assert!(error.to_string().contains("Second"), "{error}");
        let fixed = with_body(&versions, COOKED, |_| header(0x1_0501, 500, 40));
        let mut last = fixed.clone();
        last.edit(|edit| edit.replace_body(2, vec![4; 100])).unwrap();
        last.save(&SaveOptions::new()).unwrap();
    }
}

#[test]
fn split_packages_are_saved_as_two_files() {
    let folder = tempfile::tempdir().unwrap();
    let versions = EngineRelease::new(5, 3).versions();
    let bytes = rich(&versions, COOKED).build().unwrap();
    let header = open(&bytes, &versions, "").summary().total_header_size as usize;
    let path = folder.path().join("Thing.uasset");
    std::fs::write(&path, &bytes[..header]).unwrap();
    let alone = Package::open(&path).unwrap_err();
    assert!(alone.to_string().contains(".uexp"), "{alone}");
    std::fs::write(path.with_extension("uexp"), &bytes[header..]).unwrap();
    std::fs::write(path.with_extension("ubulk"), [1; 50]).unwrap();
    std::fs::write(path.with_extension("m.ubulk"), [2; 60]).unwrap();
    let mut package = Package::open(&path).unwrap();
    assert!(package.source() == bytes);
    assert_eq!(package.split_at(), Some(header as u64));
    let companions: Vec<_> =
        package.companions().iter().map(|file| (file.kind, file.size)).collect();
    let exports = (bytes.len() - header) as u64;
    assert_eq!(
        companions,
        [
            (CompanionKind::Exports, exports),
            (CompanionKind::Bulk, 50),
            (CompanionKind::MappedBulk, 60)
        ]
    );
    assert_eq!(package.companions()[1].read().unwrap(), [1; 50][..]);
    package.edit(|edit| edit.add_name("A_name_more")).unwrap();
    let other = folder.path().join("Other.uasset");
    let saved = package.save(&SaveOptions::new()).unwrap();
    saved.write_file(&other).unwrap();
    assert!(saved.is_in_files(&other).unwrap());
    assert!(!saved.is_in_files(&path).unwrap());
    let bodies = other.with_extension("uexp");
    let written = std::fs::read(&bodies).unwrap();
    for wrong in [&written[..written.len() - 1], &[&written[..], &[0]].concat(), &[]] {
        std::fs::write(&bodies, wrong).unwrap();
        assert!(!saved.is_in_files(&other).unwrap());
    }
    std::fs::remove_file(&bodies).unwrap();
    assert!(saved.is_in_files(&other).is_err());
    std::fs::write(&bodies, written).unwrap();
    let again = Package::open(&other).unwrap();
    is_sound(&again, "split");
    let size = std::fs::metadata(&other).unwrap().len();
    assert_eq!(again.split_at(), Some(size));
    assert_eq!(size as i32, again.summary().total_header_size);
    assert_eq!(again.body(3).unwrap(), [7; 300]);
    assert!(size > header as u64);
    let companion = Package::open(path.with_extension("ubulk")).unwrap_err();
    assert!(companion.to_string().contains("open that"), "{companion}");
}

#[test]
fn packages_without_versions_find_the_release_whose_header_fits() {
    let build = |release: EngineRelease, flags: PackageFlags| {
        rich(&release.versions(), flags).unversioned().build().unwrap()
    };
    let flags = PackageFlags(COOKED.0 | PackageFlags::UNVERSIONED_PROPERTIES.0);
    for release in EngineRelease::all() {
        let bytes = build(release, flags);
        let package = OpenOptions::new().engine(release).open_bytes(bytes.clone()).unwrap();
        is_sound(&package, &release.to_string());
        assert_eq!(package.versions().release(), Some(release));
        assert_eq!(package.versions().ue5(), release.ue5());
        match Package::from_bytes(bytes) {
            Ok(found) => {
                let detection = ReleaseDetection::of(&found).unwrap();
                assert!(detection.best().any(|best| best == release), "{release}: {detection:?}");
                assert_eq!(found.coverage(), package.coverage(), "{release}");
            }
            Err(error) => {
                assert!(
                    matches!(
                        error.unreal(),
                        Some(UnrealError::Unsupported { why: Unsupported::NeedsRelease, .. })
                    ),
                    "{release}: {error}"
                );
                assert!(error.to_string().contains("--engine"), "{error}");
            }
        }
    }
    for (minor, fitting) in [(0, 1), (1, 1), (2, 4), (4, 4), (6, 1), (7, 1), (8, 1)] {
        let release = EngineRelease::new(5, minor);
        let found = Package::from_bytes(build(release, flags)).unwrap();
        let found = ReleaseDetection::of(&found).unwrap();
        assert_eq!(found.fits().len(), fitting, "5.{minor}: {found:?}");
    }
}

#[test]
fn hashes_and_numbers_of_files_are_the_engines() {
    assert_eq!(checksum::package_source("DirectCycleA"), 0xd600_4fe3);
    let versions = EngineRelease::new(5, 6).versions();
    let bytes = rich(&versions, UNCOOKED).build().unwrap();
    let package = open(&bytes, &versions, "");
    assert_eq!(saved_hash_is_right(&package), Some(true));
    let mut changed = package.clone();
    changed.edit(|edit| edit.replace_body(0, b"other".to_vec())).unwrap();
    let again = reopened(&changed, &versions, "changed");
    assert_eq!(saved_hash_is_right(&again), Some(true));
    assert_ne!(package.summary().saved_hash, again.summary().saved_hash);
    // A hash of another rule stays.
    let mut other = bytes.clone();
    other[24] ^= 1;
    let mut odd = open(&other, &versions, "odd");
    assert_eq!(saved_hash_is_right(&odd), Some(false));
    assert!(odd.to_bytes().unwrap() == other);
    odd.edit(|edit| edit.replace_body(0, b"other".to_vec())).unwrap();
    let again = open(&odd.to_bytes().unwrap(), &versions, "odd");
    assert_eq!(again.summary().saved_hash, odd.summary().saved_hash);
}

#[test]
fn newer_and_unknown_headers_say_so() {
    let versions = EngineRelease::new(5, 7).versions();
    let bytes = rich(&versions, UNCOOKED).build().unwrap();
    let with = |at: usize, value: i32| {
        let mut changed = bytes.clone();
        changed[at..at + 4].copy_from_slice(&value.to_le_bytes());
        Package::from_bytes(changed).unwrap_err().to_string()
    };
    assert!(with(16, -5).contains("object version -5"), "{}", with(16, -5));
    assert!(with(12, 200).contains("older"), "{}", with(12, 200));
}

/// What came after all that is known is read as the newest that is, which it says.
#[test]
fn newer_packages_are_read_with_the_newest_rules() {
    let versions = EngineRelease::new(5, 8).versions();
    let bytes = rich(&versions, UNCOOKED).build().unwrap();
    assert!(!is_newer_than_known(&open(&bytes, &versions, "")));
    for (at, value) in [(16, 1019), (16, 2000), (12, 523), (4, -10)] {
        let mut changed = bytes.clone();
        changed[at..at + 4].copy_from_slice(&i32::to_le_bytes(value));
        let package = Package::from_bytes(changed.clone()).unwrap();
        assert!(is_newer_than_known(&package), "{value} at {at}");
        assert!(package.to_bytes().unwrap() == changed, "{value} at {at}");
    }
    let cooked = rich(&versions, UNCOOKED).build().unwrap();
    let next = "6.0".parse::<EngineRelease>().unwrap();
    assert_eq!((next.ue4(), next.ue5(), next.legacy_file_version()), (522, 1018, -9));
    assert!(next.is_known() && "5.9".parse::<EngineRelease>().unwrap().is_known());
    let later = "7.1".parse::<EngineRelease>().unwrap();
    assert!(!later.is_known());
    let opened = OpenOptions::new().engine(later).open_bytes(cooked).unwrap();
    assert!(is_newer_than_known(&opened));
    assert!("4.28".parse::<EngineRelease>().is_err() && "3.9".parse::<EngineRelease>().is_err());
}
