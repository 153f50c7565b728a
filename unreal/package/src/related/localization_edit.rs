//! Translations by namespace and key.

use super::localization::{LocalizedEntry, LocalizedString, LocalizedTexts, LocalizedTranslation};
use crate::error::{Error, ErrorKind, Result, noun};
use crate::primitive::FString;

impl LocalizedTexts {
    /// Every entry: the path of its key, `Namespace/Key`, and its translation. `source` is what the file was
    /// read from.
    ///
    /// # Errors
    /// `OutsideSource` when `source` is another one; `Invalid` for an entry without a string.
    pub fn entries(&self, source: &[u8]) -> Result<Vec<(String, String)>> {
        let mut found = Vec::new();
        for namespace in &self.namespaces {
            let name = namespace.name.text.text(source)?;
            for entry in &namespace.entries {
                let path = format!("{name}/{}", entry.key.text.text(source)?);
                let text = self.translation(entry).ok_or_else(|| {
                    Error::invalid(format!("{path} has no string in the list of strings"))
                })?;
                found.push((path, text.text(source)?.into_owned()));
            }
        }
        Ok(found)
    }

    /// Gives the entry of this path another translation, and says what it was. Strings that other entries share
    /// stay as they are; the hashes are of keys and source texts, and stay as well.
    ///
    /// # Errors
    /// `NotFound`; as [`LocalizedTexts::entries`].
    pub fn set(&mut self, path: &str, text: &str, source: &[u8]) -> Result<String> {
        let entries = self.entries(source)?;
        let Some(at) = entries.iter().position(|(known, _)| known == path) else {
            let hint = "; `upk get FILE` shows all paths, NAMESPACE/KEY".to_owned();
            return Err(
                ErrorKind::NotFound { what: noun::TEXT, name: path.to_owned(), hint }.into()
            );
        };
        let old = entries.into_iter().nth(at).map(|(_, text)| text).unwrap_or_default();
        if old == text {
            return Ok(old);
        }
        let new = FString::new(text);
        let mut shown = self.strings.iter().map(|string| string.text.text(source));
        let there = shown.position(|known| known.is_ok_and(|known| known == text));
        let used = |row: i32| {
            let rows = self.namespaces.iter().flat_map(|namespace| &namespace.entries);
            rows.filter(|entry| entry.translation == LocalizedTranslation::Row(row)).count()
        };
        let row = match self.entry(at).map(|entry| &entry.translation) {
            Some(LocalizedTranslation::Row(row)) => Some((*row, used(*row) > 1)),
            _ => None,
        };
        match (row, there) {
            // Version 0.
            (None, _) => self.point(at, LocalizedTranslation::Text(new)),
            (Some((row, _)), Some(there)) => {
                self.count(row, -1);
                self.count(there as i32, 1);
                self.point(at, LocalizedTranslation::Row(there as i32));
            }
            (Some((row, true)), None) => {
                let next = i32::try_from(self.strings.len())
                    .map_err(|_| Error::invalid("no file holds more strings"))?;
                let counted = self.string(row).is_some_and(|string| string.users >= 0);
                let users = match self.version {
                    0 | 1 => 0,
                    _ if counted => 1,
                    _ => -1,
                };
                self.count(row, -1);
                self.strings.push(LocalizedString { text: new, users });
                self.point(at, LocalizedTranslation::Row(next));
            }
            (Some((row, false)), None) => {
                if let Some(string) = self.string(row) {
                    string.text = new;
                }
            }
        }
        Ok(old)
    }

    fn entry(&self, at: usize) -> Option<&LocalizedEntry> {
        self.namespaces.iter().flat_map(|namespace| &namespace.entries).nth(at)
    }

    fn point(&mut self, at: usize, translation: LocalizedTranslation) {
        let mut all = self.namespaces.iter_mut().flat_map(|namespace| &mut namespace.entries);
        if let Some(entry) = all.nth(at) {
            entry.translation = translation;
        }
    }

    fn string(&mut self, row: i32) -> Option<&mut LocalizedString> {
        self.strings.get_mut(usize::try_from(row).ok()?)
    }

    /// A string has more or fewer users, where they are counted.
    fn count(&mut self, row: i32, change: i32) {
        let counts = self.version >= 2;
        if let Some(string) = self.string(row).filter(|string| counts && string.users >= 0) {
            string.users = string.users.saturating_add(change).max(0);
        }
    }
}
