//! The game that a package was made for, as far as it says one.

use crate::package::Package;
use crate::version::{Engine, Game, UnrealVersions};

/// Packages of script that one game has, by engine, with the game: what uses their code runs there. Where a package uses
/// several, the first of this list counts: a game that goes on from another one has the other's packages, too.
const CODE: &[(Engine, &str, &str)] = &[
    (Engine::Ue1, "botpack", "ut99"),
    (Engine::Ue1, "deusex", "deus-ex"),
    (Engine::Ue1, "runei", "rune"),
    (Engine::Ue1, "wot", "wheel-of-time"),
    (Engine::Ue1, "angreal", "wheel-of-time"),
    (Engine::Ue1, "wotdecorations", "wheel-of-time"),
    (Engine::Ue1, "harrypotter", "harry-potter"),
    (Engine::Ue1, "hgame", "harry-potter"),
    (Engine::Ue1, "klingons", "klingon-honor-guard"),
    (Engine::Ue1, "unreali", "unreal"),
    (Engine::Ue1, "unrealshare", "unreal"),
    (Engine::Ue2, "lineageplayer", "lineage-2"),
    (Engine::Ue2, "lineagemonsters", "lineage-2"),
    (Engine::Ue2, "swatgame", "swat4"),
    (Engine::Ue2, "swatequipment", "swat4"),
    (Engine::Ue2, "tribesgame", "tribes-vengeance"),
    (Engine::Ue2, "kfmod", "killing-floor"),
    (Engine::Ue2, "roengine", "red-orchestra"),
    (Engine::Ue2, "onslaught", "ut2004"),
    (Engine::Ue2, "ut2k4assault", "ut2004"),
    (Engine::Ue2, "xgame", "ut2003-2004"),
    (Engine::Ue3, "tagame", "rocket-league"),
    (Engine::Ue3, "tdgame", "mirrors-edge"),
    (Engine::Ue3, "geargame", "gears-of-war"),
    (Engine::Ue3, "willowgame", "borderlands"),
    (Engine::Ue3, "bmgame", "batman"),
    (Engine::Ue3, "kfgame", "killing-floor-2"),
    (Engine::Ue3, "rogame", "red-orchestra-2"),
    (Engine::Ue3, "udkbase", "udk"),
];

/// The oldest and the newest file version of the Unreal Development Kit, whose licensee version is 0. Spec: ue1-3/02 §2.5.
const UDK: std::ops::RangeInclusive<u32> = 648..=868;
/// The file version of Unreal Tournament 3, likewise.
const UT3: u32 = 512;

/// The game whose code a package uses, or that alone writes its versions; `None` where nothing says it: a texture of UT99 is
/// one of Unreal.
pub(super) fn title(package: &Package) -> Option<&'static str> {
    let versions = package.versions();
    match versions.game() {
        // Layouts of several games: UT2003, Killing Floor and others; the first two of Mass Effect for the PlayStation.
        Game::Mainline | Game::Detect | Game::Ut2004 => {}
        Game::MassEffect3 if (150..=153).contains(&versions.licensee()) => return None,
        game => return Some(game.slug()),
    }
    let engine = versions.engine();
    let tops = package.imports();
    let tops = tops.iter().filter(|import| import.entry().outer_index.is_null());
    let tops: Vec<String> = tops.map(|import| import.name().to_ascii_lowercase()).collect();
    let code = CODE.iter().find(|(of, name, _)| *of == engine && tops.iter().any(|it| it == name));
    if let Some((_, _, game)) = code {
        return Some(game);
    }
    match (engine, versions.file(), versions.licensee()) {
        (Engine::Ue3, UT3, 0) => Some("ut3"),
        (Engine::Ue3, file, 0) if UDK.contains(&file) => Some("udk"),
        _ => None,
    }
}
