//! What a map says of itself: title, author, players, game, picture.

use super::values::Values;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{Value, class_and_path};

/// Objects of a map that describe it and are decoded at most: a hostile package may have any number.
const MOST_OBJECTS: usize = 16;
/// Characters of a text that is kept.
const LONGEST: usize = 4096;

/// What the describing objects of a map store: its level info and summary, world info, map info.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MapFacts {
    /// The title that menus show.
    pub title: Option<String>,
    /// Who has made it.
    pub author: Option<String>,
    /// The description, or the text that is shown to who enters.
    pub description: Option<String>,
    /// For how many players it is, as it is written: `8`, `2-6 players`.
    pub players: Option<String>,
    /// The fewest and the most players, as far as they are numbers.
    pub player_range: Option<[u32; 2]>,
    /// The class of the game that it is played as unless another is asked for: `Botpack.DeathMatchPlus`.
    pub game_class: Option<String>,
    /// What it calls its music.
    pub song: Option<String>,
    /// Row of the texture that shows it, where the package has that itself.
    pub screenshot: Option<usize>,
    /// The path of the texture, wherever it is.
    pub screenshot_path: Option<String>,
}

/// A game type by which maps are known.
struct Prefix(&'static str, &'static str);

/// What stands before the dash in the name of a map, and the game type that the community or the game calls so.
const PREFIXES: &[Prefix] = &[
    Prefix("AS", "Assault"),
    Prefix("BR", "Bombing Run"),
    Prefix("BT", "BunnyTrack"),
    Prefix("CTF", "Capture the Flag"),
    Prefix("DDOM", "Double Domination"),
    Prefix("DM", "Deathmatch"),
    Prefix("DOM", "Domination"),
    Prefix("DUEL", "Duel"),
    Prefix("INV", "Invasion"),
    Prefix("JB", "Jailbreak"),
    Prefix("KF", "Killing Floor"),
    Prefix("KFO", "Killing Floor Objective"),
    Prefix("MA", "Monster Arena"),
    Prefix("MH", "Monster Hunt"),
    Prefix("MP", "Multiplayer"),
    Prefix("ONS", "Onslaught"),
    Prefix("RA", "Rocket Arena"),
    Prefix("RO", "Red Orchestra"),
    Prefix("SP", "Single Player"),
    Prefix("TDM", "Team Deathmatch"),
    Prefix("TE", "Territory"),
    Prefix("TO", "Tactical Ops"),
    Prefix("VCTF", "Vehicle Capture the Flag"),
    Prefix("WAR", "Warfare"),
];

/// The game type that the name of a map's file says: `DM-Deck16` is one of Deathmatch.
pub fn game_type_of(file_stem: &str) -> Option<&'static str> {
    let (prefix, _) = file_stem.split_once('-')?;
    let known = PREFIXES.iter().find(|Prefix(short, _)| short.eq_ignore_ascii_case(prefix));
    known.map(|Prefix(_, game)| *game)
}

impl Values<'_> {
    /// What a map says of itself; `None` for a package without a level.
    pub fn map_facts(&self) -> Option<MapFacts> {
        let mut is_map = false;
        let mut rows: Vec<(u8, usize)> = Vec::new();
        for (row, export) in self.package.tables().exports.iter().enumerate() {
            let class = self.package.object_name(export.class_index);
            is_map |= class == "Level" || class == "World";
            let rank = match class.to_ascii_lowercase() {
                class if class.ends_with("levelinfo") => 0,
                class if class == "worldinfo" || class == "worldsettings" => 0,
                class if class.ends_with("mapinfo") => 1,
                class if class.ends_with("levelsummary") => 2,
                _ => continue,
            };
            if rows.len() < MOST_OBJECTS {
                rows.push((rank, row));
            }
        }
        // Classes of packages in containers are hashes.
        let flags = self.package.summary().package_flags;
        let is_called_so = flags.is_map(self.package.versions());
        if !is_map && !is_called_so {
            return None;
        }
        rows.sort_unstable();
        let mut facts = MapFacts::default();
        let (mut fewest, mut most, mut welcome) = (None, None, None);
        for (_, row) in rows {
            self.add_facts(row, &mut facts, [&mut fewest, &mut most], &mut welcome);
        }
        facts.description = facts.description.or(welcome);
        if let (Some(fewest), Some(most)) = (fewest.or(most), most.or(fewest)) {
            facts.player_range = Some([fewest, most]);
            facts.players.get_or_insert_with(|| match fewest == most {
                true => fewest.to_string(),
                false => format!("{fewest}-{most}"),
            });
        } else if let Some(text) = &facts.players {
            facts.player_range = range_of(text);
        }
        Some(facts)
    }

    /// Adds what one object stores and none before it.
    fn add_facts(
        &self,
        row: usize,
        facts: &mut MapFacts,
        [fewest, most]: [&mut Option<u32>; 2],
        welcome: &mut Option<String>,
    ) {
        let context = self.package.decoding_context();
        let Ok(mut decoded) = self.editable(row, &context) else { return };
        let Ok(list) = self.list_of(row, &mut decoded.body) else { return };
        self.each_listed(row, list, &context, &mut |path, _, value, text| {
            let set = |fact: &mut Option<String>| {
                let text = plain(&text);
                if fact.is_none() && !text.is_empty() {
                    *fact = Some(text);
                }
            };
            let number = || text.parse::<u32>().ok();
            match path.to_ascii_lowercase().as_str() {
                "title" => set(&mut facts.title),
                "author" | "mapauthor" => set(&mut facts.author),
                "description" => set(&mut facts.description),
                "levelentertext" => set(welcome),
                "idealplayercount" => set(&mut facts.players),
                "idealplayercountmin" | "recommendedplayersmin" => *fewest = fewest.or(number()),
                "idealplayercountmax" | "recommendedplayersmax" => *most = most.or(number()),
                "defaultgametype" | "gametypeforpie" | "defaultgamemode" => {
                    set_path(&mut facts.game_class, &text);
                }
                "song" => set_path(&mut facts.song, &text),
                "screenshot" | "mapimage" if facts.screenshot_path.is_none() => {
                    set_path(&mut facts.screenshot_path, &text);
                    if let Some(Value::Object(index)) = value {
                        facts.screenshot = self.picture(*index);
                    }
                }
                _ => {}
            }
        });
    }

    /// The texture that a reference leads to: itself, or the first that a material of several pictures lists.
    fn picture(&self, index: PackageIndex) -> Option<usize> {
        let ObjectRef::Export(row) = index.target() else { return None };
        let class = self.package.object_name(self.package.tables().exports.get(row)?.class_index);
        if class.ends_with("Texture") || class.ends_with("Texture2D") {
            return Some(row);
        }
        let first = self.stored_property(row, "SequenceItems[0].Material").ok()?;
        let Some(Value::Object(index)) = first.value else { return None };
        let ObjectRef::Export(row) = index.target() else { return None };
        self.package.tables().exports.get(row).map(|_| row)
    }
}

/// The path within `Class'Path'`, or in a text.
fn set_path(fact: &mut Option<String>, text: &str) {
    let text = plain(text);
    let text = text.as_str();
    let (_, path) = class_and_path(text);
    if fact.is_none() && !path.is_empty() && path != "None" {
        *fact = Some(path.chars().take(LONGEST).collect());
    }
}

/// A text without its quotes and escapes.
fn plain(text: &str) -> String {
    let inner = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let mut plain = String::new();
    let mut chars = inner.chars();
    while let Some(char) = chars.next() {
        plain.push(match char {
            '\\' => match chars.next() {
                Some('n' | 'r' | 't') => ' ',
                Some(char) => char,
                None => '\\',
            },
            char => char,
        });
    }
    plain.trim().chars().take(LONGEST).collect()
}

/// The first two numbers of a text, or the one that it has twice: `2-6 players`.
fn range_of(text: &str) -> Option<[u32; 2]> {
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
    let numbers: Vec<u32> = numbers.take(2).filter_map(|part| part.parse().ok()).collect();
    match numbers[..] {
        [one] => Some([one, one]),
        [one, other] => Some([one.min(other), one.max(other)]),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_numbers_where_there_are_some() {
        assert_eq!(range_of("8"), Some([8, 8]));
        assert_eq!(range_of("2 to 6 players"), Some([2, 6]));
        assert_eq!(range_of("many"), None);
        assert_eq!(range_of("99999999999"), None);
    }

    #[test]
    fn texts_lose_their_quotes() {
        assert_eq!(plain("\"The \\\"Deck\\\"\\n16\""), "The \"Deck\" 16");
        assert_eq!(plain("\""), "\"");
    }

    #[test]
    fn paths_stand_in_references_and_in_texts() {
        for text in ["Class'Botpack.DM'", "\"Botpack.DM\"", "Botpack.DM"] {
            let mut path = None;
            set_path(&mut path, text);
            assert_eq!(path.as_deref(), Some("Botpack.DM"), "{text}");
        }
        let mut path = None;
        set_path(&mut path, "None");
        set_path(&mut path, "\"\"");
        assert_eq!(path, None);
    }

    #[test]
    fn prefixes_say_the_game_type() {
        assert_eq!(game_type_of("dm-Deck16]["), Some("Deathmatch"));
        assert_eq!(game_type_of("Vortex2"), None);
        assert_eq!(game_type_of("XX-Deck"), None);
    }
}
