//! Unreal Engine packages made from UnrealScript.
//!
//! Programs depend on `unreal-packages`, which shows all of it.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// Files are opened by `file` alone (clippy.toml).
#![deny(clippy::disallowed_methods)]

pub mod make;

// What stands below is named as if it stood here.
#[doc(no_inline)]
pub use unreal_content::*;
#[doc(no_inline)]
pub use unreal_environment::environment;
