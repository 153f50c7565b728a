//! Removing objects.

use crate::error::Error;
use std::cell::Cell;
use std::collections::HashSet;

use super::Edit;
use super::refusal::refuse_object_versions;
use super::renumber::{Dropped, Renumbering};
use crate::archive::{Archived, Remap};
use crate::error::Result;
use crate::object::script_object::ScriptObject;
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

/// What was removed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Removed {
    /// The paths of the objects, in the order of the table.
    pub objects: Vec<String>,
    /// The paths of the objects that referred to them and now hold null instead.
    pub nulled: Vec<String>,
}

impl Edit {
    /// Removes an object and everything in it: the table closes up, and every index follows.
    ///
    /// A field leaves the chain of its struct. A class takes the object with its defaults along. Names and
    /// imports stay ([`Edit::prune`] drops those that nothing uses), and so does the GUID, although the
    /// package no longer is the same to those who have the old one.
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
        refuse_object_versions(self, "removing objects")?;
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
        self.unlink(&gone_set);
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
        let removed = Removed { objects: paths(&gone), nulled: paths(&referrers) };
        let mut renumbering = Renumbering::identity(self);
        renumbering.exports.retain(|row| row.is_none_or(|row| !gone_set.contains(&row)));
        self.renumber_decoded(&renumbering, Dropped::Nulled)?;
        self.drop_dead_frames();
        let references = (!referrers.is_empty()).then(|| self.counted_references());
        self.rebase()?;
        if let Some(references) = references {
            self.decode_for_renumbering()?;
            if self.counted_references() != references {
                let reason = "with null instead of a reference these bodies mean something else";
                return Err(Error::refused(reason, removed.nulled));
            }
        }
        Ok(removed)
    }

    /// These exports, all that lies in them, and the defaults of the classes among them, ascending.
    pub(super) fn with_inner(&self, roots: &[usize]) -> Vec<usize> {
        let tree = self.exports().tree();
        let mut found: HashSet<usize> = HashSet::new();
        let mut open: Vec<usize> = roots.to_vec();
        while let Some(row) = open.pop() {
            if !found.insert(row) {
                continue;
            }
            let inner = tree.get(&PackageIndex::export(row)).into_iter().flatten();
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

    /// The object that holds the defaults of a class of UE3; null for everything else.
    pub(super) fn class_default(&self, row: usize) -> Option<&PackageIndex> {
        match self.script(row) {
            Some(ScriptObject::Class(class)) => Some(&class.class_default_object),
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
        let is_gone = |index: i32| matches!(PackageIndex::new(index).target(), ObjectRef::Export(row) if gone.contains(&row));
        let hit = Cell::new(false);
        let (names, objects) = (Some, |index: i32| {
            hit.set(hit.get() || is_gone(index));
            Some(index)
        });
        let mut visitor = Remap::names_and_objects(self.versions().clone(), &names, &objects);
        let (mut needed_by, mut referrers) = (Vec::new(), Vec::new());
        for row in (0..self.tables().exports.len()).filter(|row| !gone.contains(row)) {
            let export = &self.tables().exports[row];
            if is_gone(export.class_index.value()) || is_gone(export.super_index.value()) {
                needed_by.push(row);
                continue;
            }
            let components = export.details.component_map.iter().map(|entry| entry.export);
            let listed = components.chain([export.archetype_index]).any(|i| is_gone(i.value()));
            hit.set(listed);
            if let Some(decoded) = self.bodies_mut().decoded.get_mut(&row) {
                // Visiting never fails: every index keeps its number.
                let _ = decoded.body.serialize(&mut visitor);
            }
            if hit.get() {
                referrers.push(row);
            }
        }
        (needed_by, referrers)
    }

    /// A state frame without a node has no place in the code.
    fn drop_dead_frames(&mut self) {
        for decoded in self.bodies_mut().decoded.values_mut() {
            if let Some(frame) = &mut decoded.body.state_frame
                && frame.node.is_null()
            {
                frame.offset = None;
            }
        }
    }

    /// How many names and references each body holds.
    fn counted_references(&mut self) -> Vec<(usize, u64, u64)> {
        let (names, objects) = (Cell::new(0), Cell::new(0));
        let count = |counter: &Cell<u64>, index: i32| {
            counter.set(counter.get() + 1);
            Some(index)
        };
        let by_name = |index| count(&names, index);
        let by_object = |index| count(&objects, index);
        let mut visitor = Remap::names_and_objects(self.versions().clone(), &by_name, &by_object);
        let mut counted = Vec::new();
        for (row, decoded) in &mut self.bodies_mut().decoded {
            let _ = decoded.body.serialize(&mut visitor);
            counted.push((*row, names.replace(0), objects.replace(0)));
        }
        counted
    }
}
