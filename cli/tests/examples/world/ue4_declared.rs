//! What blueprints of UE4 and UE5 declare: classes with properties and functions, enums.

use std::sync::Arc;

use unreal_packages::archive::Span;
use unreal_packages::edit::PackageEdit;
use unreal_packages::generate::Builder;
use unreal_packages::object::ue4::field::{Declaration, Field, FieldData};
use unreal_packages::object::ue4::structure::Struct;
use unreal_packages::object::ue4::structure::class::Class;
use unreal_packages::object::ue4::structure::enumeration::{Enum, Enumerator};
use unreal_packages::object::ue4::structure::function::Function;
use unreal_packages::package::{OpenOptions, Package};
use unreal_packages::property::Mappings;
use unreal_packages::script::{Script, ScriptItem};
use unreal_packages::{Guid, PackageIndex};

use super::bodies::{Object, build, name, object, saved};
use super::ue4::{RELEASE, cooked};

/// The class of classes that blueprints make.
const GENERATED: &str = "/Script/Engine.BlueprintGeneratedClass";

/// What stands before the native part of an object: no properties, no GUID.
fn empty(package: &Package) -> Vec<u8> {
    [vec![0], saved(package, &mut name(package, "None")), vec![0; 4]].concat()
}

/// A blueprint of a door as the editor saves it: a class with an event, which refers to wood.
pub fn door() -> Vec<u8> {
    let builder = || {
        Builder::for_release(RELEASE)
            .guid(Guid::new(83, 1, 2, 3))
            .name("None")
            .import("/Script/Engine.Actor", "/Script/CoreUObject.Class")
            .import("/Game/Old/Wood.Wood", "/Script/Engine.Material")
    };
    let class = |package: &Package| {
        let event = object(package, "BP_Door_C.ReceiveBeginPlay");
        let base = Struct {
            super_struct: object(package, "/Script/Engine.Actor"),
            children: vec![event],
            ..Struct::default()
        };
        [empty(package), saved(package, &mut Class { base, ..Class::default() })].concat()
    };
    let event = |package: &Package| {
        let text = ScriptItem::Text(Box::new(Span::owned(*b"Hello")));
        let [string, back, nothing, end] = [0x1f, 0x04, 0x0b, 0x53].map(ScriptItem::Token);
        let script = Script { items: vec![string, text, back, nothing, end] };
        let base = Struct { script, ..Struct::default() };
        [empty(package), saved(package, &mut Function { base, ..Function::default() })].concat()
    };
    let objects: [Object<'_>; 4] = [
        ("BP_Door".into(), "/Script/Engine.Blueprint".into(), Box::new(empty)),
        ("BP_Door_C".into(), GENERATED.into(), Box::new(class)),
        (
            "BP_Door_C.ReceiveBeginPlay".into(),
            "/Script/CoreUObject.Function".into(),
            Box::new(event),
        ),
        ("Default__BP_Door_C".into(), "BP_Door_C".into(), Box::new(empty)),
    ];
    let mut package = Package::from_bytes(build(&builder, &objects)).unwrap();
    package.edit(|edit| edit.rename_package("/Game/BP_Door", &Default::default())).unwrap();
    let mut add = |property: &str, of: &str, text: &str| {
        package
            .edit(|edit| {
                edit.add_property("Default__BP_Door_C", property, &of.parse().unwrap(), text)
            })
            .unwrap();
    };
    add("Frame", "object", "/Script/Engine.Material'/Game/Old/Wood.Wood'");
    add("Wood", "soft-object", "/Game/Wood.Wood");
    package.to_bytes().unwrap()
}

fn property(package: &Package, text: &str, class: &str) -> Field {
    let declaration = Declaration {
        name: name(package, text),
        array_dim: 1,
        data: FieldData::None,
        ..Declaration::default()
    };
    Field { type_name: name(package, class), declaration: Some(Box::new(declaration)) }
}

/// A class of heroes with these numbers.
pub fn hero(fields: &[&str]) -> Vec<u8> {
    let builder = || {
        let builder = Builder::for_release(RELEASE).guid(Guid::new(84, 1, 2, 3));
        let builder = builder.name("None").name("IntProperty");
        let builder = fields.iter().fold(builder, |builder, name| builder.name(*name));
        builder.import("/Script/Engine.DataAsset", "/Script/CoreUObject.Class")
    };
    let class = |package: &Package| {
        let properties = fields.iter().map(|name| property(package, name, "IntProperty")).collect();
        let super_struct = object(package, "/Script/Engine.DataAsset");
        let base = Struct { super_struct, properties, ..Struct::default() };
        [empty(package), saved(package, &mut Class { base, ..Class::default() })].concat()
    };
    build(&builder, &[("BP_Hero_C".into(), GENERATED.into(), Box::new(class))])
}

/// An enum.
pub fn weapon_kinds() -> Vec<u8> {
    let builder = || {
        let builder = Builder::for_release(RELEASE).guid(Guid::new(85, 1, 2, 3));
        ["None", "Blade", "Bow"].into_iter().fold(builder, Builder::name)
    };
    let kinds = |package: &Package| {
        let enumerator = |(value, text)| Enumerator { name: name(package, text), value };
        let enumerators = (0..).zip(["Blade", "Bow"]).map(enumerator).collect();
        [empty(package), saved(package, &mut Enum { enumerators, ..Enum::default() })].concat()
    };
    let object = ("E_Weapon".into(), "/Script/Engine.UserDefinedEnum".into(), Box::new(kinds) as _);
    build(&builder, &[object])
}

/// A cooked lamp that says no version: what `.uasset` and `.uexp` hold.
pub fn lamp(mappings: Arc<Mappings>) -> (Vec<u8>, Vec<u8>) {
    let builder = || {
        let builder = cooked().unversioned().name("None");
        builder.import("/Game/Lamps/Lamp.Lamp_C", GENERATED)
    };
    // Only the second property of two, a number.
    let values = [&[1, 3][..], &7_i32.to_le_bytes(), &[0; 4]].concat();
    let with = builder().export("Default__Lamp_C", "/Game/Lamps/Lamp.Lamp_C", values);
    let bytes = with.build().unwrap();
    let options = OpenOptions::new().engine(RELEASE).mappings(mappings);
    let header = options.open_bytes(bytes.clone()).unwrap();
    assert_ne!(object(&header, "Default__Lamp_C"), PackageIndex::NULL);
    let header = header.summary().total_header_size as usize;
    (bytes[..header].to_vec(), bytes[header..].to_vec())
}
