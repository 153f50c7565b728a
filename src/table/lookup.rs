//! Finding a name by its text without reading the whole table each time.

use std::borrow::Cow;
use std::collections::HashMap;

/// The first row of each text. Rows behind `covered` are taken in when something is looked up, so
/// only a text that changes needs [`NameLookup::forget`].
#[derive(Debug, Clone, Default)]
pub(crate) struct NameLookup {
    rows: HashMap<u64, u32>,
    covered: usize,
}

impl NameLookup {
    /// The table has changed otherwise than by new rows at its end.
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
        if self.covered > rows {
            self.forget();
        }
        for at in self.covered..rows {
            if let Some(known) = row(at) {
                self.rows.entry(hash_of(&known)).or_insert(at as u32);
            }
        }
        self.covered = rows;
        self.rows.get(&hash_of(text)).map(|&row| row as usize)
    }
}

/// Letters of any case hash the same (FNV-1a).
pub(crate) fn hash_of(text: &str) -> u64 {
    hash_continued(0xcbf2_9ce4_8422_2325, text)
}

/// The hash of a text that goes on from one with this hash.
pub(crate) fn hash_continued(hash: u64, text: &str) -> u64 {
    text.bytes().fold(hash, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    })
}
