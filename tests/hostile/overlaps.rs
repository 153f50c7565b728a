//! Bodies that share their bytes: what is written of them stays in proportion to the package.

use unreal_packages::generate::Builder;
use unreal_packages::inspect::Explanation;
use unreal_packages::package::Package;

/// As many bodies over the whole file as there are exports.
fn overlapping(count: usize, body: usize) -> Vec<u8> {
    let mut builder = Builder::new(868);
    for row in 0..count {
        builder = builder.export(format!("Object_{row}"), "Core.TextBuffer", vec![7; body]);
    }
    let bytes = builder.build().unwrap();
    let package = Package::from_bytes(bytes.clone()).unwrap();
    let mut shared = bytes.clone();
    for field in Explanation::of(&package).unwrap() {
        let value = match field.record.path.rsplit_once('.') {
            Some((_, "serial_size")) => bytes.len() as i32,
            Some((_, "serial_offset")) => 0,
            _ => continue,
        };
        shared[field.record.start as usize..][..4].copy_from_slice(&value.to_le_bytes());
    }
    shared
}

#[test]
fn json_of_overlapping_bodies_is_refused_beyond_a_factor() {
    let bytes = overlapping(100, 1_000);
    let package = Package::from_bytes(bytes.clone()).unwrap();
    assert_eq!(package.to_bytes().unwrap(), bytes, "it is saved as it was");
    let mut text = Vec::new();
    let error = package.to_json(&mut text, false).unwrap_err().to_string();
    assert!(text.is_empty() && error.contains("share their bytes"), "{error}");
    assert!(package.exports().refuse_shared_bodies().is_err(), "nor are they extracted one by one");
    // A few may: real packages hold stray offsets.
    let bytes = overlapping(4, 1_000);
    let package = Package::from_bytes(bytes.clone()).unwrap();
    package.to_json(&mut text, false).unwrap();
    assert!(text.len() < 64 * bytes.len(), "{}", text.len());
}

#[cfg(feature = "scan")]
#[test]
fn bodies_that_overlap_have_hashes_up_to_a_factor() {
    use unreal_packages::scan::arrow_array::Array;
    use unreal_packages::scan::{PackageRows, ScannedFile, TableKind, TableSet};

    for (count, hashed) in [(100, 0), (4, 4)] {
        let package = Package::from_bytes(overlapping(count, 1_000)).unwrap();
        let mut rows = PackageRows::new(TableSet::ALL);
        rows.add_package(&ScannedFile::of(&package, "Mod.u"), &package);
        let batches = rows.finish();
        let (_, exports) =
            batches.iter().find(|(table, _)| *table == TableKind::Exports).expect("exports");
        let hashes = exports.column_by_name("body_hash").expect("the column");
        assert_eq!((hashes.len(), hashes.len() - hashes.null_count()), (count, hashed));
    }
}
