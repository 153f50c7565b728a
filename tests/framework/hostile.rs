//! Hostile bytes over three formats with everything in them: nothing panics, and whatever is saved is loaded again.
//!
//! `FARCHIVE_CASES=1000000 cargo test -p farchive-framework-tests --test framework hostile` tries more than
//! a few thousand.

pub mod formats;

use std::fmt::Debug;

use farchive::{Archived, ByteOrder, ErrorKind, Loader, ReadLoader, Saver, Versions};
use farchive::{from_json, testing, to_json};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::save_game::format::SaveGame;
use formats::{Atlas, Scene};

/// What the test asks of a format.
trait Hostile: Archived + Clone + Default + PartialEq + Debug {}

impl<T: Archived + Clone + Default + PartialEq + Debug> Hostile for T {}

/// What came of the cases.
#[derive(Debug, Default)]
struct Tally {
    made: u32,
    loaded: u32,
    refused: u32,
    unsaved: u32,
    documents: u32,
}

/// Numbers from a fixed start, so that a failure comes back.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % below.max(1)
    }
}

fn cases() -> u32 {
    std::env::var("FARCHIVE_CASES").map_or(3000, |cases| cases.parse().expect("a number"))
}

fn saved<T: Hostile>(value: &mut T, versions: &Versions) -> farchive::Result<Vec<u8>> {
    let mut saver = Saver::new(versions.clone());
    value.serialize(&mut saver)?;
    saver.finish()
}

/// A value that is saved is loaded, and saves as it was.
#[track_caller]
fn comes_back<T: Hostile>(bytes: &[u8], versions: &Versions) -> T {
    let mut value = T::default();
    let mut loader = Loader::new(bytes, versions.clone()).owning();
    let result = value.serialize(&mut loader).and_then(|()| loader.finish());
    result.unwrap_or_else(|error| panic!("{error}: {bytes:x?} is not loaded at {versions}"));
    let again = saved(&mut value, versions).expect("it is saved again");
    assert_eq!(again, bytes, "{value:?} saves otherwise");
    value
}

/// Changes a few places: bytes, numbers, lengths.
fn change(bytes: &mut Vec<u8>, dice: &mut Dice) {
    const ODD: [u8; 8] = [0, 1, 2, 0x10, 0x7f, 0x80, 0xfe, 0xff];
    for _ in 0..=dice.roll(5) / 2 {
        let at = dice.roll(bytes.len());
        match dice.roll(14) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at.min(bytes.len()), ODD[dice.roll(8)]),
            2 if at < bytes.len() => drop(bytes.remove(at)),
            3 => {
                let end = (at + 4).min(bytes.len());
                bytes[at.min(end)..end].fill(ODD[dice.roll(8)]);
            }
            4 => {
                let part = bytes[at..(at + dice.roll(16)).min(bytes.len())].to_vec();
                let to = dice.roll(bytes.len());
                bytes.splice(to..to, part);
            }
            5 if at < bytes.len() => bytes[at] = dice.roll(256) as u8,
            _ if at < bytes.len() => bytes[at] = ODD[dice.roll(8)],
            _ => {}
        }
    }
}

/// Changes characters of a document, mostly so that it stays one.
fn edit(text: &mut Vec<u8>, dice: &mut Dice) {
    if dice.roll(4) == 0 {
        return change(text, dice);
    }
    let letters: Vec<usize> =
        (0..text.len()).filter(|at| text[*at].is_ascii_alphanumeric()).collect();
    for _ in 0..=dice.roll(2) {
        let Some(at) = letters.get(dice.roll(letters.len())) else { return };
        text[*at] = if text[*at].is_ascii_digit() { b"0123456789"[dice.roll(10)] } else { b'e' };
    }
}

/// Bytes that may be anything: refused in memory as in a stream, or a value that comes back.
///
/// Where `has_gaps` says so, bytes may stand between values.
fn takes<T: Hostile>(bytes: &[u8], versions: &Versions, has_gaps: bool, tally: &mut Tally) {
    let mut value = T::default();
    let mut loader = Loader::new(bytes, versions.clone()).owning();
    let result = value.serialize(&mut loader);
    let mut stream = ReadLoader::new(bytes, versions.clone());
    let mut streamed = T::default();
    let of_stream = streamed.serialize(&mut stream);
    // A stream goes to no earlier place.
    if !of_stream.as_ref().is_err_and(|error| matches!(error.kind(), ErrorKind::BadOffset { .. })) {
        assert_eq!(result.is_ok(), of_stream.is_ok(), "{result:?}, {of_stream:?}: {bytes:x?}");
    }
    if result.is_err() {
        tally.refused += 1;
        return;
    }
    tally.loaded += 1;
    match saved(&mut value, versions) {
        Ok(saved) => {
            let used = loader.furthest() as usize;
            assert!(
                has_gaps || bytes[..used] == saved,
                "{value:?}: {bytes:x?} saves as {saved:x?}"
            );
            comes_back::<T>(&saved, versions);
        }
        // Such as values that differ and stand at one place.
        Err(_) => tally.unsaved += 1,
    }
}

/// So many cases of a format: a value that was made up, its bytes changed, its document changed.
fn hold<T: Hostile>(seed: u64, has_gaps: bool) -> Tally {
    let (mut tally, mut dice) = (Tally::default(), Dice(seed));
    let config = Config { failure_persistence: None, ..Config::default() };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[seed as u8; 32]);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let all: Vec<Versions> = (1..=3)
        .flat_map(|version| {
            [ByteOrder::Little, ByteOrder::Big].map(|it| Versions::own(version).with_byte_order(it))
        })
        .collect();
    let strategies: Vec<_> = all.iter().map(testing::values::<T>).collect();
    let mut done = 0;
    while done < cases() {
        let which = dice.roll(all.len());
        let versions = &all[which];
        let Ok(tree) = strategies[which].new_tree(&mut runner) else { continue };
        let mut value = tree.current();
        let bytes = saved(&mut value, versions).expect("what is made up is saved");
        assert_eq!(comes_back::<T>(&bytes, versions), value);
        tally.made += 1;
        for _ in 0..8 {
            let mut changed = bytes.clone();
            change(&mut changed, &mut dice);
            let other = dice.roll(4 * all.len());
            takes::<T>(&changed, all.get(other).unwrap_or(versions), has_gaps, &mut tally);
        }
        let mut text = to_json(&value, versions).expect("it is a document").into_bytes();
        edit(&mut text, &mut dice);
        if let Ok(mut value) = from_json::<T>(&String::from_utf8_lossy(&text), versions) {
            tally.documents += 1;
            match saved(&mut value, versions) {
                Ok(bytes) => drop(comes_back::<T>(&bytes, versions)),
                Err(_) => tally.unsaved += 1,
            }
        }
        done += 10;
    }
    println!("{}: {tally:?}", std::any::type_name::<T>());
    tally
}

#[test]
fn a_save_game_holds() {
    // Its chunks stand anywhere, and two that differ may stand at one place.
    let tally = hold::<SaveGame>(0x5a7e, true);
    assert!(tally.loaded > tally.made / 3 && tally.refused > tally.made, "{tally:?}");
}

#[test]
fn a_scene_holds() {
    let tally = hold::<Scene>(0x5ce7e, false);
    assert!(tally.loaded > tally.made / 3 && tally.refused > tally.made, "{tally:?}");
    assert_eq!(tally.unsaved, 0, "whatever loads is saved");
}

#[test]
fn an_atlas_holds() {
    let tally = hold::<Atlas>(0xa71a5, true);
    assert!(tally.loaded > 0 && tally.refused > tally.made, "{tally:?}");
}
