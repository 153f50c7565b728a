//! Damaged sizes and blocks.

use unreal_packages::compression::{
    Block, ContainerForm, Framing, Method, Storage, compress, decompress,
};
use unreal_packages::error::{UnrealError, UnrealErrors, Unsupported};
use unreal_packages::generate::Builder;
use unreal_packages::package::{Package, SaveOptions};
use unreal_packages::{ByteOrder, ErrorKind, Span};

use super::common::ORDERS;
use super::framing::{chunked, framed, oodle};
use super::{LARGE, WRITABLE, open, plain, stored};

/// Whatever these bytes are, they open or say why not, and what opens can be saved.
fn exercise(bytes: Vec<u8>, what: &str) -> Option<String> {
    match Package::from_bytes(bytes) {
        Ok(package) => {
            let _ = package.coverage();
            let _ = package.container().map(|container| (container.coverage(), container.spans()));
            let _ = package.to_bytes();
            None
        }
        Err(error) => {
            let text = error.to_string();
            assert!(!text.is_empty(), "{what}");
            Some(text)
        }
    }
}

/// Every number of the chunk table and of the framings, where they stand in the file.
fn size_fields(file: &[u8]) -> Vec<usize> {
    let package = open(file);
    let container = package.container().unwrap();
    let mut fields = Vec::new();
    if let ContainerForm::Chunks { .. } = container.form() {
        let table = container.chunks()[0].compressed_offset as usize;
        // Flags, count and the table end where the first chunk starts but for what follows the table.
        let first = container.chunks()[0].uncompressed_offset as u32;
        let words = (0..table - 3).rev();
        let entry = words.into_iter().find(|&at| {
            let order = package.versions().byte_order;
            let word = if order.is_big() { first.to_be_bytes() } else { first.to_le_bytes() };
            at + 4 <= table && file[at..at + 4] == word && file[at - 1] < 0xff && at > 60
        });
        let entry = entry.unwrap();
        let rows = container.chunks().len();
        fields.extend((0..2 + 4 * rows).map(|row| entry - 8 + 4 * row));
        for chunk in container.chunks() {
            let at = chunk.compressed_offset as usize;
            let words = chunk.framing().map_or(0, |f| f.table_size() as usize / 4);
            fields.extend((0..words).map(|word| at + 4 * word));
        }
    } else {
        let words = container.framings()[0].table_size() as usize / 4;
        fields.extend((0..words).map(|word| 4 * word));
    }
    fields
}

#[test]
fn hostile_sizes_are_refused_or_harmless() {
    for order in ORDERS {
        let package = open(&plain(order, &[700, 300]));
        let mut files = vec![oodle()];
        for method in WRITABLE {
            files.push(stored(&package, Storage::Chunks(method)));
            files.push(stored(&package, Storage::Stream(method)));
        }
        for (number, file) in files.iter().enumerate() {
            for at in size_fields(file) {
                for value in [0, 1, 2, 0x7f, 0x1_0000, i32::MAX as u32, 0x8000_0000, u32::MAX] {
                    let mut changed = file.clone();
                    let bytes = if order.is_big() && number > 0 {
                        value.to_be_bytes()
                    } else {
                        value.to_le_bytes()
                    };
                    changed[at..at + 4].copy_from_slice(&bytes);
                    exercise(changed, &format!("file {number}, {value:#x} at {at:#x}"));
                }
            }
            for length in 0..file.len() {
                let error = exercise(file[..length].to_vec(), &format!("{number} cut at {length}"));
                assert!(error.is_some(), "file {number} opens when cut at {length}");
            }
            for at in 0..file.len() {
                let mut changed = file.clone();
                changed[at] ^= 1 << (at % 8);
                exercise(changed, &format!("file {number}, a bit at {at:#x}"));
            }
        }
    }
}

#[test]
fn a_small_file_that_claims_gibibytes_is_refused_by_its_claim() {
    for method in Method::ALL.iter().copied() {
        for (block, blocks) in [(0x7fff_0000u32, 1), (0x100_0000, 100), (0x2_0000, 100)] {
            // Every block claims to come out of one byte.
            let mut framing = Framing {
                block_size: block,
                compressed_size: blocks,
                uncompressed_size: block * blocks.min(i32::MAX as u32 / block),
                ..Framing::default()
            };
            let count = framing.uncompressed_size / block;
            framing.compressed_size = count;
            framing.blocks = (0..count)
                .map(|_| Block {
                    compressed_size: 1,
                    uncompressed_size: block,
                    data: Span::owned(*b"\x5d"),
                })
                .collect();
            let image = plain(ByteOrder::Little, &[10]);
            let bytes = framed(&mut framing);
            let size = framing.uncompressed_size as usize;
            let file = chunked(&image, method.flag(), &[&bytes], &[size]);
            assert!(file.len() < 1_500);
            let error = Package::from_bytes(file).unwrap_err().to_string();
            let claim = format!("{block} bytes can't come out of 1 with {method}");
            assert!(
                error.starts_with("chunks[0].blocks[0]: ") && error.ends_with(&claim),
                "{error}"
            );
            let error = decompress(&framing, &[], method).unwrap_err().to_string();
            assert!(error.ends_with(&claim), "{error}");
        }
    }
    // A stream names no method: its first block must fit one that it can be.
    let mut framing = compress(&plain(ByteOrder::Little, &[10]), Method::Zlib, 0x2_0000).unwrap();
    framing.uncompressed_size = 0x7fff_0000;
    framing.blocks[0].uncompressed_size = 0x7fff_0000;
    let error = Package::from_bytes(framed(&mut framing)).unwrap_err().to_string();
    assert!(error.contains("2147418112 bytes can't come out of"), "{error}");
}

#[test]
fn errors_say_which_block() {
    let package = open(&plain(ByteOrder::Little, &LARGE));
    let file = stored(&package, Storage::Chunks(Method::Zlib));
    let spans = open(&file).container().unwrap().spans();
    let mut damaged = file.clone();
    damaged[spans[9].start as usize + 40] ^= 0x55;
    let error = Package::from_bytes(damaged).unwrap_err();
    assert!(matches!(error.unreal(), Some(UnrealError::Compression { .. })), "{error}");
    assert!(error.path().starts_with("chunks[1].blocks[6]"), "{error}");
    let unknown = chunked(&plain(ByteOrder::Little, &[10]), 0x2000, &[b"12345678"], &[8]);
    let error = Package::from_bytes(unknown).unwrap_err();
    assert!(
        matches!(
            error.unreal(),
            Some(UnrealError::Unsupported { why: Unsupported::Compressed, .. })
        ),
        "{error}"
    );
    let error = package.save(&SaveOptions::new().storage(Storage::Chunks(Method::Oodle)));
    assert!(error.unwrap_err().to_string().contains("Oodle"));
    let old = open(&Builder::new(69).build().unwrap());
    let error = old.save(&SaveOptions::new().storage(Storage::Chunks(Method::Zlib))).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
    let stream = stored(&old, Storage::Stream(Method::Zlib));
    assert!(open(&stream).source() == old.source());
}
