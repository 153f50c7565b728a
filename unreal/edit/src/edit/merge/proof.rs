//! The proof of a merge: its result, compared with the changes of both sides.

use std::collections::{HashMap, HashSet};

use super::merging::Merging;
use super::plan::MergePlan;
use super::side::SideChanges;
use crate::compare::{Difference, FieldDifference, FieldOrigin, ObjectTitle, plain_diff};

/// The elements that a list has and another one lacks.
fn lacking<'a, T: Clone>(
    list: impl Iterator<Item = &'a T>,
    other: &'a [T],
    name: impl Fn(&T) -> String,
) -> Vec<String> {
    let there: HashSet<String> = other.iter().map(|one| name(one).to_ascii_lowercase()).collect();
    list.map(name).filter(|name| !there.contains(&name.to_ascii_lowercase())).collect()
}

/// A difference without the texts of references, which say another path where the other side has renamed something.
fn what(change: &Difference, with_values: bool) -> String {
    match change {
        // Names with other letters are the same for the engines.
        _ if with_values => format!("{change:?}").to_ascii_lowercase(),
        Difference::Property { property, .. } | Difference::Element { property, .. } => {
            property.clone()
        }
        Difference::Attribute(field) | Difference::Field(field) => field.field.clone(),
        Difference::Code { .. } => "code".to_owned(),
        Difference::Data { field, .. } => field.clone(),
        other => format!("{other:?}"),
    }
}

impl Merging<'_> {
    /// Each change of either side must be there, and nothing else: what is not is a conflict.
    pub(super) fn prove(&mut self, plan: &MergePlan) {
        let merged = plain_diff(&self.base, self.edit);
        let sides = [&self.our_changes, &self.their_changes];
        let has_renamed = sides.iter().any(|side| !side.diff.renamed.is_empty());
        let mut faults: Vec<(String, String)> = Vec::new();
        let mut note = |paths: Vec<String>, reason: &str| {
            faults.extend(paths.into_iter().map(|path| (path, reason.to_owned())));
        };
        let title = |title: &ObjectTitle| title.path.clone();
        let added = || sides.iter().flat_map(|side| &side.diff.added);
        let removed = || sides.iter().flat_map(|side| &side.diff.removed);
        // An object that came into one that the other side has renamed has another path.
        if !has_renamed {
            note(lacking(added(), &merged.added, title), "was added and is not there");
            let all: Vec<_> = added().cloned().collect();
            note(
                lacking(merged.added.iter(), &all, title),
                "would come although nobody has added it",
            );
        }
        // One that one side has renamed and the other changed is compared as removed and added.
        if !has_renamed {
            note(lacking(removed(), &merged.removed, title), "was removed and is still there");
            let all: Vec<_> = removed().cloned().collect();
            note(
                lacking(merged.removed.iter(), &all, title),
                "would go although nobody has removed it",
            );
        }
        let both: HashSet<usize> = plan.both.iter().map(|object| object.base).collect();
        let found: HashMap<usize, HashSet<String>> = merged
            .changed
            .iter()
            .map(|object| {
                let changes = object.changes.iter().map(|change| what(change, !has_renamed));
                (object.rows.0, changes.collect())
            })
            .collect();
        let gone: HashSet<usize> = merged.removed.iter().map(|title| title.row).collect();
        let known = |side: &SideChanges, row: usize, change: &str| {
            let changes = side.change(row).map(|object| object.changes.as_slice());
            changes.unwrap_or_default().iter().any(|it| what(it, !has_renamed) == change)
        };
        for side in sides {
            for object in &side.diff.changed {
                let row = object.rows.0;
                if both.contains(&row) || gone.contains(&row) {
                    continue;
                }
                for change in &object.changes {
                    let is_there = found
                        .get(&row)
                        .is_some_and(|all| all.contains(&what(change, !has_renamed)));
                    if !is_there {
                        let reason = format!("a change can't be carried over: {change}");
                        faults.push((object.path.clone(), reason));
                    }
                }
            }
        }
        for object in &merged.changed {
            let row = object.rows.0;
            if both.contains(&row) || has_renamed {
                continue;
            }
            for change in &object.changes {
                let text = what(change, true);
                if !sides.iter().any(|side| known(side, row, &text)) {
                    let reason =
                        format!("it would change although nobody has changed it: {change}");
                    faults.push((object.path.clone(), reason));
                }
            }
        }
        let mut unused = Vec::new();
        for field in &self.their_changes.diff.header {
            let is_there = merged.header.iter().any(|it| match has_renamed {
                true => it.field == field.field,
                false => it == field,
            });
            if is_there || field.origin == FieldOrigin::Derived || self.is_preferred(field) {
                continue;
            }
            match field.origin == FieldOrigin::Unused {
                true => unused.push(field.to_string()),
                false => faults.push((
                    String::new(),
                    format!("a change of the header can't be carried over: {field}"),
                )),
            }
        }
        self.merged.kept.extend(unused);
        self.merged.preferred.append(&mut self.conflicts.preferred);
        for (path, reason) in faults {
            self.conflicts.block(path, "", reason);
        }
    }

    fn is_preferred(&self, field: &FieldDifference) -> bool {
        self.conflicts.preferred.iter().any(|it| it.object.is_empty() && it.place == field.field)
    }
}
