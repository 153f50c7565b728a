//! The save game with `savefile`.

use std::collections::{BTreeMap, HashMap};

use savefile::SavefileError;
use savefile::prelude::Savefile;

/// A saved game. Version 2 has pets, quests and the weather; version 3 counts play time in milliseconds.
#[derive(Savefile, Debug, Clone, Default, PartialEq)]
pub struct SaveGame {
    pub player: String,
    pub title: String,
    #[savefile_versions_as = "..2:from_seconds:u32"]
    #[savefile_versions = "3.."]
    pub play_time: u64,
    pub flags: Flags,
    pub hero: Hero,
    #[savefile_versions = "2.."]
    #[savefile_default_fn = "first_quest"]
    pub quests: Vec<Quest>,
    #[savefile_versions = "2.."]
    pub weather: Option<Weather>,
    pub stats: BTreeMap<String, i32>,
    pub seen: HashMap<u16, bool>,
    pub width: u16,
    pub height: u16,
    pub map: Vec<u8>,
    pub last_event: Event,
    pub screenshot: Vec<u8>,
    pub chunks: Vec<Vec<i16>>,
    #[savefile_ignore]
    pub strongest: String,
}

#[derive(Savefile, Debug, Clone, Default, PartialEq)]
pub struct Flags {
    pub hardcore: bool,
    pub difficulty: u8,
}

#[derive(Savefile, Debug, Clone, Default, PartialEq)]
pub struct Hero {
    pub name: String,
    pub position: [f32; 3],
    pub health: u16,
    pub inventory: Vec<Item>,
    #[savefile_versions = "2.."]
    pub pet: Option<Box<Hero>>,
}

#[derive(Savefile, Debug, Clone, Default, PartialEq)]
pub struct Item {
    pub id: u32,
    pub amount: u32,
}

#[derive(Savefile, Debug, Clone, PartialEq)]
pub enum Quest {
    Main(u8),
    Side(u16, bool),
}

#[derive(Savefile, Debug, Clone, PartialEq)]
pub enum Weather {
    Sun,
    Rain(f32),
    #[savefile_versions = "3.."]
    Storm,
}

#[derive(Savefile, Debug, Clone, Default, PartialEq)]
pub enum Event {
    #[default]
    Nothing,
    Killed(Item),
    Said(String),
}

fn from_seconds(seconds: u32) -> u64 {
    u64::from(seconds) * 1000
}

fn first_quest() -> Vec<Quest> {
    vec![Quest::Main(1)]
}

pub fn load(bytes: &[u8]) -> Result<SaveGame, SavefileError> {
    let mut game: SaveGame = savefile::load_from_mem(bytes, 3)?;
    let strongest = game.stats.iter().max_by_key(|(_, value)| **value);
    game.strongest = strongest.map(|(name, _)| name.clone()).unwrap_or_default();
    Ok(game)
}

pub fn save(game: &SaveGame, version: u32) -> Result<Vec<u8>, SavefileError> {
    savefile::save_to_mem(version, game)
}
