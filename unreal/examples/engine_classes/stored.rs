//! What tags of packages say about classes and structs of the engine.

use std::collections::BTreeSet;

use unreal_packages::Engine;
use unreal_packages::package::Package;
use unreal_packages::property::{Elements, Property, PropertyKind, PropertyList, Type, Value};
use unreal_packages::version::UnrealVersions;

use crate::corpus;
use crate::facts::Facts;
use crate::scripts::Scripts;

/// Packages of UE1 to UE3 whose classes are the engine's own; the editor's are left out.
const ENGINE_PACKAGES: &[&str] =
    &["Core", "Engine", "GameFramework", "IpDrv", "GFxUI", "Fire", "Gameplay", "UWeb"];
/// Modules of UE4 and UE5 whose classes are the engine's own.
const ENGINE_MODULES: &[&str] = &[
    "AIModule",
    "CinematicCamera",
    "CoreUObject",
    "Engine",
    "EnhancedInput",
    "Foliage",
    "GameplayTags",
    "Landscape",
    "NavigationSystem",
    "Paper2D",
    "PhysicsCore",
    "UMG",
];

/// The class of the engine that a path names.
pub fn engine_class(path: &str) -> Option<&str> {
    let (package, class) = path.split_once('.')?;
    let is_own = match package.strip_prefix("/Script/") {
        Some(module) => ENGINE_MODULES.contains(&module),
        None => ENGINE_PACKAGES.iter().any(|own| own.eq_ignore_ascii_case(package)),
    };
    (is_own && !class.contains('.')).then_some(class)
}

/// A type as text, if that says all of it.
pub fn spelled(known: &Type) -> Option<String> {
    let text = known.to_string();
    let is_vague = |known: &Type| {
        matches!(known.kind(), PropertyKind::Struct | PropertyKind::Enum)
            && known.name().is_none_or(|named| named.name.is_empty())
    };
    let open = matches!(
        known.kind(),
        PropertyKind::Unknown | PropertyKind::Array | PropertyKind::Set | PropertyKind::Map
    ) && known.inner().is_empty();
    let plain = text.parse::<Type>().is_ok() && !text.contains([' ', '.', '/']);
    (plain && !open && !is_vague(known) && !known.inner().iter().any(is_vague)).then_some(text)
}

/// What the tags of a package say.
pub fn collect(package: &Package, name: &str, scripts: &Scripts, facts: &mut Facts) {
    let mut here = Facts::default();
    of_package(package, name, scripts, &mut here);
    for (owner, class) in here.classes.iter().chain(&here.structs) {
        for property in class.properties.keys() {
            here.stored.insert((owner.clone(), property.clone()), 1);
        }
    }
    facts.merge(&here);
}

/// The tags of the objects of a package. The class of a game says something about the class of the engine that it
/// derives from, where it is known what the game's declare.
fn of_package(package: &Package, name: &str, scripts: &Scripts, facts: &mut Facts) {
    let imports: BTreeSet<_> = package.imports().iter().map(|import| import.path()).collect();
    let early = package.versions().engine() <= Engine::Ue3;
    for row in 0..package.exports().len() {
        let Some(export) = package.exports().get(row) else { continue };
        let class = match export.entry().class_index.is_null() {
            // A class holds its own defaults before UE3.
            true => Scripts::path_of(name, &export.path()),
            false if imports.contains(&export.class()) => export.class(),
            false => Scripts::path_of(name, &export.class()),
        };
        if !early && engine_class(&class).is_none() {
            continue;
        }
        let is_default = export.name().starts_with("Default__");
        if let Some(engine) = engine_class(&class).filter(|_| !is_default) {
            facts.used.insert(engine.to_owned(), 1);
        }
        let Some(decoded) = package.decoded(row) else { continue };
        let prologue = decoded.body.prologue.as_ref().map(|prologue| &prologue.properties);
        for property in decoded.body.properties.iter().chain(prologue).flat_map(|l| &l.properties) {
            let known = type_of(property, package);
            let called = property.name_text(|name| package.name_text(name)).into_owned();
            let owner = match early {
                true => scripts.engine_class_with(&class, &called),
                false => engine_class(&class).map(str::to_owned),
            };
            let Some(owner) = owner else { continue };
            if let Some(text) = spelled(&known) {
                let index = u32::try_from(property.array_index()).unwrap_or(0);
                facts.class(&owner).note(&called, &text, dimension(index));
            }
            note_value(package, property.value(), &known, facts);
            within(package, property.value(), &known, facts);
        }
    }
}

/// Elements of a static array of which this one is stored: powers of two, since the last need not be.
fn dimension(index: u32) -> u32 {
    if index == 0 { 1 } else { (index + 1).next_power_of_two() }
}

/// The fields of structs that are lists of tags.
fn within(package: &Package, value: &Value, known: &Type, facts: &mut Facts) {
    match value {
        Value::List(list) => fields(package, list, known, facts),
        Value::Array(elements) => each(package, elements, known, facts),
        Value::StructArray(structs) => each(package, &structs.elements, known, facts),
        Value::Set(set) => each(package, &set.elements, known, facts),
        Value::Map(map) => {
            for (key, value) in &map.pairs {
                for (value, known) in [key, value].into_iter().zip(known.inner()) {
                    within(package, value, known, facts);
                }
            }
        }
        _ => {}
    }
}

fn each(package: &Package, elements: &Elements, known: &Type, facts: &mut Facts) {
    let Some(known) = known.inner().first() else { return };
    for value in elements.to_values(package.source()).unwrap_or_default() {
        within(package, &value, known, facts);
    }
}

fn fields(package: &Package, list: &PropertyList, known: &Type, facts: &mut Facts) {
    let text = |name| package.name_text(name);
    let Some(named) = known.name().filter(|named| !named.name.is_empty()) else { return };
    if !corpus::is_engines(&named.guid, &named.package) {
        return;
    }
    let name = named.name.clone();
    for property in &list.properties {
        let found = type_of(property, package);
        let called = property.name_text(text).into_owned();
        if let Some(text) = spelled(&found) {
            let index = u32::try_from(property.array_index()).unwrap_or(0);
            facts.structure(&name).note(&called, &text, dimension(index));
        }
        note_value(package, property.value(), &found, facts);
        within(package, property.value(), &found, facts);
    }
}

/// The value of an enum that is stored by its name.
fn note_value(package: &Package, value: &Value, known: &Type, facts: &mut Facts) {
    if let (Value::Name(name), Some(named)) = (value, known.name()) {
        let text = package.name_text(*name);
        facts.seen.entry(named.name.clone()).or_default().insert(text);
    }
}

fn type_of(property: &Property, package: &Package) -> Type {
    if package.versions().engine() > Engine::Ue2 {
        return property.stored_type(&|name| package.name_text(name));
    }
    // Here tags have a number for the type, and the value is in the form that it says.
    let structure = property.struct_name().map(|name| package.name_text(name));
    let kind = match property.value() {
        _ if structure.is_some() => return Type::structure(&structure.unwrap_or_default()),
        Value::Byte(_) => PropertyKind::Byte,
        Value::Int(_) => PropertyKind::Int,
        Value::Bool(_) => PropertyKind::Bool,
        Value::Float(_) => PropertyKind::Float,
        Value::Object(_) => PropertyKind::Object,
        Value::Name(_) => PropertyKind::Name,
        Value::Str(_) => PropertyKind::Str,
        _ => PropertyKind::Unknown,
    };
    Type::new(kind)
}
