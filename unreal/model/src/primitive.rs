//! The building blocks of Unreal's layouts: compact indices, strings, names, references, bulk data, flags; and those of
//! the framework.

mod bulk;
mod characters;
mod context;
mod engine_version;
mod flag;
mod flags;
mod fstring;
#[cfg(feature = "json")]
#[doc(hidden)]
pub mod fstring_json;
mod index;
mod lazy;
mod name;
mod package_index;
mod position;
mod rare;
mod real;
pub(crate) mod script_flags;
mod soft_object_path;
mod stored_name;
mod trans_array;
mod utf8_string;
mod visit;
mod way;
mod wide_index;

pub use rare::{Group, Rare};

pub use bulk::{BulkArray, BulkData};
pub use characters::ansi_text;
#[doc(hidden)]
pub use characters::{ansi_byte, ansi_bytes, utf16_text};
pub use context::NameContext;
pub use engine_version::EngineVersion;
pub use farchive::primitive::{Bool32, CompactIndex, Guid, Map, array, boolean};
pub use flags::{ExportFlags, NameFlags, ObjectFlags, PackageFlags};
pub use fstring::{Encoding, FString};
pub use index::Index;
pub use lazy::{LazyArray, LazyHeader, LazyPayload, Payload};
pub use name::Name;
pub use package_index::{NameReferences, NameRemap, ObjectRef, PackageIndex};
pub use position::{Announced, LongAnnounced, LongPosition, Position};
pub use real::Real;
pub use script_flags::FlagsOf;
pub use soft_object_path::{SoftObjectPath, SoftPath, split_soft_path};
#[doc(hidden)]
pub use stored_name::AbsentNames;
pub use stored_name::StoredName;
pub use trans_array::TransArray;
pub use utf8_string::Utf8String;
#[doc(hidden)]
pub use visit::{Visit, Visitor};
#[doc(hidden)]
pub use way::Way;
pub use wide_index::WideIndex;
