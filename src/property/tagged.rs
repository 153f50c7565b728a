//! Properties of UE4 and UE5: tags, lists, and values of every type.
//!
//! | file | holds |
//! |---|---|
//! | `kind` | the classes of properties |
//! | `tag`, `type_name` | what stands before a value |
//! | `list` | [`Property`], [`PropertyList`] |
//! | `value`, `elements` | values, arrays, sets, maps |
//! | `structure` | structs that are stored without tags |
//! | `text`, `reference` | texts, delegates, ways to properties |
//! | `described`, `build` | stated types, and new properties and values of them |
//!
//! Spec: ue4-5/04.

mod build;
mod described;
mod element_values;
mod elements;
mod guess;
mod kind;
mod list;
mod native;
mod reference;
mod structure;
mod tag;
mod text;
mod type_name;
mod type_of;
mod value;
mod walk;

pub use build::{Naming, Place};
pub use described::{Named, Type};
pub use elements::Elements;
pub use kind::Kind;
pub use list::{Property, PropertyList};
pub use reference::{Delegate, FieldPath};
pub use structure::Structure;
pub use tag::{Extensions, Override};
pub use text::{FormatArgument, FormatData, History, NumberFormat, NumberOptions, Text};
pub use type_name::TypeNode;
pub use value::{InstancedStruct, Map, Opaque, Set, StructArray, Value};

pub(crate) use structure::Roles;
pub(super) use type_of::TypeOf;
