//! Asking a document that may hold anything.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::error::{Error, ErrorKind, Result};

/// Refuses keys that mean nothing here.
pub(super) fn check_keys(value: &Value, known: &[&str]) -> Result<()> {
    let mut keys = value.as_object().into_iter().flat_map(|map| map.keys());
    match keys.find(|key| !known.contains(&key.as_str())) {
        Some(key) => {
            Err(Error::invalid(format!("unknown field '{key}'; known are {}", known.join(", "))))
        }
        None => Ok(()),
    }
}

pub(super) fn number(value: &Value, key: &'static str) -> Result<u64> {
    value
        .get(key)
        .and_then(Value::as_u64)
        .ok_or_else(|| Error::invalid(format!("'{key}' is missing or no number")))
}

pub(super) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

pub(super) fn base64(value: &Value, key: &'static str) -> Result<Vec<u8>> {
    let text = value.get(key).and_then(Value::as_str);
    text.and_then(|text| STANDARD.decode(text).ok())
        .ok_or_else(|| Error::invalid(format!("'{key}' is missing or no base64")))
}

pub(super) fn place_bytes(image: &mut [u8], start: u64, bytes: &[u8]) -> Result<()> {
    // Nothing may stand anywhere.
    if bytes.is_empty() {
        return Ok(());
    }
    let length = image.len() as u64;
    let end = start.saturating_add(bytes.len() as u64);
    let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
    match range.and_then(|(start, end)| image.get_mut(start..end)) {
        Some(place) => {
            place.copy_from_slice(bytes);
            Ok(())
        }
        None => Err(ErrorKind::OutsideSource { start, end, length }.into()),
    }
}
