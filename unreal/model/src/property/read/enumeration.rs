//! The values of enums, by name and number.

use crate::error::{Error, Result, UnrealError};
use crate::property::codec::is_early;
use crate::property::format::Surroundings;
use crate::property::number::integer;
use crate::property::{PropertyKind, Type};

/// The values of the enum of this type, where they are known.
fn enum_values(known: &Type, around: &dyn Surroundings) -> Option<Vec<(String, u64)>> {
    let is_enum = matches!(known.kind(), PropertyKind::Enum | PropertyKind::Byte)
        && !known.type_name().is_empty();
    is_enum.then(|| around.enum_values(known.type_name())).flatten()
}

/// Whether two names mean the same value of an enum, with the enum before it or without.
pub(in crate::property) fn same_value(one: &str, other: &str) -> bool {
    let last = |text: &str| text.rsplit("::").next().unwrap_or_default().to_ascii_lowercase();
    last(one) == last(other)
}

/// The number of an enum's value; numbers stand for themselves.
pub(super) fn enum_number(
    word: &str,
    known: &Type,
    around: &dyn Surroundings,
) -> Result<Option<i128>> {
    let Some(values) = enum_values(known, around) else { return Ok(None) };
    match values.iter().find(|(name, _)| same_value(name, word)) {
        Some((_, number)) => Ok(Some((*number).into())),
        None if integer(word).is_some() || !around.is_checked() => Ok(None),
        None => Err(no_value(word, known, &values)),
    }
}

fn no_value(word: &str, known: &Type, values: &[(String, u64)]) -> Error {
    let names: Vec<_> = values.iter().map(|(name, _)| name.as_str()).collect();
    let (name, names) = (known.type_name(), names.join(", "));
    let reason = format!("'{word}' is no value of the enum {name}: {names}");
    UnrealError::Doubtful { reason }.into()
}

/// The name of an enum's value as such enums are stored: with the enum before it if the old one has it.
pub(super) fn enum_word(
    word: &str,
    known: &Type,
    old: &str,
    around: &dyn Surroundings,
) -> Result<String> {
    if !matches!(known.kind(), PropertyKind::Enum | PropertyKind::Byte) {
        return Ok(word.to_owned());
    }
    let number = integer(word);
    let values = enum_values(known, around);
    let is = |(name, value): &&(String, u64)| {
        same_value(name, word) || number.is_some_and(|number| number == i128::from(*value))
    };
    let word = match values.as_deref().map(|values| (values, values.iter().find(is))) {
        Some((values, None)) if around.is_checked() => return Err(no_value(word, known, values)),
        // A number stands for the value that has it.
        // Below UE4 the value is the name itself.
        Some((_, Some((name, _)))) if number.is_some() || is_early(around.versions()) => name,
        _ => word,
    };
    if integer(word).is_some() {
        return Err(Error::invalid(format!("'{word}' is no name of an enum's value")));
    }
    Ok(match (word.contains("::"), old.split_once("::")) {
        (false, Some((name, _))) => format!("{name}::{word}"),
        // Of these the engine always stores both.
        (false, None)
            if known.kind() == PropertyKind::Enum
                && !known.type_name().is_empty()
                && old.eq_ignore_ascii_case("None") =>
        {
            format!("{}::{word}", known.type_name())
        }
        // Values of this kind of enum stand alone.
        (true, None) if !old.eq_ignore_ascii_case("None") => {
            word.rsplit("::").next().unwrap_or(word).to_owned()
        }
        _ => word.to_owned(),
    })
}
