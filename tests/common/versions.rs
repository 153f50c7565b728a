//! Versions to test at, and values saved and loaded at one.

use unreal_packages::version::{UnrealVersions, threshold};
use unreal_packages::{Archived, ByteOrder, EngineRelease, Game, Loader, Saver, Versions};

pub const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

/// The versions around every threshold, and those that most real files have.
pub fn versions_at_thresholds() -> Vec<u32> {
    let around = threshold::ALL.iter().flat_map(|&at| [at - 1, at, at + 1]);
    let mut all: Vec<u32> = around.chain([35, 61, 69, 128, 512, 684, 868]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A file and licensee version for every game and fork, as the specification names them.
pub const GAMES: &[(u32, u32, Game)] = &[
    (128, 29, Game::Ut2004),
    (129, 27, Game::Swat4),
    (391, 92, Game::MassEffect1),
    (491, 1008, Game::MassEffect1),
    (512, 130, Game::MassEffect2),
    (513, 130, Game::MassEffect2),
    (684, 150, Game::MassEffect3),
    (684, 194, Game::MassEffect3),
    (845, 194, Game::MassEffect3),
    (684, 168, Game::MassEffectLegendary),
    (685, 205, Game::MassEffectLegendary),
    (845, 59, Game::Xcom),
    (845, 101, Game::Xcom2),
    (845, 107, Game::Xcom2),
    (845, 120, Game::Xcom2),
    (884, 131, Game::Xcom2),
    (868, 32, Game::RocketLeague),
];

/// Every version that a law is tested at: thresholds in both byte orders, then the games.
pub fn all_versions() -> Vec<Versions> {
    let mainline = versions_at_thresholds().into_iter().map(|file| (file, 0, Game::Mainline));
    let games = GAMES.iter().copied();
    mainline
        .chain(games)
        .flat_map(|(file, licensee, game)| {
            ORDERS.map(|byte_order| {
                Versions::ue1_to_3(file, licensee).with_game(game).with_byte_order(byte_order)
            })
        })
        .collect()
}

/// Object versions around every layout change with and without editor-only data, and releases with their
/// custom versions.
pub fn ue4_versions() -> Vec<Versions> {
    let plain = object_versions().into_iter().map(|(v4, v5)| Versions::ue4_and_5(v4, v5));
    let releases = [(4, 13), (4, 20), (4, 27), (5, 5), (5, 6), (5, 7), (5, 8)];
    let releases = releases.map(|(major, minor)| EngineRelease::new(major, minor).versions());
    let mut all = Vec::new();
    for versions in plain.chain(releases) {
        for byte_order in ORDERS {
            let uncooked = versions.clone().with_byte_order(byte_order);
            let cooked = uncooked.clone().with_cooked(true).with_filter_editor_only(true);
            let bare = cooked.clone().with_unversioned_properties(true);
            all.extend([uncooked, cooked]);
            if versions.ue5() >= 1010 {
                all.push(bare);
            }
        }
    }
    all
}

pub fn save<T: Archived>(value: &mut T, versions: &Versions) -> unreal_packages::Result<Vec<u8>> {
    let mut saver = Saver::new(versions.clone());
    value.serialize(&mut saver)?;
    Ok(saver.into_bytes())
}

/// The value and how many bytes it took.
pub fn load<T: Archived + Default>(
    bytes: &[u8],
    versions: &Versions,
) -> unreal_packages::Result<(T, usize)> {
    let mut value = T::default();
    let mut loader = Loader::new(bytes, versions.clone());
    value.serialize(&mut loader)?;
    Ok((value, bytes.len() - loader.remaining() as usize))
}

/// Object versions at which layouts change, with one below each, and what releases write.
pub fn object_versions() -> Vec<(u32, u32)> {
    let steps = [
        219, 224, 278, 302, 326, 336, 342, 365, 384, 413, 434, 444, 459, 482, 485, 504, 507, 508,
        510, 511, 514, 516, 518, 520, 521, 522,
    ];
    let old = steps.into_iter().flat_map(|v4| [v4 - 1, v4]).map(|v4| (v4, 0));
    let new = (1000..=1018).map(|v5| (522, v5));
    let mut all: Vec<_> = old.chain(new).collect();
    all.dedup();
    all
}
