//! Properties: what objects hold beside their class's own data.
//!
//! | file | holds |
//! |---|---|
//! | `kind`, `property_type` | the classes of properties, and their types |
//! | `properties` | [`Properties`]: a list with tags or without |
//! | `list`, `value` | [`Property`], [`PropertyList`]; [`Value`] with arrays, sets, maps and structs |
//! | `codec` | how lists are stored, one form a file |
//! | `structure`, `field_names` | which structs are stored without tags, and the names of their fields |
//! | `localized`, `reference` | texts that can be translated, delegates, paths of properties |
//! | `layouts`, `engine`, `mappings` | what classes and structs declare |
//! | `path`, `edit` | the value at a path, and what becomes of it |
//! | `text`, `members`, `number` | the written form of values |
//! | `format`, `read`, `localized_form` | values as text, and from it |
//! | `stored_type`, `build`, `blank` | types of stored values; new properties and values of a type |
//! | `mirror` | properties as fields of Rust structs |
//!
//! Spec: ue1-3/05, ue4-5/04.

mod blank;
mod build;
mod codec;
mod edit;
mod engine;
mod field_names;
mod format;
mod kind;
mod knowledge;
mod layouts;
mod list;
mod localized;
mod localized_form;
pub mod mappings;
mod members;
mod mirror;
mod number;
mod path;
mod properties;
mod property_type;
mod read;
mod reference;
mod stored_type;
mod structure;
mod text;
mod value;

pub use blank::Place;
pub use build::Naming;
pub use codec::tag::{Extensions, Override};
pub use codec::type_name::TypeNode;
pub use codec::unversioned;
pub(crate) use edit::{Change, Found, apply, apply_unversioned, apply_value};
pub(crate) use format::{Surroundings, display, indexed, zero_text};
pub use kind::PropertyKind;
pub use layouts::{ClassLayout, Declared, Enumeration, FieldLayout, Layouts, StructLayout};
pub use list::{Property, PropertyList};
pub use localized::{FormatArgument, FormatData, History, NumberFormat, NumberOptions, Text};
pub use mappings::Mappings;
pub use mirror::{
    AssignedValue, DelegateValue, EnumValue, FieldSlot, Mirror, MirrorValue, Mirrored, Pairs,
};
pub(crate) use path::{PathPart, splits};
pub use properties::Properties;
pub use property_type::{Named, Type};
pub use reference::{Delegate, FieldPath};
pub use structure::Structure;
pub(crate) use structure::{Roles, is_native};
pub use value::{Elements, InstancedStruct, MapValue, Opaque, Set, StructArray, Value};
