//! Arrays and maps: groups of values.

use super::{Wanted, read};
use crate::archive::Span;
use crate::error::Result;
use crate::primitive::Payload;
use crate::property::format::{Lookup, inferred};
use crate::property::members::{in_place, invalid, members};
use crate::property::text::{Item, Text};
use crate::property::{PropertyType, Value};

pub(super) fn read_array(
    text: &Text,
    element: Option<&PropertyType>,
    wanted: Wanted<'_>,
    lookup: &mut dyn Lookup,
) -> Result<Value> {
    let items = members(text, wanted.property)?;
    if items.iter().any(|item| item.key.is_some()) {
        return Err(invalid("elements of an array have no names"));
    }
    let olds = match wanted.old {
        Some(Value::Array(values)) => values.as_slice(),
        _ => &[],
    };
    let guessed = olds.first().map(inferred);
    let bytes = matches!(wanted.old, Some(Value::Bytes(_)))
        || element == Some(&PropertyType::Byte) && olds.is_empty();
    let numbers = || {
        let byte = |item: &Item| item.value.word().and_then(|word| word.parse::<u8>().ok());
        items.iter().map(byte).collect::<Option<Vec<u8>>>()
    };
    if bytes && let Some(bytes) = numbers() {
        return Ok(Value::Bytes(Payload(Span::owned(bytes))));
    }
    let Some(element) = element.or(guessed.as_ref()) else {
        if items.is_empty() {
            return Ok(Value::Array(Vec::new()));
        }
        let reason = "nothing says of which type the array's elements are; state it: array:int";
        return Err(invalid(reason));
    };
    let values = items.iter().enumerate().map(|(at, item)| {
        read(&item.value, Wanted::part(wanted.declared, element, olds.get(at)), lookup)
            .map_err(|error| in_place(&format!("[{at}]"), error))
    });
    Ok(Value::Array(values.collect::<Result<_>>()?))
}

pub(super) fn read_map(
    text: &Text,
    pair: Option<&(PropertyType, PropertyType)>,
    wanted: Wanted<'_>,
    lookup: &mut dyn Lookup,
) -> Result<Value> {
    let items = members(text, wanted.property)?;
    let guessed = match wanted.old {
        Some(Value::Map(pairs)) => {
            pairs.first().map(|(key, value)| (inferred(key), inferred(value)))
        }
        _ => None,
    };
    let Some((key_type, value_type)) = pair.or(guessed.as_ref()) else {
        let reason = "nothing says of which types the map's keys and values are";
        return Err(invalid(reason));
    };
    let mut pairs = Vec::with_capacity(items.len());
    for item in items {
        let [key, value] = members(&item.value, wanted.property)? else {
            return Err(invalid("a map's members are pairs: ((KEY,VALUE),(KEY,VALUE))"));
        };
        let key = read(&key.value, Wanted::part(wanted.declared, key_type, None), lookup)?;
        let value = read(&value.value, Wanted::part(wanted.declared, value_type, None), lookup)?;
        pairs.push((key, value));
    }
    Ok(Value::Map(pairs))
}
