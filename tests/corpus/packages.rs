//! Every file of the corpus: re-saved byte for byte, covered, explained, or refused for a stated reason.

use std::collections::BTreeMap;
use unreal_packages::compare::diff;
use unreal_packages::edit::{Edit, EditOptions};
use unreal_packages::inspect::Explanation;
use unreal_packages::package::Overlap;

use unreal_packages::PackageIndex;
use unreal_packages::compression::Method;
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::package::{LayoutKind, Package, SaveOptions, Section};
use unreal_packages::version::UnrealVersions;

use crate::files;
use crate::folders::corpus;

/// Files with bytes that no section claims, and why.
const WITH_GAPS: &[(&str, &str)] = &[];

/// Files whose sections share bytes, and why.
const WITH_OVERLAPS: &[(&str, &str)] = &[];

/// What the manifest says about a file.
struct Entry {
    versions: String,
    compression: String,
    notes: String,
}

/// The manifest of the classic files, by file name.
fn manifest() -> BTreeMap<String, Entry> {
    let text = std::fs::read_to_string(corpus().join("classic/manifest.tsv")).unwrap();
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let column = |name| head.iter().position(|column| *column == name).unwrap();
    let (file, version, licensee) =
        (column("file"), column("file_version"), column("licensee_version"));
    let (compression, notes) = (column("compression"), column("notes"));
    lines
        .map(|line| {
            let entry = Entry {
                versions: format!("{}/{}", line[version], line[licensee]),
                compression: line[compression].to_owned(),
                notes: line.get(notes).unwrap_or(&"").to_string(),
            };
            (line[file].to_owned(), entry)
        })
        .collect()
}

/// Every file of both folders that can be opened.
fn each_package(mut check: impl FnMut(&str, &Package)) {
    let mut opened = 0;
    for (name, bytes) in ["classic", "conform"].into_iter().flat_map(files::of) {
        match Package::from_bytes(bytes) {
            Ok(package) => {
                opened += 1;
                check(&name, &package);
            }
            Err(error) if matches!(error.unreal(), Some(UnrealError::Unsupported { .. })) => {}
            Err(error) => panic!("{name}: {error}"),
        }
    }
    println!("{opened} packages");
    assert!(opened > 0);
}

/// Rocket League alone encrypts its tables with a key that no one has written down here.
fn is_closed(entry: &Entry) -> bool {
    let compressed = entry.compression != "none" && !cfg!(feature = "compression");
    compressed || entry.notes.contains("encrypted (AES)")
}

pub fn every_file_saves_identically_or_is_named_as_closed() {
    let manifest = manifest();
    let (mut same, mut stored, mut refused) = (0, 0, 0);
    for folder in ["classic", "conform"] {
        for (name, bytes) in files::of(folder) {
            let entry = manifest.get(&name);
            assert!(folder == "conform" || entry.is_some(), "{name} is not in the manifest");
            let closed = entry.is_some_and(is_closed);
            match Package::from_bytes(bytes.clone()) {
                Ok(package) => {
                    assert!(!closed, "{name} opened although it is compressed or encrypted");
                    if let Some(entry) = entry {
                        let known = entry.versions.chars().any(|c| c.is_ascii_digit() && c != '0');
                        let versions = package.versions().to_string();
                        assert!(!known || versions == entry.versions, "{name}: {versions}");
                        let plain = entry.compression == "none" && !name.starts_with("enc_");
                        assert_eq!(package.container().is_none(), plain, "{name}");
                    }
                    let saved = package.save(&SaveOptions::new());
                    let saved = saved.unwrap_or_else(|error| panic!("{name}: {error}"));
                    assert_eq!(saved.report.layout, LayoutKind::InPlace, "{name}");
                    let image = saved.image.as_deref().unwrap_or(&saved.bytes);
                    assert!(image == package.source(), "{name}: the image differs");
                    let at = saved.bytes.iter().zip(&bytes).position(|(a, b)| a != b);
                    assert!(saved.bytes == bytes, "{name}: differs at {at:x?}");
                    same += 1;
                    stored += usize::from(package.container().is_some());
                }
                Err(error) => {
                    assert!(closed, "{name}: {error}");
                    assert!(
                        matches!(error.unreal(), Some(UnrealError::Unsupported { .. })),
                        "{name}: {error}"
                    );
                    refused += 1;
                }
            }
        }
    }
    println!(
        "{same} save identically, {stored} of them compressed or encrypted; {refused} refused"
    );
    assert!(same > refused);
}

pub fn every_byte_is_covered_and_explained_once() {
    each_package(|name, package| {
        let coverage = package.coverage();
        let length = package.source().len() as u64;
        assert_eq!(
            coverage.typed + coverage.payload + coverage.opaque + coverage.gap,
            length,
            "{name}"
        );
        let known = |list: &[(&str, &str)]| list.iter().any(|(file, _)| *file == name);
        assert_eq!(coverage.gap > 0, known(WITH_GAPS), "{name}: {coverage:?}");
        assert_eq!(!Overlap::of(package).is_empty(), known(WITH_OVERLAPS), "{name}");
        let exports = package.exports().entries();
        let sizes: u64 = exports.iter().map(|row| row.size()).sum();
        if !known(WITH_OVERLAPS) {
            assert_eq!(coverage.opaque, sizes, "{name}");
        }
        let mut at = 0;
        for explanation in
            Explanation::of(package).unwrap_or_else(|error| panic!("{name}: {error}"))
        {
            let record = explanation.record;
            assert_eq!(record.start, at, "{name}: {} {}", explanation.section, record.path);
            assert!(record.end > record.start, "{name}: {}", record.path);
            at = record.end;
        }
        assert_eq!(at, length, "{name}");
    });
}

pub fn every_name_import_and_export_resolves() {
    each_package(|name, package| {
        let names = package.names();
        assert_eq!(names.iter().count(), names.len(), "{name}");
        assert!(names.find("None").is_some(), "{name}");
        // One package of Mass Effect 2 has the path of its source file as a name.
        let unsplit = |path: &str| !path.contains("..") || path.contains('\\');
        let good = |path: &str| !path.is_empty() && !path.contains(['#', '…']) && unsplit(path);
        for import in package.imports().iter() {
            let (path, class) = (import.path(), import.class());
            assert!(good(&path) && good(&class), "{name}: import {path} of {class}");
        }
        let tree = package.exports().tree();
        let mut in_tree = 0;
        for export in package.exports().iter() {
            let (path, class) = (export.path(), export.class());
            assert!(good(&path) && good(&class), "{name}: export {path} of {class}");
            assert!(path.ends_with(&export.name()), "{name}: {path}");
            let siblings = &tree[&package.outer(export.index())];
            assert!(siblings.contains(&export.index()), "{name}: {path}");
            assert_eq!(export.body().len() as i64, export.entry().serial_size.value(), "{name}");
        }
        in_tree += tree.values().map(Vec::len).sum::<usize>();
        assert_eq!(in_tree, package.exports().len(), "{name}");
        for row in &package.tables().depends {
            for &object in &row.objects {
                let there = object.is_null() || !package.object_name(object).is_empty();
                assert!(there, "{name}: {object:?} in the depends table");
            }
        }
        let top = package.exports().children(PackageIndex::NULL).count();
        assert!(top > 0 || package.exports().is_empty(), "{name}");
    });
}

/// Spec: ue1-3/02 §2.6.
pub fn the_newest_generation_has_the_current_counts() {
    each_package(|name, package| {
        let summary = package.summary();
        if let Some(last) = summary.generations.last() {
            assert_eq!(
                (last.export_count, last.name_count),
                (summary.export_count, summary.name_count),
                "{name}"
            );
        } else {
            assert_eq!(
                (summary.heritage_count, package.versions().file() < 68),
                (1, true),
                "{name}"
            );
        }
    });
}

pub fn a_changed_file_keeps_every_other_body() {
    each_package(|name, package| {
        if package.source().len() > 600_000 {
            return;
        }
        let mut changed = package.clone();
        let named = |edit: &mut Edit| edit.add_name("A_name_that_no_package_has");
        let saved = match SaveOptions::new().edit(&mut changed, named) {
            Ok((_, saved)) => saved,
            Err(error) => {
                if package.container().and_then(|around| around.method()) == Some(Method::Oodle) {
                    assert!(error.to_string().contains("Oodle can't be written"), "{error}");
                    return;
                }
                let Some(UnrealError::Refused { objects, .. }) = error.unreal() else {
                    panic!("{name}: {error}");
                };
                // Only UE3 has no room for a longer header.
                assert!(package.versions().file() >= 178 && !objects.is_empty(), "{name}: {error}");
                return;
            }
        };
        let again =
            Package::from_bytes(saved.bytes.clone()).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(again.to_bytes().unwrap() == saved.bytes, "{name}");
        assert_eq!(again.names().len(), package.names().len() + 1, "{name}");
        let mut positions = false;
        for (new, old) in again.exports().iter().zip(package.exports().iter()) {
            assert_eq!(new.size(), old.size(), "{name}: {}", old.path());
            assert_eq!(new.path(), old.path(), "{name}");
            positions |= new.body() != old.body();
        }
        if positions {
            // Of bodies that move, positions in the file follow, and nothing else changes.
            let found = diff(package, &again);
            let same =
                found.added.is_empty() && found.removed.is_empty() && found.changed.is_empty();
            assert!(same, "{name}: {found:?}");
        }
        if saved.report.layout == LayoutKind::Canonical {
            assert!(again.coverage().gap <= package.coverage().gap, "{name}: dead tables");
        }
        let bodies = |package: &Package| {
            package.sections().iter().filter(|p| matches!(p.section, Section::Body(_))).count()
        };
        assert_eq!(bodies(&again), bodies(package), "{name}");
    });
}

/// Header and rows are those of the package, whatever engine it is of.
pub fn header_and_rows_tell_the_truth() {
    let mut seen = [0; 2];
    let mut check = |name: &str, package: &Package| {
        seen[usize::from(package.versions().has_object_versions())] += 1;
        let summary = package.summary();
        let counts = [summary.name_count, summary.import_count, summary.export_count];
        let rows = [package.names().len(), package.imports().len(), package.exports().len()];
        assert_eq!(counts.map(|count| count as usize), rows, "{name}");
        let entries = package.exports().entries();
        assert_eq!(entries.len(), rows[2], "{name}");
        for (export, entry) in package.exports().iter().zip(entries.iter()) {
            assert_eq!(export.entry(), entry, "{name}");
            assert_eq!((export.size(), export.offset()), (entry.size(), entry.offset()), "{name}");
            assert_eq!(export.body().len() as u64, entry.size(), "{name}");
            assert_eq!(export.name(), package.object_name(export.index()), "{name}");
        }
        let has_guid = package.versions().ue5() < 1016 && package.versions().file() >= 68;
        assert!(!has_guid || package.guid() == summary.guid, "{name}");
    };
    each_package(|name, package| check(name, package));
    for entry in super::manifest::packages() {
        let package = entry.options().open(&entry.path).unwrap();
        check(entry.name(), &package);
    }
    println!("{} packages of UE1 to UE3, {} of UE4 and UE5", seen[0], seen[1]);
    assert!(seen[0] > 100 && seen[1] > 100, "{seen:?}");
}
