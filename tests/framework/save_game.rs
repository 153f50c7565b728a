//! A whole format: three versions, and everything that a save game has.

pub mod format;
mod game;

use farchive::ErrorKind;

use crate::every::in_every_archive;
use crate::stored::{loaded, own, saved, stored_in};
use format::{Quest, SaveGame, Weather};
use game::{game, with_chunks};

#[test]
fn its_format_is_short_and_has_no_function_by_hand() {
    let text = include_str!("save_game/format.rs");
    assert!(text.lines().count() <= 110, "{} lines", text.lines().count());
    assert!(!text.contains("impl"), "nothing is serialised by hand");
}

#[test]
fn every_version_loads_as_it_was_saved() {
    let mut small = game();
    small.screenshot.truncate(20);
    let chunked = |game: &SaveGame, version| {
        with_chunks(game.clone(), version, &[&[1, -2, 3], &[4], &[]]).expect("it is counted")
    };
    for version in [2, 3] {
        in_every_archive(&chunked(&small, version), &own(version));
        let bytes = saved(&mut small.clone(), version).expect("it is saved");
        stored_in(small.clone(), version, &bytes);
    }
    small.quests = vec![Quest::Main(1)];
    (small.weather, small.hero.pet) = (None, None);
    in_every_archive(&chunked(&small, 1), &own(1));
    let bytes = saved(&mut small.clone(), 1).expect("it is saved");
    stored_in(small, 1, &bytes);
}

#[test]
fn a_value_of_any_version_saves_at_any_other_or_names_the_field() {
    let bytes = saved(&mut game(), 3).expect("it is saved");
    assert_eq!(loaded::<SaveGame>(&bytes, 3).expect("it is loaded"), game());
    type Case = (u32, &'static str, fn(&mut SaveGame));
    let cases: [Case; 5] = [
        (2, "play_time", |game| game.play_time = 61_001),
        (2, "weather.value", |game| game.weather = Some(Weather::Storm)),
        (1, "hero.pet", |_| {}),
        (1, "quests", |game| game.hero.pet = None),
        (1, "weather", |game| {
            game.hero.pet = None;
            game.quests = vec![Quest::Main(1)];
        }),
    ];
    for (version, path, change) in cases {
        let mut game = game();
        change(&mut game);
        let error = saved(&mut game, version).expect_err(path);
        assert_eq!(error.path(), path, "{error}");
        assert!(matches!(error.kind(), ErrorKind::NotInVersion), "{error}");
    }
}

#[test]
fn its_document_is_for_people() {
    let mut game = game();
    game.screenshot = vec![1];
    let document = farchive::to_json_value(&game, &own(3)).expect("it is a document");
    assert_eq!(
        document.to_string(),
        "{\"player\":\"Åsa\",\"title\":\"Before the storm\",\"play_time\":61000,\
         \"flags\":{\"hardcore\":true,\"difficulty\":5},\
         \"hero\":{\"name\":\"Ylva\",\"position\":[1.5,-2.0,0.1],\"health\":99,\
         \"inventory\":[{\"id\":7,\"amount\":300}],\
         \"pet\":{\"name\":\"Wolf\",\"position\":[0.0,0.0,0.0],\"health\":0,\"inventory\":[],\
         \"pet\":null}},\
         \"quests\":[{\"Side\":{\"0\":9,\"1\":true}},\
         {\"discriminant\":200,\"1\":{\"$hex\":\"01020304\"}}],\
         \"weather\":{\"Rain\":{\"0\":0.25}},\
         \"stats\":[{\"key\":\"luck\",\"value\":-3},{\"key\":\"strength\",\"value\":18}],\
         \"seen\":[{\"key\":2,\"value\":false},{\"key\":4,\"value\":true}],\
         \"width\":3,\"height\":2,\"map\":{\"$hex\":\"030303030303\"},\"event_kind\":1,\
         \"last_event\":{\"0\":{\"id\":1,\"amount\":2}},\"screenshot\":{\"$hex\":\"01\"},\"chunks\":[]}"
    );
}
