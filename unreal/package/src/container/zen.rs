//! The header of a package inside an IoStore container, a "zen package": names with hashes, objects of other
//! packages as hashes of their paths, the order in which objects are made and loaded. From 5.3 the bodies behind
//! it are those of the package's `.uexp` file, byte for byte.
//!
//! | file | holds |
//! |---|---|
//! | `form` | [`ZenForm`]: the forms that it had, by release |
//! | `header`, `section` | [`ZenHeader`]: all of it, section by section |
//! | `summary` | [`ZenSummary`], [`ZenVersions`]: what it starts with |
//! | `rows`, `bundle` | the rows of its tables |
//! | `name_batch` | [`NameBatch`]: texts with their hashes |
//! | `reference` | [`ZenReference`]: what an object refers to |
//! | `import_names` | [`ImportNames`]: what the hashes of imported objects mean |
//! | `known_objects` | [`KnownObjects`]: the same from packages that were seen |
//! | `script_objects` | [`ScriptObjects`]: the same for compiled code |
//! | `hash` | the hashes of names, packages and objects |
//!
//! Spec: ue4-5/12.

mod bundle;
mod form;
pub mod hash;
mod header;
mod import_names;
mod known_objects;
mod name_batch;
mod reference;
mod rows;
mod script_objects;
mod section;
mod summary;

pub use bundle::{ZenArc, ZenBundle, ZenImportArc, ZenPackageArcs};
pub use form::ZenForm;
pub use header::ZenHeader;
pub use import_names::{ImportNames, ImportedObject, PackageId};
pub use known_objects::KnownObjects;
pub use name_batch::NameBatch;
pub use reference::{ZenReference, ZenTarget};
pub use rows::{
    ZenBulkData, ZenCellExport, ZenCommand, ZenDependencies, ZenExport, ZenFilter, ZenName,
};
pub use script_objects::{ScriptObjectEntry, ScriptObjects, ScriptPaths};
pub use summary::{ZenCellOffsets, ZenSummary, ZenVersions};
