//! Properties of objects: looking, setting, adding, removing.

use crate::inspect::values::names_row;
use std::sync::Arc;

use super::Edit;
use super::naming::AsNeeded;
use crate::error::{Error, ErrorKind, Result};
use crate::inspect::meaning::ObjectLookup;
use crate::inspect::table_rows as rows;
use crate::inspect::{PackageValues, ReferenceTexts};
use crate::object::Body;
use crate::object::text::TextBuffer;
use crate::object::ue1::ExtString;
use crate::package::decode::{native_as, native_as_mut};
use crate::primitive::{Encoding, FString, PackageIndex};
use crate::property::{Change, Found, PathPart, Type, apply, quote, with_type};
use crate::version::EngineFacts;

/// The change of a property by one call: its value before and now.
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

impl PropertyChange {
    /// The path of the value in the package: `Light1.Tag`, `DT[Sword].Damage`.
    pub fn path(&self) -> String {
        let Self { object, property, .. } = self;
        match property.starts_with('[') {
            true => format!("{object}{property}"),
            false => format!("{object}.{property}"),
        }
    }
}

impl Edit {
    /// Sets a property, or an element or field of one, to what `text` says; one that is not stored is
    /// added if a class that is known declares it, or if others of its kind store it; else the path may
    /// state its type: `Prop:int`. Names and imports that are needed are added.
    ///
    /// | type | text |
    /// |---|---|
    /// | int, byte, float, bool | `7`, `0x1F`, `1.5`, `true` |
    /// | byte with an enum | `LT_Steady`, or its number |
    /// | string, name | `Hello`, `"two\nlines"`; in quotes what begins with one, has line breaks, or blanks at its ends: [`Edit::set_property_text`] takes any characters as they are |
    /// | object | `Skins.Blue`, `Texture'Skins.Blue'`, `None`; to import one, with the path of its class: `Engine.Texture'Botpack.Skins.Blue'` |
    /// | struct | `(X=1,Y=2)`: fields that are not named stay; or `(1,2,3)` with all of them |
    /// | array | `(1,2,3)`; `Array[n]` sets one element, `Array[+]` adds one behind the last, `Array[n]^` inserts one before |
    ///
    /// And in UE4 and UE5:
    ///
    /// | type | text |
    /// |---|---|
    /// | enum | `EMode::Fast`, `Fast` |
    /// | soft path | `/Game/Folder/Asset.Asset:Sub` |
    /// | object | `Map.PersistentLevel.Lamp_3`; to import one: `/Script/Engine.Texture2D'/Game/T.T'` |
    /// | text | `Hello` keeps namespace and key; `NSLOCTEXT("ns","key","Hello")`, `INVTEXT("Hello")`, `LOCTABLE("table","key")` |
    /// | map | `((KEY,VALUE),(KEY,VALUE))` or `(KEY=VALUE,KEY=VALUE)`; `Map[KEY]` sets the value of one key, or adds it |
    /// | optional value | `()` or `None`, `(VALUE)` or the value alone |
    /// | struct with its type | `(Struct=ScriptStruct'/Script/Game.Row',Value=(A=1))`, or the fields alone |
    /// | point or span of time | `2024-05-01T12:00:00`, `1.02:30:00`, or ticks |
    /// | row of a table | `[Row]` is `(Field=VALUE)`, `[Row].Field` one value of it; a row that is not there is added |
    ///
    /// # Errors
    /// `NotFound` for an object or declaration that is not there; `Invalid` when the text does not fit
    /// the type, when nothing says the type of a property that is not stored
    /// ([`Edit::add_property`] gives it), and when the object is not decoded whole.
    pub fn set_property(
        &mut self,
        object: &str,
        property: &str,
        text: &str,
    ) -> Result<PropertyChange> {
        match with_type(property) {
            (bare, Some(given)) => self.add_property(object, bare, &given, text),
            _ => self.change_property(object, property, &Change::Set(text), None),
        }
    }

    /// Sets a property that is a text, a string or a name to exactly these characters: quotes, backslashes and
    /// blanks at the ends mean themselves, which in [`Edit::set_property`] they do not.
    ///
    /// It is the text that [`quote`](crate::property::quote) puts in quotes.
    ///
    /// # Errors
    /// As [`Edit::set_property`].
    pub fn set_property_text(
        &mut self,
        object: &str,
        property: &str,
        text: &str,
    ) -> Result<PropertyChange> {
        self.set_property(object, property, &quote(text))
    }

    /// As [`Edit::set_property`] for a property whose class is not known: its type is given.
    ///
    /// # Errors
    /// As [`Edit::set_property`]; `Invalid` when the type contradicts the stored value or the
    /// declaration; `Unsupported` for a type that the package's engine does not have.
    pub fn add_property(
        &mut self,
        object: &str,
        property: &str,
        property_type: &Type,
        text: &str,
    ) -> Result<PropertyChange> {
        if let Ok(there) =
            self.find_export(object).and_then(|row| self.values().stored_property(row, property))
            && !there.property_type.agrees_with(property_type)
        {
            let (row, known) = (self.find_export(object)?, there.property_type);
            let reason = format!("'{property}' is stored as {known}, not as {property_type}");
            return Err(self.values().about(row, Error::invalid(reason)));
        }
        // From here on this package knows of which type the elements are, where tags don't say it.
        let mut known = None;
        if !property_type.inner().is_empty()
            && !self.versions().has_types_of_elements()
            && let Some(name) = property.split(['.', '[']).next()
        {
            let layouts = self.whole().parts_mut().known;
            known = Some(layouts.clone());
            Arc::make_mut(layouts).declare(name, property_type.clone());
        }
        let done = self.change_property(object, property, &Change::Set(text), Some(property_type));
        if let (Err(_), Some(known)) = (&done, known) {
            *self.whole().parts_mut().known = known;
        }
        done
    }

    /// As [`Edit::set_property`]; a property of unknown type is added with this one.
    ///
    /// # Errors
    /// As [`Edit::add_property`].
    pub fn add_property_or(
        &mut self,
        object: &str,
        property: &str,
        default: &Type,
        text: &str,
    ) -> Result<PropertyChange> {
        match with_type(property) {
            (bare, Some(given)) => self.add_property(object, bare, &given, text),
            _ => self.add_property(object, property, default, text),
        }
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
        given: Option<&Type>,
    ) -> Result<PropertyChange> {
        let mut path = PathPart::parse_all(property)?;
        if let (Some(last), Some(given)) = (path.last_mut(), given) {
            last.given = Some(given.clone());
        }
        let row = self.find_export(object)?;
        let found: Found = self.edit_body(row, |package, body, context| {
            if names_row(&path) {
                let mut package = AsNeeded(package);
                let mut lookup = ObjectLookup::writing(&mut package, context, row);
                return rows::apply(body, &path, change, &mut lookup);
            }
            let list = package.values().list_of(row, body)?;
            let mut package = AsNeeded(package);
            let mut lookup = ObjectLookup::writing(&mut package, context, row);
            apply(list, None, &path, change, &mut lookup)
        })?;
        Ok(PropertyChange {
            object: self.path(PackageIndex::export(row)),
            // Where an element was put is known now.
            property: match found.element {
                Some(at) => {
                    let bare = property.trim_end_matches('^');
                    let end = bare.rfind('[').unwrap_or(bare.len());
                    format!("{}[{at}]", &bare[..end])
                }
                None => property.to_owned(),
            },
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
                .ok_or_else(|| Error::invalid(format!("it is a {class}, not a text buffer")))?;
            if text.contains('\0') {
                return Err(ErrorKind::BadText { reason: "a text can't contain a zero" }.into());
            }
            let narrow = held.encoding() == Encoding::Ansi && !text.is_empty();
            *held = narrow
                .then(|| FString::ansi(text))
                .flatten()
                .unwrap_or_else(|| package.string(text));
            Ok(())
        })
    }
}

/// The text that an object is.
fn text_mut(body: &mut Body) -> Option<&mut FString> {
    if native_as::<TextBuffer>(body).is_some() {
        return native_as_mut::<TextBuffer>(body).map(|buffer| &mut buffer.text);
    }
    native_as_mut::<ExtString>(body).map(|text| &mut text.text)
}
