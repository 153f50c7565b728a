//! Values that hold values of their own type, and lists of elements that take no bytes: what is saved can be
//! loaded, and nothing that bytes say overflows the stack.

use std::collections::BTreeMap;
use std::fmt::Debug;

use unreal_packages::archive::{Archive, Counter, Loader, Saver};
use unreal_packages::primitive::{Map, array};
use unreal_packages::{Archived, ErrorKind, Result};

use crate::stored::own;

/// Levels that an archive takes by itself.
const DEPTH: usize = 96;

#[derive(Archived, Debug, Default, Clone, PartialEq)]
struct Node {
    name: String,
    children: Vec<Node>,
}

#[derive(Archived, Debug, Default, Clone, PartialEq)]
#[repr(u8)]
enum Chain {
    #[default]
    End,
    Link(Box<Chain>),
}

#[derive(Archived, Debug, Default, Clone, PartialEq)]
struct Optional {
    next: Option<Box<Optional>>,
}

/// Through another type, and that one through a tuple in an array.
#[derive(Archived, Debug, Default, Clone, PartialEq)]
struct Outer {
    inner: [(u8, Inner); 1],
}

#[derive(Archived, Debug, Default, Clone, PartialEq)]
struct Inner {
    outers: Map<u8, Outer>,
}

#[derive(Archived, Debug, Default, Clone, PartialEq)]
struct Sorted {
    children: BTreeMap<u8, Sorted>,
}

#[derive(Archived, Debug, Default, Clone, PartialEq)]
struct Generic<T: Default> {
    value: T,
    children: Vec<Generic<T>>,
}

/// By functions that go through the elements themselves.
#[derive(Archived, Debug, Default, Clone, PartialEq)]
struct ByHand {
    #[archive(with = one_by_one)]
    children: Vec<ByHand>,
}

#[derive(Archived, Debug, Default, Clone, PartialEq)]
struct CountedApart {
    count: u8,
    #[archive(count = count)]
    children: Vec<CountedApart>,
}

fn one_by_one<A: Archive + ?Sized>(nodes: &mut Vec<ByHand>, ar: &mut A) -> Result<()> {
    let mut count = nodes.len() as u8;
    ar.serialize_u8(&mut count)?;
    nodes.resize_with(count.into(), ByHand::default);
    nodes.iter_mut().try_for_each(|node| node.serialize(ar))
}

#[derive(Archived, Debug, Default, Clone, PartialEq)]
struct Counted {
    #[archive(with = array::counted_u32)]
    children: Vec<Counted>,
}

/// `level` stands for each further level; deep input is refused, and what the loader's limit allows is what
/// the saver's allows.
fn nests<T: Archived + Default + PartialEq + Debug>(level: &[u8], end: &[u8]) {
    let bytes = |levels: usize| [level.repeat(levels), end.to_vec()].concat();
    let hostile = bytes(120_000 / level.len());
    let error = T::default().serialize(&mut Loader::new(&hostile, own())).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooDeep { limit: 96 }), "{error}");
    let load = |levels: usize, limit: u32| {
        let (bytes, mut value) = (bytes(levels), T::default());
        let mut loader = Loader::new(&bytes, own()).with_depth(limit);
        value.serialize(&mut loader).map(|()| (value, bytes.clone()))
    };
    let save = |value: &mut T, limit: u32| {
        let mut saver = Saver::new(own()).with_depth(limit);
        let mut counter = Counter::new(own()).with_depth(limit);
        let counted = value.serialize(&mut counter);
        let saved = value.serialize(&mut saver);
        assert_eq!(saved.is_ok(), counted.is_ok());
        saved.map(|()| saver.into_bytes())
    };
    // The deepest that loads by itself, which is most of the limit: a level may open two.
    let deepest = (0..=DEPTH).rev().find(|levels| load(*levels, 96).is_ok()).unwrap();
    assert!(deepest * 2 + 2 >= DEPTH, "{deepest} levels");
    let (mut value, bytes) = load(deepest, 96).unwrap();
    assert_eq!(save(&mut value, 96).unwrap(), bytes);
    // More where the caller says so, in both directions alike.
    let (mut deeper, bytes) = load(deepest + 20, 200).unwrap();
    let error = save(&mut deeper, 96).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooDeep { limit: 96 }), "{error}");
    assert_eq!(save(&mut deeper, 200).unwrap(), bytes);
    for limit in 1..12 {
        for levels in 0..12 {
            let Ok((mut value, bytes)) = load(levels, 96) else { continue };
            let saved = save(&mut value, limit);
            assert_eq!(
                saved.is_ok(),
                load(levels, limit).is_ok(),
                "{levels} levels, limit {limit}"
            );
            assert!(saved.is_err() || saved.unwrap() == bytes);
        }
    }
}

#[test]
fn types_that_hold_themselves_open_levels_by_themselves() {
    nests::<Node>(&[0, 0, 0, 0, 1, 0, 0, 0], &[0; 8]);
    nests::<Chain>(&[1], &[0]);
    nests::<Optional>(&[1], &[0]);
    nests::<Outer>(&[7, 1, 0, 0, 0, 9], &[7, 0, 0, 0, 0]);
    nests::<Sorted>(&[1, 0, 0, 0, 3], &[0; 4]);
    nests::<Generic<u16>>(&[5, 0, 1, 0, 0, 0], &[0; 6]);
    nests::<ByHand>(&[1], &[0]);
    nests::<Counted>(&[1, 0, 0, 0], &[0; 4]);
    nests::<CountedApart>(&[1], &[0]);
}

#[test]
fn types_that_can_not_hold_themselves_open_none() {
    #[derive(Archived, Default)]
    struct Flat {
        _numbers: (u8, [u16; 3]),
        _text: String,
        _maybe: Option<bool>,
    }
    const { assert!(!Flat::NESTS && Node::NESTS && Chain::NESTS && Outer::NESTS && Inner::NESTS) };
    let mut list = vec![vec![1_u8]; 3];
    list.serialize(&mut Saver::new(own()).with_depth(1)).unwrap();
    vec![1_u8].serialize(&mut Saver::new(own()).with_depth(0)).unwrap();
}

/// Nothing of it is stored below version 3.
#[derive(Archived, Debug, Default, Clone, PartialEq)]
struct Row {
    #[since(3)]
    number: u32,
}

#[derive(Archived, Debug, Default, Clone, PartialEq)]
struct Unit;

/// Large in memory, one byte in the file.
#[allow(clippy::large_enum_variant)] // a variant that is far larger than the others is what the test is about
#[derive(Archived, Debug, Default, Clone, PartialEq)]
#[repr(u8)]
enum Event {
    #[default]
    Tick,
    Snapshot([u64; 32]),
}

fn trip<T: Archived + Default + PartialEq + Debug>(mut value: T) -> Result<()> {
    let mut saver = Saver::new(own());
    value.serialize(&mut saver)?;
    let (bytes, mut loaded) = (saver.into_bytes(), T::default());
    loaded.serialize(&mut Loader::new(&bytes, own())).expect("what was saved");
    assert_eq!(loaded, value);
    Ok(())
}

#[test]
fn elements_without_bytes_come_back() {
    trip(vec![Row::default(); 5]).unwrap();
    trip(vec![Unit; 1000]).unwrap();
    trip(vec![[0_u8; 0]; 3]).unwrap();
    trip(Map(vec![(Unit, Row::default()); 4])).unwrap();
    trip(BTreeMap::from([(0_u8, Unit), (1, Unit)])).unwrap();
    trip(vec![vec![Row::default(); 70]; 2]).unwrap();
    // Where the version stores them, too many are refused as ever.
    let bytes = [5, 0, 0, 0, 1, 2, 3, 4];
    let mut loader = Loader::new(&bytes, unreal_packages::Versions::own(3));
    let error = Vec::<Row>::default().serialize(&mut loader).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooLong { count: 5, remaining: 4 }), "{error}");
}

#[test]
fn elements_without_bytes_are_bounded_by_the_budget() {
    let bytes = [0xff; 4];
    for budget in [1000, 1 << 25] {
        let mut loader = Loader::new(&bytes, own()).with_budget(budget);
        let error = Vec::<Unit>::default().serialize(&mut loader).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Budget { .. }), "{error}");
    }
    let mut saver = Saver::new(own()).with_budget(999);
    let error = vec![Unit; 1000].serialize(&mut saver).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Budget { wanted: 1000, left: 999 }), "{error}");
}

#[test]
fn a_saver_refuses_what_the_loader_has_no_memory_for() {
    trip(vec![Event::Tick; 1000]).unwrap();
    let mut events = vec![Event::Tick; 1_000_000];
    let error = trip(events.clone()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Budget { .. }), "{error}");
    // Both are told alike.
    let budget = 1 << 30;
    let mut saver = Saver::new(own()).with_budget(budget);
    events.serialize(&mut saver).unwrap();
    let (bytes, mut loaded) = (saver.into_bytes(), Vec::<Event>::new());
    loaded.serialize(&mut Loader::new(&bytes, own()).with_budget(budget)).unwrap();
    assert!(loaded == events);
    let error = loaded.serialize(&mut Loader::new(&bytes, own())).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Budget { .. }), "{error}");
}

#[test]
fn claims_of_a_saver_add_up_and_grow_with_what_it_has_written() {
    let mut lists = vec![vec![7_u8; 100]; 3];
    let (inner, outer) = (300, 3 * size_of::<Vec<u8>>() as u64);
    lists.serialize(&mut Saver::new(own()).with_budget(inner + outer)).unwrap();
    let mut saver = Saver::new(own()).with_budget(inner + outer - 1);
    let error = lists.serialize(&mut saver).unwrap_err();
    let left = outer - 1;
    assert!(
        matches!(error.kind(), ErrorKind::Budget { wanted, left: found } if *wanted == outer && *found == left),
        "{error}"
    );
    // Anew, nothing is claimed.
    let mut saver = Saver::new(own()).with_budget(inner + outer);
    for _ in 0..2 {
        saver.restart(0);
        lists.serialize(&mut saver).unwrap();
    }
    // More than a saver allows before it has written anything.
    let mut large = vec![vec![7_u8; 1 << 20]; 40];
    let mut saver = Saver::new(own());
    large.serialize(&mut saver).unwrap();
    let mut loaded = Vec::<Vec<u8>>::new();
    loaded.serialize(&mut Loader::new(saver.bytes(), own())).unwrap();
    assert!(loaded == large);
}
