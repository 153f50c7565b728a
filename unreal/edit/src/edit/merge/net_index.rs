//! Indices on the net of objects that come.

use super::merging::Merging;
use crate::edit::Edit;
use crate::object::Body;
use crate::package::Package;

/// The indices on the net of objects that come (spec: ue1-3/05 §5.1).
#[derive(Debug, Default)]
pub(super) struct NetIndices {
    /// How many the base and our side have given.
    base: i32,
    ours: i32,
    /// The last one that was given here, and one more.
    end: i32,
}

/// How many indices on the net a package has given.
fn net_count(package: &Package) -> i32 {
    package.summary().generations.last().map_or(0, |generation| generation.net_object_count)
}

impl NetIndices {
    pub fn between(base: &Package, ours: &Package) -> Self {
        Self { base: net_count(base), ours: net_count(ours), end: 0 }
    }

    /// Our index, or count of them, for one of theirs: the indices that they have given come behind
    /// those that we have, as if their edit had followed ours. Those that the base had stay: an object that was
    /// moved comes as a new one, and all the same it is no other.
    fn shifted(&self, theirs: i32) -> i32 {
        match theirs < self.base {
            true => theirs,
            false => theirs.saturating_sub(self.base).saturating_add(self.ours),
        }
    }

    /// Gives a body that comes its index.
    pub fn give(&mut self, edit: &mut Edit, body: &mut Body) {
        let Some(theirs) = body.net_index.filter(|index| *index >= 0) else { return };
        let Some(newest) = edit.summary_mut().generations.last_mut() else { return };
        let index = self.shifted(theirs);
        self.end = self.end.max(index.saturating_add(1));
        newest.net_object_count = newest.net_object_count.max(self.end);
        body.net_index = Some(index);
    }
}

impl Merging<'_> {
    /// Counts indices on the net after objects came and went.
    pub(super) fn settle_net_count(&mut self) {
        let NetIndices { base, ours, .. } = self.net_indices;
        let theirs = net_count(&self.theirs);
        // What they have given counts also where its object is gone again; what both have freed does not.
        let counts = theirs > base || ours == base;
        let theirs = if counts { self.net_indices.shifted(theirs) } else { 0 };
        // Removing objects frees the last indices: one of them may be that of a moved object.
        let least = self.net_indices.end.max(theirs);
        if let Some(newest) = self.edit.summary_mut().generations.last_mut() {
            newest.net_object_count = newest.net_object_count.max(least);
        }
    }
}
