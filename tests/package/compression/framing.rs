//! Chunks, gaps and trailers in every form.

use std::sync::Arc;

use unreal_packages::archive::{Annotate, Context, Counter, References, Remap};
use unreal_packages::compression::{
    Block, ChunkData, Framing, Method, Storage, compress, decompress,
};
use unreal_packages::edit::PackageEdit;
use unreal_packages::error::{UnrealError, UnrealErrors, Unsupported};
use unreal_packages::package::{Package, SaveOptions};
use unreal_packages::primitive::NameRemap;
use unreal_packages::property::PackageContext;
use unreal_packages::table::{CompressedChunk, PACKAGE_TAG};
use unreal_packages::version::UnrealVersions;
use unreal_packages::{Archive, Archived, ByteOrder, Loader, Saver, Span, Versions};

use super::common::ORDERS;
use super::{noise, open, plain, scramble, stored};

/// A package whose one chunk holds a stored block of Oodle.
pub fn oodle() -> Vec<u8> {
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

pub fn framed(framing: &mut Framing) -> Vec<u8> {
    let mut saver = Saver::new(Versions::unreal());
    framing.serialize(&mut saver).unwrap();
    saver.into_bytes()
}

/// A file whose summary lists these chunks.
pub fn chunked(image: &[u8], flags: u32, chunks: &[&[u8]], sizes: &[usize]) -> Vec<u8> {
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
    edited.edit(|edit| edit.rename_name("Body0", "Other")).unwrap();
    let error = edited.to_bytes().unwrap_err();
    assert!(
        matches!(
            error.unreal(),
            Some(UnrealError::Unsupported { why: Unsupported::NoCompressor, .. })
        ),
        "{error}"
    );
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
    assert!(package.save(&SaveOptions::new().file(other.to_vec())).unwrap().bytes == file);
    // An edit keeps all three.
    let mut edited = package.clone();
    let mut body = package.body(0).unwrap().to_vec();
    body[10] ^= 1;
    edited.edit(|edit| edit.replace_body(0, body)).unwrap();
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
    edited.edit(|edit| edit.replace_body(0, noise(300_000, 9))).unwrap();
    let again = open(&edited.to_bytes().unwrap());
    let framings = again.container().unwrap().framings();
    assert_eq!((framings[0].block_size, framings[0].blocks.len()), (PACKAGE_TAG, 3));
    assert_eq!(framings[0].block_bytes(868), 0x2_0000);
    assert_eq!(framings[0].block_bytes(368), 0x8000);
}

#[test]
fn framings_obey_the_laws() {
    for (around, inside) in ORDERS.into_iter().flat_map(|a| ORDERS.map(|b| (a, b))) {
        let versions = Versions::ue1_to_3(868, 0).with_byte_order(around);
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
        annotated.serialize(&mut Remap::names_and_objects(versions.clone(), &same, &same)).unwrap();
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

#[test]
fn what_is_compressed_twice_is_refused() {
    let package = open(&plain(ByteOrder::Little, &[700]));
    let chunks = stored(&package, Storage::Chunks(Method::Zlib));
    let mut twice = compress(&chunks, Method::Zlib, 0x2_0000).unwrap();
    let error = Package::from_bytes(framed(&mut twice)).unwrap_err();
    assert!(error.to_string().contains("compressed twice"), "{error}");
}
