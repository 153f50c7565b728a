//! New blueprints as games of every release store them: a class, and the object with its defaults.

use std::sync::Arc;

use unreal_packages::edit::{PackageEdit, PreloadDependencies};
use unreal_packages::generate::NewAsset;
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::ue4::structure::class::Class;
use unreal_packages::package::{Package, native_as};
use unreal_packages::primitive::{FlagsOf, ObjectFlags, PackageIndex};
use unreal_packages::property::Mappings;
use unreal_packages::property::mappings::{
    MappingData, MappingName, MappingProperty, MappingStruct, SchemaType,
};
use unreal_packages::version::Engine;
use unreal_packages::{EngineRelease, Error};

const PARENT: &str = "/Script/MyGame.Beast";
/// C++: `CLASS_HasInstancedReference`, `CLASS_Config`.
const INHERITED: u32 = 0x80_0004;

fn asset(parent: &str) -> NewAsset {
    NewAsset::blueprint("/Game/Beasts/BP_Wolf", parent)
}

/// Of the two classes that a blueprint of a beast needs.
fn mappings() -> Arc<Mappings> {
    let names = ["Beast", "Health", "BlueprintGeneratedClass"];
    let names = names.map(|text| MappingName(text.into())).to_vec();
    let health =
        MappingProperty { schema_index: 0, array_dim: 1, name: 1, schema: SchemaType::Float };
    let of = |name, properties: Vec<MappingProperty>| MappingStruct {
        name,
        super_struct: u32::MAX,
        property_count: properties.len() as u16,
        properties,
    };
    let structs = vec![of(0, vec![health]), of(2, Vec::new())];
    Arc::new(Mappings::new(MappingData { names, structs, ..MappingData::default() }))
}

fn paths(package: &Package, list: &[PackageIndex]) -> Vec<String> {
    list.iter().map(|index| package.path(*index)).collect()
}

fn class_of(package: &Package) -> Class {
    native_as::<Class>(&package.decode(0).unwrap().body).unwrap().clone()
}

#[test]
fn blueprints_of_every_release_are_classes_with_defaults() {
    for release in EngineRelease::all().filter(|release| *release >= EngineRelease::new(4, 15)) {
        for parent in [PARENT, "/Game/Beasts/BP_Beast.BP_Beast_C"] {
            let place = format!("{release} {parent}");
            let asset = asset(parent).class_flags(INHERITED).class_config("Game").property(
                "Health",
                "float".parse().unwrap(),
                "9",
            );
            let mut package = asset.build_cooked(release, None).unwrap();
            package.decode_all();
            assert_eq!(package.exports().path(0), "BP_Wolf_C", "{place}");
            assert_eq!(package.exports().path(1), "Default__BP_Wolf_C", "{place}");
            let values = package.values();
            assert_eq!(values.property("Default__BP_Wolf_C", "Health").unwrap().text, "9.0");
            let class = class_of(&package);
            assert_eq!(package.path(class.base.super_struct), parent, "{place}");
            assert_eq!(package.name_text(class.config_name), "Game", "{place}");
            assert_eq!(class.class_default_object, PackageIndex::export(1), "{place}");
            let flags = FlagsOf::Class.names(class.class_flags.into(), Engine::Ue4);
            let wanted = ["Config", "CompiledFromBlueprint", "HasInstancedReference"];
            assert!(wanted.iter().all(|flag| flags.iter().any(|it| it == flag)), "{flags:?}");
            assert_eq!(flags.len(), 3 + usize::from(release < EngineRelease::new(5, 0)), "{place}");
            let default = package.tables().exports.get(1).unwrap();
            assert_eq!(default.class_index, PackageIndex::export(0), "{place}");
            let (around, name) = parent.rsplit_once('.').unwrap();
            let of_parent = format!("{around}.Default__{name}");
            assert_eq!(package.path(default.template_index), of_parent, "{place}");
            assert!(default.object_flags.contains(ObjectFlags::UE4_CLASS_DEFAULT_OBJECT));
            // The parent and its defaults are read before the class is.
            let preload = PreloadDependencies::of(&package, 0).unwrap();
            let read = paths(&package, &preload.serialized_before_serialization);
            assert_eq!(read, [parent, &*of_parent], "{place}");
            assert_eq!(paths(&package, &preload.created_before_creation), [parent], "{place}");
            let preload = PreloadDependencies::of(&package, 1).unwrap();
            let read = paths(&package, &preload.serialized_before_creation);
            assert_eq!(read, ["BP_Wolf_C", &*of_parent], "{place}");
            let coverage = package.coverage();
            assert_eq!((coverage.opaque, coverage.gap), (0, 0), "{place}");
            assert!(package.to_bytes().unwrap() == *package.source(), "{place}");
        }
    }
}

#[test]
fn blueprints_leave_out_what_mappings_say() {
    let release = EngineRelease::new(5, 4);
    let asset = asset(PARENT).class_flags(INHERITED);
    let mut made = asset.build_cooked(release, Some(mappings())).unwrap();
    // Mappings say which defaults there are.
    made.edit(|edit| edit.set_property("Default__BP_Wolf_C", "Health", "9")).unwrap();
    assert_eq!(made.values().property("Default__BP_Wolf_C", "Health").unwrap().text, "9.0");
    assert!(!made.names().iter().any(|name| *name == *"Health"), "no name says it");
    let error = asset.build_cooked(release, Some(crate::common::forms::mappings())).unwrap_err();
    assert!(error.to_string().contains("'BlueprintGeneratedClass'"), "{error}");
}

#[test]
fn a_package_says_what_a_parent_hands_down() {
    let release = EngineRelease::new(4, 27);
    let model = asset(PARENT)
        .class_flags(INHERITED)
        .class_config("Game")
        .build_cooked(release, None)
        .unwrap();
    let like = |parent: &str| -> Result<Class, Error> {
        Ok(class_of(&NewAsset::blueprint("/Game/BP_Fox", parent).build_like(&model)?))
    };
    // A sister, and a child.
    for parent in [PARENT, "/Game/Beasts/BP_Wolf.BP_Wolf_C"] {
        let class = like(parent).unwrap();
        assert_eq!(class.class_flags, class_of(&model).class_flags, "{parent}");
    }
    let error = like("/Script/MyGame.Plant").unwrap_err().to_string();
    assert!(error.contains("/Script/MyGame.Plant hands down"), "{error}");
    // All objects are of it, which hands nothing down.
    assert!(like("/Script/CoreUObject.Object").is_ok());
    let error = asset(PARENT).build(release).unwrap_err().to_string();
    assert!(error.contains("as games store them"), "{error}");
}
