//! The interface of every form of tags.

use super::early;
use super::tag::PropertyTag;
use crate::Archive;
use crate::archive::Context;
use crate::error::Result;
use crate::primitive::Name;
use crate::property::{Naming, Property, PropertyKind, Type, Value};
use crate::version::Versions;

/// The facts about a value that is to be loaded.
#[derive(Debug, Clone, Copy)]
pub(in crate::property) struct ToLoad<'a> {
    pub name: &'a Name,
    pub tag: &'a PropertyTag,
    /// The kind that the name of its type stands for.
    pub kind: PropertyKind,
    /// Bytes that it takes, as its tag says.
    pub size: u64,
    /// The tag holds the value of a bool.
    pub is_bool: bool,
    /// The class or struct whose property it is.
    pub scope: Option<&'a str>,
    /// The form that a document says.
    pub form: Option<i64>,
}

/// The texts that give the type of a stored property.
#[derive(Clone, Copy)]
#[doc(hidden)]
pub struct TypeTexts<'a> {
    pub versions: &'a Versions,
    pub context: &'a Context,
    /// The text of a name.
    pub text: &'a dyn Fn(Name) -> String,
}

impl std::fmt::Debug for TypeTexts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TypeTexts").finish_non_exhaustive()
    }
}

/// A form of tags.
pub(super) trait TagForm {
    /// Whether tags say as little of values as those of UE1 to UE3 do.
    const EARLY: bool = false;
    /// The size always takes four bytes, which are written when the value is.
    const PATCHED: bool = !Self::EARLY;

    /// Whether lists of these versions have such tags.
    fn is_in(versions: &Versions) -> bool;

    /// Reads, writes or visits a tag. `boolean` is the value of a bool, `size` that of the value in bytes;
    /// says where the size stands.
    fn serialize<A: Archive + ?Sized>(
        tag: &mut PropertyTag,
        boolean: &mut Option<bool>,
        size: &mut u32,
        ar: &mut A,
    ) -> Result<u64>;

    /// Loads a value; `form` becomes the form that fitted.
    fn load_value<A: Archive + ?Sized>(
        known: ToLoad<'_>,
        form: &mut u8,
        ar: &mut A,
    ) -> Result<Value> {
        match Self::EARLY {
            true => early::load_value(known, form, ar),
            false => Value::load_sized(known, None, form, ar),
        }
    }

    /// The tag of a type; `None` where it has no room for the index.
    fn of_type(
        known: &Type,
        array_index: i32,
        naming: &mut dyn Naming,
    ) -> Result<Option<PropertyTag>>;

    /// The type of a property, as its tag and what is declared say it.
    fn type_of(property: &Property, known: TypeTexts<'_>) -> Option<Type> {
        match Self::EARLY {
            true => early::type_of(property, known),
            false => Some(property.stored_type(known.text)),
        }
    }
}

/// Mounts the file of each form; the first that a version has does the work.
macro_rules! tag_forms {
    ($($file:ident: $form:ident),+ $(,)?) => {
        $(mod $file;)+

        impl PropertyTag {
            /// As [`TagForm::serialize`].
            pub fn serialize<A: Archive + ?Sized>(
                &mut self,
                boolean: &mut Option<bool>,
                size: &mut u32,
                ar: &mut A,
            ) -> Result<u64> {
                $(if $file::$form::is_in(ar.versions()) {
                    return $file::$form::serialize(self, boolean, size, ar);
                })+
                Err(tag::not_in_version(ar))
            }

            /// As [`TagForm::load_value`].
            pub fn load_value<A: Archive + ?Sized>(
                known: ToLoad<'_>,
                form: &mut u8,
                ar: &mut A,
            ) -> Result<Value> {
                $(if $file::$form::is_in(ar.versions()) {
                    return $file::$form::load_value(known, form, ar);
                })+
                Err(tag::not_in_version(ar))
            }

            /// As [`TagForm::PATCHED`], and what documents call the forms of values.
            pub fn facts(versions: &Versions) -> (bool, &'static [&'static str]) {
                $(if $file::$form::is_in(versions) {
                    let values = if $file::$form::EARLY { early::FORMS } else { load::FORMS };
                    return ($file::$form::PATCHED, values);
                })+
                (true, &[])
            }

            /// As [`TagForm::of_type`].
            pub fn of_type(
                known: &Type,
                array_index: i32,
                naming: &mut dyn Naming,
            ) -> Result<Option<Self>> {
                $(if $file::$form::is_in(naming.versions()) {
                    return $file::$form::of_type(known, array_index, naming);
                })+
                Ok(None)
            }
        }

        impl Property {
            /// As [`TagForm::type_of`].
            #[doc(hidden)]
            pub fn type_of(&self, known: TypeTexts<'_>) -> Option<Type> {
                $(if $file::$form::is_in(known.versions) {
                    return $file::$form::type_of(self, known);
                })+
                None
            }
        }
    };
}
pub(super) use tag_forms;
