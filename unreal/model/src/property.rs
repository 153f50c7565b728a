//! Properties: what objects hold beside their class's own data.
//!
//! | file | holds |
//! |---|---|
//! | `kind`, `property_type` | the classes of properties, and their types |
//! | `list`, `item`, `value` | [`PropertyList`], with tags or without; [`Property`]; [`Value`] with arrays, sets, maps and structs |
//! | `codec` | how lists are stored, one form a file |
//! | `structure`, `field_names` | which structs are stored without tags, and the names of their fields |
//! | `localized`, `reference` | texts that can be translated, delegates, paths of properties |
//! | `layouts`, `engine`, `mappings` | what classes and structs declare |
//! | `path`, `edit` | the value at a path, and what becomes of it |
//! | `text`, `members`, `number` | the written form of values |
//! | `display`, `format`, `read`, `localized_form` | values as text, and from it |
//! | `plain` | values as programs take them |
//! | `stored_type`, `build`, `blank` | types of stored values; new properties and values of a type |
//! | `mirror` | properties as fields of Rust structs |
//!
//! Spec: ue1-3/05, ue4-5/04.

mod blank;
mod build;
mod codec;
mod display;
mod edit;
mod engine;
mod field_names;
mod format;
mod item;
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
mod pin_type;
mod plain;
mod property_type;
mod read;
mod reference;
mod sample;
mod stored_type;
mod structure;
mod text;
mod time_form;
mod value;

pub use blank::Place;
pub use build::Naming;
#[doc(hidden)]
pub use codec::TypeTexts;
pub use codec::tag::{Extensions, Override};
#[cfg(feature = "json")]
#[doc(hidden)]
pub use codec::tag_words::{TagPlace, TagWords};
pub use codec::type_name::TypeNode;
pub use codec::unversioned::header::UnversionedHeader;
#[doc(hidden)]
pub use display::{described, display};
#[doc(hidden)]
pub use edit::{Change, Found, Presence, apply, apply_value};
#[doc(hidden)]
pub use engine::{EngineClasses, EngineEnum};
#[doc(hidden)]
pub use format::{ObjectPart, ObjectPlace, Surroundings, ValueForm, fields_of, with_fields};
pub use item::Property;
pub use kind::PropertyKind;
pub use knowledge::PackageContext;
#[doc(hidden)]
pub use layouts::MemberKind;
pub use layouts::{ClassLayout, Declared, Enumeration, Layouts, StructLayout};
pub use list::PropertyList;
pub use localized::{FormatArgument, FormatData, History, NumberFormat, NumberOptions, Text};
pub use mappings::Mappings;
pub use mirror::{AssignedValue, EnumValue, FieldSlot, Mirror, MirrorValue, Mirrored, Pairs};
#[doc(hidden)]
pub use number::number_of;
pub use path::equals_sign;
#[doc(hidden)]
pub use path::{BEFORE, PathPart, outside, part_text, quoted, splits, with_type};
pub use plain::PlainValue;
#[doc(hidden)]
pub use plain::{plain, plain_list, plain_property};
pub use property_type::{Named, Type};
#[doc(hidden)]
pub use sample::KnownProperty;
// Headers as Rust call it a value.
pub(crate) use reference::path_has_owner;
pub use reference::{Delegate, Delegate as DelegateValue, FieldPath};
pub use structure::Structure;
#[cfg(feature = "json")]
#[doc(hidden)]
pub use structure::has_large_world;
#[doc(hidden)]
pub use structure::{NameRole, Roles, is_native};
pub use text::quote;
#[doc(hidden)]
pub use text::{TextMember, ValueText, class_and_path};
#[doc(hidden)]
pub use value::ListOwner;
pub use value::{Elements, InstancedStruct, MapValue, Opaque, Set, StructArray, Value};
