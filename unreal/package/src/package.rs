//! [`Package`]: the data; open, decode, lay out, save.

mod ahead;
mod baseline;
mod bodies;
mod body;
mod body_uses;
mod by_class;
mod byte_enum;
mod cache;
pub mod checksum;
pub(crate) mod claim;
#[doc(hidden)]
pub mod code_places;
mod companion;
pub(crate) mod context;
mod coverage;
mod declaration;
#[doc(hidden)]
pub mod decode;
mod detection;
mod drafts;
mod forced_export;
#[doc(hidden)]
pub mod former;
#[cfg(feature = "json")]
mod json;
mod layout;
mod mappings;
mod missing_rows;
mod model;
mod object_index;
mod object_path;
mod open;
#[doc(hidden)]
pub mod path_map;
pub(crate) mod resource;
mod row;
mod save;
mod save_target;
mod saved;
mod saving;
#[doc(hidden)]
pub mod scan;
mod schema;
pub(crate) mod section;
mod settled;
#[doc(hidden)]
pub mod tables;
pub(crate) mod view;
mod write;
mod zen;

pub use crate::archive::Coverage;
pub use crate::error::OtherFile;
pub use crate::table::{FurtherSections, Section, Tables};
#[doc(hidden)]
pub use bodies::DecodedBodies;
pub use byte_enum::{ByteEnum, ByteEnums};
pub use companion::{Companion, CompanionKind};
pub use coverage::{Overlap, PackageSpan};
#[doc(hidden)]
pub use decode::Decoder;
pub use decode::{Decoded, native_as, redirector_target};
pub use detection::{ReleaseDetection, ReleaseFit};
#[doc(hidden)]
pub use forced_export::stands_for_package;
#[cfg(feature = "json")]
pub use json::{Uassetapi, UassetapiOptions, check_unedited, document_of_uassetapi};
pub use layout::{LayoutChoice, LayoutKind};
pub use model::Package;
#[doc(hidden)]
pub use object_path::ObjectPath;
pub use open::{OpenOptions, may_be_package, recognise_file};
#[doc(hidden)]
pub use path_map::{PathMap, family};
pub use save::SaveOptions;
pub use saved::{Ground, Moved, SaveReport, Saved};
pub use section::SectionPlace;
#[cfg(feature = "json")]
pub(crate) use view::LONGEST_PATH;
pub use view::{ExportView, Exports, ImportView, Imports, Names};
pub use zen::{ZenContext, ZenPackage};
