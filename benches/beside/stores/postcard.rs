//! The save game with `postcard`.

use std::collections::{BTreeMap, HashMap};

use postcard::Error;
use serde::{Deserialize, Serialize};

/// A saved game, of the newest version.
#[derive(Serialize, Deserialize, Debug, Clone, Default, PartialEq)]
pub struct SaveGame {
    pub player: String,
    pub title: String,
    pub play_time: u64,
    pub flags: Flags,
    pub hero: Hero,
    pub quests: Vec<Quest>,
    pub weather: Option<Weather>,
    pub stats: BTreeMap<String, i32>,
    pub seen: HashMap<u16, bool>,
    pub width: u16,
    pub height: u16,
    pub map: Vec<u8>,
    pub last_event: Event,
    pub screenshot: Vec<u8>,
    pub chunks: Vec<Vec<i16>>,
    #[serde(skip)]
    pub strongest: String,
}

#[derive(Serialize, Deserialize, Debug, Clone, Default, PartialEq)]
pub struct Flags {
    pub hardcore: bool,
    pub difficulty: u8,
}

#[derive(Serialize, Deserialize, Debug, Clone, Default, PartialEq)]
pub struct Hero {
    pub name: String,
    pub position: [f32; 3],
    pub health: u16,
    pub inventory: Vec<Item>,
    pub pet: Option<Box<Hero>>,
}

#[derive(Serialize, Deserialize, Debug, Clone, Default, PartialEq)]
pub struct Item {
    pub id: u32,
    pub amount: u32,
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub enum Quest {
    Main(u8),
    Side(u16, bool),
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub enum Weather {
    Sun,
    Rain(f32),
    Storm,
}

#[derive(Serialize, Deserialize, Debug, Clone, Default, PartialEq)]
pub enum Event {
    #[default]
    Nothing,
    Killed(Item),
    Said(String),
}

pub fn load(bytes: &[u8]) -> Result<SaveGame, Error> {
    let mut game: SaveGame = postcard::from_bytes(bytes)?;
    let strongest = game.stats.iter().max_by_key(|(_, value)| **value);
    game.strongest = strongest.map(|(name, _)| name.clone()).unwrap_or_default();
    Ok(game)
}

pub fn save(game: &SaveGame) -> Result<Vec<u8>, Error> {
    postcard::to_stdvec(game)
}
