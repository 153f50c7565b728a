//! Compressed packages: every method in both byte orders, edits that touch only their blocks, damaged
//! sizes and blocks, redirect files.

#![cfg(feature = "compression")]

mod common;

use std::sync::Arc;

use common::{GUID, ORDERS, corpus_files};
use farchive::archive::{Annotate, Context, Counter, References, Remap};
use farchive::compression::redirect::Redirect;
use farchive::compression::{
    Block, ChunkData, Form, Framing, Method, Storage, compress, decompress,
};
use farchive::object::ue3::asset::texture::{Mip, Texture2D};
use farchive::package::{Builder, BulkPlace, OpenOptions, Package, SaveOptions};
use farchive::primitive::{BulkData, Position};
use farchive::table::{CompressedChunk, PACKAGE_TAG};
use farchive::{Archive, Archived, ByteOrder, ErrorKind, Kind, Loader, Saver, Span, Versions};

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
    package.save(&SaveOptions::new().storage(storage)).unwrap().bytes
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
                    Storage::Chunks(method) => Form::Chunks { method },
                    _ => Form::Stream { method },
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

/// The compressed blocks of a file, in order.
fn blocks(package: &Package) -> Vec<Vec<u8>> {
    let container = package.container().unwrap();
    let bytes = |block: &Block| block.data.bytes(container.file()).unwrap().to_vec();
    container.framings().iter().flat_map(|framing| framing.blocks.iter().map(bytes)).collect()
}

#[test]
fn an_edit_compresses_only_the_blocks_that_it_touches() {
    for method in WRITABLE {
        let package = open(&plain(ByteOrder::Little, &LARGE));
        // Marked, so that a block that is compressed anew can be told from one that is kept.
        let file = stored(&package, Storage::Chunks(method));
        let packed = open(&file);
        let before = blocks(&packed);
        let row = 2;
        let mut body = packed.body(row).unwrap().to_vec();
        let at = packed.exports().entries()[row].serial_offset.value() as u64 + 650_000;
        body[650_000] ^= 0xff;
        let mut edited = packed.clone();
        edited.replace_body(row, body).unwrap();
        let saved = edited.to_bytes().unwrap();
        let again = open(&saved);
        let after = blocks(&again);
        assert_eq!(before.len(), after.len());
        let changed: Vec<_> = (0..before.len()).filter(|&at| before[at] != after[at]).collect();
        assert_eq!(changed.len(), 1, "{method}: {changed:?}");
        // It is the block that the byte lies in.
        let mut number = 0;
        for chunk in again.container().unwrap().chunks() {
            let mut start = chunk.uncompressed_offset;
            for block in &chunk.framing().unwrap().blocks {
                let end = start + u64::from(block.uncompressed_size);
                assert_eq!((start..end).contains(&at), number == changed[0], "{method}");
                (start, number) = (end, number + 1);
            }
        }
        let expected = edited.save(&SaveOptions::new().storage(Storage::Plain)).unwrap().bytes;
        assert!(again.source() == expected, "{method}");
        assert!(again.to_bytes().unwrap() == saved, "{method}");
    }
}

#[test]
fn a_body_that_grows_leaves_the_blocks_of_other_chunks() {
    let package = open(&plain(ByteOrder::Big, &LARGE));
    let packed = open(&stored(&package, Storage::Chunks(Method::Lzo)));
    let chunks = |package: &Package| -> Vec<(u64, Vec<Vec<u8>>)> {
        let container = package.container().unwrap();
        let of = |chunk: &farchive::compression::Chunk| {
            let blocks = &chunk.framing().unwrap().blocks;
            let bytes = |block: &Block| block.data.bytes(container.file()).unwrap().to_vec();
            (chunk.uncompressed_offset, blocks.iter().map(bytes).collect())
        };
        container.chunks().iter().map(of).collect()
    };
    let mut edited = packed.clone();
    let grown = [packed.body(1).unwrap(), b"and more"].concat();
    edited.replace_body(1, grown).unwrap();
    let saved = edited.to_bytes().unwrap();
    let again = open(&saved);
    let (before, after) = (chunks(&packed), chunks(&again));
    assert_eq!(before.len(), after.len());
    // The tables say new offsets, the second chunk has grown, the others have moved and are kept.
    assert_ne!(before[0].1[0], after[0].1[0]);
    assert_eq!(before[0].1[1..], after[0].1[1..]);
    assert_eq!(before[1].1[..6], after[1].1[..6]);
    for (old, new) in before[2..].iter().zip(&after[2..]) {
        assert_eq!((old.0 + 8, &old.1), (new.0, &new.1));
    }
    assert!(again.body(1).unwrap().ends_with(b"and more"));
    assert!(again.body(4).unwrap() == package.body(4).unwrap());
    // A name makes the header longer: every chunk moves, only the first is compressed anew.
    let mut named = packed.clone();
    named.add_name("A_name_that_is_new").unwrap();
    let again = open(&named.to_bytes().unwrap());
    let after = chunks(&again);
    assert!(before[1..].iter().zip(&after[1..]).all(|(old, new)| old.1 == new.1));
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
fn saving_takes_nothing_but_spans_on_both_levels() {
    let package = open(&plain(ByteOrder::Little, &LARGE));
    for storage in [Storage::Chunks(Method::Lzma), Storage::Stream(Method::Zlib)] {
        let file = stored(&package, storage);
        let packed = open(&file);
        let spans = packed.container().unwrap().spans();
        assert!(spans.iter().all(|span| span.kind == Kind::Payload));
        let other = scramble(&file, spans.iter().map(|span| (span.start, span.end)));
        assert!(other != file);
        let saved = packed.save_with_file(&other, &SaveOptions::new()).unwrap();
        assert!(saved.bytes == file && saved.image.unwrap() == packed.source());
        // And it does take them.
        let mut damaged = file.clone();
        damaged[spans[0].start as usize] ^= 1;
        let saved = packed.save_with_file(&damaged, &SaveOptions::new()).unwrap();
        assert!(saved.bytes == damaged);
        let image = scramble(packed.source(), packed.spans().iter().map(|s| (s.start, s.end)));
        assert!(image != packed.source());
        let saved = packed.save_with_source(&image, &SaveOptions::new()).unwrap();
        assert!(saved.bytes == file);
        assert!(packed.save_with_file(&file[1..], &SaveOptions::new()).is_err());
    }
}

/// A package whose one chunk holds a stored block of Oodle.
fn oodle() -> Vec<u8> {
    let image = plain(ByteOrder::Little, &[4_000]);
    let package = open(&image);
    let start = package.summary().name_offset as usize;
    let data = [&[0x4c, 0x06], &image[start..]].concat();
    let mut framing = Framing {
        block_size: 0x4_0000,
        compressed_size: data.len() as u32,
        uncompressed_size: (image.len() - start) as u32,
        blocks: vec![Block {
            compressed_size: data.len() as u32,
            uncompressed_size: (image.len() - start) as u32,
            data: Span::owned(data),
        }],
        ..Framing::default()
    };
    chunked(&image, 0x400, &[&framed(&mut framing)], &[image.len() - start])
}

fn framed(framing: &mut Framing) -> Vec<u8> {
    let mut saver = Saver::new(Versions::default());
    framing.serialize(&mut saver).unwrap();
    saver.into_bytes()
}

/// A file whose summary lists these chunks.
fn chunked(image: &[u8], flags: u32, chunks: &[&[u8]], sizes: &[usize]) -> Vec<u8> {
    let package = open(image);
    let mut summary = package.summary().clone();
    let (mut from, mut to) = (summary.name_offset, summary.name_offset + 16 * chunks.len() as i32);
    summary.compression_flags = flags;
    for (chunk, &size) in chunks.iter().zip(sizes) {
        summary.compressed_chunks.push(CompressedChunk {
            uncompressed_offset: from,
            uncompressed_size: size as i32,
            compressed_offset: to,
            compressed_size: chunk.len() as i32,
        });
        (from, to) = (from + size as i32, to + chunk.len() as i32);
    }
    let context = Arc::new(Context::new(image.to_vec().into(), Vec::new()));
    let mut saver = Saver::new(package.versions().clone()).with_context(context);
    summary.serialize(&mut saver).unwrap();
    [saver.into_bytes(), chunks.concat()].concat()
}

#[test]
fn oodle_is_read_and_never_written() {
    let file = oodle();
    let package = open(&file);
    assert_eq!(package.container().unwrap().method(), Some(Method::Oodle));
    assert!(package.to_bytes().unwrap() == file);
    let mut edited = package.clone();
    edited.rename_name("Body0", "Other").unwrap();
    let error = edited.to_bytes().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unsupported { .. }), "{error}");
    assert!(error.to_string().contains("Oodle can't be written"), "{error}");
    let zlib = stored(&edited, Storage::Chunks(Method::Zlib));
    assert!(open(&zlib).source() == stored(&edited, Storage::Plain));
    let plain = open(&plain(ByteOrder::Little, &[10]));
    let options = SaveOptions::new().storage(Storage::Chunks(Method::Oodle));
    assert!(plain.save(&options).is_err());
}

#[test]
fn raw_chunks_gaps_and_trailers_stay() {
    let image = plain(ByteOrder::Little, &[4_000]);
    let start = open(&image).summary().name_offset as usize;
    // A chunk that is stored as it is has two equal sizes.
    let half = (image.len() - start) / 2;
    let mut packed = compress(&image[start + half..], Method::Lzo, 0x400).unwrap();
    let packed = [&framed(&mut packed)[..], b"slack"].concat();
    let sizes = [half, image.len() - start - half];
    let file = chunked(&image, 2, &[&image[start..start + half], &packed], &sizes);
    let file = [&file[..], b"\x01\0\0\0\x04\0\0\0LECL"].concat();
    let package = open(&file);
    assert!(package.source() == image);
    let container = package.container().unwrap();
    assert!(matches!(container.chunks()[0].data, ChunkData::Raw(_)));
    assert_eq!(container.chunks()[1].framing().unwrap().block_bytes(868), 0x400);
    assert_eq!(container.coverage().gap, 5 + 12);
    assert!(package.to_bytes().unwrap() == file);
    let other = scramble(&file, container.spans().iter().map(|span| (span.start, span.end)));
    assert!(package.save_with_file(&other, &SaveOptions::new()).unwrap().bytes == file);
    // An edit keeps all three.
    let mut edited = package.clone();
    let mut body = package.body(0).unwrap().to_vec();
    body[10] ^= 1;
    edited.replace_body(0, body).unwrap();
    let saved = edited.to_bytes().unwrap();
    assert!(saved.ends_with(b"slack\x01\0\0\0\x04\0\0\0LECL"));
    assert!(open(&saved).body(0).unwrap()[10] != package.body(0).unwrap()[10]);
}

#[test]
fn a_block_size_that_repeats_the_tag_is_the_default() {
    let image = plain(ByteOrder::Little, &[200_000]);
    let start = open(&image).summary().name_offset as usize;
    let mut framing = compress(&image[start..], Method::Lzo, 0x2_0000).unwrap();
    framing.block_size = PACKAGE_TAG;
    let file = chunked(&image, 2, &[&framed(&mut framing)], &[image.len() - start]);
    let package = open(&file);
    assert!(package.to_bytes().unwrap() == file);
    let mut edited = package.clone();
    edited.replace_body(0, noise(300_000, 9)).unwrap();
    let again = open(&edited.to_bytes().unwrap());
    let framings = again.container().unwrap().framings();
    assert_eq!((framings[0].block_size, framings[0].blocks.len()), (PACKAGE_TAG, 3));
    assert_eq!(framings[0].block_bytes(868), 0x2_0000);
    assert_eq!(framings[0].block_bytes(368), 0x8000);
}

#[test]
fn framings_obey_the_laws() {
    for (around, inside) in ORDERS.into_iter().flat_map(|a| ORDERS.map(|b| (a, b))) {
        let versions = Versions::classic(868, 0).with_byte_order(around);
        let mut framing = compress(&noise(700, 3), Method::Zlib, 256).unwrap();
        framing.byte_order = inside;
        let before = framing.clone();
        let mut saver = Saver::new(versions.clone());
        framing.serialize(&mut saver).unwrap();
        let bytes = saver.into_bytes();
        assert_eq!(framing, before, "saving changes nothing");
        let first = [PACKAGE_TAG.to_le_bytes(), PACKAGE_TAG.to_be_bytes()];
        assert_eq!(bytes[..4], first[usize::from(inside == ByteOrder::Big)]);
        let mut counter = Counter::new(versions.clone());
        framing.serialize(&mut counter).unwrap();
        assert_eq!(counter.length(), bytes.len() as u64);
        let mut loader = Loader::new(&bytes, versions.clone());
        let mut again = Framing { uncompressed_size: 7, ..before.clone() };
        again.serialize(&mut loader).unwrap();
        assert_eq!(loader.versions().byte_order, around, "the order ends with the framing");
        assert_eq!(loader.remaining(), 0);
        assert_eq!(again.byte_order, inside);
        let (mut annotated, mut loader) =
            (Framing::default(), Loader::new(&bytes, versions.clone()));
        let mut annotate = Annotate::new(&mut loader);
        annotated.serialize(&mut annotate).unwrap();
        let mut at = 0;
        for record in annotate.into_records() {
            assert_eq!(record.start, at, "{}", record.path);
            at = record.end;
        }
        assert_eq!(at, bytes.len() as u64);
        assert_eq!(annotated, again);
        let same = |index: i32| Some(index);
        annotated.serialize(&mut Remap::new(versions.clone(), &same, &same)).unwrap();
        let mut references = References::new(versions.clone());
        annotated.serialize(&mut references).unwrap();
        assert_eq!(references.spans().len(), 3);
        let context = Arc::new(Context::new(bytes.clone().into(), Vec::new()));
        let mut saver = Saver::new(versions.clone()).with_context(context);
        annotated.serialize(&mut saver).unwrap();
        assert_eq!(saver.bytes(), bytes);
        assert_eq!(decompress(&again, &bytes, Method::Zlib).unwrap(), noise(700, 3));
        again.blocks[1].compressed_size += 1;
        assert!(again.serialize(&mut Saver::new(versions)).is_err(), "a size that lies");
    }
}

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
    if let Form::Chunks { .. } = container.form() {
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
    assert!(matches!(error.kind(), ErrorKind::Compression { .. }), "{error}");
    assert!(error.path().starts_with("chunks[1].blocks[6]"), "{error}");
    let unknown = chunked(&plain(ByteOrder::Little, &[10]), 0x2000, &[b"12345678"], &[8]);
    let error = Package::from_bytes(unknown).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Unsupported { .. }), "{error}");
    let error = package.save(&SaveOptions::new().storage(Storage::Chunks(Method::Oodle)));
    assert!(error.unwrap_err().to_string().contains("Oodle"));
    let old = open(&Builder::new(69).build().unwrap());
    let error = old.save(&SaveOptions::new().storage(Storage::Chunks(Method::Zlib))).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
    let stream = stored(&old, Storage::Stream(Method::Zlib));
    assert!(open(&stream).source() == old.source());
}

#[test]
fn what_is_compressed_twice_is_refused() {
    let package = open(&plain(ByteOrder::Little, &[700]));
    let chunks = stored(&package, Storage::Chunks(Method::Zlib));
    let mut twice = compress(&chunks, Method::Zlib, 0x2_0000).unwrap();
    let error = Package::from_bytes(framed(&mut twice)).unwrap_err();
    assert!(error.to_string().contains("compressed twice"), "{error}");
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

#[test]
fn redirect_files_hold_any_file() {
    for redirect in [Redirect::Uz2, Redirect::Uz3] {
        for bytes in [noise(10, 1), noise(0x8000, 2), noise(0x1_8001, 3), vec![0; 0x2_0000]] {
            let packed = redirect.pack(&bytes).unwrap();
            assert_eq!(Redirect::recognise(&packed), Some(redirect));
            assert!(redirect.unpack(&packed).unwrap() == bytes);
            assert!(redirect.unpack(&packed[..packed.len() - 1]).is_err());
            for at in 0..12 {
                for value in [0, 1, 0x7f, 0xff] {
                    let mut changed = packed.clone();
                    changed[at] = value;
                    let _ = Redirect::recognise(&changed);
                    let _ = redirect.unpack(&changed);
                }
            }
        }
    }
    let packed = Redirect::Uz2.pack(&noise(0x1_8001, 3)).unwrap();
    assert_eq!(packed[4..8], [0, 0x80, 0, 0]);
    let packed = Redirect::Uz3.pack(b"hello").unwrap();
    assert_eq!(packed[..8], [0x2e, 0x16, 0, 0, 5, 0, 0, 0]);
    for version in [61, 69, 128, 868] {
        let package = Builder::new(version).build().unwrap();
        assert_eq!(Redirect::recognise(&package), None);
    }
}

/// A texture whose mips lie inline, inline and compressed, and in a cache file.
#[test]
fn texels_are_found_wherever_they_lie() {
    let versions = Versions::classic(868, 0);
    let texels = noise(600, 5);
    let mut zlib = compress(&texels, Method::Zlib, 0x100).unwrap();
    let mut lzo = compress(&texels, Method::Lzo, 0x2_0000).unwrap();
    let (zlib, lzo) = (framed(&mut zlib), framed(&mut lzo));
    let cache = [b"front", &zlib[..], &texels].concat();
    let mip = |flags, size: usize, offset, payload: &[u8]| Mip {
        data: BulkData {
            flags,
            element_count: 600,
            size_on_disk: size as i32,
            offset: Position::Stale(offset),
            payload: Span::owned(payload),
        },
        size_x: 30,
        size_y: 20,
    };
    let mut texture = Texture2D {
        mips: vec![
            mip(0, 600, 0, &texels),
            mip(0x10, lzo.len(), 0, &lzo),
            mip(0x03, zlib.len(), 5, b""),
            mip(0x01, 600, 5 + zlib.len() as u32, b""),
            mip(0x21, 0, 0, b""),
            mip(0x01, 600, u32::MAX, b""),
            mip(0x01, i32::MAX as usize, 0, b""),
        ],
        ..Texture2D::default()
    };
    let mut saver = Saver::new(versions);
    // Net index; a property of three names, size and array index, its value; the name that ends the list.
    for mut word in [-1, 1, 0, 2, 0, 8, 0, 3, 0, 0, 0] {
        i32::serialize(&mut word, &mut saver).unwrap();
    }
    texture.serialize(&mut saver).unwrap();
    let builder = Builder::new(868).name("TextureFileCacheName").name("NameProperty").name("Cache");
    let builder = builder.export("Picture", "Engine.Texture2D", saver.into_bytes());
    let package = open(&builder.export("Text", "Core.TextBuffer", []).build().unwrap());
    let packed = open(&stored(&package, Storage::Chunks(Method::Lzo)));
    let (empty, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::write(folder.path().join("CACHE.tfc"), cache).unwrap();
    let folders = [empty.path(), folder.path()];
    for package in [package, packed] {
        for mip in 0..4 {
            let found = package.texels(0, mip, &folders).unwrap();
            assert!(found.bytes == texels, "{mip}");
            assert_eq!((found.size_x, found.size_y), (30, 20));
            let apart =
                matches!(found.place, BulkPlace::Companion(path) if path.ends_with("CACHE.tfc"));
            assert_eq!(apart, mip > 1);
        }
        let error = |mip| package.texels(0, mip, &folders).unwrap_err().to_string();
        assert!(error(4).contains("unused"), "{}", error(4));
        assert!(error(5).contains("outside"), "{}", error(5));
        assert!(error(6).contains("outside"), "{}", error(6));
        assert!(error(7).contains("not found"), "{}", error(7));
        assert!(package.texels(1, 0, &folders).unwrap_err().to_string().contains("no Texture2D"));
        let error = package.texels(0, 2, &[empty.path()]).unwrap_err().to_string();
        assert!(error.contains("Cache.tfc"), "{error}");
    }
}

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
