//! The values of objects.

use std::sync::Arc;

use super::meaning::ObjectLookup;
use super::table_rows as rows;
use crate::archive::{ArchiveExt, Context, Loader};
use crate::error::{Error, ErrorKind, PathStep, Result};
use crate::object::script_object::ScriptObject;
use crate::object::{Body, Native, Properties, TypedBody, TypedObject};
use crate::package::{Decoded, Package};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::unversioned::UnversionedList;
use crate::property::{
    Change, Found, PathPart, PropertyList, Surroundings, Type, Value, apply, apply_unversioned,
    display, indexed, splits, zero_text,
};
use crate::version::Engine;

/// A property or a part of one.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertyValue {
    /// The path of it within the object: `Skin`, `Keys[2]`.
    pub path: String,
    /// Its type, as its tag and declaration say it.
    pub property_type: Type,
    /// The value, whose names and objects are the package's own numbers; `None` for zero, which unversioned
    /// lists do not store.
    pub value: Option<Value>,
    /// The value as text, which [`Edit::set_property`](crate::edit::Edit::set_property) reads.
    pub text: String,
}

fn invalid(reason: String) -> Error {
    ErrorKind::Invalid { reason }.into()
}

/// The values of a package's objects.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a> {
    pub(super) package: &'a Package,
}

impl Package {
    /// The values of its objects.
    pub fn values(&self) -> Values<'_> {
        Values { package: self }
    }
}

impl Values<'_> {
    /// The value of a property, or of an element or field: `Skin`, `MultiSkins[3]`, `Location.X`,
    /// `Keys[2].Time`. Of a class the defaults. Case does not matter.
    ///
    /// # Errors
    /// `NotFound` for an object that is not there and for a property that it does not store; `Invalid`
    /// for an object that is not decoded.
    pub fn property(&self, object: &str, property: &str) -> Result<PropertyValue> {
        let row = self.package.find_export(object)?;
        let context = self.package.decoding_context();
        let path = PathPart::parse_all(property)?;
        let mut body = self.editable(row, &context)?.body;
        let found = self
            .apply_read(row, &mut body, &path, context)
            .map_err(|error| self.about(row, error))?;
        let (value, property_type) = match found.old {
            Some((value, known)) => (Some(value), known),
            None => (None, Type::unknown("unknown")),
        };
        let text = found.old_text.unwrap_or_default();
        Ok(PropertyValue { path: property.to_owned(), property_type, value, text })
    }

    /// Every property that an object stores, in stored order; of a class the defaults.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for an object that is not decoded.
    pub fn properties(&self, object: &str) -> Result<Vec<PropertyValue>> {
        let row = self.package.find_export(object)?;
        let context = self.package.decoding_context();
        let mut body = self.editable(row, &context)?.body;
        let list = self.list_of(row, &mut body).map_err(|error| self.about(row, error))?;
        let lookup = ObjectLookup::reading(self.package, context.clone(), row);
        Ok(match list {
            ListMut::Tagged(list) => listed(list, &lookup),
            ListMut::Unversioned(list) => listed_unversioned(list, &lookup),
        })
    }

    /// The properties of a list as values with their texts.
    pub(crate) fn listed(
        &self,
        row: usize,
        list: &Properties,
        context: &Arc<Context>,
    ) -> Vec<PropertyValue> {
        let lookup = ObjectLookup::reading(self.package, context.clone(), row);
        match list {
            Properties::Tagged(list) => listed(list, &lookup),
            Properties::Unversioned(list) => listed_unversioned(list, &lookup),
        }
    }

    /// The object and the path within it that a path such as `Level.Light0.Location.X` means: the longest
    /// object that there is.
    ///
    /// # Errors
    /// `NotFound` when no part of it is an object; `Invalid` when nothing is left for the property.
    pub fn split_property_path<'a>(&self, path: &'a str) -> Result<(&'a str, &'a str)> {
        let mut first = None;
        let mut splits = splits(path);
        if !self.package.versions().has_object_versions() {
            // Objects before UE4 are no tables: a bracket behind one belongs to a property of its name.
            splits.sort_by_key(|&at| path.as_bytes().get(at) == Some(&b'['));
        }
        for at in splits {
            // A row in brackets is part of the path.
            let (object, property) = (&path[..at], &path[at..]);
            let property = property.strip_prefix('.').unwrap_or(property);
            match self.package.find_export(object) {
                Ok(_) if !property.is_empty() => return Ok((object, property)),
                Ok(_) => {}
                Err(error) => first = Some(error),
            }
        }
        Err(first.unwrap_or_else(|| {
            invalid(format!("'{path}' names no property: write OBJECT.PROPERTY"))
        }))
    }

    /// An object as a struct that `upk headers --rust` has written for its class; of a
    /// class of UE1 and UE2 with its defaults.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for an object whose body is not decoded.
    pub fn typed_object<T: TypedObject>(&self, object: &str) -> Result<T> {
        let row = self.package.find_export(object)?;
        let undecoded = |reason: String| -> crate::Error {
            let reason = format!("its body is not decoded: {reason}");
            self.about(row, ErrorKind::Invalid { reason }.into())
        };
        let context = self.package.scoped(row, &self.package.decoding_context());
        if let Some(decoded) = self.package.decoded(row) {
            let body = TypedBody::of(decoded.body.clone(), &context, self.package.versions());
            return body.map(T::new).ok_or_else(|| undecoded("it has no properties".to_owned()));
        }
        let decoded = self.package.decode(row)?;
        if decoded.body.is_opaque() {
            let reason = decoded.error.as_ref().map(|error| error.to_string());
            return Err(undecoded(reason.unwrap_or_else(|| "it was replaced".to_owned())));
        }
        let mut value = T::new(TypedBody::blank(decoded.body.shape().clone()));
        let (start, size) = self.package.body_range(row);
        let mut loader = Loader::new(self.package.source(), self.package.versions().of_bodies())
            .with_context(context);
        loader.seek(self.package.source(), start, start + size)?;
        loader.part(size, &mut |ar| value.serialize(ar))?;
        Ok(value)
    }

    /// A value as the text that setting it takes.
    #[cfg(feature = "content")]
    pub(crate) fn shown(&self, value: &Value, context: &Arc<Context>) -> String {
        display(value, None, &ObjectLookup::reading(self.package, context.clone(), 0))
    }

    /// The value at a path within an object.
    fn apply_read(
        &self,
        row: usize,
        body: &mut Body,
        path: &[PathPart],
        context: Arc<Context>,
    ) -> Result<Found> {
        let mut lookup = ObjectLookup::reading(self.package, context, row);
        match names_row(path) {
            true => rows::apply(body, path, &Change::Read, &mut lookup),
            false => apply_list(self.list_of(row, body)?, path, &Change::Read, &mut lookup),
        }
    }

    /// Says of which object an error is.
    pub(crate) fn about(&self, row: usize, error: Error) -> Error {
        let path = self.package.path(PackageIndex::export(row));
        match error.into_kind() {
            ErrorKind::Invalid { reason } => invalid(format!("{path}: {reason}")),
            ErrorKind::NotFound { what, name, hint } => {
                let object = match what {
                    "property" | "declaration" => self.object_instead(row, &name),
                    _ => None,
                };
                let object = object.map(|path| format!("; did you mean the object '{path}'?"));
                let hint = format!(" in {path}{hint}{}", object.unwrap_or_default());
                ErrorKind::NotFound { what, name, hint }.into()
            }
            other => Error::from(other).within(PathStep::Name(path.into())),
        }
    }

    /// The object outside of this one that has the name of a property that is not there: objects of levels
    /// are looked for within `MyLevel`, where they stand in maps of UE3 only. What scripts declare is none.
    fn object_instead(&self, row: usize, name: &str) -> Option<String> {
        let near = self.package.export_called(name)?;
        let ObjectRef::Export(found) = near.target() else { return None };
        let class = self.package.class_path(found);
        let declared = ["Core.", "/Script/CoreUObject."].iter().any(|core| class.starts_with(core));
        let within =
            self.package.tables().exports.get(found)?.outer_index == PackageIndex::export(row);
        (found != row && !declared && !within).then(|| self.package.path(near))
    }

    /// The body of an object that may be changed: decoded to its end.
    pub(crate) fn editable(&self, row: usize, context: &Arc<Context>) -> Result<Decoded> {
        let refuse = |reason: String| Err(self.about(row, invalid(reason)));
        if self.package.bodies().replaced.contains_key(&row) {
            return refuse("its body was replaced: save and open the package again".to_owned());
        }
        if self.package.body_range(row).1 == 0 && !self.package.bodies().decoded.contains_key(&row)
        {
            return refuse("it has no body and so no properties".to_owned());
        }
        if self.package.sharing_bodies().contains(&row) {
            return refuse("its body shares bytes with another section".to_owned());
        }
        let decoded = match self.package.bodies().decoded.get(&row) {
            Some(decoded) => decoded.clone(),
            None => self.package.decode_with(row, context),
        };
        match &decoded.error {
            // What the class adds stays as it is.
            Some(_) if decoded.body.prologue.is_some() => Ok(decoded),
            Some(error) => refuse(format!(
                "its body is not decoded ({error}), so it can't be changed field by field; \
                 the whole body can be replaced"
            )),
            None if decoded.body.is_opaque() => refuse("its body is not decoded".to_owned()),
            None => Ok(decoded),
        }
    }

    /// The properties of an object, or the defaults of a class.
    pub(crate) fn list_of<'a>(&self, row: usize, body: &'a mut Body) -> Result<ListMut<'a>> {
        if let Some(list) = &mut body.properties {
            return Ok(ListMut::Tagged(list));
        }
        if let Some(prologue) = &mut body.prologue {
            return Ok(match &mut prologue.properties {
                Properties::Tagged(list) => ListMut::Tagged(list),
                Properties::Unversioned(list) => ListMut::Unversioned(list),
            });
        }
        let name = self.package.object_name(PackageIndex::export(row));
        if self.package.versions().has_object_versions() {
            return Err(invalid(format!(
                "it has no properties; a class's defaults stand in Default__{name}"
            )));
        }
        match &mut body.native {
            Native::Script(object) => match &mut **object {
                ScriptObject::Class(class) if self.package.versions().engine() != Engine::Ue3 => {
                    Ok(ListMut::Tagged(&mut class.defaults))
                }
                _ => Err(invalid(format!(
                    "the defaults of a class stand in an object of their own, Default__{name}"
                ))),
            },
            _ => Err(invalid("it has no properties".to_owned())),
        }
    }
}

/// The list of an object's properties.
pub(crate) enum ListMut<'a> {
    /// Each with its name and type.
    Tagged(&'a mut PropertyList),
    /// In the order of the class's schema.
    Unversioned(&'a mut UnversionedList),
}

/// Whether a path begins with a row of a table.
pub(crate) fn names_row(path: &[PathPart]) -> bool {
    path.first().is_some_and(|part| part.name.is_empty())
}

/// Does `change` to the value at `path` within a list.
pub(crate) fn apply_list(
    list: ListMut<'_>,
    path: &[PathPart],
    change: &Change<'_>,
    around: &mut dyn Surroundings,
) -> Result<Found> {
    match list {
        ListMut::Tagged(list) => apply(list, None, path, change, around),
        ListMut::Unversioned(list) => apply_unversioned(list, path, change, around),
    }
}

/// The properties of a list as values with their texts.
fn listed(list: &PropertyList, around: &dyn Surroundings) -> Vec<PropertyValue> {
    let one = |property: &crate::property::Property| {
        let property_type = around.type_of(property);
        let text = display(property.value(), Some(&property_type), around);
        let index = property.array_index().max(0) as u32;
        let path = indexed(&around.name_text(property.name()), index);
        PropertyValue { path, property_type, value: Some(property.value().clone()), text }
    };
    list.properties.iter().map(one).collect()
}

/// The properties of an unversioned list; those that are not stored are zero.
fn listed_unversioned(list: &UnversionedList, around: &dyn Surroundings) -> Vec<PropertyValue> {
    let one = |property: &crate::property::unversioned::UnversionedProperty| {
        let known = around
            .mappings()
            .and_then(|mappings| mappings.property_type(list.class(), property.name()));
        let property_type = known.map_or_else(|| Type::unknown("unknown"), |(known, _)| known);
        let path = indexed(property.name(), property.array_index().into());
        let text = match &property.value {
            Some(value) => display(value, Some(&property_type), around),
            None => zero_text(Some(&property_type)),
        };
        PropertyValue { path, property_type, value: property.value.clone(), text }
    };
    list.properties.iter().map(one).collect()
}
