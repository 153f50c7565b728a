//! `.pak` files: entries, an index behind them, a trailer that ends the file. There is no header.
//!
//! | file | holds |
//! |---|---|
//! | `version` | [`PakVersion`]: what each version changed |
//! | `trailer` | [`PakTrailer`]: where the index stands |
//! | `entry` | [`PakEntry`]: the record of a file, before its data and in old indexes |
//! | `encoded` | [`EncodedEntry`]: its short form in new indexes |
//! | `index` | [`PakIndex`], [`PrimaryIndex`]: all files |
//! | `directory` | [`DirectoryIndex`], [`PathHashIndex`]: files by path, up to version 12 |
//! | `flat` | [`FlatDirectoryIndex`]: the same from version 13 |
//! | `tables` | all of them as they are loaded |
//! | `proof` | whether decrypted bytes prove a key |
//! | `reader` | [`Pak`]: lists, reads, checks |
//! | `writer` | [`PakWriter`]: makes new ones |
//!
//! The layouts are those of the versions of a format of its own, see [`PakVersion::versions`].
//! Spec: ue4-5/10.

mod directory;
mod encoded;
mod entry;
mod flat;
mod index;
mod path_hash;
mod proof;
mod reader;
mod tables;
mod trailer;
mod version;
mod writer;

pub use directory::{DirectoryIndex, PakDirectory, PakFileName, PathHash, PathHashIndex};
pub use encoded::{EncodedBits, EncodedEntry};
pub use entry::{PakBlock, PakEntry};
pub use flat::FlatDirectoryIndex;
pub use index::{IndexPlace, PakIndex, PakRecord, PrimaryIndex};
pub use path_hash::path_hash;
pub use reader::Pak;
pub use tables::TableCheck;
pub use trailer::PakTrailer;
pub use version::PakVersion;
pub use writer::{PakOptions, PakWriter};

pub(super) use index::rest;
