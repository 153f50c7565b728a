//! Editing values in packages of UE4 and UE5.

use crate::common;
use unreal_packages::package::checksum::saved_hash_is_right;

mod build;
mod bulk;
mod plain;
mod resources;
mod rows;
mod structure;
mod tagged;
mod typed_bodies;
mod unversioned;

use unreal_packages::inspect::PackageValues;
use unreal_packages::package::{OpenOptions, Package};
use unreal_packages::version::EngineRelease;

/// Releases of every form of tags.
pub const RELEASES: [(u8, u8); 10] =
    [(4, 0), (4, 7), (4, 12), (4, 18), (4, 27), (5, 0), (5, 2), (5, 3), (5, 4), (5, 6)];

/// The body of an object that stores nothing, with so many zeros behind it.
pub fn empty_body(release: EngineRelease, more: usize) -> Vec<u8> {
    let control = usize::from(release.ue5() >= 1011);
    // The name at row 0 ends the list; no GUID.
    vec![0; control + 8 + 4 + more]
}

/// Saved, opened and saved again: nothing changes any more.
pub fn reopened(package: &Package, options: &OpenOptions) -> Package {
    let saved = package.to_bytes().unwrap();
    let mut again = options.clone().open_bytes(saved.clone()).unwrap();
    again.decode_all();
    assert!(again.to_bytes().unwrap() == saved);
    assert_ne!(saved_hash_is_right(&again), Some(false));
    again
}

/// Every value of every object, as text.
pub fn texts(package: &Package) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for row in 0..package.exports().len() {
        let object = format!("#{row}");
        let values = package.values().properties(&object).unwrap_or_default();
        let rows = package.values().table_rows(&object).unwrap_or_default();
        for value in values.into_iter().chain(rows) {
            all.push((format!("{object}.{}", value.path), value.text));
        }
    }
    all
}
