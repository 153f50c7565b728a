//! Versions that inputs choose from by a number.

use std::sync::LazyLock;

use unreal_packages::version::UnrealVersions;
use unreal_packages::{ByteOrder, EngineRelease, Game, Versions};

/// Versions around which layouts differ. New ones go to the end, so that seeds mean what they meant.
pub static VERSIONS: LazyLock<Vec<Versions>> = LazyLock::new(|| {
    let older = |file, licensee, game| Versions::ue1_to_3(file, licensee).with_game(game);
    let plain = |file| older(file, 0, Game::Mainline);
    let release = |major, minor| EngineRelease::new(major, minor).versions();
    let cooked =
        |major, minor| release(major, minor).with_cooked(true).with_filter_editor_only(true);
    vec![
        plain(61),
        plain(69),
        older(128, 29, Game::Ut2004),
        plain(512),
        plain(868),
        release(4, 3),
        release(4, 16),
        release(4, 27),
        cooked(4, 27),
        release(5, 0),
        release(5, 4),
        cooked(5, 6),
        release(5, 8),
        plain(35),
        plain(178),
        plain(369),
        older(129, 27, Game::Swat4),
        older(491, 1008, Game::MassEffect1),
        older(512, 130, Game::MassEffect2),
        older(684, 194, Game::MassEffect3),
        older(685, 205, Game::MassEffectLegendary),
        older(845, 120, Game::Xcom2),
        older(868, 32, Game::RocketLeague),
        plain(684).with_byte_order(ByteOrder::Big),
        plain(512).with_byte_order(ByteOrder::Big),
        Versions::ue4_and_5(219, 0),
        release(4, 12),
        cooked(5, 4),
    ]
});

/// The versions of this number.
pub fn chosen(number: u8) -> &'static Versions {
    &VERSIONS[usize::from(number) % VERSIONS.len()]
}

/// A number for a text; few texts have the same.
pub fn key(text: &str) -> u16 {
    let hash = text
        .bytes()
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash ^ hash >> 16) as u16
}

/// The item whose key is this one, or the next. An item that is added later takes few numbers from others.
pub fn by_key<T>(items: &[(u16, T)], key: u16) -> &T {
    let at = items.partition_point(|(known, _)| *known < key);
    &items[at % items.len()].1
}
