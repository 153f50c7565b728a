//! Structs: with tags or a schema, or a value for each field.

use super::{Old, read};
use crate::error::Result;
use crate::property::Change;
use crate::property::PathPart;
use crate::property::members::{self, in_place, invalid, members};
use crate::property::tagged::Value;
use crate::property::tagged::described::Type;
use crate::property::tagged::edit::{apply, apply_unversioned};
use crate::property::tagged::field_names::names_of;
use crate::property::tagged::format::Surroundings;
use crate::property::text::{Item, Text};

/// Fields that are named are set, the others stay.
pub(super) fn read_list(
    items: &[Item],
    value: &mut Value,
    known: &Type,
    around: &mut dyn Surroundings,
) -> Result<()> {
    let structure = known.type_name();
    for item in items {
        let Some(key) = &item.key else {
            return Err(invalid(format!("fields of struct '{structure}' are given as NAME=VALUE")));
        };
        let (way, change) = (PathPart::parse_all(key)?, Change::SetText(&item.value));
        let done = match value {
            Value::Tagged(list) => apply(list, Some(structure), &way, &change, around),
            Value::Unversioned(list) => apply_unversioned(list, &way, &change, around),
            _ => Err(invalid("its value has no fields with names")),
        };
        done.map_err(|error| in_place(key, error))?;
    }
    Ok(())
}

/// Fields without tags: those that are not named keep their old value.
pub(super) fn read_fields(
    text: &Text,
    known: &Type,
    olds: &[Value],
    stored: bool,
    around: &mut dyn Surroundings,
) -> Result<Vec<Value>> {
    let items = members(text, known)?;
    let names = names_of(known.type_name(), olds.len());
    let names: Vec<_> = names.iter().map(String::as_str).collect();
    let texts = members::of_fields(items, &names)?;
    let unknown = Type::unknown("unknown");
    let mut values = Vec::with_capacity(olds.len());
    for ((name, text), old) in names.iter().zip(texts).zip(olds) {
        values.push(match text {
            Some(text) => read(text, &unknown, Old { value: old, stored }, around)
                .map_err(|error| in_place(name, error))?,
            None if stored => old.clone(),
            None => return Err(members::missing(name, &names)),
        });
    }
    Ok(values)
}
