//! Code that one side has changed, beside what the other one has.

use std::collections::{HashMap, HashSet};

use super::merging::Merging;
use super::plan::MergePlan;
use super::side::SideChanges;
use crate::compare::Difference;
use crate::decompile::Decompiler;
use crate::package::Package;

/// Why code can't run, by rows of the base; the places may have moved.
pub(super) type Faults = HashMap<usize, HashSet<String>>;

/// The rows of the base, and of a side, of objects whose code it has changed.
fn with_changed_code(side: &SideChanges) -> Vec<(usize, usize)> {
    let is_code = |change: &Difference| matches!(change, Difference::Code { .. });
    let changed = side.diff.changed.iter().filter(|object| object.changes.iter().any(is_code));
    changed.map(|object| object.rows).collect()
}

/// What is wrong with the code that a side has changed, by itself: its own affair.
pub(super) fn faults_of(package: &Package, side: &SideChanges) -> Faults {
    let rows = with_changed_code(side);
    if rows.is_empty() {
        return Faults::new();
    }
    let decompiler = Decompiler::new(package);
    let faults = |row| decompiler.code_faults(row).unwrap_or_default();
    let reasons = |row| faults(row).into_iter().map(|fault| fault.reason).collect();
    rows.into_iter().map(|(base, row)| (base, reasons(row))).collect()
}

impl Merging<'_> {
    /// A function that one side calls may take other values on the other one: each is right by itself, and both
    /// together can't run.
    pub(super) fn check_code(&mut self, plan: &MergePlan) {
        if self.our_changes.diff.is_empty() {
            return;
        }
        let sides = [&self.our_changes, &self.their_changes];
        let bases = sides.iter().flat_map(|side| with_changed_code(side)).map(|(base, _)| base);
        let bases: HashSet<usize> = bases.collect();
        let mut rows: Vec<(Option<usize>, usize)> = bases
            .into_iter()
            .filter_map(|base| Some((Some(base), *self.our_changes.rows.get(&base)?)))
            .collect();
        // What came stands behind all else.
        let first = self.edit.tables().exports.len().saturating_sub(plan.added.len());
        let has_code = |row: &usize| {
            let decoded = self.edit.bodies().decoded.get(row);
            decoded.is_some_and(|decoded| decoded.body.native.code().is_some())
        };
        let added = (first..first + plan.added.len()).filter(has_code);
        rows.extend(added.map(|row| (None, row)));
        if rows.is_empty() {
            return;
        }
        rows.sort_unstable();
        let decompiler = Decompiler::new(self.edit);
        let mut found = Vec::new();
        for (base, row) in rows {
            let known = base.map(|base| [&self.faults.0, &self.faults.1].map(|all| all.get(&base)));
            let is_known = |reason: &String| {
                let all = known.iter().flatten().flatten();
                all.into_iter().any(|reasons| reasons.contains(reason))
            };
            let faults = decompiler.code_faults(row).unwrap_or_default();
            if let Some(fault) = faults.into_iter().find(|fault| !is_known(&fault.reason)) {
                let (place, reason) = (fault.place, fault.reason);
                let reason = format!(
                    "beside what the other side has changed its code can't run: at {place:#06x} {reason}"
                );
                found.push((self.edit.exports().path(row), reason));
            }
        }
        for (path, reason) in found {
            self.conflicts.block(path, "code", reason);
        }
    }
}
