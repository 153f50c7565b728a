//! How packages are merged, and what came of it.

use super::conflict::MergeConflict;

/// Whose value holds where both sides have changed one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum MergePreference {
    /// Nobody's: it is a conflict.
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
}

impl MergeOptions {
    /// What both sides have changed is a conflict.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whose value holds where both have changed one. What can't be carried over stays a conflict.
    #[must_use]
    pub fn prefer(mut self, preference: MergePreference) -> Self {
        self.preference = preference;
        self
    }
}

/// What a merge has done.
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
    /// What both sides have changed and one value was preferred.
    pub preferred: Vec<MergeConflict>,
    /// What stays as it is here although the other side has changed it: it only says which save this is.
    pub kept: Vec<String>,
    /// What stands in the way; nothing was merged then.
    pub conflicts: Vec<MergeConflict>,
}
