//! A format of one's own, which knows none of Unreal's thresholds.

use std::collections::{BTreeMap, HashMap};

use unreal_packages::archive::{Context, Extent};
use unreal_packages::{
    Annotate, Archive, Archived, Counter, ErrorKind, Loader, References, Remap, Result, Saver,
    Versions,
};

/// One of everything that the framework stores by itself.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(magic = b"OWN.")]
struct Everything {
    text: String,
    numbers: Vec<i16>,
    missing: Option<u64>,
    present: Option<String>,
    sorted: BTreeMap<String, u8>,
    hashed: HashMap<u16, Vec<u8>>,
    pair: (u8, bool),
    boxed: Box<f64>,
    row_count: u8,
    #[archive(count = row_count)]
    rows: Vec<[u8; 3]>,
}

fn everything() -> Everything {
    Everything {
        text: "Grüße".into(),
        numbers: (0..300).collect(),
        missing: None,
        present: Some(String::new()),
        sorted: [("b".into(), 2), ("a".into(), 1)].into(),
        hashed: (0..40).map(|key| (key, vec![key as u8; usize::from(key) % 3])).collect(),
        pair: (9, true),
        boxed: Box::new(0.5),
        row_count: 2,
        rows: vec![[1, 2, 3], [4, 5, 6]],
    }
}

fn save(value: &mut impl Archived, version: u32) -> Result<Vec<u8>> {
    let mut saver = Saver::new(Versions::own(version));
    value.serialize(&mut saver)?;
    Ok(saver.into_bytes())
}

fn load<T: Archived + Default>(bytes: &[u8], version: u32) -> Result<T> {
    let (mut value, mut loader) = (T::default(), Loader::new(bytes, Versions::own(version)));
    value.serialize(&mut loader)?;
    assert_eq!(loader.remaining(), 0);
    Ok(value)
}

#[test]
fn its_form_is_the_same_in_every_version() {
    let mut value = everything();
    let bytes = save(&mut value, 1).unwrap();
    assert_eq!(&bytes[..8], b"OWN.\x07\0\0\0", "a count is four bytes wide");
    for version in 1..=400 {
        assert_eq!(save(&mut value, version).unwrap(), bytes, "version {version}");
        assert_eq!(load::<Everything>(&bytes, version).unwrap(), value, "version {version}");
    }
}

#[test]
fn every_archive_takes_it() {
    let mut value = everything();
    let bytes = save(&mut value, 3).unwrap();
    let mut counter = Counter::new(Versions::own(3));
    value.serialize(&mut counter).unwrap();
    assert_eq!(counter.length(), bytes.len() as u64);
    let mut loader = Loader::new(&bytes, Versions::own(3));
    let mut annotate = Annotate::new(&mut loader);
    Everything::default().serialize(&mut annotate).unwrap();
    let mut end = 0;
    for record in annotate.records() {
        assert_eq!(record.start, end, "{}", record.path);
        end = record.end;
    }
    assert_eq!(end, bytes.len() as u64);
    let text = annotate.records().iter().find(|record| record.path == "text.characters");
    assert_eq!(text.map(|record| record.meaning.as_str()), Some("Grüße"));
    value.serialize(&mut References::new(Versions::own(3))).unwrap();
    value.serialize(&mut Remap::new(Versions::own(3))).unwrap();
    assert_eq!(value, everything());
}

#[test]
fn what_it_can_not_keep_is_an_error() {
    let counted = |bytes: &[u8]| [&2_u32.to_le_bytes()[..], bytes].concat();
    let sorted = |bytes: &[u8]| load::<BTreeMap<u8, u8>>(&counted(bytes), 1);
    assert_eq!(sorted(&[1, 7, 2, 8]).unwrap(), [(1, 7), (2, 8)].into());
    for wrong in [[2, 8, 1, 7], [1, 7, 1, 7]] {
        let error = sorted(&wrong).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NonCanonical { .. }), "{error}");
        assert!(load::<HashMap<u8, u8>>(&counted(&wrong), 1).is_err());
    }
    let error = load::<String>(&counted(&[0xc3, 0x28]), 1).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotText { .. }), "{error}");
    assert!(load::<Option<u8>>(&[2, 0], 1).is_err());
    // A count of four thousand million asks for nothing before it is refused.
    let error = load::<Vec<u64>>(&[0xff; 12], 1).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooLong { .. }), "{error}");
    assert!(load::<String>(&[0xff; 12], 1).is_err());
    assert!(load::<BTreeMap<u8, u8>>(&[0xff; 12], 1).is_err());
}

/// Stored from version 2 on.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Later {
    #[since(2)]
    number: u8,
}

/// A list of its own kind.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Shelves {
    list: Vec<Shelves>,
}

#[test]
fn a_version_that_stores_nothing_of_elements_has_as_many_as_the_count_says() {
    let mut five = vec![Later::default(); 5];
    assert_eq!(save(&mut five, 1).unwrap(), [5, 0, 0, 0]);
    assert_eq!(load::<Vec<Later>>(&[5, 0, 0, 0], 1).unwrap(), five);
    let error = load::<Vec<Later>>(&[5, 0, 0, 0, 1, 2, 3], 2).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooLong { count: 5, remaining: 3 }), "{error}");
    // Each asks for the memory that it takes all the same.
    let error = load::<Vec<Later>>(&[0xff; 4], 1).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Budget { .. }), "{error}");
}

#[test]
fn counts_that_are_too_large_in_each_other_end() {
    let error = load::<Shelves>(&vec![0xff; 4 << 20], 1).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooLong { .. }), "{error}");
    assert_eq!(error.path(), "list");
}

#[test]
fn errors_name_its_version_alone() {
    let error = load::<u32>(&[1, 2], 7).unwrap_err();
    assert_eq!(error.to_string(), "at 0x0 (version 7): needed 4 bytes, 2 remain");
}

#[test]
fn a_window_without_a_size_takes_nothing_back() {
    let failed = || ErrorKind::NotInVersion.into();
    for (size, kept) in [(Extent::Level, 1), (Extent::Size(1), 0)] {
        let mut saver = Saver::new(Versions::own(1));
        let window = saver.open(size).unwrap();
        7_u8.serialize(&mut saver).unwrap();
        assert!(saver.close(window, Err(failed())).is_err());
        assert_eq!(saver.bytes().len(), kept);
        let mut counter = Counter::new(Versions::own(1));
        let window = counter.open(size).unwrap();
        7_u8.serialize(&mut counter).unwrap();
        assert!(counter.close(window, Err(failed())).is_err());
        assert_eq!(counter.length(), kept as u64);
        let mut loader = Loader::new(&[7], Versions::own(1));
        let window = loader.open(size).unwrap();
        0_u8.serialize(&mut loader).unwrap();
        assert!(loader.close(window, Err(failed())).is_err());
        assert_eq!(loader.position(), kept as u64);
    }
}

#[test]
fn a_context_holds_one_value_of_each_type() {
    let context = Context::of(vec![1]).with(1_u8).with("text").with(2_u8);
    assert_eq!((context.get::<u8>(), context.get::<&str>()), (Some(&2), Some(&"text")));
    assert_eq!(context.get::<u16>(), None);
    let other = context.clone().with_changed(|number: &mut u8| *number += 5);
    assert_eq!((context.get::<u8>(), other.get::<u8>()), (Some(&2), Some(&7)));
    let other = other.with_changed(|number: &mut u16| *number += 5).with_source(vec![1, 2]);
    assert_eq!((other.get::<u16>(), other.source()), (Some(&5), &[1, 2][..]));
}
