//! Whose value holds, place by place.

use std::fmt::Write as _;

use super::conflict::MergeConflict;
use super::outcome::MergePreference;
use crate::error::{Error, Result};

/// Choices by the paths of conflicts.
#[derive(Debug, Clone, Default)]
pub(super) struct Choices(Vec<(String, MergePreference)>);

impl Choices {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn push(&mut self, path: &str, side: MergePreference) {
        self.0.push((path.trim().to_ascii_lowercase(), side));
    }

    /// The choice for a conflict: that of the longest path that is its own or leads to it.
    pub fn of(&self, conflict: &MergeConflict) -> Option<MergePreference> {
        let path = conflict.path().to_ascii_lowercase();
        let leads = |choice: &str| {
            let rest = path.strip_prefix(choice);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', ':', '[']))
        };
        let fitting = self.0.iter().filter(|(choice, _)| leads(choice));
        fitting.max_by_key(|(choice, _)| choice.len()).map(|(_, side)| *side)
    }
}

/// Writes conflicts as a text to be edited: a line for each, with `?` in place of the side, and both values below.
/// [`MergeOptions::resolve`](super::MergeOptions::resolve) reads it.
pub fn conflict_file(conflicts: &[MergeConflict]) -> String {
    let mut out =
        "# Write `ours` or `theirs` in place of each `?` and merge again with this file.\n"
            .to_owned();
    for conflict in conflicts {
        let one_line = |text: &str| text.replace(['\n', '\r'], " ");
        let _ = writeln!(out, "? {}", one_line(&conflict.path()));
        let _ = writeln!(out, "#   {}", one_line(&conflict.reason));
        for (side, text) in [("ours", &conflict.ours), ("theirs", &conflict.theirs)] {
            if let Some(text) = text {
                let _ = writeln!(out, "#   {side}: {}", one_line(text));
            }
        }
    }
    out
}

/// Reads what [`conflict_file`] has written and somebody has edited.
pub(super) fn read(text: &str, choices: &mut Choices) -> Result<()> {
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let number = at + 1;
        let side = match line.split_once(' ') {
            Some(("?", _)) => continue,
            Some(("ours", path)) => (path, MergePreference::Ours),
            Some(("theirs", path)) => (path, MergePreference::Theirs),
            _ => {
                return Err(Error::invalid(format!(
                    "line {number} of the conflict file: write `ours PATH`, `theirs PATH` or `? PATH`"
                )));
            }
        };
        choices.push(side.0, side.1);
    }
    Ok(())
}
