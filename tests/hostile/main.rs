//! Hostile input: whatever the bytes, packages open or fail; nothing panics, takes much memory or allocates much.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "compression")]
mod codecs;
mod crafted;
#[cfg(feature = "json")]
mod damage;
#[cfg(feature = "content")]
mod edits;
mod exercise;
#[cfg(feature = "json")]
mod json;
mod levels;
mod memory;
#[cfg(feature = "json")]
mod overlaps;
#[cfg(feature = "content")]
mod pictures;
mod ue4;
mod ue4_bodies;
#[cfg(feature = "xlsx")]
mod workbooks;
mod zen;

use common::open;
use common::parts::Parts;
use exercise::{exercise_with, is_proportionate, limit};
use unreal_packages::Versions;
use unreal_packages::edit::PackageEdit;
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::inspect::Explanation;
use unreal_packages::package::{OpenOptions, Package};
use unreal_packages::primitive::WideIndex;
use unreal_packages::version::UnrealVersions;

/// Opens the bytes in the usual way, looks at everything and saves. Says whether they opened.
fn exercise(bytes: &[u8], explain: bool, what: &str) -> bool {
    exercise_with(&OpenOptions::new(), bytes, explain, what)
}

fn samples() -> Vec<(u32, Vec<u8>)> {
    [61, 69, 128, 512, 868]
        .map(|file| (file, Parts::rich(Versions::ue1_to_3(file, 0)).assemble()))
        .to_vec()
}

/// Where the header's bytes stand: everything but the bodies.
fn header(bytes: &[u8]) -> Vec<usize> {
    let package = open(bytes);
    let is_body = |section| matches!(section, unreal_packages::package::Section::Body(_));
    let places = package.sections();
    let header = places.iter().filter(|place| !is_body(place.section));
    header.flat_map(|place| place.start as usize..place.end() as usize).collect()
}

#[test]
fn truncated_packages_fail() {
    for (file, bytes) in samples() {
        for length in 0..bytes.len() {
            let opened = exercise(&bytes[..length], false, &format!("{file} cut to {length}"));
            assert!(!opened, "{file} cut to {length} of {} bytes opened", bytes.len());
        }
        assert!(exercise(&bytes, true, "whole"));
    }
}

#[test]
fn changed_header_bytes_open_or_fail() {
    for (file, bytes) in samples() {
        let mut opened = 0;
        for (count, at) in header(&bytes).into_iter().enumerate() {
            for value in [0x00, 0x7f, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[at] = value;
                let what = format!("{file} with {value:#x} at {at:#x}");
                opened += usize::from(exercise(&changed, count % 4 == 0, &what));
            }
        }
        assert!(opened > 100, "{file}: only {opened} opened");
    }
}

const EXTREMES: [i32; 9] =
    [0, 1, -1, i32::MAX, i32::MIN, i32::MAX - 1, 0x4000_0000, 0x0fff_ffff, 0x10_0000];

#[test]
fn extreme_numbers_in_the_summary_open_or_fail() {
    for (file, bytes) in samples() {
        let explained = Explanation::of(&open(&bytes)).unwrap();
        let fields = explained
            .iter()
            .map(|explanation| &explanation.record)
            .filter(|record| record.path.starts_with("summary.") && record.type_name == "i32");
        let mut count = 0;
        for field in fields {
            count += 1;
            for value in EXTREMES {
                let mut changed = bytes.clone();
                let range = field.start as usize..field.end as usize;
                changed[range].copy_from_slice(&value.to_le_bytes());
                exercise(&changed, true, &format!("{file} with {} of {value}", field.path));
            }
        }
        assert!(count >= 8, "{file}: {count} fields");
    }
}

/// Export rows again, with one of their numbers changed, at the end of the file or in their place.
fn with_exports(
    file: u32,
    bytes: &[u8],
    change: impl Fn(&mut Vec<unreal_packages::table::Export>),
) -> Vec<u8> {
    let package = open(bytes);
    let mut exports = package.exports().entries().iter().cloned().collect::<Vec<_>>();
    change(&mut exports);
    let mut rows = Vec::new();
    for export in &mut exports {
        // What the version lacks is left out by the saver, so sizes of zero take the offset along.
        if file < 249 && export.serial_size.value() == 0 {
            export.serial_offset = WideIndex::new(0);
        }
        rows.extend(common::save(export, package.versions()).unwrap());
    }
    let start = package.summary().export_offset as usize;
    let mut changed = bytes[..start].to_vec();
    changed.extend(&rows);
    if file >= 178 {
        changed.extend(&bytes[changed.len()..]);
    }
    changed
}

#[test]
fn extreme_numbers_in_exports_open_or_fail() {
    for (file, bytes) in samples() {
        assert_eq!(with_exports(file, &bytes, |_| {}), bytes);
        for value in EXTREMES {
            for row in 0..open(&bytes).exports().len() {
                let number = WideIndex::from(value);
                let changed = with_exports(file, &bytes, |rows| rows[row].serial_size = number);
                exercise(&changed, true, &format!("{file} size {value} of row {row}"));
                let changed = with_exports(file, &bytes, |rows| rows[row].serial_offset = number);
                exercise(&changed, true, &format!("{file} offset {value} of row {row}"));
                let changed = with_exports(file, &bytes, |rows| {
                    let reference = unreal_packages::PackageIndex::new(value);
                    rows[row].class_index = reference;
                    rows[row].super_index = reference;
                    rows[row].outer_index = reference;
                    rows[row].object_name = unreal_packages::Name::new(value);
                });
                exercise(&changed, true, &format!("{file} references {value} of row {row}"));
            }
        }
    }
}

#[test]
fn a_few_bytes_are_no_package() {
    for bytes in [&b""[..], b"\xc1", b"MZ\x90\0", &[0; 64], &[0xff; 64]] {
        let error = Package::from_bytes(bytes.to_vec()).unwrap_err();
        assert!(matches!(error.unreal(), Some(UnrealError::NotAPackage { .. })), "{error}");
    }
    let unsupported = |bytes: &[u8]| Package::from_bytes(bytes.to_vec()).unwrap_err().to_string();
    let ue4 = [0xc1, 0x83, 0x2a, 0x9e, 0xf9, 0xff, 0xff, 0xff];
    assert_eq!(
        unsupported(&ue4),
        "summary.versions.legacy_ue3_version at 0x8 (version 0/0): needed 4 bytes, 0 remain"
    );
    let whole = [0xc1, 0x83, 0x2a, 0x9e, 0, 0, 2, 0];
    assert!(unsupported(&whole).starts_with("stream.compressed_size"), "{}", unsupported(&whole));
    let lineage: Vec<u8> = "Lineage2Ver111".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(unsupported(&lineage).contains("Lineage II container, Ver111"));
}

#[test]
fn errors_tell_offset_field_and_version() {
    let text = |bytes: &[u8]| Package::from_bytes(bytes.to_vec()).unwrap_err().to_string();
    let samples = samples();
    let (ue1, ue3) = (&samples[1].1, &samples[4].1);
    assert_eq!(
        text(&ue1[..10]),
        "summary.package_flags at 0x8 (version 69/0): needed 4 bytes, 2 remain"
    );
    assert_eq!(
        text(&ue1[..6]),
        "summary.versions.legacy_file_version at 0x4 (version 0/0): needed 4 bytes, 2 remain"
    );
    let set = |bytes: &[u8], at: usize, value: i32| {
        let mut changed = bytes.to_vec();
        changed[at..at + 4].copy_from_slice(&value.to_le_bytes());
        changed
    };
    // Name count, name offset, then those of exports and imports.
    assert_eq!(
        text(&set(ue1, 12, -5)),
        "names at 0x48 (version 69/0): a count of -5 is below zero"
    );
    let length = ue1.len();
    assert_eq!(
        text(&set(ue1, 16, 0x0fff_ffff)),
        format!(
            "names at 0x48 (version 69/0): offset 0xfffffff lies outside the file of {length:#x} bytes"
        )
    );
    let names = open(ue1).summary().name_offset as usize;
    assert_eq!(
        text(&set(ue1, 12, i32::MAX)),
        format!(
            "names at {names:#x} (version 69/0): a count of 2147483647 does not fit into the {} bytes that remain",
            length - names
        )
    );
    let package = open(ue3);
    let offset = package.exports().entries()[1].serial_offset.value();
    let explained = Explanation::of(&package).unwrap();
    let row = explained.iter().find(|e| e.record.path == "exports[1].serial_size").unwrap();
    let bad = text(&set(ue3, row.record.start as usize, i32::MAX));
    let expected = format!("offset {offset:#x} lies outside the file of {:#x} bytes", ue3.len());
    assert!(bad.starts_with("exports[1].serial_offset at ") && bad.ends_with(&expected), "{bad}");
    let bad = text(&set(ue3, row.record.start as usize, -2));
    assert!(bad.starts_with("exports[1].serial_size at "), "{bad}");
    assert!(bad.ends_with("(version 868/0): a count of -2 is below zero"), "{bad}");
    let cut = Package::from_bytes(ue1[..length - 1].to_vec()).unwrap_err();
    assert_eq!(cut.path(), "exports[2].serial_offset", "{cut}");
    // The index itself starts a byte before the end of what is left.
    assert_eq!(cut.offset(), Some(length as u64 - 2), "{cut}");
}

#[test]
fn errors_are_one_line_whatever_texts_they_show() {
    let mut package = open(&samples()[1].1);
    let text = "two\nlines\x1b[2J\r\u{85}end";
    let error = package.edit(|edit| edit.add_import(text, text)).unwrap_err().to_string();
    assert!(error.contains(r"two\nlines\u{1b}[2J\r\u{85}end"), "{error}");
    assert!(!error.contains(char::is_control), "{error}");
}
