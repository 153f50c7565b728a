//! Values from text: the value that is replaced, or an empty one of the type, decides the form.

mod container;
mod enumeration;
mod structure;
mod word;

pub(super) use container::{element_blank, element_type, read_key, same_key};
pub(super) use enumeration::same_value;

use container::{read_elements, read_optional, read_pairs, read_set};
use structure::{read_fields, read_list};
use word::{delegate, read_word};

use super::format::{Surroundings, display, fields_of, with_fields};
use super::{Value, localized_form};
use crate::error::Result;
use crate::property::members::{invalid, members, no_value};
use crate::property::text::ValueText;
use crate::property::{Change, Type};

/// What a new value takes the place of.
#[derive(Debug, Clone, Copy)]
pub(super) struct Old<'a> {
    /// The value, or an empty one of the type.
    pub value: &'a Value,
    /// Whether it was stored: then what the text leaves out stays.
    pub stored: bool,
}

/// The value that a change says.
pub(super) fn read_change(
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
fn read_whole(
    text: &str,
    known: &Type,
    old: Old<'_>,
    around: &mut dyn Surroundings,
) -> Result<Value> {
    let quoted = text.trim_start().starts_with('"');
    let parsed = match old.value {
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
fn read(
    text: &ValueText,
    known: &Type,
    old: Old<'_>,
    around: &mut dyn Surroundings,
) -> Result<Value> {
    // What did not change stays as it is stored, also in forms that no text says.
    if old.stored
        && ValueText::parse(&display(old.value, Some(known), &*around))
            .is_ok_and(|same| same == *text)
    {
        return Ok(old.value.clone());
    }
    let mut value = old.value.clone();
    match &mut value {
        Value::Opaque(_) | Value::Keys(_) => {
            return Err(invalid(
                "its value is not decoded, so nothing says what a new one must look like",
            ));
        }
        Value::Tagged(_) | Value::Unversioned(_) => {
            read_list(members(text, known)?, &mut value, known, around)?;
        }
        Value::Instanced(instanced) => {
            read_list(members(text, known)?, &mut instanced.value, known, around)?;
        }
        Value::Array(elements) => {
            *elements = read_elements(text, known, elements, around)?;
        }
        Value::StructArray(structs) => {
            structs.elements = read_elements(text, known, &structs.elements, around)?;
        }
        Value::Set(set) => {
            set.elements = read_set(text, known, &set.elements, around)?;
        }
        Value::Map(map) => {
            map.pairs = read_pairs(text, known, &map.pairs, around)?;
        }
        Value::Optional(held) => {
            **held = read_optional(text, known, held.as_ref().as_ref(), around)?;
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
                let fields = read_fields(text, known, &fields, old.stored, around)?;
                with_fields(other, fields);
            }
            None if read_word(text, known, other, old.stored, around)? => {}
            None => return Err(no_value(text, known)),
        },
    }
    Ok(value)
}
