//! The building blocks of every layout: numbers, compact indices, strings, names, references, arrays.

pub mod array;
mod bool32;
pub mod boolean;
mod bulk;
mod compact;
mod engine_version;
mod flags;
mod fstring;
mod guid;
mod index;
mod lazy;
mod map;
mod name;
mod number;
mod package_index;
mod position;
mod rare;
mod real;
mod soft_object_path;
mod trans_array;
mod utf8_string;
mod wide_index;

pub use bool32::Bool32;
pub use bulk::{BulkArray, BulkData};
pub use compact::CompactIndex;
pub use engine_version::EngineVersion;
pub use flags::{ExportFlags, NameFlags, ObjectFlags, PackageFlags};
pub use fstring::{Encoding, FString, ansi_text};
pub use guid::Guid;
pub use index::Index;
pub use lazy::{LazyArray, LazyHeader, LazyPayload, Payload};
pub use map::Map;
pub use name::Name;
pub use package_index::{ObjectRef, PackageIndex};
pub use position::{Announced, LongAnnounced, LongPosition, Position};
pub use rare::{Group, Rare};
pub use real::Real;

pub use soft_object_path::{SoftObjectPath, SoftPath};
pub use trans_array::TransArray;
pub use utf8_string::Utf8String;
pub use wide_index::WideIndex;
