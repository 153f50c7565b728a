//! Indices on the net of objects that come.

use std::collections::HashSet;

use super::merging::Merging;
use super::plan::MergePlan;
use crate::edit::Edit;
use crate::object::Body;
use crate::package::Package;

/// The indices on the net that our objects have, but for those that go (spec: ue1-3/05 §5.1).
#[derive(Debug, Default)]
pub(super) struct NetIndices {
    taken: HashSet<i32>,
    /// Indices of their objects that no object of ours has: whatever comes first leaves them to these.
    kept: HashSet<i32>,
    /// The last one that was given, and one more.
    end: i32,
}

/// The index on the net of a row's body; none where it has none, or -1.
fn index_of(package: &Package, row: usize) -> Option<i32> {
    package.decode(row).ok()?.body.net_index.filter(|index| *index >= 0)
}

/// How many indices on the net a package has given.
pub(super) fn net_count(package: &Package) -> Option<i32> {
    package.summary().generations.last().map(|generation| generation.net_object_count)
}

impl NetIndices {
    /// Those that stay, where any object that comes has one.
    pub fn of(merging: &Merging<'_>, plan: &MergePlan) -> Self {
        if !merging.edit.has_net_objects() {
            return Self::default();
        }
        let theirs = plan.added.iter().filter_map(|&row| index_of(&merging.theirs, row));
        let mut kept: HashSet<i32> = theirs.collect();
        if kept.is_empty() {
            return Self::default();
        }
        let going: HashSet<usize> = plan.removed.iter().map(|&(_, ours)| ours).collect();
        let rows = (0..merging.edit.exports().len()).filter(|row| !going.contains(row));
        let taken: HashSet<i32> = rows.filter_map(|row| index_of(merging.edit, row)).collect();
        kept.retain(|index| !taken.contains(index));
        Self { taken, kept, end: 0 }
    }

    /// Gives a body that comes its index: the one that it has on their side, unless an object of ours has that. An
    /// object that was moved is not found by its path and comes as a new one, and all the same it is no other.
    pub fn give(&mut self, edit: &mut Edit, body: &mut Body) {
        let Some(theirs) = body.net_index.filter(|index| *index >= 0) else { return };
        let Some(newest) = edit.summary_mut().generations.last_mut() else { return };
        // Of two that say one index, which only damaged files have, the first keeps it.
        let index = match self.kept.remove(&theirs) {
            true => theirs,
            false => {
                let given = |index: &i32| self.taken.contains(index) || self.kept.contains(index);
                let free = (newest.net_object_count.max(0)..i32::MAX).find(|index| !given(index));
                free.unwrap_or(-1)
            }
        };
        self.end = self.end.max(index.saturating_add(1));
        newest.net_object_count = newest.net_object_count.max(self.end);
        self.taken.insert(index);
        body.net_index = Some(index);
    }
}

impl Merging<'_> {
    /// Counts indices on the net after objects came and went. What their side alone has given out is given out,
    /// also where its object is gone again.
    pub(super) fn settle_net_count(&mut self, ours: Option<i32>) {
        let (base, theirs) = (net_count(&self.base), net_count(&self.theirs));
        let Some(newest) = self.edit.summary_mut().generations.last_mut() else { return };
        // Removing objects frees the last indices: one of them may be that of a moved object.
        newest.net_object_count = newest.net_object_count.max(self.net_indices.end);
        if let (true, Some(theirs)) = (ours == base, theirs) {
            newest.net_object_count = newest.net_object_count.max(theirs);
        }
    }
}
