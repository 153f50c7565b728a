//! A value at a path within another one.

use super::apply;
use super::change::{Change, Found, Presence};
use super::element::apply_element;
use crate::error::{Error, ErrorKind, Result, noun};
use crate::property::display::display;
use crate::property::field_names::named_fields;
use crate::property::format::{Surroundings, fields_of, struct_of, with_fields};
use crate::property::path::PathPart;
use crate::property::read::{Old, read_change};
use crate::property::{Type, Value};

/// Goes on from a value: into elements, into fields, or does the change.
#[doc(hidden)]
pub fn apply_value(
    value: &mut Value,
    known: &Type,
    (keys, rest): (&[String], &[PathPart]),
    change: &Change<'_>,
    origin: Presence<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    if let (Value::Optional(held), Some(inner)) = (&mut *value, known.inner().first())
        && !(keys.is_empty() && rest.is_empty())
    {
        let Some(held) = &mut **held else {
            return Err(Error::invalid("the optional value is not set: set it whole, as (VALUE)"));
        };
        return apply_value(held, inner, (keys, rest), change, origin, around);
    }
    if let Some((key, inner)) = keys.split_first() {
        return apply_element(value, known, key, (inner, rest), change, origin, around);
    }
    if let Some(first) = rest.first() {
        return match value {
            Value::List(list) => apply(list, Some(known.type_name()), rest, change, around),
            Value::Instanced(instanced) => {
                let known = struct_of(instanced.structure, &*around);
                let (value, keys) = (&mut instanced.value, [].as_slice());
                apply_value(value, &known, (keys, rest), change, origin, around)
            }
            other => match fields_of(other) {
                Some(_) if !origin.is_stored() => {
                    Err(Error::invalid(format!("a {known} that is not stored yet: set it whole")))
                }
                Some(mut fields) => {
                    let found = apply_field(&mut fields, known, rest, change, around)?;
                    with_fields(other, fields);
                    Ok(found)
                }
                None => Err(Error::invalid(format!(
                    "a value of type {known} has no field '{}'",
                    first.name
                ))),
            },
        };
    }
    let old_text = display(value, Some(known), &*around);
    let old = Some((value.clone(), known.clone()));
    match change {
        Change::Read => Ok(Found::unchanged(old, old_text)),
        Change::Remove => Err(Error::invalid(
            "only whole properties, elements, rows and fields with tags can be removed",
        )),
        // What is said already stays as it is, even where no text could make it.
        Change::Set(text) if origin.is_stored() && *text == old_text => {
            Ok(Found::unchanged(old, old_text))
        }
        Change::Set(_) | Change::SetText(_) => {
            let new = read_change(change, known, Old { value, origin }, around)?;
            *value = new;
            let new_text = Some(display(value, Some(known), &*around));
            Ok(Found { old, old_text: Some(old_text), new_text, element: None })
        }
    }
}

/// A field of a struct without tags; `Min.X` may be one field.
fn apply_field(
    fields: &mut [Value],
    known: &Type,
    rest: &[PathPart],
    change: &Change<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let named = named_fields(fields, Some(known), around);
    let find = |name: &str| named.iter().position(|(field, _)| field.eq_ignore_ascii_case(name));
    // A field of a static array, or one of a struct that is stored flat, may be called so.
    let whole = |part: &PathPart| {
        let keys: String = part.keys.iter().map(|key| format!("[{key}]")).collect();
        format!("{}{keys}", part.name)
    };
    let dotted = match rest {
        [first, second, after @ ..] => find(&format!("{}.{}", whole(first), second.name))
            .map(|at| (at, second.keys.as_slice(), after)),
        _ => None,
    };
    let found = dotted.or_else(|| match rest {
        [first, after @ ..] => find(&whole(first))
            .map(|at| (at, [].as_slice(), after))
            .or_else(|| find(&first.name).map(|at| (at, first.keys.as_slice(), after))),
        _ => None,
    });
    let Some((at, keys, after)) = found else {
        let name = rest.first().map_or(String::new(), |part| part.name.clone());
        let names: Vec<&str> = named.iter().map(|(name, _)| &**name).collect();
        let hint = format!("; the fields are {}", names.join(", "));
        return Err(ErrorKind::NotFound { what: noun::FIELD, name, hint }.into());
    };
    let known = &named[at].1;
    match fields.get_mut(at) {
        Some(field) => apply_value(field, known, (keys, after), change, Presence::Stored, around),
        None => Err(Error::invalid("a struct without fields")),
    }
}
