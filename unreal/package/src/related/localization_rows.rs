//! Texts of a language by rows: kept, changed, added, removed, in another order.

use std::collections::{HashMap, HashSet};

use super::localization::{
    KeyRecord, LocalizedEntry, LocalizedNamespace, LocalizedString, LocalizedTexts,
    LocalizedTranslation,
};
use crate::error::{Error, ErrorKind, Result, noun};
use crate::primitive::FString;
use crate::table::CRC_LSB;

/// A text of a language as it is to be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalizedRow {
    /// The entry that is there, by its place among the entries of all namespaces.
    pub from: Option<usize>,
    /// The namespace of a new entry.
    pub namespace: String,
    /// The key of a new entry.
    pub key: String,
    /// Another translation; `None` keeps the one that is there.
    pub text: Option<String>,
    /// The hash of the source text, which a new entry needs: [`LocalizedTexts::source_hash`].
    pub source_hash: Option<u32>,
}

impl LocalizedTexts {
    /// The hash of a source text: CRC-32 over its UTF-16 units as 4 bytes each. Spec: ue4-5/14 §14.2.
    pub fn source_hash(text: &str) -> u32 {
        let bytes = text.encode_utf16().flat_map(|unit| u32::from(unit).to_le_bytes());
        let step = |sum: u32, byte: u8| CRC_LSB[usize::from(sum as u8 ^ byte)] ^ sum >> 8;
        !bytes.fold(!0, step)
    }

    /// A namespace or key with the hash that this version stores. Spec: ue4-5/14 §14.2.
    fn key(&self, text: &str) -> KeyRecord {
        let hash = match self.version {
            0 | 1 => 0,
            2 => Self::source_hash(text),
            _ if text.is_empty() => 0,
            _ => {
                let units = text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
                let hash: u64 = cityhasher::hash(units);
                (hash as u32).wrapping_add(((hash >> 32) as u32).wrapping_mul(23))
            }
        };
        KeyRecord { hash, text: FString::new(text) }
    }

    /// Gives the file these rows: each stands in its namespace in this order, new namespaces behind the others. Entries
    /// that are there and not named go, with strings that nothing uses any more.
    ///
    /// # Errors
    /// `Exists` for a new key that is there; `Invalid` for one without the hash of its source text, for namespaces
    /// that stand twice, for entries without a string or named twice; `OutsideSource`. The texts are as before then.
    pub fn set_rows(&mut self, rows: &[LocalizedRow], source: &[u8]) -> Result<()> {
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut namespaces: Vec<LocalizedNamespace> = Vec::with_capacity(self.namespaces.len());
        let mut stored: Vec<(usize, &LocalizedEntry)> = Vec::with_capacity(self.keys());
        let mut had_entries = Vec::with_capacity(self.namespaces.len());
        for (at, namespace) in self.namespaces.iter().enumerate() {
            let name = namespace.name.text.text(source)?.into_owned();
            if places.insert(name.clone(), at).is_some() {
                return Err(Error::invalid(format!("the namespace '{name}' stands twice")));
            }
            stored.extend(namespace.entries.iter().map(|entry| (at, entry)));
            had_entries.push(!namespace.entries.is_empty());
            namespaces
                .push(LocalizedNamespace { name: namespace.name.clone(), entries: Vec::new() });
        }
        let mut strings = KeptStrings::of(self, rows, &stored, source)?;
        let mut keys = HashSet::new();
        let mut taken = HashSet::new();
        for row in rows {
            let (at, mut entry) = match row.from {
                Some(from) => {
                    let (at, entry) = stored.get(from).ok_or_else(no_entry)?;
                    let key = entry.key.text.text(source)?.into_owned();
                    if !taken.insert(from) {
                        return Err(Error::invalid(format!("the entry '{key}' is named twice")));
                    }
                    keys.insert((*at, key));
                    (*at, (*entry).clone())
                }
                None => {
                    let at = *places.entry(row.namespace.clone()).or_insert_with(|| {
                        let name = self.key(&row.namespace);
                        namespaces.push(LocalizedNamespace { name, entries: Vec::new() });
                        namespaces.len() - 1
                    });
                    (at, self.new_entry(row)?)
                }
            };
            if let Some(hash) = row.source_hash {
                entry.source_hash = hash;
            }
            if let Some(text) = row.text.as_deref().or(row.from.is_none().then_some("")) {
                entry.translation = match self.version {
                    0 => LocalizedTranslation::Text(FString::new(text)),
                    _ => LocalizedTranslation::Row(strings.row_of(text, &entry)?),
                };
            }
            namespaces.get_mut(at).ok_or_else(no_entry)?.entries.push(entry);
        }
        for row in rows.iter().filter(|row| row.from.is_none()) {
            let at = places.get(&row.namespace).copied().unwrap_or_default();
            if !keys.insert((at, row.key.clone())) {
                let name = format!("{}/{}", row.namespace, row.key);
                return Err(ErrorKind::Exists { what: noun::KEY, name }.into());
            }
        }
        // What has lost all its entries goes; what had none stays.
        let mut at = 0..;
        namespaces.retain(|namespace| {
            let had = at.next().and_then(|at| had_entries.get(at)).copied().unwrap_or(true);
            !namespace.entries.is_empty() || !had
        });
        let before = self.keys() as i64;
        let strings = strings.finish(&mut namespaces, self.version);
        self.namespaces = namespaces;
        if let Some(strings) = strings {
            self.has_strings |= !strings.is_empty();
            self.strings = strings;
        }
        let count = i64::from(self.key_count) + self.keys() as i64 - before;
        if self.version >= 2 {
            self.key_count = u32::try_from(count.max(0)).unwrap_or(u32::MAX);
        }
        Ok(())
    }

    fn new_entry(&self, row: &LocalizedRow) -> Result<LocalizedEntry> {
        let source_hash = row.source_hash.ok_or_else(|| {
            Error::invalid(format!(
                "{}/{} is new and needs the hash of its source text, or that text",
                row.namespace, row.key
            ))
        })?;
        // No string yet.
        let translation = LocalizedTranslation::Row(-1);
        Ok(LocalizedEntry { key: self.key(&row.key), source_hash, translation })
    }
}

#[cold]
fn no_entry() -> Error {
    Error::invalid("the file has no entry of this number")
}

/// The strings of a file while its entries change.
struct KeptStrings {
    strings: Vec<LocalizedString>,
    /// Entries that use each before, and those that keep it.
    before: Vec<usize>,
    keeping: Vec<usize>,
    rows: HashMap<String, i32>,
    /// The file does not count the users of some.
    is_uncounted: bool,
}

impl KeptStrings {
    fn of(
        texts: &LocalizedTexts,
        rows: &[LocalizedRow],
        stored: &[(usize, &LocalizedEntry)],
        source: &[u8],
    ) -> Result<Self> {
        let (mut before, mut keeping) =
            (vec![0; texts.strings.len()], vec![0; texts.strings.len()]);
        let count = |counts: &mut Vec<usize>, entry: &LocalizedEntry| {
            if let Some(users) = string_row(entry).and_then(|at| counts.get_mut(at)) {
                *users += 1;
            }
        };
        stored.iter().for_each(|(_, entry)| count(&mut before, entry));
        for row in rows.iter().filter(|row| row.text.is_none()) {
            if let Some((_, entry)) = row.from.and_then(|from| stored.get(from)) {
                count(&mut keeping, entry);
            }
        }
        let mut known = HashMap::new();
        for (at, string) in texts.strings.iter().enumerate() {
            // One that nothing keeps may get another text.
            if keeping.get(at).is_some_and(|users| *users > 0) || before.get(at) == Some(&0) {
                known.entry(string.text.text(source)?.into_owned()).or_insert(at as i32);
            }
        }
        let is_uncounted = texts.strings.iter().any(|string| string.users < 0);
        let strings = texts.strings.clone();
        Ok(Self { strings, before, keeping, rows: known, is_uncounted })
    }

    /// The row of a text: one that has it, that of the entry where nothing else uses it, or a new one.
    fn row_of(&mut self, text: &str, entry: &LocalizedEntry) -> Result<i32> {
        if let Some(&row) = self.rows.get(text) {
            return Ok(row);
        }
        let own = string_row(entry).filter(|at| self.keeping.get(*at) == Some(&0));
        let row = match own {
            Some(at) => {
                self.strings[at].text = FString::new(text);
                self.keeping[at] += 1;
                at
            }
            None => {
                let users = if self.is_uncounted { -1 } else { 0 };
                self.strings.push(LocalizedString { text: FString::new(text), users });
                self.before.push(0);
                self.keeping.push(1);
                self.strings.len() - 1
            }
        };
        let row = i32::try_from(row).map_err(|_| Error::invalid("no file holds more strings"))?;
        self.rows.insert(text.to_owned(), row);
        Ok(row)
    }

    /// The strings with their users; those that have lost them all go. `None` for a file that has no list of strings.
    fn finish(
        mut self,
        namespaces: &mut [LocalizedNamespace],
        version: u8,
    ) -> Option<Vec<LocalizedString>> {
        if version == 0 {
            return None;
        }
        let mut users = vec![0_usize; self.strings.len()];
        for entry in namespaces.iter().flat_map(|namespace| &namespace.entries) {
            if let Some(count) = string_row(entry).and_then(|at| users.get_mut(at)) {
                *count += 1;
            }
        }
        let mut renumbered = Vec::with_capacity(users.len());
        let mut kept = 0;
        for (at, string) in self.strings.iter_mut().enumerate() {
            let (was, now) = (self.before[at], users[at]);
            if version >= 2 && string.users >= 0 && was != now {
                // A count that was wrong stays wrong by as much.
                let count = i64::from(string.users) + now as i64 - was as i64;
                string.users = i32::try_from(count.max(0)).unwrap_or(i32::MAX);
            }
            let stays = now > 0 || was == 0;
            renumbered.push(stays.then_some(kept));
            kept += i32::from(stays);
        }
        let mut stays = renumbered.iter().map(Option::is_some);
        self.strings.retain(|_| stays.next().unwrap_or(true));
        for entry in namespaces.iter_mut().flat_map(|namespace| &mut namespace.entries) {
            let row = string_row(entry).and_then(|at| renumbered.get(at).copied().flatten());
            if let Some(row) = row {
                entry.translation = LocalizedTranslation::Row(row);
            }
        }
        Some(self.strings)
    }
}

/// The row of the string that an entry uses.
fn string_row(entry: &LocalizedEntry) -> Option<usize> {
    match entry.translation {
        LocalizedTranslation::Row(row) => usize::try_from(row).ok(),
        LocalizedTranslation::Text(_) => None,
    }
}
