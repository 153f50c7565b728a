//! Unreal Engine packages: open, decode, lay out, save; and the files around them.
//!
//! | room | holds |
//! |---|---|
//! | [`mod@file`] | files read whole, replaced as one, backed up |
//! | [`compression`] | compressed and encrypted files around packages |
//! | [`container`] | the containers around packages of UE4 and UE5 |
//! | [`related`] | save games, texts of languages |
//! | [`package`] | [`Package`]: the data |
//!
//! Programs depend on `unreal-packages`, which shows all of it.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// Files are opened by `file` alone (clippy.toml).
#![deny(clippy::disallowed_methods)]

pub mod compression;
pub mod container;
// The one room that opens files.
#[allow(clippy::disallowed_methods)]
pub mod file;
pub mod package;
pub mod related;

// What stands below is named as if it stood here.
pub use package::Package;
#[doc(no_inline)]
pub use unreal_model::*;
