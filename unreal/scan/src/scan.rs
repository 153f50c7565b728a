//! Folders of packages as tables: one row a name, import, export, property, reference or finding, as Arrow
//! batches, and as Parquet files that later scans bring up to date.
//!
//! | file | holds |
//! |---|---|
//! | `table_kind`, `column` | [`TableKind`]: the tables and their columns |
//! | `rows`, `row_buffer` | [`PackageRows`]: what makes the rows of packages, for every caller |
//! | `body_rows`, `body_hash`, `bulk_sizes`, `leaf_rows`, `reference_rows` | what bodies add to them |
//! | `object_hash` | [`object_hashes`]: the hashes of objects, without tables |
//! | `class_size` | [`class_sizes`]: the sizes of objects by class, likewise |
//! | `title`, `saved_by` | the game that a package was made for, and who has saved it |
//! | `file_hash` | [`FileHashes`]: SHA-1 and MD5 of files |
//! | `origin` | where imports lie, what packages are called |
//! | `listing` | [`FileListing`], [`StoreListing`]: the files that a scan looks at, one after the other; `passed_over`: others |
//! | `found_files` | [`FoundFiles`]: all files of some places at once |
//! | `depot/` | [`Depot`]: the tables as files |
//! | `checkup` | [`check_tables`]: what is wrong, seen in the tables |
//! | `package_rows` | [`rows_of_file`]: the rows of one file, whatever it holds |
//! | `header_rows` | [`rows_of_header`]: those of a package whose bodies are not there |
//!
//! ```
//! use unreal_packages::generate::Builder;
//! use unreal_packages::scan::{PackageRows, ScannedFile, TableKind, TableSet};
//!
//! # fn main() -> unreal_packages::Result<()> {
//! let package = unreal_packages::Package::from_bytes(Builder::new(69).name("Hello").build()?)?;
//! let mut rows = PackageRows::new(TableSet::ALL);
//! rows.add_package(&ScannedFile::of(&package, "Mod.u"), &package);
//! for (table, batch) in rows.finish() {
//!     println!("{}: {} rows", table.name(), batch.num_rows());
//! }
//! # Ok(())
//! # }
//! ```

mod body_hash;
mod body_rows;
mod bulk_sizes;
mod checkup;
mod class_size;
mod column;
mod depot;
mod file_hash;
mod found_files;
mod header_rows;
mod leaf_rows;
mod listing;
mod object_hash;
mod origin;
mod package_rows;
mod passed_over;
mod reference_rows;
mod row_buffer;
mod rows;
mod saved_by;
mod table_kind;
mod title;

pub use crate::file::FileOrigin;
pub use checkup::{ScanFinding, TableCheckup, check_tables};
pub use class_size::{ClassSize, class_sizes};
pub use column::{ColumnType, TableColumn};
pub use depot::{Depot, FileFault, FileToScan, ScanReport, ScanStep};
pub use file_hash::FileHashes;
pub use found_files::FoundFiles;
pub use header_rows::{header_size, rows_of_header};
pub use listing::{FileListing, ListingNote, StoreListing};
pub use object_hash::{ObjectHash, object_hashes};
pub use package_rows::{ScannedFile, content_hash, content_hash_of, rows_of_file};
pub use rows::PackageRows;
pub use table_kind::{TableKind, TableSet};

/// Arrow's arrays and schemas, in the version whose types stand in this interface.
pub use {arrow_array, arrow_schema};
