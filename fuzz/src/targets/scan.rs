//! Any bytes as a file of a scan: rows of all tables or a row that says why not, within memory, with keys that
//! belong together.

use std::collections::HashSet;

use unreal_packages::scan::arrow_array::cast::AsArray;
use unreal_packages::scan::arrow_array::types::Int64Type;
use unreal_packages::scan::arrow_array::{Array, RecordBatch};
use unreal_packages::scan::{PackageRows, ScannedFile, TableKind, TableSet};

use super::{is_readable, options};
use crate::memory;

pub fn run(data: &[u8]) {
    let (batches, peak) = memory::peak(|| {
        let mut rows = PackageRows::new(TableSet::ALL);
        match options().open_bytes(data.to_vec()) {
            Err(error) => {
                is_readable(&error);
                return Vec::new();
            }
            Ok(mut package) => {
                package.decode_all();
                rows.add_package(&ScannedFile::of(&package, "Folder/Mod.u"), &package);
            }
        }
        rows.finish()
    });
    let most = (96 << 20) + 512 * data.len();
    assert!(peak <= most, "{peak} bytes of memory for {}", data.len());
    let mut packages = HashSet::new();
    for (table, batch) in &batches {
        if *table == TableKind::Packages {
            packages.extend(ids(batch));
        }
    }
    for (table, batch) in &batches {
        assert!(ids(batch).is_subset(&packages), "{table:?} has rows of no package");
        let count = batch.num_rows();
        assert!(batch.columns().iter().all(|column| column.len() == count), "{table:?}");
    }
}

/// The keys of the packages whose rows these are.
fn ids(batch: &RecordBatch) -> HashSet<i64> {
    match batch.column_by_name("package_id") {
        None => HashSet::new(),
        Some(column) => column.as_primitive::<Int64Type>().values().iter().copied().collect(),
    }
}
