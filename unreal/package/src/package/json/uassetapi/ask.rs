//! Asking a document of UAssetAPI: what is not there is null, and null says nothing.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::error::{Error, PathStep, Result};

/// The error with the key that it came from.
pub(super) fn within(key: &str) -> impl Fn(Error) -> Error {
    move |error| error.within(PathStep::Name(key.into()))
}

/// The entries of a list; none for null.
pub(super) fn list<'v>(value: &'v Value, key: &str) -> Result<&'v [Value]> {
    match &value[key] {
        Value::Null => Ok(&[]),
        Value::Array(list) => Ok(list),
        _ => Err(within(key)(Error::invalid("it is no list"))),
    }
}

/// A text; `None` for null.
pub(super) fn text<'v>(value: &'v Value, key: &str) -> Result<Option<&'v str>> {
    match &value[key] {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text)),
        _ => Err(within(key)(Error::invalid("it is no text"))),
    }
}

/// A whole number; 0 for null.
pub(super) fn integer(value: &Value, key: &str) -> Result<i64> {
    match &value[key] {
        Value::Null => Ok(0),
        value => value.as_i64().ok_or_else(|| within(key)(Error::invalid("it is no whole number"))),
    }
}

/// The same in 32 bits.
pub(super) fn small(value: &Value, key: &str) -> Result<i32> {
    i32::try_from(integer(value, key)?)
        .map_err(|_| within(key)(Error::invalid("it takes more than 32 bits")))
}

/// Whether it is true.
pub(super) fn is_true(value: &Value, key: &str) -> bool {
    value[key] == Value::Bool(true)
}

/// Bytes in base64, perhaps below `$value`; none for null.
pub(super) fn bytes(value: &Value, key: &str) -> Result<Vec<u8>> {
    let text = match &value[key] {
        Value::Null => return Ok(Vec::new()),
        Value::Object(map) => map.get("$value").and_then(Value::as_str),
        value => value.as_str(),
    };
    let bytes = text.and_then(|text| STANDARD.decode(text).ok());
    bytes.ok_or_else(|| within(key)(Error::invalid("it is no base64")))
}

/// Bytes as a document has them.
pub(super) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The class of an object: what stands behind the last point of its `$type`.
pub(super) fn class(value: &Value) -> &str {
    let text = value["$type"].as_str().unwrap_or_default();
    let class = text.split(',').next().unwrap_or_default();
    class.rsplit(['.', '+']).next().unwrap_or_default()
}

/// A number that may stand as text: what JSON has no number for, and zeros with their sign.
pub(super) fn real(value: &Value) -> Result<f64> {
    let number = match value {
        Value::Null => Some(0.0),
        // Infinity, NaN, +0, -0.
        Value::String(text) => text.trim().parse().ok(),
        value => value.as_f64(),
    };
    number.ok_or_else(|| Error::invalid("it is no number"))
}

/// The value of an enum: its number, or its place among names.
pub(super) fn choice(value: &Value, key: &str, names: &[&str]) -> Result<i64> {
    match &value[key] {
        Value::String(text) => names
            .iter()
            .position(|name| name.eq_ignore_ascii_case(text))
            .map(|place| place as i64)
            .ok_or_else(|| within(key)(Error::invalid(format!("'{text}' is not known")))),
        _ => integer(value, key),
    }
}
