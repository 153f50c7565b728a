//! Packages that are made to cost much.

use unreal_packages::archive::Archive;
use unreal_packages::inspect::Explanation;
use unreal_packages::primitive::{FString, WideIndex};
use unreal_packages::table::{Export, Thumbnail};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{PackageIndex, Saver, Versions};

use super::parts::Parts;
use super::{open, save};

/// A package with these exports; their rows are taken as they are, offsets and all.
pub fn with_rows(file: u32, rows: usize, row: impl Fn(usize, &mut Export)) -> Vec<u8> {
    let mut parts = Parts::rich(Versions::ue1_to_3(file, 0));
    let first = parts.exports[0].clone();
    parts.exports.clear();
    parts.bodies.clear();
    parts.depends.clear();
    parts.thumbnails.clear();
    parts.export_guids.clear();
    parts.import_guids.clear();
    for at in 0..rows {
        let mut export = Export { outer_index: PackageIndex::NULL, ..first.clone() };
        row(at, &mut export);
        parts.export(export, []);
    }
    parts.assemble()
}

/// The same file with other places for the bodies; sizes must not be zero.
pub fn with_bodies(bytes: &[u8], tail: usize, place: impl Fn(usize, u64) -> (u64, u64)) -> Vec<u8> {
    let package = open(bytes);
    let v = package.versions().clone();
    assert!(v.file() >= 249, "rows must have fixed sizes");
    let start = package.summary().export_offset as usize;
    let mut exports = package.exports().entries().iter().cloned().collect::<Vec<_>>();
    let mut rows = Vec::new();
    for (at, export) in exports.iter_mut().enumerate() {
        let (offset, size) = place(at, bytes.len() as u64);
        export.serial_offset = WideIndex::new(offset as i64);
        export.serial_size = WideIndex::new(size as i64);
        rows.extend(save(export, &v).unwrap());
    }
    let mut changed = bytes.to_vec();
    changed[start..start + rows.len()].copy_from_slice(&rows);
    changed.resize(bytes.len() + tail, 0x5a);
    changed
}

/// Version 868, whose bodies lie in the same bytes behind all the rest, 64 a row. `place` gives start and size by row,
/// from where those bytes start and how many they are.
pub fn overlapping(rows: usize, place: impl Fn(usize, u64, u64) -> (u64, u64)) -> Vec<u8> {
    let tail = 64 * rows as u64;
    let base = with_rows(868, rows, |_, _| {});
    with_bodies(&base, tail as usize, |at, start| place(at, start, tail))
}

/// Objects each of which lies in the one before.
pub fn chain(file: u32, rows: usize) -> Vec<u8> {
    with_rows(file, rows, |at, row| {
        row.outer_index = if at == 0 { PackageIndex::NULL } else { PackageIndex::export(at - 1) };
    })
}

/// One name in many rows of the table.
pub fn one_name(rows: usize) -> Vec<u8> {
    let mut parts = Parts::rich(Versions::ue1_to_3(69, 0));
    for _ in 0..rows {
        parts.name("Same");
    }
    parts.assemble()
}

/// A file of version 868 whose thumbnail table has these offsets, with bytes for them to point at.
pub fn with_thumbnails(region: &[u8], offset: impl Fn(usize, u64) -> u64, rows: usize) -> Vec<u8> {
    let bytes = with_rows(868, 1, |_, _| {});
    let package = open(&bytes);
    let start = bytes.len() as u64;
    let mut saver = Saver::new(package.versions().clone());
    saver.serialize_i32(&mut (rows as i32)).unwrap();
    for row in 0..rows {
        let mut thumbnail = Thumbnail {
            class_name: FString::default(),
            object_path: FString::default(),
            file_offset: offset(row, start) as i32,
        };
        unreal_packages::Archived::serialize(&mut thumbnail, &mut saver).unwrap();
    }
    let explained = Explanation::of(&package).unwrap();
    let field =
        explained.iter().find(|e| e.record.path == "summary.thumbnail_table_offset").unwrap();
    let mut changed = bytes.clone();
    changed.extend(region);
    let table = changed.len() as i32;
    let at = field.record.start as usize;
    changed[at..at + 4].copy_from_slice(&table.to_le_bytes());
    changed.extend(saver.bytes());
    changed
}
