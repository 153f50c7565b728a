//! Conflicts of a merge.

use std::fmt;

use super::outcome::{MergeOptions, MergePreference, Merged};

/// A place that both sides have changed to different things, or a change that can't be carried over.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct MergeConflict {
    /// The path of the object, as the base calls it; empty for the header.
    pub object: String,
    /// The place within it: a property with its elements, a row, `code`, an attribute; empty for all of it.
    pub place: String,
    /// The value on our side, where it can be said.
    pub ours: Option<String>,
    /// The value on their side.
    pub theirs: Option<String>,
    /// Why it is one.
    pub reason: String,
}

impl MergeConflict {
    /// A place of an object that both sides have changed to these.
    pub fn new(
        object: String,
        place: String,
        ours: Option<String>,
        theirs: Option<String>,
    ) -> Self {
        Self { object, place, ours, theirs, reason: BOTH.to_owned() }
    }

    /// The same for another reason.
    #[must_use]
    pub fn because(self, reason: &str) -> Self {
        Self { reason: reason.to_owned(), ..self }
    }

    /// The path of the place: that of the object and the place within it, `header` in place of no object. Choices
    /// of sides go by it ([`MergeOptions::choose`](super::MergeOptions::choose)).
    pub fn path(&self) -> String {
        let Self { object, place, .. } = self;
        let object = if object.is_empty() { "header" } else { object };
        let dot = if place.is_empty() || place.starts_with('[') { "" } else { "." };
        format!("{object}{dot}{place}")
    }
}

impl fmt::Display for MergeConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ours, theirs, reason, .. } = self;
        write!(f, "{}: {reason}", self.path())?;
        for (side, text) in [("ours", ours), ("theirs", theirs)] {
            if let Some(text) = text {
                write!(f, "\n  {side}: {text}")?;
            }
        }
        Ok(())
    }
}

/// Both sides have changed a place.
pub(super) const BOTH: &str = "both sides have changed it";

/// The conflicts that were met.
#[derive(Debug)]
pub(super) struct Conflicts {
    options: MergeOptions,
    pub open: Vec<MergeConflict>,
    /// The conflicts in which one side was preferred.
    pub preferred: Vec<MergeConflict>,
}

impl MergeOptions {
    /// Notes a place of which both sides say something else; says whether their value is taken.
    pub fn takes_theirs(&self, conflict: MergeConflict, merged: &mut Merged) -> bool {
        self.decide(conflict, &mut merged.conflicts, &mut merged.preferred)
    }

    fn decide(
        &self,
        conflict: MergeConflict,
        open: &mut Vec<MergeConflict>,
        preferred: &mut Vec<MergeConflict>,
    ) -> bool {
        let side = self.choices.of(&conflict).unwrap_or(self.preference);
        match side {
            MergePreference::Neither => open.push(conflict),
            _ => preferred.push(conflict),
        }
        side == MergePreference::Theirs
    }
}

impl Conflicts {
    pub fn new(options: &MergeOptions) -> Self {
        Self { options: options.clone(), open: Vec::new(), preferred: Vec::new() }
    }

    /// Notes a place that both sides have changed; says whether their value is taken.
    pub fn takes_theirs(&mut self, conflict: MergeConflict) -> bool {
        self.options.decide(conflict, &mut self.open, &mut self.preferred)
    }

    /// Whether no side is preferred anywhere.
    pub fn decides_nothing(&self) -> bool {
        self.options.decides_nothing()
    }

    /// Whether our side's value holds wherever both have changed a place.
    pub fn prefers_ours(&self) -> bool {
        self.options.preference == MergePreference::Ours
    }

    /// Notes a conflict that no choice can resolve.
    pub fn block(&mut self, object: String, place: &str, reason: impl Into<String>) {
        let (place, reason) = (place.to_owned(), reason.into());
        self.open.push(MergeConflict { object, place, ours: None, theirs: None, reason });
    }
}
