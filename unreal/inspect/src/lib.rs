//! Looking at Unreal Engine packages: values, who refers to what, explanations, payloads.
//!
//! Programs depend on `unreal-packages`, which shows all of it.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// Files are opened by `file` alone (clippy.toml).
#![deny(clippy::disallowed_methods)]

pub mod inspect;

#[doc(no_inline)]
pub use farchive::{
    Annotate, Archive, ArchiveExt, Archived, ByteOrder, CompactIndex, Counter, Described,
    Direction, Engine, EngineRelease, Error, ErrorKind, Game, Guid, Kind, Loader, Map, Object,
    References, Remap, Result, Saver, Span, Versions, archive, error, version,
};
#[doc(no_inline)]
pub use unreal_package::{
    FString, Index, Name, Package, PackageIndex, compression, container, file, object, package,
    primitive, property, related, script, table,
};
