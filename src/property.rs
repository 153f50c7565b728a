//! Tagged properties: what objects hold beside their class's own data.

mod engine;
mod kind;
mod layouts;
mod list;
pub mod mappings;
mod tag;
pub mod tagged;
pub mod unversioned;
mod value;

pub use kind::PropertyType;
pub use layouts::{FieldLayout, Layouts, StructLayout};
pub use list::{Property, PropertyList};
pub use mappings::Mappings;
pub use value::Value;
