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
//! | [`error`], [`version`] | [`Error`], [`Versions`], named thresholds, [`Game`] |
//! | [`archive`] | the traits and the archives |
//! | [`primitive`] | numbers, compact indices, strings, names, references, arrays, flags |

// What the feature adds can be linked to only where it is there.
#![cfg_attr(
    feature = "unreal",
    doc = "| [`property`] | tagged properties, their values and types |
| [`script`] | UnrealScript bytecode |
| [`table`] | summary, names, imports, exports and the other tables |
| [`object`] | the classes of objects: what their bodies hold, by engine |
| [`mod@file`] | files read whole, replaced as one, backed up |
| [`compression`] | compressed and encrypted files around packages |
| [`container`] | the containers around packages of UE4 and UE5 |
| [`related`] | save games, texts of languages |
| [`package`] | [`Package`]: the data; open, decode, lay out, save |
| [`inspect`] | values, who refers to what, explanations, payloads |
| [`decompile`] | classes as UnrealScript source |
| [`edit`] | [`edit::Edit`]: the one way in which a package changes |
| [`generate`] | new packages |
| [`compare`] | what two packages differ in |
| [`environment`] | how packages find each other |
| `content` | textures from pixels, sounds, music, texts; feature `content` |
| `scan` | folders of packages as tables; feature `scan` |

Read, modify, re-save and generate Unreal Engine packages: open one, change it, save it.

```
use farchive::Package;
use farchive::generate::Builder;
use farchive::package::SaveOptions;

let mut package = Package::from_bytes(Builder::new(69).export(\"Texts\", \"Core.Package\", []).build()?)?;
package.edit(|edit| edit.rename_object(\"Texts\", \"Notes\"))?;
let saved = package.save(&SaveOptions::new())?;
assert!(Package::from_bytes(saved.bytes)?.find(\"Notes\").is_some());
# Ok::<(), farchive::Error>(())
```"
)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// Files are opened by `file` alone (clippy.toml).
#![deny(clippy::disallowed_methods)]

// The derive names the crate from outside; within the crate that name must work as well.
extern crate self as farchive;

pub mod archive;
#[cfg(feature = "unreal")]
pub mod compare;
#[cfg(feature = "unreal")]
pub mod compression;
#[cfg(feature = "unreal")]
pub mod container;
#[cfg(feature = "content")]
pub mod content;
#[cfg(feature = "unreal")]
pub mod decompile;
#[cfg(feature = "unreal")]
pub mod edit;
#[cfg(feature = "unreal")]
pub mod environment;
pub mod error;
// The one room that opens files.
#[cfg(feature = "unreal")]
#[allow(clippy::disallowed_methods)]
pub mod file;
#[cfg(feature = "unreal")]
pub mod generate;
#[cfg(any(feature = "compression", feature = "container", feature = "usmap-codecs"))]
mod guard;
#[cfg(feature = "unreal")]
pub mod inspect;
#[cfg(feature = "unreal")]
mod layouts;
#[cfg(feature = "unreal")]
pub mod object;
#[cfg(feature = "unreal")]
pub mod package;
pub mod primitive;
#[cfg(feature = "unreal")]
pub mod property;
#[cfg(feature = "unreal")]
pub mod related;
#[cfg(feature = "scan")]
pub mod scan;
#[cfg(feature = "unreal")]
pub mod script;
#[cfg(feature = "unreal")]
pub mod table;
pub mod version;

pub use archive::{
    Annotate, Archive, ArchiveExt, Archived, Counter, Direction, Kind, Loader, Object, References,
    Remap, Saver, Span,
};
pub use error::{Error, ErrorKind, Result};
pub use farchive_derive::{Archived, Described};
#[cfg(feature = "unreal")]
pub use layouts::{find_layouts, layouts, near_layouts};
#[cfg(feature = "unreal")]
pub use package::Package;
pub use primitive::{CompactIndex, Guid, Map};
#[cfg(feature = "unreal")]
pub use primitive::{FString, Index, Name, PackageIndex};
pub use version::{ByteOrder, Engine, EngineRelease, Game, Versions};

/// For the source that `upk headers --rust` writes.
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use serde;

/// The programs of the pages compile and run.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct LibraryPage;
