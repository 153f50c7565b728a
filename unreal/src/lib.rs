//! # unreal-packages
//!
//! Read, modify, re-save and generate Unreal Engine packages: open one, change it, save it.
//!
//! ```
//! use unreal_packages::generate::Builder;
//! use unreal_packages::package::SaveOptions;
//! use unreal_packages::prelude::*;
//!
//! let mut package = Package::from_bytes(Builder::new(69).export("Texts", "Core.Package", []).build()?)?;
//! package.edit(|edit| edit.rename_object("Texts", "Notes"))?;
//! let saved = package.save(&SaveOptions::new())?;
//! assert!(Package::from_bytes(saved.bytes)?.find("Notes").is_some());
//! # Ok::<(), unreal_packages::Error>(())
//! ```
//!
//! It stands on [`farchive`], whose room [`archive`] is that of this crate as well.
//!
//! | room | holds |
//! |---|---|
//! | [`error`] | what goes wrong with packages, and the one error of the framework |
//! | [`version`] | games, releases, thresholds: what versions of packages say |
//! | [`primitive`] | names, references, strings, flags, bulk data; those of the framework as well |
//! | [`property`] | tagged properties, their values and types |
//! | [`script`] | UnrealScript bytecode |
//! | [`table`] | summary, names, imports, exports and the other tables |
//! | [`object`] | the classes of objects: what their bodies hold, by engine |
//! | [`mod@file`] | files read whole, replaced as one, backed up |
//! | [`compression`] | compressed and encrypted files around packages |
//! | [`container`] | the containers around packages of UE4 and UE5 |
//! | [`related`] | save games, texts of languages |
//! | [`package`] | [`Package`]: the data; open, decode, lay out, save |
//! | [`inspect`] | values, who refers to what, explanations, payloads |
//! | [`compile`] | UnrealScript source to bytecode |
//! | [`decompile`] | classes as UnrealScript source |
//! | [`edit`] | [`edit::Edit`]: the one way in which a package changes |
//! | `edit_file` | files of edits: their language; feature `json` |
//! | [`generate`] | new packages |
//! | [`compare`] | what two packages differ in |
//! | [`environment`] | how packages find each other |
//! | `content` | textures from pixels, sounds, music, texts; feature `content` |
//! | `mesh` | meshes of every engine in one form, and as glTF; feature `content` |
//! | `make` | packages from UnrealScript; feature `make` |
//! | `scan` | folders of packages as tables; feature `scan` |

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// Files are opened by `file` alone (clippy.toml).
#![deny(clippy::disallowed_methods)]

mod layouts;

pub use unreal_code::{compile, decompile};
#[cfg(feature = "content")]
pub use unreal_content::content::{self, mesh};
#[cfg(feature = "json")]
pub use unreal_edit::edit_file;
pub use unreal_edit::{compare, edit, generate};
pub use unreal_environment::environment;
pub use unreal_inspect::inspect;
#[cfg(feature = "make")]
pub use unreal_make::make;
pub use unreal_model::{error, object, primitive, property, script, table, version};
pub use unreal_package::{compression, container, file, package, related};
#[cfg(feature = "scan")]
pub use unreal_scan::scan;

/// What programs most often need: the package and the traits that say what can be done with it.
pub mod prelude {
    #[cfg(feature = "content")]
    pub use crate::content::{
        ContentEdits, NewTextures, PackageContents, SoundEdits, TextEdits, TextureEdits,
    };
    pub use crate::edit::{EditOptions, PackageEdit};
    pub use crate::error::UnrealErrors;
    pub use crate::inspect::PackageValues;
    pub use crate::package::Package;
    pub use crate::version::{EngineFacts, UnrealVersions};
}

pub use error::{UnrealError, UnrealErrors};
#[doc(no_inline)]
pub use farchive::{self, archive};
#[doc(no_inline)]
pub use farchive::{
    Annotate, Archive, ArchiveExt, Archived, ByteOrder, CompactIndex, Counter, Described,
    Direction, Error, ErrorKind, Guid, Kind, Loader, Map, Object, References, Remap, Result, Saver,
    Span, Versions,
};
pub use layouts::{
    find_layouts, imhex_pattern, is_own_layout, kaitai_definition, layouts, near_layouts,
};
pub use package::Package;
pub use primitive::{FString, Index, Name, PackageIndex};
pub use version::{Engine, EngineFacts, EngineRelease, Game, UnrealVersions};

/// For the source that `upk headers --rust` writes.
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use serde;

/// The programs of the pages compile and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../docs/library.md")]
struct LibraryPage;

#[cfg(doctest)]
#[doc = include_str!("../../docs/tasks/programmer.md")]
struct ProgrammerPage;
