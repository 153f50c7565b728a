//! Elements of arrays and sets, and the values of keys.

use super::{Found, apply_value};
use crate::error::{ErrorKind, Result};
use crate::property::format::{Surroundings, display};
use crate::property::members::invalid;
use crate::property::read::{element_blank, element_type, read_key, same_key, same_value};
use crate::property::text::quote;
use crate::property::{Change, Elements, PathPart, PropertyKind, Type, Value};

/// An element of an array or set, or the value of a key; one that is not there is added.
pub(super) fn apply_element(
    value: &mut Value,
    known: &Type,
    key: &str,
    (inner, rest): (&[String], &[PathPart]),
    change: &Change<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let element = element_type(known);
    let element = element.as_ref();
    match value {
        Value::Array(elements) => {
            apply_listed(elements, element, key, (inner, rest), change, around)
        }
        Value::StructArray(structs) => {
            apply_listed(&mut structs.elements, element, key, (inner, rest), change, around)
        }
        Value::Set(set) => {
            let found =
                apply_listed(&mut set.elements, element, key, (inner, rest), change, around)?;
            if change.is_set() {
                let (at, values) =
                    (PathPart::number(key)? as usize, set.elements.to_values(around.source())?);
                let same =
                    |one: &Value| values.get(at).is_some_and(|set| same_key(one, set, &*around));
                if values.iter().enumerate().any(|(other, one)| other != at && same(one)) {
                    return Err(invalid("a set has each element once"));
                }
            }
            Ok(found)
        }
        Value::Map(map) => apply_pair(&mut map.pairs, known, key, (inner, rest), change, around),
        _ => Err(invalid(format!("a value of type {known} has no elements"))),
    }
}

fn apply_listed(
    elements: &mut Elements,
    known: Option<&Type>,
    key: &str,
    (inner, rest): (&[String], &[PathPart]),
    change: &Change<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let at = PathPart::number(key)? as usize;
    let mut values = elements.to_values(around.source())?;
    let count = values.len();
    let last = inner.is_empty() && rest.is_empty();
    let is_set = change.is_set();
    let unknown = Type::unknown("unknown");
    let value_type = known.unwrap_or(&unknown);
    let found = if at < count && last && matches!(change, Change::Remove) {
        let old = values.remove(at);
        let old_text = Some(display(&old, Some(value_type), &*around));
        Found { old: Some((old, value_type.clone())), old_text, new_text: None }
    } else if let Some(value) = values.get_mut(at) {
        apply_value(value, value_type, (inner, rest), change, true, around)?
    } else if at == count && last && is_set {
        let mut value = element_blank(known, values.first(), around)?;
        let mut found = apply_value(&mut value, value_type, (inner, rest), change, false, around)?;
        (found.old, found.old_text) = (None, None);
        values.push(value);
        found
    } else {
        let whole = if count == 0 { "; set it whole" } else { "" };
        let reason = format!("there is no element {at}: there are {count}, 0 the first{whole}");
        return Err(invalid(reason));
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
    if let Some(at) = at {
        if last && matches!(change, Change::Remove) {
            let (_, old) = pairs.remove(at);
            let old_text = Some(display(&old, Some(value_type), &*around));
            return Ok(Found { old: Some((old, value_type.clone())), old_text, new_text: None });
        }
        return apply_value(&mut pairs[at].1, value_type, (inner, rest), change, true, around);
    }
    if !last || !change.is_set() {
        let shown: Vec<_> =
            pairs.iter().take(12).map(|(key, _)| display(key, types.0, &*around)).collect();
        let hint = format!("; the keys are {}", shown.join(", "));
        let error = ErrorKind::NotFound { what: "key", name: key.to_owned(), hint };
        return Err(error.into());
    }
    let sibling = pairs.first().cloned();
    let sibling = sibling.as_ref();
    let new_key = read_key(key, types.0, sibling.map(|pair| &pair.0), around)?;
    if pairs.iter().any(|(known, _)| same_key(known, &new_key, &*around)) {
        return Err(invalid(format!("the key {key} is there in another form")));
    }
    let mut value = element_blank(types.1, sibling.map(|pair| &pair.1), around)?;
    let mut found = apply_value(&mut value, value_type, (inner, rest), change, false, around)?;
    (found.old, found.old_text) = (None, None);
    pairs.push((new_key, value));
    Ok(found)
}
