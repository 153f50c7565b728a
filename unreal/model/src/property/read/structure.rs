//! Structs: with tags or a schema, or a value for each field.

use super::{Old, read};
use crate::error::{Error, Result};
use crate::property::edit::{Presence, apply};
use crate::property::field_names::named_fields;
use crate::property::format::{Surroundings, struct_of};
use crate::property::members::{self, in_place, members, no_value};
use crate::property::text::{TextMember, ValueText};
use crate::property::{Change, InstancedStruct, PathPart, Place, Type, Value};

/// Fields that are named are set, the others stay.
pub(super) fn read_list(
    items: &[TextMember],
    value: &mut Value,
    known: &Type,
    around: &mut dyn Surroundings,
) -> Result<()> {
    let structure = known.type_name();
    for item in items {
        let Some(key) = &item.key else {
            return Err(Error::invalid(format!(
                "fields of struct '{structure}' are given as NAME=VALUE"
            )));
        };
        let (path, change) = (PathPart::parse_all(key)?, Change::SetText(&item.value));
        let done = match value {
            Value::List(list) => apply(list, Some(structure), &path, &change, around),
            _ => Err(Error::invalid("its value has no fields with names")),
        };
        done.map_err(|error| in_place(key, error))?;
    }
    Ok(())
}

/// Fields without tags: those that are not named keep their old value.
pub(super) fn read_fields(
    text: &ValueText,
    known: &Type,
    olds: &[Value],
    origin: Presence<'_>,
    around: &mut dyn Surroundings,
) -> Result<Vec<Value>> {
    let items = members(text, known)?;
    let named = named_fields(olds, Some(known), around);
    let names: Vec<_> = named.iter().map(|(name, _)| &**name).collect();
    let texts = members::of_fields(items, &names)?;
    let mut values = Vec::with_capacity(olds.len());
    for (((name, known), text), old) in named.iter().zip(texts).zip(olds) {
        values.push(match text {
            Some(text) => read(text, known, Old { value: old, origin }, around)
                .map_err(|error| in_place(name, error))?,
            None if origin.is_stored() => old.clone(),
            None => return Err(members::missing(name, &names)),
        });
    }
    Ok(values)
}

/// A struct with its type, `(Struct=TYPE,Value=(…))`; fields alone are those of the struct that it is.
pub(super) fn read_instanced(
    text: &ValueText,
    known: &Type,
    instanced: &mut InstancedStruct,
    origin: Presence<'_>,
    around: &mut dyn Surroundings,
) -> Result<()> {
    let items = members(text, known)?;
    let of_key = |key: &str| {
        let is = |item: &&TextMember| {
            item.key.as_deref().is_some_and(|found| found.eq_ignore_ascii_case(key))
        };
        items.iter().find(is).map(|item| &item.value)
    };
    let (mut value, mut origin) = (None, origin);
    match (of_key("Struct"), of_key("Value")) {
        (Some(structure), found) if items.len() == 1 + usize::from(found.is_some()) => {
            let word = structure.word().ok_or_else(|| no_value(structure, known))?;
            let index = around.object(word).map_err(|error| in_place("Struct", error))?;
            if index != instanced.structure {
                let known = struct_of(index, &*around);
                instanced.structure = index;
                instanced.value = match index.is_null() {
                    true => Value::default(),
                    false => Value::blank(&known, Place::Element, around)?,
                };
                origin = Presence::Added(None);
            }
            value = found;
            if value.is_none() {
                return Ok(());
            }
        }
        _ => {}
    }
    let known = struct_of(instanced.structure, &*around);
    let old = instanced.value.clone();
    instanced.value = read(value.unwrap_or(text), &known, Old { value: &old, origin }, around)
        .map_err(|error| if value.is_some() { in_place("Value", error) } else { error })?;
    Ok(())
}
