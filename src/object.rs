//! Objects: what an export's body holds, one class a file, and the registry from class name to type.

mod body;
pub(crate) mod prefix;
mod prologue;
pub(crate) mod registry;
mod texture_format;
mod typed;

pub mod geometry;
pub mod script_object;
pub mod text;
pub mod ue1;
pub mod ue2;
pub mod ue3;
pub mod ue4;
pub mod url;

pub use crate::property::Properties;
pub use body::{Body, Facts, Maker, Native, Shape};
pub use prefix::{ComponentPrefix, StateFrame, VengeanceHeader};
pub use prologue::{Prologue, PrologueShape, SerializationControl};
pub(crate) use registry::class_links;
pub use registry::{maker_for, parent_of};
pub use texture_format::TextureFormat;
pub use typed::{TypedBody, TypedObject};
