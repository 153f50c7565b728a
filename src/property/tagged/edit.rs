//! Reading, setting and removing the value at a way within the properties of UE4 and UE5.

mod element;
mod unversioned;

pub(crate) use unversioned::apply_unversioned;

use element::apply_element;

use super::described::Type;
use super::field_names::names_of;
use super::format::{Surroundings, display, fields_of, with_fields};
use super::kind::Kind;
use super::read::{Old, read_change};

use super::{Property, PropertyList, Value};
use crate::error::{ErrorKind, Result};
use crate::property::edit::not_stored;
use crate::property::members::invalid;
use crate::property::{Change, PathPart};

/// What was found and what came of it.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The value before, and its type.
    pub old: Option<(Value, Type)>,
    /// Its text.
    pub old_text: Option<String>,
    /// The text of the value afterwards.
    pub new_text: Option<String>,
}

fn is_container(kind: Kind) -> bool {
    matches!(kind, Kind::Array | Kind::Set | Kind::Map)
}

/// The element of a static array that a part means, and what is left of its keys.
fn static_element(part: &PathPart, kind: Kind) -> Result<(u32, &[String])> {
    match part.keys.split_first() {
        // What stands in the first brackets is an element of a container, or else of a static array.
        Some((first, inner)) if !is_container(kind) && kind != Kind::Optional => {
            Ok((PathPart::number(first)?, inner))
        }
        _ => Ok((0, &part.keys)),
    }
}

/// Does `change` to the value at `way` in a tagged list: of an object, or of the struct of this name.
pub(crate) fn apply(
    list: &mut PropertyList,
    structure: Option<&str>,
    way: &[PathPart],
    change: &Change<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let Some((first, rest)) = way.split_first() else {
        return Err(invalid("a property needs a name"));
    };
    let is = |property: &Property, around: &dyn Surroundings| {
        around.name_text(property.name()).eq_ignore_ascii_case(&first.name)
    };
    let named: Vec<usize> =
        (0..list.properties.len()).filter(|&at| is(&list.properties[at], &*around)).collect();
    let stored = named.first().map(|&at| list.properties[at].stored_type(&|n| around.name_text(n)));
    let declared = match (&stored, change) {
        (Some(_), _) => None,
        (None, Change::Set(_) | Change::SetText(_)) => {
            Some(around.declared(structure, &first.name)?)
        }
        (None, _) => {
            let names = list.properties.iter().map(|known| around.name_text(known.name()));
            return Err(not_stored(&first.name, names.collect()));
        }
    };
    let kind = stored.as_ref().or(declared.as_ref().map(|(known, _)| known));
    let (index, keys) = static_element(first, kind.map_or(Kind::Unknown, Type::kind))?;
    let at = named.iter().copied().find(|&at| list.properties[at].array_index() as u32 == index);
    if let Some(at) = at {
        let known = list.properties[at].stored_type(&|name| around.name_text(name));
        if keys.is_empty() && rest.is_empty() && matches!(change, Change::Remove) {
            let old_text = Some(display(list.properties[at].value(), Some(&known), &*around));
            let property = list.properties.remove(at);
            let old = Some((property.value().clone(), known));
            return Ok(Found { old, old_text, new_text: None });
        }
        let known = better(known, structure, &first.name, &*around);
        let mut value = list.properties[at].value().clone();
        let found = apply_value(&mut value, &known, (keys, rest), change, true, around)?;
        *list.properties[at].value_mut() = value;
        return Ok(found);
    }
    if !change.is_set() {
        let names = vec![format!("{}, but not its element {index}", first.name)];
        return Err(not_stored(&first.name, names));
    }
    let (known, dimension) = match (declared, stored) {
        (Some(declared), _) => declared,
        // Another element of the same static array says the type.
        (None, Some(known)) => {
            let declared = around.declared(structure, &first.name);
            let is_static = named.iter().any(|&at| list.properties[at].array_index() > 0);
            let told = if is_static { u32::MAX } else { 1 };
            (known, declared.map_or(told, |(_, dimension)| dimension))
        }
        (None, None) => around.declared(structure, &first.name)?,
    };
    if index >= dimension.max(1) {
        return Err(invalid(format!("'{}' has {dimension} elements, 0 the first", first.name)));
    }
    let mut property = Property::blank(&first.name, index, &known, around)?;
    let mut value = property.value().clone();
    let mut found = apply_value(&mut value, &known, (keys, rest), change, false, around)?;
    *property.value_mut() = value;
    (found.old, found.old_text) = (None, None);
    let before = named.iter().rev().find(|&&at| list.properties[at].array_index() < index as i32);
    let at = before.map(|at| at + 1).or(named.first().copied()).unwrap_or(list.properties.len());
    list.properties.insert(at, property);
    Ok(found)
}

/// The tag is the truth; the declaration may know the structs and enums that it leaves out.
fn better(known: Type, structure: Option<&str>, name: &str, around: &dyn Surroundings) -> Type {
    let vague = |known: &Type| {
        matches!(known.kind(), Kind::Struct | Kind::Enum) && known.type_name().is_empty()
    };
    if !known.inner().iter().any(vague) && !known.inner().is_empty() || !is_container(known.kind())
    {
        return known;
    }
    match around.declared(structure, name) {
        Ok((declared, _)) if declared.agrees_with(&known) => declared,
        _ => known,
    }
}

/// Goes on from a value: into elements, into fields, or does the change. `stored` is false for a value
/// that is being added.
pub(crate) fn apply_value(
    value: &mut Value,
    known: &Type,
    (keys, rest): (&[String], &[PathPart]),
    change: &Change<'_>,
    stored: bool,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    if let (Value::Optional(held), Some(inner)) = (&mut *value, known.inner().first())
        && !(keys.is_empty() && rest.is_empty())
    {
        let Some(held) = &mut **held else {
            return Err(invalid("the optional value is not set: set it whole, as (VALUE)"));
        };
        return apply_value(held, inner, (keys, rest), change, stored, around);
    }
    if let Some((key, inner)) = keys.split_first() {
        return apply_element(value, known, key, (inner, rest), change, around);
    }
    if let Some(first) = rest.first() {
        return match value {
            Value::Tagged(list) => apply(list, Some(known.type_name()), rest, change, around),
            Value::Unversioned(list) => apply_unversioned(list, rest, change, around),
            Value::Instanced(instanced) => {
                let unknown = Type::unknown("unknown");
                let (value, keys) = (&mut instanced.value, [].as_slice());
                apply_value(value, &unknown, (keys, rest), change, stored, around)
            }
            other => match fields_of(other) {
                Some(_) if !stored => {
                    Err(invalid(format!("a {known} that is not stored yet is set whole")))
                }
                Some(mut fields) => {
                    let found = apply_field(&mut fields, known, rest, change, around)?;
                    with_fields(other, fields);
                    Ok(found)
                }
                None => {
                    Err(invalid(format!("a value of type {known} has no field '{}'", first.name)))
                }
            },
        };
    }
    let old_text = display(value, Some(known), &*around);
    let old = Some((value.clone(), known.clone()));
    match change {
        Change::Read => {
            Ok(Found { old, new_text: Some(old_text.clone()), old_text: Some(old_text) })
        }
        Change::Remove => Err(invalid(
            "only whole properties, elements, rows and fields with tags can be removed",
        )),
        // What is said already stays as it is, even where no text could make it.
        Change::Set(text) if stored && *text == old_text => {
            Ok(Found { old, new_text: Some(old_text.clone()), old_text: Some(old_text) })
        }
        Change::Set(_) | Change::SetText(_) => {
            let new = read_change(change, known, Old { value, stored }, around)?;
            *value = new;
            let new_text = Some(display(value, Some(known), &*around));
            Ok(Found { old, old_text: Some(old_text), new_text })
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
    let names = names_of(known.type_name(), fields.len());
    let find = |name: &str| names.iter().position(|field| field.eq_ignore_ascii_case(name));
    let dotted = match rest {
        [first, second, ..] if first.keys.is_empty() => {
            find(&format!("{}.{}", first.name, second.name))
        }
        _ => None,
    };
    let found = match (dotted, rest) {
        (Some(at), [_, second, after @ ..]) => Some((at, second.keys.as_slice(), after)),
        (_, [first, after @ ..]) => find(&first.name).map(|at| (at, first.keys.as_slice(), after)),
        _ => None,
    };
    let Some((at, keys, after)) = found else {
        let name = rest.first().map_or(String::new(), |part| part.name.clone());
        let hint = format!("; the fields are {}", names.join(", "));
        return Err(ErrorKind::NotFound { what: "field", name, hint }.into());
    };
    let unknown = Type::unknown("number");
    match fields.get_mut(at) {
        Some(field) => apply_value(field, &unknown, (keys, after), change, true, around),
        None => Err(invalid("a struct without fields")),
    }
}
