//! Files beside packages, entry by entry: registries of assets, texts of languages, save games.

use std::path::Path;

use serde_json::{Value, json};
use unreal_packages::compare::{EntryDifference, EntryState, entry_differences};

use super::Diff;
use crate::color::Paint;
use crate::failure::{CommandResult, Failure, Outcome};
use crate::output::{Output, count, cut};
use crate::related::{self, RelatedFile};

/// How many entries came, went and changed.
#[derive(Debug, Clone, Copy, Default, serde::Serialize)]
pub(super) struct EntryCounts {
    pub added: u64,
    pub removed: u64,
    pub changed: u64,
}

impl EntryCounts {
    pub fn of(entries: &[EntryDifference]) -> Self {
        let of = |state| entries.iter().filter(|entry| entry.state == state).count() as u64;
        Self {
            added: of(EntryState::Added),
            removed: of(EntryState::Removed),
            changed: of(EntryState::Changed),
        }
    }
}

impl std::fmt::Display for EntryCounts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { added, removed, changed } = self;
        if (added, removed, changed) == (&0, &0, &0) {
            return f.write_str("nothing but the form");
        }
        let entries = count(*added, "entry", "entries");
        write!(f, "{entries} added, {removed} removed, {changed} changed")
    }
}

/// The entries in which two files differ; `None` where one of them is no file of entries, or they are of two kinds.
pub(super) fn of_files(old: &Path, new: &Path) -> Result<Option<Vec<EntryDifference>>, Failure> {
    let (Some(old), Some(new)) = (related::open(old)?, related::open(new)?) else {
        return Ok(None);
    };
    if old.kind() != new.kind() {
        return Ok(None);
    }
    Ok(Some(entry_differences(old.entries()?, new.entries()?)))
}

impl Diff {
    /// Two files beside packages.
    pub(super) fn related(
        &self,
        old: &RelatedFile,
        new: &RelatedFile,
        out: &mut Output,
    ) -> CommandResult {
        if old.kind() != new.kind() {
            let (old, new) = (old.noun(), new.noun());
            let next = "name two files of one kind";
            return Err(Failure::usage(format!(
                "the old file is {old}, the new one {new}\n  next: {next}"
            )));
        }
        let found = entry_differences(old.entries()?, new.entries()?);
        let counts = EntryCounts::of(&found);
        let same_bytes = old.bytes == new.bytes;
        if out.is_json() {
            let same = found.is_empty();
            let mut object = json!({ "old": self.old.display().to_string(), "new": self.new.display().to_string(),
                                     "kind": new.kind(), "counts": counts, "same": same,
                                     "same_bytes": same_bytes });
            if !self.stat {
                object["entries"] = self.entries_json(&found)?;
            }
            out.object(&object)?;
        } else {
            self.entries(&found, "", out)?;
            if !self.name_only {
                out.line(match (found.is_empty(), same_bytes) {
                    (true, true) => "the files are the same".to_owned(),
                    (true, false) => {
                        "nothing differs but the form: the order of entries, of names".to_owned()
                    }
                    _ => counts.to_string(),
                })?;
            }
        }
        Ok(if found.is_empty() { Outcome::Fine } else { Outcome::Wrong })
    }

    /// Entries for scripts.
    pub(super) fn entries_json(&self, found: &[EntryDifference]) -> Result<Value, Failure> {
        if self.summary || self.name_only {
            let row = |it: &EntryDifference| json!({ "group": it.group, "path": it.path, "class": it.class, "state": it.state });
            return Ok(found.iter().map(row).collect());
        }
        Ok(serde_json::to_value(found)?)
    }

    /// Entries as lines.
    pub(super) fn entries(
        &self,
        found: &[EntryDifference],
        indent: &str,
        out: &mut Output,
    ) -> Result<(), Failure> {
        for entry in found {
            let EntryDifference { path, class, state, changes, .. } = entry;
            if self.name_only {
                out.line(path)?;
                continue;
            }
            let (sign, paint) = match state {
                EntryState::Removed => ('-', Paint::Removed),
                EntryState::Added => ('+', Paint::Added),
                EntryState::Changed => ('~', Paint::Changed),
            };
            if self.stat && *state == EntryState::Changed {
                out.painted(paint, format!("{indent}{sign} {path} ({class}) | {}", changes.len()))?;
                continue;
            }
            out.painted(paint, format!("{indent}{sign} {path} ({class})"))?;
            if self.summary {
                continue;
            }
            let shown = if self.limit == 0 { changes.len() } else { self.limit };
            for change in changes.iter().take(shown) {
                out.line(format!("{indent}    {}", cut(&change.to_string())))?;
            }
            if shown < changes.len() {
                let more = changes.len() - shown;
                out.line(format!("{indent}    … {more} more; --limit 0 shows all"))?;
            }
        }
        Ok(())
    }
}
