//! Values, and what is within them.

use serde_json::{Value, json};
use unreal_packages::inspect::{PackageValues, PropertyValue};
use unreal_packages::package::Package;
use unreal_packages::property::{PropertyKind, Value as Stored};

use crate::failure::Result;
use crate::tree::Key;

/// Characters of a value that are sent at once.
const LONGEST: usize = 4_000;
/// Parts of a value that are shown.
const MOST_PARTS: usize = 500;

/// The properties of an object.
pub(crate) fn listed(package: &Package, row: usize) -> Result<Value> {
    let properties = package.values().properties(&format!("#{row}"))?;
    let list: Vec<_> = properties.iter().map(one).collect();
    Ok(json!({ "properties": list, "object": format!("#{row}") }))
}

/// What a struct or array holds.
pub(crate) fn within(package: &Package, row: usize, path: &str) -> Result<Value> {
    let object = format!("#{row}");
    let values = package.values();
    let whole = values.property(&object, path)?;
    let (mut paths, mut more) = (Vec::new(), 0);
    match &whole.value {
        Some(Stored::List(list)) => {
            for property in &list.properties {
                let name = property.name_text(|name| package.name_text(name));
                paths.push(match property.array_index() {
                    0 => format!("{path}.{name}"),
                    element => format!("{path}.{name}[{element}]"),
                });
            }
        }
        Some(Stored::Array(elements)) => {
            let count = elements.len();
            more = count.saturating_sub(MOST_PARTS);
            paths.extend((0..count.min(MOST_PARTS)).map(|at| format!("{path}[{at}]")));
        }
        Some(Stored::StructArray(_)) => {
            paths.extend((0..MOST_PARTS).map(|at| format!("{path}[{at}]")));
        }
        _ => {}
    }
    let mut parts = Vec::new();
    for path in &paths {
        // An array of structs ends where there is no next one.
        let Ok(part) = values.property(&object, path) else { break };
        parts.push(one(&part));
    }
    Ok(json!({ "properties": parts, "more": more, "object": object }))
}

fn one(value: &PropertyValue) -> Value {
    let kind = match value.property_type.kind() {
        PropertyKind::Bool => "bool",
        PropertyKind::Int
        | PropertyKind::Int8
        | PropertyKind::Int16
        | PropertyKind::Int64
        | PropertyKind::UInt16
        | PropertyKind::UInt32
        | PropertyKind::UInt64 => "int",
        PropertyKind::Byte => "byte",
        PropertyKind::Float | PropertyKind::Double => "float",
        PropertyKind::Object => "object",
        PropertyKind::Name | PropertyKind::Enum => "name",
        PropertyKind::Str | PropertyKind::Text => "text",
        _ => "other",
    };
    let link = match &value.value {
        Some(Stored::Object(index)) => Key::of(*index).map(|key| key.to_string()),
        _ => None,
    };
    let has_parts = matches!(&value.value, Some(Stored::List(_) | Stored::StructArray(_)))
        || matches!(&value.value, Some(Stored::Array(elements)) if !elements.is_empty());
    let is_color = matches!(&value.value, Some(Stored::Color(_)));
    let is_opaque = matches!(&value.value, Some(Stored::Opaque(_)));
    let text = cut(&value.text, LONGEST);
    json!({ "path": value.path, "type": value.property_type.to_string(), "kind": kind, "text": text,
            "long": text.len() < value.text.len(), "link": link, "inner": has_parts, "color": is_color,
            "opaque": is_opaque })
}

/// At most so many characters of a text.
pub(crate) fn cut(text: &str, longest: usize) -> &str {
    text.char_indices().nth(longest).map_or(text, |(at, _)| &text[..at])
}
