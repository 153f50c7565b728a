//! Properties of objects of UE4 and UE5: looking, setting, adding, removing.

use std::sync::Arc;

use super::lookup::ModernLookup;
use super::rows;
use crate::archive::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::object::{Body, Properties};
use crate::package::{AnyType, AnyValue, Package, PropertyChange, PropertyValue};
use crate::primitive::PackageIndex;
use crate::property::tagged::{
    Found, Surroundings, Type, apply, apply_unversioned, display, indexed, zero_text,
};
use crate::property::{Change, PathPart};

pub(super) fn invalid(reason: &str) -> Error {
    ErrorKind::Invalid { reason: reason.to_owned() }.into()
}

impl Package {
    /// The value at a way within an object.
    pub(in crate::package) fn modern_property(
        &self,
        row: usize,
        property: &str,
    ) -> Result<PropertyValue> {
        let context = self.decoding_context();
        let way = PathPart::parse_all(property)?;
        let mut body = self.editable(row, &context)?.body;
        let mut lookup = ModernLookup::reading(self, context, row);
        let found = apply_body(&mut body, &way, &Change::Read, &mut lookup)
            .map_err(|error| self.about(row, error))?;
        let text = found.old_text.unwrap_or_default();
        Ok(value(property.to_owned(), found.old, text))
    }

    /// Every property that an object stores.
    pub(in crate::package) fn modern_properties(
        &self,
        row: usize,
        body: &Body,
        context: Arc<Context>,
    ) -> Result<Vec<PropertyValue>> {
        let lookup = ModernLookup::reading(self, context, row);
        let prologue = body.prologue.as_ref().ok_or_else(|| self.about(row, no_list(self, row)))?;
        Ok(listed(&prologue.properties, &lookup))
    }

    /// Does `change` to a value of an object; `stated` is its type where nothing else declares it.
    pub(in crate::package) fn change_modern(
        &mut self,
        object: &str,
        property: &str,
        change: &Change<'_>,
        stated: Option<&Type>,
    ) -> Result<PropertyChange> {
        let way = PathPart::parse_all(property)?;
        let row = self.find_export(object)?;
        let found: Found = self.edit_body(row, |package, body, context| {
            if body.prologue.is_none() {
                return Err(no_list(package, row));
            }
            let mut lookup = ModernLookup::writing(package, context, row, stated);
            let found = apply_body(body, &way, change, &mut lookup)?;
            match (stated, &found.old) {
                (Some(stated), Some((_, known))) if !known.agrees_with(stated) => {
                    Err(invalid(&format!("'{property}' is stored as {known}, not as {stated}")))
                }
                _ => Ok(found),
            }
        })?;
        Ok(PropertyChange {
            object: self.path(PackageIndex::export(row)),
            property: property.to_owned(),
            old: found.old_text,
            new: found.new_text,
        })
    }
}

/// Classes hold no values themselves.
fn no_list(package: &Package, row: usize) -> Error {
    let name = package.object_name(PackageIndex::export(row));
    invalid(&format!("it has no properties; a class's defaults stand in Default__{name}"))
}

fn value(
    path: String,
    old: Option<(crate::property::tagged::Value, Type)>,
    text: String,
) -> PropertyValue {
    let (value, known) = match old {
        Some((value, known)) => (AnyValue::Modern(value), known),
        None => (AnyValue::Zero, Type::unknown("unknown")),
    };
    PropertyValue { path, property_type: AnyType::Modern(known), value, text }
}

/// The properties of a list as values with their texts.
pub(super) fn listed(properties: &Properties, around: &dyn Surroundings) -> Vec<PropertyValue> {
    match properties {
        Properties::Tagged(list) => {
            let one = |property: &crate::property::tagged::Property| {
                let known = property.stored_type(&|name| around.name_text(name));
                let text = display(property.value(), Some(&known), around);
                let index = property.array_index().max(0) as u32;
                let path = indexed(&around.name_text(property.name()), index);
                value(path, Some((property.value().clone(), known)), text)
            };
            list.properties.iter().map(one).collect()
        }
        Properties::Unversioned(list) => {
            let one = |property: &crate::property::unversioned::UnversionedProperty| {
                let known = around
                    .mappings()
                    .and_then(|mappings| mappings.property_type(list.class(), property.name()));
                let known = known.map_or_else(|| Type::unknown("unknown"), |(known, _)| known);
                let path = indexed(property.name(), property.array_index().into());
                let (value, text) = match &property.value {
                    Some(value) => {
                        (AnyValue::Modern(value.clone()), display(value, Some(&known), around))
                    }
                    None => (AnyValue::Zero, zero_text(Some(&known))),
                };
                PropertyValue { path, property_type: AnyType::Modern(known), value, text }
            };
            list.properties.iter().map(one).collect()
        }
    }
}

/// Does `change` to the value at `way` within a body: a property, or a row of a table.
fn apply_body(
    body: &mut Body,
    way: &[PathPart],
    change: &Change<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    if way.first().is_some_and(|part| part.name.is_empty()) {
        return rows::apply(body, way, change, around);
    }
    let prologue = body.prologue.as_mut().ok_or_else(|| invalid("it has no properties"))?;
    match &mut prologue.properties {
        Properties::Tagged(list) => apply(list, None, way, change, around),
        Properties::Unversioned(list) => apply_unversioned(list, way, change, around),
    }
}
