//! Code of both sides, beside what the other one has changed.

use std::collections::{BTreeMap, BTreeSet};

use super::merging::Merging;
use super::plan::MergePlan;
use super::side::SideChanges;
use crate::compare::Difference;
use crate::decompile::Decompiler;
use crate::edit::Edit;
use crate::primitive::PackageIndex;

/// How often each reason why code can't run is met in an object.
type Reasons = BTreeMap<String, usize>;

/// Faults of code before a merge.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// Of objects of the base whose code a side has changed: on each side.
    of_base: BTreeMap<usize, [Reasons; 2]>,
    /// Of objects that a side has added, by its rows.
    added: [BTreeMap<usize, Reasons>; 2],
}

/// The rows of the base of objects whose code a side has changed.
fn with_changed_code(side: &SideChanges) -> impl Iterator<Item = usize> {
    let is_code = |change: &Difference| matches!(change, Difference::Code { .. });
    let changed = side.diff.changed.iter();
    changed.filter(move |object| object.changes.iter().any(is_code)).map(|object| object.rows.0)
}

fn reasons_of(decompiler: &Decompiler, row: usize) -> Reasons {
    let mut reasons = Reasons::new();
    // What does not follow the grammar is not decoded, and taken as it is.
    for fault in decompiler.code_faults(row).unwrap_or_default() {
        *reasons.entry(fault.reason).or_default() += 1;
    }
    reasons
}

impl Faults {
    /// Nothing where one side has changed nothing, or neither side code.
    pub fn of(sides: [(&Edit, &SideChanges); 2]) -> Self {
        let mut faults = Self::default();
        let changes = sides.map(|(_, side)| side);
        let bases: BTreeSet<usize> =
            changes.iter().flat_map(|side| with_changed_code(side)).collect();
        if changes.iter().any(|side| side.diff.is_empty()) {
            return faults;
        }
        let added = sides.map(|(edit, side)| -> Vec<usize> {
            let rows = side.diff.added.iter().map(|object| object.row);
            rows.filter(|&row| edit.is_script(PackageIndex::export(row))).collect()
        });
        if bases.is_empty() && added.iter().all(Vec::is_empty) {
            return faults;
        }
        for (at, (edit, side)) in sides.into_iter().enumerate() {
            let decompiler = Decompiler::new(edit);
            for &base in &bases {
                if let Some(&row) = side.rows.get(&base) {
                    faults.of_base.entry(base).or_default()[at] = reasons_of(&decompiler, row);
                }
            }
            for &row in &added[at] {
                faults.added[at].insert(row, reasons_of(&decompiler, row));
            }
        }
        faults
    }

    fn is_empty(&self) -> bool {
        self.of_base.is_empty() && self.added.iter().all(BTreeMap::is_empty)
    }
}

impl Merging<'_> {
    /// A function that one side calls may take other values on the other one: each is right by itself, and both
    /// together can't run. What was wrong before is the side's own affair; who prefers a side has decided.
    pub(super) fn check_code(&mut self, plan: &MergePlan) {
        if self.faults.is_empty() || !self.conflicts.decides_nothing() {
            return;
        }
        // By rows of the package that comes of it.
        let mut known: BTreeMap<usize, (Option<usize>, [&Reasons; 2])> = BTreeMap::new();
        let none = Reasons::new();
        for (&base, [ours, theirs]) in &self.faults.of_base {
            if let Some(&row) = self.our_changes.rows.get(&base) {
                known.insert(row, (Some(base), [ours, theirs]));
            }
        }
        let [ours, theirs] = &self.faults.added;
        known.extend(ours.iter().map(|(&row, reasons)| (row, (None, [reasons, &none]))));
        // What came stands behind all else.
        let first = self.edit.tables().exports.len().saturating_sub(plan.added.len());
        for (row, there) in (first..).zip(&plan.added) {
            if let Some(reasons) = theirs.get(there) {
                known.insert(row, (None, [&none, reasons]));
            }
        }
        let decompiler = Decompiler::new(self.edit);
        let mut found = Vec::new();
        for (row, (base, before)) in known {
            if self.edit.exports().is_null(row) {
                continue;
            }
            let most = |reason: &str| {
                before.iter().map(|all| all.get(reason).copied().unwrap_or(0)).max().unwrap_or(0)
            };
            let now = reasons_of(&decompiler, row);
            if let Some((reason, _)) = now.iter().find(|(reason, count)| **count > most(reason)) {
                let path = match base {
                    Some(base) => self.base_path(base),
                    None => self.edit.exports().path(row),
                };
                found.push((
                    path,
                    format!("beside the other side's changes its code can't run: {reason}"),
                ));
            }
        }
        for (path, reason) in found {
            self.conflicts.block(path, "code", reason);
        }
    }
}
