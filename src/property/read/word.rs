//! Values that are one word.

use super::Wanted;
use crate::Versions;
use crate::archive::Span;
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::{Encoding, FString, PackageIndex};
use crate::property::format::Lookup;
use crate::property::members::{invalid, no_value};
use crate::property::tag::ENUM_NAME_ADDED;
use crate::property::text::Text;
use crate::property::{Enumeration, PropertyType, Value, number};
use crate::version::Engine;

/// A number, bool, name, string, object or delegate.
pub(super) fn read_word(text: &Text, wanted: Wanted<'_>, lookup: &mut dyn Lookup) -> Result<Value> {
    let property = wanted.property;
    let wrong = || no_value(text, property);
    let word = text.word().ok_or_else(wrong)?;
    let quoted = matches!(text, Text::Quoted(_));
    Ok(match property {
        PropertyType::Byte => {
            return read_byte(word, wanted, lookup).map_err(|e| e.unwrap_or_else(wrong));
        }
        PropertyType::Int => Value::Int(number::int(word).ok_or_else(wrong)?),
        PropertyType::Float => Value::Float(number::real(word, f32::is_finite).ok_or_else(wrong)?),
        PropertyType::Bool => {
            let value = number::boolean(word).ok_or_else(wrong)?;
            match wanted.old {
                Some(Value::BoolWord(_)) => Value::BoolWord(value.into()),
                _ if wanted.tagged => Value::Bool(value),
                _ => Value::BoolByte(value.into()),
            }
        }
        PropertyType::Object | PropertyType::Class if !quoted => {
            Value::Object(lookup.object(word)?)
        }
        PropertyType::Name => Value::Name(lookup.name(word)?),
        PropertyType::Str => Value::Str(Box::new(string(word, wanted.old, lookup.versions()))),
        PropertyType::FixedString => fixed_string(word, wanted.old)?,
        PropertyType::Delegate if !quoted => match word.rsplit_once('.') {
            Some((object, function)) => {
                Value::Delegate(lookup.object(object)?, lookup.name(function)?)
            }
            None => Value::Delegate(PackageIndex::NULL, lookup.name(word)?),
        },
        _ => return Err(wrong()),
    })
}

/// A byte by its number, by the name of an enum's value, or in UE3 as such a name. `None` for an error
/// that the caller words.
fn read_byte(
    word: &str,
    wanted: Wanted<'_>,
    lookup: &mut dyn Lookup,
) -> std::result::Result<Value, Option<Error>> {
    let known = wanted.declared.enumeration.as_deref().filter(|_| wanted.tagged);
    let by_name = match wanted.old {
        Some(old) => matches!(old, Value::Name(_)),
        None => {
            lookup.versions().engine() == Engine::Ue3
                && lookup.versions().file >= ENUM_NAME_ADDED
                && known.is_some()
        }
    };
    let number = word.parse::<u8>().ok();
    if let Some(Enumeration { name, values }) = known {
        let found = values.iter().position(|value| value.eq_ignore_ascii_case(word));
        let found = found.or(number.map(usize::from));
        let Some(value) = found.and_then(|at| values.get(at)) else {
            // Engines store numbers beyond the enum's values too.
            if let (Some(number), false) = (number, by_name) {
                return Ok(Value::Byte(number));
            }
            let values = values.join(", ");
            let reason = format!("'{word}' is no value of the enum {name}: {values}");
            return Err(Some(invalid(reason)));
        };
        if by_name {
            return lookup.name(value).map(Value::Name).map_err(Some);
        }
        return found.and_then(|at| u8::try_from(at).ok()).map(Value::Byte).ok_or(None);
    }
    if by_name {
        return match number {
            Some(_) => Err(None),
            None => lookup.name(word).map(Value::Name).map_err(Some),
        };
    }
    number.map(Value::Byte).ok_or(None)
}

/// A string in the encoding of the one it replaces, where that can hold it.
fn string(text: &str, old: Option<&Value>, versions: &Versions) -> FString {
    if let Some(Value::Str(old)) = old
        && !text.is_empty()
        && !old.is_empty()
        && old.encoding() == Encoding::Ansi
        && let Some(string) = FString::ansi(text)
    {
        return string;
    }
    FString::new_in(text, versions.byte_order, versions.game)
}

/// UE1: characters up to a zero byte in a fixed size, which stays.
fn fixed_string(text: &str, old: Option<&Value>) -> Result<Value> {
    let bytes = FString::ansi(text).and_then(|string| string.span().as_owned().map(<[u8]>::to_vec));
    let mut bytes =
        bytes.ok_or(ErrorKind::BadText { reason: "this type stores 8-bit text only" })?;
    let size = match old {
        Some(Value::Text(span)) => span.len() as usize,
        _ => bytes.len() + 1,
    };
    if bytes.len() + 1 > size || bytes.contains(&0) {
        let kind = ErrorKind::BadText { reason: "it is longer than the property's fixed size" };
        return Err(kind.into());
    }
    bytes.resize(size, 0);
    Ok(Value::Text(Span::owned(bytes)))
}
