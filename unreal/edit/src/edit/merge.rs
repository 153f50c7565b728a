//! Merging two packages that come from one: object by object, property by property, element by element.

mod attributes;
mod body;
mod choices;
mod code;
mod common_names;
mod conflict;
mod entries;
mod header;
mod merging;
mod net_index;
mod numbering;
mod objects;
mod outcome;
mod plan;
mod proof;
mod rows;
mod sections;
mod side;
mod value;

pub use self::choices::conflict_file;
pub use self::conflict::MergeConflict;
pub use self::outcome::{MergeOptions, MergePreference, Merged};
