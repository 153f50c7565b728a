//! Objects: what an export's body holds, one class a file, and the registry from class name to type.

mod body;
mod expression_class;
mod game;
mod optional;
#[doc(hidden)]
pub mod prefix;
mod prologue;
#[doc(hidden)]
pub mod registry;
mod texture_format;
mod typed;
mod zeros;

pub mod script_object;
pub mod ue1;
pub mod ue2;
pub mod ue3;
pub mod ue4;

#[doc(hidden)]
pub use body::TAIL;
pub use body::{Body, Facts, Maker, Native, Shape};
pub use prefix::{ComponentPrefix, StateFrame, VengeanceHeader};
pub use prologue::{Prologue, PrologueShape, SerializationControl};
#[doc(hidden)]
pub use registry::class_links;
pub use registry::{maker_for, parent_of};
pub use texture_format::TextureFormat;
pub use typed::{TypedBody, TypedObject};
pub use zeros::Zeros;

use registry::classes;

classes! {
    pub mod geometry {}
    pub mod text {
        "TextBuffer" => TextBuffer;
        "MetaData" => MetaData;
        "ObjectRedirector" => ObjectRedirector;
    }
    pub mod url {}
}
