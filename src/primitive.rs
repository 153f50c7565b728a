//! The building blocks of every layout: numbers, arrays, maps, texts, GUIDs; and with the feature `unreal`
//! those of Unreal's: compact indices, strings, names, references, bulk data, flags.

pub mod array;
mod bool32;
pub mod boolean;
mod guid;
mod map;
mod number;
mod option;
mod string;
mod tree;

#[cfg(feature = "unreal")]
mod bulk;
#[cfg(feature = "unreal")]
mod engine_version;
#[cfg(feature = "unreal")]
mod flags;
#[cfg(feature = "unreal")]
mod fstring;
#[cfg(feature = "unreal")]
mod index;
#[cfg(feature = "unreal")]
mod lazy;
#[cfg(feature = "unreal")]
mod name;
#[cfg(feature = "unreal")]
mod package_index;
#[cfg(feature = "unreal")]
mod position;
#[cfg(feature = "unreal")]
mod real;
#[cfg(feature = "unreal")]
mod soft_object_path;
#[cfg(feature = "unreal")]
mod trans_array;
#[cfg(feature = "unreal")]
mod utf8_string;
#[cfg(feature = "unreal")]
mod visit;

pub use bool32::Bool32;
pub use map::Map;

#[cfg(feature = "unreal")]
pub(crate) use visit::{Visit, Visitor, way_text};
#[cfg(feature = "unreal")]
pub use {
    bulk::{BulkArray, BulkData},
    engine_version::EngineVersion,
    flags::{ExportFlags, NameFlags, ObjectFlags, PackageFlags},
    fstring::{Encoding, FString, ansi_text},
    index::Index,
    lazy::{LazyArray, LazyHeader, LazyPayload, Payload},
    name::Name,
    package_index::{ObjectRef, PackageIndex},
    position::{Announced, LongAnnounced, LongPosition, Position},
    real::Real,
    soft_object_path::{SoftObjectPath, SoftPath},
    trans_array::TransArray,
    utf8_string::Utf8String,
};

pub use crate::archive::CompactIndex;
pub use crate::version::Guid;
