//! Objects that come, go, are renamed, and whose contents change.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::conflict::{BOTH, MergeConflict};
use super::merging::Merging;
use super::numbering::Numbering;
use super::plan::{MergePlan, MergedObject};
use super::rows::merged_rows;
use super::sections::SECTIONS;
use super::side::SideChanges;
use super::value::ThreeWay;
use crate::archive::{Archived, References, Remap};
use crate::edit::Edit;
use crate::edit::copy::{Fate, Needed};
use crate::edit::preload::PreloadDependencies;
use crate::edit::remove::RemoveOptions;
use crate::error::Result;
use crate::object::Body;
use crate::package::Decoded;
use crate::primitive::{NameReferences, ObjectRef, PackageIndex};
use crate::table::{DependsRow, Export};

/// From here on numbers are those of objects that our side has removed.
pub(super) const GONE: i32 = 1 << 28;

const REFERS_TO_GONE: &str = "it refers to an object that our side has removed";

impl Merging<'_> {
    /// Where our names hold, their side gets them before anything is taken over: what goes by a name, as stored
    /// values go by that of their variable, would come under the other one.
    pub(super) fn take_our_names(&mut self) {
        let mut left = HashSet::new();
        for object in self.their_changes.diff.renamed.clone() {
            let (base, there) = object.rows;
            let Some(&here) = self.our_changes.rows.get(&base) else { continue };
            let name = |edit: &Edit, row| edit.object_name(PackageIndex::export(row));
            let (ours, theirs) = (name(self.edit, here), name(&self.theirs, there));
            let both = self.our_changes.new_path(base).is_some();
            if !both || ours.eq_ignore_ascii_case(&theirs) {
                continue;
            }
            self.conflicts.takes_theirs(self.name_conflict(base, &object.new));
            match self.theirs.rename_object(&format!("#{there}"), &ours) {
                Ok(_) => drop(left.insert(theirs)),
                Err(error) => self.conflicts.block(self.base_path(base), "name", error.to_string()),
            }
        }
        if left.is_empty() {
            return;
        }
        self.their_changes = SideChanges::between(&self.base, &self.theirs);
        self.their_changes.forget_names(&left);
        self.left_names = left;
    }

    /// Both sides have given an object of the base another path.
    fn name_conflict(&self, base: usize, theirs: &str) -> MergeConflict {
        MergeConflict {
            object: self.base_path(base),
            place: "name".to_owned(),
            ours: self.our_changes.new_path(base).map(str::to_owned),
            theirs: Some(theirs.to_owned()),
            reason: BOTH.to_owned(),
        }
    }

    /// Gives objects the names and places that they have on their side.
    pub(super) fn rename_objects(&mut self) {
        for object in self.their_changes.diff.renamed.clone() {
            let (base, there) = object.rows;
            let path = self.base_path(base);
            let Some(&here) = self.our_changes.rows.get(&base) else {
                let reason = "our side has removed what their side has renamed";
                self.conflicts.block(path, "", reason);
                continue;
            };
            if let Some(ours) = self.our_changes.new_path(base) {
                if ours.eq_ignore_ascii_case(&object.new) {
                    continue;
                }
                if !self.conflicts.takes_theirs(self.name_conflict(base, &object.new)) {
                    continue;
                }
            }
            match self.rename(base, here, there) {
                Ok(()) => self.merged.renamed.push((object.old, object.new)),
                Err(error) => self.conflicts.block(path, "name", error.to_string()),
            }
        }
    }

    fn rename(&mut self, base: usize, here: usize, there: usize) -> Result<()> {
        let name = |package: &crate::Package, row| package.object_name(PackageIndex::export(row));
        let (old, new) = (name(&self.base, base), name(&self.theirs, there));
        let this = format!("#{here}");
        let is_called = name(self.edit, here).eq_ignore_ascii_case(&new);
        if !old.eq_ignore_ascii_case(&new) && !is_called {
            self.edit.rename_object(&this, &new)?;
        }
        let outer = |package: &crate::Package, row| package.outer(PackageIndex::export(row));
        let (old, new) = (outer(&self.base, base), outer(&self.theirs, there));
        let row = |index: PackageIndex, rows: &HashMap<usize, usize>| match index.target() {
            ObjectRef::Export(row) => rows.get(&row).copied(),
            _ => None,
        };
        let new_base = row(new, &self.their_changes.base_rows);
        if new_base == row(old, &self.base_rows()) && old.is_null() == new.is_null() {
            return Ok(());
        }
        match new.is_null() {
            true => self.edit.move_object(&this, None),
            false => {
                let into = new_base.and_then(|base| self.our_changes.rows.get(&base));
                let into = into.ok_or_else(|| {
                    crate::Error::invalid("it is put into an object that is not on our side")
                })?;
                self.edit.move_object(&this, Some(&format!("#{into}")))
            }
        }
    }

    /// Rows of the base by themselves.
    fn base_rows(&self) -> HashMap<usize, usize> {
        (0..self.base.exports().len()).map(|row| (row, row)).collect()
    }

    /// Takes over what came and what changed.
    pub(super) fn carry_over(&mut self, plan: &MergePlan) -> Result<()> {
        let all = || plan.changed.iter().chain(&plan.both);
        let mut rows: Vec<usize> = all().map(|object| object.theirs).collect();
        rows.extend(&plan.added);
        let bodies = all().filter(|object| self.their_changes.changes_body(object.base));
        let mut bodies: Vec<usize> = bodies.map(|object| object.theirs).collect();
        bodies.extend(&plan.added);
        self.decode(plan, &bodies);
        if !self.conflicts.open.is_empty() {
            return Ok(());
        }
        let first = self.edit.tables().exports.len();
        let mut exports = plan.exports.clone();
        exports.extend(plan.added.iter().enumerate().map(|(at, &row)| (row, first + at)));
        let mut numbering =
            Numbering::adopting(self.edit, &mut self.theirs, &rows, SECTIONS, &exports)?;
        let number = |row: usize| PackageIndex::export(row).value();
        for (&base, &row) in &self.their_changes.rows {
            if self.our_changes.removed.contains(&base) {
                numbering.objects.insert(number(row), GONE + number(base));
            }
        }
        for (at, &row) in plan.added.iter().enumerate() {
            self.add(row, first + at, &numbering)?;
        }
        self.add_listings(plan, first, &numbering)?;
        let rows: Vec<usize> =
            plan.changed.iter().chain(&plan.both).map(|object| object.base).collect();
        let mut base_numbers = Numbering::comparing(
            self.edit,
            &mut self.base,
            &rows,
            SECTIONS,
            &self.our_changes.rows,
        );
        for &base in &self.our_changes.removed {
            base_numbers.objects.insert(number(base), GONE + number(base));
        }
        for (objects, both) in [(&plan.changed, false), (&plan.both, true)] {
            for &object in objects {
                let done = self.change(object, both, &numbering, &base_numbers);
                let path = self.base_path(object.base);
                match done {
                    Ok(()) if both => self.merged.combined.push(path),
                    Ok(()) => self.merged.taken.push(path),
                    Err(error) => self.conflicts.block(path, "", error.to_string()),
                }
            }
        }
        for (&base, &theirs) in &self.their_changes.rows.clone() {
            if let Some(&ours) = self.our_changes.rows.get(&base) {
                self.merge_depends(MergedObject { base, ours, theirs }, &numbering, &base_numbers);
            }
        }
        self.merge_sections(&numbering, &base_numbers)?;
        self.edit.sync_counts()
    }

    /// Decodes what is merged; what can't be is a conflict.
    fn decode(&mut self, plan: &MergePlan, rows: &[usize]) {
        let changes = &self.their_changes;
        let in_body = |object: &&MergedObject| changes.changes_body(object.base);
        let both = |of: fn(&MergedObject) -> usize| {
            plan.both.iter().filter(in_body).map(of).collect::<Vec<_>>()
        };
        let ours = plan.changed.iter().filter(in_body).map(|object| object.ours);
        let ours: Vec<usize> = ours.chain(both(|it| it.ours)).collect();
        let sides = [
            (&mut self.theirs, rows.to_vec()),
            (&mut self.base, both(|it| it.base)),
            (&mut *self.edit, ours),
        ];
        for (at, (edit, rows)) in sides.into_iter().enumerate() {
            if edit.decode_rows(rows.iter().copied()).is_err() {
                for row in rows {
                    if let Err(error) = edit.decode_rows([row].into_iter()) {
                        let path = edit.path(PackageIndex::export(row));
                        self.conflicts.block(path, "", error.to_string());
                    }
                }
            } else if at == 0
                && let Err(error) = edit.check_payloads(&rows)
            {
                self.conflicts.block(String::new(), "", error.to_string());
            }
        }
    }

    /// Adds one row with its body.
    fn add(&mut self, there: usize, here: usize, numbering: &Numbering) -> Result<()> {
        let path = self.theirs.path(PackageIndex::export(there));
        let mut export = self.theirs.tables().exports[there].clone();
        if let Err(error) = numbering.export(&self.theirs, &mut export) {
            self.conflicts.block(path.clone(), "", error.to_string());
        }
        if export.outer_index.value() >= GONE {
            let reason = "our side has removed what it lies in";
            self.conflicts.block(path.clone(), "", reason);
        } else if self.refers_to_gone(&export) {
            self.conflicts.block(path.clone(), "", REFERS_TO_GONE);
        }
        export.serial_size = 0.into();
        export.serial_offset = 0.into();
        export.preload = self.edit.no_preload();
        self.edit.push_export(export)?;
        if let Some(depends) = self.theirs.tables().depends.get(there) {
            let objects = depends.objects.iter().filter_map(|&index| numbering.object(index));
            let objects = objects.filter(|index| index.value() < GONE).collect();
            self.edit.set_depends(here, DependsRow { objects });
        }
        if let Some(decoded) = self.theirs.bodies().decoded.get(&there) {
            let mut decoded = decoded.clone();
            let table = self.theirs.tables().further.data_resources.as_ref();
            self.edit.adopt_resources(&mut decoded.body, here, table, true)?;
            if let Err(error) = numbering.body(&self.theirs, &mut decoded.body) {
                self.conflicts.block(path.clone(), "", error.to_string());
            }
            self.check_gone(&path, &mut decoded.body);
            self.net_indices.give(self.edit, &mut decoded.body);
            self.edit.set_decoded(here, decoded);
        }
        self.merged.taken.push(path);
        Ok(())
    }

    /// Adds the notes of headers about objects that came.
    fn add_listings(
        &mut self,
        plan: &MergePlan,
        first: usize,
        numbering: &Numbering,
    ) -> Result<()> {
        let needed = Needed {
            roots: vec![plan.added.first().copied().unwrap_or(0)],
            outer: PackageIndex::NULL,
            fates: plan.added.iter().map(|&row| (row, Fate::Copied)).collect(),
            names: Default::default(),
            imports: Default::default(),
        };
        self.edit.adopt_thumbnails(&self.theirs, &needed, first)?;
        self.edit.adopt_assets(&self.theirs, &needed, first)?;
        self.edit.adopt_meta_data(&self.theirs, &needed, first)?;
        for (at, &row) in plan.added.iter().enumerate() {
            let lists = PreloadDependencies::of(&self.theirs, row);
            if let (Some(lists), Some(_)) = (lists, PreloadDependencies::of(self.edit, first + at))
            {
                let here = |index| numbering.object(index).filter(|index| index.value() < GONE);
                self.edit.set_preload(first + at, &lists.mapped(here))?;
            }
            self.edit.settle_preload(first + at)?;
        }
        Ok(())
    }

    /// Takes over what has changed in one object.
    fn change(
        &mut self,
        object: MergedObject,
        both: bool,
        numbering: &Numbering,
        base_numbers: &Numbering,
    ) -> Result<()> {
        let MergedObject { base, ours, theirs } = object;
        let path = self.base_path(base);
        let mut before = self.base.tables().exports[base].clone();
        base_numbers.export(&self.base, &mut before)?;
        let mut after = self.theirs.tables().exports[theirs].clone();
        numbering.export(&self.theirs, &mut after)?;
        let mut export = self.edit.tables().exports[ours].clone();
        let mut three = ThreeWay {
            edit: self.edit,
            conflicts: &mut self.conflicts,
            object: path.clone(),
            row: base,
            our_row: ours,
            our_changes: &self.our_changes,
            their_changes: &self.their_changes,
        };
        three.exports(&before, &mut export, &after);
        let changes_body = self.their_changes.changes_body(base);
        let decoded = self.theirs.bodies().decoded.get(&theirs).filter(|_| changes_body).cloned();
        let merged = match decoded {
            None => None,
            Some(mut decoded) => {
                numbering.body(&self.theirs, &mut decoded.body)?;
                match both {
                    true => self.merge_bodies(object, decoded, base_numbers)?,
                    false => Some(decoded),
                }
            }
        };
        if self.refers_to_gone(&export) {
            self.conflicts.block(path.clone(), "", REFERS_TO_GONE);
            return Ok(());
        }
        self.edit.change_export(ours, |row| *row = export);
        let Some(mut decoded) = merged else { return Ok(()) };
        self.check_gone(&path, &mut decoded.body);
        self.check_resources(&path, &mut decoded.body);
        let known = self.edit.bodies().decoded.get(&ours);
        let referred = known.map(|known| self.edit.preload_references(&known.body));
        let refers = self.edit.preload_references(&decoded.body);
        let shape = self.edit.shape(ours, &self.edit.class_chain(ours));
        decoded.body.set_shape(shape);
        self.edit.set_decoded(ours, decoded);
        match referred {
            Some(referred) if referred == refers => Ok(()),
            referred => self.edit.settle_preload_since(ours, &referred.unwrap_or_default()),
        }
    }

    /// Takes over what must exist before an object loads, where only their side has changed that.
    fn merge_depends(
        &mut self,
        MergedObject { base, ours, theirs }: MergedObject,
        numbering: &Numbering,
        base_numbers: &Numbering,
    ) {
        let rows = |edit: &crate::edit::Edit, row: usize| edit.tables().depends.get(row).cloned();
        let (Some(before), Some(mine), Some(after)) =
            (rows(&self.base, base), rows(self.edit, ours), rows(&self.theirs, theirs))
        else {
            return;
        };
        let mapped = |row: &DependsRow, numbering: &Numbering| -> Vec<PackageIndex> {
            row.objects.iter().map(|&index| numbering.object(index).unwrap_or(index)).collect()
        };
        let (before, after) = (mapped(&before, base_numbers), mapped(&after, numbering));
        if before == after || mine.objects == after {
            return;
        }
        let mut objects = match before == mine.objects {
            true => after,
            // Made anew at each save: what either side lists, but for what one of them has dropped.
            false => {
                merged_rows(&before, &mine.objects, &after, |it| it.value(), |_, ours, _| *ours)
            }
        };
        objects.retain(|index| index.value() < GONE);
        self.edit.set_depends(ours, DependsRow { objects });
    }

    fn merge_bodies(
        &mut self,
        MergedObject { base, ours, .. }: MergedObject,
        mut theirs: Decoded,
        base_numbers: &Numbering,
    ) -> Result<Option<Decoded>> {
        let before = self.base.bodies().decoded.get(&base).cloned();
        let known = self.edit.bodies().decoded.get(&ours).cloned();
        let (Some(mut before), Some(mut merged)) = (before, known) else {
            return Err(crate::Error::invalid("it has no body on one of the sides"));
        };
        base_numbers.body(&self.base, &mut before.body)?;
        let mut own = Remap::new(self.edit.versions().clone())
            .with_context(self.edit.source_context())
            .materializing();
        merged.body.serialize(&mut own)?;
        let path = self.base_path(base);
        let mut three = ThreeWay {
            edit: self.edit,
            conflicts: &mut self.conflicts,
            object: path,
            row: base,
            our_row: ours,
            our_changes: &self.our_changes,
            their_changes: &self.their_changes,
        };
        three.bodies(&mut before.body, &mut merged.body, &mut theirs.body);
        merged.payload = merged.payload.max(theirs.payload);
        Ok(Some(merged))
    }

    /// Whether a row of the export table refers to what our side has removed.
    fn refers_to_gone(&self, export: &Export) -> bool {
        let mut references = References::new(self.edit.versions().clone());
        // Visiting never fails: it neither reads nor writes.
        let _ = export.clone().serialize(&mut references);
        self.gone_among(&references).is_some()
    }

    /// The row in the base of an object that our side has removed and that is among these references.
    fn gone_among(&self, references: &References) -> Option<usize> {
        // Any other number of that size is a row that no table has.
        let gone = |index: i32| usize::try_from(index.checked_sub(GONE + 1)?).ok();
        let mut gone = references.objects().keys().filter_map(|&index| gone(index));
        gone.find(|row| self.our_changes.removed.contains(row))
    }

    /// A body that refers to what our side has removed is a conflict.
    fn check_gone(&mut self, path: &str, body: &mut Body) {
        let mut references = References::new(self.edit.versions().clone());
        // Visiting never fails: it neither reads nor writes.
        let _ = body.serialize(&mut references);
        if let Some(row) = self.gone_among(&references) {
            let reason =
                format!("it refers to {}, which our side has removed", self.base_path(row));
            self.conflicts.block(path.to_owned(), "", reason);
        }
    }

    /// Payloads that a table lists must be those of our table.
    fn check_resources(&mut self, path: &str, body: &mut Body) {
        let tables = (self.edit.tables(), self.theirs.tables());
        if tables.0.further.data_resources == tables.1.further.data_resources {
            return;
        }
        let versions = self.edit.versions().clone();
        let mut uses = false;
        crate::edit::data_resource::visit(body, &versions, &mut |row| {
            uses |= row >= 0;
            row
        });
        if uses {
            let reason = "its bulk data stands in a table that both sides have otherwise";
            self.conflicts.block(path.to_owned(), "", reason);
        }
    }

    /// Removes what their side has removed.
    pub(super) fn remove_objects(&mut self, plan: &MergePlan) {
        if plan.removed.is_empty() || !self.conflicts.open.is_empty() {
            return;
        }
        let rows: BTreeMap<usize, usize> =
            plan.removed.iter().map(|&(base, ours)| (ours, base)).collect();
        let roots: Vec<usize> = rows.keys().copied().collect();
        let going: HashSet<usize> = roots.iter().copied().collect();
        for row in self.edit.with_inner(&roots) {
            if !going.contains(&row) {
                let path = self.edit.path(PackageIndex::export(row));
                let reason = "it lies in an object that their side has removed";
                self.conflicts.block(path, "", reason);
            }
        }
        // What lies in one that goes goes with it.
        let is_within = |row: &&usize| match self.edit.outer(PackageIndex::export(**row)).target() {
            ObjectRef::Export(outer) => going.contains(&outer),
            _ => false,
        };
        let paths: Vec<String> =
            roots.iter().filter(|row| !is_within(row)).map(|row| format!("#{row}")).collect();
        let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
        match self.edit.remove_objects(&paths, RemoveOptions::Refuse) {
            Ok(removed) => self.merged.removed = removed.objects,
            Err(error) => self.conflicts.block(String::new(), "", error.to_string()),
        }
    }
}
