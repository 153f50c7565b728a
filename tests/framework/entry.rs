//! The entry points at the crate's root.

use std::collections::BTreeMap;

use farchive::primitive::Shared;
use farchive::{
    Archived, ErrorKind, Versions, explain, from_bytes, from_json, from_reader, size, to_bytes,
    to_json, to_writer,
};

use crate::every::own;

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(magic = b"GAME")]
struct Game {
    name: String,
    #[since(2)]
    scores: BTreeMap<String, u32>,
    moves: Vec<u8>,
}

fn game() -> Game {
    let scores = [("Ann".to_owned(), 7), ("Bob".to_owned(), 9)].into();
    Game { name: "chess".into(), scores, moves: vec![1, 2, 3] }
}

#[test]
fn what_is_saved_is_loaded_by_each_pair_of_calls() {
    let (value, versions) = (game(), Versions::own(2));
    let bytes = to_bytes(&value, &versions).unwrap();
    assert_eq!(from_bytes::<Game>(&bytes, &versions).unwrap(), value);
    assert_eq!(from_reader::<Game>(&bytes[..], &versions).unwrap(), value);
    let mut written = Vec::new();
    assert_eq!(to_writer(&value, &versions, &mut written).unwrap(), bytes.len() as u64);
    assert_eq!(written, bytes);
    assert_eq!(size(&value, &versions).unwrap(), bytes.len() as u64);
    let json = to_json(&value, &versions).unwrap();
    assert_eq!(from_json::<Game>(&json, &versions).unwrap(), value);
}

/// A value that can't be copied.
#[derive(Archived, Debug, Default)]
struct Single(u16);

#[test]
fn what_is_at_hand_is_saved_where_it_stands() {
    let mut single = Single(7);
    assert_eq!(to_bytes(&mut single, &own()).unwrap(), [7, 0]);
    assert_eq!(size(&mut single, &own()).unwrap(), 2);
    let value = game();
    let mut at_hand = value.clone();
    let versions = Versions::own(2);
    assert_eq!(to_bytes(&mut at_hand, &versions).unwrap(), to_bytes(&value, &versions).unwrap());
    assert_eq!(at_hand, value);
}

#[test]
fn bytes_behind_a_value_are_an_error_with_their_place() {
    let without = Game { scores: BTreeMap::new(), ..game() };
    let mut bytes = to_bytes(&without, &own()).unwrap();
    let end = bytes.len() as u64;
    bytes.extend([0; 3]);
    let errors = [from_bytes::<Game>(&bytes, &own()), from_reader::<Game>(&bytes[..], &own())];
    let explained = explain::<Game>(&bytes, &own());
    let all = errors.iter().map(|it| it.as_ref().err().unwrap()).chain(explained.error());
    assert_eq!(all.clone().count(), 3);
    for error in all {
        let ErrorKind::LeftOver { left: 3, size } = error.kind() else { panic!("{error}") };
        assert_eq!((*size, error.offset()), (end + 3, Some(end)), "{error}");
    }
}

#[test]
fn errors_are_those_of_the_value() {
    let bytes = to_bytes(&game(), &Versions::own(2)).unwrap();
    for end in 0..bytes.len() {
        let slice = from_bytes::<Game>(&bytes[..end], &Versions::own(2)).unwrap_err();
        let stream = from_reader::<Game>(&bytes[..end], &Versions::own(2)).unwrap_err();
        assert_eq!(slice.to_string(), stream.to_string(), "{end} bytes");
    }
    let error = to_bytes(&game(), &own()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
    let error = from_json::<Game>("{\"magic\": 1, \"magic\": 1}", &own()).unwrap_err();
    assert!(error.to_string().contains("stands twice"), "{error}");
}

#[test]
fn a_file_is_explained_up_to_where_it_fails() {
    let bytes = to_bytes(&game(), &Versions::own(2)).unwrap();
    let whole = explain::<Game>(&bytes, &Versions::own(2));
    assert!(whole.error().is_none());
    let text = whole.to_string();
    assert!(text.contains("scores[0].key.characters  bytes  Ann"), "{text}");
    assert_eq!(text.lines().count(), whole.records().len() + 1);
    let cut = explain::<Game>(&bytes[..20], &Versions::own(2));
    let text = cut.to_string();
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("scores[0].key.length at 0x11 "), "{text}");
    // A text that is no line does not break the table.
    let odd = to_bytes(&"a\nb".to_owned(), &own()).unwrap();
    let text = explain::<String>(&odd, &own()).to_string();
    assert!(text.ends_with("a\\nb\n"), "{text}");
}

#[test]
fn a_list_that_others_hold_is_saved_as_a_list() {
    let names: std::sync::Arc<[String]> = (0..100).map(|number| number.to_string()).collect();
    let bytes = to_bytes(&mut Shared(&names), &own()).unwrap();
    assert_eq!(bytes, to_bytes(&names.to_vec(), &own()).unwrap());
    assert_eq!(size(&mut Shared(&names), &own()).unwrap(), bytes.len() as u64);
    let mut loader = farchive::Loader::new(&bytes, own());
    assert!(Shared(&names).serialize(&mut loader).is_err());
}
