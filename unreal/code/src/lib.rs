//! UnrealScript and Kismet as text.
//!
//! Programs depend on `unreal-packages`, which shows all of it.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// Files are opened by `file` alone (clippy.toml).
#![deny(clippy::disallowed_methods)]

pub mod compile;
pub mod decompile;
#[doc(hidden)]
pub mod language;

// What stands below is named as if it stood here.
#[doc(no_inline)]
pub use unreal_inspect::*;
