//! Properties of UE4 and UE5: tags, lists, and values of every type.
//!
//! | file | holds |
//! |---|---|
//! | `kind` | the classes of properties |
//! | `tag`, `type_name` | what stands before a value |
//! | `list` | [`Property`], [`PropertyList`] |
//! | `value` | values: arrays, sets, maps, structs; how they are loaded and what is guessed |
//! | `structure` | which structs are stored without tags, and their layouts |
//! | `text`, `reference` | texts, delegates, ways to properties |
//! | `described`, `stored`, `build` | types as people state them and as tags tell them; new values of them |
//! | `edit` | the value at a path, and what becomes of it |
//! | `format`, `read`, `text_form`, `field_names` | values as text, and from it |
//!
//! Spec: ue4-5/04.

mod build;
mod described;
mod edit;
mod field_names;
mod format;
mod kind;
mod list;
mod read;
mod reference;
mod stored;
mod structure;
mod tag;
mod text;
mod text_form;
mod type_name;
mod type_of;
mod value;

pub use build::{Naming, Place};
pub use described::{Named, Type};
pub use kind::Kind;
pub use list::{Property, PropertyList};
pub use reference::{Delegate, FieldPath};
pub use structure::Structure;
pub use tag::{Extensions, Override};
pub use text::{FormatArgument, FormatData, History, NumberFormat, NumberOptions, Text};
pub use type_name::TypeNode;
pub use value::{Elements, InstancedStruct, Map, Opaque, Set, StructArray, Value};

pub(crate) use edit::{Found, apply, apply_unversioned, apply_value};
pub(crate) use format::{Surroundings, display, indexed, zero_text};
pub(crate) use structure::{Roles, is_native};
pub(super) use type_of::TypeOf;
