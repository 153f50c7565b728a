//! The values of enums, by name and number.

use crate::error::{Error, Result};
use crate::property::members::invalid;
use crate::property::number::integer;
use crate::property::tagged::Kind;
use crate::property::tagged::described::Type;
use crate::property::tagged::format::Surroundings;

/// What the mappings know of the enum of this type.
fn enum_values(known: &Type, around: &dyn Surroundings) -> Option<Vec<(String, u64)>> {
    let is_enum = matches!(known.kind(), Kind::Enum | Kind::Byte) && !known.type_name().is_empty();
    is_enum.then(|| around.mappings()?.enum_values(known.type_name())).flatten()
}

/// Whether two names mean the same value of an enum, with the enum before it or without.
pub(in crate::property::tagged) fn same_value(one: &str, other: &str) -> bool {
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
        None if integer(word).is_some() => Ok(None),
        None => Err(no_value(word, known, &values)),
    }
}

fn no_value(word: &str, known: &Type, values: &[(String, u64)]) -> Error {
    let names: Vec<_> = values.iter().map(|(name, _)| name.as_str()).collect();
    let (name, names) = (known.type_name(), names.join(", "));
    invalid(format!("'{word}' is no value of the enum {name}: {names}"))
}

/// The name of an enum's value as such enums are stored: with the enum before it if the old one has it.
pub(super) fn enum_word(
    word: &str,
    known: &Type,
    old: &str,
    around: &dyn Surroundings,
) -> Result<String> {
    if !matches!(known.kind(), Kind::Enum | Kind::Byte) {
        return Ok(word.to_owned());
    }
    if let Some(values) = enum_values(known, around)
        && !values.iter().any(|(name, _)| same_value(name, word))
    {
        return Err(no_value(word, known, &values));
    }
    if integer(word).is_some() {
        return Err(invalid(format!("'{word}' is no name of an enum's value")));
    }
    Ok(match (word.contains("::"), old.split_once("::")) {
        (false, Some((name, _))) => format!("{name}::{word}"),
        // Of these the engine always stores both.
        (false, None)
            if known.kind() == Kind::Enum
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
