//! Rows of exports that tables list by their numbers, counted from 0.

use std::collections::BTreeMap;

use unreal_packages::compare::diff;
use unreal_packages::edit::{PackageEdit, converted};
use unreal_packages::error::{UnrealError, UnrealErrors};
use unreal_packages::package::Package;
use unreal_packages::primitive::ObjectRef;
use unreal_packages::table::ComponentEntry;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Engine, Error, ErrorKind, PackageIndex};

use crate::common::{open, save_twice};
use crate::files;

/// Every listed component lies somewhere in the object whose row lists it; how many there are.
fn components(name: &str, package: &Package) -> usize {
    let mut count = 0;
    for export in package.exports().iter() {
        for component in &export.entry().details.component_map {
            let ObjectRef::Export(row) = component.export.target() else {
                panic!("{name}, {}: {component:?}", export.path());
            };
            let owner = PackageIndex::export(export.row());
            let is_inside = package.outers(component.export).skip(1).any(|outer| outer == owner);
            assert!(is_inside, "{name}: export {row} is not in {}", export.path());
            // It is called as what it starts from, or by its own name.
            let name = package.name_text(component.name);
            let entry = package.exports().get(row).unwrap().entry();
            let archetype = entry.archetype();
            let source = if archetype.is_null() { component.export } else { archetype };
            let called = package.object_name(source);
            assert_eq!(name, called, "{name}, {}", export.path());
            count += 1;
        }
    }
    count
}

/// Every listed texture is one; how many there are.
fn textures(name: &str, package: &Package) -> usize {
    let mut count = 0;
    for index in package.summary().texture_allocations.iter().flat_map(|row| &row.export_indices) {
        let ObjectRef::Export(row) = index.target() else { panic!("{name}: {index:?}") };
        let class = package.exports().get(row).unwrap().class();
        assert!(class.contains("Texture"), "{name}: {row} is a {class}");
        count += 1;
    }
    count
}

pub fn components_and_textures_are_listed_by_rows_that_follow() {
    let (mut packages, mut reordered, mut refused) = (0, 0, 0);
    let (mut all_components, mut all_textures) = (0, 0);
    for (name, bytes) in files::of("classic").into_iter().chain(files::of("wild/classic")) {
        let Ok(package) = Package::from_bytes(bytes) else { continue };
        let listed = (components(&name, &package), textures(&name, &package));
        if listed == (0, 0) {
            continue;
        }
        packages += 1;
        all_components += listed.0;
        all_textures += listed.1;
        let order: Vec<usize> = (0..package.exports().len()).rev().collect();
        let mut turned = package.clone();
        if turned.edit(|edit| edit.reorder_exports(&order)).is_err() {
            refused += 1;
            continue;
        }
        let turned = open(&save_twice(&turned));
        assert_eq!((components(&name, &turned), textures(&name, &turned)), listed, "{name}");
        reordered += 1;
    }
    println!(
        "{packages} packages list {all_components} components and {all_textures} textures; {reordered} are turned round, \
         {refused} refuse"
    );
    assert!(all_components > 500 && all_textures > 0 && reordered > 5);
}

/// The versions whose rows list components.
const LISTING: std::ops::Range<u32> = 178..543;

fn lists(package: &Package) -> Vec<&[ComponentEntry]> {
    package.exports().iter().map(|export| &*export.entry().details.component_map).collect()
}

/// Why a package can't be of another version.
fn reason(error: &Error) -> String {
    match (error.kind(), error.unreal()) {
        (ErrorKind::NotInVersion, _) => {
            let path = error.path();
            format!("no place for {}", path.rsplit('.').next().unwrap_or_default())
        }
        (_, Some(UnrealError::Refused { reason, objects, .. })) => {
            assert!(!reason.contains("list no components"), "{objects:?}");
            reason.clone()
        }
        _ => error.to_string(),
    }
}

/// To the nearest version on the other side of the one that drops the lists, and back: packages that list components
/// have the same lists again, and those that list none have none.
pub fn lists_of_components_are_dropped_and_made_by_versions() {
    let (mut dropped, mut made, mut entries) = (0, 0, [0, 0]);
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for (name, bytes) in files::of("classic").into_iter().chain(files::of("wild/classic")) {
        let Ok(package) = Package::from_bytes(bytes) else { continue };
        let from = package.versions().file();
        if package.versions().engine() != Engine::Ue3 {
            continue;
        }
        let is_listing = LISTING.contains(&from);
        let listed = components(&name, &package);
        if is_listing && listed == 0 {
            continue;
        }
        // They stand in the order of their rows, as lists that are made do.
        let by_row = |list: &[ComponentEntry]| list.is_sorted_by_key(|it| it.export.value());
        assert!(lists(&package).into_iter().all(by_row), "{name}");
        let other = if is_listing { LISTING.end } else { LISTING.end - 1 };
        let there = match converted(&package, other) {
            Ok(there) => there,
            Err(error) => {
                *reasons.entry(reason(&error)).or_default() += 1;
                continue;
            }
        };
        let count = components(&name, &there);
        let back = converted(&there, from).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(lists(&back), lists(&package), "{name}");
        assert!(diff(&package, &back).is_empty(), "{name}");
        match is_listing {
            true => dropped += 1,
            false => made += usize::from(count > 0),
        }
        entries[usize::from(is_listing)] += listed.max(count);
    }
    println!(
        "{dropped} packages lose {} entries and have them again, {made} get {}; {reasons:#?}",
        entries[1], entries[0]
    );
    assert!(dropped > 0);
}
