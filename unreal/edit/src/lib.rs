//! Unreal Engine packages compared, merged, changed and made.
//!
//! | room | holds |
//! |---|---|
//! | [`compare`] | what two packages differ in |
//! | [`edit`] | [`edit::Edit`]: the one way in which a package changes |
//! | `edit_file` | files of edits: their language |
//! | [`generate`] | new packages |
//!
//! Programs depend on `unreal-packages`, which shows all of it.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// Files are opened by `file` alone (clippy.toml).
#![deny(clippy::disallowed_methods)]

pub mod compare;
pub mod edit;
#[cfg(feature = "json")]
#[cfg_attr(docsrs, doc(cfg(feature = "json")))]
pub mod edit_file;
pub mod generate;

// What stands below is named as if it stood here.
#[doc(no_inline)]
pub use unreal_code::*;
