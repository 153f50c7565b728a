//! The sizes of a package's objects by class, without tables.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::bulk_sizes::BulkSizes;
use crate::package::Package;

/// How much the objects of one class take.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClassSize {
    /// How many objects there are.
    pub objects: u64,
    /// Bytes of their bodies and of their bulk data wherever that lies in the packages' files.
    pub bytes: u64,
}

/// The sizes of the objects by the path of their class, as `exports.total_size` has them. In parentheses stands what is of
/// no object: all rows together are the size of the package's files, decompressed.
pub fn class_sizes(package: &Package) -> BTreeMap<String, ClassSize> {
    let mut bulk_sizes = BulkSizes::new(package);
    if bulk_sizes.looks(package) {
        let context = package.decoding_context();
        let mut decoder = package.decoder();
        for row in 0..package.exports().len() {
            if package.body_range(row).1 == 0 {
                continue;
            }
            let Some(mut decoded) = decoder.decode(package, row, |_| true) else { continue };
            let decoded = Arc::make_mut(&mut decoded);
            if let Some(mut visitor) = bulk_sizes.of_body(package, row, decoded) {
                package.show_body(&mut decoded.body, &context, &mut visitor);
            }
        }
    }
    let (bulk, sizes) = bulk_sizes.finish(package);
    let mut found: BTreeMap<String, ClassSize> = BTreeMap::new();
    for (export, bulk) in package.exports().iter().zip(bulk) {
        let class = found.entry(export.class()).or_default();
        class.objects += 1;
        class.bytes = class.bytes.saturating_add(export.size().saturating_add(bulk.outside()));
    }
    for (name, bytes) in [(TABLES, sizes.tables), (UNKNOWN, sizes.unknown)] {
        if bytes > 0 {
            found.insert(name.to_owned(), ClassSize { objects: 0, bytes });
        }
    }
    found
}

/// Header, tables, gaps.
const TABLES: &str = "(tables)";
/// Bulk data that no decoded body refers to.
const UNKNOWN: &str = "(bulk data of no known object)";
