//! The editor: the one way in which a package changes.
//!
//! [`Package::edit`](crate::Package::edit) is a session: any number of changes, each noted so that it can be taken
//! back, then one layout and one proof.

mod add;
mod archetype;
mod blueprint;
mod blueprint_class;
mod body;
mod bulk;
mod chain;
mod checks;
mod code;
mod commit;
mod component_map;
mod computed;
mod conform;
mod convert;
mod copy;
mod custom_versions;
mod data_resource;
mod data_rows;
mod default_object;
mod duplicate;
mod embed;
mod fields;
mod flags;
mod guid;
mod import;
mod level;
mod links;
mod listing;
mod membership;
mod merge;
mod move_object;
mod name;
mod naming;
mod new_properties;
mod object;
mod own_actor;
#[cfg(feature = "json")]
mod parts;
mod payload;
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

pub(crate) use blueprint_class::{GENERATED, NewClass};
pub use code::{AssembledCode, ScriptTextChange};
pub use computed::Computation;
pub use conform::Conformed;
// Whoever conforms asks for it here; it looks and changes nothing.
pub use crate::inspect::{Mismatch, mismatches};
pub use convert::converted;
pub use copy::{Copied, CopyOptions, Dependencies, FreeNames};
pub(crate) use custom_versions::fill;
pub use data_rows::{DataRow, RowCell, RowOrigin};
pub use embed::Embedded;
pub use level::{ActorMotion, MirrorAxis, PlacedActors, Placement, belongs_to_level};
pub use merge::{MergeConflict, MergeOptions, MergePreference, Merged, conflict_file};
pub use new_properties::NewProperties;
pub use own_actor::{OwnActor, actor_package};
#[cfg(feature = "json")]
pub use parts::{DocumentPart, PartHash, PartPlace, PutParts, UnfitPart, parts_between};
pub use payload::FileUsers;
pub use preload::PreloadDependencies;
pub(crate) use preload::has_preload;
pub use property::PropertyChange;
pub use prune::Pruned;
pub use remove::{RemoveOptions, Removed};
pub use rename_package::RenamePackage;
pub use renaming::{Renamed, uses_of_name};
pub use renumber::Renumbering;
pub use retarget::Redirected;
pub use session::{Edit, EditOptions, PackageEdit};
pub use thumbnail::{PictureKind, ThumbnailChange};
