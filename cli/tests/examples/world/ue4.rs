//! Packages of UE4 and UE5: tables, blueprints, a map, cooked ones with their mappings, a project.

use std::sync::Arc;

use unreal_packages::content::PackageContents;
use unreal_packages::edit::{PackageEdit, RenamePackage, actor_package};
use unreal_packages::generate::{Builder, NewAsset, NewRows};
use unreal_packages::object::ue4::graph::node::EdGraphNode;
use unreal_packages::package::{Package, UassetapiOptions, document_of_uassetapi};
use unreal_packages::primitive::PackageFlags;
use unreal_packages::property::mappings::{
    MappingData, MappingName, MappingProperty, MappingStruct, SchemaType,
};
use unreal_packages::property::{Mappings, PropertyList};
use unreal_packages::{EngineRelease, Guid};

use super::{Copy, files, ue4_declared};

#[path = "../../commands/common/cube.rs"]
mod cube;

pub const RELEASE: EngineRelease = EngineRelease::new(5, 4);

/// The package that a document of UAssetAPI was made from.
pub fn of_uassetapi(document: &str) -> Vec<u8> {
    let own = document_of_uassetapi(document.as_bytes(), &UassetapiOptions::default()).unwrap();
    Package::from_json(&own.text).unwrap().to_bytes().unwrap()
}

pub fn write(world: &Copy) {
    for name in ["DT_Weapons", "Weapons"] {
        world.write(&format!("{name}.uasset"), table(name));
    }
    let entries = [("Greeting", "Welcome"), ("Farewell", "Good bye")];
    let texts = NewAsset::string_table("/Game/Texts", "Menu", entries);
    world.write("Texts.uasset", texts.to_bytes(RELEASE).unwrap());
    for (name, class) in [("SM_Rock", "StaticMesh"), ("M_Rock", "Material")] {
        world.write(&format!("{name}.uasset"), pictured(name, &format!("/Game/{name}"), class));
    }
    let sky = cube::cube("T_Sky");
    let file = Package::from_bytes(sky.clone()).unwrap().contents().texture_dds(0, &[]).unwrap();
    world.write("T_Sky.uasset", sky);
    // With another last texel.
    world.write("Sky.dds", [&file[..file.len() - 1], &[0]].concat());
    world.write("BP_Door.uasset", ue4_declared::door());
    world.write("BP_Lift.uasset", lift());
    world.write("LampActor.uasset", own_actor());
    world.write("Map.umap", map("Map", "/Game/Old/Tree.Tree"));
    world.write("Game.usmap", mappings().to_bytes(3).unwrap());
    let (header, bodies) = ue4_declared::lamp(mappings());
    for folder in ["", "Paks/Game/"] {
        world.write(&format!("{folder}Lamp.uasset"), &header);
        world.write(&format!("{folder}Lamp.uexp"), &bodies);
    }
    for (folder, fields) in [("Old", &["Health"][..]), ("New", &["Health", "Armor"])] {
        world.write(&format!("{folder}/BP_Hero.uasset"), ue4_declared::hero(fields));
    }
    for project in ["MyProject", "~/Projects/MyProject"] {
        let write = |name: &str, bytes: Vec<u8>| world.write(&format!("{project}/{name}"), bytes);
        write("MyProject.uproject", b"{}".to_vec());
        write("Content/Meshes/Rock.uasset", pictured("Rock", "/Game/Meshes/Rock", "StaticMesh"));
        write("Content/Maps/Town.umap", map("Town", "/Game/Meshes/Rock.Rock"));
        write("Content/Characters/BP_Hero.uasset", ue4_declared::hero(&["Health"]));
        write("Content/E_Weapon.uasset", ue4_declared::weapon_kinds());
    }
}

/// A table of weapons.
fn table(name: &str) -> Vec<u8> {
    let mut rows = NewRows::of("/Script/MyGame.Weapon");
    rows.column("Damage", "float".parse().unwrap());
    rows.column("Title", "string".parse().unwrap());
    for (row, damage) in [("Sword", "12.5"), ("Axe", "20"), ("Bow", "7")] {
        rows.row(row, [damage, "A weapon"]).unwrap();
    }
    NewAsset::data_table(&format!("/Game/{name}"), rows).to_bytes(RELEASE).unwrap()
}

/// An asset with a picture for the editor's browser.
fn pictured(name: &str, path: &str, class: &str) -> Vec<u8> {
    let class = format!("/Script/Engine.{class}");
    let bytes = Builder::for_release(RELEASE)
        .guid(Guid::new(80, 1, 2, 3))
        .export(name, class, vec![7; 50])
        .build()
        .unwrap();
    let mut package = Package::from_bytes(bytes).unwrap();
    package.edit(|edit| edit.rename_package(path, &Default::default())).unwrap();
    package.edit(|edit| edit.set_thumbnail(name, &files::picture(7))).unwrap();
    package.to_bytes().unwrap()
}

/// A blueprint whose graph has an event and a comment around it.
fn lift() -> Vec<u8> {
    let bytes = Builder::for_release(RELEASE).guid(Guid::new(86, 1, 2, 3)).build().unwrap();
    let mut package = Package::from_bytes(bytes).unwrap();
    package
        .edit(|edit| {
            edit.add_blank_object("BP_Lift", "/Script/Engine.Blueprint")?;
            edit.add_blank_object("BP_Lift.EventGraph", "/Script/Engine.EdGraph")?;
            for (node, class) in [
                ("Begin", "/Script/BlueprintGraph.K2Node_Event"),
                ("Note", "/Script/UnrealEd.EdGraphNode_Comment"),
            ] {
                let class_name = class.rsplit('.').next().unwrap();
                let native = EdGraphNode::blank(class_name);
                let node = format!("BP_Lift.EventGraph.{node}");
                edit.add_object(&node, class, PropertyList::default(), native)?;
            }
            edit.add_property("BP_Lift.EventGraph.Note", "NodeWidth", &"int".parse()?, "400")
        })
        .unwrap();
    package.to_bytes().unwrap()
}

/// A map with a lamp in its level, which uses a mesh.
fn map(name_of_map: &str, mesh: &str) -> Vec<u8> {
    let bytes = Builder::for_release(RELEASE)
        .guid(Guid::new(81, 1, 2, 3))
        .import(mesh, "/Script/Engine.StaticMesh")
        .build()
        .unwrap();
    let level = format!("{name_of_map}.PersistentLevel");
    let lamp = format!("{level}.Lamp_3");
    let mut package = Package::from_bytes(bytes).unwrap();
    package
        .edit(|edit| {
            edit.add_blank_object(name_of_map, "/Script/Engine.World")?;
            edit.add_blank_object(&level, "/Script/Engine.Level")?;
            edit.add_blank_object(&lamp, "/Script/Engine.PointLight")?;
            edit.add_property(&lamp, "Intensity", &"float".parse()?, "100")
        })
        .unwrap();
    package.to_bytes().unwrap()
}

/// A lamp of the town in a package of its own.
fn own_actor() -> Vec<u8> {
    let level = "/Game/Maps/Town.Town.PersistentLevel";
    let bytes = Builder::for_release(RELEASE)
        .guid(Guid::new(87, 1, 2, 3))
        .import(level, "/Script/Engine.Level")
        .build()
        .unwrap();
    let mut package = Package::from_bytes(bytes).unwrap();
    package
        .edit(|edit| {
            edit.add_blank_object("Lamp_3", "/Script/Engine.PointLight")?;
            let guid = "00000001000000020000000300000004";
            edit.add_property("Lamp_3", "ActorGuid", &"struct:Guid".parse()?, guid)
        })
        .unwrap();
    let mut text = Vec::new();
    package.to_json(&mut text, false).unwrap();
    let mut document: serde_json::Value = serde_json::from_slice(&text).unwrap();
    document["exports"][0]["outer_index"] = level.into();
    let mut package = Package::from_json(document.to_string().as_bytes()).unwrap();
    let path = actor_package("/Game/Maps/Town", "Lamp_3");
    let options = RenamePackage::new().keep_object(true);
    package.edit(|edit| edit.rename_package(&path, &options)).unwrap();
    package.to_bytes().unwrap()
}

/// What cooked packages leave out: the properties of a lamp, of a beast, and of classes that blueprints are compiled to.
pub fn mappings() -> Arc<Mappings> {
    let names = "Lamp_C Mesh Height Beast Health BlueprintGeneratedClass Ore Value".split(' ');
    let names = names.map(|text| MappingName(text.into())).collect();
    let property =
        |schema_index, name, schema| MappingProperty { schema_index, array_dim: 1, name, schema };
    let properties = vec![property(0, 1, SchemaType::SoftObject), property(1, 2, SchemaType::Int)];
    let lamp = MappingStruct { name: 0, super_struct: u32::MAX, property_count: 2, properties };
    let properties = vec![property(0, 4, SchemaType::Float)];
    let beast = MappingStruct { name: 3, super_struct: u32::MAX, property_count: 1, properties };
    let class =
        MappingStruct { name: 5, super_struct: u32::MAX, property_count: 0, properties: vec![] };
    let properties = vec![property(0, 7, SchemaType::Int)];
    let ore = MappingStruct { name: 6, super_struct: u32::MAX, property_count: 1, properties };
    let structs = vec![lamp, beast, class, ore];
    Arc::new(Mappings::new(MappingData { names, structs, ..MappingData::default() }))
}

/// Cooked, without versions and names of properties.
pub fn cooked() -> Builder {
    let flags = PackageFlags::FILTER_EDITOR_ONLY
        .with(PackageFlags::UE4_COOKED)
        .with(PackageFlags::UNVERSIONED_PROPERTIES);
    Builder::for_release(RELEASE).guid(Guid::new(82, 1, 2, 3)).flags(flags)
}
