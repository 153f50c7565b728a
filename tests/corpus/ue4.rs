//! Every package of UE4 and UE5 of the corpus: opened as its manifest says, re-saved byte for byte,
//! covered, explained, changed and re-opened.

use std::collections::BTreeMap;

use unreal_packages::compare::diff;
use unreal_packages::edit::{Edit, EditOptions};
use unreal_packages::error::{UnrealError, UnrealErrors};
#[cfg(feature = "usmap-codecs")]
use unreal_packages::package::ReleaseDetection;
use unreal_packages::package::checksum::{package_source, saved_hash_is_right};
use unreal_packages::package::{
    LayoutKind, OpenOptions, Overlap, Package, PackageSpan, SaveOptions, Section,
};
use unreal_packages::table::NameHashes;
use unreal_packages::version::UnrealVersions;

use crate::common::{is_explained, scramble};
use crate::manifest::{self, Entry};

fn open(entry: &Entry) -> Package {
    let name = entry.name();
    entry.options().open(&entry.path).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn reopen(entry: &Entry, bytes: Vec<u8>) -> Package {
    let opened = entry.options().open_bytes(bytes);
    opened.unwrap_or_else(|error| panic!("{} again: {error}", entry.name()))
}

pub fn every_package_saves_identically() {
    let mut faults = Vec::new();
    let entries = manifest::packages();
    for entry in &entries {
        let name = entry.name();
        let package = match entry.options().open(&entry.path) {
            Ok(package) => package,
            Err(error) => {
                faults.push(format!("{name}: {error}"));
                continue;
            }
        };
        let saved = match package.save(&SaveOptions::new()) {
            Ok(saved) => saved,
            Err(error) => {
                faults.push(format!("{name}: {error}"));
                continue;
            }
        };
        if saved.bytes != package.source() || saved.report.layout != LayoutKind::InPlace {
            let at = saved.bytes.iter().zip(package.source()).position(|(a, b)| a != b);
            faults.push(format!("{name}: differs at {at:x?}"));
        }
        if package.exports().len().to_string() != entry.column("exports")
            || package.imports().len().to_string() != entry.column("imports")
            || package.names().len().to_string() != entry.column("names")
        {
            faults.push(format!("{name}: other counts than the manifest's"));
        }
        let stored = entry.column("ue4").parse().unwrap_or(0);
        if stored > 0 && package.versions().ue4() != stored {
            faults.push(format!("{name}: UE4 object version {}", package.versions().ue4()));
        }
        if (entry.column("split_uexp") == "1") != package.split_at().is_some() {
            faults.push(format!("{name}: split is not what the manifest says"));
        }
    }
    println!("{} packages", entries.len());
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Zeros that an extractor has left between the tables and the bodies.
fn is_padding(package: &Package, start: u64, end: u64) -> bool {
    let bytes = &package.source()[start as usize..end as usize];
    let header = package.summary().total_header_size as u64;
    end == header && bytes.iter().all(|&byte| byte == 0)
}

pub fn headers_are_typed_to_the_last_byte() {
    let (mut faults, mut padded) = (Vec::new(), Vec::new());
    for entry in manifest::packages() {
        let package = open(&entry);
        if !Overlap::of(&package).is_empty() {
            faults.push(format!("{}: overlaps {:?}", entry.name(), Overlap::of(&package)));
        }
        for place in package.sections() {
            match place.section {
                Section::Gap(_) if is_padding(&package, place.start, place.end()) => {
                    padded.push(entry.name().to_owned());
                }
                Section::Gap(_) => {
                    let (start, end) = (place.start, place.end());
                    faults.push(format!("{}: gap {start:#x}..{end:#x}", entry.name()));
                }
                _ => {}
            }
        }
        let coverage = package.coverage();
        let sum = coverage.typed + coverage.payload + coverage.opaque + coverage.gap;
        assert_eq!(sum, package.source().len() as u64, "{}", entry.name());
        // Only bodies are opaque.
        let bodies: u64 = package.exports().iter().map(|row| row.body().len() as u64).sum();
        assert_eq!(coverage.opaque, bodies, "{}", entry.name());
    }
    println!("{} packages with zeros before their bodies: {padded:?}", padded.len());
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

pub fn every_byte_is_explained() {
    for entry in manifest::packages() {
        is_explained(&open(&entry), entry.name());
    }
}

pub fn only_spans_are_taken_from_the_source() {
    for entry in manifest::packages() {
        let package = open(&entry);
        let spans: Vec<_> =
            PackageSpan::of(&package).iter().map(|span| (span.start, span.end)).collect();
        let other = scramble(package.source(), &spans);
        let saved = package.save(&SaveOptions::new().source(other.to_vec())).unwrap();
        assert!(saved.bytes == package.source(), "{}", entry.name());
    }
}

pub fn checksums_are_those_of_the_engine() {
    let (mut names, mut unhashed, mut saved, mut sources, mut without) = (0, 0, 0, 0, 0);
    let mut faults = Vec::new();
    for entry in manifest::packages() {
        let package = open(&entry);
        if package.versions().ue4() >= 504 {
            for (row, name) in package.names().entries().iter().enumerate() {
                let text = package.names().get(row).unwrap();
                match name.hashes() {
                    // Tools other than the engine store none.
                    hashes if hashes == NameHashes::default() => unhashed += 1,
                    hashes if hashes == NameHashes::of(&text) => names += 1,
                    hashes => faults.push(format!("{}: {text} {hashes:?}", entry.name())),
                }
            }
        }
        match saved_hash_is_right(&package) {
            Some(true) => saved += 1,
            Some(false) => faults.push(format!("{}: saved hash", entry.name())),
            None => {}
        }
        let path = std::path::Path::new(entry.column("source_path"));
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        match package.summary().package_source {
            source if source == package_source(&stem) => sources += 1,
            _ => without += 1,
        }
    }
    println!(
        "{names} names hashed right, {unhashed} not hashed; {saved} saved hashes; \
         {sources} package sources of the file's name, {without} others"
    );
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    assert!(names > 10_000 && saved > 5 && sources > 100);
}

/// Bodies, paths and everything that a header edit must leave alone.
fn contents(package: &Package) -> (Vec<Vec<u8>>, Vec<String>) {
    let bodies = package.exports().iter().map(|row| row.body().to_vec()).collect();
    (bodies, package.imports().iter().map(|row| row.path()).collect())
}

pub fn packages_grow_and_keep_what_they_hold_or_refuse() {
    let (mut grown, mut refused, mut names) = (0, BTreeMap::<String, u32>::new(), 0);
    for entry in manifest::packages() {
        let name = entry.name();
        let package = open(&entry);
        let before = contents(&package);
        let mut changed = package.clone();
        let grow = |edit: &mut Edit| {
            let added = edit.add_name("A_name_that_nobody_has_used_yet")?;
            let index = edit.add_import("/Script/Nowhere.Thing", "/Script/CoreUObject.Class")?;
            Ok::<_, unreal_packages::Error>((added, index))
        };
        let ((added, index), saved) = match SaveOptions::new().edit(&mut changed, grow) {
            Ok(done) => done,
            Err(error) => {
                let Some(UnrealError::Refused { objects, .. }) = error.unreal() else {
                    panic!("{name}: {error}");
                };
                assert!(!objects.is_empty(), "{name}");
                for object in objects {
                    let row = package.find_export(object).ok();
                    let class =
                        row.and_then(|row| package.exports().get(row)).map(|row| row.class());
                    *refused.entry(class.unwrap_or_default()).or_default() += 1;
                }
                names += 1;
                SaveOptions::new().force(true).edit(&mut changed, grow).unwrap()
            }
        };
        grown += 1;
        let again = reopen(&entry, saved.bytes.to_vec());
        assert!(again.to_bytes().unwrap() == saved.bytes, "{name} grown differs");
        let after = contents(&again);
        if after.0 != before.0 {
            // Of bodies that move, positions in the file follow, and nothing else changes.
            let sizes = |bodies: &[Vec<u8>]| bodies.iter().map(Vec::len).collect::<Vec<_>>();
            assert_eq!(sizes(&after.0), sizes(&before.0), "{name}");
            let found = diff(&package, &again);
            let same =
                found.added.is_empty() && found.removed.is_empty() && found.changed.is_empty();
            assert!(same, "{name}: {found:?}");
        }
        assert_eq!(after.1[..before.1.len()], before.1, "{name}");
        assert_eq!(again.name_text(added), "A_name_that_nobody_has_used_yet", "{name}");
        assert_eq!(again.path(index), "/Script/Nowhere.Thing", "{name}");
        assert!(Overlap::of(&again).is_empty(), "{name}");
        assert_eq!(again.coverage().gap, package.coverage().gap, "{name}");
        assert_ne!(saved_hash_is_right(&again), Some(false), "{name}");
        for (old, new) in package.tables().thumbnails.iter().zip(&again.tables().thumbnails) {
            let bytes = |package: &Package, thumbnail| {
                let image = package.tables().image(thumbnail)?;
                Some(image.image.bytes(package.source()).unwrap().to_vec())
            };
            assert_eq!(bytes(&package, old), bytes(&again, new), "{name}: thumbnail");
        }
        let delta = |package: &Package| {
            let summary = package.summary();
            i64::from(summary.total_header_size)
        };
        let moved = delta(&again) - delta(&package);
        let (old, new) = (package.summary(), again.summary());
        assert_eq!(new.bulk_data_start_offset, old.bulk_data_start_offset + moved, "{name}");
        if old.payload_toc_offset > 0 {
            assert_eq!(new.payload_toc_offset, old.payload_toc_offset + moved, "{name}");
        }
    }
    println!("{grown} packages grown, {names} only by force: {refused:?}");
}

#[cfg(feature = "usmap-codecs")]
pub fn packages_without_versions_find_their_release() {
    let (mut alike, mut all) = (0, 0);
    for entry in
        manifest::packages().iter().filter(|entry| entry.column("unversioned_header") == "1")
    {
        let name = entry.name();
        let mappings = entry.mappings().transpose().unwrap();
        let with = |options: OpenOptions| match &mappings {
            Some(mappings) => options.mappings(mappings.clone()),
            None => options,
        };
        let unread = |package: &mut Package| {
            package.decode_all();
            let coverage = package.coverage();
            coverage.opaque + coverage.gap
        };
        let mut hinted = with(entry.options()).open(&entry.path).unwrap();
        all += 1;
        let mut found = match with(OpenOptions::new()).open(&entry.path) {
            Ok(found) => found,
            Err(error) => {
                println!("{name}: {error}");
                assert!(error.to_string().contains("--engine"), "{name}: {error}");
                continue;
            }
        };
        let detection = ReleaseDetection::of(&found).unwrap().clone();
        let bodies: u64 = found.exports().iter().map(|export| export.entry().size()).sum();
        assert!(detection.decoded() <= 12 * bodies, "{name}: {detection:?}");
        alike += usize::from(unread(&mut found) == unread(&mut hinted));
    }
    println!("{alike} of {all} read as well as with their hint");
    assert!(all > 100 && alike * 100 >= all * 98);
}
