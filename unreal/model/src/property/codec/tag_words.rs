//! Tags in the words of a document: a type as text instead of the fields of one form of tags.

use std::sync::Arc;

use serde_json::Value as Json;

use super::TypeOf;
use super::guess::{self, ElementForm, Forms};
use super::load::GUESSED;
use super::tag::{FittingForm, PropertyTag};
use crate::archive::{Context, JsonLoader, JsonSaver, JsonTexts};
use crate::error::Result;
use crate::primitive::{Name, NameContext};
use crate::property::structure::{Structure, is_native};
use crate::property::{Naming, Property, PropertyKind, Type, TypeTexts, Value};
use crate::version::Versions;

/// The words of a tag, the same for each form of tags.
#[derive(Debug, Clone, PartialEq)]
#[doc(hidden)]
pub struct TagWords {
    /// The type; of a list whose elements the tag does not name, only that it is one.
    pub known: Type,
    /// Element of a static array.
    pub index: i32,
    /// The value of a bool.
    pub boolean: Option<bool>,
    /// Bytes of the value: loading asks it of few types, saving makes it anew.
    pub size: u32,
}

/// The package around a tag that is put into words.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct TagPlace<'a> {
    pub versions: &'a Versions,
    pub context: &'a Arc<Context>,
    pub texts: &'a dyn JsonTexts,
}

impl std::fmt::Debug for TagPlace<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TagPlace").finish_non_exhaustive()
    }
}

impl TagWords {
    /// The words of a tag from its JSON; `None` for one that these versions lack.
    pub fn of_json(tag: &Json, place: TagPlace<'_>) -> Option<Self> {
        const LONG: u64 = 1 << 16;
        let known = (place.versions.clone(), place.context.clone());
        let mut loader = JsonLoader::new(tag, known, place.texts, 0, LONG);
        let (mut tag, mut boolean, mut size) = (PropertyTag::default(), None, 0);
        let read = tag.serialize(&mut boolean, &mut size, &mut loader).map(drop);
        loader.finish(read).ok()?;
        tag.form = FittingForm::default();
        let (index, early) = (tag.array_index, super::is_early(place.versions));
        let property = Property::tagged(Name::default(), tag, Value::Zero);
        let text = |name: Name| place.context.name_text(&name).unwrap_or_default();
        let known = property.type_of(TypeTexts {
            versions: place.versions,
            context: place.context,
            text: &text,
        })?;
        // The name of the property would be needed to say more.
        let known = match known.kind() {
            kind @ (PropertyKind::Array | PropertyKind::Map) if early => Type::new(kind),
            _ => known,
        };
        Some(Self { known, index, boolean, size })
    }

    /// The number of the form in which a container holds what the type says, where its tag does not say it:
    /// structs of sets and maps, in early packages those of arrays, and enums of bytes. `None` for the usual form.
    pub fn form(&self, name: &str, tag: &Json, place: TagPlace<'_>) -> Option<u8> {
        const LONG: u64 = 1 << 16;
        let known = (place.versions.clone(), place.context.clone());
        let mut loader = JsonLoader::new(tag, known, place.texts, 0, LONG);
        let (mut tag, mut boolean, mut size) = (PropertyTag::default(), None, 0);
        let read = tag.serialize(&mut boolean, &mut size, &mut loader).map(drop);
        loader.finish(read).ok()?;
        let of = TypeOf::Tag { kind: self.known.kind(), detail: &tag.detail, native: None };
        let (first, second) = (self.known.inner().first(), self.known.inner().get(1));
        let fits = |forms: &Forms| {
            is_meant(forms.0, first, place.versions) && is_meant(forms.1, second, place.versions)
        };
        if fits(&(ElementForm::Typed, ElementForm::Typed)) {
            return None;
        }
        let forms = guess::forms_of(of, self.known.kind(), name, place.context);
        u8::try_from(forms.iter().position(fits)?).ok()?.checked_add(GUESSED)
    }

    /// The JSON of the tag that the type has in these versions; what it names is asked of `naming`.
    ///
    /// # Errors
    /// `Invalid` for a type that leaves out what its tag needs, and for an element that a tag has no room for;
    /// `Unsupported` for a type that the versions lack; as [`Naming`].
    pub fn to_json(&self, place: TagPlace<'_>, naming: &mut dyn Naming) -> Result<Json> {
        let Some(mut tag) = PropertyTag::of_type(&self.known, self.index, naming)? else {
            let reason = format!("{} can't be stored as element {}", self.known, self.index);
            return Err(crate::Error::invalid(reason));
        };
        let mut saver =
            JsonSaver::new(place.versions.clone(), place.context.clone(), place.texts, 0);
        let (mut boolean, mut size) = (self.boolean, self.size);
        tag.serialize(&mut boolean, &mut size, &mut saver)?;
        Ok(saver.into_value())
    }
}

/// Whether a container in this form holds what a type says.
fn is_meant(form: ElementForm, wanted: Option<&Type>, versions: &Versions) -> bool {
    match wanted {
        Some(wanted) if wanted.kind() == PropertyKind::Struct => {
            match is_native(wanted.type_name(), versions) {
                true => form == ElementForm::As(Structure::of_name(wanted.type_name())),
                false => matches!(form, ElementForm::Typed | ElementForm::Tagged),
            }
        }
        Some(wanted) if wanted.kind() == PropertyKind::Byte && wanted.name().is_some() => {
            form == ElementForm::Names
        }
        _ => form == ElementForm::Typed,
    }
}
