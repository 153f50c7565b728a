//! Rows that come and change one by one: what is known about the tables stays true, and each is noted so that
//! it can be taken back.

use std::sync::Arc;

use super::Edit;
use super::undo_log::Undo;
use crate::archive::Span;
use crate::error::Result;
use crate::package::Decoded;
use crate::primitive::{Name, ObjectRef, PackageIndex};
use crate::table::{
    AssetData, DependsRow, Export, FurtherSections, Import, NameEntry, Summary, next_row,
};

impl Edit {
    /// Adds a row behind the other names.
    pub(super) fn push_name(&mut self, entry: NameEntry) -> Result<Name> {
        let row = self.package.tables().names.len();
        let name = Name::new(next_row(row)?);
        self.undo_log.note(|| Undo::Names(row));
        let parts = self.package.parts_kept();
        parts.tables.names.push(entry.clone());
        parts.caches.put_name(row, entry);
        if self.package.is_none_name(row) {
            // It is the last one now.
            self.package.parts_kept().caches.none = Default::default();
        }
        Ok(name)
    }

    /// Replaces a row of the name table; objects may be called otherwise then.
    pub(super) fn set_name(&mut self, row: usize, entry: NameEntry) {
        let old = self.package.tables().names[row].clone();
        self.undo_log.note(|| Undo::Name(row, Box::new(old)));
        let old = self.package.names().get(row).unwrap_or_default().into_owned();
        let users = self.package.objects_named_by(row);
        let hash = |edit: &Self, name: &Name| edit.package.name_hash(*name);
        let declared = self.package.has_declarations();
        let before: Vec<u64> = users.iter().map(|(_, name)| hash(self, name)).collect();
        self.package.parts_kept().tables.names[row] = entry.clone();
        let new = self.package.names().get(row).unwrap_or_default().into_owned();
        let after: Vec<u64> = users.iter().map(|(_, name)| hash(self, name)).collect();
        let declares = declared || self.package.has_declarations();
        let parts = self.package.parts_kept();
        parts.tables.lookup.change(row, &old, &new);
        match declares {
            true => parts.caches.forget_declarations(),
            false => parts.caches.put_name(row, entry),
        }
        parts.caches.none = Default::default();
        if let Some(objects) = parts.caches.objects.get_mut() {
            let objects = Arc::make_mut(objects);
            for ((index, _), (before, after)) in
                users.into_iter().zip(before.into_iter().zip(after))
            {
                objects.drop_name(index, before);
                objects.add(index, after);
            }
        }
    }

    /// Adds a row behind the other imports.
    pub(super) fn push_import(&mut self, import: Import) -> Result<PackageIndex> {
        let row = self.package.tables().imports.len();
        next_row(row)?;
        self.undo_log.note(|| Undo::Imports(row));
        let (index, hash) = (PackageIndex::import(row), self.package.name_hash(import.object_name));
        let parts = self.package.parts_kept();
        parts.caches.put_object(index, import.object_name);
        parts.tables.imports.push(import);
        if let Some(objects) = parts.caches.objects.get_mut() {
            Arc::make_mut(objects).add(index, hash);
        }
        Ok(index)
    }

    /// Changes a row of the import table.
    pub(super) fn change_import(&mut self, row: usize, change: impl FnOnce(&mut Import)) {
        let Some(&old) = self.package.tables().imports.get(row) else { return };
        let mut new = old;
        change(&mut new);
        let index = PackageIndex::import(row);
        let (before, after) =
            (self.package.name_hash(old.object_name), self.package.name_hash(new.object_name));
        self.undo_log.note(|| Undo::Import(row, old));
        let declares = self.package.has_declarations();
        let parts = self.package.parts_kept();
        parts.tables.imports[row] = new;
        match declares {
            // Types and parents are called like imports.
            true => parts.caches.forget_declarations(),
            false => parts.caches.put_object(index, new.object_name),
        }
        if let Some(objects) = parts.caches.objects.get_mut()
            && before != after
        {
            let objects = Arc::make_mut(objects);
            objects.drop_name(index, before);
            objects.add(index, after);
        }
        if old.object_name != new.object_name {
            // Components are listed by the name of what they start from.
            self.settle_started_from(index);
        }
    }

    /// Adds a row behind the other exports, and one of what must exist before it loads.
    pub(super) fn push_row(
        &mut self,
        export: Export,
        depends: Option<DependsRow>,
    ) -> Result<usize> {
        let row = self.package.tables().exports.len();
        next_row(row)?;
        let before = self.package.tables().depends.len();
        self.undo_log.note(|| Undo::Exports(row, before));
        let (index, hash) = (PackageIndex::export(row), self.package.name_hash(export.object_name));
        let (outer, class) = (export.outer_index, export.class_index);
        let parts = self.package.parts_kept();
        parts.caches.put_object(index, export.object_name);
        parts.tables.exports.push(export);
        parts.tables.depends.extend(depends);
        if let Some(objects) = parts.caches.objects.get_mut() {
            let objects = Arc::make_mut(objects);
            objects.add(index, hash);
            objects.put(index, outer);
            objects.join(index, class);
        }
        if self.package.declares(row) {
            self.package.parts_kept().caches.declaring = Default::default();
        }
        Ok(row)
    }

    /// Replaces what must exist before an export loads, where the table goes that far.
    pub(super) fn set_depends(&mut self, row: usize, depends: DependsRow) {
        let Some(old) = self.package.tables().depends.get(row).cloned() else { return };
        self.undo_log.note(|| Undo::Depends(row, old));
        self.package.parts_kept().tables.depends[row] = depends;
    }

    /// Changes a row of the export table.
    pub(super) fn change_export(&mut self, row: usize, change: impl FnOnce(&mut Export)) {
        let Some(old) = self.package.tables().exports.get(row).cloned() else { return };
        let mut new = old.clone();
        change(&mut new);
        let index = PackageIndex::export(row);
        let hashes = (old.object_name != new.object_name).then(|| {
            (self.package.name_hash(old.object_name), self.package.name_hash(new.object_name))
        });
        let outers =
            (old.outer_index != new.outer_index).then_some((old.outer_index, new.outer_index));
        let classes =
            (old.class_index != new.class_index).then_some((old.class_index, new.class_index));
        let says = |export: &Export| {
            let Export { class_index, object_name, super_index, outer_index, .. } = *export;
            (class_index, object_name, super_index, outer_index)
        };
        let says_other = says(&old) != says(&new);
        let declared = says_other && self.package.is_declared_by(row);
        self.undo_log.note(|| Undo::Export(row, Box::new(old)));
        let parts = self.package.parts_kept();
        if hashes.is_some() {
            parts.caches.put_object(index, new.object_name);
        }
        parts.tables.exports[row] = new;
        if let Some(objects) = parts.caches.objects.get_mut() {
            let objects = Arc::make_mut(objects);
            if let Some((old, new)) = hashes {
                objects.drop_name(index, old);
                objects.add(index, new);
            }
            if let Some((old, new)) = outers {
                objects.take_out(index, old);
                objects.put(index, new);
            }
            if let Some((old, new)) = classes {
                objects.leave(index, old);
                objects.join(index, new);
            }
        }
        if declared || says_other && self.package.is_declared_by(row) {
            self.package.parts_kept().caches.forget_declarations();
        }
    }

    /// Gives an export this typed body.
    pub(crate) fn set_decoded(&mut self, row: usize, decoded: Decoded) {
        self.undo_log.note_body(row, self.package.bodies().decoded.shared(row));
        self.package.parts_kept().bodies.decoded.insert(row, decoded);
        self.package.forget_declared(row);
    }

    /// The typed body of an export, for changes.
    pub(super) fn decoded_mut(&mut self, row: usize) -> Option<&mut Decoded> {
        self.undo_log.note_body(row, self.package.bodies().decoded.shared(row));
        self.package.forget_declared(row);
        self.package.parts_kept().bodies.decoded.get_mut(&row)
    }

    /// Takes the typed body of an export out for a change, noted so that the edit, or the call that runs, can
    /// be taken back; the caller must put it back.
    pub(super) fn take_decoded(&mut self, row: usize) -> Option<Arc<Decoded>> {
        self.undo_log.note_body(row, self.package.bodies().decoded.shared(row));
        self.package.parts_kept().bodies.decoded.take(row)
    }

    /// Puts a body back that was taken out.
    pub(super) fn put_decoded(&mut self, row: usize, decoded: Arc<Decoded>) {
        self.package.parts_kept().bodies.decoded.set(row, Some(decoded));
        self.package.forget_declared(row);
    }

    /// Replaces the body of an export by these bytes.
    pub(super) fn set_replaced(&mut self, row: usize, bytes: Span) {
        self.undo_log.note_body(row, self.package.bodies().decoded.shared(row));
        let old = self.package.bodies().replaced.get(&row).cloned();
        self.undo_log.note(|| Undo::Replaced(row, old));
        let bodies = self.package.parts_kept().bodies;
        bodies.decoded.take(row);
        bodies.replaced.insert(row, bytes);
        self.package.forget_declared(row);
        // Bytes of the caller's may refer to every row that there is.
        if self.package.baseline().is_some() {
            self.package.renew_baseline();
        }
    }

    /// The header, for changes.
    pub(super) fn summary_mut(&mut self) -> &mut Summary {
        self.undo_log.note_summary(&self.package.tables().summary);
        &mut self.package.parts_kept().tables.summary
    }

    /// Adds a row behind the others of the asset registry, where there is one.
    pub(super) fn push_asset(&mut self, asset: AssetData) {
        if let Some(rows) = self.package.parts_kept().tables.assets_mut() {
            let before = rows.len();
            rows.push(asset);
            self.undo_log.note(|| Undo::Assets(before));
        }
    }

    /// Takes a row out of the asset registry.
    pub(super) fn remove_asset(&mut self, row: usize) {
        let rows = self.package.parts_kept().tables.assets_mut();
        if let Some(rows) = rows.filter(|rows| row < rows.len()) {
            let old = rows.remove(row);
            self.undo_log.note(|| Undo::AssetGone(row, Box::new(old)));
        }
    }

    /// Replaces a row of the asset registry.
    pub(super) fn set_asset(&mut self, row: usize, asset: AssetData) {
        let rows = self.package.parts_kept().tables.assets_mut();
        if let Some(known) = rows.and_then(|rows| rows.get_mut(row)) {
            let old = std::mem::replace(known, asset);
            self.undo_log.note(|| Undo::Asset(row, Box::new(old)));
        }
    }

    /// The sections that few packages have, for changes.
    pub(super) fn further_mut(&mut self) -> &mut FurtherSections {
        self.undo_log.note_further(&self.package.tables().further);
        let parts = self.package.parts_kept();
        let further = &parts.tables.further;
        if further.data_resources.is_some() || !further.soft_object_paths.is_empty() {
            // Archives know the rows of both.
            parts.caches.context = Default::default();
        }
        &mut parts.tables.further
    }
}

/// The row of the export that an index means.
pub(in crate::edit) fn export_row(index: PackageIndex) -> Option<usize> {
    match index.target() {
        ObjectRef::Export(row) => Some(row),
        _ => None,
    }
}
