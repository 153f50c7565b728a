//! Structs that are stored without tags, from the objects that UAssetAPI has for them to lists of their numbers.

use serde_json::{Value, json};

use super::ask::{choice, class, integer, list, real, small, text, within};
use super::facts::{Facts, guid, guid_words, string_of};
use super::time::{date_ticks, span_ticks};
use super::values::{counted, double, inner_properties, single, soft_path};
use crate::archive::hex;
use crate::error::{Error, Result, UnrealError};
use crate::property::{has_large_world, is_native};

/// Keys of vectors and their kin in the order of their numbers.
const NUMBERS: &[(&str, &[&str])] = &[
    ("Vector", &["X", "Y", "Z"]),
    ("Vector2D", &["X", "Y"]),
    ("Vector4", &["X", "Y", "Z", "W"]),
    ("Vector2f", &["X", "Y"]),
    ("Vector3f", &["X", "Y", "Z"]),
    ("Vector4f", &["X", "Y", "Z", "W"]),
    ("DeprecateSlateVector2D", &["X", "Y"]),
    ("Quat", &["X", "Y", "Z", "W"]),
    ("Plane", &["X", "Y", "Z", "W"]),
    ("Rotator", &["Pitch", "Yaw", "Roll"]),
    ("LinearColor", &["R", "G", "B", "A"]),
];
/// Structs whose numbers take 32 bits in all versions.
const SINGLE: [&str; 5] =
    ["Vector2f", "Vector3f", "Vector4f", "DeprecateSlateVector2D", "LinearColor"];

/// A struct: its properties, or its own form.
pub(super) fn structure(property: &Value, facts: &Facts<'_>) -> Result<Value> {
    let name = text(property, "StructType")?.unwrap_or_default();
    let parts = list(property, "Value")?;
    // A struct of its own form is one value of its own class.
    let [one] = parts else { return tagged(property, name, facts) };
    let kind = class(one).strip_suffix("PropertyData").unwrap_or_default();
    if !is_native(name, &facts.versions) || !one["Value"].is_null() && is_property(kind) {
        return tagged(property, name, facts);
    }
    native(kind, one, facts).map_err(|error| within("Value")(error.at_index(0)))
}

/// Whether values of this class stand among properties, and not for a struct.
fn is_property(kind: &str) -> bool {
    const KINDS: [&str; 24] = [
        "Bool",
        "Byte",
        "Int8",
        "Int16",
        "Int",
        "Int64",
        "UInt16",
        "UInt32",
        "UInt64",
        "Float",
        "Double",
        "Name",
        "Enum",
        "Str",
        "Object",
        "Interface",
        "WeakObject",
        "Text",
        "SoftObject",
        "Array",
        "Set",
        "Map",
        "Struct",
        "Delegate",
    ];
    KINDS.contains(&kind)
}

fn tagged(property: &Value, name: &str, facts: &Facts<'_>) -> Result<Value> {
    if is_native(name, &facts.versions) && list(property, "Value")?.is_empty() {
        let reason = format!("a {name} without a value is not read");
        return Err(UnrealError::unsupported(reason).into());
    }
    inner_properties(property, facts)
}

/// The one value that stands for a struct.
fn native(kind: &str, property: &Value, facts: &Facts<'_>) -> Result<Value> {
    let stated = &property["Value"];
    let located = within("Value");
    if let Some((_, keys)) = NUMBERS.iter().find(|(known, _)| *known == kind) {
        return numbers(stated, keys, SINGLE.contains(&kind) || !has_large_world(&facts.versions))
            .map_err(located);
    }
    let whole = |keys: &[&str]| {
        let numbers = keys.iter().map(|key| small(stated, key).map(|it| json!(it)));
        numbers.collect::<Result<Value>>()
    };
    Ok(match kind {
        "Guid" => guid_words(guid(property, "Value")?),
        "Color" => color(stated).map_err(located)?,
        "DateTime" => json!(date_ticks(stated).map_err(located)?),
        "Timespan" => json!(span_ticks(stated).map_err(located)?),
        "IntPoint" => Value::Array(list(property, "Value")?.to_vec()),
        "IntVector" => whole(&["X", "Y", "Z"]).map_err(located)?,
        "IntVector2" => whole(&["X", "Y"]).map_err(located)?,
        "FrameNumber" => json!(small(stated, "Value").map_err(located)?),
        "Box" => {
            bounds(stated, &["X", "Y", "Z"], !has_large_world(&facts.versions)).map_err(located)?
        }
        "Box2D" => {
            bounds(stated, &["X", "Y"], !has_large_world(&facts.versions)).map_err(located)?
        }
        "Box2f" => bounds(stated, &["X", "Y"], true).map_err(located)?,
        "Matrix" => {
            let planes = ["XPlane", "YPlane", "ZPlane", "WPlane"];
            joined(stated, &planes, &["X", "Y", "Z", "W"], !has_large_world(&facts.versions))
                .map_err(located)?
        }
        "TwoVectors" => {
            joined(stated, &["V1", "V2"], &["X", "Y", "Z"], !has_large_world(&facts.versions))
                .map_err(located)?
        }
        "SoftObjectPath"
        | "SoftClassPath"
        | "SoftAssetPath"
        | "StringAssetReference"
        | "StringClassReference" => match &property["Path"] {
            Value::String(_) => json!({ "path": string_of(property, "Path")? }),
            _ => soft_path(stated, facts).map_err(located)?,
        },
        "GameplayTagContainer" => {
            let names = counted(list(property, "Value")?, |name| facts.name(name));
            match names.map_err(located)? {
                Value::Number(_) => json!({ "count": 0 }),
                names => names,
            }
        }
        "RichCurveKey" => curve_key(stated).map_err(located)?,
        "MovieSceneTrackIdentifier"
        | "MovieSceneSequenceID"
        | "MovieSceneSegmentIdentifier"
        | "NavAgentSelector"
            if stated.is_number() =>
        {
            stated.clone()
        }
        _ => {
            let reason = format!("values of {kind}PropertyData are not read");
            return Err(UnrealError::unsupported(reason).into());
        }
    })
}

fn numbers(value: &Value, keys: &[&str], is_single: bool) -> Result<Value> {
    let number = if is_single { single } else { double };
    keys.iter().map(|key| number(&value[*key]).map_err(within(key))).collect()
}

/// The numbers of several parts, one behind the other.
fn joined(value: &Value, parts: &[&str], keys: &[&str], is_single: bool) -> Result<Value> {
    let mut all = Vec::new();
    for part in parts {
        match numbers(&value[*part], keys, is_single).map_err(within(part))? {
            Value::Array(numbers) => all.extend(numbers),
            number => all.push(number),
        }
    }
    Ok(Value::Array(all))
}

fn bounds(value: &Value, keys: &[&str], is_single: bool) -> Result<Value> {
    let mut all = joined(value, &["Min", "Max"], keys, is_single)?;
    let valid = match &value["IsValid"] {
        Value::Bool(flag) => i64::from(*flag),
        _ => integer(value, "IsValid")?,
    };
    all.as_array_mut().into_iter().for_each(|all| all.push(json!(valid)));
    Ok(all)
}

/// A colour as text: red, green and blue, behind alpha where there is one.
fn color(value: &Value) -> Result<Value> {
    let invalid = || Error::invalid("it is no colour such as \"255, 128, 0\"");
    let text = value.as_str().ok_or_else(invalid)?;
    let parts = text.split(',').map(|part| part.trim().parse::<u8>());
    let parts = parts.collect::<Result<Vec<_>, _>>().map_err(|_| invalid())?;
    let (alpha, red, green, blue) = match parts[..] {
        [red, green, blue] => (u8::MAX, red, green, blue),
        [alpha, red, green, blue] => (alpha, red, green, blue),
        _ => return Err(invalid()),
    };
    Ok(json!({ "$hex": hex(&[blue, green, red, alpha]) }))
}

/// A key of a curve: three choices, then six numbers.
fn curve_key(value: &Value) -> Result<Value> {
    const MODES: [&str; 4] = ["RCIM_Linear", "RCIM_Constant", "RCIM_Cubic", "RCIM_None"];
    const TANGENTS: [&str; 4] = ["RCTM_Auto", "RCTM_User", "RCTM_Break", "RCTM_None"];
    const WEIGHTS: [&str; 4] =
        ["RCTWM_WeightedNone", "RCTWM_WeightedArrive", "RCTWM_WeightedLeave", "RCTWM_WeightedBoth"];
    const NUMBERS: [&str; 6] = [
        "Time",
        "Value",
        "ArriveTangent",
        "ArriveTangentWeight",
        "LeaveTangent",
        "LeaveTangentWeight",
    ];
    let mut all = vec![
        json!(choice(value, "InterpMode", &MODES)?),
        json!(choice(value, "TangentMode", &TANGENTS)?),
        json!(choice(value, "TangentWeightMode", &WEIGHTS)?),
    ];
    for key in NUMBERS {
        all.push(json!(real(&value[key]).map_err(within(key))? as f32));
    }
    Ok(Value::Array(all))
}
