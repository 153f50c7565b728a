//! Versions of a format: what they lack, what they stored otherwise, and records of them.

use farchive::archive::changes;
use farchive::{Archive, Archived, ErrorKind, Result};

use crate::save_game::format::SaveGame;
use crate::stored::{loaded, own, saved, stored_in};

#[derive(Archived, Debug, Clone, PartialEq)]
struct Config {
    #[since(2)]
    #[archive(default = 60)]
    rate: u16,
    flags: u8,
    #[archive(when = self.flags & 1 != 0, default = "none".into())]
    name: String,
}

impl Default for Config {
    fn default() -> Self {
        Self { rate: 60, flags: 0, name: "none".into() }
    }
}

#[test]
fn a_version_without_the_field_makes_its_default_of_it() {
    stored_in(Config { rate: 60, flags: 0, name: "none".into() }, 1, &[0]);
    stored_in(Config { rate: 5, flags: 1, name: String::new() }, 2, &[5, 0, 1, 0, 0, 0, 0]);
    for (path, mut config) in [
        ("rate", Config { rate: 0, ..Config::default() }),
        ("name", Config { name: String::new(), ..Config::default() }),
    ] {
        let error = saved(&mut config, 1).expect_err("it would be lost");
        assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
        assert_eq!(error.path(), path);
    }
    assert_eq!(loaded::<Config>(&[0], 1).expect("it is loaded").rate, 60);
}

/// A distance that was stored in bytes of decimetres, then in centimetres, and is metres.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
struct Jump {
    #[since(2)]
    #[archive(
        was(until = 3, from = from_decimetres, to = to_decimetres),
        was(until = 5, from = from_centimetres, to = to_centimetres)
    )]
    metres: f64,
    next: u8,
}

fn from_decimetres(stored: u8) -> f64 {
    f64::from(stored) / 10.0
}

fn to_decimetres(metres: &f64) -> Option<u8> {
    let stored = (metres * 10.0).round() as u8;
    (from_decimetres(stored) == *metres).then_some(stored)
}

fn from_centimetres(stored: u16) -> f64 {
    f64::from(stored) / 100.0
}

fn to_centimetres(metres: &f64) -> Option<u16> {
    let stored = (metres * 100.0).round() as u16;
    (from_centimetres(stored) == *metres).then_some(stored)
}

#[test]
fn a_field_had_other_types_in_earlier_versions() {
    stored_in(Jump { metres: 0.0, next: 1 }, 1, &[1]);
    stored_in(Jump { metres: 2.5, next: 1 }, 2, &[25, 1]);
    stored_in(Jump { metres: 2.5, next: 1 }, 3, &[250, 0, 1]);
    stored_in(Jump { metres: 2.5, next: 1 }, 4, &[250, 0, 1]);
    stored_in(Jump { metres: 2.5, next: 1 }, 5, &[0, 0, 0, 0, 0, 0, 4, 0x40, 1]);
    for (version, metres) in [(1, 2.5), (2, 25.6), (2, 0.125), (4, -1.0)] {
        let error = saved(&mut Jump { metres, next: 1 }, version).expect_err("it has no such form");
        assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
        assert_eq!(error.path(), "metres");
    }
    let thresholds: Vec<_> = Jump::THRESHOLDS.iter().map(|it| it.value).collect();
    assert_eq!(thresholds, [2, 3, 5]);
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(after_load = check, before_save = sort)]
struct Scores {
    scores: Vec<u8>,
    #[archive(skip)]
    best: u8,
}

fn check<A: Archive + ?Sized>(scores: &mut Scores, _: &mut A) -> Result<()> {
    let best = scores.scores.first().copied();
    scores.best = best.ok_or(ErrorKind::Invalid { reason: "there are no scores".into() })?;
    Ok(())
}

fn sort<A: Archive + ?Sized>(scores: &mut Scores, _: &mut A) -> Result<()> {
    scores.scores.sort_by(|one, other| other.cmp(one));
    Ok(())
}

#[test]
fn hooks_run_after_loading_and_on_a_copy_before_saving() {
    let mut scores = Scores { scores: vec![1, 9], best: 0 };
    let bytes = saved(&mut scores, 1).expect("it is saved");
    assert_eq!(bytes, [2, 0, 0, 0, 9, 1]);
    assert_eq!(scores.scores, [1, 9], "saving leaves the value");
    let sorted = loaded::<Scores>(&bytes, 1).expect("it is loaded");
    assert_eq!(sorted.best, 9);
    assert_eq!(saved(&mut sorted.clone(), 1).expect("it is saved again"), bytes);
    let error = loaded::<Scores>(&[0; 4], 1).expect_err("the hook refuses it");
    assert_eq!(error.to_string(), "there are no scores");
}

#[test]
fn changes_between_versions_are_listed() {
    let between = |first, second| -> Vec<String> {
        let changes = changes::between(SaveGame::LAYOUT, &own(first), &own(second));
        changes.iter().map(ToString::to_string).collect()
    };
    assert_eq!(
        between(1, 2),
        [
            "+ SaveGame.quests: Vec<Quest>",
            "+ SaveGame.weather: Option<Weather>",
            "+ Hero.pet: Option<Box<Hero>>",
            "+ Quest.Main: 0 as u8",
            "+ Quest.Main.0: u8",
            "+ Quest.Side: 4 as u8",
            "+ Quest.Side.0: u16",
            "+ Quest.Side.1: bool",
            "+ Quest.Unknown: other as u8",
            "+ Quest.Unknown.1: [u8; 4]",
            "+ Weather.Sun: 0 as u8",
            "+ Weather.Rain: 1 as u8",
            "+ Weather.Rain.0: f32",
        ]
    );
    assert_eq!(
        between(3, 2),
        ["- Weather.Storm: 2 as u8", "~ SaveGame.play_time: u64 -> as from_seconds takes it"]
    );
    assert!(between(3, 4).is_empty());
}

#[test]
fn versions_are_as_they_were_recorded() {
    farchive::assert_recorded!(SaveGame, 1..=3, "save_game/save_game.layout");
}

#[test]
fn a_forgotten_since_is_found() {
    mod first {
        #[derive(farchive::Archived)]
        pub struct Level {
            pub width: u16,
            #[since(2)]
            pub height: u16,
        }
    }
    mod second {
        #[derive(farchive::Archived)]
        pub struct Level {
            pub width: u16,
            #[since(2)]
            pub height: u16,
            pub depth: u16,
        }
    }
    mod third {
        #[derive(farchive::Archived)]
        pub struct Level {
            #[since(2)]
            pub height: u16,
            pub width: u16,
        }
    }
    let stale = changes::check(first::Level::LAYOUT, 1..=2, "").expect_err("nothing is recorded");
    assert!(stale.only_lacks_versions());
    assert!(stale.to_string().starts_with("version 1, 2 is not recorded yet"), "{stale}");
    let record = stale.text;
    assert_eq!(changes::check(first::Level::LAYOUT, 1..=2, &record), Ok(()));
    let stale = changes::check(first::Level::LAYOUT, 1..=3, &record).expect_err("one is missing");
    assert!(stale.only_lacks_versions() && stale.text.contains("version 3\n  Level.width: u16\n"));
    let stale = changes::check(second::Level::LAYOUT, 1..=2, &record).expect_err("it is found");
    assert!(!stale.only_lacks_versions());
    let text = stale.to_string();
    assert!(
        text.contains("version 1 is no longer what was recorded:\n  + Level.depth: u16"),
        "{text}"
    );
    let stale = changes::check(third::Level::LAYOUT, 1..=2, &record).expect_err("it has moved");
    assert!(stale.to_string().contains("version 2 is no longer"), "{stale}");
}
