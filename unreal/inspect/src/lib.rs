//! Looking at Unreal Engine packages: values, who refers to what, explanations, payloads.
//!
//! Programs depend on `unreal-packages`, which shows all of it.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
// Files are opened by `file` alone (clippy.toml).
#![deny(clippy::disallowed_methods)]

pub mod inspect;

// What stands below is named as if it stood here.
#[doc(no_inline)]
pub use unreal_package::*;
