//! Values in unversioned lists: the schema of a list's class knows every property.

use super::{Found, apply_value, static_element};
use crate::error::{ErrorKind, Result};
use crate::property::codec::unversioned::UnversionedList;
use crate::property::edit::not_stored;
use crate::property::format::{Surroundings, display, zero_text};
use crate::property::members::invalid;
use crate::property::{Change, PathPart, Place, Value};

/// Does `change` to the value at `path` in an unversioned list.
pub(crate) fn apply_unversioned(
    list: &mut UnversionedList,
    path: &[PathPart],
    change: &Change<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    let Some((first, rest)) = path.split_first() else {
        return Err(invalid("a property needs a name"));
    };
    let mappings = around
        .mappings()
        .ok_or_else(|| invalid("properties without names need mappings (a .usmap file)"))?;
    let Some((known, dimension)) = mappings.property_type(list.class(), &first.name) else {
        let hint = format!("; the mappings have none of this name in {}", list.class());
        let name = first.name.clone();
        return Err(ErrorKind::NotFound { what: "property", name, hint }.into());
    };
    let (index, keys) = static_element(first, known.kind())?;
    let slot = list.slot_of(&first.name, index, mappings);
    let Some(slot) = slot.filter(|_| index < dimension) else {
        return Err(invalid(format!("'{}' has {dimension} elements, 0 the first", first.name)));
    };
    let zero = match list.properties.iter().find(|property| property.slot() == slot) {
        Some(property) if property.value.is_none() => {
            Some(list.zero(slot, mappings, around.versions()))
        }
        _ => None,
    };
    let leaf = keys.is_empty() && rest.is_empty();
    match list.properties.iter().position(|property| property.slot() == slot) {
        Some(at) if leaf && matches!(change, Change::Remove) => {
            let old = list.properties.remove(at).value;
            let old_text = old.as_ref().map(|old| display(old, Some(&known), &*around));
            let old_text = old_text.or_else(|| Some(zero_text(Some(&known))));
            Ok(Found { old: old.map(|old| (old, known)), old_text, new_text: None })
        }
        Some(at) => {
            // Zero is not stored; what is set is, whatever it is.
            let held = list.properties[at].value.clone();
            let is_zero = held.is_none();
            let mut value = match (held, zero) {
                (Some(value), _) => value,
                (None, Some(Some(zero))) => zero,
                (None, _) => Value::blank(&known, Place::Property, around)?,
            };
            let before = value.clone();
            let found = apply_value(&mut value, &known, (keys, rest), change, true, around)?;
            if !(is_zero && value == before) {
                list.properties[at].value = Some(value);
            }
            Ok(found)
        }
        None if change.is_set() => {
            let mut value = Value::blank(&known, Place::Property, around)?;
            let mut found = apply_value(&mut value, &known, (keys, rest), change, false, around)?;
            (found.old, found.old_text) = (None, None);
            let (name, index) = (first.name.clone(), index);
            list.insert(slot, &name, index, value, around.mappings());
            Ok(found)
        }
        None => {
            let names = list.properties.iter().map(|property| property.name().to_owned());
            Err(not_stored(&first.name, names.collect()))
        }
    }
}
