//! Duplicating objects within a package.

use crate::error::Error;
use crate::package::Decoded;
use std::collections::HashMap;

use super::Edit;
use super::refusal::refuse_object_versions;
use super::rename::rename_friendly;
use crate::archive::{Archived, Remap};
use crate::error::{ErrorKind, Result};
use crate::object::script_object::ScriptObject;
use crate::primitive::{FString, Name, ObjectRef, PackageIndex};

impl Edit {
    /// Adds a copy of an object, under another name beside it, and says its row. All that lies in the object
    /// is copied as well, and references among what is copied point to the copies.
    ///
    /// A copied field stands behind its original in the chain of their struct; a copied function overrides
    /// nothing. A copied class has defaults of its own. Existing rows stay where they are.
    ///
    /// # Errors
    /// `NotFound`; `Exists`; `BadText`; `Refused` for objects whose bodies are not decoded whole, and for
    /// parameters.
    pub fn duplicate_object(&mut self, path: &str, name: &str) -> Result<usize> {
        refuse_object_versions(self, "duplicating objects")?;
        let root = self.find_export(path)?;
        self.vacant(self.tables().exports[root].outer_index, name)?;
        if name.eq_ignore_ascii_case("None") {
            let reason = "'None' means no object".to_owned();
            return Err(ErrorKind::Invalid { reason }.into());
        }
        self.transact(|package| package.duplicate_row(root, name))
    }

    fn duplicate_row(&mut self, root: usize, name: &str) -> Result<usize> {
        if !self.bodies().replaced.is_empty() {
            self.rebase()?;
        }
        self.decode_row(root);
        let rows = self.with_inner(&[root]);
        let outer = self.tables().exports[root].outer_index;
        let is_field = self.is_field(root);
        let around = is_field.then_some(outer.target()).and_then(|outer| match outer {
            ObjectRef::Export(row) => Some(row),
            _ => None,
        });
        self.decode_rows(rows.iter().copied().chain(around))?;
        self.check_free_field(root)?;
        let (old_name, first) =
            (self.tables().exports[root].object_name, self.tables().exports.len());
        let copies: HashMap<usize, usize> =
            rows.iter().enumerate().map(|(at, &row)| (row, first + at)).collect();
        let by_object = |old: i32| match PackageIndex::new(old).target() {
            ObjectRef::Export(row) => {
                Some(copies.get(&row).map_or(old, |&row| PackageIndex::export(row).value()))
            }
            _ => Some(old),
        };
        let by_name = Some;
        let mut remap = Remap::names_and_objects(self.versions().clone(), &by_name, &by_object)
            .refusing_opaque();
        for &row in &rows {
            self.copy_row(row, &mut remap)?;
        }
        let new = copies[&root];
        let new_name = self.add_object_name(name)?;
        self.name_copy(new, old_name, new_name);
        let default = self.class_default(root).copied().map(PackageIndex::target);
        if let Some(ObjectRef::Export(default)) = default
            && let Some(&copy) = copies.get(&default)
        {
            self.tables_mut().exports[copy].object_name =
                self.add_object_name(&format!("Default__{name}"))?;
        }
        if is_field {
            self.link_behind(root, new, new_name);
        }
        self.copy_thumbnails(root, new)?;
        self.sync_counts()?;
        Ok(new)
    }

    /// Decodes these bodies, each of which must be decoded whole.
    pub(super) fn decode_rows(&mut self, rows: impl Iterator<Item = usize>) -> Result<()> {
        let mut context = None;
        let shared = self.sharing_bodies();
        let mut blocked = Vec::new();
        for row in rows {
            if self.tables().exports[row].serial_size.value() > 0
                && !self.bodies().decoded.contains_key(&row)
            {
                if shared.contains(&row) {
                    blocked.push(row);
                    continue;
                }
                let context = context.get_or_insert_with(|| self.decoding_context());
                let decoded = self.decode_with(row, context);
                self.bodies_mut().decoded.insert(row, decoded);
            }
            if self.bodies().decoded.get(&row).is_some_and(|decoded| decoded.opaque > 0) {
                blocked.push(row);
            }
        }
        if blocked.is_empty() {
            return Ok(());
        }
        let reason = "references in bodies that are not decoded whole can't be followed";
        Err(Error::refused(
            reason,
            blocked.into_iter().map(|row| self.exports().path(row)).collect(),
        ))
    }

    /// Adds a renumbered copy of one row with its body.
    fn copy_row(&mut self, row: usize, remap: &mut Remap<'_>) -> Result<usize> {
        let mut export = self.tables().exports[row].clone();
        let mut depends = self.tables().depends.get(row).cloned();
        let mut decoded = self.bodies().decoded.get(&row).cloned();
        let within = |error: crate::Error| error.at_index(row).in_field("exports");
        export.serialize(remap).map_err(within)?;
        depends.as_mut().map_or(Ok(()), |depends| depends.serialize(remap)).map_err(within)?;
        if let Some(decoded) = &mut decoded {
            decoded.body.serialize(remap).map_err(within)?;
        }
        export.serial_size = 0.into();
        export.serial_offset = 0.into();
        let new = self.push_export(export)?;
        if let (Some(depends), Some(place)) = (depends, self.tables_mut().depends.get_mut(new)) {
            *place = depends;
        }
        if let Some(mut decoded) = decoded {
            self.give_net_index(&mut decoded);
            self.bodies_mut().decoded.insert(new, decoded);
        }
        Ok(new)
    }

    /// Objects that are known on the net each have an index of their own (spec: ue1-3/05 §5.1).
    pub(super) fn give_net_index(&mut self, decoded: &mut Decoded) {
        if let Some(index) = &mut decoded.body.net_index
            && *index >= 0
            && let Some(newest) = self.tables_mut().summary.generations.last_mut()
        {
            *index = newest.net_object_count;
            newest.net_object_count = newest.net_object_count.saturating_add(1);
        }
    }

    /// Names the copy of an object; a function of another name overrides nothing.
    fn name_copy(&mut self, row: usize, old: Name, new: Name) {
        self.tables_mut().exports[row].object_name = new;
        let file = self.versions().file;
        let Some(script) = self.script_mut(row) else { return };
        rename_friendly(script, old, new, file);
        if let ScriptObject::Function(function) = script {
            function.base.super_field = PackageIndex::NULL;
            function.base.field.super_field = PackageIndex::NULL;
            self.tables_mut().exports[row].super_index = PackageIndex::NULL;
        }
    }

    /// The copies share the images of their originals.
    fn copy_thumbnails(&mut self, old: usize, new: usize) -> Result<()> {
        if self.tables().thumbnails.is_empty() {
            return Ok(());
        }
        let (old, new) = (self.exports().path(old), self.exports().path(new));
        let (order, game) = (self.versions().byte_order, self.versions().game);
        let mut copies = Vec::new();
        for thumbnail in &self.tables().thumbnails {
            let path = thumbnail.object_path.text(self.source())?;
            let is_inside =
                path.get(..old.len()).is_some_and(|head| head.eq_ignore_ascii_case(&old));
            let rest = path.get(old.len()..).filter(|_| is_inside);
            if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with('.')) {
                let object_path = FString::new_in(&format!("{new}{rest}"), order, game);
                copies.push(crate::table::Thumbnail { object_path, ..thumbnail.clone() });
            }
        }
        self.tables_mut().thumbnails.extend(copies);
        Ok(())
    }
}
