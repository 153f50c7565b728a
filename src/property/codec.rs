//! How lists of properties are stored: one form a file.
//!
//! | file | form |
//! |---|---|
//! | `numbered` | tags of UE1 and UE2, whose types are numbers |
//! | `named` | tags of UE3, whose types are names |
//! | `typed` | tags of UE4 and early UE5, with structs, enums and inner types |
//! | `complete` | tags from UE5 1012 on, with complete type names |
//! | `unversioned` | no tags: a header, then the values in the order of the schema |
//! | `tag`, `type_name`, `type_of` | what tags say, and the types that follow from it |
//! | `early`, `load`, `guess`, `native` | how values are loaded, and what is guessed where tags say too little |

mod complete;
pub(super) mod early;
mod guess;
mod load;
mod named;
mod native;
mod numbered;
pub(super) mod tag;
pub(super) mod type_name;
pub(super) mod type_of;
mod typed;
pub mod unversioned;

pub(super) use early::{StructForm, struct_form};
pub(super) use guess::{ElementForm, Forms};
pub(super) use load::{FORMS, NAMES, OPAQUE, struct_layout, unknown};
pub(super) use named::{ENUM_NAME_ADDED, NAMED_TYPE_ADDED};
pub(super) use native::elements as native_elements;
pub(super) use native::load as load_native;
pub(super) use tag::{COMPLETE_NAMES, Detail, FittingForm, PropertyTag};
pub(super) use type_of::TypeOf;
pub(super) use typed::{ARRAY_INNER_ADDED, SET_INNER_ADDED};

use crate::Versions;

/// Whether lists are stored as UE1 to UE3 store them.
pub(super) fn is_early(versions: &Versions) -> bool {
    versions.ue4 | versions.ue5 == 0
}
