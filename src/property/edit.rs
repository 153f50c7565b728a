//! Reading, setting and removing the value at a path within properties.

mod element;
mod unversioned;

pub(crate) use unversioned::apply_unversioned;

use element::apply_element;

use super::codec::is_early;
use super::field_names::named_fields;
use super::format::{Surroundings, display, fields_of, with_fields};
use super::members::invalid;
use super::path::PathPart;
use super::read::{Old, read_change};
use super::text::ValueText;
use super::{Declared, Property, PropertyKind, PropertyList, Type, Value};
use crate::error::{Error, ErrorKind, Result};

/// What to do with the value at the path.
#[derive(Debug)]
pub(crate) enum Change<'a> {
    /// Nothing.
    Read,
    /// It becomes what this text says; added where it is not stored.
    Set(&'a str),
    /// It becomes what this text says, which is parsed already.
    SetText(&'a ValueText),
    /// It goes.
    Remove,
}

impl Change<'_> {
    /// Whether a value is put there.
    pub(super) fn is_set(&self) -> bool {
        matches!(self, Self::Set(_) | Self::SetText(_))
    }
}

/// A property that is not among those that are stored.
pub(super) fn not_stored(name: &str, mut names: Vec<String>) -> Error {
    const SHOWN: usize = 12;
    names.dedup();
    let more = if names.len() > SHOWN { ", …" } else { "" };
    names.truncate(SHOWN);
    let hint = match names.is_empty() {
        true => "; none are stored, so all have their class's defaults".to_owned(),
        false => format!("; stored are {}{more}", names.join(", ")),
    };
    ErrorKind::NotFound { what: "property", name: name.to_owned(), hint }.into()
}

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

/// The element of a static array that a part means, and what is left of its keys.
fn static_element(part: &PathPart, kind: PropertyKind) -> Result<(u32, &[String])> {
    match part.keys.split_first() {
        // What stands in the first brackets is an element of a container, or else of a static array.
        Some((first, inner)) if !kind.is_container() && kind != PropertyKind::Optional => {
            Ok((PathPart::number(first)?, inner))
        }
        _ => Ok((0, &part.keys)),
    }
}

/// Does `change` to the value at `path` in a tagged list: of an object, or of the struct of this name.
pub(crate) fn apply(
    list: &mut PropertyList,
    structure: Option<&str>,
    path: &[PathPart],
    change: &Change<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let Some((first, rest)) = path.split_first() else {
        return Err(invalid("a property needs a name"));
    };
    if first.name.is_empty() {
        return Err(invalid("it is no table, and so has no rows"));
    }
    let is = |property: &Property, around: &dyn Surroundings| {
        around.name_text(property.name()).eq_ignore_ascii_case(&first.name)
    };
    let named: Vec<usize> =
        (0..list.properties.len()).filter(|&at| is(&list.properties[at], &*around)).collect();
    let stored = named.first().map(|&at| around.type_of(&list.properties[at]));
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
    let kind = stored.as_ref().or(declared.as_ref().map(|declared| &declared.property));
    let (index, keys) = static_element(first, kind.map_or(PropertyKind::Unknown, Type::kind))?;
    let at = named.iter().copied().find(|&at| list.properties[at].array_index() as u32 == index);
    if let Some(at) = at {
        let known = around.type_of(&list.properties[at]);
        if keys.is_empty() && rest.is_empty() && matches!(change, Change::Remove) {
            let old_text = Some(display(list.properties[at].value(), Some(&known), &*around));
            let property = list.properties.remove(at);
            let old = Some((property.value().clone(), known));
            return Ok(Found { old, old_text, new_text: None });
        }
        let fuller = better(known.clone(), structure, &first.name, &*around);
        let mut value = list.properties[at].value().clone();
        let mut found = apply_value(&mut value, &fuller, (keys, rest), change, true, around)?;
        if let (Some((_, held)), PropertyKind::Byte) = (&mut found.old, known.kind()) {
            // The enum only helps to read: the value is what its tag says.
            *held = known;
        }
        *list.properties[at].value_mut() = value;
        return Ok(found);
    }
    if !change.is_set() {
        let names = vec![format!("{}, but not its element {index}", first.name)];
        return Err(not_stored(&first.name, names));
    }
    let declared = match (declared, stored) {
        (Some(declared), _) => declared,
        // Another element of the same static array says the type.
        (None, Some(known)) => {
            let is_static = is_early(around.versions())
                || named.iter().any(|&at| list.properties[at].array_index() > 0);
            let most = if is_static { u32::MAX } else { 1 };
            let found = around.declared(structure, &first.name);
            let dimension = found.map_or(most, |declared| declared.dimension);
            Declared { dimension, ..Declared::of_type(&first.name, known) }
        }
        (None, None) => around.declared(structure, &first.name)?,
    };
    let (known, dimension) = (&declared.property, declared.dimension);
    if index >= dimension.max(1) {
        return Err(invalid(format!("'{}' has {dimension} elements, 0 the first", first.name)));
    }
    let mut property = Property::blank(&declared.name, index, known, around)?;
    let mut value = property.value().clone();
    let mut found = apply_value(&mut value, known, (keys, rest), change, false, around)?;
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
        matches!(known.kind(), PropertyKind::Struct | PropertyKind::Enum)
            && known.type_name().is_empty()
    };
    let is_vague = match known.kind() {
        PropertyKind::Byte => is_early(around.versions()) && known.type_name().is_empty(),
        kind => {
            kind.is_container() && (known.inner().is_empty() || known.inner().iter().any(vague))
        }
    };
    if !is_vague {
        return known;
    }
    match around.declared(structure, name) {
        Ok(declared) if declared.property.agrees_with(&known) => declared.property,
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
                    Err(invalid(format!("a {known} that is not stored yet: set it whole")))
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
        return Err(ErrorKind::NotFound { what: "field", name, hint }.into());
    };
    let known = &named[at].1;
    match fields.get_mut(at) {
        Some(field) => apply_value(field, known, (keys, after), change, true, around),
        None => Err(invalid("a struct without fields")),
    }
}
