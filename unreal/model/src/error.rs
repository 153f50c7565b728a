//! The failures of packages and of the files around them; those of the framework as well.

pub mod noun;
mod other_file;
mod rule;
mod unreal;

pub use farchive::error::*;
pub use other_file::OtherFile;
pub use rule::{Refusal, Unreadable, Unsupported};
pub use unreal::{UnrealError, UnrealErrors};
