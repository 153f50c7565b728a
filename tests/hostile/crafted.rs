//! Files made to cost much: memory and allocations grow with their size; `tests/machine/growth.rs` counts how the work on
//! files like these grows.

use unreal_packages::edit::{Edit, EditOptions, PackageEdit};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::package::{LayoutChoice, Overlap, Package, SaveOptions, Section};
use unreal_packages::{ErrorKind, Name, PackageIndex};

use super::{exercise, is_proportionate, limit, memory};
use crate::common::crafted::{chain, one_name, with_bodies, with_rows, with_thumbnails};
use crate::common::open;

/// Work on a crafted file, within memory and what may be allocated.
fn within<T>(what: &str, length: usize, work: impl FnOnce() -> T) -> T {
    let ((result, peak), work) = memory::work(|| memory::peak(work));
    println!("{what}: {} KiB at once, {work:?}", peak >> 10);
    is_proportionate(work, length, what);
    assert!(peak <= 4 * limit(length), "{what} took {peak} bytes of memory");
    result
}

/// Edits the file and saves it in each layout.
fn edited(bytes: &[u8], what: &str) {
    for layout in [LayoutChoice::Auto, LayoutChoice::Canonical, LayoutChoice::Keep] {
        let options = SaveOptions::new().layout(layout).force(true);
        let mut package = open(bytes);
        let longer =
            |edit: &mut Edit| edit.rename_name("Alpha", "A_name_that_is_longer_than_before");
        let saved = within(&format!("{what} {layout:?}"), bytes.len(), || {
            options.edit(&mut package, longer).map(|(_, saved)| saved)
        });
        match saved {
            Ok(saved) => {
                let again = Package::from_bytes(saved.bytes.clone()).unwrap();
                for row in (0..again.exports().len()).step_by(997) {
                    assert!(
                        again.body(row).unwrap() == package.body(row).unwrap(),
                        "{what}: {row}"
                    );
                }
            }
            Err(error) => {
                assert!(
                    matches!(error.unreal(), Some(UnrealError::Refused { .. })),
                    "{what}: {error}"
                );
                assert!(error.to_string().len() < 2000, "{what}: a long message");
            }
        }
    }
}

#[test]
fn overlapping_bodies() {
    let bytes = with_rows(868, 20_000, |_, _| {});
    // All of them the same bytes; each one byte later; each inside the one before; over the header.
    let tail = 50_000u64;
    type Place = fn(usize, u64, u64) -> (u64, u64);
    let shapes: [(&str, Place); 4] = [
        ("the same", |_, start, tail| (start, tail)),
        ("staggered", |at, start, tail| (start + at as u64, tail - 20_000)),
        ("nested", |at, start, tail| (start + at as u64, tail - 2 * at as u64)),
        ("over the header", |at, start, tail| (at as u64, start + tail - 20_000)),
    ];
    for (what, place) in shapes {
        let bytes = with_bodies(&bytes, tail as usize, |at, start| place(at, start, tail));
        assert!(exercise(&bytes, true, what), "{what} did not open");
        assert!(!Overlap::of(&open(&bytes)).is_empty());
        edited(&bytes, what);
    }
}

#[test]
fn bodies_interleaved_with_gaps() {
    let rows = 100_000;
    let base = with_rows(868, rows, |_, _| {});
    let bytes = with_bodies(&base, 2 * rows, |at, start| (start + 2 * at as u64, 1));
    assert!(exercise(&bytes, true, "interleaved"));
    let gaps =
        open(&bytes).sections().iter().filter(|p| matches!(p.section, Section::Gap(_))).count();
    assert_eq!(gaps, rows);
    edited(&bytes, "interleaved");
    // The same backwards.
    let bytes = with_bodies(&base, 2 * rows, |at, start| (start + 2 * (rows - 1 - at) as u64, 1));
    assert!(exercise(&bytes, false, "interleaved backwards"));
    edited(&bytes, "interleaved backwards");
}

#[test]
fn circles_and_long_chains_of_outers() {
    let circle = with_rows(868, 1000, |at, row| {
        row.outer_index = PackageIndex::export((at + 1) % 1000);
    });
    assert!(exercise(&circle, true, "a circle"));
    assert!(open(&circle).exports().path(0).starts_with('…'));
    let own = with_rows(69, 50, |at, row| row.outer_index = PackageIndex::export(at));
    assert!(exercise(&own, true, "outers of themselves"));
    for file in [69, 868] {
        let rows = 100_000;
        let chain = chain(file, rows);
        let package = within("opening a chain", chain.len(), || open(&chain));
        assert!(package.to_bytes().unwrap() == chain);
        let deep = within("all paths", chain.len(), || {
            (0..rows).step_by(10).map(|row| package.exports().path(row).len()).max()
        });
        assert!(deep.unwrap() < 1000, "paths are cut");
        within("the tree", chain.len(), || package.exports().tree().len());
        within("finding", chain.len(), || package.find("Group.Group.Group.Nothing"));
        // Every row has this last part.
        let text = vec!["Group"; 40].join(".");
        let found = within("finding a deep one", chain.len(), || package.find(&text));
        assert_eq!(found, Some(PackageIndex::export(39)));
        let found = within("finding the only one", chain.len(), || package.find_export(&text));
        assert_eq!(found.unwrap(), 39);
        edited(&chain, "a chain");
    }
}

#[test]
fn thumbnails_that_point_at_one_another() {
    let rows = 100_000;
    // Zeros: at every byte an empty image of twelve bytes, over its neighbours.
    let zeros = vec![0; rows + 12];
    let bytes = with_thumbnails(&zeros, |row, start| start + row as u64, rows);
    assert!(exercise(&bytes, true, "empty images"));
    edited(&bytes, "empty images");
    // All rows the same image.
    let bytes = with_thumbnails(&[0; 12], |_, start| start, rows);
    assert!(exercise(&bytes, true, "one image"));
    edited(&bytes, "one image");
    // The rows point at the table and at themselves.
    let bytes = with_thumbnails(&[], |row, start| start + 12 * row as u64, rows);
    assert!(exercise(&bytes, true, "the table itself"));
    edited(&bytes, "the table itself");
}

#[test]
fn thumbnails_that_share_large_images() {
    // Each image's size reaches over most of the others: together they are far larger than the file.
    let rows = 100_000;
    let region = 1_200_000u32.to_le_bytes().repeat(rows);
    let bytes = with_thumbnails(&region, |row, start| start + 4 * row as u64, rows);
    assert!(!exercise(&bytes, true, "large images"));
    let error = Package::from_bytes(bytes).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooLong { .. }), "{error}");
    assert_eq!(error.path(), "thumbnail_images");
    // One of them is an image like any other.
    let bytes = with_thumbnails(&region, |_, start| start, 100);
    let mut package = open(&bytes);
    assert!(
        package.tables().image(&package.tables().thumbnails[99]).is_none(),
        "it ends behind the file"
    );
    let region = 1_200u32.to_le_bytes().repeat(303);
    let bytes = with_thumbnails(&region, |_, start| start, 100);
    assert!(exercise(&bytes, true, "one large image"));
    package = open(&bytes);
    let image = package.tables().image(&package.tables().thumbnails[99]).unwrap();
    assert_eq!(image.image.len(), 1200);
}

#[test]
fn one_name_many_times() {
    let bytes = one_name(100_000);
    assert!(exercise(&bytes, true, "one name"));
    edited(&bytes, "one name");
    let mut package = open(&bytes);
    within("imports", bytes.len(), || {
        for at in 0..3 {
            package.edit(|edit| edit.add_import(&format!("New.Class_{at}"), "Core.Class")).unwrap();
        }
    });
}

#[test]
fn numbers_of_names_do_not_overflow() {
    let bytes = with_rows(868, 3, |at, row| {
        row.object_name = Name::numbered(0, [i32::MIN, i32::MAX, -1][at]);
    });
    assert!(exercise(&bytes, true, "numbers"));
    assert_eq!(open(&bytes).exports().path(0), "None_-2147483649");
}
