//! Packages of UE4 and UE5: paths under mounts, soft references, redirectors, declarations.

use std::path::Path;
use std::sync::Arc;

use unreal_packages::edit::PackageEdit;
use unreal_packages::environment::{
    Classes, Dependency, Digest, Environment, Finding, LayoutChange, Outcome, Settings,
};
use unreal_packages::generate::Builder;
use unreal_packages::inspect::PackageValues;
use unreal_packages::object::ue4::field::{Declaration, Field, FieldData};
use unreal_packages::object::ue4::structure::Struct;
use unreal_packages::object::ue4::structure::class::Class;
use unreal_packages::object::ue4::structure::enumeration::{Enum, Enumerator};
use unreal_packages::object::ue4::structure::user_struct::UserDefinedStruct;
use unreal_packages::package::{FurtherSections, OpenOptions, Package};
use unreal_packages::primitive::{PackageFlags, SoftObjectPath};
use unreal_packages::property::Value;
use unreal_packages::property::mappings::{MappingData, MappingName, MappingStruct, Mappings};
use unreal_packages::table::SoftPackageReference;
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archived, EngineRelease, Name, PackageIndex, Saver, Versions};

use crate::game::{Folder, doctor, outcome};

/// A body for each export: made when the names and imports of the package are known.
type Bodies<'a> = &'a [(&'a str, &'a str, &'a dyn Fn(&Package) -> Vec<u8>)];

/// Builds a package twice: the second time with bodies that know the rows of the first.
fn build(builder: &dyn Fn() -> Builder, bodies: Bodies<'_>) -> Vec<u8> {
    let with = |package: Option<&Package>| {
        let add = |builder: Builder, (name, class, body): &(&str, &str, &dyn Fn(&Package) -> _)| {
            builder.export(*name, *class, package.map(body).unwrap_or_default())
        };
        bodies.iter().fold(builder(), add).build().unwrap()
    };
    let first = Package::from_bytes(with(None)).unwrap();
    with(Some(&first))
}

fn name(package: &Package, text: &str) -> Name {
    Name::new(package.names().find(text).unwrap() as i32)
}

fn saved<T: Archived>(package: &Package, value: &mut T) -> Vec<u8> {
    let mut saver = Saver::new(package.versions().of_bodies()).with_context(package.context());
    value.serialize(&mut saver).unwrap();
    saver.into_bytes()
}

/// A project with a mesh, what was the mesh before it was renamed, and a map that uses both ways.
fn project() -> Folder {
    let folder = Folder::new();
    folder.write("My.uproject", "{}");
    let builder = || Builder::for_versions(Versions::ue4_and_5(516, 0));
    let sea = builder().export("Sea", "/Script/Engine.Texture2D", vec![0; 8]).build().unwrap();
    folder.write("Content/Water/Sea.uasset", sea);
    for (file, target) in [("Ocean", "Sea"), ("Puddle", "Gone")] {
        let target = format!("/Game/Water/Sea.{target}");
        let from = || builder().name("None").import(&target, "/Script/Engine.Texture2D");
        let redirector = |package: &Package| {
            let mut index = package.find(&target).unwrap();
            let none = saved(package, &mut name(package, "None"));
            [none, vec![0; 4], saved(package, &mut index)].concat()
        };
        let bytes = build(&from, &[(file, "/Script/CoreUObject.ObjectRedirector", &redirector)]);
        folder.write(&format!("Content/Water/{file}.uasset"), bytes);
    }
    let mut sections = FurtherSections::default();
    for row in 1..5 {
        let reference = SoftPackageReference { name: Name::new(row), ..Default::default() };
        sections.soft_package_references.push(reference);
    }
    let names = ["None", "/Game/Water/Sea", "/Game/Nowhere", "/Script/Engine", "/Game/Water/Ocean"];
    let map = names
        .into_iter()
        .fold(builder(), Builder::name)
        .sections(sections)
        .import("/Game/Water/Ocean.Ocean", "/Script/Engine.Texture2D")
        .import("/Game/Water/Sea.Sea", "/Script/Engine.Texture2D");
    folder.write("Content/Maps/Entry.umap", map.build().unwrap());
    folder
}

#[test]
fn packages_of_later_engines_find_each_other_by_their_paths() {
    let folder = project();
    let builder = || Builder::for_versions(Versions::ue4_and_5(510, 0));
    let map = builder()
        .import("/Game/Water/Sea.Sea", "/Script/Engine.Texture2D")
        .import("/Game/Water/Sea.Lake", "/Script/Engine.Texture2D")
        .import("/Game/Gone.Gone", "/Script/Engine.Texture2D")
        .import("/Script/Engine.Actor", "/Script/CoreUObject.Class")
        .build()
        .unwrap();
    let map = Package::from_bytes(map).unwrap();
    let environment = folder.environment();
    let of = |path: &str| outcome(&environment, &map, path);
    assert_eq!(of("/Game/Water/Sea.Sea"), Outcome::Found { row: Some(0) });
    let near = vec!["/Game/Water/Sea.Sea".to_owned()];
    assert!(
        matches!(of("/Game/Water/Sea.Lake"), Outcome::ObjectMissing { near: found } if found != near)
    );
    assert_eq!(of("/Game/Gone.Gone"), Outcome::PackageMissing);
    assert_eq!(of("/Script/Engine.Actor"), Outcome::Native);
}

/// What a container holds has no project file: whichever folder of it is named, paths begin at `Content`.
#[test]
fn unpacked_games_are_found_by_their_content() {
    let project = project();
    let content = project.path("Content");
    let target = "/Game/Water/Sea.Sea";
    let builder = Builder::for_versions(Versions::ue4_and_5(510, 0));
    let map = builder.import(target, "/Script/Engine.Texture2D").build().unwrap();
    let map = Package::from_bytes(map).unwrap();
    let finds = |folder: &Path| {
        let environment = Environment::open(folder).unwrap();
        outcome(&environment, &map, target) == Outcome::Found { row: Some(0) }
    };
    assert!(finds(&content), "the content alone");
    let game = Folder::new();
    for file in ["Water/Sea.uasset", "Maps/Entry.umap"] {
        game.write(&format!("Out/My/Content/{file}"), std::fs::read(content.join(file)).unwrap());
    }
    for folder in ["Out/My/Content", "Out/My", "Out"] {
        assert!(finds(&game.path(folder)), "{folder}");
    }
    // The engine's content is not the game's.
    game.write(
        "Out/Engine/Content/Sky.uasset",
        std::fs::read(content.join("Water/Sea.uasset")).unwrap(),
    );
    assert!(finds(&game.path("Out")));
    // Of two games none is meant, and packages beside are found as in any folder.
    game.write("Other/A/Content/A.uasset", "");
    game.write("Other/B/Content/B.uasset", "");
    game.write("Beside/My/Content/Sky.uasset", "");
    game.write("Beside/Sea.uasset", std::fs::read(content.join("Water/Sea.uasset")).unwrap());
    assert!(Settings::detect(game.path("Other")).unwrap().roots.is_empty());
    assert!(Settings::detect(game.path("Beside")).unwrap().roots.is_empty());
}

#[test]
fn redirectors_are_followed() {
    let folder = project();
    let builder = Builder::for_versions(Versions::ue4_and_5(516, 0))
        .import("/Game/Water/Ocean.Ocean", "/Script/Engine.Texture2D")
        .import("/Game/Water/Puddle.Puddle", "/Script/Engine.Texture2D");
    let package = Package::from_bytes(builder.build().unwrap()).unwrap();
    let environment = folder.environment();
    let of = |path: &str| outcome(&environment, &package, path);
    let to = "/Game/Water/Sea.Sea".to_owned();
    assert_eq!(of("/Game/Water/Ocean.Ocean"), Outcome::Redirected { row: 0, to });
    let to = "/Game/Water/Sea.Gone".to_owned();
    assert_eq!(of("/Game/Water/Puddle.Puddle"), Outcome::RedirectorBroken { row: 0, to });
    // One of another class leads to nothing of use.
    let builder = Builder::for_versions(Versions::ue4_and_5(516, 0))
        .import("/Game/Water/Ocean.Ocean", "/Script/Engine.StaticMesh");
    let package = Package::from_bytes(builder.build().unwrap()).unwrap();
    let found = outcome(&environment, &package, "/Game/Water/Ocean.Ocean");
    assert!(!found.is_fine(), "{found}");
}

#[test]
fn soft_references_are_told_from_imports() {
    let folder = project();
    let environment = folder.environment();
    let entry = environment.find("/Game/Maps/Entry").unwrap();
    let all = environment.resolve_file(entry).unwrap();
    let soft: Vec<_> = all.iter().filter(|found| found.kind == Dependency::Soft).collect();
    let outcomes: Vec<_> =
        soft.iter().map(|found| (found.path.as_str(), found.outcome.clone())).collect();
    assert_eq!(
        outcomes,
        [
            ("/Game/Water/Sea", Outcome::Found { row: None }),
            ("/Game/Nowhere", Outcome::PackageMissing),
            ("/Script/Engine", Outcome::Native),
            ("/Game/Water/Ocean", Outcome::Found { row: None }),
        ]
    );
    let users = environment.users_of("/Game/Water/Sea", "");
    let kinds: Vec<_> =
        users.iter().map(|user| (user.package.as_str(), user.kind, user.path.as_str())).collect();
    assert_eq!(kinds.iter().filter(|(package, ..)| *package == "/Game/Maps/Entry").count(), 3);
    assert!(kinds.contains(&("/Game/Maps/Entry", Dependency::Soft, "/Game/Water/Sea")));
    assert_eq!(environment.users_of("/Game/Nowhere", "").len(), 1);
    let findings = doctor(&environment);
    let words: Vec<_> = findings.iter().map(Finding::word).collect();
    assert_eq!(words, ["object-missing", "soft-package-missing"], "{findings:?}");
    assert_eq!(environment.opened(), 4);
}

#[test]
fn soft_references_of_cooked_packages_are_found_in_their_properties() {
    let folder = project();
    let flags = PackageFlags::FILTER_EDITOR_ONLY.with(PackageFlags::UE4_COOKED);
    let names = ["None", "Skin", "SoftObjectProperty", "/Game/Water/Sea.Sea", "/Game/Not.There"];
    let from = || {
        let builder = Builder::for_versions(Versions::ue4_and_5(516, 0)).flags(flags);
        names.into_iter().fold(builder, Builder::name)
    };
    let body = |package: &Package| {
        let row = |text: &str| saved(package, &mut name(package, text));
        let property = |path: &str| {
            let asset_path_name = name(package, path);
            let path =
                saved(package, &mut SoftObjectPath { asset_path_name, ..Default::default() });
            let size = (path.len() as i32).to_le_bytes();
            let head = [row("Skin"), row("SoftObjectProperty"), size.into(), vec![0; 4], vec![0]];
            [head.concat(), path].concat()
        };
        let all = [property("/Game/Water/Sea.Sea"), property("/Game/Not.There"), row("None")];
        [all.concat(), vec![0; 4]].concat()
    };
    folder
        .write("Content/Boat.uasset", build(&from, &[("Boat", "/Script/Engine.DataAsset", &body)]));
    let environment = folder.environment();
    let found = environment.resolve_file(environment.find("/Game/Boat").unwrap()).unwrap();
    let soft: Vec<_> = found.iter().filter(|found| found.kind == Dependency::Soft).collect();
    assert_eq!(soft.len(), 2, "{found:?}");
    assert_eq!(soft[0].outcome, Outcome::Found { row: Some(0) });
    assert_eq!(soft[1].outcome, Outcome::PackageMissing);
}

fn field(package: &Package, text: &str, class: &str, data: FieldData) -> Field {
    let declaration =
        Declaration { name: name(package, text), array_dim: 1, data, ..Declaration::default() };
    Field { type_name: name(package, class), declaration: Some(Box::new(declaration)) }
}

/// What stands before a native part: no properties, no GUID.
const EMPTY: [u8; 6] = [0, 1, 0, 0, 0, 0];

fn cooked() -> Builder {
    let flags = PackageFlags::FILTER_EDITOR_ONLY
        .with(PackageFlags::UE4_COOKED)
        .with(PackageFlags::UNVERSIONED_PROPERTIES);
    Builder::for_versions(EngineRelease::new(5, 4).versions()).flags(flags)
}

/// `S_Place` is a struct of two numbers, `E_Kind` an enum, `BP_Hero_C` a class with a number, a place and a
/// kind; all cooked, so that bodies name no properties.
fn declarations(heroes: &[(&str, &str)]) -> Folder {
    let folder = Folder::new();
    folder.write("My.uproject", "{}");
    let names = ["None", "X", "Y", "IntProperty", "DoubleProperty"];
    let from = || names.into_iter().fold(cooked(), Builder::name);
    let place = |package: &Package| {
        let properties = vec![
            field(package, "X", "IntProperty", FieldData::None),
            field(package, "Y", "DoubleProperty", FieldData::None),
        ];
        let base = Struct { properties, ..Struct::default() };
        let mut made =
            UserDefinedStruct { base, struct_flags: Some(0), ..UserDefinedStruct::default() };
        [EMPTY.to_vec(), saved(package, &mut made)].concat()
    };
    let bytes = build(&from, &[("S_Place", "/Script/Engine.UserDefinedStruct", &place)]);
    folder.write("Content/S_Place.uasset", bytes);
    let from = || ["None", "Good", "Evil"].into_iter().fold(cooked(), Builder::name);
    let kind = |package: &Package| {
        let enumerator = |text, value| Enumerator { name: name(package, text), value };
        let enumerators = vec![enumerator("Good", 0), enumerator("Evil", 7)];
        [EMPTY.to_vec(), saved(package, &mut Enum { enumerators, ..Enum::default() })].concat()
    };
    let bytes = build(&from, &[("E_Kind", "/Script/Engine.UserDefinedEnum", &kind)]);
    folder.write("Content/E_Kind.uasset", bytes);
    let names = ["None", "Where", "StructProperty", "Kind", "EnumProperty", "ByteProperty"];
    let from = || {
        let names =
            names.into_iter().chain(heroes.iter().flat_map(|(name, class)| [*name, *class]));
        names
            .fold(cooked(), Builder::name)
            .import("/Script/Engine.DataAsset", "/Script/CoreUObject.Class")
            .import("/Game/S_Place.S_Place", "/Script/Engine.UserDefinedStruct")
            .import("/Game/E_Kind.E_Kind", "/Script/Engine.UserDefinedEnum")
    };
    let hero = |package: &Package| {
        let of = |path: &str| package.find(path).unwrap();
        let number = Field {
            type_name: name(package, "ByteProperty"),
            declaration: Some(Box::new(Declaration {
                array_dim: 1,
                data: FieldData::One(PackageIndex::NULL),
                ..Declaration::default()
            })),
        };
        let place = FieldData::One(of("/Game/S_Place.S_Place"));
        let kind = FieldData::Enum(of("/Game/E_Kind.E_Kind"), number);
        let mut properties: Vec<_> = heroes
            .iter()
            .map(|(name, class)| field(package, name, class, FieldData::None))
            .collect();
        properties.push(field(package, "Where", "StructProperty", place));
        properties.push(field(package, "Kind", "EnumProperty", kind));
        let super_struct = of("/Script/Engine.DataAsset");
        let base = Struct { super_struct, properties, ..Struct::default() };
        [EMPTY.to_vec(), saved(package, &mut Class { base, ..Class::default() })].concat()
    };
    let bytes = build(&from, &[("BP_Hero_C", "/Script/Engine.BlueprintGeneratedClass", &hero)]);
    folder.write("Content/BP_Hero.uasset", bytes);
    let from = || {
        cooked()
            .name("None")
            .import("/Game/BP_Hero.BP_Hero_C", "/Script/Engine.BlueprintGeneratedClass")
    };
    // Two values of the class, two of the struct in it, one of the enum: 5, (3, 1.5), 7; no GUID.
    let held = |_: &Package| {
        let two = [0, 5];
        let place = [&two[..], &3_i32.to_le_bytes(), &1.5_f64.to_le_bytes()].concat();
        [&[0, 7], &5_i32.to_le_bytes()[..], &place, &[7], &[0; 4]].concat()
    };
    let bytes = build(&from, &[("Ann", "/Game/BP_Hero.BP_Hero_C", &held)]);
    folder.write("Content/Ann.uasset", bytes);
    folder
}

/// What the engine declares; nothing of it has properties.
fn engine() -> OpenOptions {
    OpenOptions::new().mappings(engine_mappings())
}

fn engine_mappings() -> Arc<Mappings> {
    let names = ["BlueprintGeneratedClass", "UserDefinedStruct", "UserDefinedEnum", "DataAsset"];
    let structs = (0..names.len() as u32).map(|name| MappingStruct {
        name,
        super_struct: u32::MAX,
        ..MappingStruct::default()
    });
    let data = MappingData {
        structs: structs.collect(),
        names: names.map(|name| MappingName(name.into())).to_vec(),
        ..MappingData::default()
    };
    Arc::new(Mappings::new(data))
}

fn environment(folder: &Folder) -> Environment {
    Environment::new(Settings::detect(folder.path("")).unwrap(), engine()).unwrap()
}

#[test]
fn classes_structs_and_enums_of_later_engines_are_declared() {
    let folder = declarations(&[("Health", "IntProperty")]);
    let classes = environment(&folder).classes(&mut |_| {});
    let hero = classes.get("BP_Hero_C").unwrap();
    assert_eq!(hero.path(), "/Game/BP_Hero.BP_Hero_C");
    assert_eq!(hero.parent.as_deref(), Some("/Script/Engine.DataAsset"));
    let types: Vec<_> =
        hero.fields.iter().map(|field| (field.name.as_str(), field.type_text())).collect();
    let expected = [
        ("Health", "int"),
        ("Where", "struct /Game/S_Place.S_Place"),
        ("Kind", "/Game/E_Kind.E_Kind"),
    ];
    assert_eq!(types, expected.map(|(name, text)| (name, text.to_owned())));
    let place = classes.structure("/Game/S_Place.S_Place").unwrap();
    let types: Vec<_> = place.fields.iter().map(|field| field.type_text()).collect();
    assert_eq!(types, ["int", "double"]);
    let source = classes.rust_source("/Game/BP_Hero");
    for line in [
        "pub struct BP_Hero_C {",
        "pub health: ::std::option::Option<i32>,",
        "pub where_: ::std::option::Option<S_Place>,",
        "pub kind: ::std::option::Option<::unreal_packages::property::EnumValue>,",
        "::std::option::Option<f64>,",
        "pub body: ::unreal_packages::object::TypedBody<BP_Hero_C>,",
    ] {
        assert!(source.contains(line), "{line}: {source}");
    }
    let alone = classes.rust_source("/Game/S_Place");
    assert!(alone.contains("pub struct S_Place {"), "structs without a class: {alone}");
    let kind = classes.enumeration("/Game/E_Kind.E_Kind").unwrap();
    assert_eq!((kind.values.as_slice(), kind.number(1)), (&["Good".into(), "Evil".into()][..], 7));
}

/// Names are what Rust takes, each once.
#[test]
fn names_in_rust_source_are_what_rust_takes() {
    let names = ["bHidden", "LODBias", "Type", "B Hidden", "b__hidden", "3D", "é"];
    let folder = declarations(&names.map(|name| (name, "IntProperty")));
    let source = environment(&folder).classes(&mut |_| {}).rust_source("/Game/BP_Hero");
    let (_, class) = source.split_once("pub struct BP_Hero_C {").unwrap();
    let fields: Vec<&str> = class
        .lines()
        .filter_map(|line| {
            line.trim().strip_prefix("pub ")?.strip_suffix(": ::std::option::Option<i32>,")
        })
        .collect();
    let expected = ["b_hidden", "lod_bias", "type_", "b_hidden_", "b__hidden", "x3_d", "x_"];
    assert_eq!(fields[..expected.len()], expected, "{source}");
}

/// What is left of a path at its package.
#[test]
fn soft_references_are_split_at_their_package() {
    // No package has a dot in its name; objects have slashes.
    let paths = ["/Game/A/B.C:Look Up / Down.E", "/Game/Map", "/Script/Engine.Actor"];
    let builder = Builder::for_versions(Versions::ue4_and_5(510, 0));
    let mut sections = FurtherSections::default();
    for path in paths {
        let reference = SoftPackageReference { path: path.into(), ..Default::default() };
        sections.soft_package_references.push(reference);
    }
    let package = Package::from_bytes(builder.sections(sections).build().unwrap()).unwrap();
    let digest = Digest::of(&package);
    let found: Vec<_> = (0..paths.len()).map(|row| digest.soft_reference(row)).collect();
    let expected =
        [("/Game/A/B", "C:Look Up / Down.E"), ("/Game/Map", ""), ("/Script/Engine", "Actor")];
    assert_eq!(found, expected);
}

/// The mappings of a package follow all that they are made from.
#[test]
fn declarations_that_change_are_followed() {
    let folder = declarations(&[("Health", "IntProperty")]);
    let environment = environment(&folder);
    let mut package = hero(1);
    let text = |package: &Package, property: &str| {
        package.values().property("Ann", property).ok().map(|value| value.text)
    };
    assert_eq!(text(&package, "Health").as_deref(), Some("5"));
    // Names.
    package.edit(|edit| edit.rename_name("Health", "Strength")).unwrap();
    let found = (text(&package, "Health"), text(&package, "Strength"));
    assert_eq!(found, (None, Some("5".to_owned())));
    // What was given, and what others declare.
    package.use_mappings(engine_mappings());
    assert_eq!(text(&package, "Strength").as_deref(), Some("5"));
    environment.add_class_layouts(&mut package);
    assert_eq!(text(&package, "Strength").as_deref(), Some("5"));
    // The class itself; a copy stays what it was.
    let before = package.clone();
    let row = package.find_export("BP_Hero_C").unwrap();
    let other = hero(3);
    let class = other.body(row).unwrap().to_vec();
    package.edit(|edit| edit.replace_body(row, class)).unwrap();
    // Bodies that are decoded already are what they were; opened again they go by what is declared now.
    let again = engine().open_bytes(package.to_bytes().unwrap()).unwrap();
    assert_eq!(text(&again, "Mana").as_deref(), Some("5"));
    assert_eq!(text(&before, "Mana"), None);
    assert_eq!(text(&before, "Strength").as_deref(), Some("5"));
}

/// A cooked package with a class that declares one number, called so, and an object of it whose number is 5.
fn hero(name: i32) -> Package {
    let health = Field {
        type_name: Name::new(2),
        declaration: Some(Box::new(Declaration {
            name: Name::new(name),
            array_dim: 1,
            data: FieldData::None,
            ..Declaration::default()
        })),
    };
    let base = Struct { properties: vec![health], ..Struct::default() };
    let names =
        || ["None", "Health", "IntProperty", "Mana"].into_iter().fold(cooked(), Builder::name);
    let class = |package: &Package| {
        let mut class = Class { base: base.clone(), ..Class::default() };
        [EMPTY.to_vec(), saved(package, &mut class)].concat()
    };
    let held = |_: &Package| [&[0, 3], &5_i32.to_le_bytes()[..], &[0; 4]].concat();
    let class = ("BP_Hero_C", "/Script/Engine.BlueprintGeneratedClass", &class as &dyn Fn(&_) -> _);
    engine().open_bytes(build(&names, &[class, ("Ann", "BP_Hero_C", &held)])).unwrap()
}

#[test]
fn changed_declarations_of_later_engines_are_told() {
    let of = |heroes: &[(&str, &str)]| -> Classes {
        environment(&declarations(heroes)).classes(&mut |_| {})
    };
    let old = of(&[("Health", "IntProperty"), ("Armor", "IntProperty")]);
    let new = of(&[("Armor", "FloatProperty"), ("Health", "IntProperty"), ("Age", "IntProperty")]);
    assert!(old.layout_changes(&old, "/Game/BP_Hero").is_empty());
    let changes = old.layout_changes(&new, "/Game/BP_Hero");
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert!(!changes[0].native && changes[0].class == "/Game/BP_Hero.BP_Hero_C");
    let retyped = LayoutChange::FieldRetyped {
        field: "Armor".to_owned(),
        old: "int".to_owned(),
        new: "float".to_owned(),
    };
    assert!(changes[0].changes.contains(&retyped), "{changes:?}");
    assert_eq!(changes[0].changes.len(), 6, "{changes:?}");
}

#[test]
fn bodies_are_decoded_by_what_other_packages_declare() {
    let folder = declarations(&[("Health", "IntProperty")]);
    let environment = environment(&folder);
    let open = || engine().open(folder.path("Content/Ann.uasset")).unwrap();
    let mut alone = open();
    alone.decode_all();
    assert_eq!(alone.decoded(0).unwrap().opaque, alone.body(0).unwrap().len() as u64);
    let mut taught = open();
    environment.add_class_layouts(&mut taught);
    taught.decode_all();
    let decoded = taught.decoded(0).unwrap();
    assert_eq!((decoded.opaque, decoded.error.is_none()), (0, true), "{:?}", decoded.error);
    let list = &decoded.body.prologue.as_ref().unwrap().properties;
    assert!(list.class().is_some(), "{list:?}");
    let context = taught.context();
    assert_eq!(list.value("Health", &context), Some(&Value::Int(5)));
    let Some(Value::List(place)) = list.value("Where", &context) else { panic!("{list:?}") };
    assert_eq!(place.value("Y", &context), Some(&Value::Double(1.5)));
    assert_eq!(
        taught.to_bytes().unwrap(),
        std::fs::read(folder.path("Content/Ann.uasset")).unwrap()
    );
}

#[test]
fn structs_in_maps_are_those_that_other_packages_declare() {
    let folder = Folder::new();
    folder.write("My.uproject", "{}");
    let builder = || Builder::for_versions(EngineRelease::new(4, 27).versions());
    let flags = PackageFlags::FILTER_EDITOR_ONLY.with(PackageFlags::UE4_COOKED);
    let names = ["None", "Spots", "MapProperty", "StructProperty", "IntProperty", "K", "V"];
    let from = || {
        names
            .into_iter()
            .fold(builder().flags(flags), Builder::name)
            .import("/Script/Engine.DataAsset", "/Script/CoreUObject.Class")
            .import("/Script/CoreUObject.Vector", "/Script/CoreUObject.ScriptStruct")
    };
    let class = |package: &Package| {
        let vector = package.find("/Script/CoreUObject.Vector").unwrap();
        let key = field(package, "K", "StructProperty", FieldData::One(vector));
        let value = field(package, "V", "IntProperty", FieldData::None);
        let properties = vec![field(package, "Spots", "MapProperty", FieldData::Map(key, value))];
        let super_struct = package.find("/Script/Engine.DataAsset").unwrap();
        let base = Struct { super_struct, properties, ..Struct::default() };
        let none = saved(package, &mut name(package, "None"));
        [none, vec![0; 4], saved(package, &mut Class { base, ..Class::default() })].concat()
    };
    let bytes = build(&from, &[("BP_Map_C", "/Script/Engine.BlueprintGeneratedClass", &class)]);
    folder.write("Content/BP_Map.uasset", bytes);
    let from = || {
        names
            .into_iter()
            .fold(builder().flags(flags), Builder::name)
            .import("/Game/BP_Map.BP_Map_C", "/Script/Engine.BlueprintGeneratedClass")
    };
    // Nothing removed, two pairs of a vector and a number.
    let held = |package: &Package| {
        let row = |text: &str| saved(package, &mut name(package, text));
        let pair = |x: f32, number: i32| {
            [&x.to_le_bytes()[..], &[0x11; 8], &number.to_le_bytes()].concat()
        };
        let value = [vec![0; 4], vec![2, 0, 0, 0], pair(1.0, 7), pair(2.0, 9)].concat();
        let size = (value.len() as i32).to_le_bytes().to_vec();
        let types = [row("StructProperty"), row("IntProperty")].concat();
        let tag = [row("Spots"), row("MapProperty"), size, vec![0; 4], types, vec![0]].concat();
        [tag, value, row("None"), vec![0; 4]].concat()
    };
    let path = folder
        .write("Content/Ann.uasset", build(&from, &[("Ann", "/Game/BP_Map.BP_Map_C", &held)]));
    let mut package = Package::open(&path).unwrap();
    package.decode_all();
    let alone = package.decoded(0).unwrap().opaque;
    assert_eq!(alone, 40, "{package:?}");
    let mut package = Package::open(&path).unwrap();
    folder.environment().add_class_layouts(&mut package);
    package.decode_all();
    assert_eq!(package.decoded(0).unwrap().opaque, 0);
    assert_eq!(package.to_bytes().unwrap(), std::fs::read(path).unwrap());
}
