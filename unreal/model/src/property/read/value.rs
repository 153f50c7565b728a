//! A value from its text.

use super::container::{read_elements, read_optional, read_pairs, read_set};
use super::structure::{read_fields, read_instanced, read_list};
use super::word::{delegate, read_word};
use crate::error::{Error, Result};
use crate::property::display::display;
use crate::property::edit::Presence;
use crate::property::format::{Surroundings, fields_of, with_fields};
use crate::property::members::{members, no_value};
use crate::property::text::{ValueText, quote};
use crate::property::time_form::TimeForm;
use crate::property::{Change, Type, Value, localized_form};

/// The value that a new one replaces.
#[derive(Debug, Clone, Copy)]
pub(in crate::property) struct Old<'a> {
    /// The value, or an empty one of the type.
    pub value: &'a Value,
    /// Whether it was stored.
    pub origin: Presence<'a>,
}

/// The value that a change says.
pub(in crate::property) fn read_change(
    change: &Change<'_>,
    known: &Type,
    old: Old<'_>,
    around: &mut dyn Surroundings,
) -> Result<Value> {
    match change {
        Change::Set(text) => read_whole(text, known, old, around),
        Change::SetText(text) => read(text, known, old, around),
        Change::Read | Change::Remove => Ok(old.value.clone()),
    }
}

/// The whole text of a value: strings, names and paths may stand there without quotes.
pub(super) fn read_whole(
    text: &str,
    known: &Type,
    old: Old<'_>,
    around: &mut dyn Surroundings,
) -> Result<Value> {
    let quoted = text.trim_start().starts_with('"');
    let parsed = match old.value {
        Value::Str(_) | Value::FixedStr(_) | Value::Utf8Str(_) | Value::Text(_) if quoted => {
            ValueText::parse(text).map_err(|error| {
                let whole = quote(text);
                Error::invalid(format!(
                    "{error}; a text that begins with a quote is written in quotes: {whole}"
                ))
            })?
        }
        _ if quoted => ValueText::parse(text)?,
        Value::Str(_) | Value::FixedStr(_) | Value::Utf8Str(_) => ValueText::Plain(text.to_owned()),
        Value::Name(_) | Value::SoftObject(_) | Value::SoftObjectIndex(_) => {
            ValueText::Plain(text.trim().to_owned())
        }
        Value::Text(_) => match ValueText::parse(text) {
            Ok(call @ ValueText::Call(..)) => call,
            _ => ValueText::Plain(text.to_owned()),
        },
        _ => ValueText::parse(text)?,
    };
    read(&parsed, known, old, around)
}

/// A value from its text.
pub(super) fn read(
    text: &ValueText,
    known: &Type,
    old: Old<'_>,
    around: &mut dyn Surroundings,
) -> Result<Value> {
    // What did not change stays as it is stored, also in forms that no text says.
    if old.origin.is_stored()
        && ValueText::parse(&display(old.value, Some(known), &*around))
            .is_ok_and(|same| same == *text)
    {
        return Ok(old.value.clone());
    }
    let mut value = old.value.clone();
    if let Value::Int64(ticks) = &mut value
        && let Some(time) = time(text, known)?
    {
        *ticks = time;
        return Ok(value);
    }
    match &mut value {
        Value::Opaque(_) | Value::Keys(_) => {
            return Err(Error::invalid(
                "its value is not decoded, so nothing says what a new one must look like",
            ));
        }
        Value::List(_) => {
            read_list(members(text, known)?, &mut value, known, around)?;
        }
        Value::Instanced(instanced) => {
            read_instanced(text, known, instanced, old.origin, around)?;
        }
        Value::Array(elements) => {
            *elements = read_elements(text, known, elements, old.origin, around)?;
        }
        Value::StructArray(structs) => {
            structs.elements = read_elements(text, known, &structs.elements, old.origin, around)?;
        }
        Value::Set(set) => {
            set.elements = read_set(text, known, &set.elements, old.origin, around)?;
        }
        Value::Map(map) => {
            map.pairs = read_pairs(text, known, &map.pairs, old.origin, around)?;
        }
        Value::Optional(held) => {
            **held = read_optional(text, known, held.as_ref().as_ref(), old.origin, around)?;
        }
        Value::MulticastDelegate(delegates) => {
            let items = members(text, known)?;
            let texts =
                items.iter().map(|item| item.value.word().ok_or_else(|| no_value(text, known)));
            let texts = texts.collect::<Result<Vec<_>>>()?;
            *delegates =
                texts.into_iter().map(|word| delegate(word, around)).collect::<Result<_>>()?;
        }
        Value::Text(held) => {
            **held = localized_form::read(text, held, around)?;
        }
        other => match fields_of(other) {
            Some(fields) => {
                let fields = read_fields(text, known, &fields, old.origin, around)?;
                with_fields(other, fields);
            }
            None if read_word(text, known, other, old.origin.is_stored(), around)? => {}
            None => return Err(no_value(text, known)),
        },
    }
    Ok(value)
}

/// A point in time or a span of time in ticks, which may stand in parentheses; `None` for other types.
fn time(text: &ValueText, known: &Type) -> Result<Option<i64>> {
    let Some(form) = TimeForm::of(known.type_name()) else { return Ok(None) };
    let word = match text {
        ValueText::Group(items) => match &items[..] {
            [item] => item.value.word(),
            _ => None,
        },
        text => text.word(),
    };
    let ticks = word.and_then(|word| form.read(word)).ok_or_else(|| {
        let example = match form {
            TimeForm::Date => "2024-05-01T12:00:00",
            TimeForm::Span => "1.02:30:00, which is days, hours, minutes, seconds",
        };
        Error::invalid(format!(
            "'{}' is no value of type {known}: write {example}",
            word.unwrap_or_default()
        ))
    })?;
    Ok(Some(ticks))
}
