//! Properties of objects: looking, setting, adding, removing.

use std::sync::Arc;

use super::Package;
use super::decode::{native_as, native_as_mut};
use super::meaning::ObjectLookup;
use super::table_rows as rows;
use crate::archive::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::object::text::TextBuffer;
use crate::object::ue1::ExtString;
use crate::object::{Body, Properties};
use crate::primitive::{Encoding, FString, PackageIndex};
use crate::property::unversioned::UnversionedList;
use crate::property::{
    Change, Found, PathPart, PropertyList, Surroundings, Type, Value, apply, apply_unversioned,
    display, indexed, splits, zero_text,
};

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
    /// The value as text, which [`Package::set_property`] reads.
    pub text: String,
}

/// What a call has done to a property.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PropertyChange {
    /// The object.
    pub object: String,
    /// The path of the value within it.
    pub property: String,
    /// The value before; `None` when it was not stored.
    pub old: Option<String>,
    /// The value now; `None` when it is not stored any more.
    pub new: Option<String>,
}

fn invalid(reason: String) -> Error {
    ErrorKind::Invalid { reason }.into()
}

impl Package {
    /// The value of a property, or of an element or field: `Skin`, `MultiSkins[3]`, `Location.X`,
    /// `Keys[2].Time`. Of a class the defaults. Case does not matter.
    ///
    /// # Errors
    /// `NotFound` for an object that is not there and for a property that it does not store; `Invalid`
    /// for an object that is not decoded.
    pub fn property(&self, object: &str, property: &str) -> Result<PropertyValue> {
        let row = self.find_export(object)?;
        let context = self.decoding_context();
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
        let row = self.find_export(object)?;
        let context = self.decoding_context();
        let mut body = self.editable(row, &context)?.body;
        let list = self.list_of(row, &mut body).map_err(|error| self.about(row, error))?;
        let lookup = ObjectLookup::reading(self, context.clone(), row);
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
        let lookup = ObjectLookup::reading(self, context.clone(), row);
        match list {
            Properties::Tagged(list) => listed(list, &lookup),
            Properties::Unversioned(list) => listed_unversioned(list, &lookup),
        }
    }

    /// Sets a property, or an element or field of one, to what `text` says; one that is not stored is
    /// added if a class that is known declares it. Names and imports that are needed are added.
    ///
    /// | type | text |
    /// |---|---|
    /// | int, byte, float, bool | `7`, `0x1F`, `1.5`, `true` |
    /// | byte with an enum | `LT_Steady`, or its number |
    /// | string, name | `Hello`, `"two\nlines"` |
    /// | object | `Skins.Blue`, `Texture'Skins.Blue'`, `None`; to import one, with the path of its class: `Engine.Texture'Botpack.Skins.Blue'` |
    /// | struct | `(X=1,Y=2)`: fields that are not named stay; or `(1,2,3)` with all of them |
    /// | array | `(1,2,3)`; `Array[n]` sets one element, or adds one behind the last |
    ///
    /// And in UE4 and UE5:
    ///
    /// | type | text |
    /// |---|---|
    /// | enum | `EMode::Fast`, `Fast` |
    /// | soft path | `/Game/Folder/Asset.Asset:Sub` |
    /// | object | `Map.PersistentLevel.Lamp_3`; to import one: `/Script/Engine.Texture2D'/Game/T.T'` |
    /// | text | `Hello` keeps namespace and key; `NSLOCTEXT("ns","key","Hello")`, `INVTEXT("Hello")`, `LOCTABLE("table","key")` |
    /// | map | `((KEY,VALUE),(KEY,VALUE))`; `Map[KEY]` sets the value of one key, or adds it |
    /// | optional value | `()`, `(VALUE)` |
    /// | row of a table | `[Row]` is `(Field=VALUE)`, `[Row].Field` one value of it; a row that is not there is added |
    ///
    /// # Errors
    /// `NotFound` for an object or declaration that is not there; `Invalid` when the text does not fit
    /// the type, when nothing says the type of a property that is not stored
    /// ([`Package::add_property`] states it), and when the object is not decoded whole.
    pub fn set_property(
        &mut self,
        object: &str,
        property: &str,
        text: &str,
    ) -> Result<PropertyChange> {
        self.change_property(object, property, &Change::Set(text), None)
    }

    /// As [`Package::set_property`] for a property whose class is not known: its type is given.
    ///
    /// # Errors
    /// As [`Package::set_property`]; `Invalid` when the type contradicts the stored value or the
    /// declaration; `Unsupported` for a type that the package's engine does not have.
    pub fn add_property(
        &mut self,
        object: &str,
        property: &str,
        property_type: &Type,
        text: &str,
    ) -> Result<PropertyChange> {
        if let Ok(there) = self.property(object, property)
            && !there.property_type.agrees_with(property_type)
        {
            let (row, known) = (self.find_export(object)?, there.property_type);
            let reason = format!("'{property}' is stored as {known}, not as {property_type}");
            return Err(self.about(row, invalid(reason)));
        }
        // From here on this package knows of which type the elements are; tags of UE4 and UE5 say it.
        let known = self.known.clone();
        if !property_type.inner().is_empty()
            && !self.versions.has_object_versions()
            && let Some(name) = property.split(['.', '[']).next()
        {
            Arc::make_mut(&mut self.known).declare(name, property_type.clone());
        }
        let done = self.change_property(object, property, &Change::Set(text), Some(property_type));
        if done.is_err() {
            self.known = known;
        }
        done
    }

    /// Removes a property, so that the object has its class's default again; or an element of an array.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for a part that can't go alone, and when the object is not decoded whole.
    pub fn remove_property(&mut self, object: &str, property: &str) -> Result<PropertyChange> {
        self.change_property(object, property, &Change::Remove, None)
    }

    /// The value at a path within an object.
    fn apply_read(
        &self,
        row: usize,
        body: &mut Body,
        path: &[PathPart],
        context: Arc<Context>,
    ) -> Result<Found> {
        let mut lookup = ObjectLookup::reading(self, context, row);
        match names_row(path) {
            true => rows::apply(body, path, &Change::Read, &mut lookup),
            false => apply_list(self.list_of(row, body)?, path, &Change::Read, &mut lookup),
        }
    }

    fn change_property(
        &mut self,
        object: &str,
        property: &str,
        change: &Change<'_>,
        given: Option<&Type>,
    ) -> Result<PropertyChange> {
        let path = PathPart::parse_all(property)?;
        let row = self.find_export(object)?;
        let found: Found = self.edit_body(row, |package, body, context| {
            if names_row(&path) {
                let mut lookup = ObjectLookup::writing(package, context, row, given);
                return rows::apply(body, &path, change, &mut lookup);
            }
            let list = package.list_of(row, body)?;
            apply_list(
                list,
                &path,
                change,
                &mut ObjectLookup::writing(package, context, row, given),
            )
        })?;
        Ok(PropertyChange {
            object: self.path(PackageIndex::export(row)),
            property: property.to_owned(),
            old: found.old_text,
            new: found.new_text,
        })
    }

    /// Replaces the text of a text buffer, or of a text of Deus Ex; the encoding stays where it can hold the text.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` when the object is no text buffer or is not decoded; `BadText` when the
    /// text holds a zero.
    pub fn set_text(&mut self, object: &str, text: &str) -> Result<()> {
        let row = self.find_export(object)?;
        self.edit_body(row, |package, body, _| {
            let class = package.class_path(row);
            let held = text_mut(body)
                .ok_or_else(|| invalid(format!("it is a {class}, not a text buffer")))?;
            if text.contains('\0') {
                return Err(ErrorKind::BadText { reason: "a text can't contain a zero" }.into());
            }
            let narrow = held.encoding() == Encoding::Ansi && !text.is_empty();
            let versions = &package.versions;
            *held = narrow
                .then(|| FString::ansi(text))
                .flatten()
                .unwrap_or_else(|| FString::new_in(text, versions.byte_order, versions.game));
            Ok(())
        })
    }

    /// The object and the path within it that a path such as `Level.Light0.Location.X` means: the longest
    /// object that there is.
    ///
    /// # Errors
    /// `NotFound` when no part of it is an object; `Invalid` when nothing is left for the property.
    pub fn split_property_path<'a>(&self, path: &'a str) -> Result<(&'a str, &'a str)> {
        let mut first = None;
        let mut splits = splits(path);
        if !self.versions.has_object_versions() {
            // Objects before UE4 are no tables: a bracket behind one belongs to a property of its name.
            splits.sort_by_key(|&at| path.as_bytes().get(at) == Some(&b'['));
        }
        for at in splits {
            // A row in brackets is part of the path.
            let (object, property) = (&path[..at], &path[at..]);
            let property = property.strip_prefix('.').unwrap_or(property);
            match self.find_export(object) {
                Ok(_) if !property.is_empty() => return Ok((object, property)),
                Ok(_) => {}
                Err(error) => first = Some(error),
            }
        }
        Err(first.unwrap_or_else(|| {
            invalid(format!("'{path}' names no property: write OBJECT.PROPERTY"))
        }))
    }
}

/// The list of an object's properties.
pub(super) enum ListMut<'a> {
    /// Each with its name and type.
    Tagged(&'a mut PropertyList),
    /// In the order of the class's schema.
    Unversioned(&'a mut UnversionedList),
}

/// Whether a path begins with a row of a table.
fn names_row(path: &[PathPart]) -> bool {
    path.first().is_some_and(|part| part.name.is_empty())
}

/// Does `change` to the value at `path` within a list.
fn apply_list(
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

/// The text that an object is.
fn text_mut(body: &mut Body) -> Option<&mut FString> {
    if native_as::<TextBuffer>(body).is_some() {
        return native_as_mut::<TextBuffer>(body).map(|buffer| &mut buffer.text);
    }
    native_as_mut::<ExtString>(body).map(|text| &mut text.text)
}
