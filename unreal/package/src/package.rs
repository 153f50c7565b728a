//! [`Package`]: the data; open, decode, lay out, save.

mod ahead;
mod baseline;
mod bodies;
mod body;
mod body_uses;
mod by_class;
mod cache;
pub mod checksum;
pub(crate) mod claim;
pub(crate) mod code_places;
mod companion;
pub(crate) mod context;
mod coverage;
mod declaration;
pub(crate) mod decode;
mod detection;
mod drafts;
mod forced_export;
pub(crate) mod former;
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
mod save_target;
mod saved;
mod saving;
pub(crate) mod scan;
mod schema;
pub(crate) mod section;
mod settled;
pub(crate) mod tables;
pub(crate) mod view;
mod write;
mod zen;

pub use crate::archive::Coverage;
pub use crate::error::OtherFile;
pub use crate::table::{FurtherSections, Section, Tables};
pub(crate) use bodies::DecodedBodies;
pub use companion::{Companion, CompanionKind};
pub use coverage::{Overlap, PackageSpan};
pub(crate) use decode::Decoder;
pub use decode::{Decoded, native_as};
pub use detection::{ReleaseDetection, ReleaseFit};
pub(crate) use forced_export::stands_for_package;
#[cfg(feature = "json")]
pub use json::{Uassetapi, UassetapiOptions, check_unedited, document_of_uassetapi};
pub use layout::{LayoutChoice, LayoutKind};
pub use model::Package;
pub(crate) use object_path::ObjectPath;
pub use open::OpenOptions;
pub(crate) use path_map::{PathMap, family};
pub use save::SaveOptions;
pub use saved::{Ground, Moved, SaveReport, Saved};
pub use section::SectionPlace;
#[cfg(feature = "json")]
pub(crate) use view::LONGEST_PATH;
pub use view::{ExportView, Exports, ImportView, Imports, Names};
pub use zen::ZenPackage;
