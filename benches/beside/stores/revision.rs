//! The save game with `revision`.

use std::collections::{BTreeMap, HashMap};

use revision::{Error, revisioned};

/// A saved game. Version 2 has pets, quests and the weather; version 3 counts play time in milliseconds.
#[revisioned(revision = 3)]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SaveGame {
    pub player: String,
    pub title: String,
    #[revision(end = 3, convert_fn = "from_seconds")]
    pub play_seconds: u32,
    #[revision(start = 3)]
    pub play_time: u64,
    pub flags: Flags,
    pub hero: Hero,
    #[revision(start = 2, default_fn = "first_quest")]
    pub quests: Vec<Quest>,
    #[revision(start = 2)]
    pub weather: Option<Weather>,
    pub stats: BTreeMap<String, i32>,
    pub seen: HashMap<u16, bool>,
    pub width: u16,
    pub height: u16,
    pub map: Vec<u8>,
    pub last_event: Event,
    pub screenshot: Vec<u8>,
    pub chunks: Vec<Vec<i16>>,
}

#[revisioned(revision = 1)]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Flags {
    pub hardcore: bool,
    pub difficulty: u8,
}

#[revisioned(revision = 2)]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Hero {
    pub name: String,
    pub position: [f32; 3],
    pub health: u16,
    pub inventory: Vec<Item>,
    #[revision(start = 2)]
    pub pet: Option<Box<Hero>>,
}

#[revisioned(revision = 1)]
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Item {
    pub id: u32,
    pub amount: u32,
}

#[revisioned(revision = 1)]
#[derive(Debug, Clone, PartialEq)]
pub enum Quest {
    Main(u8),
    Side(u16, bool),
}

#[revisioned(revision = 2)]
#[derive(Debug, Clone, PartialEq)]
pub enum Weather {
    Sun,
    Rain(f32),
    #[revision(start = 2)]
    Storm,
}

#[revisioned(revision = 1)]
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Event {
    #[default]
    Nothing,
    Killed(Item),
    Said(String),
}

impl SaveGame {
    fn from_seconds(&mut self, _: u16, seconds: u32) -> Result<(), Error> {
        self.play_time = u64::from(seconds) * 1000;
        Ok(())
    }

    fn first_quest(_: u16) -> Result<Vec<Quest>, Error> {
        Ok(vec![Quest::Main(1)])
    }
}

pub fn load(bytes: &[u8]) -> Result<SaveGame, Error> {
    revision::from_slice(bytes)
}

pub fn save(game: &SaveGame) -> Result<Vec<u8>, Error> {
    revision::to_vec(game)
}
