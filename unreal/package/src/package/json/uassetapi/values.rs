//! Values of UAssetAPI's properties in the words of a document.

use serde_json::{Value, json};

use super::ask::{base64, bytes, choice, integer, list, real, small, text, within};
use super::facts::{Facts, flags, string, string_of, utf8_string};
use super::properties::{kind_of, properties};
use super::structs::structure;
use crate::archive::hex;
use crate::error::{Error, ErrorKind, Result, UnrealError, noun};
use crate::version::UnrealVersions;
use crate::version::custom::fortnite_main::SOFT_OBJECT_PATH_UTF8_SUB_PATHS;
use crate::version::custom::{EDITOR, FORTNITE_MAIN, editor};

/// First UE4 version whose texts have histories, and whose soft paths are a name and a string.
const TEXT_HISTORIES: u32 = 368;
const SOFT_PATHS: u32 = 514;
/// First UE5 version whose soft paths name package and asset apart.
const ASSET_PATHS: u32 = 1007;
/// The number of an enum without a value.
const NO_ENUM_VALUE: u8 = u8::MAX;

/// The value of a property.
pub(super) fn value(property: &Value, facts: &Facts<'_>) -> Result<Value> {
    let within = within("Value");
    let stated = &property["Value"];
    match kind_of(property) {
        "Bool" => Ok(json!(u8::from(*stated == Value::Bool(true)))),
        "Byte" if property["ByteType"] == "FName" => facts.name_of(property, "EnumValue"),
        "Byte" | "Int8" | "Int16" | "Int" | "Int64" | "UInt16" | "UInt32" | "UInt64" => {
            match stated {
                Value::Number(_) => Ok(stated.clone()),
                _ => Err(within(Error::invalid("it is no number"))),
            }
        }
        "Float" => single(stated).map_err(within),
        "Double" => double(stated).map_err(within),
        "Name" => facts.name_of(property, "Value"),
        "Enum" => enum_value(property, facts),
        "Str" | "AssetObject" => string_of(property, "Value"),
        "Utf8Str" => utf8_string(stated).map_err(within),
        "Object" | "Interface" | "WeakObject" => small(property, "Value").map(|it| json!(it)),
        "Text" => text_value(property, facts),
        "SoftObject" => soft_path(stated, facts).map_err(within),
        "Delegate" => delegate(stated, facts).map_err(within),
        "MulticastDelegate" | "MulticastInlineDelegate" | "MulticastSparseDelegate" => {
            counted(list(property, "Value")?, |part| delegate(part, facts)).map_err(within)
        }
        "FieldPath" => field_path(stated, facts).map_err(within),
        "Array" => array(property, facts),
        "Set" => Ok(json!({
            "removed_count": elements(property, "ElementsToRemove", facts)?,
            "count": elements(property, "Value", facts)?,
        })),
        "Map" => map(property, facts),
        "Struct" => structure(property, facts),
        "Unknown" | "RawStruct" => Ok(json!({ "$opaque": base64(&bytes(property, "Value")?) })),
        kind => {
            let reason = format!("values of {kind}PropertyData are not read");
            Err(UnrealError::unsupported(reason).into())
        }
    }
}

/// A number of 32 bits.
pub(super) fn single(value: &Value) -> Result<Value> {
    let number = real(value)? as f32;
    Ok(match number.is_finite() {
        true => json!(number),
        false => json!({ "$bits": number.to_bits() }),
    })
}

/// A number of 64 bits.
pub(super) fn double(value: &Value) -> Result<Value> {
    let number = real(value)?;
    Ok(match number.is_finite() {
        true => json!(number),
        false => json!({ "$bits": number.to_bits() }),
    })
}

/// Elements behind their count; nothing but the count where there are none.
pub(super) fn counted(
    elements: &[Value],
    mut of: impl FnMut(&Value) -> Result<Value>,
) -> Result<Value> {
    if elements.is_empty() {
        return Ok(json!(0));
    }
    let all = elements.iter().enumerate();
    all.map(|(at, part)| of(part).map_err(|error| error.at_index(at))).collect()
}

/// The elements of a container.
fn elements(property: &Value, key: &str, facts: &Facts<'_>) -> Result<Value> {
    let all = list(property, key)?;
    let plain = all.iter().all(|part| kind_of(part) == "Bool" || is_plain_byte(part));
    if plain && !all.is_empty() {
        // Bytes stand together.
        let byte = |part: &Value| {
            let byte = match &part["Value"] {
                Value::Bool(flag) => Some(u8::from(*flag)),
                number => number.as_u64().and_then(|number| u8::try_from(number).ok()),
            };
            byte.ok_or_else(|| within(key)(Error::invalid("it is no byte")))
        };
        let bytes = all.iter().map(byte).collect::<Result<Vec<_>>>()?;
        return Ok(json!({ "count": all.len(), "$value": { "$hex": hex(&bytes) } }));
    }
    counted(all, |part| value(part, facts)).map_err(within(key))
}

fn is_plain_byte(part: &Value) -> bool {
    kind_of(part) == "Byte" && part["ByteType"] != "FName"
}

fn array(property: &Value, facts: &Facts<'_>) -> Result<Value> {
    match elements(property, "Value", facts)? {
        Value::Number(_) => Ok(json!({ "count": 0 })),
        elements => Ok(elements),
    }
}

fn map(property: &Value, facts: &Facts<'_>) -> Result<Value> {
    let pair = |pair: &Value| {
        let side = |at: usize| value(&pair[at], facts).map_err(|error| error.at_index(at));
        Ok(json!({ "key": side(0)?, "value": side(1)? }))
    };
    let pairs = counted(list(property, "Value")?, pair).map_err(within("Value"))?;
    let removed = elements(property, "KeysToRemove", facts)?;
    Ok(json!({ "removed_count": removed, "count": pairs }))
}

/// A name; without names the number of the value among those of its enum.
fn enum_value(property: &Value, facts: &Facts<'_>) -> Result<Value> {
    if !facts.versions.unversioned_properties() {
        return facts.name_of(property, "Value");
    }
    let Some(value) = text(property, "Value")? else { return Ok(json!(NO_ENUM_VALUE)) };
    let name = text(property, "EnumType")?.unwrap_or_default();
    // An index without a name, as UAssetAPI writes it.
    let index = value.rsplit_once("ENUM_IDX_").and_then(|(_, index)| index.parse().ok());
    let number = index.or_else(|| facts.enum_number(name, value)).ok_or_else(|| {
        let hint = format!(" in the enum '{name}' of the mappings (--mappings FILE)");
        within("Value")(
            ErrorKind::NotFound { what: noun::VALUE, name: value.to_owned(), hint }.into(),
        )
    });
    number.map(|number| json!(number))
}

fn delegate(value: &Value, facts: &Facts<'_>) -> Result<Value> {
    let function = facts.name_of(value, "Delegate")?;
    Ok(json!({ "object": small(value, "Object")?, "function": function }))
}

fn field_path(value: &Value, facts: &Facts<'_>) -> Result<Value> {
    let path = counted(list(value, "Path")?, |name| facts.name(name)).map_err(within("Path"))?;
    Ok(json!({ "path": path, "owner": small(value, "ResolvedOwner")? }))
}

/// A soft path, or its row in the package's list.
pub(super) fn soft_path(value: &Value, facts: &Facts<'_>) -> Result<Value> {
    if let Some(row) = facts.soft_path(value)? {
        return Ok(json!(row));
    }
    soft_path_words(value, facts)
}

/// A soft path as the package's list has it.
pub(super) fn soft_path_words(value: &Value, facts: &Facts<'_>) -> Result<Value> {
    const SUB: &str = "SubPathString";
    let is_utf8 = facts.versions.custom(&FORTNITE_MAIN) >= SOFT_OBJECT_PATH_UTF8_SUB_PATHS;
    let sub = if is_utf8 { utf8_string(&value[SUB]) } else { string(&value[SUB]) };
    let (key, sub) =
        (if is_utf8 { "sub_path_utf8" } else { "sub_path" }, sub.map_err(within(SUB))?);
    let asset = &value["AssetPath"];
    let name = |key: &str| facts.name_of(asset, key).map_err(within("AssetPath"));
    Ok(if facts.versions.ue4() < SOFT_PATHS {
        json!({ "path": sub })
    } else if facts.versions.ue5() < ASSET_PATHS {
        json!({ "asset_path_name": name("AssetName")?, key: sub })
    } else {
        json!({ "package_name": name("PackageName")?, "asset_name": name("AssetName")?, key: sub })
    })
}

/// The kinds of histories from -1 on.
const HISTORIES: [&str; 14] = [
    "None",
    "Base",
    "NamedFormat",
    "OrderedFormat",
    "ArgumentFormat",
    "AsNumber",
    "AsPercent",
    "AsCurrency",
    "AsDate",
    "AsTime",
    "AsDateTime",
    "Transform",
    "StringTableEntry",
    "TextGenerator",
];
/// Flags of texts by their bits.
const TEXT_FLAGS: [&str; 5] =
    ["Transient", "CultureInvariant", "ConvertedProperty", "Immutable", "InitializedFromString"];

fn text_value(property: &Value, facts: &Facts<'_>) -> Result<Value> {
    let bits = match &property["Flags"] {
        Value::String(words) => flags(words, "", |word| {
            let place = TEXT_FLAGS.iter().position(|known| *known == word);
            let unknown = || Error::invalid(format!("'{word}' is not known"));
            place.map(|place| 1 << place).ok_or_else(unknown)
        })
        .map_err(within("Flags"))?,
        _ => integer(property, "Flags")?.cast_unsigned(),
    };
    let words = |key: &str| string_of(property, key);
    if facts.versions.ue4() < TEXT_HISTORIES {
        return Ok(json!({
            "source": words("CultureInvariantString")?,
            "namespace": words("Namespace")?,
            "key": words("Value")?,
            "flags": bits,
        }));
    }
    let kind = text(property, "HistoryType")?.unwrap_or("Base");
    let number = HISTORIES.iter().position(|known| *known == kind);
    let mut history = match kind {
        "None"
            if facts.versions.custom(&EDITOR)
                >= editor::CULTURE_INVARIANT_TEXT_SERIALIZATION_KEY_STABILITY =>
        {
            match text(property, "CultureInvariantString")? {
                None | Some("") => json!({ "invariant": { "present": 0 } }),
                Some(words) => json!({ "invariant": { "present": 1, "value": words } }),
            }
        }
        "None" => json!({}),
        "Base" => json!({
            "namespace": words("Namespace")?,
            "key": words("Value")?,
            "source": words("CultureInvariantString")?,
        }),
        "StringTableEntry" => {
            json!({ "table": facts.name_of(property, "TableId")?, "key": words("Value")? })
        }
        "Transform" => {
            let source = text_value(&property["SourceFmt"], facts).map_err(within("SourceFmt"))?;
            let names = ["ToLower", "ToUpper"];
            json!({ "source": source, "transform": choice(property, "TransformType", &names)? })
        }
        _ => {
            let reason = format!("texts of the kind {kind} are not read");
            return Err(within("HistoryType")(UnrealError::unsupported(reason).into()));
        }
    };
    // The first kind has the number -1.
    history["discriminant"] = json!(number.map_or(0, |number| number as i64 - 1));
    Ok(json!({ "flags": bits, "history": history }))
}

/// Properties within a struct.
pub(super) fn inner_properties(property: &Value, facts: &Facts<'_>) -> Result<Value> {
    properties(property, "Value", facts)
}
