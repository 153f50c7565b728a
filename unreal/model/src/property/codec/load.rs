//! Loading values: their type, the size that a tag says, or what is guessed where neither says enough.

use std::sync::Arc;

use super::guess::{self, ElementForm, Forms};
use super::tag_form::ToLoad;
use super::{TypeOf, native, unversioned};
use crate::archive::{Extent, Kind, Span, in_field, in_part};
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::NameContext;
use crate::property::structure::{StructStorage, Structure};
use crate::property::value::{MapValue, Opaque, Set, Value, load_array};
use crate::property::{PropertyKind, PropertyList};
use crate::version::UnrealVersions;
use crate::{Archive, ArchiveExt, Archived};

/// First UE5 version whose soft paths are rows of a table.
const SOFT_PATH_TABLE: u32 = 1008;

/// Names in documents of the forms that a tag keeps; further ones are numbers.
pub(super) const FORMS: &[&str] = &["typed", "opaque"];
/// The form of bytes that are kept as they are.
pub(super) const OPAQUE: u8 = 1;
/// The form of the first guess.
pub(super) const GUESSED: u8 = 2;
/// The form of arrays of bytes that hold names: nothing else is guessed of bytes.
pub(super) const NAMES: u8 = GUESSED;

impl Value {
    /// Loads the value of a property, in the form that is given, if one is. Bytes that do not fit are kept as
    /// they are, with the error. `native`: the tag says whether a struct is stored in a form of its own.
    ///
    /// `form` becomes the form that fitted: 0 what the type says, [`OPAQUE`] bytes, then the guesses.
    pub(super) fn load_sized<A: Archive + ?Sized>(
        ToLoad { name, tag, kind, size, form: given, .. }: ToLoad<'_>,
        native: Option<bool>,
        form: &mut u8,
        ar: &mut A,
    ) -> Result<Self> {
        let known = TypeOf::Tag { kind, detail: &tag.detail, native };
        if let Some(given) = given {
            *form = u8::try_from(given).map_err(|_| unknown(ar))?;
            return match form.checked_sub(GUESSED) {
                None if *form == OPAQUE => Self::load_opaque(size, None, ar),
                None => Self::load_first(known, kind, size, ar),
                Some(place) => {
                    let forms = guess::forms(known, kind, name, ar.context());
                    let forms = forms.get(usize::from(place)).copied();
                    Self::load(known, forms.ok_or_else(|| unknown(ar))?, ar)
                }
            };
        }
        *form = 0;
        if kind.width() == Some(size) || kind == PropertyKind::Byte && size == 8 {
            return Self::load_first(known, kind, size, ar);
        }
        let error = match Self::within(size, ar, |ar| Self::load_first(known, kind, size, ar)) {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        for (place, forms) in (GUESSED..).zip(guess::forms(known, kind, name, ar.context())) {
            let is_class = |form| matches!(form, ElementForm::Class(_));
            let is_guess = is_class(forms.0) || is_class(forms.1);
            let loaded = Self::within(size, ar, |ar| {
                let value = Self::load(known, forms, ar)?;
                match is_guess && guess::refers_outside(&value, ar.context()) {
                    true => Err(unknown(ar)),
                    false => Ok(value),
                }
            });
            if let Ok(value) = loaded {
                *form = place;
                return Ok(value);
            }
        }
        *form = OPAQUE;
        Self::load_opaque(size, Some(Arc::new(error)), ar)
    }

    /// Loads what the type says; of bytes the size, whether they are one or a name.
    fn load_first<A: Archive + ?Sized>(
        known: TypeOf<'_>,
        kind: PropertyKind,
        size: u64,
        ar: &mut A,
    ) -> Result<Self> {
        match kind {
            // The name of an enum's value: eight bytes in packages, any number where names are texts.
            PropertyKind::Byte if size > 1 => Self::load_plain(PropertyKind::Name, ar),
            kind if kind.width() == Some(size) => Self::load_plain(kind, ar),
            _ => Self::load(known, (ElementForm::Typed, ElementForm::Typed), ar),
        }
    }

    /// Bytes that are kept as they are.
    pub(super) fn load_opaque<A: Archive + ?Sized>(
        size: u64,
        error: Option<Arc<Error>>,
        ar: &mut A,
    ) -> Result<Self> {
        let mut span = Span::default();
        ar.serialize_span(&mut span, size, Kind::Opaque)?;
        if let Some(error) = &error {
            ar.note(error);
        }
        Ok(Self::Opaque(Box::new(Opaque { span, error })))
    }

    /// A value that must use up `size` bytes.
    fn within<A: Archive + ?Sized>(
        size: u64,
        ar: &mut A,
        inner: impl FnOnce(&mut A) -> Result<Self>,
    ) -> Result<Self> {
        let window = ar.open(Extent::Size(size))?;
        match inner(ar) {
            Ok(value) => ar.close(window, Ok(())).map(|()| value),
            Err(error) => ar.close(window, Err(error)).map(|()| Self::default()),
        }
    }

    /// Loads a value of a kind that always takes the same number of bytes.
    #[inline]
    fn load_plain<A: Archive + ?Sized>(kind: PropertyKind, ar: &mut A) -> Result<Self> {
        let Some(mut value) = Self::zero(kind) else {
            return Err(ar.error(ErrorKind::NonCanonical { form: "a value of unknown type" }));
        };
        value.serialize(ar)?;
        Ok(value)
    }

    /// Loads a value of this type.
    pub(in crate::property) fn load<A: Archive + ?Sized>(
        known: TypeOf<'_>,
        forms: Forms,
        ar: &mut A,
    ) -> Result<Self> {
        let kind = known.kind(ar.context());
        if kind == PropertyKind::Enum
            && let Some(number) = known.number()
        {
            return Self::load_plain(number, ar);
        }
        match kind {
            PropertyKind::Byte
                if forms.0 == ElementForm::Names || known.is_enum() == Some(true) =>
            {
                Self::load_plain(PropertyKind::Name, ar)
            }
            PropertyKind::SoftObject => {
                let mut value = soft_path(ar);
                value.serialize(ar)?;
                Ok(value)
            }
            PropertyKind::Optional
            | PropertyKind::Struct
            | PropertyKind::Array
            | PropertyKind::Set
            | PropertyKind::Map => ar.nested(|ar| match kind {
                PropertyKind::Optional => Self::load_optional(known, ar),
                PropertyKind::Struct => Self::load_struct(known, forms.0, ar),
                PropertyKind::Array => load_array(known, forms, ar),
                PropertyKind::Set => Set::load(known, forms, ar),
                _ => MapValue::load(known, forms, ar),
            }),
            plain => Self::load_plain(plain, ar),
        }
    }

    /// Loads a value whose type says all.
    pub(in crate::property) fn load_typed<A: Archive + ?Sized>(
        known: TypeOf<'_>,
        ar: &mut A,
    ) -> Result<Self> {
        Self::load(known, (ElementForm::Typed, ElementForm::Typed), ar)
    }

    #[inline(never)]
    fn load_optional<A: Archive + ?Sized>(known: TypeOf<'_>, ar: &mut A) -> Result<Self> {
        let mut present = false;
        in_field("present", ar, |ar| present.serialize(ar))?;
        if !present {
            return Ok(Self::Optional(Box::new(None)));
        }
        let inner = known.inner(0, ar.context()).ok_or_else(|| unknown(ar))?;
        let value = in_part("value", ar, |ar| Self::load_typed(inner, ar))?;
        Ok(Self::Optional(Box::new(Some(value))))
    }

    #[inline(never)]
    fn load_struct<A: Archive + ?Sized>(
        known: TypeOf<'_>,
        form: ElementForm,
        ar: &mut A,
    ) -> Result<Self> {
        match struct_layout(known, form, ar) {
            StructStorage::Tagged if form == ElementForm::Odd => Err(unknown(ar)),
            StructStorage::Tagged => match known.schema() {
                Some((schema, mappings)) => {
                    unversioned::load_struct(schema, mappings, ar).map(Self::List)
                }
                None if known.native() == Some(true) && form == ElementForm::Typed => {
                    let form = "a struct that is stored in a form of its own";
                    Err(ar.error(ErrorKind::NonCanonical { form }))
                }
                None => {
                    let mut list = PropertyList::default();
                    list.serialize(ar)?;
                    Ok(Self::List(list))
                }
            },
            layout => native::load(layout, form == ElementForm::Odd, ar),
        }
    }
}

/// How structs of this type are stored.
pub(in crate::property) fn struct_layout<A: Archive + ?Sized>(
    known: TypeOf<'_>,
    form: ElementForm,
    ar: &A,
) -> StructStorage {
    let structure = match form {
        ElementForm::Tagged => Structure::OTHER,
        ElementForm::As(structure) => structure,
        // The tag says that there is a list.
        _ if known.native() == Some(false) => Structure::OTHER,
        _ => known.structure(ar.context()).unwrap_or_default(),
    };
    structure.layout(ar.versions())
}

pub(super) fn soft_path<A: Archive + ?Sized>(ar: &A) -> Value {
    if ar.versions().ue5() >= SOFT_PATH_TABLE && !ar.context().soft_object_paths().is_empty() {
        Value::SoftObjectIndex(0)
    } else {
        Value::SoftObject(Box::default())
    }
}

#[cold]
pub(in crate::property) fn unknown<A: Archive + ?Sized>(ar: &A) -> Error {
    ar.error(ErrorKind::NonCanonical { form: "elements of unknown type" })
}
