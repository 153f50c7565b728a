//! The editor: the one way in which a package changes.
//!
//! [`Package::edit`](crate::Package::edit) is a session: any number of changes, each noted so that it can be taken
//! back, then one layout and one proof.

mod add;
mod blueprint;
mod body;
mod chain;
mod checks;
mod code;
mod commit;
mod conform;
mod conformance;
mod convert;
mod copy;
mod custom_versions;
mod data_resource;
mod duplicate;
mod flags;
mod guid;
mod import;
mod level;
mod links;
mod listing;
mod move_object;
mod name;
mod naming;
mod new_properties;
mod object;
mod preload;
mod proof;
mod property;
mod prune;
mod refusal;
mod remove;
mod rename;
mod rename_package;
mod renaming;
mod renumber;
mod restore;
mod retarget;
mod rows;
mod session;
mod soft_packages;
mod table_row;
mod template;
mod thumbnail;
mod typed;
mod undo_log;
mod unique;
mod unneeded;

pub use code::ScriptTextChange;
pub use conform::Conformed;
pub use conformance::{Mismatch, mismatches};
pub use convert::converted;
pub use copy::{Copied, CopyOptions, Dependencies};
pub(crate) use custom_versions::fill;
pub use new_properties::NewProperties;
pub use preload::PreloadDependencies;
pub use property::PropertyChange;
pub use prune::Pruned;
pub use remove::{RemoveOptions, Removed};
pub use rename_package::RenamePackage;
pub use renaming::Renamed;
pub use renumber::Renumbering;
pub use session::Edit;
pub use thumbnail::{PictureKind, ThumbnailChange};
