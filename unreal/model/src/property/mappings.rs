//! Mappings: what unversioned packages leave out, the names and types of properties.
//!
//! A `.usmap` file lists the classes and structs of a game with their properties. [`Usmap`] is the file,
//! [`MappingData`] what it holds, [`Mappings`] the same ready to be asked.

mod codec;
mod data;
mod declared;
mod file;
#[cfg(feature = "json")]
mod jmap;
mod lookup;
mod schema;

pub use codec::Compression;
pub use data::{
    MappingData, MappingEnum, MappingExtension, MappingName, MappingProperty, MappingStruct,
    MappingValue,
};
pub use file::{MappingVersions, Usmap};
pub use lookup::Mappings;
pub use schema::SchemaType;
pub(in crate::property) use schema::{INTERFACE, Schema, Slot, WEAK_OBJECT};
