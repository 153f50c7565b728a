//! What becomes of known files, until their shard is written.

use std::collections::HashMap;

use super::known_files::{KnownPlace, KnownRow};
use super::shard::Shard;

/// What becomes of the files of one shard; of those of which nothing is said nothing changes.
#[derive(Debug, Default)]
pub(super) struct ShardFate {
    /// The packages that do not count any more, with their bytes.
    pub gone: HashMap<i64, i64>,
    /// New times of packages.
    pub times: HashMap<i64, Option<i64>>,
    /// Files that are being opened.
    pending: usize,
    /// Whether all its files were met.
    is_ended: bool,
}

impl ShardFate {
    /// Notes in a shard what goes from it.
    pub fn apply(&self, shard: &mut Shard) {
        for (id, bytes) in &self.gone {
            shard.stale.push(*id);
            shard.packages = shard.packages.saturating_sub(1);
            shard.bytes = shard.bytes.saturating_sub(*bytes);
        }
    }
}

/// What becomes of shards that the merge is at, or whose files are being opened.
#[derive(Debug, Default)]
pub(super) struct Fates(HashMap<usize, ShardFate>);

impl Fates {
    /// A file does not count any more.
    pub fn drop(&mut self, known: &KnownRow) {
        let (shard, id) = known.place;
        self.0.entry(shard).or_default().gone.insert(id, known.file.bytes);
    }

    /// A file is opened, and goes unless it proves to be the same.
    pub fn open(&mut self, known: &KnownRow) -> KnownPlace {
        self.drop(known);
        self.0.entry(known.place.0).or_default().pending += 1;
        known.place
    }

    /// A file that was opened is the same, and was written at another time.
    pub fn keep(&mut self, (shard, id): KnownPlace, modified: Option<i64>) {
        let fate = self.0.entry(shard).or_default();
        fate.gone.remove(&id);
        fate.times.insert(id, modified);
    }

    /// All files were met that a shard has.
    pub fn end(&mut self, shard: usize) {
        self.0.entry(shard).or_default().is_ended = true;
    }

    /// No file is being opened.
    pub fn all_opened(&mut self) {
        self.0.values_mut().for_each(|fate| fate.pending = 0);
    }

    /// The shards of which all is known that becomes of them, if anything does.
    pub fn ended(&mut self) -> Vec<(usize, ShardFate)> {
        let ended = self.0.extract_if(|_, fate| fate.is_ended && fate.pending == 0);
        let changes = |fate: &ShardFate| !fate.gone.is_empty() || !fate.times.is_empty();
        ended.filter(|(_, fate)| changes(fate)).collect()
    }
}
