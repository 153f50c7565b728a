//! Textures, sounds, music and texts of Unreal Engine packages as files, both ways.
//!
//! Programs depend on `unreal-packages`, which shows all of it.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// Files are opened by `file` alone (clippy.toml).
#![deny(clippy::disallowed_methods)]

pub mod content;

// What stands below is named as if it stood here.
#[doc(no_inline)]
pub use unreal_edit::*;
