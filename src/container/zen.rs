//! The header of a package inside an IoStore container, a "zen package": names with hashes, objects of other
//! packages as hashes of their paths, the order in which objects are made and loaded. The bodies behind it are
//! those of the package's `.uexp` file, byte for byte.
//!
//! | file | holds |
//! |---|---|
//! | `header` | [`ZenHeader`]: all of it, section by section |
//! | `summary` | [`ZenSummary`], [`ZenVersions`]: what it starts with |
//! | `rows` | the rows of its tables |
//! | `name_batch` | [`NameBatch`]: texts with their hashes |
//! | `reference` | [`ZenReference`]: what an object refers to |
//! | `script_objects` | [`ScriptObjects`]: what the hashes of compiled code mean |
//! | `hash` | the hashes of names, packages and objects |
//!
//! Spec: ue4-5/12.

pub mod hash;
mod header;
mod name_batch;
mod reference;
mod rows;
mod script_objects;
mod summary;

pub use header::ZenHeader;
pub use name_batch::NameBatch;
pub use reference::{ZenReference, ZenTarget};
pub use rows::{
    ZenBulkData, ZenCellExport, ZenCommand, ZenDependencies, ZenExport, ZenFilter, ZenName,
};
pub use script_objects::{ScriptObjectEntry, ScriptObjects, ScriptPaths};
pub use summary::{ZenCellOffsets, ZenSummary, ZenVersions};
