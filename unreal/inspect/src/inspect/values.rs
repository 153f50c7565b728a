//! The values of objects.

use std::sync::Arc;

use super::editor_reference::EditorScope;
use super::effective::{Defaults, EffectiveValues};
use super::meaning::ObjectLookup;
use super::table_rows as rows;
use crate::archive::{ArchiveExt, Context, Loader};
use crate::error::{Error, ErrorKind, PathStep, Result, UnrealError, UnrealErrors};
use crate::object::script_object::ScriptObject;
use crate::object::{Body, Native, TypedBody, TypedObject};
use crate::package::{Decoded, Package};
use crate::primitive::PackageIndex;
use crate::property::{
    Change, Found, PathPart, Property, PropertyKind, PropertyList, Type, Value, apply, described,
    splits,
};
use crate::version::{EngineFacts, UnrealVersions};

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
    /// The value as text, which `Edit::set_property` reads.
    pub text: String,
}

/// Takes a property: its path, type, value (`None` for zero) and text.
#[doc(hidden)]
pub type ListedSink<'a> = &'a mut dyn FnMut(String, Type, Option<&Value>, String);

/// The values of a package's objects.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a> {
    pub(super) package: &'a Package,
    pub(super) defaults: Option<&'a dyn Defaults>,
    /// For texts as the editor copies them: the objects that have short names.
    scope: Option<&'a EditorScope>,
}

/// The values of the objects of a [`Package`].
pub trait PackageValues {
    /// The values of its objects.
    fn values(&self) -> Values<'_>;
}

impl PackageValues for Package {
    fn values(&self) -> Values<'_> {
        Values { package: self, defaults: None, scope: None }
    }
}

impl<'a> Values<'a> {
    /// The same, which know the defaults of what the package imports.
    #[must_use]
    pub fn with_defaults(self, defaults: Option<&'a dyn Defaults>) -> Self {
        Self { defaults, ..self }
    }

    /// The same with the texts that the editors of UE3 to UE5 copy: objects in `scope` by their short names.
    #[doc(hidden)]
    #[must_use]
    pub fn for_editor(self, scope: &'a EditorScope) -> Self {
        Self { scope: Some(scope), ..self }
    }

    /// The values that objects have though they do not store them.
    pub fn effective(&self) -> EffectiveValues<'a> {
        EffectiveValues::new(*self)
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
        self.stored_property(row, property).map_err(|error| self.with_near(row, error))
    }

    /// As [`Values::property`], without a search for what else may be meant: for those who only ask whether it is
    /// there.
    #[doc(hidden)]
    pub fn stored_property(&self, row: usize, property: &str) -> Result<PropertyValue> {
        let context = self.package.decoding_context();
        let path = PathPart::parse_all(property)?;
        let mut body = self.editable(row, &context)?.body;
        let found = self.read_in(row, &mut body, property, &path, context);
        found.map_err(|error| self.of_object(row, error))
    }

    /// A property of a body that is decoded.
    pub(super) fn read_in(
        &self,
        row: usize,
        body: &mut Body,
        property: &str,
        path: &[PathPart],
        context: Arc<Context>,
    ) -> Result<PropertyValue> {
        let found = self.apply_read(row, body, path, context)?;
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
        Ok(self.listed(row, list, &context))
    }

    /// The properties of a list as values with their texts.
    #[doc(hidden)]
    pub fn listed(
        &self,
        row: usize,
        list: &PropertyList,
        context: &Arc<Context>,
    ) -> Vec<PropertyValue> {
        let mut listed = Vec::with_capacity(list.properties.len());
        self.each_listed(row, list, context, &mut |path, property_type, value, text| {
            listed.push(PropertyValue { path, property_type, value: value.cloned(), text });
        });
        listed
    }

    /// The same, one after the other, with their values where they stand.
    #[doc(hidden)]
    pub fn each_listed(
        &self,
        row: usize,
        list: &PropertyList,
        context: &Arc<Context>,
        each: ListedSink<'_>,
    ) {
        let lookup = self.lookup(context.clone(), row);
        for property in &list.properties {
            let (path, property_type, text) = described(list, None, property, &lookup);
            if !matches!(property.value(), Value::Zero) {
                each(path, property_type, Some(property.value()), text);
                continue;
            }
            let is_struct = property_type.kind() == PropertyKind::Struct;
            let fields = is_struct.then(|| self.zero_fields(row, list, property, &path, context));
            let text = fields.flatten().and_then(|found| found.old_text).unwrap_or(text);
            each(path, property_type, None, text);
        }
    }

    fn lookup(&self, context: Arc<Context>, row: usize) -> ObjectLookup<'_> {
        let lookup = ObjectLookup::reading(self.package, context, row);
        match self.scope {
            Some(scope) => lookup.for_editor(scope),
            None => lookup,
        }
    }

    /// The fields of a struct that is zero and not stored.
    pub(super) fn zero_fields(
        &self,
        row: usize,
        list: &PropertyList,
        property: &Property,
        path: &str,
        context: &Arc<Context>,
    ) -> Option<Found> {
        let mut alone = list.emptied();
        alone.properties.push(property.clone());
        let path = PathPart::parse_all(path).ok()?;
        let mut lookup = self.lookup(context.clone(), row);
        apply(&mut alone, None, &path, &Change::Read, &mut lookup).ok()
    }

    /// The object and the path within it that a path such as `Level.Light0.Location.X` means: the longest
    /// object that there is.
    ///
    /// # Errors
    /// `NotFound` when no part of it is an object; `Invalid` when nothing is left for the property.
    pub fn split_property_path<'a>(&self, path: &'a str) -> Result<(&'a str, &'a str)> {
        let (mut first, mut bare) = (None, None);
        for at in splits(path) {
            // A row in brackets is part of the path.
            let (object, property) = (&path[..at], &path[at..]);
            let property = property.strip_prefix('.').unwrap_or(property);
            match self.package.find_export(object) {
                // A bracket behind what is no table belongs to a property of its name.
                Ok(row) if property.starts_with('[') && !self.is_table(row) => {
                    bare = bare.or(Some((object, property)));
                }
                Ok(_) if !property.is_empty() => return Ok((object, property)),
                Ok(_) => {}
                Err(error) => first = Some(error),
            }
        }
        if let Some(found) = bare {
            return Ok(found);
        }
        Err(first.unwrap_or_else(|| {
            Error::invalid(format!("'{path}' names no property: write OBJECT.PROPERTY"))
        }))
    }

    /// Whether an object is a table, whose rows stand in brackets (spec: ue4-5/10).
    pub(super) fn is_table(&self, row: usize) -> bool {
        if !self.package.versions().has_data_tables() {
            return false;
        }
        let chain = self.package.class_chain(row);
        chain.iter().any(|class| class.ends_with("Table"))
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
    #[doc(hidden)]
    pub fn shown(&self, value: &Value, context: &Arc<Context>) -> String {
        crate::property::display(value, None, &self.lookup(context.clone(), 0))
    }

    /// The value at a path within an object.
    fn apply_read(
        &self,
        row: usize,
        body: &mut Body,
        path: &[PathPart],
        context: Arc<Context>,
    ) -> Result<Found> {
        let mut lookup = self.lookup(context, row);
        match names_row(path) {
            true => rows::apply(body, path, &Change::Read, &mut lookup),
            false => apply(self.list_of(row, body)?, None, path, &Change::Read, &mut lookup),
        }
    }

    /// Says of which object an error is, and what may be meant instead of what is not there.
    #[doc(hidden)]
    pub fn about(&self, row: usize, error: Error) -> Error {
        self.with_near(row, self.of_object(row, error))
    }

    pub(super) fn of_object(&self, row: usize, error: Error) -> Error {
        let path = self.package.path(PackageIndex::export(row));
        if let Some(UnrealError::Doubtful { reason }) = error.unreal() {
            return UnrealError::Doubtful { reason: format!("{path}: {reason}") }.into();
        }
        match error.into_kind() {
            ErrorKind::Invalid { reason } => Error::invalid(format!("{path}: {reason}")),
            ErrorKind::NotFound { what, name, hint } => {
                ErrorKind::NotFound { what, name, hint: format!(" in {path}{hint}") }.into()
            }
            other => Error::from(other).within(PathStep::Name(path.into())),
        }
    }

    /// The body of an object that may be changed: decoded to its end.
    #[doc(hidden)]
    pub fn editable(&self, row: usize, context: &Arc<Context>) -> Result<Decoded> {
        let refuse = |reason: String| Err(self.about(row, Error::invalid(reason)));
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
        self.check_decoded(row, &decoded)?;
        Ok(decoded)
    }

    /// Whether a decoded body may be changed.
    #[doc(hidden)]
    pub fn check_editable(&self, row: usize) -> Result<()> {
        match self.package.bodies().decoded.get(&row) {
            Some(decoded) => self.check_decoded(row, decoded),
            None => Ok(()),
        }
    }

    pub(super) fn check_decoded(&self, row: usize, decoded: &Decoded) -> Result<()> {
        let refuse = |reason: String| Err(self.about(row, Error::invalid(reason)));
        match &decoded.error {
            // What the class adds stays as it is.
            Some(_) if decoded.body.prologue.is_some() || decoded.body.shape().tail => Ok(()),
            Some(error) => refuse(format!(
                "its body is not decoded ({error}), so it can't be changed field by field; \
                 the whole body can be replaced"
            )),
            None if decoded.body.is_opaque() => refuse("its body is not decoded".to_owned()),
            None => Ok(()),
        }
    }

    /// The properties of an object, or the defaults of a class.
    #[doc(hidden)]
    pub fn list_of<'a>(&self, row: usize, body: &'a mut Body) -> Result<&'a mut PropertyList> {
        let apart = self.package.versions().has_default_objects();
        let is_class = match &body.native {
            Native::Script(object) => matches!(**object, ScriptObject::Class(_)),
            _ => false,
        };
        // The defaults of a struct are its declaration's.
        let has_own = body.properties.is_some() || body.prologue.is_some();
        let list = match has_own || is_class && !apart {
            true => body.lists_mut().next(),
            false => None,
        };
        list.ok_or_else(|| {
            let name = self.package.object_name(PackageIndex::export(row));
            Error::invalid(match (is_class, apart) {
                (true, _) => {
                    format!(
                        "the defaults of a class stand in an object of their own, Default__{name}"
                    )
                }
                (false, true) => {
                    format!("it has no properties; a class's defaults stand in Default__{name}")
                }
                (false, false) => "it has no properties".to_owned(),
            })
        })
    }
}

/// Whether a path begins with a row of a table.
#[doc(hidden)]
pub fn names_row(path: &[PathPart]) -> bool {
    path.first().is_some_and(|part| part.name.is_empty())
}
