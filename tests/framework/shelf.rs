//! Forms of the shelf, one by one: their bytes, their documents, and what they refuse.

use farchive::{Archive, Archived, ErrorKind, Loader, Saver, Versions, from_bytes, to_bytes, with};
use serde_json::json;

use crate::stored::{own, refused, saved, stored};

/// A type with one field in a form of the shelf.
macro_rules! forms {
    ($($name:ident $type:ty, $with:expr;)*) => { $(
        #[derive(Archived, Debug, Clone, Default, PartialEq)]
        struct $name {
            #[archive(with = $with)]
            value: $type,
        }

        impl From<$type> for $name {
            fn from(value: $type) -> Self {
                Self { value }
            }
        }
    )* };
}
forms! {
    ListU8 Vec<u16>, with::list_u8;
    ListU16 Vec<u8>, with::list_u16;
    ListU32 Vec<u8>, with::list_u32;
    ListU64 Vec<u8>, with::list_u64;
    ListVarint Vec<u8>, with::list_varint;
    Each Vec<String>, with::each(with::c_text);
    EachU8 Vec<u32>, with::each_u8(with::u24);
    EachU16 Vec<u32>, with::each_u16(with::varint);
    EachU32 Vec<bool>, with::each_u32(with::bool_u16);
    EachU64 Vec<u8>, with::each_u64(with::as_u16);
    EachVarint Vec<u8>, with::each_varint(with::as_u16);
    Rest Vec<u16>, with::rest;
    Bytes Vec<u8>, with::rest;
    RestOfText String, with::rest_of_text;
    Optional Option<u32>, with::optional(with::u24);
    TextU8 String, with::text_u8;
    TextU16 String, with::text_u16;
    TextU32 String, with::text_u32;
    TextU64 String, with::text_u64;
    TextVarint String, with::text_varint;
    Utf16U8 String, with::utf16_u8;
    Utf16U16 String, with::utf16_u16;
    Utf16U32 String, with::utf16_u32;
    Utf16U64 String, with::utf16_u64;
    Utf16Varint String, with::utf16_varint;
    CText String, with::c_text;
    CUtf16 String, with::c_utf16;
    FixedText String, with::fixed_text::<4>;
    FixedUtf16 String, with::fixed_utf16::<2>;
    AsU8 u32, with::as_u8;
    AsI8 i64, with::as_i8;
    AsU16 usize, with::as_u16;
    AsI16 i32, with::as_i16;
    AsU32 u64, with::as_u32;
    AsI32 i64, with::as_i32;
    AsU64 usize, with::as_u64;
    AsI64 isize, with::as_i64;
    U24 u32, with::u24;
    I24 i32, with::i24;
    Varint u64, with::varint;
    Zigzag i64, with::zigzag;
    BoolU8 bool, with::bool_u8;
    BoolU16 bool, with::bool_u16;
    BoolU32 bool, with::bool_u32;
    BigEndian u32, with::big_endian;
    LittleEndian (u16, u16), with::little_endian;
    SizedU8 Vec<u16>, with::sized_u8;
    SizedU16 String, with::sized_u16;
    SizedU32 Bytes, with::sized_u32;
    SizedU64 u8, with::sized_u64;
    SizedVarint Bytes, with::sized_varint;
    Padding (), with::padding::<3>;
    Constant (), with::constant(0xfeff_u16);
}

#[test]
fn lists_have_counts_of_any_width() {
    let form = |value: serde_json::Value| json!({ "value": value });
    assert_eq!(stored(ListU8::from(vec![1, 2]), &[2, 1, 0, 2, 0]), form(json!([1, 2])));
    assert_eq!(stored(ListU8::from(vec![]), &[0]), form(json!([])));
    assert_eq!(stored(ListU16::from(vec![9]), &[1, 0, 9]), form(json!({ "$hex": "09" })));
    stored(ListU32::from(vec![9]), &[1, 0, 0, 0, 9]);
    stored(ListU64::from(vec![9]), &[1, 0, 0, 0, 0, 0, 0, 0, 9]);
    stored(ListVarint::from(vec![7; 200]), &[&[0xc8, 1][..], &[7; 200]].concat());
    let error = saved(&mut ListU8::from(vec![0; 256]), 1).expect_err("one too many");
    assert!(matches!(error.kind(), ErrorKind::OutOfRange { value: 256, bits: 8 }), "{error}");
    let error = refused::<ListU64>(&[0xff; 9], 1);
    assert!(matches!(error.kind(), ErrorKind::TooLong { .. }), "{error}");
}

#[test]
fn each_element_may_have_a_form() {
    let value = Each::from(vec!["a".to_owned(), String::new()]);
    assert_eq!(stored(value, b"\x02\0\0\0a\0\0"), json!({ "value": ["a", ""] }));
    let value = EachU8::from(vec![1, 0x01_02_03]);
    assert_eq!(stored(value, &[2, 1, 0, 0, 3, 2, 1]), json!({ "value": [1, 0x01_02_03] }));
    stored(EachU16::from(vec![300]), &[1, 0, 0xac, 2]);
    let value = EachU32::from(vec![true]);
    assert_eq!(stored(value, &[1, 0, 0, 0, 1, 0]), json!({ "value": [true] }));
    stored(EachU64::from(vec![5]), &[1, 0, 0, 0, 0, 0, 0, 0, 5, 0]);
    stored(EachVarint::from(vec![5]), &[1, 5, 0]);
    assert_eq!(stored(Optional::from(Some(7)), &[1, 7, 0, 0]), json!({ "value": 7 }));
    assert_eq!(stored(Optional::from(None), &[0]), json!({ "value": null }));
    let error = refused::<EachU8>(&[1, 1, 0], 1);
    assert_eq!(error.path(), "value[0]");
}

#[test]
fn elements_go_to_the_end() {
    assert_eq!(stored(Rest::from(vec![1, 2]), &[1, 0, 2, 0]), json!({ "value": [1, 2] }));
    stored(Rest::from(vec![]), &[]);
    stored(Bytes::from(vec![]), &[]);
    stored(Bytes::from(vec![1, 2, 3]), &[1, 2, 3]);
    let text = "Grüße".to_owned();
    assert_eq!(stored(RestOfText::from(text.clone()), text.as_bytes()), json!({ "value": text }));
    let (mut rest, bytes) = (Bytes::default(), vec![7; 200_000]);
    rest.serialize(&mut Loader::new(&bytes, Versions::own(1))).expect("it is long");
    assert_eq!(rest.value, bytes);
    assert_eq!(refused::<Rest>(&[1, 0, 2], 1).path(), "value[1]");
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Nothing {
        #[archive(with = with::rest)]
        values: Vec<()>,
    }
    let error = refused::<Nothing>(&[1], 1);
    assert!(error.to_string().contains("need bytes"), "{error}");
}

#[test]
fn texts_have_lengths_of_any_width() {
    let (text, said) = ("Ä1".to_owned(), json!({ "value": "Ä1" }));
    assert_eq!(stored(TextU8::from(text.clone()), b"\x03\xc3\x841"), said);
    assert_eq!(stored(TextU16::from(text.clone()), b"\x03\0\xc3\x841"), said);
    assert_eq!(stored(TextU32::from(text.clone()), b"\x03\0\0\0\xc3\x841"), said);
    assert_eq!(stored(TextU64::from(text.clone()), b"\x03\0\0\0\0\0\0\0\xc3\x841"), said);
    assert_eq!(stored(TextVarint::from(text.clone()), b"\x03\xc3\x841"), said);
    assert_eq!(stored(Utf16U8::from(text.clone()), b"\x02\xc4\x001\0"), said);
    assert_eq!(stored(Utf16U16::from(text.clone()), b"\x02\0\xc4\x001\0"), said);
    assert_eq!(stored(Utf16U32::from(text.clone()), b"\x02\0\0\0\xc4\x001\0"), said);
    let long = b"\x02\0\0\0\0\0\0\0\xc4\x001\0";
    assert_eq!(stored(Utf16U64::from(text.clone()), long), said);
    assert_eq!(
        stored(Utf16Varint::from("\u{1f600}".to_owned()), b"\x02\x3d\xd8\x00\xde"),
        json!({
            "value": "\u{1f600}"
        })
    );
    let error = saved(&mut TextU8::from("x".repeat(256)), 1).expect_err("too long");
    assert_eq!(error.path(), "value.length");
    let error = refused::<TextU8>(&[2, 0xc3, 0x28], 1);
    assert_eq!(
        error.to_string(),
        "value.characters at 0x1 (version 1): the bytes are no text: they are not UTF-8"
    );
    let error = refused::<Utf16U8>(&[1, 0, 0xd8], 1);
    assert!(matches!(error.kind(), ErrorKind::NotText { .. }), "{error}");
}

#[test]
fn texts_end_with_zero_or_fill_a_room() {
    assert_eq!(stored(CText::from("ab".to_owned()), b"ab\0"), json!({ "value": "ab" }));
    stored(CText::from(String::new()), b"\0");
    stored(CText::from("x".repeat(1000)), &[&[b'x'; 1000][..], b"\0"].concat());
    stored(CUtf16::from("ab".to_owned()), b"a\0b\0\0\0");
    stored(FixedText::from("ab".to_owned()), b"ab\0\0");
    assert_eq!(stored(FixedText::from("abcd".to_owned()), b"abcd"), json!({ "value": "abcd" }));
    stored(FixedUtf16::from("a".to_owned()), b"a\0\0\0");
    stored(FixedUtf16::from("ab".to_owned()), b"a\0b\0");
    for error in [
        saved(&mut CText::from("a\0b".to_owned()), 1),
        saved(&mut CUtf16::from("a\0b".to_owned()), 1),
        saved(&mut FixedText::from("a\0b".to_owned()), 1),
        saved(&mut FixedText::from("abcde".to_owned()), 1),
        saved(&mut FixedUtf16::from("abc".to_owned()), 1),
    ] {
        let error = error.expect_err("it can't be stored");
        assert!(matches!(error.kind(), ErrorKind::BadText { .. }), "{error}");
    }
    assert!(matches!(refused::<CText>(b"ab", 1).kind(), ErrorKind::UnexpectedEnd { .. }));
    assert!(matches!(refused::<CUtf16>(b"a\0b\0", 1).kind(), ErrorKind::UnexpectedEnd { .. }));
    assert!(matches!(refused::<FixedText>(b"a\0b\0", 1).kind(), ErrorKind::NonCanonical { .. }));
    assert!(matches!(refused::<FixedUtf16>(b"\0\0b\0", 1).kind(), ErrorKind::NonCanonical { .. }));
}

#[test]
fn numbers_have_any_width() {
    assert_eq!(stored(AsU8::from(200), &[200]), json!({ "value": 200 }));
    stored(AsI8::from(-2), &[0xfe]);
    stored(AsU16::from(0x0102_usize), &[2, 1]);
    stored(AsI16::from(-2), &[0xfe, 0xff]);
    stored(AsU32::from(3_000_000_000), &[0, 0x5e, 0xd0, 0xb2]);
    stored(AsI32::from(-1), &[0xff; 4]);
    stored(AsU64::from(1_usize), &[1, 0, 0, 0, 0, 0, 0, 0]);
    stored(AsI64::from(-1_isize), &[0xff; 8]);
    assert_eq!(stored(U24::from(0x01_02_03), &[3, 2, 1]), json!({ "value": 0x01_02_03 }));
    assert_eq!(stored(I24::from(-2), &[0xfe, 0xff, 0xff]), json!({ "value": -2 }));
    for error in [
        saved(&mut AsU8::from(256), 1),
        saved(&mut AsI8::from(128), 1),
        saved(&mut U24::from(1 << 24), 1),
        saved(&mut I24::from(1 << 23), 1),
        saved(&mut I24::from(-(1 << 23) - 1), 1),
    ] {
        let error = error.expect_err("it does not fit");
        assert!(matches!(error.kind(), ErrorKind::OutOfRange { .. }), "{error}");
        assert_eq!(error.path(), "value");
    }
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Narrow {
        #[archive(with = with::as_u32)]
        value: u8,
    }
    let error = refused::<Narrow>(&[0, 1, 0, 0], 1);
    assert!(matches!(error.kind(), ErrorKind::OutOfRange { value: 256, bits: 8 }), "{error}");
    assert_eq!(error.offset(), Some(0), "the place is the value's start");
}

#[test]
fn varints_are_as_short_as_they_can_be() {
    for (number, bytes) in [
        (0, &[0][..]),
        (127, &[0x7f]),
        (128, &[0x80, 1]),
        (300, &[0xac, 2]),
        (u64::MAX, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
    ] {
        assert_eq!(stored(Varint::from(number), bytes), json!({ "value": number }));
    }
    for (number, bytes) in [
        (0, &[0][..]),
        (-1, &[1]),
        (1, &[2]),
        (-65, &[0x81, 1]),
        (i64::MIN, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1]),
    ] {
        assert_eq!(stored(Zigzag::from(number), bytes), json!({ "value": number }));
    }
    for long in
        [&[0x80, 0][..], &[0xff; 10], &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2]]
    {
        let error = refused::<Varint>(long, 1);
        assert!(matches!(error.kind(), ErrorKind::NonCanonical { .. }), "{error}");
        assert_eq!(error.offset(), Some(0));
    }
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Short {
        #[archive(with = with::varint)]
        value: u8,
        #[archive(with = with::zigzag)]
        signed: i8,
    }
    stored(Short { value: 200, signed: -128 }, &[0xc8, 1, 0xff, 1]);
    assert!(matches!(refused::<Short>(&[0x80, 2, 0], 1).kind(), ErrorKind::OutOfRange { .. }));
}

#[test]
fn truth_values_are_one_byte_or_more() {
    assert_eq!(stored(true, &[1]), json!(true));
    assert_eq!(stored(BoolU8::from(true), &[1]), json!({ "value": true }));
    assert_eq!(stored(BoolU16::from(false), &[0, 0]), json!({ "value": false }));
    stored(BoolU32::from(true), &[1, 0, 0, 0]);
    let error = refused::<BoolU32>(&[2, 0, 0, 0], 1);
    assert!(matches!(error.kind(), ErrorKind::NonCanonical { .. }), "{error}");
    assert_eq!(error.offset(), Some(0));
}

#[test]
fn a_field_has_a_byte_order_of_its_own() {
    stored(BigEndian::from(0x0102_0304), &[1, 2, 3, 4]);
    let (mut value, mut versions) = (LittleEndian::from((1, 2)), Versions::own(1));
    versions.byte_order = farchive::ByteOrder::Big;
    let mut saver = Saver::new(versions.clone());
    value.serialize(&mut saver).expect("it is saved");
    7_u16.serialize(&mut saver).expect("the order is as it was");
    assert_eq!(saver.bytes(), [1, 0, 2, 0, 0, 7]);
    let mut loader = Loader::new(&[1, 0], versions);
    assert!(LittleEndian::default().serialize(&mut loader).is_err());
    assert!(loader.versions().byte_order.is_big(), "also behind an error");
}

#[test]
fn sizes_stand_before_values() {
    let value = SizedU8::from(vec![5]);
    assert_eq!(stored(value, &[6, 1, 0, 0, 0, 5, 0]), json!({ "value": [5] }));
    stored(SizedU16::from("ab".to_owned()), b"\x06\0\x02\0\0\0ab");
    let value = SizedU32::from(Bytes::from(vec![1, 2]));
    assert_eq!(
        stored(value, &[2, 0, 0, 0, 1, 2]),
        json!({ "value": { "value": { "$hex": "0102" } } })
    );
    stored(SizedU64::from(9), &[1, 0, 0, 0, 0, 0, 0, 0, 9]);
    let value = SizedVarint::from(Bytes::from(vec![3; 200]));
    stored(value, &[&[0xc8, 1][..], &[3; 200]].concat());
    let error = saved(&mut SizedU8::from(vec![0; 200]), 1).expect_err("it is too long");
    assert_eq!(error.path(), "value.size");
    let error = refused::<SizedU64>(&[2, 0, 0, 0, 0, 0, 0, 0, 9, 9], 1);
    assert!(matches!(error.kind(), ErrorKind::LeftOver { left: 1, size: 2 }), "{error}");
}

#[test]
fn zeros_and_constants_say_nothing() {
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Aligned {
        first: u8,
        #[archive(with = with::align::<4>)]
        padding: (),
        second: u8,
        #[archive(with = with::align::<1>)]
        nothing: (),
    }
    let value = Aligned { first: 1, second: 2, ..Aligned::default() };
    assert_eq!(stored(value, &[1, 0, 0, 0, 2]), json!({ "first": 1, "second": 2 }));
    stored(Padding::default(), &[0; 3]);
    let error = refused::<Padding>(&[0, 1, 0], 1);
    assert!(matches!(error.kind(), ErrorKind::NonCanonical { .. }), "{error}");
    assert_eq!(stored(Constant::default(), &[0xff, 0xfe]), json!({}));
    let error = refused::<Constant>(&[0xfe, 0xff], 1);
    assert_eq!(error.to_string(), "value at 0x0 (version 1): 65279 belongs here, found 65534");
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Versioned {
    #[archive(with = with::version_u16(1..=2))]
    version: (),
    #[since(2)]
    coins: u8,
    lives: u16,
}

#[test]
fn a_file_says_its_version_and_keeps_the_byte_order() {
    let value = Versioned { version: (), coins: 7, lives: 3 };
    let big = own(2).with_byte_order(farchive::ByteOrder::Big);
    let bytes = to_bytes(&value, &big).expect("it is saved");
    assert_eq!(bytes, [0, 2, 7, 0, 3]);
    // What is loaded goes by the version that stands there.
    let other = big.clone().with(farchive::version::Axis::FIRST, 1);
    assert_eq!(from_bytes::<Versioned>(&bytes, &other).expect("it is loaded"), value);
    let error = from_bytes::<Versioned>(&[0, 3, 7, 0, 3], &big).expect_err("it is later");
    assert_eq!(
        error.to_string(),
        "version at 0x0 (version 2): version 3 is not known, only 1 to 2: a later program has written it, or it is no \
         such file"
    );
    let error = to_bytes(&Versioned::default(), &own(3)).expect_err("it is later");
    assert!(
        error.to_string().ends_with("only 1 to 2: give one of these to what saves it"),
        "{error}"
    );
}

#[test]
fn a_file_that_says_its_version_keeps_the_laws() {
    farchive::testing::laws::<Versioned>();
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Placed {
    offset: i8,
    #[archive(with = with::at(self.offset))]
    elsewhere: u16,
}

#[test]
fn an_offset_that_leads_nowhere_is_refused() {
    let stored = |offset| to_bytes(&Placed { offset, elsewhere: 0x0201 }, &own(1));
    assert_eq!(stored(2).expect("it is saved"), [2, 0, 1, 2]);
    let error = stored(-1).expect_err("it is below zero");
    assert!(matches!(error.kind(), ErrorKind::OutOfRange { value: -1, .. }), "{error}");
    let error = from_bytes::<Placed>(&[9, 0], &own(1)).expect_err("it is outside");
    assert_eq!((error.path(), error.offset()), ("elsewhere".to_owned(), Some(1)), "{error}");
}
