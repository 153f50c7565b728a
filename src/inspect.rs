//! Looking at packages: values, uses, explanations, payloads.

pub(crate) mod access;
mod ancestry;
pub(crate) mod assembly;
mod coverage;
mod declarations;
mod explain;
mod listing;
pub(crate) mod meaning;
mod near_names;
mod object_class;
pub(crate) mod own_path;
mod payload;
mod positions;
mod query;
mod rebuild;
mod references;
mod referrers;
mod siblings;
pub(crate) mod table_rows;
mod texels;
pub(crate) mod values;

pub use assembly::CodeTexts;
pub use coverage::coverage;
pub use explain::Explanation;
pub use listing::{operand_text, script_lines};
pub use own_path::{folder_name, main_asset, package_path};
pub use payload::{editor_payload, payload};
pub use positions::{PositionFault, Positions, WrongPosition};
pub use query::{Condition, has_wildcards};
pub use rebuild::{BodyBytes, Rebuilt};
pub use references::ReferencePlace;
pub(crate) use references::plain;
pub use referrers::{Referrer, references};
pub use texels::{BulkPlace, Texels, bulk_bytes, texels};
pub use values::{PropertyValue, Values};
