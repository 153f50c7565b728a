//! How lists of properties are stored: one form a file.
//!
//! | file | form |
//! |---|---|
//! | `tagged` | lists with tags, in the forms that are listed below |
//! | `unversioned` | no tags: a header, then the values in the order of the schema |
//! | `tag`, `tag_form` | what tags say, and what every form of them has |
//! | `tag_words` | tags in the words of a document |
//! | `type_name`, `type_of` | the types that follow from tags |
//! | `early`, `load`, `guess`, `native` | how values are loaded, and what is guessed where tags say too little |

mod class_name;
mod early;
mod guess;
mod load;
mod native;
pub(super) mod tag;
mod tag_form;
#[cfg(feature = "json")]
pub(super) mod tag_words;
pub(super) mod tagged;
pub(super) mod type_name;
pub(super) mod type_of;
pub mod unversioned;

pub(super) use early::{StructForm, is_early, struct_form};
pub(super) use guess::{ElementForm, Forms};
pub(super) use load::{struct_layout, unknown};
pub(super) use named::{ENUM_VALUE_NAMED, NAMED_TYPE_ADDED};
pub(super) use native::elements as native_elements;
pub(super) use native::load as load_native;
pub(super) use numbered::delegate_or_string;
pub(super) use tag::{Detail, PropertyTag};
#[doc(hidden)]
pub use tag_form::TypeTexts;
pub(super) use type_of::TypeOf;

use load::{NAMES, OPAQUE};
use tag_form::{TagForm, ToLoad, tag_forms};

use super::{Naming, Property, Type, Value};
use crate::error::Result;
use crate::{Archive, Versions};

// The first form that a version has does the work: a game's own stands before the engine's.
tag_forms! {
    numbered: NumberedTag, // UE1 and UE2
    named: NamedTag,       // UE3
    typed: TypedTag,       // UE4 and early UE5
    complete: CompleteTag, // from UE5 1012 on
}
