//! Tagged properties: what objects hold beside their class's own data.

mod edit;
mod engine;
mod fields;
mod format;
mod kind;
mod layouts;
mod list;
pub mod mappings;
mod members;
mod mirror;
mod number;
mod path;
mod read;
mod tag;
pub mod tagged;
mod text;
pub mod unversioned;
mod value;

pub(crate) use edit::{Change, Found, Scope, apply};
pub(crate) use format::{Lookup, display};
pub use kind::PropertyType;
pub use layouts::{ClassLayout, Declared, Enumeration, FieldLayout, Layouts, StructLayout};
pub use list::{Property, PropertyList};
pub use mappings::Mappings;
pub use mirror::{DelegateValue, EnumValue, Mirror, MirrorValue, Mirrored, Pairs, Put, Slot};
pub(crate) use path::{PathPart, splits};
pub(crate) use tag::TagNames;
pub use value::Value;
