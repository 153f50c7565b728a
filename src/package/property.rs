//! Properties of objects: looking, setting, adding, removing.

use std::fmt;
use std::sync::Arc;

use super::Package;
use super::decode::{native_as, native_as_mut};
use super::meaning::PackageLookup;
use crate::archive::Context;
use crate::error::{Error, ErrorKind, Result};
use crate::object::Body;
use crate::object::text::TextBuffer;
use crate::object::ue1::ExtString;
use crate::primitive::{Encoding, FString, PackageIndex};
use crate::property::tagged;
use crate::property::{
    Change, Found, PathPart, PropertyList, PropertyType, Scope, Value, apply, display, splits,
};

/// A property or a part of one.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertyValue {
    /// The way to it within the object: `Skin`, `Keys[2]`.
    pub path: String,
    /// Its type, as its tag and declaration tell it.
    pub property_type: AnyType,
    /// The value; names and objects in it are the package's own numbers.
    pub value: AnyValue,
    /// The value as text, which [`Package::set_property`] reads.
    pub text: String,
}

/// The type of a property of any engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyType {
    /// UE1 to UE3.
    Classic(PropertyType),
    /// UE4 and UE5.
    Modern(tagged::Type),
}

impl AnyType {
    /// Whether values of both are stored alike: what is known of one may be less than of the other.
    pub fn agrees_with(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Classic(one), Self::Classic(other)) => one.agrees_with(other),
            (Self::Modern(one), Self::Modern(other)) => one.agrees_with(other),
            _ => false,
        }
    }
}

/// As either type is written: `int`, `struct:Vector`, `map:name:int`.
impl fmt::Display for AnyType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Classic(known) => known.fmt(f),
            Self::Modern(known) => known.fmt(f),
        }
    }
}

/// The value of a property of any engine.
#[derive(Debug, Clone, PartialEq)]
pub enum AnyValue {
    /// UE1 to UE3.
    Classic(Value),
    /// UE4 and UE5.
    Modern(tagged::Value),
    /// Unversioned lists: zero, which is not stored.
    Zero,
}

impl AnyValue {
    /// The value of a property of UE1 to UE3.
    pub fn as_classic(&self) -> Option<&Value> {
        match self {
            Self::Classic(value) => Some(value),
            _ => None,
        }
    }

    /// The value of a property of UE4 or UE5, where it is stored.
    pub fn as_modern(&self) -> Option<&tagged::Value> {
        match self {
            Self::Modern(value) => Some(value),
            _ => None,
        }
    }
}

/// What a call has done to a property.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PropertyChange {
    /// The object.
    pub object: String,
    /// The way to the value within it.
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
        if self.is_modern() {
            return self.modern_property(row, property);
        }
        let context = self.decoding_context();
        let way = PathPart::parse_all(property)?;
        let mut body = self.editable(row, &context)?.body;
        let mut lookup = PackageLookup::reading(self, context, row);
        let found = self
            .list_of(row, &mut body)
            .and_then(|list| apply(list, &Scope::Object, &way, &Change::Read, &mut lookup))
            .map_err(|error| self.about(row, error))?;
        let (value, property_type) = found.old.unwrap_or((Value::default(), PropertyType::Int));
        let text = found.old_text.unwrap_or_default();
        let (property_type, value) = (AnyType::Classic(property_type), AnyValue::Classic(value));
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
        if self.is_modern() {
            return self.modern_properties(row, &body, context);
        }
        let list = self.list_of(row, &mut body).map_err(|error| self.about(row, error))?;
        Ok(self.listed(row, list, &context))
    }

    /// The properties of a list as values with their texts.
    pub(super) fn listed(
        &self,
        row: usize,
        list: &PropertyList,
        context: &Arc<Context>,
    ) -> Vec<PropertyValue> {
        let file = self.versions.file;
        let lookup = PackageLookup::reading(self, context.clone(), row);
        let listed = list.properties.iter().map(|property| {
            let known = property.declared_type(context.scope().map(AsRef::as_ref), file, context);
            let text = display(property.value(), known.as_ref(), &lookup);
            let name = self.name_text(property.name());
            let path = match property.array_index() {
                0 => name,
                index => format!("{name}[{index}]"),
            };
            let property_type = AnyType::Classic(known.unwrap_or(PropertyType::Struct("".into())));
            let value = AnyValue::Classic(property.value().clone());
            PropertyValue { path, property_type, value, text }
        });
        listed.collect()
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

    /// As [`Package::set_property`] for a property whose class is not known: its type is stated.
    ///
    /// # Errors
    /// As [`Package::set_property`]; `Invalid` when the type contradicts the stored value or the
    /// declaration.
    pub fn add_property(
        &mut self,
        object: &str,
        property: &str,
        property_type: &PropertyType,
        text: &str,
    ) -> Result<PropertyChange> {
        if self.is_modern() {
            let known = tagged::Type::from(property_type);
            return self.change_modern(object, property, &Change::Set(text), Some(&known));
        }
        let stated = AnyType::Classic(property_type.clone());
        if let Ok(there) = self.property(object, property)
            && !there.property_type.agrees_with(&stated)
        {
            let (row, known) = (self.find_export(object)?, there.property_type);
            let reason = format!("'{property}' is stored as {known}, not as {property_type}");
            return Err(self.about(row, invalid(reason)));
        }
        // From here on this package knows of which type the elements are.
        let known = self.known.clone();
        if let PropertyType::Array(Some(_)) | PropertyType::Map(Some(_)) = property_type
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

    /// As [`Package::add_property`] with a type of UE4 and UE5.
    ///
    /// # Errors
    /// As [`Package::add_property`]; `Unsupported` in UE1 to UE3.
    pub fn add_tagged_property(
        &mut self,
        object: &str,
        property: &str,
        property_type: &tagged::Type,
        text: &str,
    ) -> Result<PropertyChange> {
        if !self.is_modern() {
            let reason = format!("'{property_type}' is a type of Unreal Engine 4 and 5");
            return Err(ErrorKind::Unsupported { reason }.into());
        }
        self.change_modern(object, property, &Change::Set(text), Some(property_type))
    }

    /// Removes a property, so that the object has its class's default again; or an element of an array.
    ///
    /// # Errors
    /// `NotFound`; `Invalid` for a part that can't go alone, and when the object is not decoded whole.
    pub fn remove_property(&mut self, object: &str, property: &str) -> Result<PropertyChange> {
        self.change_property(object, property, &Change::Remove, None)
    }

    fn change_property(
        &mut self,
        object: &str,
        property: &str,
        change: &Change<'_>,
        stated: Option<&PropertyType>,
    ) -> Result<PropertyChange> {
        if self.is_modern() {
            return self.change_modern(object, property, change, None);
        }
        let way = PathPart::parse_all(property)?;
        let row = self.find_export(object)?;
        let stated = stated.cloned();
        let found: Found = self.edit_body(row, |package, body, context| {
            let list = package.list_of(row, body)?;
            let mut lookup = PackageLookup::writing(package, context, row, stated);
            apply(list, &Scope::Object, &way, change, &mut lookup)
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

    /// The object and the way within it that a path such as `Level.Light0.Location.X` means: the longest
    /// object that there is.
    ///
    /// # Errors
    /// `NotFound` when no part of it is an object; `Invalid` when nothing is left for the property.
    pub fn split_property_path<'a>(&self, path: &'a str) -> Result<(&'a str, &'a str)> {
        let mut first = None;
        for at in splits(path) {
            // A row in brackets is part of the way.
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

/// The text that an object is.
fn text_mut(body: &mut Body) -> Option<&mut FString> {
    if native_as::<TextBuffer>(body).is_some() {
        return native_as_mut::<TextBuffer>(body).map(|buffer| &mut buffer.text);
    }
    native_as_mut::<ExtString>(body).map(|text| &mut text.text)
}
