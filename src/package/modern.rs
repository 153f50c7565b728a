//! What packages of UE4 and UE5 have beside names, imports, depends and thumbnails, which all engines share.

mod build;
pub(super) mod companion;
mod declaration;
mod decode;
mod layout;
mod lookup;
pub(super) mod mappings;
mod naming;
pub(super) mod new_asset;
mod open;
mod own_path;
pub(super) mod pair;
mod path_map;
mod payload;
mod property;
pub(super) mod references;
pub(super) mod rename;
pub(super) mod rename_package;
mod rename_texts;
pub(super) mod resource;
pub(super) mod retarget;
mod rows;
mod scan;
#[cfg(feature = "content")]
mod shown;
pub(super) mod thumbnail;

pub(super) use path_map::{PathMap, family};

pub use companion::{Companion, CompanionKind};
