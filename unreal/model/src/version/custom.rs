//! Custom versions: the versions that engine modules and plugins keep for their own layouts.
//!
//! A package lists those that were used while it was saved; one that is not listed counts as -1. Packages
//! without versions list none: [`defaults`] says what their engine release had. Entries have a module for
//! each custom version: `custom::fortnite_main::SOFT_OBJECT_PATH_UTF8_SUB_PATHS`.
//!
//! Spec: ue4-5/07.

#[macro_use]
mod entries;
mod content;
mod defaults;
mod engine;
mod fortnite;
mod guids;
mod ue5;

pub use self::content::*;
pub use self::defaults::defaults;
pub use self::engine::*;
pub use self::fortnite::*;
pub use self::guids::*;
pub use self::ue5::*;
