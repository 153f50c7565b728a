//! A save game format of three versions, as its engineer writes it.

use std::collections::{BTreeMap, HashMap};

use farchive::{Archived, archive::Tagged, with};

use super::game::Adler;

/// A saved game. Version 2 has pets, quests and the weather; version 3 counts play time in milliseconds.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(magic = b"SAVE", after_load = SaveGame::index)]
pub struct SaveGame {
    #[archive(with = with::text_u8)]
    pub player: String,
    pub title: String,
    #[archive(was(until = 3, from = from_seconds, to = to_seconds))]
    pub play_time: u64,
    pub flags: Flags,
    #[archive(with = with::checksum_behind::<Adler>)]
    pub hero: Hero,
    #[since(2)]
    #[archive(default = vec![Quest::Main(1)])]
    pub quests: Vec<Quest>,
    #[since(2)]
    pub weather: Option<Weather>,
    pub stats: BTreeMap<String, i32>,
    pub seen: HashMap<u16, bool>,
    pub width: u16,
    pub height: u16,
    #[archive(count = width * height)]
    pub map: Vec<u8>,
    #[archive(computed = self.last_event.tag())]
    pub event_kind: u8,
    #[archive(with = with::align::<4>)]
    pub padding: (),
    #[archive(tag = event_kind)]
    pub last_event: Event,
    #[archive(with = with::sized_u64)]
    pub screenshot: Vec<u8>,
    pub chunks: Vec<Chunk>,
    #[archive(skip)]
    pub strongest: String,
}

/// Heights that stand elsewhere in the file, in any order.
#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Chunk(pub u32, #[archive(with = with::at(self.0))] pub Vec<i16>);

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[archive(bits = u8)]
pub struct Flags {
    #[archive(bits = 1)]
    pub hardcore: bool,
    #[archive(bits = 3)]
    pub difficulty: u8,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Hero {
    pub name: String,
    pub position: [f32; 3],
    pub health: u16,
    pub inventory: Vec<Item>,
    #[since(2)]
    pub pet: Option<Box<Hero>>,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
pub struct Item {
    pub id: u32,
    #[archive(with = with::varint)]
    pub amount: u32,
}

#[derive(Archived, Debug, Clone, PartialEq)]
#[repr(u8)]
pub enum Quest {
    Main(u8),
    Side(u16, bool) = 4,
    #[archive(other)]
    Unknown(u8, [u8; 4]),
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(u8)]
pub enum Weather {
    #[default]
    Sun,
    Rain(f32),
    #[since(3)]
    Storm,
}

#[derive(Archived, Debug, Clone, Default, PartialEq)]
#[repr(u8)]
#[archive(tagged)]
pub enum Event {
    #[default]
    Nothing,
    Killed(Item),
    Said(String),
}

fn from_seconds(seconds: u32) -> u64 {
    u64::from(seconds) * 1000
}

fn to_seconds(milliseconds: &u64) -> Option<u32> {
    milliseconds.is_multiple_of(1000).then(|| u32::try_from(milliseconds / 1000).ok())?
}
