//! The members of a value's written form: elements, and the fields of structs by their names.

use std::fmt::Display;

use super::text::{TextMember, ValueText};
use crate::error::{Error, ErrorKind, Result};

/// Says in which member of a value something is wrong.
pub(super) fn in_place(place: &str, error: Error) -> Error {
    match error.into_kind() {
        ErrorKind::Invalid { reason } => Error::invalid(format!("{place}: {reason}")),
        other => other.into(),
    }
}

/// The text is none of this type.
#[cold]
pub(super) fn no_value(text: &ValueText, known: &dyn Display) -> Error {
    let shown = text.word().map_or("a group".to_owned(), |word| format!("'{word}'"));
    Error::invalid(format!("{shown} is no value of type {known}"))
}

/// The members of a value of this type.
pub(super) fn members<'a>(text: &'a ValueText, known: &dyn Display) -> Result<&'a [TextMember]> {
    match text {
        ValueText::Group(items) => Ok(items),
        _ => Err(Error::invalid(format!("a value of type {known} stands in parentheses"))),
    }
}

/// The member for each field of a struct without tags: all in their order, or some by name.
pub(super) fn of_fields<'a>(
    items: &'a [TextMember],
    names: &[&str],
) -> Result<Vec<Option<&'a ValueText>>> {
    let keyed = items.iter().filter(|item| item.key.is_some()).count();
    if keyed == 0 && !items.is_empty() {
        if items.len() != names.len() {
            let (given, all, names) = (items.len(), names.len(), names.join(", "));
            return Err(Error::invalid(format!("{given} values for {all} fields: {names}")));
        }
        return Ok(items.iter().map(|item| Some(&item.value)).collect());
    }
    if keyed != items.len() {
        return Err(Error::invalid("give every field its name, or none"));
    }
    let mut texts: Vec<Option<&ValueText>> = vec![None; names.len()];
    let mut flat = Vec::new();
    flattened(items, "", names, &mut flat);
    for (name, text) in flat {
        let at = names.iter().position(|field| field.eq_ignore_ascii_case(&name));
        let Some(known) = at.and_then(|at| texts.get_mut(at)) else {
            return Err(Error::invalid(format!("no field '{name}' among {}", names.join(", "))));
        };
        if known.replace(text).is_some() {
            return Err(Error::invalid(format!("field '{name}' is given twice")));
        }
    }
    Ok(texts)
}

/// The members of a flat struct with dotted names: `Min=(X=1)` is `Min.X=1`.
fn flattened<'a>(
    items: &'a [TextMember],
    prefix: &str,
    names: &[&str],
    out: &mut Vec<(String, &'a ValueText)>,
) {
    for item in items {
        let Some(key) = &item.key else { continue };
        let name = format!("{prefix}{key}");
        let within = format!("{name}.");
        let is_within = |field: &&str| {
            field.get(..within.len()).is_some_and(|start| start.eq_ignore_ascii_case(&within))
        };
        match &item.value {
            ValueText::Group(inner) if names.iter().any(is_within) => {
                flattened(inner, &within, names, out);
            }
            value => out.push((name, value)),
        }
    }
}

/// A field that the text leaves out though nothing is stored that could stay.
pub(super) fn missing(name: &str, names: &[&str]) -> Error {
    let names = names.join(", ");
    Error::invalid(format!(
        "field '{name}' is missing: the value is not stored yet, so every field must be given ({names})"
    ))
}
