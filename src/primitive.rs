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
mod characters;
#[cfg(feature = "unreal")]
mod engine_version;
#[cfg(feature = "unreal")]
mod flag;
#[cfg(feature = "unreal")]
mod flags;
#[cfg(feature = "unreal")]
mod fstring;
#[cfg(all(feature = "unreal", feature = "json"))]
pub(crate) mod fstring_json;
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
mod rare;
#[cfg(feature = "unreal")]
mod real;
#[cfg(feature = "unreal")]
pub(crate) mod script_flags;
#[cfg(feature = "unreal")]
mod soft_object_path;
#[cfg(feature = "unreal")]
mod stored_name;
#[cfg(feature = "unreal")]
mod trans_array;
#[cfg(feature = "unreal")]
mod utf8_string;
#[cfg(feature = "unreal")]
mod visit;
#[cfg(feature = "unreal")]
mod wide_index;

pub use bool32::Bool32;
pub use map::Map;
#[cfg(feature = "unreal")]
pub use rare::{Group, Rare};

pub use crate::archive::CompactIndex;
pub use crate::version::Guid;
#[cfg(feature = "unreal")]
pub use bulk::{BulkArray, BulkData};
#[cfg(feature = "unreal")]
pub use characters::ansi_text;
#[cfg(feature = "unreal")]
pub(crate) use characters::{ansi_byte, ansi_bytes, utf16_text};
#[cfg(feature = "unreal")]
pub use engine_version::EngineVersion;
#[cfg(feature = "unreal")]
pub use flags::{ExportFlags, NameFlags, ObjectFlags, PackageFlags};
#[cfg(feature = "unreal")]
pub use fstring::{Encoding, FString};
#[cfg(feature = "unreal")]
pub use index::Index;
#[cfg(feature = "unreal")]
pub use lazy::{LazyArray, LazyHeader, LazyPayload, Payload};
#[cfg(feature = "unreal")]
pub use name::Name;
#[cfg(feature = "unreal")]
pub use package_index::{ObjectRef, PackageIndex};
#[cfg(feature = "unreal")]
pub use position::{Announced, LongAnnounced, LongPosition, Position};
#[cfg(feature = "unreal")]
pub use real::Real;
#[cfg(feature = "unreal")]
pub use script_flags::FlagsOf;
#[cfg(feature = "unreal")]
pub use soft_object_path::{SoftObjectPath, SoftPath, split_soft_path};
#[cfg(feature = "unreal")]
pub(crate) use stored_name::AbsentNames;
#[cfg(feature = "unreal")]
pub use stored_name::StoredName;
#[cfg(feature = "unreal")]
pub use trans_array::TransArray;
#[cfg(feature = "unreal")]
pub use utf8_string::Utf8String;
#[cfg(feature = "unreal")]
pub(crate) use visit::{Visit, Visitor};
#[cfg(feature = "unreal")]
pub use wide_index::WideIndex;
