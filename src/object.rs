//! Objects: what an export's body holds, one class a file, and the registry from class name to type.

mod body;
mod prefix;
mod registry;

pub mod script_object;
pub mod text;

pub use body::{Body, Native, Shape};
pub use prefix::{ComponentPrefix, StateFrame, VengeanceHeader};
pub use registry::{native_for, parent_of};
