//! Levels whose lists say more than they hold.

use unreal_packages::PackageIndex;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::ue1;
use unreal_packages::package::Package;
use unreal_packages::property::PropertyList;

use crate::memory;

/// Places of deleted actors, a byte each in the file.
const NULLS: usize = 1_000_000;
/// Bytes of memory that each of them may take: the list as it is decoded, and a copy of it.
const MOST: usize = 24;

#[test]
fn actors_that_are_gone_take_no_room_in_a_map() {
    let mut package = Package::from_bytes(Builder::new(69).build().unwrap()).unwrap();
    let mut level = ue1::Level::default();
    level.actors.items = vec![PackageIndex::NULL; NULLS];
    level.actors.maximum = NULLS as i32;
    let added = package
        .edit(|edit| edit.add_object("MyLevel", "Engine.Level", PropertyList::default(), level));
    added.unwrap();
    let bytes = package.to_bytes().unwrap();
    assert!(bytes.len() < 2 * NULLS, "{} bytes", bytes.len());
    let package = Package::from_bytes(bytes).unwrap();
    let (map, peak) = memory::peak(|| package.values().level_map().unwrap());
    assert!(map.actors.is_empty());
    assert!(peak < MOST * NULLS, "{peak} bytes");
}
