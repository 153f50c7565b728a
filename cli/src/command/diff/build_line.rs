//! A line of a report on two builds: a package or another file, and what became of it.

use serde::Serialize;
use serde_json::{Value, json};
use unreal_packages::compare;

use super::entries::EntryCounts;
use crate::color::Paint;
use crate::output::{count, grouped};

/// How many objects of a package came, went and changed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(super) struct ObjectCounts {
    pub added: usize,
    pub removed: usize,
    pub renamed: usize,
    pub changed: usize,
    /// Fields of the header.
    pub header: usize,
}

impl ObjectCounts {
    pub fn of(diff: &compare::Diff) -> Self {
        Self {
            added: diff.added.len(),
            removed: diff.removed.len(),
            renamed: diff.renamed.len(),
            changed: diff.changed.len(),
            header: diff.header.len(),
        }
    }
}

impl std::fmt::Display for ObjectCounts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { added, removed, renamed, changed, header } = *self;
        let mut parts = Vec::new();
        let objects =
            [(changed, "changed"), (added, "added"), (removed, "removed"), (renamed, "renamed")];
        for (number, what) in objects.into_iter().filter(|(number, _)| *number > 0) {
            parts.push(match parts.is_empty() {
                true => format!("{} {what}", count(number as u64, "object", "objects")),
                false => format!("{number} {what}"),
            });
        }
        if header > 0 {
            parts.push(format!("{} of the header", count(header as u64, "field", "fields")));
        }
        if parts.is_empty() {
            parts.push("nothing but the form".to_owned());
        }
        f.write_str(&parts.join(", "))
    }
}

/// What became of a package or another file.
#[derive(Debug, Clone)]
pub(super) enum BuildState {
    Added,
    Removed,
    /// It is elsewhere: its old path.
    Renamed(String),
    /// A package, with its objects.
    Changed(ObjectCounts),
    /// Another file; what is known by entries with their number.
    ChangedFile(Option<EntryCounts>),
    /// It can't be read.
    Failed(String),
}

/// A line of a report.
#[derive(Debug, Clone)]
pub(super) struct BuildLine {
    pub path: String,
    pub is_package: bool,
    pub state: BuildState,
    /// Bytes on both sides, of what is there.
    pub bytes: [Option<u64>; 2],
}

impl BuildLine {
    pub fn paint(&self) -> Paint {
        match self.state {
            BuildState::Added => Paint::Added,
            BuildState::Removed => Paint::Removed,
            BuildState::Renamed(_) => Paint::Renamed,
            _ => Paint::Changed,
        }
    }

    /// One line for people; `with_counts` adds what is in it and how large it is.
    pub fn text(&self, with_counts: bool) -> String {
        let path = &self.path;
        let mut text = match &self.state {
            BuildState::Added => format!("+ {path}"),
            BuildState::Removed => format!("- {path}"),
            BuildState::Renamed(before) => format!("> {before} -> {path}"),
            BuildState::Changed(_) | BuildState::ChangedFile(_) => format!("~ {path}"),
            BuildState::Failed(reason) => format!("! {path}: {reason}"),
        };
        match &self.state {
            BuildState::Changed(counts) if with_counts => text += &format!(" | {counts}"),
            BuildState::ChangedFile(Some(counts)) => text += &format!(" | {counts}"),
            _ => {}
        }
        match (self.bytes, &self.state) {
            ([Some(old), Some(new)], BuildState::Changed(_)) if with_counts => {
                text += &format!("; {} -> {} bytes", grouped(old), grouped(new));
            }
            ([Some(old), Some(new)], BuildState::ChangedFile(_)) => {
                text += &format!("; {} -> {} bytes", grouped(old), grouped(new));
            }
            ([None, Some(bytes)] | [Some(bytes), None], _) if with_counts => {
                text += &format!(" | {} bytes", grouped(bytes));
            }
            _ => {}
        }
        text
    }

    /// The line for scripts.
    pub fn json(&self) -> Value {
        let state = match self.state {
            BuildState::Added => "added",
            BuildState::Removed => "removed",
            BuildState::Renamed(_) => "renamed",
            BuildState::Changed(_) | BuildState::ChangedFile(_) => "changed",
            BuildState::Failed(_) => "failed",
        };
        let key = if self.is_package { "package" } else { "file" };
        let mut object = json!({ key: self.path, "state": state });
        match &self.state {
            BuildState::Renamed(before) => object["old"] = json!(before),
            BuildState::Changed(counts) if *counts != ObjectCounts::default() => {
                object["counts"] = json!(counts);
            }
            BuildState::ChangedFile(Some(counts)) => object["counts"] = json!(counts),
            _ => {}
        }
        for (key, bytes) in ["old_bytes", "new_bytes"].into_iter().zip(self.bytes) {
            if let Some(bytes) = bytes {
                object[key] = json!(bytes);
            }
        }
        object
    }
}
