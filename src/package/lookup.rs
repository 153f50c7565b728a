//! Finding a name by its text without reading the whole table each time.

use std::collections::HashMap;

use super::Package;

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
}

/// Letters of any case hash the same (FNV-1a).
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
    })
}

impl Package {
    /// As [`super::Names::find`], remembering what it has seen.
    pub(crate) fn look_up_name(&mut self, text: &str) -> Option<usize> {
        let mut lookup = std::mem::take(&mut self.tables.lookup);
        if lookup.covered > self.tables.names.len() {
            lookup.forget();
        }
        for row in lookup.covered..self.tables.names.len() {
            if let Some(known) = self.names().get(row) {
                lookup.rows.entry(hash(&known)).or_insert(row as u32);
            }
        }
        lookup.covered = self.tables.names.len();
        let found = lookup.rows.get(&hash(text)).map(|&row| row as usize);
        self.tables.lookup = lookup;
        let row = found?;
        match self.names().get(row) {
            Some(known) if known.eq_ignore_ascii_case(text) => Some(row),
            // Another text has the same hash.
            _ => self.names().find(text),
        }
    }
}
