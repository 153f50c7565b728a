//! Folders as Parquet files, which later scans bring up to date.
//!
//! Each table is a folder of files. What one scan has read together is a shard: one file in each of the folders,
//! with the shard's number as its name, that of the packages last. Files are written under a name of their own and
//! renamed, and nothing counts before the packages' file has its true name: a scan that is killed loses the shards
//! that it was at, and the next one goes on from there.
//!
//! Each file is listed with its hash (`manifest`): what no scan has written is never removed or
//! replaced.
//!
//! When a file changes its rows go into a new shard, and its row is taken out of the old packages' file. The other
//! tables of the old shard keep the former rows until an eighth of the shard is such: rows whose `package_id` is not
//! among the packages count for nothing. The views in `tables.sql` leave them out; [`Depot::compact`] does it in
//! the files.

mod compact;
mod fate;
mod folder;
mod known_files;
mod manifest;
mod others;
mod reader;
mod shard;
mod shard_writer;
mod shards;
mod update;
mod views;

pub use self::folder::{Depot, FileFault, FileToScan};
pub(super) use self::reader::{TableFile, integers, table_files};
pub(super) use self::shard::KnownFile;
pub use self::update::{ScanReport, ScanStep};
