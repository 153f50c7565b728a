//! Collects what the engines' own classes declare: names, types and dimensions of properties, values of enums,
//! and what derives from what. The files that it writes are those in `src/property/engine`; run again over the
//! same inputs it writes the same bytes.
//!
//! ```text
//! cargo run --release --all-features --example engine_classes -- DATA CORPUS OUT
//! ```
//! `DATA` holds the declarations of UE1 as tables (`engine-classes-ut99.tsv`, `engine-enums-ut99.tsv`). `CORPUS`
//! holds packages of UE1 to UE3 in `classic`, and packages of UE4 and UE5 in `modern` with a `manifest.tsv`, which
//! says how they are opened, and mappings in `usmap`. UE5 is what the largest mappings of the engine alone say;
//! UE2, UE3 and UE4 are what the packages of the engine declare and what tags of the others say. What is stored with
//! different types is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use farchive::package::{OpenOptions, Package};
use farchive::property::mappings::{MappingData, SchemaType};
use farchive::property::{Elements, Mappings, Property, PropertyKind, PropertyList, Type, Value};
use farchive::{Engine, Error};

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
/// The mappings that name the classes of UE5.
const MAPPINGS: &str = "UE5_8_CUE4ParseFixtures-Uncompressed.usmap";
/// What objects in levels and assets derive from; others are taken where a package has one.
const EDITED: &[&str] = &["Actor", "ActorComponent"];

/// A property: its type and dimension; no type where two contradict each other.
type Known = (Option<String>, u32);

#[derive(Default)]
struct Facts {
    classes: BTreeMap<String, Class>,
    structs: BTreeMap<String, Class>,
    enums: BTreeMap<String, Vec<(String, u64)>>,
    /// Values of enums that packages store.
    seen: BTreeMap<String, BTreeSet<String>>,
}

#[derive(Default)]
struct Class {
    parent: String,
    properties: BTreeMap<String, Known>,
}

impl Class {
    fn note(&mut self, name: &str, known: String, dimension: u32) {
        if name.is_empty() || name.contains([' ', '[', ']', '#']) {
            return;
        }
        let entry = self.properties.entry(name.to_owned());
        let held = entry.or_insert_with(|| (Some(known.clone()), dimension));
        if held.0.as_ref() != Some(&known) {
            held.0 = None;
        }
        held.1 = held.1.max(dimension);
    }
}

impl Facts {
    /// The file: the properties of a class by type, all in the order of their names.
    fn text(&self, source: &str) -> String {
        let mut text = format!("# {source}\n# Made by examples/engine_classes.rs.\n");
        for (word, all) in [("class", &self.classes), ("struct", &self.structs)] {
            for (name, class) in all {
                let mut by_type = BTreeMap::<&str, Vec<String>>::new();
                for (name, (known, dimension)) in &class.properties {
                    let Some(known) = known else { continue };
                    by_type.entry(known).or_default().push(match dimension {
                        0 | 1 => name.clone(),
                        count => format!("{name}[{count}]"),
                    });
                }
                if by_type.is_empty() && class.parent.is_empty() {
                    continue;
                }
                text += format!("{word} {name} {}", class.parent).trim_end();
                text.push('\n');
                for (known, names) in by_type {
                    text += &format!(" {known} {}\n", names.join(" "));
                }
            }
        }
        for (name, values) in &self.enums {
            text += &format!("enum {name}");
            let mut next = 0;
            for (value, number) in values {
                text += &match *number == next {
                    true => format!(" {value}"),
                    false => format!(" {value}={number}"),
                };
                next = number.wrapping_add(1);
            }
            text.push('\n');
        }
        text
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<_> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [data, corpus, out] = &arguments[..] else {
        eprintln!("usage: engine_classes DATA CORPUS OUT");
        return Ok(());
    };
    let write = |name: &str, text: String| {
        println!("{name}: {} bytes", text.len());
        std::fs::write(out.join(name), text)
    };
    write(
        "ue1.txt",
        ue1(data)?.text("The classes of UE1: what the packages of Unreal Tournament declare."),
    )?;
    let (mut ue2, mut ue3) = (Facts::default(), Facts::default());
    for path in files(&corpus.join("classic"))? {
        let Ok(mut package) = Package::open(&path) else { continue };
        let facts = match package.versions().engine() {
            Engine::Ue2 => &mut ue2,
            Engine::Ue3 => &mut ue3,
            _ => continue,
        };
        package.decode_all();
        collect(&package, facts);
        declared(&package, &path, facts);
    }
    write("ue2.txt", ue2.text("The classes of UE2, as far as packages store their properties."))?;
    write(
        "ue3.txt",
        ue3.text("The classes of UE3, as far as packages declare or store their properties."),
    )?;
    let (mut ue4, mut tagged) = (Facts::default(), Facts::default());
    for (path, options) in modern(&corpus.join("modern"))? {
        let Ok(mut package) = options.open(&path) else { continue };
        if package.versions().unversioned_properties {
            continue;
        }
        package.decode_all();
        collect(&package, &mut tagged);
        if package.versions().engine() == Engine::Ue4 {
            collect(&package, &mut ue4);
        }
    }
    let file = corpus.join("modern/usmap").join(MAPPINGS);
    let mappings = Mappings::from_bytes(&std::fs::read(file)?)?;
    ue4.enums = later_enums(&ue4, mappings.data());
    write("ue4.txt", ue4.text("The classes of UE4, as far as packages store their properties."))?;
    let ue5 = ue5(mappings.data(), &tagged);
    write("ue5.txt", ue5.text("The classes of UE5 that objects in levels and assets are of."))?;
    Ok(())
}

fn files(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let entries = std::fs::read_dir(folder).map_err(|error| Error::io(folder, error))?;
    let mut found: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    found.sort();
    Ok(found)
}

/// The packages that a manifest names, and how they are opened.
fn modern(folder: &Path) -> Result<Vec<(PathBuf, OpenOptions)>, Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string(folder.join("manifest.tsv"))?;
    let mut lines = text.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let head = lines.next().unwrap_or_default();
    let column = |name: &str| head.iter().position(|column| *column == name).unwrap_or(0);
    let (name, hint) = (column("file"), column("engine_hint"));
    let mut found = Vec::new();
    for line in lines {
        let path = folder.join(line[name]);
        if !path.extension().is_some_and(|end| end == "uasset" || end == "umap") {
            continue;
        }
        let options = match line.get(hint).map(|hint| hint.parse()) {
            Some(Ok(release)) => OpenOptions::new().engine(release),
            _ => OpenOptions::new(),
        };
        found.push((path, options));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(found)
}

/// The tables of UE1.
fn ue1(data: &Path) -> Result<Facts, Box<dyn std::error::Error>> {
    let last = |path: &str| path.rsplit('.').next().unwrap_or(path).to_owned();
    let mut facts = Facts::default();
    for line in std::fs::read_to_string(data.join("engine-classes-ut99.tsv"))?.lines().skip(1) {
        let columns: Vec<_> = line.split('\t').collect();
        let [_, class, parent, property, known, dimension, ..] = columns[..] else { continue };
        let class = facts.classes.entry(class.to_owned()).or_default();
        class.parent = if parent == "None" { String::new() } else { last(parent) };
        if let Some(known) = ue1_type(known) {
            class.note(property, known, dimension.parse()?);
        }
    }
    for line in std::fs::read_to_string(data.join("engine-enums-ut99.tsv"))?.lines().skip(1) {
        let columns: Vec<_> = line.split('\t').collect();
        let [_, path, values] = columns[..] else { continue };
        let values = values.split(' ').map(str::to_owned).zip(0..).collect();
        // Of enums of one name that two classes have the first stays, as objects have no other way to say which.
        facts.enums.entry(last(path)).or_insert(values);
    }
    Ok(facts)
}

/// The type that a declaration of UE1 says; `None` for what packages never store.
fn ue1_type(text: &str) -> Option<String> {
    let last = |path: &str| path.rsplit('.').next().unwrap_or(path).to_owned();
    Some(match text {
        "bool" | "int" | "float" | "byte" | "name" | "string" => text.to_owned(),
        "pointer" => return None,
        _ => match (text.strip_prefix("struct "), text.strip_prefix("array<")) {
            (Some(structure), _) => format!("struct:{}", last(structure)),
            (_, Some(inner)) => format!("array:{}", ue1_type(inner.strip_suffix('>')?)?),
            _ if text.starts_with("class<") => "class".to_owned(),
            // An enum lies in a class, or in a struct of one.
            _ if text.matches('.').count() >= 2 => format!("byte-enum:{}", last(text)),
            _ => "object".to_owned(),
        },
    })
}

/// What the classes of an engine package of UE3 declare themselves.
fn declared(package: &Package, path: &Path, facts: &mut Facts) {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let name = stem.rsplit('_').next().unwrap_or_default().split('~').next().unwrap_or_default();
    if package.versions().engine() != Engine::Ue3 || !ENGINE_PACKAGES.contains(&name) {
        return;
    }
    let layouts = package.layouts();
    for export in package.exports().iter().filter(|export| export.class() == "Core.Class") {
        let name = export.name();
        let Some(layout) = layouts.class(&name) else { continue };
        let class = facts.classes.entry(layout.name.to_string()).or_default();
        class.parent = layout.parent.to_string();
        for known in &layout.properties {
            if let Some(text) = spelled(&known.property) {
                class.note(&known.name, text, known.dimension);
            }
            if let Some(known) = &known.enumeration {
                let values = known.values.iter().map(|value| value.to_string()).zip(0..);
                facts.enums.entry(known.name.to_string()).or_insert_with(|| values.collect());
            }
        }
    }
}

/// A type as text, if that says all of it.
fn spelled(known: &Type) -> Option<String> {
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

/// What the tags of a package say about classes and structs of the engine.
fn collect(package: &Package, facts: &mut Facts) {
    let early = package.versions().engine() <= Engine::Ue3;
    let imports: BTreeSet<_> = package.imports().iter().map(|import| import.path()).collect();
    let is_own = |class: &str| match early {
        true => ENGINE_PACKAGES.contains(&class.split('.').next().unwrap_or_default()),
        false => class.strip_prefix("/Script/").is_some_and(|path| {
            ENGINE_MODULES.contains(&path.split('.').next().unwrap_or_default())
        }),
    };
    for row in 0..package.exports().len() {
        let Some(export) = package.exports().get(row) else { continue };
        let class = export.class();
        if !imports.contains(&class) || !is_own(&class) {
            continue;
        }
        let name = class.rsplit('.').next().unwrap_or_default().to_owned();
        let Some(decoded) = package.decoded(row) else { continue };
        let prologue = decoded.body.prologue.as_ref().map(|prologue| &prologue.properties);
        for property in decoded.body.properties.iter().chain(prologue).flat_map(|l| &l.properties) {
            let known = type_of(property, package);
            let called = property.name_text(|name| package.name_text(name)).into_owned();
            if let Some(text) = spelled(&known) {
                let index = u32::try_from(property.array_index()).unwrap_or(0);
                let class = facts.classes.entry(name.clone()).or_default();
                class.note(&called, text, dimension(index));
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
    // Structs that projects make have a GUID.
    let Some(named) = known.name().filter(|named| !named.name.is_empty()) else { return };
    if named.guid != farchive::Guid::default() || named.package.starts_with("/Game") {
        return;
    }
    let name = named.name.clone();
    for property in &list.properties {
        let found = type_of(property, package);
        let called = property.name_text(text).into_owned();
        if let Some(text) = spelled(&found) {
            let index = u32::try_from(property.array_index()).unwrap_or(0);
            facts.structs.entry(name.clone()).or_default().note(&called, text, dimension(index));
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

/// The enums that packages of UE4 use, as UE5 has them, and the values besides that are stored.
fn later_enums(facts: &Facts, data: &MappingData) -> BTreeMap<String, Vec<(String, u64)>> {
    let text = |row: u32| data.name(row).map(|name| name.to_string()).unwrap_or_default();
    let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_ascii_lowercase();
    let mut found = BTreeMap::new();
    for known in &data.enums {
        let name = text(known.name);
        let Some(seen) = facts.seen.get(&name) else { continue };
        let mut values: Vec<_> =
            known.values.iter().map(|value| (text(value.name), value.number)).collect();
        for value in seen {
            if !values.iter().any(|(known, _)| last(known) == last(value)) {
                values.push((value.clone(), 1000 + values.len() as u64));
            }
        }
        found.insert(name, values);
    }
    found
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

/// The classes of UE5 that are edited, with what they derive from and the structs and enums that they use.
fn ue5(data: &MappingData, tagged: &Facts) -> Facts {
    let text = |row: u32| data.name(row).map(|name| name.to_string()).unwrap_or_default();
    let structs: BTreeMap<String, usize> =
        data.structs.iter().enumerate().map(|(at, known)| (text(known.name), at)).collect();
    let parent = |at: usize| match data.structs[at].super_struct {
        u32::MAX => None,
        row => Some(text(row)),
    };
    let chain = |name: &str| {
        let mut chain = vec![name.to_owned()];
        while let Some(next) = chain.last().and_then(|last| parent(*structs.get(last)?)) {
            if chain.len() > 64 {
                break;
            }
            chain.push(next);
        }
        chain
    };
    let mut wanted = BTreeSet::new();
    for name in structs.keys() {
        let chain = chain(name);
        let used = tagged.classes.contains_key(name);
        let object = chain.last().is_some_and(|root| root == "Object");
        let edited = chain.iter().any(|class| EDITED.contains(&class.as_str()));
        if object && (used || edited && std::env::var_os("ALL").is_some()) {
            wanted.extend(chain);
        }
    }
    let mut facts = Facts::default();
    let kinds = enum_kinds(tagged);
    let mut waiting: Vec<(String, bool)> = wanted.into_iter().map(|name| (name, true)).collect();
    waiting.extend(tagged.structs.keys().map(|name| (name.clone(), false)));
    let mut seen = BTreeSet::new();
    while let Some((name, is_class)) = waiting.pop() {
        let Some(&at) = structs.get(&name).filter(|_| seen.insert(name.clone())) else { continue };
        let all = if is_class { &mut facts.classes } else { &mut facts.structs };
        let class = all.entry(name.clone()).or_default();
        class.parent = parent(at).unwrap_or_default();
        if !class.parent.is_empty() {
            waiting.push((class.parent.clone(), is_class));
        }
        for property in &data.structs[at].properties {
            let Some(known) = schema(&property.schema, &text, &kinds) else { continue };
            if let Some(enumeration) = known.split(':').next_back()
                && known.contains("enum:")
                && let Some(found) = data.enums.iter().find(|known| text(known.name) == enumeration)
            {
                let values = found.values.iter().map(|value| (text(value.name), value.number));
                let mut values: Vec<_> = values.collect();
                // The last one counts the others.
                values.retain(|(name, _)| !name.ends_with("_MAX"));
                facts.enums.insert(enumeration.to_owned(), values);
            }
            class.note(&text(property.name), known, property.array_dim.into());
        }
    }
    facts
}

/// How packages store each enum: in a byte, or as a type of its own.
fn enum_kinds(tagged: &Facts) -> BTreeMap<String, &'static str> {
    let mut kinds = BTreeMap::new();
    for class in tagged.classes.values().chain(tagged.structs.values()) {
        for (known, _) in class.properties.values() {
            let Some(known) = known else { continue };
            if let Some(name) = known.strip_prefix("byte-enum:") {
                kinds.insert(name.to_owned(), "byte-enum");
            } else if let Some(name) = known.strip_prefix("enum:") {
                kinds.entry(name.to_owned()).or_insert("enum");
            }
        }
    }
    kinds
}

fn schema(
    known: &SchemaType,
    text: &dyn Fn(u32) -> String,
    kinds: &BTreeMap<String, &str>,
) -> Option<String> {
    let inner = |known| schema(known, text, kinds);
    Some(match known {
        SchemaType::Struct(row) => format!("struct:{}", text(*row)),
        // Mappings do not tell enums in bytes from others: packages do.
        SchemaType::Enum(_, row) => format!("{}:{}", kinds.get(&text(*row))?, text(*row)),
        SchemaType::Array(element) => format!("array:{}", inner(element)?),
        SchemaType::Set(element) => format!("set:{}", inner(element)?),
        SchemaType::Map(key, value) => format!("map:{}:{}", inner(key)?, inner(value)?),
        SchemaType::Optional(value) => format!("optional:{}", inner(value)?),
        SchemaType::Byte => "byte".to_owned(),
        SchemaType::Bool => "bool".to_owned(),
        SchemaType::Int => "int".to_owned(),
        SchemaType::Float => "float".to_owned(),
        SchemaType::Object => "object".to_owned(),
        SchemaType::Name => "name".to_owned(),
        SchemaType::Double => "double".to_owned(),
        SchemaType::Str => "string".to_owned(),
        SchemaType::Text => "text".to_owned(),
        SchemaType::SoftObject | SchemaType::AssetObject => "soft-object".to_owned(),
        SchemaType::UInt64 => "uint64".to_owned(),
        SchemaType::UInt32 => "uint32".to_owned(),
        SchemaType::UInt16 => "uint16".to_owned(),
        SchemaType::Int64 => "int64".to_owned(),
        SchemaType::Int16 => "int16".to_owned(),
        SchemaType::Int8 => "int8".to_owned(),
        // Delegates are bound by code.
        _ => return None,
    })
}
