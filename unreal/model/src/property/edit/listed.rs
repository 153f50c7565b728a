//! A property of a list.

use super::change::{Change, Found, Presence};
use super::objects::check_objects;
use super::value::apply_value;
use crate::error::near::{did_you_mean, nearest};
use crate::error::{Error, ErrorKind, Result, noun};
use crate::property::codec::is_early;
use crate::property::display::display;
use crate::property::format::{Surroundings, fields_of, fuller};
use crate::property::path::PathPart;
use crate::property::{Declared, Place, Property, PropertyKind, PropertyList, Type, Value};

/// Does `change` to the value at `path` in a list: of an object, or of the struct of this name.
#[doc(hidden)]
pub fn apply(
    list: &mut PropertyList,
    structure: Option<&str>,
    path: &[PathPart],
    change: &Change<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let Some((first, rest)) = path.split_first() else {
        return Err(Error::invalid("a property needs a name"));
    };
    if first.name.is_empty() {
        return Err(Error::invalid("it is no table, and so has no rows"));
    }
    let text = |property: &Property, around: &dyn Surroundings| {
        property.name_text(|name| around.name_text(name)).into_owned()
    };
    let mut named = Vec::new();
    for (at, property) in list.properties.iter().enumerate() {
        if text(property, &*around).eq_ignore_ascii_case(&first.name) {
            named.push(at);
        }
    }
    let stored = named.first().map(|&at| list.type_of(&list.properties[at], &*around));
    let scheme = in_schema(list, &first.name, first.given.as_ref(), &*around)?;
    let mut sample = None;
    let declared = match (&scheme, &stored, change.is_set()) {
        (Some(scheme), ..) => Some(scheme.clone()),
        (None, Some(_), _) => None,
        (None, None, true) => {
            let known = around.declaration(structure, &first.name, first.given.as_ref())?;
            sample = known.sample;
            Some(known.declared)
        }
        (None, None, false) => {
            let names = list.properties.iter().map(|known| text(known, &*around));
            return Err(not_stored(&first.name, names.collect()));
        }
    };
    let kind = declared.as_ref().map(|declared| &declared.property).or(stored.as_ref());
    let is_stored =
        |index: u32| named.iter().any(|&at| list.properties[at].array_index() as u32 == index);
    let kind = kind.map_or(PropertyKind::Unknown, Type::kind);
    let (index, keys) = static_element(first, kind, is_stored)?;
    let too_far = |dimension: u32| {
        Error::invalid(format!("'{}' has {dimension} elements, 0 the first", first.name))
    };
    if let Some(scheme) = scheme.filter(|scheme| index >= scheme.dimension) {
        return Err(too_far(scheme.dimension));
    }
    let at = named.iter().copied().find(|&at| list.properties[at].array_index() as u32 == index);
    if let Some(at) = at {
        let property = &list.properties[at];
        let known = list.type_of(property, &*around);
        let is_zero = matches!(property.value(), Value::Zero);
        if keys.is_empty() && rest.is_empty() && matches!(change, Change::Remove) {
            let shown = fuller(known.clone(), structure, &first.name, &*around);
            let old_text = Some(display(property.value(), Some(&shown), &*around));
            let old = list.properties.remove(at).value;
            return Ok(Found {
                old: (!is_zero).then_some((old, known)),
                old_text,
                ..Found::default()
            });
        }
        let shown = fuller(known.clone(), structure, &first.name, &*around);
        let before = match property.value() {
            Value::Zero => match Value::zero_struct(&known, around.mappings(), around.versions()) {
                Some(zero) => zero,
                None => Value::blank(&known, Place::Property, around)?,
            },
            value => value.clone(),
        };
        let mut value = before.clone();
        around.within(Some(&first.name));
        let done = apply_value(&mut value, &shown, (keys, rest), change, Presence::Stored, around);
        around.within(None);
        let mut found = done?;
        if change.is_set() {
            check_objects((structure, &first.name, &shown), &value, Some(&before), &*around)?;
        }
        if let (Some((_, held)), PropertyKind::Byte) = (&mut found.old, known.kind()) {
            // The enum only helps to read: the value is what its tag says.
            *held = known;
        }
        // Zero is not stored; what is set is, whatever it is.
        if !is_zero || value != before {
            *list.properties[at].value_mut() = value;
        }
        return Ok(found);
    }
    if !change.is_set() {
        let names = match list.class() {
            Some(_) => list.properties.iter().map(|known| text(known, &*around)).collect(),
            None => vec![format!("{}, but not its element {index}", first.name)],
        };
        return Err(not_stored(&first.name, names));
    }
    let declared = match (declared, stored) {
        (Some(declared), _) => declared,
        // Another element of the same static array says the type.
        (None, Some(known)) => {
            let is_static = is_early(around.versions())
                || first.given.is_some()
                || named.iter().any(|&at| list.properties[at].array_index() > 0);
            let most = if is_static { u32::MAX } else { 1 };
            let found = around.declared(structure, &first.name);
            let dimension = found.map_or(most, |declared| declared.dimension);
            Declared { dimension, ..Declared::of_type(&first.name, known) }
        }
        (None, None) => around.declared(structure, &first.name)?,
    };
    let (known, dimension) = (&declared.property, declared.dimension);
    let sample = sample.or_else(|| named.first().map(|&at| list.properties[at].clone()));
    let made = match (&sample, index < dimension.max(1)) {
        (_, false) => None,
        (Some(sample), true) if list.class().is_none() => {
            Property::alike(sample, index, known, around)?
        }
        (_, true) => list.new_property(&declared.name, index, known, around)?,
    };
    let mut property = made.ok_or_else(|| too_far(dimension))?;
    // Zero is not stored here, and is shown so.
    if list.class().is_some() && change.is_empty() && fields_of(property.value()).is_some() {
        *property.value_mut() = Value::Zero;
        return Ok(insert(
            list,
            property,
            &named,
            Found { new_text: Some("()".to_owned()), ..Found::default() },
        ));
    }
    let origin = Presence::Added(sample.as_ref().map(Property::value));
    around.within(Some(&first.name));
    let done = apply_value(property.value_mut(), known, (keys, rest), change, origin, around);
    around.within(None);
    let mut found = done?;
    check_objects((structure, &first.name, known), property.value(), None, &*around)?;
    (found.old, found.old_text) = (None, None);
    Ok(insert(list, property, &named, found))
}

/// Puts a property at its place: elements of a static array ascend, and so do the places of a schema.
fn insert(list: &mut PropertyList, property: Property, named: &[usize], found: Found) -> Found {
    let index = property.array_index();
    let before = named.iter().rev().find(|&&at| list.properties[at].array_index() < index);
    let at = match property.slot() {
        Some(slot) => list.properties.partition_point(|known| known.slot() < Some(slot)),
        None => before.map(|at| at + 1).or(named.first().copied()).unwrap_or(list.properties.len()),
    };
    list.properties.insert(at, property);
    found
}

/// The entry of a property in the schema of a list without tags.
fn in_schema(
    list: &PropertyList,
    name: &str,
    given: Option<&Type>,
    around: &dyn Surroundings,
) -> Result<Option<Declared>> {
    let Some(class) = list.class() else { return Ok(None) };
    let mappings = around
        .mappings()
        .ok_or_else(|| Error::invalid("properties without names need mappings (a .usmap file)"))?;
    let Some((property, dimension)) = mappings.property_type(class, name) else {
        let hint = format!("; the mappings have none of this name in {class}");
        let name = name.to_owned();
        return Err(ErrorKind::NotFound { what: noun::PROPERTY, name, hint }.into());
    };
    if let Some(given) = given.filter(|given| !property.agrees_with(given)) {
        return Err(Error::invalid(format!("'{name}' is declared as {property}, not as {given}")));
    }
    Ok(Some(Declared { dimension, ..Declared::of_type(name, property) }))
}

/// A property that is not among those that are stored.
fn not_stored(name: &str, mut names: Vec<String>) -> Error {
    const SHOWN: usize = 12;
    names.dedup();
    let near = did_you_mean(&nearest(name, names.iter().cloned()));
    let more = if names.len() > SHOWN { ", …" } else { "" };
    names.truncate(SHOWN);
    let hint = match names.is_empty() {
        true => "; none are stored, so all have their class's defaults".to_owned(),
        false => format!("{near}; stored are {}{more}", names.join(", ")),
    };
    ErrorKind::NotFound { what: noun::PROPERTY, name: name.to_owned(), hint }.into()
}

/// The element of a static array that a part means, and what is left of its keys.
fn static_element(
    part: &PathPart,
    kind: PropertyKind,
    is_stored: impl Fn(u32) -> bool,
) -> Result<(u32, &[String])> {
    let Some((first, inner)) = part.keys.split_first() else { return Ok((0, &part.keys)) };
    if !kind.is_container() && kind != PropertyKind::Optional {
        return Ok((PathPart::number(first)?, inner));
    }
    // What stands in the first brackets is an element of a container, but for one that is itself stored as a later
    // element of a static array: no engine declares that, files hold it, and its path is said so.
    Ok(match PathPart::number(first) {
        Ok(index) if index > 0 && is_stored(index) => (index, inner),
        _ => (0, &part.keys),
    })
}
