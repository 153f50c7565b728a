//! [`Package`]: the data; open, decode, lay out, save.

mod baseline;
mod bodies;
mod body;
mod body_uses;
mod by_class;
mod cache;
pub mod checksum;
pub(crate) mod claim;
mod companion;
pub(crate) mod context;
mod coverage;
mod declaration;
pub(crate) mod decode;
#[cfg(feature = "json")]
mod json;
mod layout;
mod mappings;
mod model;
mod object_index;
mod object_path;
mod open;
pub(crate) mod path_map;
pub(crate) mod resource;
mod row;
mod save;
pub(crate) mod scan;
mod schema;
pub(crate) mod section;
pub(crate) mod tables;
pub(crate) mod view;
mod write;

pub use crate::archive::Coverage;
pub use crate::table::{FurtherSections, Section, Tables};
pub(crate) use bodies::DecodedBodies;
pub use companion::{Companion, CompanionKind};
pub use coverage::{Overlap, PackageSpan};
pub use decode::{Decoded, native_as};
pub use layout::{LayoutChoice, LayoutKind};
pub use model::Package;
pub(crate) use object_path::ObjectPath;
pub use open::OpenOptions;
pub(crate) use path_map::{PathMap, family};
pub use save::{Ground, Moved, SaveOptions, SaveReport, Saved};
pub use section::SectionPlace;
pub use view::{ExportView, Exports, ImportView, Imports, Names};
