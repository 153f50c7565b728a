//! Types of the standard library.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::NonZero;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use farchive::{Archived, ErrorKind, Loader, Saver};
use serde_json::json;

use crate::stored::{own, refused, saved, stored};

#[test]
fn collections() {
    let set = |values: &[u8]| values.iter().copied().collect::<HashSet<u8>>();
    stored(set(&[3, 1, 2]), &[3, 0, 0, 0, 1, 2, 3]);
    stored(BTreeSet::from([2_u8, 1]), &[2, 0, 0, 0, 1, 2]);
    for wrong in [[2, 0, 0, 0, 2, 1], [2, 0, 0, 0, 1, 1]] {
        let error = refused::<BTreeSet<u8>>(&wrong, 1);
        assert_eq!((error.path().as_str(), error.offset()), ("[1]", Some(5)), "{error}");
        assert!(matches!(refused::<HashSet<u8>>(&wrong, 1).kind(), ErrorKind::NonCanonical { .. }));
    }
    type Hasher = BuildHasherDefault<DefaultHasher>;
    let map: HashMap<u8, bool, Hasher> = [(2, true), (1, false)].into_iter().collect();
    stored(map, &[2, 0, 0, 0, 1, 0, 2, 1]);
    let mut deque = VecDeque::from([2_u16]);
    deque.push_front(1);
    assert_eq!(stored(deque, &[2, 0, 0, 0, 1, 0, 2, 0]), json!([1, 2]));
}

#[test]
fn pointers() {
    stored(Box::<[u16]>::from([1, 2]), &[2, 0, 0, 0, 1, 0, 2, 0]);
    stored(Arc::<[u8]>::from([1, 2]), &[2, 0, 0, 0, 1, 2]);
    stored(Rc::<[u8]>::from([1, 2]), &[2, 0, 0, 0, 1, 2]);
    assert_eq!(stored(Arc::<str>::from("ab"), b"\x02\0\0\0ab"), json!("ab"));
    stored(Rc::<str>::from("ab"), b"\x02\0\0\0ab");
    stored(Box::<str>::from("ab"), b"\x02\0\0\0ab");
    stored(Cow::<'static, str>::Borrowed("ab"), b"\x02\0\0\0ab");
    stored(Cow::<'static, [u8]>::Borrowed(&[7]), &[1, 0, 0, 0, 7]);
    stored(Rc::new(7_u16), &[7, 0]);
    let (mut one, other) = {
        let one = Arc::new(vec![1_u8]);
        (one.clone(), one)
    };
    stored(one.clone(), &[1, 0, 0, 0, 1]);
    one.serialize(&mut Saver::new(own(1))).expect("it is saved");
    assert!(Arc::ptr_eq(&one, &other), "saving leaves it shared");
    one.serialize(&mut Loader::new(&[1, 0, 0, 0, 9], own(1))).expect("it is loaded");
    assert_eq!((&**one, &**other), (&[9][..], &[1][..]), "loading makes one of its own");
    stored(PhantomData::<u8>, &[]);
    stored((), &[]);
}

#[test]
fn wide_and_other_numbers() {
    let bytes: Vec<u8> = (1..=16).collect();
    let number = 0x100f_0e0d_0c0b_0a09_0807_0605_0403_0201_u128;
    assert_eq!(stored(number, &bytes), json!(number.to_string()));
    stored(-2_i128, &[&[0xfe][..], &[0xff; 15]].concat());
    assert_eq!(stored('\u{1f600}', &[0, 0xf6, 1, 0]), json!("\u{1f600}"));
    let error = refused::<char>(&[0, 0xd8, 0, 0], 1);
    assert_eq!(
        error.to_string(),
        "at 0x0 (version 1): the bytes are no text: no character has this number"
    );
    let mut nonzero = NonZero::<u16>::MIN;
    assert_eq!(saved(&mut nonzero, 1).expect("it is saved"), [1, 0]);
    let error = nonzero.serialize(&mut Loader::new(&[0, 0], own(1))).expect_err("it is zero");
    assert_eq!(error.offset(), Some(0));
    stored(3_u8..9, &[3, 9]);
    let mut range = 3_u8..=9;
    assert_eq!(saved(&mut range, 1).expect("it is saved"), [3, 9]);
    range.serialize(&mut Loader::new(&[1, 2], own(1))).expect("it is loaded");
    assert_eq!(range, 1..=2);
    assert_eq!(
        stored((1_u8, 2_u8, 3_u8, 4_u8, 5_u8, 6_u8, 7_u8, 8_u8), &[1, 2, 3, 4, 5, 6, 7, 8])["7"],
        8
    );
    let mut ordering = Ordering::Less;
    assert_eq!(saved(&mut ordering, 1).expect("it is saved"), [0xff]);
    let error = ordering.serialize(&mut Loader::new(&[2], own(1))).expect_err("there is no such");
    assert!(matches!(error.kind(), ErrorKind::UnknownVariant { value: 2, .. }), "{error}");
}

#[test]
fn times_and_addresses() {
    stored(Duration::new(1, 2), &[1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0]);
    let error = refused::<Duration>(&[0, 0, 0, 0, 0, 0, 0, 0, 0, 0xca, 0x9a, 0x3b], 1);
    assert_eq!((error.path().as_str(), error.offset()), ("nanoseconds", Some(8)), "{error}");
    for (time, seconds, nanoseconds) in [
        (SystemTime::UNIX_EPOCH + Duration::new(5, 7), 5_i64, 7_u32),
        (SystemTime::UNIX_EPOCH - Duration::new(5, 7), -6, 999_999_993),
    ] {
        let (mut stored, mut found) = (time, SystemTime::UNIX_EPOCH);
        let bytes = saved(&mut stored, 1).expect("it is saved");
        assert_eq!(bytes, [&seconds.to_le_bytes()[..], &nanoseconds.to_le_bytes()].concat());
        found.serialize(&mut Loader::new(&bytes, own(1))).expect("it is loaded");
        assert_eq!(found, time);
    }
    let mut far = SystemTime::UNIX_EPOCH;
    let bytes = [&i64::MIN.to_le_bytes()[..], &[0; 4]].concat();
    // Some systems have room for it, none panics.
    let _ = far.serialize(&mut Loader::new(&bytes, own(1)));
    let addresses: [(IpAddr, Vec<u8>); 2] = [
        (Ipv4Addr::LOCALHOST.into(), vec![4, 127, 0, 0, 1]),
        (Ipv6Addr::LOCALHOST.into(), [&[6][..], &[0; 15], &[1]].concat()),
    ];
    for (address, bytes) in addresses {
        let mut socket = SocketAddr::new(address, 80);
        let with_port = [&bytes[..], &[80, 0]].concat();
        assert_eq!(saved(&mut socket, 1).expect("it is saved"), with_port);
        let mut found = SocketAddr::new(Ipv4Addr::UNSPECIFIED.into(), 0);
        found.serialize(&mut Loader::new(&with_port, own(1))).expect("it is loaded");
        assert_eq!(found, socket);
    }
    let mut address = IpAddr::from(Ipv4Addr::UNSPECIFIED);
    assert!(address.serialize(&mut Loader::new(&[5, 0], own(1))).is_err());
}
