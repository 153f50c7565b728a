//! Differences of files beside packages, entry by entry: registries of assets, texts of languages, save games.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use super::FieldDifference;
use crate::related::RelatedEntry;

/// An entry in which two files differ.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct EntryDifference {
    /// Which kind of entry it is.
    pub group: &'static str,
    /// Its path.
    pub path: String,
    /// Its class or type in the new file, or in the old one where only that has it.
    pub class: String,
    /// What became of it.
    pub state: EntryState,
    /// The fields that differ, of an entry that both have.
    pub changes: Vec<FieldDifference>,
}

/// What became of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
pub enum EntryState {
    /// Only the old file has it.
    Removed,
    /// Only the new file has it.
    Added,
    /// Both have it, differently.
    Changed,
}

impl fmt::Display for EntryState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Removed => "removed",
            Self::Added => "added",
            Self::Changed => "changed",
        })
    }
}

/// Entries by kind and path; where several have one path, by their order among those.
type ByPath = BTreeMap<(&'static str, String, usize), RelatedEntry>;

fn by_path(entries: Vec<RelatedEntry>) -> ByPath {
    let (mut found, mut counts) = (ByPath::new(), HashMap::new());
    for entry in entries {
        let count: &mut usize = counts.entry((entry.group, entry.path.clone())).or_default();
        found.insert((entry.group, entry.path.clone(), *count), entry);
        *count += 1;
    }
    found
}

/// Compares two files by the paths of their entries: neither the order of entries nor that of fields matters.
pub fn entry_differences(old: Vec<RelatedEntry>, new: Vec<RelatedEntry>) -> Vec<EntryDifference> {
    let (mut old, new) = (by_path(old), by_path(new));
    let mut found = Vec::new();
    for (key, after) in new {
        let RelatedEntry { group, path, class, fields } = after;
        let (state, changes) = match old.remove(&key) {
            None => (EntryState::Added, Vec::new()),
            Some(before) => (EntryState::Changed, field_differences(before.fields, fields)),
        };
        if state == EntryState::Added || !changes.is_empty() {
            found.push(EntryDifference { group, path, class, state, changes });
        }
    }
    found.extend(old.into_values().map(|RelatedEntry { group, path, class, .. }| {
        let (state, changes) = (EntryState::Removed, Vec::new());
        EntryDifference { group, path, class, state, changes }
    }));
    found.sort_by(|a, b| (a.group, &a.path).cmp(&(b.group, &b.path)));
    found
}

fn field_differences(
    old: Vec<(String, String)>,
    new: Vec<(String, String)>,
) -> Vec<FieldDifference> {
    let mut both: BTreeMap<String, [Vec<String>; 2]> = BTreeMap::new();
    for (side, fields) in [old, new].into_iter().enumerate() {
        for (name, value) in fields {
            both.entry(name).or_default()[side].push(value);
        }
    }
    let text = |values: Vec<String>| (!values.is_empty()).then(|| values.join(", "));
    let differing = both.into_iter().filter(|(_, [old, new])| old != new);
    differing.map(|(field, [old, new])| FieldDifference::of(field, text(old), text(new))).collect()
}
