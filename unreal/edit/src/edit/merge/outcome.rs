//! How packages are merged, and what came of it.

use super::choices::{self, Choices};
use super::conflict::MergeConflict;

/// Whose value holds where both sides have changed one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MergePreference {
    /// The value of neither side: it is a conflict.
    #[default]
    Neither,
    /// That of the package that is merged into.
    Ours,
    /// That of the other package.
    Theirs,
}

/// How packages are merged.
#[derive(Debug, Clone, Default)]
pub struct MergeOptions {
    pub(super) preference: MergePreference,
    pub(super) choices: Choices,
}

impl MergeOptions {
    /// The usual options: a place that both sides have changed is a conflict.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whose value holds where both have changed one. What can't be carried over stays a conflict.
    #[must_use]
    pub fn prefer(mut self, preference: MergePreference) -> Self {
        self.preference = preference;
        self
    }

    /// Whose value holds at one path, whatever is preferred elsewhere: that of a conflict
    /// ([`MergeConflict::path`]), of an object with all in it, or `header`. The longest path that fits counts.
    #[must_use]
    pub fn choose(mut self, path: &str, side: MergePreference) -> Self {
        self.choices.push(path, side);
        self
    }

    /// Takes the choices of a conflict file ([`conflict_file`](super::conflict_file)).
    ///
    /// # Errors
    /// `Invalid` with the line that is no choice.
    pub fn resolve(mut self, text: &str) -> crate::Result<Self> {
        choices::read(text, &mut self.choices)?;
        Ok(self)
    }

    /// Whether no side is preferred anywhere.
    pub(super) fn decides_nothing(&self) -> bool {
        self.preference == MergePreference::Neither && self.choices.is_empty()
    }
}

/// The objects and places that a merge has changed, and its conflicts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Merged {
    /// The paths of the objects that were taken over: added, or changed on their side alone.
    pub taken: Vec<String>,
    /// The paths of the objects that both sides have changed, in different places.
    pub combined: Vec<String>,
    /// The paths of the objects that went.
    pub removed: Vec<String>,
    /// The old and the new paths of those that have another name or place now.
    pub renamed: Vec<(String, String)>,
    /// Places that both sides have changed and where one value was preferred.
    pub preferred: Vec<MergeConflict>,
    /// Places that stay as they are here although the other side has changed them: they only say which save this is.
    pub kept: Vec<String>,
    /// The conflicts that stand in the way; nothing was merged then.
    pub conflicts: Vec<MergeConflict>,
}
