//! Maps: the same bytes and values as ever, and keys that stay where they are.

use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

use farchive::archive::{CompactIndex, Context, Reference, Space, Width};
use farchive::version::{Counts, Format};
use farchive::{
    Archive, Archived, Counter, Loader, References, Remap, Result, Saver, Versions, from_bytes,
    to_bytes,
};

use crate::every::{in_every_archive, own};

thread_local! {
    static MADE: Cell<u32> = const { Cell::new(0) };
}

/// A key that counts how many of it are made by cloning.
#[derive(Archived, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key(u32);

impl Clone for Key {
    fn clone(&self) -> Self {
        MADE.with(|made| made.set(made.get() + 1));
        Self(self.0)
    }

    fn clone_from(&mut self, other: &Self) {
        self.0 = other.0;
    }
}

#[test]
fn saving_and_counting_leave_keys_where_they_are() {
    let mut map: BTreeMap<Key, String> =
        (0..100).map(|number| (Key(number), number.to_string())).collect();
    let first = map.keys().next().map(std::ptr::from_ref);
    map.serialize(&mut Saver::new(own())).unwrap();
    map.serialize(&mut Counter::new(own())).unwrap();
    assert_eq!(MADE.with(Cell::get), 0, "one copy takes each key in turn");
    assert_eq!(map.keys().next().map(std::ptr::from_ref), first);
}

#[test]
fn maps_are_the_same_in_every_archive() {
    let sorted: BTreeMap<String, Vec<u16>> =
        (0..50).map(|number| (format!("{number:03}"), vec![number; 3])).collect();
    let bytes = in_every_archive(&sorted, &own());
    let hashed: HashMap<String, Vec<u16>> = sorted.clone().into_iter().collect();
    assert_eq!(in_every_archive(&hashed, &own()), bytes);
    assert_eq!(in_every_archive(&BTreeMap::<u8, u8>::new(), &own()), [0; 4]);
}

static COMPACT: Format = Format::new("compact", &[]).with_counts(|_| Counts::Compact);

/// Their sizes are seen without a look at each pair or text; compact counts are not, and are counted one by one.
#[test]
fn what_is_counted_by_glances_is_what_is_saved() {
    let texts: Vec<String> = (0..90).map(|number| "é".repeat(number)).collect();
    let sorted: BTreeMap<String, u32> = texts.iter().cloned().zip(0..).collect();
    let hashed: HashMap<u16, String> = (0..).zip(texts.iter().cloned()).collect();
    for versions in [own(), Versions::of(&COMPACT)] {
        in_every_archive(&sorted, &versions);
        in_every_archive(&hashed, &versions);
        in_every_archive(&texts, &versions);
    }
}

#[test]
fn what_was_read_before_a_key_that_fails_stays() {
    let bytes = to_bytes(&vec![(1_u8, 1_u8), (2, 2), (2, 3)], &own()).unwrap();
    let mut map = BTreeMap::from([(9_u8, 9_u8)]);
    let error = map.serialize(&mut Loader::new(&bytes, own())).unwrap_err();
    assert_eq!((error.path(), map), ("[2]".to_owned(), [(1, 1), (2, 2)].into()));
    assert!(from_bytes::<HashMap<u8, u8>>(&bytes, &own()).is_err());
}

static ROWS: Space = Space { number: 1, label: "row", text: |_: &Context, _, _| String::new() };

/// A row of a table.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Row(i32);

impl Archived for Row {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        let mut index = CompactIndex::new(self.0);
        ar.reference(Reference::row(&ROWS, &mut index, Width::Fixed))?;
        self.0 = index.value();
        Ok(())
    }
}

#[test]
fn keys_are_collected_and_renumbered() {
    let mut map: BTreeMap<Row, u8> = [(Row(1), 1), (Row(2), 2)].into();
    let mut references = References::new(own());
    map.serialize(&mut references).unwrap();
    assert_eq!(references.rows(&ROWS).len(), 2);
    let turned = |row: i32| Some(10 - row);
    map.serialize(&mut Remap::new(own()).with_rule(&ROWS, &turned)).unwrap();
    assert_eq!(map, [(Row(8), 2), (Row(9), 1)].into());
}
