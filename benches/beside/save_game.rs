//! A whole save game of three versions in three crates: what each of them leaves to be written by hand.

mod binrw;
mod deku;
#[path = "../../tests/framework/save_game/format.rs"]
mod format;
#[path = "../../tests/framework/save_game/game.rs"]
mod game;

use ::farchive::{Versions, from_bytes, to_bytes};

use format::{Quest, SaveGame};

/// The checksum of the hero's bytes: the same type for all of them.
fn adler(bytes: &[u8]) -> u32 {
    use ::farchive::archive::checksum::Checksum;
    let mut sum = game::Adler::default();
    sum.update(bytes);
    sum.value()
}

fn games() -> [(u32, SaveGame); 3] {
    [1, 2, 3].map(|version| {
        let mut game = game::game();
        if version == 1 {
            (game.weather, game.hero.pet, game.quests) = (None, None, vec![Quest::Main(1)]);
        }
        let chunks: &[&[i16]] = &[&[1, -2, 3], &[], &[4]];
        (version, game::with_chunks(game, version, chunks).unwrap())
    })
}

#[test]
fn all_three_read_and_write_the_same_bytes() {
    for (version, game) in games() {
        let versions = Versions::own(version);
        let bytes = to_bytes(&game, &versions).unwrap();
        assert_eq!(from_bytes::<SaveGame>(&bytes, &versions).unwrap(), game);
        let theirs = binrw::load(&bytes, version).unwrap();
        assert_eq!(theirs.strongest, game.strongest);
        assert_eq!(binrw::save(&theirs, version).unwrap(), bytes, "{version}");
        let theirs = deku::load(&bytes, version).unwrap();
        assert_eq!(theirs.strongest, game.strongest);
        assert_eq!(deku::save(&theirs, version).unwrap(), bytes, "{version}");
    }
}

/// Lines that are neither empty nor a remark.
pub fn lines(text: &str) -> usize {
    let lines = text.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

#[test]
fn the_page_counts_these_lines() {
    let ours = lines(include_str!("../../tests/framework/save_game/format.rs"));
    let [binrw, deku] =
        [include_str!("save_game/binrw.rs"), include_str!("save_game/deku.rs")].map(lines);
    let row = format!("| lines of the save game | {ours} | {binrw} | {deku} |");
    assert!(include_str!("../../docs/own-format.md").contains(&row), "it should say: {row}");
}
