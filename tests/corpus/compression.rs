//! Compressed packages: decompressed, compressed with every method, decompressed.

use unreal_packages::compression::{ContainerForm, Method, Storage};
use unreal_packages::package::{Package, SaveOptions};

use crate::common::{open, scramble};
use crate::files;

fn stored(package: &Package, storage: Storage) -> Vec<u8> {
    package.save(&SaveOptions::new().storage(storage)).unwrap().bytes.into()
}

pub fn real_packages_decompress_compress_and_decompress() {
    let mut checked = 0;
    for (name, bytes) in files::of("classic") {
        let Ok(package) = Package::from_bytes(bytes.clone()) else { continue };
        let Some(container) = package.container() else { continue };
        let plain = stored(&package, Storage::Plain);
        assert!(plain == package.source(), "{name}");
        let fields = container.fields().unwrap();
        let mut at = 0;
        for field in &fields {
            assert!((field.start, true) == (at, field.end > at), "{name} at {at:#x}: {field:?}");
            at = field.end;
        }
        assert_eq!(at, bytes.len() as u64, "{name}");
        let spans: Vec<_> = container.spans().iter().map(|span| (span.start, span.end)).collect();
        let other = scramble(&bytes, &spans);
        let encrypted = matches!(container.form(), ContainerForm::Lineage { .. });
        let saved = package.save(&SaveOptions::new().file(other.to_vec())).unwrap();
        assert!(saved.bytes == bytes, "{name}");
        checked += 1;
        if plain.len() > 1_000_000 || encrypted {
            continue;
        }
        let unpacked = open(&plain);
        for method in [Method::Zlib, Method::Lzo, Method::Lzx, Method::Lzma] {
            let packed = stored(&unpacked, Storage::Chunks(method));
            assert!(open(&packed).source() == plain, "{name} {method}");
            let packed = stored(&package, Storage::Stream(method));
            assert!(open(&packed).source() == plain, "{name} {method}");
        }
    }
    println!("{checked} stored packages");
    assert!(checked > 0);
}
