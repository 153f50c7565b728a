//! Everything that is done with a package without changing it, within memory and what may be allocated.

use unreal_packages::inspect::Explanation;
use unreal_packages::package::{OpenOptions, Overlap, Package, PackageSpan};

use crate::memory::{self, Work};

/// Bytes of memory that opening or saving a file may take at most.
pub fn limit(length: usize) -> usize {
    (64 << 20) + 16 * length
}

/// Fails where something was allocated again and again: it is in proportion to the bytes that were given.
#[track_caller]
pub fn is_proportionate(work: Work, length: usize, what: &str) {
    let length = length as u64;
    let (count, bytes) =
        (MOST_COUNT.0 + MOST_COUNT.1 * length, MOST_BYTES.0 + MOST_BYTES.1 * length);
    assert!(work.count <= count && work.bytes <= bytes, "{what}: {work:?} for {length} bytes");
}

/// How often something may be allocated for one file, and that for each of its bytes.
const MOST_COUNT: (u64, u64) = (100_000, 8);
/// How many bytes.
const MOST_BYTES: (u64, u64) = (64 << 20, 1024);

/// Opens the bytes in this way, looks at everything and saves, within memory and what may be allocated. Says whether
/// they opened.
pub fn exercise_with(options: &OpenOptions, bytes: &[u8], explain: bool, what: &str) -> bool {
    let ((opened, size), work) = memory::work(|| exercised(options, bytes, explain, what));
    is_proportionate(work, size, what);
    opened
}

/// The same; says also how large the package is.
fn exercised(options: &OpenOptions, bytes: &[u8], explain: bool, what: &str) -> (bool, usize) {
    let (opened, peak) = memory::peak(|| options.open_bytes(bytes.to_vec()));
    // A compressed package is as large as what comes out of it.
    let image = opened.as_ref().map_or(0, |package| package.source().len());
    let size = image.max(bytes.len());
    assert!(peak <= limit(size), "{what}: opening took {peak} bytes of memory");
    let package = match opened {
        Ok(package) => package,
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty() && text.lines().count() == 1, "{what}: {text}");
            return (false, size);
        }
    };
    let (seen, peak) = memory::peak(|| look(&package));
    assert!(peak <= 2 * limit(size), "{what}: looking took {peak} bytes of memory");
    assert_eq!(seen, image as u64, "{what}: coverage");
    #[cfg(feature = "scan")]
    {
        // Paths stand in the rows of several tables.
        let ((), peak) = memory::peak(|| tables(&package));
        let most = (64 << 20) + 256 * size;
        assert!(peak <= most, "{what}: its rows took {peak} bytes of memory");
    }
    if explain {
        // A record for each field, with its path: far more than the field itself.
        let ((), peak) = memory::peak(|| explain_all(&package));
        let most = (64 << 20) + 256 * size;
        assert!(peak <= most, "{what}: explaining took {peak} bytes of memory");
    }
    let (saved, peak) = memory::peak(|| package.to_bytes());
    assert!(peak <= limit(size), "{what}: saving took {peak} bytes of memory");
    match saved {
        Ok(saved) => assert!(saved == bytes, "{what}: saves differently"),
        Err(error) => panic!("{what}: what opened does not save: {error}"),
    }
    (true, size)
}

/// The rows of all tables, batch by batch.
#[cfg(feature = "scan")]
fn tables(package: &Package) {
    use unreal_packages::scan::{PackageRows, ScannedFile, TableSet};

    let mut rows = PackageRows::handing_on(TableSet::ALL, |_, batch| drop(batch));
    rows.add_package(&ScannedFile::of(package, "Mod.u"), package);
    assert!(!rows.finish().is_empty());
}

/// Everything that can be looked at; the sum of the coverage.
pub fn look(package: &Package) -> u64 {
    package.names().iter().for_each(drop);
    for import in package.imports().iter() {
        let _ = (import.path(), import.class(), import.name());
    }
    for export in package.exports().iter() {
        let _ = (export.path(), export.class(), export.flags(), export.body());
    }
    let _ = (package.exports().tree().len(), package.guid(), package.find("Group.Skin"));
    let _ = package.find_export("Alpha");
    for thumbnail in &package.tables().thumbnails {
        let _ = package.tables().image(thumbnail);
    }
    let mut end = 0;
    for span in PackageSpan::of(package) {
        assert!(span.start <= span.end && span.end <= package.source().len() as u64);
        end = end.max(span.end);
    }
    let _ = (package.sections().len(), Overlap::of(package).len());
    let coverage = package.coverage();
    coverage.typed + coverage.payload + coverage.opaque + coverage.gap
}

/// Explanations leave no byte out.
pub fn explain_all(package: &Package) {
    let mut at = 0;
    for explanation in Explanation::of(package).expect("a package that opened is explained") {
        assert_eq!(explanation.record.start, at);
        at = explanation.record.end;
    }
    assert_eq!(at, package.source().len() as u64);
}
