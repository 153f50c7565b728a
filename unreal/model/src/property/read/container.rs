//! Arrays, sets, maps and optional values, and the blanks that their new elements start from.

use std::borrow::Cow;

use super::{Old, read, read_whole};
use crate::error::{Error, Result};
use crate::property::display::display;
use crate::property::edit::Presence;
use crate::property::format::Surroundings;
use crate::property::members::{in_place, members, no_value};
use crate::property::text::{TextMember, ValueText};
use crate::property::{Elements, Place, PropertyKind, Type, Value};

/// The value from which a new element starts.
pub(in crate::property) fn element_blank(
    known: Option<&Type>,
    sibling: Option<&Value>,
    around: &mut dyn Surroundings,
) -> Result<Value> {
    Ok(match (known, sibling) {
        // Old tags do not name the structs of sets and maps: others in the same container show their form.
        (_, Some(Value::List(list))) => Value::List(list.emptied()),
        (Some(known), None)
            if known.kind() == PropertyKind::Struct && known.type_name().is_empty() =>
        {
            return Err(Error::invalid(
                "nothing says which struct its elements are; there is none that shows it",
            ));
        }
        // Neither do they name enums.
        (Some(known), Some(name @ Value::Name(_)))
            if matches!(known.kind(), PropertyKind::Enum | PropertyKind::Byte) =>
        {
            name.clone()
        }
        (Some(known), Some(sibling)) => match Value::blank(known, Place::Element, around) {
            Ok(blank) if std::mem::discriminant(&blank) == std::mem::discriminant(sibling) => blank,
            // Bytes of an enum may be names or numbers, and a type may leave out what the other one shows.
            _ => sibling.emptied(known, around)?,
        },
        (Some(known), None) => Value::blank(known, Place::Element, around)?,
        (None, Some(sibling)) => sibling.emptied(&Type::of_value(sibling), around)?,
        (None, None) => {
            return Err(Error::invalid(
                "nothing says of which type its elements are; state it: array:int",
            ));
        }
    })
}

/// The type of elements; structs that are lists of their own say it by their name.
pub(in crate::property) fn element_type(known: &Type) -> Option<Type> {
    match known.type_name().eq_ignore_ascii_case("GameplayTagContainer") {
        true => Type::of_class("NameProperty").ok(),
        false => known.inner().first().cloned(),
    }
}

/// The elements of a container elsewhere, whose form those of a new one have.
pub(in crate::property) fn samples(
    origin: Presence<'_>,
    around: &dyn Surroundings,
) -> Result<Vec<Value>> {
    match origin {
        Presence::Added(Some(Value::Array(elements))) => elements.to_values(around.source()),
        Presence::Added(Some(Value::StructArray(structs))) => {
            structs.elements.to_values(around.source())
        }
        Presence::Added(Some(Value::Set(set))) => set.elements.to_values(around.source()),
        _ => Ok(Vec::new()),
    }
}

/// A key and value of a map elsewhere.
pub(in crate::property) fn sample_pair(origin: Presence<'_>) -> Option<&(Value, Value)> {
    match origin {
        Presence::Added(Some(Value::Map(map))) => map.pairs.first(),
        _ => None,
    }
}

fn unknown_type() -> Type {
    Type::unknown("unknown")
}

pub(super) fn read_elements(
    text: &ValueText,
    known: &Type,
    old: &Elements,
    origin: Presence<'_>,
    around: &mut dyn Surroundings,
) -> Result<Elements> {
    let items = members(text, known)?;
    let olds = old.to_values(around.source())?;
    let samples = samples(origin, &*around)?;
    let sample = olds.first().or(samples.first());
    let element = element_type(known);
    let element = element.as_ref();
    let mut values = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        if item.key.is_some() {
            return Err(Error::invalid("elements have no names"));
        }
        let blank = match olds.get(at) {
            Some(old) => old.clone(),
            None => element_blank(element, sample, around)?,
        };
        let origin = if at < olds.len() { Presence::Stored } else { Presence::Added(sample) };
        let old = Old { value: &blank, origin };
        let unknown = unknown_type();
        let value = read(&item.value, element.unwrap_or(&unknown), old, around);
        values.push(value.map_err(|error| in_place(&format!("[{at}]"), error))?);
    }
    Ok(Elements::of_values(values))
}

pub(super) fn read_set(
    text: &ValueText,
    known: &Type,
    old: &Elements,
    origin: Presence<'_>,
    around: &mut dyn Surroundings,
) -> Result<Elements> {
    let elements = read_elements(text, known, old, origin, around)?;
    let values = elements.to_values(around.source())?;
    let twice = |(at, one): (usize, &Value)| {
        values[..at].iter().any(|other| same_key(one, other, &*around))
    };
    match values.iter().enumerate().any(twice) {
        true => Err(Error::invalid("a set has each element once")),
        false => Ok(elements),
    }
}

pub(super) fn read_pairs(
    text: &ValueText,
    known: &Type,
    olds: &[(Value, Value)],
    origin: Presence<'_>,
    around: &mut dyn Surroundings,
) -> Result<Vec<(Value, Value)>> {
    let unknown = unknown_type();
    let types = (known.inner().first(), known.inner().get(1));
    let mut pairs: Vec<(Value, Value)> = Vec::new();
    for (at, item) in members(text, known)?.iter().enumerate() {
        let (key, value) = pair_of(item, known)?;
        let sibling = olds.get(at).or(olds.first()).or(sample_pair(origin));
        let blank = element_blank(types.0, sibling.map(|pair| &pair.0), around)?;
        let old = Old { value: &blank, origin: Presence::Added(sibling.map(|pair| &pair.0)) };
        let key = read(&key, types.0.unwrap_or(&unknown), old, around)?;
        if pairs.iter().any(|(known, _)| same_key(known, &key, &*around)) {
            let key = display(&key, types.0, around);
            return Err(Error::invalid(format!("the key {key} stands twice")));
        }
        // The value of a key that stays keeps what the text leaves out.
        let there = olds.iter().find(|(known, _)| same_key(known, &key, &*around));
        let blank = match there {
            Some((_, value)) => value.clone(),
            None => element_blank(types.1, sibling.map(|pair| &pair.1), around)?,
        };
        let origin = match there {
            Some(_) => Presence::Stored,
            None => Presence::Added(sibling.map(|pair| &pair.1)),
        };
        let old = Old { value: &blank, origin };
        let value = read(value, types.1.unwrap_or(&unknown), old, around)?;
        pairs.push((key, value));
    }
    Ok(pairs)
}

/// The key and the value that a member of a map is: `(KEY,VALUE)`, or `KEY=VALUE`.
fn pair_of<'a>(item: &'a TextMember, known: &Type) -> Result<(Cow<'a, ValueText>, &'a ValueText)> {
    if let Some(key) = &item.key {
        return Ok((Cow::Owned(ValueText::parse(key)?), &item.value));
    }
    match members(&item.value, known)? {
        [key, value] => Ok((Cow::Borrowed(&key.value), &value.value)),
        _ => Err(Error::invalid(
            "a map's members are pairs: ((KEY,VALUE),(KEY,VALUE)) or (KEY=VALUE,KEY=VALUE)",
        )),
    }
}

/// `()` and `None` are none, `(VALUE)` is one, and so is any value that is no such group.
pub(super) fn read_optional(
    text: &ValueText,
    known: &Type,
    old: Option<&Value>,
    origin: Presence<'_>,
    around: &mut dyn Surroundings,
) -> Result<Option<Value>> {
    let given = match text {
        ValueText::Plain(word) if word.eq_ignore_ascii_case("None") => None,
        ValueText::Group(items) => match &items[..] {
            [] => None,
            [item] if item.key.is_none() => Some(&item.value),
            _ => Some(text),
        },
        text => Some(text),
    };
    match given {
        None => Ok(None),
        Some(given) => {
            let Some(inner) = known.inner().first() else { return Err(no_value(text, known)) };
            let sample = match origin {
                Presence::Added(Some(Value::Optional(held))) => held.as_ref().as_ref(),
                _ => None,
            };
            let (template, origin) = match old {
                Some(value) => (value.clone(), Presence::Stored),
                None => (element_blank(Some(inner), sample, around)?, Presence::Added(sample)),
            };
            read(given, inner, Old { value: &template, origin }, around).map(Some)
        }
    }
}

/// Whether the engine takes two keys or elements of a set for one: case does not count in strings.
pub(in crate::property) fn same_key(one: &Value, other: &Value, around: &dyn Surroundings) -> bool {
    match (one, other) {
        (Value::Str(one), Value::Str(other)) => {
            match (one.text(around.source()), other.text(around.source())) {
                (Ok(one), Ok(other)) => one.eq_ignore_ascii_case(&other),
                _ => one == other,
            }
        }
        _ => one == other,
    }
}

/// A key from what stands in brackets.
pub(in crate::property) fn read_key(
    key: &str,
    known: Option<&Type>,
    sibling: Option<&Value>,
    around: &mut dyn Surroundings,
) -> Result<Value> {
    let blank = element_blank(known, sibling, around)?;
    let unknown = unknown_type();
    read_whole(
        key,
        known.unwrap_or(&unknown),
        Old { value: &blank, origin: Presence::Added(sibling) },
        around,
    )
}
