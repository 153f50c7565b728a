//! Rows of exports that tables list by their numbers, counted from 0.

use unreal_packages::PackageIndex;
use unreal_packages::edit::PackageEdit;
use unreal_packages::package::Package;
use unreal_packages::primitive::ObjectRef;

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
