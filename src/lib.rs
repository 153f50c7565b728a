//! # farchive
//!
//! A type has **one** function, [`Archived::serialize`], which the derive writes; the [`Archive`] that is passed to
//! it decides whether the value is read, written, measured, visited, renumbered or explained. Attributes say which
//! fields a version has.
//!
//! ```
//! use farchive::{Archived, Loader, Saver, Versions};
//!
//! #[derive(Archived, Debug, Default, PartialEq)]
//! #[archive(magic = b"SAVE")]
//! struct Save {
//!     level: u32,
//!     #[since(2)]
//!     coins: u16,
//! }
//!
//! let mut saver = Saver::new(Versions::own(2));
//! let mut save = Save { level: 7, coins: 99 };
//! save.serialize(&mut saver)?;
//! assert_eq!(saver.bytes(), b"SAVE\x07\0\0\0\x63\0");
//!
//! let mut old = Save::default();
//! old.serialize(&mut Loader::new(b"SAVE\x07\0\0\0", Versions::own(1)))?;
//! assert_eq!(old, Save { level: 7, coins: 0 });
//! # Ok::<(), farchive::Error>(())
//! ```
//!
//! | room | holds |
//! |---|---|
//! | [`error`] | [`Error`]: what went wrong, where, in which version |
//! | [`version`] | [`Versions`]: what decides a layout, on the axes of a [`Format`](version::Format) |
//! | [`archive`] | the traits and the archives; [layouts as data](archive::layout) |
//! | [`primitive`] | numbers, arrays, maps, texts, GUIDs |
//! | [`with`] | other forms of them, for a field: counts, texts, bytes |
//!
//! Unreal's packages stand above it, in the crate `unreal-packages`.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// Files are none of its business (clippy.toml).
#![deny(clippy::disallowed_methods)]

// The derive names the crate from outside; within the crate that name must work as well.
extern crate self as farchive;

pub mod archive;
mod entry;
pub mod error;
pub mod primitive;
#[cfg(feature = "testing")]
pub mod testing;
pub mod version;
pub mod with;

pub use archive::{
    Annotate, Archive, ArchiveExt, Archived, Counter, Direction, Kind, Lend, Loader, Object,
    ReadLoader, References, Remap, Saver, Span, WriteSaver,
};
pub use entry::{Explained, explain, from_bytes, from_reader, size, to_bytes, to_writer};
#[cfg(feature = "json")]
pub use entry::{from_json, from_json_value, to_json, to_json_value};
pub use error::{Error, ErrorKind, Result};
pub use farchive_derive::{Archived, Described};
pub use primitive::{CompactIndex, Guid, Map};
pub use version::{ByteOrder, Versions};

/// The program of the page runs.
#[cfg(doctest)]
#[doc = include_str!("README.md")]
struct Readme;
