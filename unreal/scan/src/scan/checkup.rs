//! What is wrong among the packages of a scan, seen in its tables alone.

mod imports;
mod redirects;
mod soft;
mod tables;

pub use self::tables::{ScanFinding, TableCheckup, check_tables};
