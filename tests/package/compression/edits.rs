//! Edits touch only their blocks.

use unreal_packages::compression::{Block, Method, Storage};
use unreal_packages::edit::PackageEdit;
use unreal_packages::package::{Package, PackageSpan, SaveOptions};
use unreal_packages::{ByteOrder, Kind};

use super::{LARGE, WRITABLE, open, plain, scramble, stored};

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
        edited.edit(|edit| edit.replace_body(row, body)).unwrap();
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
        let of = |chunk: &unreal_packages::compression::Chunk| {
            let blocks = &chunk.framing().unwrap().blocks;
            let bytes = |block: &Block| block.data.bytes(container.file()).unwrap().to_vec();
            (chunk.uncompressed_offset, blocks.iter().map(bytes).collect())
        };
        container.chunks().iter().map(of).collect()
    };
    let mut edited = packed.clone();
    let grown = [packed.body(1).unwrap(), b"and more"].concat();
    edited.edit(|edit| edit.replace_body(1, grown)).unwrap();
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
    named.edit(|edit| edit.add_name("A_name_that_is_new")).unwrap();
    let again = open(&named.to_bytes().unwrap());
    let after = chunks(&again);
    assert!(before[1..].iter().zip(&after[1..]).all(|(old, new)| old.1 == new.1));
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
        let saved = packed.save(&SaveOptions::new().file(other.to_vec())).unwrap();
        assert!(saved.bytes == file && saved.image.unwrap() == packed.source());
        // And it does take them.
        let mut damaged = file.clone();
        damaged[spans[0].start as usize] ^= 1;
        let saved = packed.save(&SaveOptions::new().file(damaged.to_vec())).unwrap();
        assert!(saved.bytes == damaged);
        let image =
            scramble(packed.source(), PackageSpan::of(&packed).iter().map(|s| (s.start, s.end)));
        assert!(image != packed.source());
        let saved = packed.save(&SaveOptions::new().source(image.to_vec())).unwrap();
        assert!(saved.bytes == file);
        assert!(packed.save(&SaveOptions::new().file(file[1..].to_vec())).is_err());
    }
}
