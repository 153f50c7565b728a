//! Opening a package allocates pieces of tables, not rows; what was made for it once is kept.

#[path = "common/counting.rs"]
mod counting;

use std::sync::Arc;

use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::ue4::field::{Declaration, Field, FieldData};
use unreal_packages::object::ue4::structure::Struct;
use unreal_packages::object::ue4::structure::class::Class;
use unreal_packages::package::OpenOptions;
use unreal_packages::primitive::PackageFlags;
use unreal_packages::property::mappings::{MappingData, MappingName, MappingStruct, Mappings};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archived, EngineRelease, Name, Package, Saver};

/// How often opening a package of so many names and exports allocates, beside twice for every piece of 256 rows
/// that copies of the package share.
fn allocations(file: u32, names: usize, exports: usize) -> u64 {
    let mut builder = Builder::new(file);
    // The first name, `None`, is the builder's own.
    let texts: Vec<String> = (1..names).map(|row| format!("Name{row}")).collect();
    for text in &texts {
        builder = builder.name(text);
    }
    for row in 0..exports {
        builder = builder.export(&texts[row % 50], "Core.Class", vec![0; 8]);
    }
    let source = bytes::Bytes::from(builder.build().expect("the package can be built"));
    let before = counting::allocations();
    let package = Package::from_bytes(source).expect("the package opens");
    let after = counting::allocations();
    assert_eq!((package.names().len(), package.exports().len()), (names, exports));
    after - before - 2 * (names.div_ceil(256) + exports.div_ceil(256)) as u64
}

#[test]
fn opening_allocates_nothing_per_name() {
    for file in [61, 69, 128, 684, 868] {
        let (few, many) = (allocations(file, 100, 50), allocations(file, 400, 50));
        assert_eq!(few, many, "version {file}");
        assert!(few > 0, "the counter counts");
    }
}

#[test]
fn opening_allocates_nothing_per_export_without_lists() {
    for file in [61, 69, 128] {
        let (few, many) = (allocations(file, 100, 50), allocations(file, 100, 1_000));
        assert_eq!(few, many, "version {file}");
    }
}

#[test]
fn opening_a_large_package_allocates_as_often_as_a_small_one() {
    let (small, large) = (allocations(69, 100, 50), allocations(69, 3_600, 5_600));
    assert_eq!(small, large);
    assert!(large < 20, "{large} allocations");
}

/// What the engine declares: the class of classes, which has no properties, and many more.
fn engine() -> Arc<Mappings> {
    let names = (0..MAPPED).map(|number| match number {
        0 => MappingName("BlueprintGeneratedClass".into()),
        number => MappingName(format!("Class{number}").as_str().into()),
    });
    let class = |name| MappingStruct { name, super_struct: u32::MAX, ..MappingStruct::default() };
    let structs = (0..MAPPED).map(class).collect();
    let names = names.collect();
    Arc::new(Mappings::new(MappingData { names, structs, ..MappingData::default() }))
}

/// Classes in the mappings: making mappings allocates more often.
const MAPPED: u32 = 20_000;

/// A cooked package with a class that declares `Health`, and an object of the class whose health is 5.
fn hero() -> Package {
    let release = EngineRelease::new(5, 4);
    let declaration = Declaration { name: Name::new(1), array_dim: 1, ..Declaration::default() };
    let declaration = Declaration { data: FieldData::None, ..declaration };
    let health = Field { type_name: Name::new(2), declaration: Some(Box::new(declaration)) };
    let base = Struct { properties: vec![health], ..Struct::default() };
    let flags = PackageFlags::FILTER_EDITOR_ONLY
        .with(PackageFlags::UE4_COOKED)
        .with(PackageFlags::UNVERSIONED_PROPERTIES);
    let build = |class: Vec<u8>| {
        let held = [&[0, 3], &5_i32.to_le_bytes()[..], &[0; 4]].concat();
        let bytes = ["None", "Health", "IntProperty"]
            .into_iter()
            .fold(Builder::for_versions(release.versions()).flags(flags), Builder::name)
            .export("BP_Hero_C", "/Script/Engine.BlueprintGeneratedClass", class)
            .export("Ann", "BP_Hero_C", held)
            .build();
        OpenOptions::new().mappings(engine()).open_bytes(bytes.unwrap()).unwrap()
    };
    let mut saver = Saver::new(build(Vec::new()).versions().of_bodies());
    Class { base, ..Class::default() }.serialize(&mut saver).unwrap();
    // No properties of its own, no GUID.
    build([&[0, 1, 0, 0, 0, 0], &saver.into_bytes()[..]].concat())
}

/// How often something allocates.
fn counted<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let before = counting::allocations();
    let done = work();
    (counting::allocations() - before, done)
}

#[test]
fn a_hundred_changes_make_mappings_once() {
    let made = u64::from(MAPPED);
    let text = |package: &Package| package.values().property("Ann", "Health").unwrap().text;
    let mut package = hero();
    let (first, _) = counted(|| text(&package));
    assert!(first > made, "{first}: mappings are made");
    for value in 0..100 {
        let value = value.to_string();
        let mut change = 0;
        let (whole, done) = counted(|| {
            package.edit(|edit| {
                let (count, done) = counted(|| edit.set_property("Ann", "Health", &value));
                change = count;
                done
            })
        });
        done.unwrap();
        assert!(change < made, "{change} allocations of change {value}");
        // The proof opens what is saved, which is another package.
        assert!(whole < 2 * made + made / 2, "{whole} allocations of edit {value}");
        let (count, shown) = counted(|| text(&package));
        assert!(count < made && shown == value, "{count} allocations to show {value}");
    }
    let copy = package.clone();
    let (count, shown) = counted(|| text(&copy));
    assert!(count < made && shown == "99", "{count} allocations in a copy");
}
