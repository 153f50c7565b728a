//! Removing objects.

mod kept;

use std::collections::HashSet;
use std::sync::Arc;

pub(super) use self::kept::{KeptObjects, import_titles};
use super::Edit;
use super::level::{keeps_lights, unlist};
use super::renumber::Renumbering;
use crate::archive::{Archived, References, Remap};
use crate::error::{Error, Result};
use crate::object::Native;
use crate::object::script_object::ScriptObject;
use crate::object::ue4::structure::class::Class;
use crate::package::Decoded;
use crate::primitive::{ObjectRef, PackageIndex};

/// What happens to references to removed objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RemoveOptions {
    /// An object that others refer to is not removed.
    #[default]
    Refuse,
    /// References in bodies become null. An object that others derive from, or whose class it is, is
    /// still not removed.
    NullReferences,
}

/// What was removed, and all that it takes to put it back ([`Edit::restore`]).
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Removed {
    /// The paths of the objects, in the order of the table.
    pub objects: Vec<String>,
    /// The paths of the objects that referred to them and now hold null instead.
    pub nulled: Vec<String>,
    /// The paths of the objects that only listed them and no longer do: the level of an actor.
    #[cfg_attr(feature = "serde", serde(default))]
    pub unlisted: Vec<String>,
    #[cfg_attr(feature = "serde", serde(skip))]
    pub(super) kept: Option<Arc<KeptObjects>>,
}

/// What they say; what is kept for [`Edit::restore`] does not count.
impl PartialEq for Removed {
    fn eq(&self, other: &Self) -> bool {
        let said = |it: &Self| (it.objects.clone(), it.nulled.clone(), it.unlisted.clone());
        said(self) == said(other)
    }
}

impl Eq for Removed {}

impl Edit {
    /// Removes an object and everything in it: the table closes up, and every index follows.
    ///
    /// What only counts the object loses it without a word: the list of actors of its level, light maps that
    /// were computed for a light, lists of what must be loaded first, notes about it. A field leaves the chain
    /// of its struct. A class takes the object with its defaults along. Names and imports
    /// that the package was opened with stay ([`Edit::prune`] drops those that nothing uses), and so does the
    /// GUID, although the package no longer
    /// is the same to those who have the old one.
    ///
    /// # Errors
    /// `NotFound`; `Refused` with the objects that refer to what would go, or whose bodies are not decoded
    /// whole; and for a parameter without its function, the defaults of a class without the class.
    pub fn remove_object(&mut self, path: &str, options: RemoveOptions) -> Result<Removed> {
        self.remove_objects(&[path], options)
    }

    /// Removes several objects at once, which may refer to one another.
    ///
    /// # Errors
    /// As [`Edit::remove_object`].
    pub fn remove_objects(&mut self, paths: &[&str], options: RemoveOptions) -> Result<Removed> {
        let roots = paths.iter().map(|path| self.find_export(path)).collect::<Result<Vec<_>>>()?;
        self.restructure(|package| package.remove_rows(&roots, options))
    }

    fn remove_rows(&mut self, roots: &[usize], options: RemoveOptions) -> Result<Removed> {
        let gone = self.with_inner(roots);
        let gone_set: HashSet<usize> = gone.iter().copied().collect();
        for &root in roots {
            let outer = self.tables().exports[root].outer_index;
            if !matches!(outer.target(), ObjectRef::Export(row) if gone_set.contains(&row)) {
                self.check_free_field(root)?;
            }
            self.check_defaults(root, &gone_set)?;
        }
        // Only these can change otherwise than by their numbers.
        let before: Vec<(usize, Arc<Decoded>)> = self.bodies_that_refer(&gone_set);
        let mut kept = KeptObjects::of(self, &gone);
        self.unlink(&gone_set);
        let listing: Vec<usize> = before.iter().map(|(row, _)| *row).collect();
        let unlisted = self.unlist(&listing, &gone_set);
        let (needed_by, referrers) = self.referrers_of(&gone_set);
        let paths = |rows: &[usize]| -> Vec<String> {
            rows.iter().map(|&row| self.exports().path(row)).collect()
        };
        if !needed_by.is_empty() {
            let reason = "other objects are of this class or derive from it; remove them as well";
            return Err(Error::refused(reason, paths(&needed_by)));
        }
        if options == RemoveOptions::Refuse && !referrers.is_empty() {
            let reason = "other objects refer to it; remove them as well, or null the references";
            return Err(Error::refused(reason, paths(&referrers)));
        }
        let unfit = |&row: &usize| {
            let decoded = self.bodies().decoded.get(&row);
            decoded.is_some_and(|it| keeps_lights(&it.body, &|index| is_one_of(&gone_set, index)))
        };
        if referrers.iter().any(unfit) {
            let unfit: Vec<usize> = referrers.iter().copied().filter(unfit).collect();
            let reason = "its light maps and lists of lights do not fit together, so that no light can \
                          leave them";
            return Err(Error::refused(reason, paths(&unfit)));
        }
        let (objects, nulled, unlisted) = (paths(&gone), paths(&referrers), paths(&unlisted));
        self.null_references(&referrers, &gone_set)?;
        for (row, before) in before {
            if let Some(after) = self.bodies().decoded.shared(row) {
                kept.changed.push((row, before, after.clone()));
            }
        }
        let mut renumbering = Renumbering::identity(self);
        renumbering.exports.retain(|row| row.is_none_or(|row| !gone_set.contains(&row)));
        self.settle_net_objects(&gone);
        self.renumber_decoded(&renumbering)?;
        let references = (!nulled.is_empty()).then(|| self.counted_references());
        self.rebase()?;
        if let Some(references) = references {
            self.decode_for_renumbering()?;
            if self.counted_references() != references {
                let reason = "with null instead of a reference these bodies mean something else";
                return Err(Error::refused(reason, nulled));
            }
        }
        kept.note_after(self);
        Ok(Removed { objects, nulled, unlisted, kept: Some(Arc::new(kept)) })
    }

    /// The bodies of those that stay and refer to one of these exports.
    fn bodies_that_refer(&mut self, gone: &HashSet<usize>) -> Vec<(usize, Arc<Decoded>)> {
        let rows: Vec<usize> = self.bodies().decoded.keys().collect();
        let mut found = Vec::new();
        for row in rows.into_iter().filter(|row| !gone.contains(row)) {
            let met = self.body_references(row);
            if met.objects().keys().any(|&index| is_one_of(gone, PackageIndex::new(index)))
                && let Some(body) = self.bodies().decoded.shared(row)
            {
                found.push((row, body.clone()));
            }
        }
        found
    }

    /// Takes exports out of lists that only count them; says who had them.
    fn unlist(&mut self, rows: &[usize], gone: &HashSet<usize>) -> Vec<usize> {
        let context = self.context();
        let class = |package: &Self, row: usize| {
            package.object_name(package.tables().exports[row].class_index)
        };
        let mut found = Vec::new();
        for &row in rows {
            let class = class(self, row);
            let Some(decoded) = self.bodies_mut().decoded.get_mut(&row) else { continue };
            if unlist(&mut decoded.body, &class, &|index| is_one_of(gone, index), &context) {
                found.push(row);
            }
        }
        found
    }

    /// References to exports that are to go become null.
    fn null_references(&mut self, rows: &[usize], gone: &HashSet<usize>) -> Result<()> {
        let null = |old: i32| Some(if is_one_of(gone, PackageIndex::new(old)) { 0 } else { old });
        let versions = self.versions().of_bodies();
        let mut remap = Remap::names_and_objects(versions, &Some, &null);
        for &row in rows {
            let export = &mut self.tables_mut().exports[row];
            for index in [&mut export.archetype_index, &mut export.template_index] {
                if is_one_of(gone, *index) {
                    *index = PackageIndex::NULL;
                }
            }
            if export.details.component_map.iter().any(|entry| is_one_of(gone, entry.export)) {
                export.details.component_map.retain(|entry| !is_one_of(gone, entry.export));
            }
            let Some(decoded) = self.bodies_mut().decoded.get_mut(&row) else { continue };
            decoded.body.serialize(&mut remap)?;
            // A state frame without a node has no place in the code.
            if let Some(frame) = &mut decoded.body.state_frame
                && frame.node.is_null()
            {
                frame.offset = None;
            }
        }
        Ok(())
    }

    /// Objects of the net that came last free their numbers (spec: ue1-3/05 §5.1).
    fn settle_net_objects(&mut self, gone: &[usize]) {
        let body = |row: &usize| self.bodies().decoded.get(row);
        let mut freed: Vec<i32> = gone.iter().filter_map(|row| body(row)?.body.net_index).collect();
        freed.sort_unstable();
        let Some(newest) = self.tables_mut().summary.generations.last_mut() else { return };
        while freed.pop_if(|last| last.checked_add(1) == Some(newest.net_object_count)).is_some() {
            newest.net_object_count -= 1;
        }
    }

    /// These exports, all that lies in them, and the defaults of the classes among them, ascending.
    pub(super) fn with_inner(&self, roots: &[usize]) -> Vec<usize> {
        let objects = self.object_index();
        let mut found: HashSet<usize> = HashSet::new();
        let mut open: Vec<usize> = roots.to_vec();
        while let Some(row) = open.pop() {
            if !found.insert(row) {
                continue;
            }
            let inner = objects.inner(PackageIndex::export(row)).iter();
            let inner = inner.chain(std::iter::once(self.class_default(row)).flatten());
            open.extend(inner.filter_map(|index| match index.target() {
                ObjectRef::Export(row) if row < self.tables().exports.len() => Some(row),
                _ => None,
            }));
        }
        let mut rows: Vec<_> = found.into_iter().collect();
        rows.sort_unstable();
        rows
    }

    /// The object that holds the defaults of a class from UE3 on; `None` for everything else.
    pub(super) fn class_default(&self, row: usize) -> Option<&PackageIndex> {
        match &self.bodies().decoded.get(&row)?.body.native {
            Native::Script(script) => match &**script {
                ScriptObject::Class(class) => Some(&class.class_default_object),
                _ => None,
            },
            Native::Object(object) => {
                object.downcast_ref().map(|class: &Class| &class.class_default_object)
            }
            _ => None,
        }
    }

    fn check_defaults(&self, root: usize, gone: &HashSet<usize>) -> Result<()> {
        let export = &self.tables().exports[root];
        let class_goes =
            matches!(export.class_index.target(), ObjectRef::Export(row) if gone.contains(&row));
        let is_default = export.object_flags.is_class_default(self.versions());
        if is_default && !class_goes {
            let reason = "it holds the defaults of its class and goes only with it";
            return Err(Error::refused(reason, vec![self.exports().path(root)]));
        }
        Ok(())
    }

    /// The exports outside `gone` that can't be without it, and those whose bodies refer to it.
    fn referrers_of(&mut self, gone: &HashSet<usize>) -> (Vec<usize>, Vec<usize>) {
        let is_gone = |index: PackageIndex| is_one_of(gone, index);
        let (mut needed_by, mut referrers) = (Vec::new(), Vec::new());
        for row in (0..self.tables().exports.len()).filter(|row| !gone.contains(row)) {
            let export = &self.tables().exports[row];
            if is_gone(export.class_index) || is_gone(export.super_index) {
                needed_by.push(row);
                continue;
            }
            let components = export.details.component_map.iter().map(|entry| entry.export);
            let templates = [export.archetype_index, export.template_index];
            let listed = components.chain(templates).any(is_gone);
            let body = self.body_references(row);
            if listed || body.objects().keys().any(|&index| is_gone(PackageIndex::new(index))) {
                referrers.push(row);
            }
        }
        (needed_by, referrers)
    }

    /// How many names and references each body holds.
    fn counted_references(&mut self) -> Vec<(usize, u64, u64)> {
        let rows: Vec<usize> = self.bodies().decoded.keys().collect();
        let counted = rows.into_iter().map(|row| {
            let met = self.body_references(row);
            (row, met.names().values().sum(), met.objects().values().sum())
        });
        counted.collect()
    }

    /// What a decoded body refers to.
    pub(super) fn body_references(&mut self, row: usize) -> References {
        let mut references = References::new(self.versions().clone());
        if let Some(decoded) = self.decoded_mut(row) {
            // Visiting never fails: it neither reads nor writes.
            let _ = decoded.body.serialize(&mut references);
        }
        references
    }
}

/// Whether a reference leads to one of these exports.
fn is_one_of(rows: &HashSet<usize>, index: PackageIndex) -> bool {
    matches!(index.target(), ObjectRef::Export(row) if rows.contains(&row))
}
