//! Offsets that lead nowhere: after an edit they still do, or the save is refused.

use unreal_packages::edit::PackageEdit;
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::Explanation;
use unreal_packages::package::{LayoutChoice, Package, SaveOptions};

/// Writes a number of the summary where it stands in the file.
fn with_field(bytes: &[u8], field: &str, value: i32) -> Vec<u8> {
    let package = Package::from_bytes(bytes.to_vec()).unwrap();
    let fields = Explanation::of(&package).unwrap();
    let path = format!("summary.{field}");
    let record = &fields.iter().find(|field| field.record.path == path).unwrap().record;
    let mut bytes = bytes.to_vec();
    bytes[record.start as usize..][..4].copy_from_slice(&value.to_le_bytes());
    bytes
}

fn plain() -> Vec<u8> {
    let builder = Builder::new(868).export("One", "Core.TextBuffer", vec![0; 64]);
    builder.export("Two", "Core.TextBuffer", vec![1; 12]).build().unwrap()
}

/// A thumbnail table at the end of the file, with one row whose image is at `offset`.
fn with_table(offset: i32) -> Vec<u8> {
    let mut bytes = with_field(&plain(), "thumbnail_table_offset", plain().len() as i32);
    bytes.extend(1i32.to_le_bytes());
    for text in ["TextBuffer", "Two"] {
        bytes.extend((text.len() as i32 + 1).to_le_bytes());
        bytes.extend(text.bytes().chain([0]));
    }
    bytes.extend(offset.to_le_bytes());
    bytes
}

/// Grows the names, and saves in each layout.
fn grown(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut package = Package::from_bytes(bytes.to_vec()).unwrap();
    for number in 0..9 {
        package.edit(|edit| edit.add_name(&format!("Name{number}"))).unwrap();
    }
    let layouts = [LayoutChoice::Auto, LayoutChoice::Canonical, LayoutChoice::Keep];
    let save = |layout| package.save(&SaveOptions::new().force(true).layout(layout));
    layouts.into_iter().map(|layout| save(layout).unwrap().bytes.into()).collect()
}

#[test]
fn an_offset_behind_the_end_does_not_lead_into_a_file_that_has_grown() {
    let length = plain().len() as i32;
    for field in ["thumbnail_table_offset", "depends_offset"] {
        for past in [1, 2, 40, 1_000, 1 << 20] {
            let bytes = with_field(&plain(), field, length + past);
            let before = Package::from_bytes(bytes.clone()).unwrap();
            for saved in grown(&bytes) {
                let after = Package::from_bytes(saved.clone()).unwrap();
                assert_eq!(after.tables().thumbnails.len(), 0, "{field} {past}");
                assert_eq!(after.exports().len(), before.exports().len());
                assert_eq!(after.to_bytes().unwrap(), saved);
            }
        }
    }
}

#[test]
fn a_thumbnail_without_image_stays_without() {
    let length = with_table(0).len() as i32;
    for past in [1, 2, 40, 1_000] {
        let bytes = with_table(length + past);
        for saved in grown(&bytes) {
            let after = Package::from_bytes(saved.clone()).unwrap();
            let thumbnails = &after.tables().thumbnails;
            assert_eq!(thumbnails.len(), 1, "{past}");
            assert!(after.tables().image(&thumbnails[0]).is_none(), "{past}");
            assert_eq!(after.to_bytes().unwrap(), saved);
        }
    }
}

#[test]
fn a_body_that_becomes_an_image_by_chance_is_refused() {
    // Twelve bytes whose last number is a negative size: no image.
    let mut dead = plain();
    let start = dead.windows(12).position(|bytes| bytes == [1; 12]).unwrap();
    dead[start + 8..start + 12].copy_from_slice(&(-1i32).to_le_bytes());
    let table = with_table(start as i32);
    dead.extend_from_slice(&table[dead.len()..]);
    let dead = with_field(&dead, "thumbnail_table_offset", plain().len() as i32);
    let mut package = Package::from_bytes(dead.clone()).unwrap();
    assert_eq!(package.to_bytes().unwrap(), dead);
    let error = package.edit(|edit| edit.replace_body(1, vec![0; 12])).unwrap_err();
    let Some(UnrealError::Refused { objects, .. }) = error.unreal() else { panic!("{error}") };
    assert_eq!(objects, &["Two"]);
    package.edit(|edit| edit.replace_body(1, [vec![0; 8], vec![0xff; 4]].concat())).unwrap();
    package.to_bytes().unwrap();
}
