//! Real packages.

use farchive::compression::{Form, Storage};
use farchive::package::{Package, SaveOptions};

use super::common::corpus_files;
use super::{WRITABLE, open, scramble, stored};

#[test]
fn real_packages_decompress_compress_and_decompress() {
    let mut checked = 0;
    for (name, bytes) in corpus_files("classic") {
        let Ok(package) = Package::from_bytes(bytes.clone()) else { continue };
        let Some(container) = package.container() else { continue };
        let plain = stored(&package, Storage::Plain);
        assert!(plain == package.source(), "{name}");
        let other = scramble(&bytes, container.spans().iter().map(|span| (span.start, span.end)));
        let encrypted = matches!(container.form(), Form::Lineage { .. });
        let saved = package.save_with_file(&other, &SaveOptions::new()).unwrap();
        assert!(saved.bytes == bytes, "{name}");
        checked += 1;
        if plain.len() > 1_000_000 || encrypted {
            continue;
        }
        let unpacked = open(&plain);
        for method in WRITABLE {
            let packed = stored(&unpacked, Storage::Chunks(method));
            assert!(open(&packed).source() == plain, "{name} {method}");
            let packed = stored(&package, Storage::Stream(method));
            assert!(open(&packed).source() == plain, "{name} {method}");
        }
    }
    println!("{checked} stored packages");
}
