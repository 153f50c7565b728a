//! The compact index: every form, both ways.

use unreal_packages::archive::{Archive, Loader, Saver};
use unreal_packages::{CompactIndex, Versions};

/// The longest form, in bytes.
const LONGEST: usize = 5;

/// The index at the start of the bytes and how many of them it takes.
fn decode(bytes: &[u8]) -> Option<(CompactIndex, usize)> {
    let mut loader = Loader::new(bytes, Versions::own(1));
    let mut index = CompactIndex::default();
    loader.serialize_compact(&mut index).ok()?;
    Some((index, loader.position() as usize))
}

fn encode(mut index: CompactIndex) -> Vec<u8> {
    let mut saver = Saver::new(Versions::own(1));
    saver.serialize_compact(&mut index).unwrap();
    saver.into_bytes()
}

#[test]
fn every_edge_of_the_specification() {
    let canonical: &[(i32, &[u8])] = &[
        (0, &[0x00]),
        (1, &[0x01]),
        (-1, &[0x81]),
        (63, &[0x3f]),
        (-63, &[0xbf]),
        (64, &[0x40, 0x01]),
        (-64, &[0xc0, 0x01]),
        (8191, &[0x7f, 0x7f]),
        (8192, &[0x40, 0x80, 0x01]),
        (1_048_575, &[0x7f, 0xff, 0x7f]),
        (1_048_576, &[0x40, 0x80, 0x80, 0x01]),
        (134_217_727, &[0x7f, 0xff, 0xff, 0x7f]),
        (134_217_728, &[0x40, 0x80, 0x80, 0x80, 0x01]),
        (i32::MAX, &[0x7f, 0xff, 0xff, 0xff, 0x0f]),
        (-i32::MAX, &[0xff, 0xff, 0xff, 0xff, 0x0f]),
        (i32::MIN, &[0xc0, 0x80, 0x80, 0x80, 0x10]),
    ];
    for (value, bytes) in canonical {
        let (decoded, length) = decode(bytes).unwrap();
        assert_eq!((decoded.value(), length), (*value, bytes.len()));
        assert!(decoded.is_canonical(), "{value}");
        assert_eq!(encode(CompactIndex::new(*value)), *bytes, "{value}");
    }
}

#[test]
fn odd_forms_are_kept() {
    let odd: &[(i32, &[u8])] = &[
        (0, &[0x80]),
        (0, &[0x40, 0x00]),
        (0, &[0xc0, 0x80, 0x00]),
        (1, &[0x41, 0x80, 0x00]),
        (i32::MIN, &[0x40, 0x80, 0x80, 0x80, 0x10]),
        (i32::MAX, &[0x7f, 0xff, 0xff, 0xff, 0xef]),
        (i32::MIN, &[0xc0, 0x80, 0x80, 0x80, 0xf0]),
        (5, &[0x45, 0x80, 0x80, 0x80, 0x20]),
        (-i32::MAX, &[0x41, 0x80, 0x80, 0x80, 0x10]),
        (i32::MAX, &[0xc1, 0x80, 0x80, 0x80, 0x10]),
    ];
    for (value, bytes) in odd {
        let (decoded, length) = decode(bytes).unwrap();
        assert_eq!((decoded.value(), length), (*value, bytes.len()), "{bytes:02x?}");
        assert!(!decoded.is_canonical(), "{bytes:02x?}");
        assert_eq!(encode(decoded), *bytes);
    }
}

/// All first bytes with all interesting ones behind them: the number read is that of the specification's
/// loop, and the form comes back.
#[test]
fn every_form_comes_back() {
    const EDGES: [u8; 8] = [0x00, 0x01, 0x1f, 0x20, 0x7f, 0x80, 0x81, 0xff];
    let mut bytes = [0; 8];
    for first in 0..=u8::MAX {
        for rest in 0..EDGES.len().pow(4) {
            bytes[0] = first;
            for (at, byte) in bytes[1..LONGEST].iter_mut().enumerate() {
                *byte = EDGES[rest >> (3 * at) & 7];
            }
            let (mut magnitude, mut length) = (u32::from(first & 0x3f), 1);
            let mut more = first & 0x40 != 0;
            while more && length < LONGEST {
                let byte = bytes[length];
                magnitude |= u32::from(byte & 0x7f) << (7 * length - 1);
                more = byte & 0x80 != 0;
                length += 1;
            }
            let value = magnitude as i32;
            let value = if first & 0x80 != 0 { value.wrapping_neg() } else { value };
            // With a whole word to read, and with nothing behind the index.
            for given in [&bytes[..], &bytes[..length]] {
                let (index, count) = decode(given).unwrap();
                assert_eq!((index.value(), count), (value, length), "{given:02x?}");
                assert_eq!(encode(index), bytes[..length], "{given:02x?}");
                let shortest = encode(CompactIndex::new(value));
                assert_eq!(index.is_canonical(), shortest == bytes[..length]);
            }
            assert!(decode(&bytes[..length - 1]).is_none());
        }
    }
}

#[test]
fn no_sixth_byte_is_read_and_a_short_one_is_none() {
    let (_, length) = decode(&[0xff; 8]).unwrap();
    assert_eq!(length, LONGEST);
    assert!(decode(&[0x40, 0x80]).is_none());
    assert!(decode(&[]).is_none());
}
