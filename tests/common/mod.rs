//! What the suites share: versions to test at, packages made from parts.

#![allow(dead_code, unused_imports)] // each suite uses its own part of this module

pub mod agreement;
pub mod assets;
pub mod code;
pub mod crafted;
pub mod difference;
pub mod everything;
pub mod forms;
pub mod game;
pub mod headers;
pub mod level;
#[cfg(feature = "content")]
pub mod many_actors;
pub mod many_cells;
pub mod objects;
pub mod parts;
pub mod programs;
pub mod rebuild;
#[cfg(feature = "serde")]
pub mod structs;
pub mod ue4;
pub mod versions;
pub mod words;
pub mod zen;

pub use versions::*;

use unreal_packages::archive::{Kind, RecordValue};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::Explanation;
use unreal_packages::package::Package;
use unreal_packages::version::{UnrealVersions, threshold};
use unreal_packages::{Guid, Versions};

pub const GUID: Guid = Guid::new(0x0011_2233, 0x4455_6677, 0x8899_aabb, 0xccdd_eeff);

/// A package of several names, imports and exports, some in groups, one without a body.
pub fn builder(versions: Versions) -> Builder {
    let grouped = versions.file() >= threshold::OUTER_INDEX_ADDED;
    let mut builder = Builder::for_versions(versions)
        .guid(GUID)
        .name("Alpha")
        .name("Sixty_characters_are_enough_for_a_name_that_is_rather_long_ok")
        .import("Engine.Actor", "Core.Class")
        .import("Botpack", "Core.Package")
        .export("Notes", "Core.TextBuffer", b"\x00\x00\x00\x00hello".to_vec())
        .export("Empty", "Engine.Texture", Vec::new())
        .export("Group", "Core.Package", vec![0]);
    if grouped {
        builder = builder.export("Group.Skin", "Engine.Texture", vec![7; 300]).export(
            "Group.Skin.Inner",
            "Engine.Palette",
            (0..=255).collect::<Vec<u8>>(),
        );
    }
    builder.export("Last", "Engine.Texture", vec![9])
}

/// Opens and fails the test with the error's text.
pub fn open(bytes: &[u8]) -> Package {
    Package::from_bytes(bytes.to_vec()).unwrap_or_else(|error| panic!("opening: {error}"))
}

/// Saves, opens again, saves again: the second save must not differ. Returns the bytes.
pub fn save_twice(package: &Package) -> Vec<u8> {
    let saved = package.to_bytes().unwrap_or_else(|error| panic!("saving: {error}"));
    let again = open(&saved).to_bytes().unwrap_or_else(|error| panic!("saving again: {error}"));
    assert!(saved == again, "a saved package must save to the same bytes again");
    saved
}

/// Explanations ascend without holes, and opaque ones add up to the coverage.
pub fn is_explained(package: &Package, what: &str) {
    let (mut at, mut opaque) = (0, 0);
    for explanation in Explanation::of(package).unwrap_or_else(|error| panic!("{what}: {error}")) {
        let record = &explanation.record;
        assert_eq!(record.start, at, "{what}: {record:?}");
        assert!(record.end > record.start && !record.path.is_empty(), "{what}: {record:?}");
        at = record.end;
        if record.value == RecordValue::Span(Kind::Opaque) {
            opaque += record.end - record.start;
        }
    }
    assert_eq!((at, opaque), (package.source().len() as u64, package.coverage().opaque), "{what}");
}

/// Other bytes wherever `keep` does not reach.
pub fn scramble(bytes: &[u8], keep: &[(u64, u64)]) -> Vec<u8> {
    let mut other: Vec<u8> = bytes.iter().map(|byte| byte ^ 0xa5).collect();
    for &(start, end) in keep {
        let range = start as usize..end as usize;
        other[range.clone()].copy_from_slice(&bytes[range]);
    }
    other
}

/// The bytes that differ, as ranges, or the lengths if those do.
pub fn differences(a: &[u8], b: &[u8]) -> Vec<(u64, u64)> {
    assert_eq!(a.len(), b.len(), "lengths differ");
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for at in (0..a.len()).filter(|&at| a[at] != b[at]) {
        match ranges.last_mut() {
            Some(last) if last.1 == at as u64 => last.1 += 1,
            _ => ranges.push((at as u64, at as u64 + 1)),
        }
    }
    ranges
}

/// Saves, opens, makes sure that it saves the same again, and that every body is decoded.
pub fn reopen_decoded(package: &Package) -> Package {
    let mut package = open(&save_twice(package));
    package.decode_all();
    let rows = 0..package.exports().len();
    let opaque: u64 = rows.filter_map(|row| package.decoded(row)).map(|body| body.opaque).sum();
    assert_eq!(opaque, 0);
    package
}
