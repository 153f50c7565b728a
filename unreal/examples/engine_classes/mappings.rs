//! UE4 and UE5: what mappings declare.

use std::collections::{BTreeMap, BTreeSet};

use unreal_packages::property::Mappings;
use unreal_packages::property::mappings::SchemaType;

use crate::facts::{Class, DEEPEST, Facts, Values};

/// What fewer packages have objects of or store takes more room than it is worth: several hundred were looked at.
pub const WORTH: usize = 2;
/// What objects in levels derive from.
const EDITED: &[&str] = &["Actor", "ActorComponent"];

/// How packages store each enum: in a byte, or as a type of its own. Mappings do not tell, tags do.
pub type EnumKinds = BTreeMap<String, &'static str>;

/// Whether mappings are of UE5, whose vectors hold doubles.
pub fn is_ue5(mappings: &Mappings) -> bool {
    let data = mappings.data();
    let is_vector = |row| data.name(row).is_some_and(|name| &**name == "Vector");
    data.structs.iter().filter(|known| is_vector(known.name)).any(|known| {
        known.properties.iter().any(|property| matches!(property.schema, SchemaType::Double))
    })
}

/// What mappings of one engine have in common. Classes and structs count from where one of them has it; their
/// properties where all that have the class declare them alike: what a release or a game has alone is no use
/// for packages of others.
pub fn common<'a>(all: impl Iterator<Item = &'a Mappings>, kinds: &EnumKinds) -> Facts {
    let mut facts = Facts::default();
    let mut parents = BTreeMap::<String, BTreeSet<Vec<String>>>::new();
    let mut enums = BTreeMap::<String, Vec<Values>>::new();
    for mappings in all {
        let data = mappings.data();
        let text = |row: u32| data.name(row).map(|name| name.to_string()).unwrap_or_default();
        for known in &data.structs {
            let name = text(known.name);
            let chain = chain(mappings, &name);
            let is_class = chain.last().is_some_and(|last| last == "Object");
            let mut class = Class::default();
            for property in &known.properties {
                if let Some(kind) = kind_of(&property.schema, &text, kinds) {
                    class.note(&text(property.name), &kind, property.array_dim.into());
                }
            }
            parents.entry(name.clone()).or_default().insert(chain);
            let held = if is_class { &mut facts.classes } else { &mut facts.structs };
            match held.get_mut(&name) {
                Some(held) => held.properties.retain(|name, known| {
                    class.properties.get(name).is_some_and(|other| other == known)
                }),
                None => {
                    held.insert(name, class);
                }
            }
        }
        for known in &data.enums {
            // Files of the first versions have no numbers: there they count from 0.
            let numbered = known.values.iter().any(|value| value.number != 0);
            let values = known.values.iter().zip(0..).map(|(value, at)| {
                (text(value.name), Some(if numbered { value.number } else { at }))
            });
            let held = enums.entry(text(known.name)).or_default();
            held.push(values.collect::<Values>());
        }
    }
    facts.enums = enums.into_iter().map(|(name, all)| (name, values_of(&all))).collect();
    for (name, chains) in parents {
        // Releases put classes in between: the longest has them all.
        let longest = chains.into_iter().max_by_key(Vec::len).unwrap_or_default();
        let parent = longest.into_iter().nth(1).unwrap_or_default();
        for all in [&mut facts.classes, &mut facts.structs] {
            if let Some(class) = all.get_mut(&name) {
                class.parent.clone_from(&parent);
            }
        }
    }
    facts
}

/// A class or struct, and what it derives from.
fn chain(mappings: &Mappings, name: &str) -> Vec<String> {
    let mut chain = vec![name.to_owned()];
    while let Some(parent) = chain.last().and_then(|last| mappings.parent_of(last))
        && chain.len() < DEEPEST
    {
        chain.push(parent.to_owned());
    }
    chain
}

/// The values of an enum: games add their own, so that one of several mappings is not enough.
fn values_of(all: &[Values]) -> Values {
    let mut found = Values::new();
    for value in all.iter().rev().flatten() {
        let with = all.iter().filter(|values| values.iter().any(|(name, _)| *name == value.0));
        let is_new = !found.iter().any(|(name, _)| *name == value.0);
        // The last one counts the others.
        if is_new && with.count() >= all.len().min(2) && !value.0.ends_with("_MAX") {
            found.push(value.clone());
        }
    }
    found.sort_by_key(|value| value.1);
    found
}

/// How packages store each enum: as those of the engine do, or else of another. What they store both ways is
/// left out.
pub fn enum_kinds(tags: &Facts, others: &Facts) -> EnumKinds {
    let mut kinds = EnumKinds::new();
    for facts in [tags, others] {
        let mut found = BTreeMap::<&str, BTreeSet<&'static str>>::new();
        for class in facts.classes.values().chain(facts.structs.values()) {
            for kind in class.properties.values().filter_map(|known| known.kind.as_deref()) {
                for word in ["byte-enum", "enum"] {
                    if let Some(name) = kind.strip_prefix(word).and_then(|k| k.strip_prefix(':')) {
                        found.entry(name).or_default().insert(word);
                    }
                }
            }
        }
        for (name, words) in found {
            if let (Some(word), 1) = (words.first(), words.len()) {
                kinds.entry(name.to_owned()).or_insert(word);
            }
        }
    }
    kinds
}

fn kind_of(schema: &SchemaType, text: &dyn Fn(u32) -> String, kinds: &EnumKinds) -> Option<String> {
    let inner = |schema| kind_of(schema, text, kinds);
    Some(match schema {
        SchemaType::Struct(row) => format!("struct:{}", text(*row)),
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
        // Delegates are bound by code; weak and lazy references and interfaces are a running game's.
        _ => return None,
    })
}

/// Structs that actors and components have as properties: of these people set fields that no package stores.
fn edited_structs(facts: &Facts) -> BTreeSet<String> {
    let is_edited = |name: &str| facts.chain(name).iter().any(|name| EDITED.contains(&&**name));
    let edited = facts.classes.iter().filter(|(name, _)| is_edited(name));
    let kinds = edited.flat_map(|(_, class)| class.properties.values());
    let named = kinds.filter_map(|known| known.kind.as_deref()?.strip_prefix("struct:"));
    named.map(str::to_owned).collect()
}

/// What objects in packages are of and what that derives from, with the structs whose fields have tags, and
/// their enums, and what tags say besides.
pub fn used(declared: &Facts, stored: &Facts, mut tags: Facts) -> Facts {
    let mut facts = Facts::default();
    for (name, _) in stored.used.iter().filter(|&(_, &packages)| packages >= WORTH) {
        for name in declared.chain(name) {
            if let Some(class) = declared.classes.get(&name) {
                facts.classes.insert(name, class.clone());
            }
        }
    }
    let edited = edited_structs(&facts);
    for known in stored.structs.keys() {
        let mut name = known;
        while let Some(structure) = declared.structs.get(name) {
            let mut structure_here = structure.clone();
            if !edited.contains(known) {
                // Those of the child are stored beside those of the parent.
                let tagged = &stored.structs[known].properties;
                structure_here.properties.retain(|name, _| tagged.contains_key(name));
            }
            let held = facts.structs.entry(name.clone()).or_default();
            held.parent = structure_here.parent;
            held.properties.extend(structure_here.properties);
            name = &structure.parent;
        }
    }
    tags.keep_stored(WORTH);
    facts.merge(&tags);
    // The engines have most classes in common: what packages of one use counts for the other.
    facts.used.clone_from(&stored.used);
    let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
    for (name, values) in &declared.enums {
        let mut values: Values =
            values.iter().map(|(name, number)| (last(name), *number)).collect();
        for value in stored.seen.get(name).into_iter().flatten() {
            let value = last(value);
            if !values.iter().any(|(known, _)| known.eq_ignore_ascii_case(&value)) {
                values.push((value, None));
            }
        }
        facts.enums.insert(name.clone(), values);
    }
    facts.drop_unused_enums();
    facts
}
