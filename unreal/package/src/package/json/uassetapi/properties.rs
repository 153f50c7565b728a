//! Properties of UAssetAPI in the words of a document: tags from their class and types, or keys in packages whose
//! properties have no tags.

use serde_json::{Map, Value, json};

use super::ask::{class, is_true, list, small, within};
use super::facts::{Facts, flags, guid, guid_words};
use super::values::value;
use crate::error::{Error, Result, UnrealError};
use crate::version::UnrealVersions;

/// First UE4 versions whose tags name the types of elements, have GUIDs of structs, tags of the elements of arrays,
/// GUIDs of properties, and types of the elements of sets and maps (spec: ue4-5/04 §3).
const ARRAY_INNER: u32 = 282;
const STRUCT_GUIDS: u32 = 441;
const INNER_TAGS: u32 = 500;
const PROPERTY_GUIDS: u32 = 503;
const SET_INNER: u32 = 509;
/// First UE5 versions whose tags have extensions, and names of types as trees.
const EXTENSIONS: u32 = 1011;
const TREES: u32 = 1012;

/// Names of what tags from UE5 1012 on say (spec: ue4-5/04 §4).
const TAG_FLAGS: [&str; 6] = [
    "HasArrayIndex",
    "HasPropertyGuid",
    "HasPropertyExtensions",
    "HasBinaryOrNativeSerialize",
    "BoolTrue",
    "SkippedSerialize",
];
/// The bits that follow from the rest.
const FOLLOWING: u64 = 1 | 2 | 16;

/// The list of properties under a key.
pub(super) fn properties(owner: &Value, key: &str, facts: &Facts<'_>) -> Result<Value> {
    let all = list(owner, key)?;
    let list = match facts.versions.unversioned_properties() {
        true => keys(all, facts),
        false => all
            .iter()
            .enumerate()
            .map(|(at, property)| tagged(property, facts).map_err(|error| error.at_index(at)))
            .collect(),
    };
    list.map_err(within(key))
}

/// The name of a property without what tells it from others of that name.
fn name(property: &Value) -> Result<&str> {
    property["Name"].as_str().ok_or_else(|| within("Name")(Error::invalid("it is no name")))
}

/// Keys and values; one that comes again is an element of a static array, and begins a further object.
fn keys(all: &[Value], facts: &Facts<'_>) -> Result<Value> {
    let mut groups = vec![Map::new()];
    for (at, property) in all.iter().enumerate() {
        let located = |error: Error| error.at_index(at);
        let name = name(property).map_err(located)?;
        let value = match is_true(property, "IsZero") {
            true => Value::Null,
            false => value(property, facts).map_err(located)?,
        };
        if groups.last().is_some_and(|group| group.contains_key(name)) {
            groups.push(Map::new());
        }
        let group = groups.last_mut();
        group.into_iter().for_each(|group| _ = group.insert(name.to_owned(), value.clone()));
    }
    Ok(match groups.len() {
        1 => groups.pop().map_or(Value::Null, Value::Object),
        _ => groups.into_iter().map(Value::Object).collect(),
    })
}

/// A property with its tag.
fn tagged(property: &Value, facts: &Facts<'_>) -> Result<Value> {
    let (ue4, ue5) = (facts.versions.ue4(), facts.versions.ue5());
    let kind = class(property).strip_suffix("PropertyData").unwrap_or_default();
    let mut words = json!({ "name": facts.name_of(property, "Name")? });
    let tag = match ue5 >= TREES {
        true => tree_tag(property, facts)?,
        false => typed_tag(property, kind, facts)?,
    };
    let index = small(property, "ArrayIndex")?;
    let own = (!property["PropertyGuid"].is_null()).then(|| guid(property, "PropertyGuid"));
    let own = own.transpose()?;
    words["tag"] = Value::Object(tag);
    let tag = &mut words["tag"];
    if ue5 >= TREES {
        let said = property["PropertyTagFlags"].as_str().unwrap_or_default();
        let bits = flags(said, "", |word| {
            let place = TAG_FLAGS.iter().position(|known| *known == word);
            let unknown = || Error::invalid(format!("'{word}' is not known"));
            place.map(|place| 1 << place).ok_or_else(unknown)
        });
        let mut bits = bits.map_err(within("PropertyTagFlags"))? & !FOLLOWING;
        bits |= u64::from(index != 0) | u64::from(own.is_some()) << 1;
        bits |= u64::from(kind == "Bool" && is_true(property, "Value")) << 4;
        tag["flags"] = json!(bits);
        if index != 0 {
            tag["array_index"] = json!(index);
        }
        if bits & 4 != 0 {
            tag["extensions"] = extensions(property)?;
        }
    } else {
        tag["array_index"] = json!(index);
        if ue4 >= PROPERTY_GUIDS {
            tag["has_guid"] = json!(u8::from(own.is_some()));
        }
        if ue5 >= EXTENSIONS {
            tag["extensions"] = extensions(property)?;
        }
    }
    if let Some(own) = own {
        tag["guid"] = guid_words(own);
    }
    if kind == "Bool" {
        tag["size"] = json!(0);
        if ue5 < TREES {
            tag["bool"] = json!(u8::from(is_true(property, "Value")));
        }
        return Ok(words);
    }
    let mut stored = value(property, facts)?;
    tag["size"] = json!(size(kind, &stored));
    if kind == "Array"
        && ue5 < TREES
        && ue4 >= INNER_TAGS
        && property["ArrayType"] == "StructProperty"
    {
        stored = with_inner_tag(property, stored, facts)?;
    } else if let Some(known) = stored_type(property, kind, facts)? {
        words["type"] = json!(known);
    }
    words["value"] = stored;
    Ok(words)
}

/// A size that makes loading read the value as it stands here: only few types need it.
fn size(kind: &str, value: &Value) -> usize {
    let is_name = |value: &Value| value.is_string() || value.get("$row").is_some();
    match kind {
        "Byte" if is_name(value) => 8,
        "Byte" | "Int8" => 1,
        "Int16" | "UInt16" => 2,
        "Int64" | "UInt64" | "Double" | "Name" | "Enum" => 8,
        "Array" | "Set" => {
            let elements = value.as_array().map_or(&[][..], Vec::as_slice);
            let each = if elements.first().is_some_and(is_name) { 8 } else { 1 };
            elements.len().saturating_mul(each).saturating_add(4)
        }
        _ => 4,
    }
}

fn extensions(property: &Value) -> Result<Value> {
    match &property["PropertyTagExtensions"] {
        Value::Null => Ok(json!({ "flags": 0 })),
        Value::String(none) if none == "NoExtension" => Ok(json!({ "flags": 0 })),
        _ => {
            let reason = "overrides of inherited values are not read".to_owned();
            Err(within("PropertyTagExtensions")(UnrealError::unsupported(reason).into()))
        }
    }
}

/// The name of a property class under a key.
fn type_name(property: &Value, key: &str, facts: &Facts<'_>) -> Result<Value> {
    facts.name_of(property, key)
}

/// A tag that names the class of the property and those of its elements.
fn typed_tag(property: &Value, kind: &str, facts: &Facts<'_>) -> Result<Map<String, Value>> {
    let ue4 = facts.versions.ue4();
    let mut tag = Map::new();
    let mut put = |key: &str, value: Value| drop(tag.insert(key.to_owned(), value));
    put("type", facts.name(&json!(property_class(kind)))?);
    match kind {
        "Struct" => {
            put("struct_name", facts.name_of(property, "StructType")?);
            if ue4 >= STRUCT_GUIDS {
                put("struct_guid", guid_words(guid(property, "StructGUID")?));
            }
        }
        "Byte" | "Enum" => put("enum_name", facts.name_of(property, "EnumType")?),
        "Array" if ue4 >= ARRAY_INNER => put("inner_type", element_class(property, facts)?),
        "Set" if ue4 >= SET_INNER => put("inner_type", element_class(property, facts)?),
        "Map" if ue4 >= SET_INNER => {
            let first = list(property, "Value")?.first();
            let side = |at: usize, key: &str| match first.map(|pair| &pair[at]) {
                Some(part) => facts.name(&json!(property_class(kind_of(part)))),
                None => type_name(property, key, facts),
            };
            put("inner_type", side(0, "KeyType")?);
            put("value_type", side(1, "ValueType")?);
        }
        _ => {}
    }
    Ok(tag)
}

/// The class of a property without its `PropertyData`.
pub(super) fn kind_of(property: &Value) -> &str {
    class(property).strip_suffix("PropertyData").unwrap_or_default()
}

fn property_class(kind: &str) -> String {
    format!("{kind}Property")
}

/// The class of the elements of an array or set.
fn element_class(property: &Value, facts: &Facts<'_>) -> Result<Value> {
    match list(property, "Value")?.first() {
        Some(first) if property["ArrayType"].is_null() => {
            facts.name(&json!(property_class(kind_of(first))))
        }
        _ => type_name(property, "ArrayType", facts),
    }
}

/// A tag whose type is a tree of names.
fn tree_tag(property: &Value, facts: &Facts<'_>) -> Result<Map<String, Value>> {
    let nodes = list(property, "PropertyTypeName")?;
    if nodes.is_empty() {
        return Err(within("PropertyTypeName")(Error::invalid("it is missing")));
    }
    let node = |node: &Value| {
        let count = small(node, "InnerCount")?;
        Ok(json!({ "name": facts.name_of(node, "Name")?, "inner_count": count }))
    };
    let nodes = nodes.iter().map(node).collect::<Result<Value>>();
    let nodes = nodes.map_err(within("PropertyTypeName"))?;
    Ok(Map::from_iter([("type".to_owned(), nodes)]))
}

/// The elements of an array of structs with the tag that stands before them.
fn with_inner_tag(property: &Value, elements: Value, facts: &Facts<'_>) -> Result<Value> {
    let first = list(property, "Value")?.first().unwrap_or(&property["DummyStruct"]);
    if !first.is_object() {
        // Nothing says what the elements would be.
        let reason = "the struct of an empty array is not said".to_owned();
        return Err(within("DummyStruct")(UnrealError::unsupported(reason).into()));
    }
    let mut tag = typed_tag(first, "Struct", facts)?;
    tag.insert("size".to_owned(), json!(0));
    tag.insert("array_index".to_owned(), json!(0));
    if facts.versions.ue4() >= PROPERTY_GUIDS {
        tag.insert("has_guid".to_owned(), json!(0));
    }
    if facts.versions.ue5() >= EXTENSIONS {
        tag.insert("extensions".to_owned(), json!({ "flags": 0 }));
    }
    let name = facts.name_of(first, "Name")?;
    let count = match elements.as_array().is_some_and(|elements| !elements.is_empty()) {
        true => elements,
        false => json!(0),
    };
    Ok(json!({ "count": count, "name": name, "tag": tag }))
}

/// The type of what a container holds, where its tag does not say it: structs of sets and maps, in early packages
/// those of arrays, and enums of bytes.
fn stored_type(property: &Value, kind: &str, facts: &Facts<'_>) -> Result<Option<String>> {
    if facts.versions.ue5() >= TREES {
        return Ok(None);
    }
    let first = list_or_none(property).first();
    let of = |part: &Value| match kind_of(part) {
        "Struct" => part["StructType"].as_str().map(|name| format!("struct:{name}")),
        "Byte" if part["ByteType"] == "FName" => {
            let name = part["EnumType"].as_str().unwrap_or("None");
            Some(format!("byte-enum:{name}"))
        }
        kind => Some(word(kind)),
    };
    // The tag does not say all of it.
    let says_more = |part: &Value| ["Struct", "Byte"].contains(&kind_of(part));
    let inner = match (kind, first) {
        ("Array" | "Set", Some(first)) if says_more(first) => of(first),
        ("Map", Some(Value::Array(pair))) => {
            let structs = pair.iter().any(says_more);
            let both = || Some(format!("{}:{}", of(pair.first()?)?, of(pair.get(1)?)?));
            structs.then(both).flatten()
        }
        _ => None,
    };
    Ok(inner.map(|inner| format!("{}:{inner}", kind.to_ascii_lowercase())))
}

fn list_or_none(property: &Value) -> &[Value] {
    property["Value"].as_array().map_or(&[], Vec::as_slice)
}

/// The word of a document for a class of property.
fn word(kind: &str) -> String {
    match kind {
        "Str" => "string".to_owned(),
        kind => property_class(kind),
    }
}
