//! The compact index.

use unreal_packages::archive::{Archive, Loader, Saver};
use unreal_packages::{CompactIndex, Versions};

use super::{BLOCK, sweep};

/// Bytes of the shortest form by the specification's table: 6 bits, then 7 bits a byte.
fn length(magnitude: u32) -> u64 {
    match magnitude {
        0..0x40 => 1,
        0x40..0x2000 => 2,
        0x2000..0x10_0000 => 3,
        0x10_0000..0x800_0000 => 4,
        _ => 5,
    }
}

#[test]
#[ignore = "takes minutes: .ci/long runs it in a release build"]
fn every_number_comes_back_in_its_shortest_form() {
    let saver = || Saver::new(Versions::own(1)).with_capacity(5 * BLOCK as usize);
    let bytes = sweep("compact indices", saver, |saver, words| {
        saver.restart(0);
        let mut expected = 0;
        for word in words.clone() {
            let value = word as u32 as i32;
            saver.serialize_compact(&mut CompactIndex::new(value)).unwrap();
            expected += length(value.unsigned_abs());
        }
        assert_eq!(saver.bytes().len() as u64, expected, "{words:?}");
        let mut loader = Loader::new(saver.bytes(), Versions::own(1));
        let mut index = CompactIndex::default();
        for word in words {
            loader.serialize_compact(&mut index).unwrap();
            assert!(index.value() == word as u32 as i32 && index.is_canonical(), "{word:#x}");
        }
        assert_eq!(loader.remaining(), 0);
        expected
    });
    // As many numbers of each length as there are magnitudes, on both sides of zero.
    assert_eq!(
        bytes,
        5 * (1 << 32)
            - [0x40, 0x2000, 0x10_0000, 0x800_0000_u64].map(|end| 2 * end - 1).iter().sum::<u64>()
    );
}

/// Every four bytes there are, and four behind them that follow from those.
#[test]
#[ignore = "takes minutes: .ci/long runs it in a release build"]
fn every_four_bytes_are_an_index_that_is_saved_as_it_was() {
    const STEP: usize = 8;
    let own = || (vec![0; BLOCK as usize * STEP], Saver::new(Versions::own(1)));
    let canonical = sweep("forms of compact indices", own, |(bytes, saver), words| {
        for (place, word) in bytes.chunks_exact_mut(STEP).zip(words.clone()) {
            let behind = (word as u32).wrapping_mul(0x9e37_79b9).rotate_left(9);
            place[..4].copy_from_slice(&(word as u32).to_le_bytes());
            place[4..].copy_from_slice(&behind.to_le_bytes());
        }
        let mut loader = Loader::new(bytes, Versions::own(1));
        let mut canonical = 0;
        for (at, place) in bytes.chunks_exact(STEP).enumerate() {
            let start = (at * STEP) as u64;
            loader.seek(bytes, start, start + STEP as u64).unwrap();
            let mut index = CompactIndex::default();
            loader.serialize_compact(&mut index).unwrap();
            let (value, length) = specified(place);
            assert_eq!((index.value(), loader.position() - start), (value, length), "{place:02x?}");
            saver.restart(0);
            saver.serialize_compact(&mut index).unwrap();
            assert_eq!(saver.bytes(), &place[..length as usize], "{place:02x?}");
            saver.restart(0);
            saver.serialize_compact(&mut CompactIndex::new(value)).unwrap();
            let is_shortest = saver.bytes() == &place[..length as usize];
            assert_eq!(index.is_canonical(), is_shortest, "{place:02x?}");
            canonical += u64::from(is_shortest);
        }
        canonical
    });
    assert!(canonical > 0);
}

/// The specification's loop: value and number of bytes.
fn specified(bytes: &[u8]) -> (i32, u64) {
    let first = bytes[0];
    let (mut magnitude, mut length) = (u32::from(first & 0x3f), 1);
    let mut more = first & 0x40 != 0;
    while more && length < 5 {
        let byte = bytes[length];
        magnitude |= u32::from(byte & 0x7f) << (7 * length - 1);
        more = byte & 0x80 != 0;
        length += 1;
    }
    let value = magnitude as i32;
    (if first & 0x80 != 0 { value.wrapping_neg() } else { value }, length as u64)
}
