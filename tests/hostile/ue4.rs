//! The same for packages of UE4 and UE5: cut, changed, with extreme numbers.

use unreal_packages::inspect::Explanation;
use unreal_packages::package::{OpenOptions, Package, Section};
use unreal_packages::primitive::PackageFlags;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{EngineRelease, Versions};

use super::{EXTREMES, exercise_with};
use crate::common::ue4::rich;

const COOKED: PackageFlags = PackageFlags::FILTER_EDITOR_ONLY;

/// A package of each kind of header with every section.
fn samples() -> Vec<(String, OpenOptions, Vec<u8>)> {
    let release = |major, minor| EngineRelease::new(major, minor).versions();
    let build = |versions: Versions, flags| {
        let bytes = rich(&versions, flags).build().unwrap();
        (format!("{versions} {flags:?}"), OpenOptions::new(), bytes)
    };
    let mut samples: Vec<_> = [
        build(Versions::ue4_and_5(219, 0), PackageFlags(0)),
        build(release(4, 3), PackageFlags(0)),
        build(release(4, 12), PackageFlags(0)),
        build(release(4, 27), COOKED),
        build(release(4, 27), PackageFlags(0)),
        build(release(5, 4), PackageFlags(0)),
        build(release(5, 7), COOKED),
        build(release(5, 8), PackageFlags(0)),
    ]
    .into();
    let bare = EngineRelease::new(5, 6);
    let bytes = rich(&bare.versions(), COOKED).unversioned().build().unwrap();
    samples.push((
        "5.6 without versions".to_owned(),
        OpenOptions::new().engine(bare),
        bytes.clone(),
    ));
    samples.push(("5.6 to be detected".to_owned(), OpenOptions::new(), bytes));
    samples
}

fn header(package: &Package) -> Vec<usize> {
    let is_header = |section| !matches!(section, Section::Body(_) | Section::BulkData);
    let places = package.sections();
    let header = places.iter().filter(|place| is_header(place.section));
    header.flat_map(|place| place.start as usize..place.end() as usize).collect()
}

#[test]
fn truncated_ue4_packages_open_or_fail() {
    for (what, options, bytes) in samples() {
        let package = options.open_bytes(bytes.clone()).unwrap();
        let end = package
            .sections()
            .iter()
            .filter(|p| matches!(p.section, Section::Body(_)))
            .map(|p| p.end())
            .max();
        for length in 0..bytes.len() {
            let what = format!("{what} cut to {length}");
            let opened = exercise_with(&options, &bytes[..length], false, &what);
            // What stands behind the bodies may be missing.
            assert!(!opened || length as u64 >= end.unwrap(), "{what} of {} opened", bytes.len());
        }
        assert!(exercise_with(&options, &bytes, true, &what));
    }
}

#[test]
fn changed_ue4_headers_open_or_fail() {
    // To detect a release takes many attempts.
    let samples = samples().into_iter().filter(|(what, ..)| !what.contains("detected"));
    for (what, options, bytes) in samples {
        let places = header(&options.open_bytes(bytes.clone()).unwrap());
        let mut opened = 0;
        for (count, at) in places.into_iter().enumerate() {
            for value in [0x00, 0x7f, 0xff, bytes[at] ^ 1] {
                let mut changed = bytes.clone();
                changed[at] = value;
                let what = format!("{what} with {value:#x} at {at:#x}");
                opened += usize::from(exercise_with(&options, &changed, count % 32 == 0, &what));
            }
        }
        assert!(opened > 100, "{what}: only {opened} opened");
    }
}

#[test]
fn extreme_numbers_in_ue4_headers_open_or_fail() {
    for (what, options, bytes) in samples() {
        let explained = Explanation::of(&options.open_bytes(bytes.clone()).unwrap()).unwrap();
        let fields = explained.iter().map(|explanation| &explanation.record).filter(|record| {
            let number = ["i32", "u32", "i64", "u64"].contains(&record.type_name);
            number || record.type_name == "object" || record.type_name == "name"
        });
        let mut count = 0;
        for field in fields {
            count += 1;
            for value in EXTREMES {
                let mut changed = bytes.clone();
                let range = field.start as usize..field.end as usize;
                let wide = i64::from(value).to_le_bytes();
                let length = range.len().min(8);
                changed[range][..length].copy_from_slice(&wide[..length]);
                let what = format!("{what} with {} of {value}", field.path);
                exercise_with(&options, &changed, count % 8 == 0, &what);
            }
        }
        assert!(count >= 60, "{what}: {count} fields");
    }
}

#[test]
fn offsets_that_lead_into_each_other_save_as_they_were() {
    for (what, options, bytes) in samples() {
        let package = options.open_bytes(bytes.clone()).unwrap();
        let explained = Explanation::of(&package).unwrap();
        let offsets: Vec<_> = explained
            .iter()
            .map(|explanation| &explanation.record)
            .filter(|record| {
                record.path.starts_with("summary.") && record.path.ends_with("_offset")
            })
            .map(|record| (record.start as usize, record.path.clone()))
            .collect();
        let places = package.sections();
        for (at, path) in offsets {
            for place in &places {
                let mut changed = bytes.clone();
                changed[at..at + 4].copy_from_slice(&(place.start as i32).to_le_bytes());
                let what = format!("{what}: {path} to {}", place.section);
                exercise_with(&options, &changed, false, &what);
            }
        }
    }
}
