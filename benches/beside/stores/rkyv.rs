//! The save game with `rkyv`.

use std::collections::{BTreeMap, HashMap};

use rkyv::rancor::{Error, Fallible, Source};
use rkyv::ser::{Allocator, Writer};
use rkyv::validation::ArchiveContext;
use rkyv::with::Skip;
use rkyv::{Archive, Deserialize, Serialize};

/// A saved game, of the newest version.
#[derive(Archive, Serialize, Deserialize, Debug, Clone, Default, PartialEq)]
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
    #[rkyv(with = Skip)]
    pub strongest: String,
}

#[derive(Archive, Serialize, Deserialize, Debug, Clone, Default, PartialEq)]
pub struct Flags {
    pub hardcore: bool,
    pub difficulty: u8,
}

#[derive(Archive, Serialize, Deserialize, Debug, Clone, Default, PartialEq)]
#[rkyv(serialize_bounds(__S: Writer + Allocator, __S::Error: Source))]
#[rkyv(deserialize_bounds(__D: Fallible<Error: Source>))]
#[rkyv(bytecheck(bounds(__C: ArchiveContext, __C::Error: Source)))]
pub struct Hero {
    pub name: String,
    pub position: [f32; 3],
    pub health: u16,
    pub inventory: Vec<Item>,
    #[rkyv(omit_bounds)]
    pub pet: Option<Box<Hero>>,
}

#[derive(Archive, Serialize, Deserialize, Debug, Clone, Default, PartialEq)]
pub struct Item {
    pub id: u32,
    pub amount: u32,
}

#[derive(Archive, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub enum Quest {
    Main(u8),
    Side(u16, bool),
}

#[derive(Archive, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub enum Weather {
    Sun,
    Rain(f32),
    Storm,
}

#[derive(Archive, Serialize, Deserialize, Debug, Clone, Default, PartialEq)]
pub enum Event {
    #[default]
    Nothing,
    Killed(Item),
    Said(String),
}

pub fn load(bytes: &[u8]) -> Result<SaveGame, Error> {
    let mut game = rkyv::from_bytes::<SaveGame, Error>(bytes)?;
    let strongest = game.stats.iter().max_by_key(|(_, value)| **value);
    game.strongest = strongest.map(|(name, _)| name.clone()).unwrap_or_default();
    Ok(game)
}

pub fn save(game: &SaveGame) -> Result<Vec<u8>, Error> {
    Ok(rkyv::to_bytes(game)?.into_vec())
}
