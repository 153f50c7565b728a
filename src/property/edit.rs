//! Reading, setting and removing the value at a path within a list of properties.

use std::sync::Arc;

use super::format::{Lookup, display, inferred, named_fields};
use super::members::invalid;
use super::path::PathPart;
use super::read::{Wanted, read_change};
use super::tag::TagNames;
use super::text::Text;
use super::{Declared, Property, PropertyList, PropertyType, Value};
use crate::archive::Span;
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::Payload;

/// What to do with the value at the path.
#[derive(Debug)]
pub(crate) enum Change<'a> {
    /// Nothing.
    Read,
    /// It becomes what this text says; added where it is not stored.
    Set(&'a str),
    /// The same with a text that is read already.
    SetText(&'a Text),
    /// It goes.
    Remove,
}

impl Change<'_> {
    /// Whether a value is put there.
    pub(super) fn is_set(&self) -> bool {
        matches!(self, Self::Set(_) | Self::SetText(_))
    }
}

/// Whose properties a list holds.
#[derive(Debug, Clone)]
pub(crate) enum Scope {
    /// An object's, or the defaults of a class.
    Object,
    /// The fields of the struct of this name.
    Struct(Arc<str>),
}

/// What was found and what came of it.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// The value before, and its type.
    pub old: Option<(Value, PropertyType)>,
    /// Its text.
    pub old_text: Option<String>,
    /// The text of the value afterwards.
    pub new_text: Option<String>,
}

/// A property or field that is not there; `hint` says what is.
fn not_found(name: &str, hint: String) -> Error {
    ErrorKind::NotFound { what: "property", name: name.to_owned(), hint }.into()
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
    not_found(name, hint)
}

/// Does `change` to the value at `way`.
pub(crate) fn apply(
    list: &mut PropertyList,
    scope: &Scope,
    way: &[PathPart],
    change: &Change<'_>,
    lookup: &mut dyn Lookup,
) -> Result<Found> {
    let Some((first, rest)) = way.split_first() else {
        return Err(invalid("a property needs a name"));
    };
    if first.name.is_empty() {
        return Err(invalid("it is no table, and so has no rows"));
    }
    let named: Vec<usize> = (0..list.properties.len())
        .filter(|&at| {
            lookup.name_text(list.properties[at].name()).eq_ignore_ascii_case(&first.name)
        })
        .collect();
    // What stands in the first brackets is an element of a dynamic array, or else of a static one.
    let is_container =
        |value: &Value| matches!(value, Value::Array(_) | Value::Bytes(_) | Value::Map(_));
    let mut declared = None;
    let dynamic = match named.first() {
        Some(&at) => {
            is_container(list.properties[at].value()) && list.properties[at].array_index() == 0
        }
        None if change.is_set() => {
            let found = lookup.declared(scope, &first.name)?;
            let dynamic = matches!(found.property, PropertyType::Array(_) | PropertyType::Map(_));
            declared = Some(found);
            dynamic
        }
        None => false,
    };
    let (index, inner) = match first.keys.split_first() {
        Some((index, inner)) if !dynamic => (PathPart::number(index)?, inner),
        _ => (0, first.keys.as_slice()),
    };
    let at = named.iter().copied().find(|&at| list.properties[at].array_index() == index);
    let Some(at) = at else {
        if !change.is_set() {
            let names = list.properties.iter().map(|known| lookup.name_text(known.name()));
            return Err(not_stored(&first.name, names.collect()));
        }
        let declared = match (declared, named.first()) {
            (Some(declared), _) => declared,
            // Another element of the same static array says the type.
            (None, Some(&at)) => sibling(&list.properties[at], scope, lookup)?,
            (None, None) => lookup.declared(scope, &first.name)?,
        };
        if index > 0 && index >= declared.dimension {
            let dimension = declared.dimension;
            return Err(invalid(format!("'{}' has {dimension} elements, 0 the first", first.name)));
        }
        return add(list, &declared, index, inner, rest, change, lookup);
    };
    if inner.is_empty() && rest.is_empty() && matches!(change, Change::Remove) {
        let property = list.properties.remove(at);
        let (text, known) = described(&property, lookup);
        let old = Some((property.value().clone(), known));
        return Ok(Found { old, old_text: Some(text), new_text: None });
    }
    let property = &mut list.properties[at];
    let known = lookup.type_of(property).unwrap_or_else(|| inferred(property.value()));
    let declared = match lookup.declared(scope, &first.name) {
        // The tag is the truth; the declaration may know the enum.
        Ok(declared) if declared.property.agrees_with(&known) => declared,
        _ => Declared::of_type(&first.name, known.clone()),
    };
    apply_value(property.value_mut(), &known, &declared, true, inner, rest, change, lookup)
}

fn described(property: &Property, lookup: &dyn Lookup) -> (String, PropertyType) {
    let known = lookup.type_of(property).unwrap_or_else(|| inferred(property.value()));
    (display(property.value(), Some(&known), lookup), known)
}

/// The declaration that a stored element of the same static array stands for.
fn sibling(property: &Property, scope: &Scope, lookup: &dyn Lookup) -> Result<Declared> {
    let name = lookup.name_text(property.name());
    if let Ok(declared) = lookup.declared(scope, &name) {
        return Ok(declared);
    }
    let known = lookup.type_of(property).unwrap_or_else(|| inferred(property.value()));
    Ok(Declared { dimension: u32::MAX, ..Declared::of_type(&name, known) })
}

/// A value that is not stored yet.
fn add(
    list: &mut PropertyList,
    declared: &Declared,
    index: u32,
    inner: &[String],
    rest: &[PathPart],
    change: &Change<'_>,
    lookup: &mut dyn Lookup,
) -> Result<Found> {
    let property = &declared.property;
    let (value, found) = if inner.is_empty() && rest.is_empty() {
        let wanted = Wanted { declared, property, old: None, tagged: true };
        let value = read_change(change, wanted, lookup)?.unwrap_or_default();
        let new_text = Some(display(&value, Some(property), lookup));
        (value, Found { new_text, ..Found::default() })
    } else {
        // Only a struct with tags can hold a part of itself.
        let empty = Change::SetText(&Text::Group(Vec::new()));
        let wanted = Wanted { declared, property, old: None, tagged: true };
        let blank = match property {
            PropertyType::Struct(_) if inner.is_empty() => {
                read_change(&empty, wanted, lookup).ok().flatten()
            }
            _ => None,
        };
        let Some(mut value) = blank else {
            let name = &declared.name;
            return Err(invalid(format!("'{name}' is not stored yet: set it whole")));
        };
        let found = apply_value(&mut value, property, declared, true, inner, rest, change, lookup)?;
        (value, found)
    };
    let names = tag_names(declared, lookup)?;
    let (name, file) = (lookup.name(&declared.name)?, lookup.versions().file);
    let property = Property::new(name, index, property, names, file, value).ok_or_else(|| {
        let (name, property) = (&declared.name, &declared.property);
        invalid(format!("'{name}' of type {property} can't be stored as element {index}"))
    })?;
    let last = list
        .properties
        .iter()
        .rposition(|known| known.name() == name && known.array_index() < index);
    let first = list.properties.iter().position(|known| known.name() == name);
    let at = last.map(|at| at + 1).or(first).unwrap_or(list.properties.len());
    list.properties.insert(at, property);
    Ok(found)
}

fn tag_names(declared: &Declared, lookup: &mut dyn Lookup) -> Result<TagNames> {
    let mut names = TagNames::default();
    if lookup.versions().file >= super::tag::NAMED_TYPE_ADDED {
        names.type_name = lookup.name(&declared.class)?;
    }
    match &declared.property {
        PropertyType::Struct(name) => names.struct_name = Some(lookup.name(name)?),
        PropertyType::Byte if lookup.versions().file >= super::tag::ENUM_NAME_ADDED => {
            names.enum_name = Some(match &declared.enumeration {
                Some(known) => lookup.name(&known.name)?,
                None => lookup.none()?,
            });
        }
        _ => {}
    }
    Ok(names)
}

/// Goes on from a value: into elements, into fields, or does the change.
#[expect(clippy::too_many_arguments, reason = "the way, what is known of it and what to do")]
fn apply_value(
    value: &mut Value,
    known: &PropertyType,
    declared: &Declared,
    tagged: bool,
    inner: &[String],
    rest: &[PathPart],
    change: &Change<'_>,
    lookup: &mut dyn Lookup,
) -> Result<Found> {
    if let Some((index, inner)) = inner.split_first() {
        let index = PathPart::number(index)?;
        let last = inner.is_empty() && rest.is_empty();
        return apply_element(value, known, declared, index, (inner, rest, last), change, lookup);
    }
    if let Some((first, after)) = rest.split_first() {
        return match value {
            Value::Tagged(list) => {
                let name = match known {
                    PropertyType::Struct(name) => name.clone(),
                    _ => "".into(),
                };
                apply(list, &Scope::Struct(name), rest, change, lookup)
            }
            Value::Fields(values) => {
                let fields = named_fields(values, Some(known), lookup);
                apply_field(values, &fields, declared, (first, after), change, lookup)
            }
            _ => Err(invalid(format!("a value of type {known} has no field '{}'", first.name))),
        };
    }
    if let Value::Opaque(_) = value
        && !matches!(change, Change::Read)
    {
        let reason = "its value is not decoded, so nothing says what a new one must look like";
        return Err(invalid(reason));
    }
    let old_text = Some(display(value, Some(known), lookup));
    let old = Some((value.clone(), known.clone()));
    match change {
        Change::Read => Ok(Found { old, new_text: old_text.clone(), old_text }),
        Change::Remove => {
            let reason =
                "only whole properties, elements of arrays and tagged fields can be removed";
            Err(invalid(reason))
        }
        Change::Set(_) | Change::SetText(_) => {
            let wanted = Wanted { declared, property: known, old: Some(value), tagged };
            let new = read_change(change, wanted, lookup)?.unwrap_or_default();
            *value = new;
            let new_text = Some(display(value, Some(known), lookup));
            Ok(Found { old, old_text, new_text })
        }
    }
}

/// An element of an array; one behind the last is added.
fn apply_element(
    value: &mut Value,
    known: &PropertyType,
    declared: &Declared,
    index: u32,
    (inner, rest, last): (&[String], &[PathPart], bool),
    change: &Change<'_>,
    lookup: &mut dyn Lookup,
) -> Result<Found> {
    let at = index as usize;
    let beyond =
        |count: usize| invalid(format!("there is no element {at}: there are {count}, 0 the first"));
    let element = match known {
        PropertyType::Array(Some(element)) => Some((**element).clone()),
        _ => None,
    };
    if let Value::Bytes(bytes) = value {
        let mut copy = bytes.0.bytes(lookup.source())?.to_vec();
        let count = copy.len();
        let mut one = match copy.get(at) {
            Some(byte) => Value::Byte(*byte),
            None if at == count && change.is_set() && last => Value::Byte(0),
            None => return Err(beyond(count)),
        };
        if last && matches!(change, Change::Remove) {
            copy.remove(at);
            bytes.0 = Span::owned(copy);
            return Ok(Found { old_text: Some(display(&one, None, lookup)), ..Found::default() });
        }
        let byte = PropertyType::Byte;
        let found = apply_value(&mut one, &byte, declared, false, inner, rest, change, lookup)?;
        if let (Value::Byte(new), true) = (&one, change.is_set()) {
            match copy.get_mut(at) {
                Some(byte) => *byte = *new,
                None => copy.push(*new),
            }
            *bytes = Payload(Span::owned(copy));
        }
        return Ok(found);
    }
    let Value::Array(values) = value else {
        return Err(invalid(format!("a value of type {known} has no elements")));
    };
    let count = values.len();
    let element = element.or_else(|| values.first().map(inferred));
    let Some(property) = element else { return Err(beyond(count)) };
    match values.get_mut(at) {
        Some(old) if last && matches!(change, Change::Remove) => {
            let old_text = Some(display(old, Some(&property), lookup));
            values.remove(at);
            Ok(Found { old_text, ..Found::default() })
        }
        Some(old) => apply_value(old, &property, declared, false, inner, rest, change, lookup),
        None if at == count && change.is_set() && last => {
            let wanted = Wanted { declared, property: &property, old: None, tagged: false };
            let new = read_change(change, wanted, lookup)?.unwrap_or_default();
            let new_text = Some(display(&new, Some(&property), lookup));
            values.push(new);
            Ok(Found { new_text, ..Found::default() })
        }
        None => Err(beyond(count)),
    }
}

/// A field of a struct without tags; `Min.X` may be one field.
fn apply_field(
    values: &mut [Value],
    fields: &[super::fields::NamedField],
    declared: &Declared,
    (first, after): (&PathPart, &[PathPart]),
    change: &Change<'_>,
    lookup: &mut dyn Lookup,
) -> Result<Found> {
    let written = |part: &PathPart| {
        let indices: String = part.keys.iter().map(|index| format!("[{index}]")).collect();
        format!("{}{indices}", part.name)
    };
    let find = |name: &str| fields.iter().position(|(field, _)| field.eq_ignore_ascii_case(name));
    let dotted = after.first().map(|second| format!("{}.{}", written(first), written(second)));
    let found = match dotted.and_then(|name| find(&name)) {
        Some(at) => Some((at, &[][..], &after[1..])),
        None => find(&written(first))
            .map(|at| (at, &[][..], after))
            .or_else(|| find(&first.name).map(|at| (at, &first.keys[..], after))),
    };
    let Some((at, inner, rest)) = found else {
        let names: Vec<_> = fields.iter().map(|(name, _)| &**name).collect();
        return Err(not_found(&first.name, format!("; the fields are {}", names.join(", "))));
    };
    apply_value(&mut values[at], &fields[at].1, declared, false, inner, rest, change, lookup)
}
