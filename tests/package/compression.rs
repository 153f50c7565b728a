//! Compressed packages: every method in both byte orders, edits that touch only their blocks, damaged
//! sizes and blocks, redirect files.

use crate::common;

mod edits;
mod framing;
mod hostile;
mod redirect;
mod texels;

use common::{GUID, ORDERS};
use unreal_packages::ByteOrder;
use unreal_packages::archive::{Kind, RecordValue};
use unreal_packages::compression::{ContainerForm, Method, Storage};
use unreal_packages::generate::Builder;
use unreal_packages::package::{OpenOptions, Package, SaveOptions};
use unreal_packages::table::Export;

const WRITABLE: [Method; 4] = [Method::Zlib, Method::Lzo, Method::Lzx, Method::Lzma];

/// Bytes that compress somewhat: every second one is noise.
fn noise(length: usize, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2_654_435_761) | 1;
    let byte = |at: usize| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        if at.is_multiple_of(2) { state as u8 } else { (at >> 12) as u8 }
    };
    (0..length).map(byte).collect()
}

/// Text buffers of these sizes, whose bodies nobody decodes.
fn plain(order: ByteOrder, bodies: &[usize]) -> Vec<u8> {
    let mut builder = Builder::new(868).guid(GUID).byte_order(order);
    for (row, &size) in bodies.iter().enumerate() {
        let body = noise(size, row as u32 + 1);
        builder = builder.export(format!("Body{row}"), "Core.TextBuffer", body);
    }
    builder.build().unwrap()
}

fn open(bytes: &[u8]) -> Package {
    Package::from_bytes(bytes.to_vec()).unwrap()
}

fn stored(package: &Package, storage: Storage) -> Vec<u8> {
    package.save(&SaveOptions::new().storage(storage)).unwrap().bytes.into()
}

/// Sizes that make several chunks, one of them larger than a chunk should be.
const LARGE: [usize; 5] = [300_000, 900_000, 1_300_000, 10, 500_001];

#[test]
fn every_method_gives_the_image_back_in_both_byte_orders() {
    for order in ORDERS {
        let image = plain(order, &LARGE);
        let package = open(&image);
        assert!(package.container().is_none());
        for method in WRITABLE {
            for storage in [Storage::Chunks(method), Storage::Stream(method)] {
                let file = stored(&package, storage);
                assert!(file.len() < image.len(), "{storage:?}");
                let again = open(&file);
                let what = format!("{storage:?} {order:?}");
                let container = again.container().unwrap();
                let expected = match storage {
                    Storage::Chunks(method) => ContainerForm::Chunks { method },
                    _ => ContainerForm::Stream { method },
                };
                assert_eq!(container.form(), expected, "{what}");
                assert!(container.framings().iter().all(|f| f.byte_order == order), "{what}");
                assert!(again.source() == image, "{what}");
                assert!(again.file() == file, "{what}");
                assert!(again.to_bytes().unwrap() == file, "{what}");
                assert!(stored(&again, Storage::Plain) == image, "{what}");
                // A second time the same, and from one method to the next.
                assert!(stored(&again, storage) == file, "{what}");
                let other = stored(&again, Storage::Chunks(Method::Zlib));
                assert!(open(&other).source() == image, "{what}");
                let (kinds, length) = (container.coverage(), file.len() as u64);
                assert_eq!(kinds.typed + kinds.payload + kinds.gap, length, "{what}");
                assert!(kinds.payload > kinds.typed && kinds.gap == 0, "{what}: {kinds:?}");
            }
        }
    }
}

#[test]
fn every_byte_of_a_file_around_a_package_has_its_field() {
    for order in ORDERS {
        let package = open(&plain(order, &LARGE));
        for storage in [Storage::Chunks(Method::Lzo), Storage::Stream(Method::Zlib)] {
            let mut file = stored(&package, storage);
            // Somebody's notes at the end.
            file.extend(b"rest");
            let packed = open(&file);
            let container = packed.container().unwrap();
            let fields = container.fields().unwrap();
            let what = format!("{storage:?} {order:?}");
            let places: Vec<_> = fields.iter().map(|field| (field.start, field.end)).collect();
            assert!(places.iter().all(|(start, end)| start < end), "{what}");
            assert!(places.windows(2).all(|pair| pair[0].1 == pair[1].0), "{what}");
            assert_eq!((places[0].0, places[places.len() - 1].1), (0, file.len() as u64), "{what}");
            let last = fields.last().unwrap();
            assert_eq!(
                (&*last.path, &last.value),
                ("gap", &RecordValue::Span(Kind::Gap)),
                "{what}"
            );
            let framing = container.framings()[0];
            let around =
                if storage == Storage::Stream(Method::Zlib) { "stream" } else { "chunks[0]" };
            let value = |path: &str| {
                let path = format!("{around}.{path}");
                let field = fields.iter().find(|field| field.path == path);
                field.unwrap_or_else(|| panic!("{what}: {path}"))
            };
            let number = |number: u32| RecordValue::Integer(number.into());
            assert_eq!(value("uncompressed_size").value, number(framing.uncompressed_size));
            let block = &framing.blocks[0];
            assert_eq!(value("blocks[0].compressed_size").value, number(block.compressed_size));
            let data = value("blocks[0].data");
            let bytes = &file[data.start as usize..data.end as usize];
            assert_eq!(bytes, block.data.bytes(&file).unwrap(), "{what}");
            let flags = fields.iter().find(|field| field.path == "summary.compression_flags");
            assert_eq!(flags.is_some(), around == "chunks[0]", "{what}");
        }
    }
}

#[test]
fn chunks_stand_where_the_specification_says() {
    let package = open(&plain(ByteOrder::Little, &LARGE));
    let file = stored(&package, Storage::Chunks(Method::Lzo));
    let packed = open(&file);
    let chunks = packed.container().unwrap().chunks();
    assert_eq!(chunks.len(), 4);
    // The image's header is the summary without table, the file's has 16 bytes for each chunk (R2, R3).
    let image_start = package.summary().name_offset as u64;
    assert_eq!(chunks[0].uncompressed_offset, image_start);
    assert_eq!(chunks[0].compressed_offset, image_start + 16 * 4);
    let starts: Vec<_> =
        package.exports().iter().map(|e| e.entry().serial_offset.value() as u64).collect();
    for (pair, chunk) in chunks.windows(2).zip(chunks) {
        let end = chunk.uncompressed_offset + chunk.uncompressed_size;
        assert_eq!(end, pair[1].uncompressed_offset);
        assert_eq!(chunk.compressed_offset + chunk.compressed_size, pair[1].compressed_offset);
        assert!(starts.contains(&end), "a chunk ends inside an object");
    }
    let last = chunks.last().unwrap();
    assert_eq!(last.compressed_offset + last.compressed_size, file.len() as u64);
    for framing in packed.container().unwrap().framings() {
        let (last, others) = framing.blocks.split_last().unwrap();
        assert_eq!(framing.block_size, 0x2_0000);
        assert!(others.iter().all(|block| block.uncompressed_size == 0x2_0000));
        assert!(last.uncompressed_size <= 0x2_0000);
    }
    // Nothing in the image speaks of compression (R5), everything in the file does.
    assert_eq!(packed.summary(), package.summary());
    assert_eq!(u32::from_le_bytes(file[21..25].try_into().unwrap()) & 0x0200_0000, 0x0200_0000);
}

/// Cuts are about a MiB apart, at starts of bodies, which stay whole.
#[test]
fn cuts_stand_at_bodies_and_keep_them_whole() {
    const MIB: usize = 0x10_0000;
    // A small body; one that ends a few bytes short of a MiB; ten bytes; two MiB; one.
    let cases: [(&[usize], &[usize]); 3] = [
        (&[300, 100], &[]),
        (&[MIB / 2, MIB / 2 - 0x400, 10, 2 * MIB - 10, MIB], &[3, 4]),
        (&[MIB + 1, 5, MIB + 1], &[0, 1, 2]),
    ];
    for (sizes, starts) in cases {
        let package = open(&plain(ByteOrder::Little, sizes));
        let packed = open(&stored(&package, Storage::Chunks(Method::Lzo)));
        let chunks = packed.container().unwrap().chunks();
        let found: Vec<u64> = chunks[1..].iter().map(|chunk| chunk.uncompressed_offset).collect();
        let offset = |&row: &usize| package.exports().entries()[row].serial_offset.value() as u64;
        assert_eq!(found, starts.iter().map(offset).collect::<Vec<_>>(), "{sizes:?}");
        // Rows whose bodies are out of order cut nothing in two and nothing twice.
        let rows = package.exports().entries();
        let row = |row: &Export| common::save(&mut row.clone(), package.versions()).unwrap();
        let swapped = |row: &Export, other: &Export| Export {
            serial_size: other.serial_size,
            serial_offset: other.serial_offset,
            ..row.clone()
        };
        let swapped = [swapped(&rows[0], &rows[1]), swapped(&rows[1], &rows[0])];
        let (old, new) =
            ([row(&rows[0]), row(&rows[1])].concat(), swapped.map(|it| row(&it)).concat());
        let mut bytes = package.source().to_vec();
        let at = bytes.windows(old.len()).position(|window| window == old).unwrap();
        bytes[at..at + new.len()].copy_from_slice(&new);
        let image = open(&bytes);
        let packed = open(&stored(&image, Storage::Chunks(Method::Lzo)));
        assert!(packed.source() == image.source());
        let entries = image.exports().entries().iter();
        let within = entries.map(|row| row.serial_offset.value() as u64..).zip(sizes);
        let chunks = packed.container().unwrap().chunks();
        for chunk in &chunks[1..] {
            assert!(chunk.uncompressed_size > 0);
            let cut = chunk.uncompressed_offset;
            let cuts = |(body, _): (std::ops::RangeFrom<u64>, _)| body.start == cut;
            assert!(within.clone().any(cuts), "{cut} is inside of a body");
        }
    }
}

/// Every byte outside the spans is made another one.
fn scramble(bytes: &[u8], spans: impl Iterator<Item = (u64, u64)>) -> Vec<u8> {
    let mut other: Vec<u8> = bytes.iter().map(|byte| !byte).collect();
    for (start, end) in spans {
        let range = start as usize..end as usize;
        other[range.clone()].copy_from_slice(&bytes[range]);
    }
    other
}

#[test]
fn one_thread_and_many_give_the_same() {
    let package = open(&plain(ByteOrder::Little, &LARGE));
    let file = stored(&package, Storage::Chunks(Method::Lzo));
    for threads in [1, 2, 7] {
        let again = OpenOptions::new().threads(threads).open_bytes(file.clone()).unwrap();
        assert!(again.source() == package.source());
    }
}
