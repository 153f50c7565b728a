//! Counts that stand elsewhere, and magic values.

use farchive::{Archive, Archived, Counter, Error, ErrorKind, Loader, Saver, Versions};

/// Two counts, then the rows of both.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(magic = b"TWO!")]
struct Header {
    first_count: u16,
    second_count: u32,
    #[archive(count = first_count)]
    first: Vec<u8>,
    #[archive(count = second_count)]
    #[since(2)]
    second: Vec<u16>,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Signed {
    count: i8,
    #[archive(count = count)]
    rows: Vec<u8>,
}

#[derive(Archived, Debug, Clone, PartialEq)]
#[repr(u8)]
enum Rows {
    Named {
        count: u8,
        #[archive(count = count)]
        rows: Vec<u8>,
    } = 7,
    Pair(u8, #[archive(count = 0)] Vec<u8>),
}

impl Default for Rows {
    fn default() -> Self {
        Self::Pair(0, Vec::new())
    }
}

fn save<T: Archived>(value: &mut T) -> Result<Vec<u8>, Error> {
    let mut saver = Saver::new(Versions::own(2));
    value.serialize(&mut saver)?;
    Ok(saver.into_bytes())
}

fn load<T: Archived + Default>(bytes: &[u8]) -> Result<T, Error> {
    let mut value = T::default();
    value.serialize(&mut Loader::new(bytes, Versions::own(2)))?;
    Ok(value)
}

#[test]
fn counts_in_other_fields_and_magic() {
    let mut header = Header { first_count: 2, second_count: 1, first: vec![5, 6], second: vec![7] };
    let bytes = save(&mut header).expect("the counts are right");
    assert_eq!(bytes, *b"TWO!\x02\0\x01\0\0\0\x05\x06\x07\0");
    assert_eq!(load::<Header>(&bytes).expect("it loads"), header);
    let mut counter = Counter::new(Versions::own(2));
    header.serialize(&mut counter).expect("it is counted");
    assert_eq!(counter.length(), bytes.len() as u64);

    header.first.push(8);
    let error = save(&mut header).expect_err("a count that does not count is refused");
    assert_eq!(error.path(), "first");
    assert!(error.to_string().contains("its count says 2, there are 3"), "{error}");

    let mut other = bytes.clone();
    other[3] = b'?';
    let error = load::<Header>(&other).expect_err("another magic value");
    assert_eq!((error.path().as_str(), error.offset()), ("magic", Some(0)));
    assert!(matches!(error.kind(), ErrorKind::BadMagic { .. }), "{error}");
    assert!(error.to_string().ends_with("'TWO!' belongs here, found 'TWO?'"), "{error}");

    let error = load::<Signed>(&[0xff, 9]).expect_err("a count below zero");
    assert!(matches!(error.kind(), ErrorKind::NegativeCount { count: -1 }), "{error}");

    let mut long = bytes;
    long[6..10].fill(0xff);
    let error = load::<Header>(&long).expect_err("a false count");
    assert!(matches!(error.kind(), ErrorKind::TooLong { .. }), "{error}");
}

#[test]
fn counts_in_variants() {
    for mut rows in [Rows::Named { count: 3, rows: vec![1, 2, 3] }, Rows::Pair(1, vec![9])] {
        let bytes = save(&mut rows).expect("the counts are right");
        assert_eq!(load::<Rows>(&bytes).expect("it loads"), rows);
    }
    assert_eq!(save(&mut Rows::Pair(1, vec![9])).expect("right"), [8, 1, 9]);
    assert!(save(&mut Rows::Pair(2, vec![9])).is_err());
}

#[test]
fn what_is_no_magic_is_left_alone() {
    // In another archive nothing is compared.
    let mut header = Header::default();
    let mut references = farchive::References::new(Versions::own(2));
    header.serialize(&mut references).expect("it is visited");
    assert_eq!(references.position(), 0);
}
