//! Elements of arrays and sets, and the values of keys.

use super::change::{Change, Found, Presence};
use super::value::apply_value;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::property::display::display;
use crate::property::format::Surroundings;
use crate::property::path::BEFORE;
use crate::property::read::{
    element_blank, element_type, read_key, same_key, same_value, sample_pair, samples,
};
use crate::property::text::quote;
use crate::property::{Elements, PathPart, PropertyKind, Type, Value};

/// An element of an array or set, or the value of a key; one that is not there is added.
pub(super) fn apply_element(
    value: &mut Value,
    known: &Type,
    key: &str,
    (inner, rest): (&[String], &[PathPart]),
    change: &Change<'_>,
    origin: Presence<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let element = element_type(known);
    let element = element.as_ref();
    match value {
        Value::Array(elements) => {
            apply_listed(elements, element, key, (inner, rest), change, origin, around)
        }
        Value::StructArray(structs) => {
            apply_listed(&mut structs.elements, element, key, (inner, rest), change, origin, around)
        }
        Value::Set(set) => {
            let found = apply_listed(
                &mut set.elements,
                element,
                key,
                (inner, rest),
                change,
                origin,
                around,
            )?;
            if change.is_set() {
                let values = set.elements.to_values(around.source())?;
                let at = match found.element {
                    Some(at) => at,
                    None => PathPart::number(key)? as usize,
                };
                let same =
                    |one: &Value| values.get(at).is_some_and(|set| same_key(one, set, &*around));
                if values.iter().enumerate().any(|(other, one)| other != at && same(one)) {
                    return Err(Error::invalid("a set has each element once"));
                }
            }
            Ok(found)
        }
        Value::Map(map) => {
            apply_pair(&mut map.pairs, known, key, (inner, rest), change, origin, around)
        }
        _ => Err(Error::invalid(format!("a value of type {known} has no elements"))),
    }
}

fn apply_listed(
    elements: &mut Elements,
    known: Option<&Type>,
    key: &str,
    (inner, rest): (&[String], &[PathPart]),
    change: &Change<'_>,
    origin: Presence<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let mut values = elements.to_values(around.source())?;
    let count = values.len();
    let last = inner.is_empty() && rest.is_empty();
    let is_set = change.is_set();
    // `[+]` is the place behind the last one; `[2]^` makes room before that one.
    let (at, insert) = match key.strip_suffix(BEFORE) {
        Some(before) => (PathPart::number(before)? as usize, true),
        None if key == "+" => (count, false),
        None => (PathPart::number(key)? as usize, false),
    };
    if insert && !(is_set && last && at <= count) {
        let reason = format!("there is no element {at} to insert before: there are {count}");
        return Err(Error::invalid(reason));
    }
    let unknown = Type::unknown("unknown");
    let value_type = known.unwrap_or(&unknown);
    let found = if at < count && last && matches!(change, Change::Remove) {
        let old = values.remove(at);
        let old_text = Some(display(&old, Some(value_type), &*around));
        Found { old: Some((old, value_type.clone())), old_text, ..Found::default() }
    } else if let Some(value) = values.get_mut(at).filter(|_| !insert) {
        apply_value(value, value_type, (inner, rest), change, Presence::Stored, around)?
    } else if (at == count || insert) && last && is_set {
        let samples = samples(origin, &*around)?;
        let sample = values.first().or(samples.first());
        let mut value = element_blank(known, sample, around)?;
        let origin = Presence::Added(sample);
        let mut found = apply_value(&mut value, value_type, (inner, rest), change, origin, around)?;
        (found.old, found.old_text) = (None, None);
        found.element = Some(at);
        values.insert(at, value);
        found
    } else {
        let whole = if count == 0 { "; set it whole" } else { "" };
        let reason = format!("there is no element {at}: there are {count}, 0 the first{whole}");
        return Err(Error::invalid(reason));
    };
    if !matches!(change, Change::Read) {
        *elements = Elements::of_values(values);
    }
    Ok(found)
}

fn apply_pair(
    pairs: &mut Vec<(Value, Value)>,
    known: &Type,
    key: &str,
    (inner, rest): (&[String], &[PathPart]),
    change: &Change<'_>,
    origin: Presence<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let types = (known.inner().first(), known.inner().get(1));
    let unknown = Type::unknown("unknown");
    let value_type = types.1.unwrap_or(&unknown);
    let quoted = quote(key);
    let is = |pair: &(Value, Value), around: &dyn Surroundings| {
        let shown = display(&pair.0, types.0, around);
        let is_enum = types
            .0
            .is_some_and(|known| matches!(known.kind(), PropertyKind::Enum | PropertyKind::Byte));
        shown.eq_ignore_ascii_case(key)
            || shown.eq_ignore_ascii_case(&quoted)
            || is_enum && same_value(&shown, key)
    };
    let at = pairs.iter().position(|pair| is(pair, &*around));
    let last = inner.is_empty() && rest.is_empty();
    if key == "+" || key.ends_with(BEFORE) {
        return Err(Error::invalid("a map has no order: write Map[KEY]=VALUE"));
    }
    if let Some(at) = at {
        if last && matches!(change, Change::Remove) {
            let (_, old) = pairs.remove(at);
            let old_text = Some(display(&old, Some(value_type), &*around));
            return Ok(Found {
                old: Some((old, value_type.clone())),
                old_text,
                ..Found::default()
            });
        }
        return apply_value(
            &mut pairs[at].1,
            value_type,
            (inner, rest),
            change,
            Presence::Stored,
            around,
        );
    }
    if !last || !change.is_set() {
        let shown: Vec<_> =
            pairs.iter().take(12).map(|(key, _)| display(key, types.0, &*around)).collect();
        let hint = format!("; the keys are {}", shown.join(", "));
        let error = ErrorKind::NotFound { what: noun::KEY, name: key.to_owned(), hint };
        return Err(error.into());
    }
    let sibling = pairs.first().or(sample_pair(origin)).cloned();
    let sibling = sibling.as_ref();
    let new_key = read_key(key, types.0, sibling.map(|pair| &pair.0), around)?;
    if pairs.iter().any(|(known, _)| same_key(known, &new_key, &*around)) {
        return Err(Error::invalid(format!("the key {key} is there in another form")));
    }
    let mut value = element_blank(types.1, sibling.map(|pair| &pair.1), around)?;
    let origin = Presence::Added(sibling.map(|pair| &pair.1));
    let mut found = apply_value(&mut value, value_type, (inner, rest), change, origin, around)?;
    (found.old, found.old_text) = (None, None);
    pairs.push((new_key, value));
    Ok(found)
}
