//! One saved game, and what a program adds to its format.

use farchive::archive::checksum::Checksum;
use farchive::{Archive, Result, Versions};

use super::format::{Chunk, Event, Flags, Hero, Item, Quest, SaveGame, Weather};

impl Default for Quest {
    fn default() -> Self {
        Self::Main(0)
    }
}

impl SaveGame {
    /// Finds the highest number among the stats.
    pub(super) fn index<A: Archive + ?Sized>(&mut self, _: &mut A) -> Result<()> {
        let strongest = self.stats.iter().max_by_key(|(_, value)| **value);
        self.strongest = strongest.map(|(name, _)| name.clone()).unwrap_or_default();
        Ok(())
    }

    /// A game with a map of so many fields.
    fn with_map(width: u16, height: u16) -> Self {
        let area = usize::from(width) * usize::from(height);
        Self { width, height, map: vec![3; area], ..Self::default() }
    }
}

/// Adler-32, in a few lines; the type of any crate does as well.
#[derive(Debug)]
pub struct Adler(u32, u32);

impl Default for Adler {
    fn default() -> Self {
        Self(1, 0)
    }
}

impl Checksum for Adler {
    type Value = u32;

    fn update(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 + u32::from(*byte)) % 65521;
            self.1 = (self.1 + self.0) % 65521;
        }
    }

    fn value(&self) -> u32 {
        self.1 << 16 | self.0
    }
}

/// The game with chunks behind all the rest of it, the last one first.
pub fn with_chunks(mut game: SaveGame, version: u32, chunks: &[&[i16]]) -> Result<SaveGame> {
    game.chunks = vec![Chunk::default(); chunks.len()];
    let mut place =
        farchive::size(&SaveGame { chunks: Vec::new(), ..game.clone() }, &Versions::own(version))?;
    place += 4 * chunks.len() as u64;
    for (chunk, heights) in game.chunks.iter_mut().zip(chunks).rev() {
        *chunk = Chunk(place as u32, heights.to_vec());
        place += 4 + 2 * heights.len() as u64;
    }
    Ok(game)
}

/// A game with something in each field.
pub fn game() -> SaveGame {
    SaveGame {
        player: "Åsa".into(),
        title: "Before the storm".into(),
        play_time: 61_000,
        flags: Flags { hardcore: true, difficulty: 5 },
        hero: Hero {
            name: "Ylva".into(),
            position: [1.5, -2.0, 0.1],
            health: 99,
            inventory: vec![Item { id: 7, amount: 300 }],
            pet: Some(Box::new(Hero { name: "Wolf".into(), ..Hero::default() })),
        },
        quests: vec![Quest::Side(9, true), Quest::Unknown(200, [1, 2, 3, 4])],
        weather: Some(Weather::Rain(0.25)),
        stats: [("luck".into(), -3), ("strength".into(), 18)].into(),
        seen: [(4, true), (2, false)].into(),
        last_event: Event::Killed(Item { id: 1, amount: 2 }),
        event_kind: 1,
        screenshot: (0..100_000).map(|byte| byte as u8).collect(),
        strongest: "strength".into(),
        ..SaveGame::with_map(3, 2)
    }
}
