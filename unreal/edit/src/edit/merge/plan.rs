//! The plan of a merge.

use std::collections::HashMap;

use super::conflict::MergeConflict;
use super::merging::Merging;
use crate::compare::diff;
use crate::error::Result;
use crate::primitive::PackageIndex;

/// An object that all three have: its rows.
#[derive(Debug, Clone, Copy)]
pub(super) struct MergedObject {
    pub base: usize,
    pub ours: usize,
    pub theirs: usize,
}

/// The steps of a merge.
#[derive(Debug, Default)]
pub(super) struct MergePlan {
    /// Rows of theirs and ours of the same objects.
    pub exports: HashMap<usize, usize>,
    /// Rows of theirs that come.
    pub added: Vec<usize>,
    /// Objects that only they have changed.
    pub changed: Vec<MergedObject>,
    /// Objects that both have changed.
    pub both: Vec<MergedObject>,
    /// Rows of the base that go, with our rows.
    pub removed: Vec<(usize, usize)>,
}

impl Merging<'_> {
    /// Compares what the sides have done with objects.
    pub(super) fn plan(&mut self) -> Result<MergePlan> {
        let mut plan = MergePlan::default();
        let (ours, theirs) = (&self.our_changes, &self.their_changes);
        for (&base, &row) in &theirs.rows {
            if let Some(&here) = ours.rows.get(&base) {
                plan.exports.insert(row, here);
            }
        }
        let paths = &self.base_paths;
        let path = |row| match paths.get(&row) {
            Some(path) => path.clone(),
            None => self.base.path(PackageIndex::export(row)),
        };
        let title = |path: &str, class: &str| format!("{class}'{path}'").to_ascii_lowercase();
        let known: HashMap<String, usize> = ours
            .diff
            .added
            .iter()
            .map(|known| (title(&known.path, &known.class), known.row))
            .collect();
        let mut twice: HashMap<usize, bool> = HashMap::new();
        if theirs.diff.added.iter().any(|it| known.contains_key(&title(&it.path, &it.class))) {
            let other = diff(self.edit, &self.theirs);
            twice.extend(other.changed.iter().map(|object| (object.rows.1, true)));
        }
        for object in &theirs.diff.added {
            match known.get(&title(&object.path, &object.class)) {
                Some(&here) => {
                    plan.exports.insert(object.row, here);
                    if twice.contains_key(&object.row) {
                        let reason = "both sides have added it, with other contents";
                        self.conflicts.block(object.path.clone(), "", reason);
                    }
                }
                None => plan.added.push(object.row),
            }
        }
        plan.added.sort_unstable();
        for object in &theirs.diff.changed {
            let (base, there) = object.rows;
            let Some(&here) = ours.rows.get(&base) else {
                let conflict = MergeConflict {
                    object: path(base),
                    place: String::new(),
                    ours: Some("(removed)".to_owned()),
                    theirs: object.changes.first().map(ToString::to_string),
                    reason: "our side has removed what their side has changed".to_owned(),
                };
                if self.conflicts.takes_theirs(conflict) {
                    let reason = "our side has removed it: it can't be brought back by a merge";
                    self.conflicts.block(path(base), "", reason);
                }
                continue;
            };
            let merged = MergedObject { base, ours: here, theirs: there };
            match ours.change(base) {
                Some(_) => plan.both.push(merged),
                None => plan.changed.push(merged),
            }
        }
        for gone in &theirs.diff.removed {
            let base = gone.row;
            let Some(&here) = ours.rows.get(&base) else { continue };
            let change = ours.change(base).and_then(|object| object.changes.first());
            let change = change.map(ToString::to_string);
            let change = change.or_else(|| ours.new_path(base).map(|path| format!("now {path}")));
            let goes = change.is_none()
                || self.conflicts.takes_theirs(MergeConflict {
                    object: path(base),
                    place: String::new(),
                    ours: change,
                    theirs: Some("(removed)".to_owned()),
                    reason: "their side has removed what our side has changed".to_owned(),
                });
            if goes {
                plan.removed.push((base, here));
            }
        }
        Ok(plan)
    }
}
