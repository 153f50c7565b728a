//! What attributes hand from field to field: arguments, counts, tags, bits, tags that nobody knows.

use farchive::archive::{BitField, Tagged};
use farchive::{Archive, ArchiveExt, Archived, ErrorKind, Result, with};
use serde_json::json;

use crate::stored::{loaded, refused, saved, stored, stored_in};

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Image {
    width: u16,
    height: u8,
    #[archive(with = rows(usize::from(self.width), self.height))]
    pixels: Vec<Vec<u8>>,
    #[archive(with = with::each_u8(with::text_u8))]
    names: Vec<String>,
}

/// Rows of as many pixels as other fields say.
fn rows<A: Archive + ?Sized>(
    rows: &mut Vec<Vec<u8>>,
    width: usize,
    height: u8,
    ar: &mut A,
) -> Result<()> {
    if ar.is_loading() {
        ar.claim(u64::from(height), width)?;
        *rows = vec![vec![0; width]; height.into()];
    }
    rows.iter_mut().try_for_each(|row| ar.serialize_bytes(row))
}

#[test]
fn a_function_takes_fields_above() {
    let pixels = vec![vec![1, 2, 3], vec![4, 5, 6]];
    let image = Image { width: 3, height: 2, pixels, names: vec!["x".into()] };
    stored_in(image, 2, &[3, 0, 2, 1, 2, 3, 4, 5, 6, 1, 1, b'x']);
}

#[derive(Archived, Debug, Clone, PartialEq)]
#[repr(u8)]
enum Part {
    Row {
        width: u8,
        #[archive(with = rows(usize::from(*width), 1))]
        row: Vec<Vec<u8>>,
    },
    Grid(u8, u8, #[archive(count = _0 * _1)] Vec<u16>),
    Text {
        #[archive(computed = text.len())]
        length: u16,
        #[archive(count = length)]
        text: String,
    },
}

impl Default for Part {
    fn default() -> Self {
        Self::Grid(0, 0, Vec::new())
    }
}

#[test]
fn fields_of_variants_do_the_same() {
    stored(Part::Row { width: 2, row: vec![vec![8, 9]] }, &[0, 2, 8, 9]);
    stored(Part::Grid(2, 1, vec![5, 6]), &[1, 2, 1, 5, 0, 6, 0]);
    stored(Part::Text { length: 3, text: "abc".into() }, b"\x02\x03\0abc");
    let mut text = Part::Text { length: 0, text: "abc".into() };
    assert_eq!(saved(&mut text, 1).expect("the length is worked out"), b"\x02\x03\0abc");
    let error = saved(&mut Part::Grid(2, 2, vec![5, 6]), 1).expect_err("there are too few");
    assert_eq!(error.path(), "2");
}

const FIXED: u8 = 2;

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Counts {
    w: u32,
    h: u64,
    #[archive(count = w * h)]
    area: Vec<u8>,
    #[archive(count = (self.w as u8) / 2 + 1)]
    half: Box<[u8]>,
    #[archive(count = FIXED)]
    fixed: String,
    #[archive(count = 2 * w - h)]
    difference: Vec<u16>,
    #[archive(count = ..)]
    rest: String,
}

#[test]
fn a_count_is_an_expression_of_fields_above() {
    let value = Counts {
        w: 2,
        h: 3,
        area: vec![1; 6],
        half: [7, 8].into(),
        fixed: "ab".into(),
        difference: vec![9],
        rest: "end".into(),
    };
    let mut bytes =
        vec![2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 7, 8, b'a', b'b', 9, 0];
    bytes.extend(b"end");
    stored(value.clone(), &bytes);
    let error = saved(&mut Counts { w: 3, ..value }, 1).expect_err("it does not count");
    assert!(error.to_string().contains("its count says 9, there are 6"), "{error}");
    // Numbers that would overflow are a count that does not fit.
    let huge = [&[0xff; 12][..], &[0; 40]].concat();
    let error = refused::<Counts>(&huge, 1);
    assert!(matches!(error.kind(), ErrorKind::TooLong { .. }), "{error}");
    let error = refused::<Counts>(&[0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 7, b'a', b'b'], 1);
    assert!(matches!(error.kind(), ErrorKind::NegativeCount { count: -3 }), "{error}");
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Huge {
    a: u64,
    b: u64,
    #[archive(count = a / b + a % b)]
    quotient: Vec<u8>,
    #[archive(count = a * a - 1)]
    product: Vec<u8>,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Below {
    a: u64,
    #[archive(count = 0 - a * a - a * a)]
    difference: Vec<u8>,
}

#[test]
fn numbers_of_a_count_stop_at_their_ends() {
    let bytes = [&u64::MAX.to_le_bytes()[..], &[0; 8]].concat();
    let error = refused::<Huge>(&bytes, 1);
    assert_eq!(error.path(), "product", "a division by zero is zero");
    assert!(matches!(error.kind(), ErrorKind::TooLong { .. }), "{error}");
    let error = refused::<Below>(&[0xff; 8], 1);
    assert!(matches!(error.kind(), ErrorKind::NegativeCount { .. }), "{error}");
    let mut huge = Huge { a: u64::MAX, ..Huge::default() };
    assert_eq!(saved(&mut huge, 1).expect_err("it has too few").path(), "product");
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Message {
    #[archive(computed = self.body.tag())]
    kind: u16,
    #[archive(computed = self.names.len())]
    name_count: u8,
    flags: u8,
    #[archive(tag = kind)]
    body: Body,
    #[archive(count = name_count)]
    names: Vec<u16>,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(u16)]
#[archive(tagged)]
enum Body {
    #[default]
    Empty,
    Move {
        x: i8,
        y: i8,
    } = 300,
    #[since(2)]
    Chat(String),
    #[archive(other)]
    Unknown {
        tag: u16,
        data: u32,
    },
}

#[test]
fn a_tag_stands_in_another_field_and_saving_works_it_out() {
    let mut message = Message {
        kind: 0,
        name_count: 0,
        flags: 7,
        body: Body::Move { x: 1, y: -1 },
        names: vec![5],
    };
    let bytes = [0x2c, 1, 1, 7, 1, 0xff, 5, 0];
    assert_eq!(saved(&mut message, 1).expect("tag and count are worked out"), bytes);
    assert_eq!((message.kind, message.name_count), (0, 0), "saving leaves the value");
    (message.kind, message.name_count) = (300, 1);
    let document = stored(message, &bytes);
    let body = json!({ "x": 1, "y": -1 });
    assert_eq!(
        document,
        json!({ "kind": 300, "name_count": 1, "flags": 7, "body": body, "names": [5] })
    );
    let unknown = Body::Unknown { tag: 301, data: 9 };
    let kept = Message { kind: 301, body: unknown, ..Message::default() };
    stored(kept.clone(), &[0x2d, 1, 0, 0, 9, 0, 0, 0]);
    let error = saved(&mut kept.clone(), 2).expect_err("version 2 knows the tag");
    assert!(error.to_string().contains("301 is kept as an unknown tag"), "{error}");
    let error = saved(&mut Message { names: vec![0; 256], ..kept }, 1).expect_err("too many");
    assert_eq!(error.path(), "name_count");
    // By itself it stands behind its tag.
    stored_in(Body::Chat("x".into()), 2, &[0x2d, 1, 1, 0, 0, 0, b'x']);
    let error = saved(&mut Body::Chat("x".into()), 1).expect_err("there is none yet");
    assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
}

#[test]
fn a_tag_that_is_set_by_hand_must_be_right() {
    #[derive(Archived, Debug, Clone, Default, PartialEq)]
    struct Plain {
        kind: u16,
        #[archive(tag = kind)]
        body: Body,
    }
    stored(Plain { kind: 300, body: Body::Move { x: 1, y: 2 } }, &[0x2c, 1, 1, 2]);
    let mut wrong = Plain { kind: 1, body: Body::Move { x: 1, y: 2 } };
    let error = saved(&mut wrong, 1).expect_err("it is another variant's");
    assert_eq!(
        error.to_string(),
        "body at 0x2 (version 1): its tag says 1, that of the value is 300"
    );
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum Side {
    #[default]
    Left,
    Right,
}

impl BitField for Side {
    fn to_bits(&self) -> u64 {
        *self as u64
    }

    fn from_bits(bits: u64) -> Option<Self> {
        [Self::Left, Self::Right].get(usize::try_from(bits).ok()?).copied()
    }
}

impl Archived for Side {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut bits = self.to_bits();
        with::as_u8(&mut bits, ar)?;
        *self = Self::from_bits(bits).unwrap_or_default();
        Ok(())
    }
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(bits = u16)]
struct Packed {
    #[archive(bits = 1)]
    visible: bool,
    #[archive(bits = 5)]
    layer: u8,
    #[archive(bits = 2)]
    side: Side,
    #[archive(skip)]
    cached: u32,
    #[archive(bits = 7)]
    id: u32,
}

#[test]
fn fields_are_bits_of_one_number() {
    let value = Packed { visible: true, layer: 17, side: Side::Right, cached: 0, id: 100 };
    let document = stored(value.clone(), &[0b0110_0011, 100]);
    assert_eq!(document, json!({ "visible": true, "layer": 17, "side": 1, "id": 100 }));
    let error = saved(&mut Packed { layer: 32, ..value }, 1).expect_err("it has six bits");
    assert_eq!(error.path(), "layer");
    assert!(matches!(error.kind(), ErrorKind::OutOfRange { value: 32, bits: 5 }), "{error}");
    let error = refused::<Packed>(&[0, 0x80], 1);
    assert_eq!(
        error.to_string(),
        "at 0x0 (version 1): a form that this type can't keep: bits that no field has"
    );
    let error = refused::<Packed>(&[0xc0, 0], 1);
    assert_eq!((error.path().as_str(), error.offset()), ("side", Some(0)));
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(u8)]
enum Chunk {
    #[default]
    End,
    Name(String),
    #[archive(other)]
    Unknown(u8, #[archive(with = with::sized_u16)] Vec<u8>),
}

#[test]
fn unknown_tags_are_kept() {
    stored(Chunk::Unknown(9, vec![1]), &[9, 5, 0, 1, 0, 0, 0, 1]);
    stored(
        vec![Chunk::Name("a".into()), Chunk::Unknown(7, vec![]), Chunk::End],
        &[3, 0, 0, 0, 1, 1, 0, 0, 0, b'a', 7, 4, 0, 0, 0, 0, 0, 0],
    );
    let error = saved(&mut Chunk::Unknown(1, vec![]), 1).expect_err("it would be a name");
    assert!(
        error
            .to_string()
            .contains("1 is kept as an unknown tag, but it is that of the variant Name"),
        "{error}"
    );
    assert_eq!(loaded::<Chunk>(&[0], 1).expect("it is loaded"), Chunk::End);
}
