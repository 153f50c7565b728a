//! Finding a name by its text without reading the whole table each time.

use std::borrow::Cow;
use std::collections::HashMap;

/// The rows of each text, and those that are paths. Rows behind `covered` are taken in when something is
/// looked up; the caller reports each changed text.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct NameLookup {
    /// The first row by hash.
    rows: HashMap<u64, u32>,
    /// Further rows of the same hash, which few tables have; ascending.
    further: HashMap<u64, Vec<u32>>,
    /// Rows with a slash, ascending.
    paths: Vec<u32>,
    covered: usize,
}

/// A copy looks for itself when it is asked: most are only kept to go back to.
impl Clone for NameLookup {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl NameLookup {
    /// The table has changed otherwise than row by row.
    #[inline]
    pub fn forget(&mut self) {
        *self = Self::default();
    }

    /// The first row whose hash is this text's, of a table of so many rows.
    pub fn first<'a>(
        &mut self,
        text: &str,
        rows: usize,
        row: impl Fn(usize) -> Option<Cow<'a, str>>,
    ) -> Option<usize> {
        self.cover(rows, row);
        self.rows.get(&hash_of(text)).map(|&row| row as usize)
    }

    /// All rows whose hash is this text's, of a table of so many rows.
    pub fn all<'a>(
        &mut self,
        text: &str,
        rows: usize,
        row: impl Fn(usize) -> Option<Cow<'a, str>>,
    ) -> impl Iterator<Item = usize> {
        self.cover(rows, row);
        let hash = hash_of(text);
        let further = self.further.get(&hash).into_iter().flatten();
        self.rows.get(&hash).into_iter().chain(further).map(|&row| row as usize)
    }

    /// The rows of texts with a slash, ascending, of a table of so many rows.
    pub fn paths<'a>(
        &mut self,
        rows: usize,
        row: impl Fn(usize) -> Option<Cow<'a, str>>,
    ) -> &[u32] {
        self.cover(rows, row);
        &self.paths
    }

    /// A row says another text now.
    pub fn change(&mut self, row: usize, old: &str, new: &str) {
        if row >= self.covered {
            return;
        }
        let (row, hash) = (row as u32, hash_of(old));
        let further = self.further.entry(hash).or_default();
        if self.rows.get(&hash) == Some(&row) {
            match further.is_empty() {
                true => drop(self.rows.remove(&hash)),
                false => drop(self.rows.insert(hash, further.remove(0))),
            }
        } else {
            further.retain(|known| *known != row);
        }
        if further.is_empty() {
            self.further.remove(&hash);
        }
        if let Ok(at) = self.paths.binary_search(&row) {
            self.paths.remove(at);
        }
        self.add(row, new);
    }

    fn cover<'a>(&mut self, rows: usize, row: impl Fn(usize) -> Option<Cow<'a, str>>) {
        if self.covered > rows {
            self.forget();
        }
        for at in self.covered..rows {
            if let Some(known) = row(at) {
                self.add(at as u32, &known);
            }
        }
        self.covered = rows;
    }

    fn add(&mut self, row: u32, text: &str) {
        let hash = hash_of(text);
        let first = *self.rows.entry(hash).or_insert(row);
        if first != row {
            self.rows.insert(hash, first.min(row));
            put(self.further.entry(hash).or_default(), first.max(row));
        }
        if text.contains('/') {
            put(&mut self.paths, row);
        }
    }
}

/// Puts a row among others, which stay ascending.
fn put(rows: &mut Vec<u32>, row: u32) {
    if let Err(at) = rows.binary_search(&row) {
        rows.insert(at, row);
    }
}

/// Letters of any case hash the same (FNV-1a).
#[doc(hidden)]
pub fn hash_of(text: &str) -> u64 {
    hash_continued(0xcbf2_9ce4_8422_2325, text)
}

/// The hash of a text that goes on from one with this hash.
#[doc(hidden)]
pub fn hash_continued(hash: u64, text: &str) -> u64 {
    text.bytes().fold(hash, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    })
}
