//! Structs: with tags or a schema, or a value for each field.

use super::{Old, read};
use crate::error::Result;
use crate::property::edit::{apply, apply_unversioned};
use crate::property::field_names::named_fields;
use crate::property::format::Surroundings;
use crate::property::members::{self, in_place, invalid, members};
use crate::property::text::{TextMember, ValueText};
use crate::property::{Change, PathPart, Type, Value};

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
            return Err(invalid(format!("fields of struct '{structure}' are given as NAME=VALUE")));
        };
        let (path, change) = (PathPart::parse_all(key)?, Change::SetText(&item.value));
        let done = match value {
            Value::Tagged(list) => apply(list, Some(structure), &path, &change, around),
            Value::Unversioned(list) => apply_unversioned(list, &path, &change, around),
            _ => Err(invalid("its value has no fields with names")),
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
    stored: bool,
    around: &mut dyn Surroundings,
) -> Result<Vec<Value>> {
    let items = members(text, known)?;
    let named = named_fields(olds, Some(known), around);
    let names: Vec<_> = named.iter().map(|(name, _)| &**name).collect();
    let texts = members::of_fields(items, &names)?;
    let mut values = Vec::with_capacity(olds.len());
    for (((name, known), text), old) in named.iter().zip(texts).zip(olds) {
        values.push(match text {
            Some(text) => read(text, known, Old { value: old, stored }, around)
                .map_err(|error| in_place(name, error))?,
            None if stored => old.clone(),
            None => return Err(members::missing(name, &names)),
        });
    }
    Ok(values)
}
