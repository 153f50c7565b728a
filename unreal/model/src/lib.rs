//! The layouts of Unreal Engine packages, for every version from Unreal 1 on.
//!
//! | room | holds |
//! |---|---|
//! | [`error`] | what goes wrong with packages |
//! | [`version`] | games, releases, thresholds: what versions of packages say |
//! | [`primitive`] | names, references, strings, flags, bulk data; those of the framework as well |
//! | [`table`] | summary, names, imports, exports and the other tables |
//! | [`property`] | tagged properties, their values and types |
//! | [`script`] | bytecode |
//! | [`object`] | the classes of objects: what their bodies hold, by engine |
//!
//! Programs depend on `unreal-packages`, which shows all of it.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// Files are opened by `file` alone (clippy.toml).
#![deny(clippy::disallowed_methods)]

pub mod error;
#[doc(hidden)]
pub mod guard;
pub mod object;
pub mod primitive;
pub mod property;
pub mod script;
pub mod table;
pub mod version;

pub use error::{UnrealError, UnrealErrors};
#[doc(no_inline)]
pub use farchive::{
    Annotate, Archive, ArchiveExt, Archived, ByteOrder, CompactIndex, Counter, Described,
    Direction, Error, ErrorKind, Guid, Kind, Loader, Map, Object, References, Remap, Result, Saver,
    Span, Versions, archive,
};
pub use primitive::{FString, Index, Name, PackageIndex};
pub use version::{Engine, EngineFacts, EngineRelease, Game, UnrealVersions};
