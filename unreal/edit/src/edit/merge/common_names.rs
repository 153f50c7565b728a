//! One name for an object on all three sides, before anything is compared or taken over.

use std::collections::HashMap;

use super::merging::Merging;
use super::side::SideChanges;
use crate::edit::Edit;
use crate::package::Package;
use crate::primitive::PackageIndex;

impl Merging<'_> {
    /// Gives the base both sides' new names, and their side ours: what goes by an object's name or path, as soft
    /// paths do, the names that functions store of themselves and values of renamed variables, says the same on all
    /// three sides then, and what differs is a change. Our side has their names already.
    ///
    /// Where a name can't be given, all stay as they are: references by number are compared whatever the names are.
    pub(super) fn share_names(&mut self) {
        let ours = self.our_changes.diff.renamed.clone();
        let theirs = self.their_changes.diff.renamed.clone();
        if ours.is_empty() && theirs.is_empty() {
            return;
        }
        let count = self.base.exports().len();
        let paths: HashMap<usize, String> =
            (0..count).map(|row| (row, self.base_path(row))).collect();
        let mut base = Edit::of(Package::clone(&self.base));
        let mut other = Edit::of(Package::clone(&self.theirs));
        // That the names are doubtful was for the side to judge that gave them.
        base.set_checks(false);
        other.set_checks(false);
        for object in &theirs {
            let (row, there) = object.rows;
            // Of what both have renamed, our side has what holds.
            let named = match self.our_changes.rows.get(&row) {
                Some(&here) if self.our_changes.new_path(row).is_some() => name(self.edit, here),
                Some(_) => name(&self.theirs, there),
                None => continue,
            };
            if !rename(&mut base, row, &named) || !rename(&mut other, there, &named) {
                return;
            }
        }
        for object in &ours {
            let (row, here) = object.rows;
            let Some(&there) = self.their_changes.rows.get(&row) else { continue };
            let named = name(self.edit, here);
            if !rename(&mut base, row, &named) || !rename(&mut other, there, &named) {
                return;
            }
        }
        self.our_changes = SideChanges::between(&base, self.edit);
        self.their_changes = SideChanges::between(&base, &other);
        self.their_changes.forget_names(&self.left_names);
        (self.base, self.theirs, self.base_paths) = (base, other, paths);
    }
}

fn name(edit: &Edit, row: usize) -> String {
    edit.object_name(PackageIndex::export(row))
}

/// Whether the object has this name now.
fn rename(edit: &mut Edit, row: usize, named: &str) -> bool {
    name(edit, row).eq_ignore_ascii_case(named)
        || edit.rename_object(&format!("#{row}"), named).is_ok()
}
