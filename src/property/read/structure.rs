//! Structs: with tags, or a value for each field.

use super::{Wanted, read};
use crate::error::Result;
use crate::property::edit::{Change, Scope, apply};
use crate::property::fields::{NamedField, fields_of};
use crate::property::format::{Lookup, named_fields};
use crate::property::members::{self, in_place, invalid, members};
use crate::property::path::PathPart;
use crate::property::text::{Item, Text};
use crate::property::value::{StructForm, struct_form};
use crate::property::{Declared, FieldLayout, PropertyList, PropertyType, Value};

pub(super) fn read_struct(
    text: &Text,
    name: &str,
    wanted: Wanted<'_>,
    lookup: &mut dyn Lookup,
) -> Result<Value> {
    let items = members(text, wanted.property)?;
    let form = struct_form(name, 0, lookup.layouts(), lookup.versions().file);
    match (wanted.old, form) {
        (Some(Value::Tagged(list)), _) => read_tagged(items, name, list.clone(), lookup),
        (Some(Value::Fields(values)), _) => {
            let fields = named_fields(values, Some(wanted.property), lookup);
            let olds: Vec<_> = values.iter().map(Some).collect();
            read_fields(items, &fields, &olds, wanted.declared, lookup)
        }
        (_, StructForm::Tagged) => {
            let list = PropertyList { terminator: lookup.none()?, ..PropertyList::default() };
            read_tagged(items, name, list, lookup)
        }
        (_, StructForm::Pattern(pattern)) => {
            let types: Vec<_> = pattern.chars().map(of_code).collect();
            let fields = fields_of(name, &types, lookup.layouts(), lookup.versions());
            read_fields(items, &fields, &vec![None; fields.len()], wanted.declared, lookup)
        }
        (_, StructForm::Layout(layout)) => {
            let each = |field: &FieldLayout| {
                std::iter::repeat_n(field.property.clone(), field.dimension as usize)
            };
            let types: Vec<_> = layout.fields.iter().flat_map(each).collect();
            let fields = fields_of(name, &types, lookup.layouts(), lookup.versions());
            read_fields(items, &fields, &vec![None; fields.len()], wanted.declared, lookup)
        }
        (_, StructForm::Unknown) => {
            let reason = format!("the fields of struct '{name}' are not known");
            Err(invalid(reason))
        }
    }
}

/// The type that a letter of a pattern stands for.
fn of_code(code: char) -> PropertyType {
    match code {
        'f' => PropertyType::Float,
        'i' => PropertyType::Int,
        'o' => PropertyType::Object,
        _ => PropertyType::Byte,
    }
}

/// Fields without tags: those that are not named keep their old value.
fn read_fields(
    items: &[Item],
    fields: &[NamedField],
    olds: &[Option<&Value>],
    declared: &Declared,
    lookup: &mut dyn Lookup,
) -> Result<Value> {
    let names: Vec<_> = fields.iter().map(|(name, _)| &**name).collect();
    let texts = members::of_fields(items, &names)?;
    let mut values = Vec::with_capacity(fields.len());
    for (((name, property), text), old) in fields.iter().zip(texts).zip(olds) {
        values.push(match (text, old) {
            (Some(text), old) => read(text, Wanted::part(declared, property, *old), lookup)
                .map_err(|error| in_place(name, error))?,
            (None, Some(old)) => (*old).clone(),
            (None, None) => return Err(members::missing(name, &names)),
        });
    }
    Ok(Value::Fields(values))
}

/// A struct with tags: those fields that are named are set, the others stay.
fn read_tagged(
    items: &[Item],
    name: &str,
    mut list: PropertyList,
    lookup: &mut dyn Lookup,
) -> Result<Value> {
    let scope = Scope::Struct(name.into());
    for item in items {
        let Some(key) = &item.key else {
            return Err(invalid(format!("fields of struct '{name}' are given as NAME=VALUE")));
        };
        let way = PathPart::parse_all(key)?;
        apply(&mut list, &scope, &way, &Change::SetText(&item.value), lookup)
            .map_err(|error| in_place(key, error))?;
    }
    Ok(Value::Tagged(list))
}
