//! What a format of one's own is made of: numbers, lists, texts, maps.

use std::collections::{BTreeMap, HashMap};

use unreal_packages::archive::{Archive, Archived, Loader, References, Saver};
use unreal_packages::primitive::{Bool32, Map, array, boolean};
use unreal_packages::{ErrorKind, Guid, Versions};

use crate::stored::{file, loaded, over, own, refused, saved, size, stored};

#[test]
fn numbers_arrays_boxes_and_tuples() {
    stored(0x81_u8, &own(), &[0x81]);
    stored((1_i8, -2_i16, 0x0304_0506_u32), &own(), &[1, 0xfe, 0xff, 6, 5, 4, 3]);
    stored((7_u16,), &own(), &[7, 0]);
    stored(
        (1_i32, (2_u64, 3_i64)),
        &own(),
        &[1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0],
    );
    stored((1_u8, 2_u8, 3_u8, 4_u8), &own(), &[1, 2, 3, 4]);
    stored((1.0_f32, -2.0_f64), &own(), &[0, 0, 0x80, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0xc0]);
    stored([0x0102_u16, 3], &own(), &[2, 1, 3, 0]);
    stored([1_u8, 2, 3], &own(), &[1, 2, 3]);
    stored(Box::new(5_u16), &own(), &[5, 0]);
    let (_, path) = refused::<(u8, u16)>(&[1, 2], &own());
    assert_eq!(path, "1");
}

#[test]
fn truth_values() {
    for (versions, rest) in [(own(), &[][..]), (file(69), &[0; 3]), (file(868), &[0; 3])] {
        stored(true, &versions, &[&[1][..], rest].concat());
        over(false, true, &versions, &[&[0][..], rest].concat());
        let (kind, _) = refused::<bool>(&[&[2][..], rest].concat(), &versions);
        assert!(matches!(kind, ErrorKind::NonCanonical { .. }), "{kind}");
    }
    for (byte, flag) in [(0, false), (1, true)] {
        let mut found = !flag;
        boolean::byte(&mut found, &mut Loader::new(&[byte], own())).unwrap();
        assert_eq!(found, flag);
        let mut saver = Saver::new(own());
        boolean::byte(&mut found, &mut saver).unwrap();
        assert_eq!((saver.into_bytes(), found), (vec![byte], flag));
    }
    let mut flag = true;
    let error = boolean::byte(&mut flag, &mut Loader::new(&[2], own())).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NonCanonical { .. }), "{error}");
    for (number, is_true, text) in [(0, false, "false"), (1, true, "true"), (7, true, "true (0x7)")]
    {
        let value = Bool32(number);
        stored(value, &own(), &[number as u8, 0, 0, 0]);
        assert_eq!((value.is_true(), format!("{value:?}")), (is_true, text.to_owned()));
    }
    assert_eq!((Bool32::from(true), Bool32::from(false)), (Bool32::TRUE, Bool32::FALSE));
    assert_eq!((Bool32::TRUE, Bool32::FALSE), (Bool32(1), Bool32(0)));
    assert_eq!(size::<Guid>(&own()), Some(16));
    assert_eq!(size::<Bool32>(&own()), Some(4));
}

#[test]
fn lists_have_their_count_before_them() {
    stored(vec![7_u8, 8], &own(), &[2, 0, 0, 0, 7, 8]);
    over(vec![0x0102_u16], vec![9; 4], &own(), &[1, 0, 0, 0, 2, 1]);
    over(Vec::<u16>::new(), vec![9; 4], &own(), &[0; 4]);
    // A compact index, then four bytes.
    stored(vec![7_u8; 65], &file(69), &[&[0x41, 1][..], &[7; 65]].concat());
    stored(vec![7_u16], &file(178), &[1, 0, 0, 0, 7, 0]);
    // More than are made ready in one step, and elements that are large.
    let many: Vec<u16> = (0..100).collect();
    let bytes: Vec<u8> = many.iter().flat_map(|number| number.to_le_bytes()).collect();
    stored(many, &own(), &[&[100, 0, 0, 0][..], &bytes].concat());
    let at_the_limit = [2_u64.to_le_bytes(), 3_u64.to_le_bytes()].map(|it| it.repeat(12)).concat();
    stored(vec![[2_u64; 12], [3; 12]], &own(), &[&[2, 0, 0, 0][..], &at_the_limit].concat());
    stored(
        vec![[1_u64; 13], [2; 13]],
        &own(),
        &[vec![2, 0, 0, 0], 1_u64.to_le_bytes().repeat(13), 2_u64.to_le_bytes().repeat(13)]
            .concat(),
    );
    stored(vec![vec![1_u8], vec![]], &own(), &[2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0]);
}

#[test]
fn what_fails_in_a_list_is_named_and_what_was_read_stays() {
    assert_eq!(refused::<Vec<bool>>(&[2, 0, 0, 0, 1, 2], &own()).1, "[1]");
    let large = [&[2, 0, 0, 0][..], &[0; 150]].concat();
    assert!(refused::<Vec<([u64; 12], bool)>>(&large, &own()).1.starts_with("[1]."));
    let (kind, path) = refused::<Vec<u16>>(&[3, 0, 0, 0, 1, 0], &own());
    assert!(matches!(kind, ErrorKind::TooLong { count: 3, remaining: 2 }), "{kind} {path}");
    // What stands before the element that fails is there, and nothing behind it.
    let mut values: Vec<bool> = vec![true; 5];
    let bytes = [3, 0, 0, 0, 1, 2, 0];
    values.serialize(&mut Loader::new(&bytes, own())).unwrap_err();
    assert_eq!(values, [true]);
    let mut values: Vec<(bool, [u64; 12])> = Vec::new();
    let bytes = [&[2, 0, 0, 0, 1][..], &[0; 96], &[2], &[0; 96]].concat();
    values.serialize(&mut Loader::new(&bytes, own())).unwrap_err();
    assert_eq!(values.len(), 1);
    for version in [69, 868] {
        let minus = if version == 69 { vec![0x81] } else { vec![0xff; 4] };
        let (kind, _) = refused::<Vec<u8>>(&minus, &file(version));
        assert!(matches!(kind, ErrorKind::NegativeCount { count: -1 }), "{kind}");
    }
    let (kind, _) = refused::<Vec<u8>>(&[0x41, 0, 7], &file(69));
    assert!(matches!(kind, ErrorKind::NonCanonical { .. }), "{kind}");
}

/// Loads and saves by a function.
fn by<T: Default + PartialEq + std::fmt::Debug>(
    mut value: T,
    versions: &Versions,
    bytes: &[u8],
    with: impl Fn(&mut T, &mut dyn Archive) -> unreal_packages::Result<()>,
) {
    let mut saver = Saver::new(versions.clone());
    with(&mut value, &mut saver).unwrap();
    assert_eq!(saver.into_bytes(), bytes);
    let mut found = T::default();
    let behind = [bytes, &[0xcd; 3]].concat();
    let mut loader = Loader::new(&behind, versions.clone());
    with(&mut found, &mut loader).unwrap();
    assert_eq!((found, loader.remaining()), (value, 3));
    for end in 0..bytes.len() {
        let mut loader = Loader::new(&bytes[..end], versions.clone());
        assert!(with(&mut T::default(), &mut loader).is_err(), "{end}");
    }
}

#[test]
fn counts_of_other_widths_and_places() {
    let list = || vec![1_u16, 2];
    for versions in [own(), file(69), file(868)] {
        let bytes = [2, 0, 0, 0, 1, 0, 2, 0];
        by(list(), &versions, &bytes, |list, ar| array::counted_i32(list, ar));
        by(list(), &versions, &bytes, |list, ar| array::counted_u32(list, ar));
        let wide = [2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0];
        by(list(), &versions, &wide, |list, ar| {
            array::counted_i32_by(list, ar, |value, ar| {
                let mut wide = u32::from(*value);
                ar.serialize_u32(&mut wide)?;
                *value = wide as u16;
                Ok(())
            })
        });
        by(list(), &versions, &bytes[4..], |list, ar| array::elements(list, 2, ar));
        by(list(), &versions, &bytes[4..], |list, ar| array::counted_elsewhere(list, 2, ar));
    }
    let load = |bytes: &'static [u8]| Loader::new(bytes, own());
    let kind = |result: unreal_packages::Result<()>| result.unwrap_err().into_kind();
    let mut list = vec![9_u16; 3];
    let negative = kind(array::counted_i32(&mut list, &mut load(&[0xff; 4])));
    assert!(matches!(negative, ErrorKind::NegativeCount { count: -1 }), "{negative}");
    let long = kind(array::counted_u32(&mut list, &mut load(&[0xff; 4])));
    assert!(matches!(long, ErrorKind::TooLong { count: 0xffff_ffff, .. }), "{long}");
    let each = |value: &mut u16, ar: &mut Loader<'_>| value.serialize(ar);
    let long = kind(array::counted_i32_by(&mut list, &mut load(&[4, 0, 0, 0, 1]), each));
    assert!(matches!(long, ErrorKind::TooLong { count: 4, .. }), "{long}");
    let error =
        array::counted_i32_by(&mut list, &mut load(&[2, 0, 0, 0, 1, 0, 2]), each).unwrap_err();
    assert_eq!(error.path().to_string(), "[1]");
    for (count, expected) in [(-1_i128, "-1"), (1 << 70, "18446744073709551615")] {
        let error = array::counted_elsewhere(&mut list, count, &mut load(&[0; 8])).unwrap_err();
        match error.kind() {
            ErrorKind::NegativeCount { count } => assert_eq!(count.to_string(), expected),
            ErrorKind::TooLong { count, .. } => assert_eq!(count.to_string(), expected),
            other => panic!("{other}"),
        }
    }
    let error = array::counted_elsewhere(&mut list, 7, &mut Saver::new(own())).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Invalid { .. }), "{error}");
}

#[test]
fn units_are_counted_where_bytes_stay_as_they_are() {
    for (bytes, unit, stored) in [(6, 2, Some([3, 0, 0, 0])), (5, 2, None), (0, 7, Some([0; 4]))] {
        let mut saver = Saver::new(file(868));
        let count = array::serialize_unit_count(bytes, unit, &mut saver);
        match stored {
            Some(stored) => {
                assert_eq!(count.unwrap(), bytes / unit);
                assert_eq!(saver.into_bytes(), stored);
                let mut loader = Loader::new(&stored, file(868));
                // Whatever was there, also where it was no whole number of units.
                let count = array::serialize_unit_count(5, 2, &mut loader).unwrap();
                assert_eq!(count, bytes / unit);
            }
            None => {
                let error = count.unwrap_err();
                assert!(
                    matches!(error.kind(), ErrorKind::OutOfRange { value: 5, bits: 31 }),
                    "{error}"
                );
            }
        }
    }
    let error = array::serialize_unit_count(0, 1, &mut Loader::new(&[1], file(868))).unwrap_err();
    assert_eq!(error.path().to_string(), "count");
    let huge = u64::from(u32::MAX);
    let error = array::serialize_unit_count(huge, 1, &mut Saver::new(file(868))).unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::OutOfRange { value: 0xffff_ffff, bits: 31 }),
        "{error}"
    );
    assert_eq!(array::serialize_unit_count(huge, 1, &mut Saver::new(own())).unwrap(), huge);
    let error = array::serialize_unit_count(huge + 1, 1, &mut Saver::new(own())).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::OutOfRange { bits: 32, .. }), "{error}");
}

#[test]
fn guids_are_four_numbers_in_the_order_of_the_file() {
    let guid = Guid::new(0x0102_0304, 5, 6, 0x0708_090a);
    stored(guid, &own(), &[4, 3, 2, 1, 5, 0, 0, 0, 6, 0, 0, 0, 10, 9, 8, 7]);
    let big = file(868).with_byte_order(unreal_packages::ByteOrder::Big);
    stored(guid, &big, &[1, 2, 3, 4, 0, 0, 0, 5, 0, 0, 0, 6, 7, 8, 9, 10]);
    assert_eq!(guid.to_string(), "0102030400000005000000060708090A");
    assert_eq!(format!("{guid:?}"), "Guid(0102030400000005000000060708090A)");
    for text in ["0102030400000005000000060708090a", "{01020304-0000-0005-0000-00060708090A}"] {
        assert_eq!(text.parse::<Guid>().unwrap(), guid, "{text}");
    }
    for text in [
        "",
        "0102030400000005000000060708090",
        "0102030400000005000000060708090a0",
        "0102030400000005000000060708090g",
        "g102030400000005000000060708090a",
        "+102030400000005000000060708090a",
        "01020304+0000005000000060708090a",
        "0102030400000005+0000060708090a0",
        "010203040000000500000006+708090a",
    ] {
        let error = text.parse::<Guid>().unwrap_err();
        assert!(error.to_string().contains("32 hexadecimal digits"), "{text}: {error}");
    }
}

#[test]
fn maps_keep_their_order_or_have_one() {
    let pairs = [2, 0, 0, 0, 9, 1, 0, 3, 2, 0];
    let map = Map(vec![(9_u8, 1_u16), (3, 2)]);
    stored(map.clone(), &own(), &pairs);
    assert_eq!((map.get(&9), map.get(&3), map.get(&1)), (Some(&1), Some(&2), None));
    let sorted = [2, 0, 0, 0, 3, 2, 0, 9, 1, 0];
    over(BTreeMap::from([(9_u8, 1_u16), (3, 2)]), BTreeMap::from([(1, 1)]), &own(), &sorted);
    over(HashMap::from([(9_u8, 1_u16), (3, 2)]), HashMap::from([(1, 1)]), &own(), &sorted);
    over(BTreeMap::<u8, u8>::new(), BTreeMap::from([(1, 1)]), &own(), &[0; 4]);
    let twice = [2, 0, 0, 0, 3, 2, 0, 3, 1, 0];
    for bytes in [pairs, twice] {
        for (kind, path) in [
            refused::<BTreeMap<u8, u16>>(&bytes, &own()),
            refused::<HashMap<u8, u16>>(&bytes, &own()),
        ] {
            assert!(matches!(kind, ErrorKind::NonCanonical { .. }), "{kind}");
            assert_eq!(path, "[1]");
        }
    }
    assert_eq!(refused::<BTreeMap<u8, u16>>(&[1, 0, 0, 0, 3, 2], &own()).1, "[0].value");
    let (kind, _) = refused::<BTreeMap<u8, u16>>(&[9, 0, 0, 0, 3, 2], &own());
    assert!(matches!(kind, ErrorKind::TooLong { count: 9, .. }), "{kind}");
    // Visiting changes nothing.
    let mut map = BTreeMap::from([(9_u8, 1_u16), (3, 2)]);
    map.serialize(&mut References::new(own())).unwrap();
    assert_eq!(map, BTreeMap::from([(9, 1), (3, 2)]));
}

#[test]
fn options_and_texts() {
    over(Some(7_u16), None, &own(), &[1, 7, 0]);
    over(None, Some(7_u16), &own(), &[0]);
    let (kind, path) = refused::<Option<u16>>(&[2, 0, 0], &own());
    assert!(matches!(kind, ErrorKind::NonCanonical { .. }), "{kind}");
    assert_eq!(path, "present");
    assert_eq!(refused::<Option<u16>>(&[1, 0], &own()).1, "value");
    over("é".to_owned(), "longer".to_owned(), &own(), &[2, 0, 0, 0, 0xc3, 0xa9]);
    over(String::new(), "longer".to_owned(), &own(), &[0; 4]);
    let (kind, path) = refused::<String>(&[1, 0, 0, 0, 0xc3], &own());
    assert!(matches!(kind, ErrorKind::NotText { .. }), "{kind}");
    assert_eq!(path, "characters");
    let (kind, _) = refused::<String>(&[9, 0, 0, 0, 65], &own());
    assert!(matches!(kind, ErrorKind::TooLong { count: 9, .. }), "{kind}");
    let mut text = "kept".to_owned();
    text.serialize(&mut References::new(own())).unwrap();
    assert_eq!(text, "kept");
    assert_eq!(loaded::<String>(b"\x01\0\0\0A", &own()).unwrap(), ("A".to_owned(), 5));
    assert!(saved(&mut text, &own()).is_ok());
}
