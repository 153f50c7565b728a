//! Removing objects.

mod kept;

use std::collections::HashSet;
use std::sync::Arc;

pub(super) use self::kept::{KeptObjects, import_titles};
use super::Edit;
use super::level::{keeps_lights, unlist};
use super::membership::merged;
use crate::archive::{Archived, Context, Remap};
use crate::error::{Error, Result, UnrealErrors};
use crate::object::Native;
use crate::object::script_object::ScriptObject;
use crate::object::ue4::structure::class::Class;
use crate::package::Decoded;
use crate::primitive::{NameRemap, ObjectRef, PackageIndex, Visit, Visitor, Way};
use crate::version::UnrealVersions;

/// The note where paths go with what they start or end at.
const PATHS_GO: &str = "paths of the level went with what they lead to: build paths in the editor";

/// The treatment of references to removed objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum RemoveOptions {
    /// An object that others refer to is not removed.
    #[default]
    Refuse,
    /// References in bodies become null. An object that others derive from, or whose class it is, is
    /// still not removed.
    NullReferences,
}

/// The removed objects, and all that it takes to put them back ([`Edit::restore`]).
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

/// Equality of the lists; the data that is kept for [`Edit::restore`] does not count.
impl PartialEq for Removed {
    fn eq(&self, other: &Self) -> bool {
        let said = |it: &Self| (it.objects.clone(), it.nulled.clone(), it.unlisted.clone());
        said(self) == said(other)
    }
}

impl Eq for Removed {}

impl Edit {
    /// Removes an object and everything in it. Its row stays, empty, until the edit ends: then the table closes
    /// up, and every index follows.
    ///
    /// Lists that only count the object lose it without a word: the list of actors of its level, light maps that
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
        self.transact(|package| {
            package.decode_for_removal(&roots)?;
            let paths = package.paths_of(&package.with_inner(&roots));
            if !paths.is_empty() {
                package.note(PATHS_GO.to_owned());
            }
            package.remove_rows(&merged(roots, paths), options)
        })
    }

    /// Decodes what a removal looks at: what goes, and what refers to that. Where more is removed, and where
    /// chains may run through all objects, every body, so that the next call need not look for them again.
    fn decode_for_removal(&mut self, roots: &[usize]) -> Result<()> {
        self.settle_replaced()?;
        let is_first = self.package.baseline().is_some_and(|baseline| baseline.gaps.is_empty());
        if !is_first || !self.bodies().decoded.is_empty() || !self.levels().is_empty() {
            self.decode_all();
            return Ok(());
        }
        let mut decoder = self.package.decoder();
        let mut gone = HashSet::new();
        let mut open = roots.to_vec();
        while let Some(row) = open.pop() {
            if gone.insert(row) {
                // What goes with a class is in its body.
                let fresh = decoder.decode(&self.package, row, |_| true);
                self.keep_decoded(fresh.map(|fresh| (row, fresh)).into_iter().collect());
                open.extend(self.directly_within(row));
            }
        }
        let versions = self.versions().of_bodies();
        let mut users = Vec::new();
        self.each_undecoded(|row, fresh| {
            let Some(mut fresh) = fresh else { return };
            let mut met = MetGone { gone: &gone, is_met: false };
            let mut visit = Visit::new(&mut met, versions.clone(), Context::nothing());
            // Visiting never fails: it neither reads nor writes.
            let _ = Arc::make_mut(&mut fresh).body.serialize(&mut visit);
            if met.is_met {
                users.push((row, fresh));
            }
        });
        self.keep_decoded(users);
        Ok(())
    }

    fn keep_decoded(&mut self, fresh: Vec<(usize, Arc<Decoded>)>) {
        let rows: Vec<usize> = fresh.iter().map(|(row, _)| *row).collect();
        let decoded = &mut self.package.parts_kept().bodies.decoded;
        fresh.into_iter().for_each(|(row, body)| decoded.set(row, Some(body)));
        self.note_decoded(&rows);
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
        let oldest_move = self.check_gaps(&gone)?;
        // Only these can change otherwise than by their numbers.
        let users = self.bodies_using(&gone, &gone_set);
        let path_users = self.path_users(&gone_set);
        let users = merged(users, path_users);
        let bodies = &self.bodies().decoded;
        let before: Vec<(usize, Arc<Decoded>)> =
            users.iter().filter_map(|&row| Some((row, bodies.shared(row)?.clone()))).collect();
        let mut kept = KeptObjects::of(self, &gone);
        self.unlink(&users, &gone_set);
        if self.close_paths(&users, &gone_set) {
            self.note(PATHS_GO.to_owned());
        }
        let unlisted = self.unlist(&users, &gone_set);
        let (needed_by, referrers) = self.referrers_of(&gone, &gone_set);
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
        self.settle_net_objects(&gone);
        self.leave_gaps(&gone, oldest_move)?;
        kept.note_after(self);
        Ok(Removed { objects, nulled, unlisted, kept: Some(Arc::new(kept)) })
    }

    /// The bodies of those that stay and refer to one of these exports, ascending.
    fn bodies_using(&mut self, rows: &[usize], gone: &HashSet<usize>) -> Vec<usize> {
        let objects = rows.iter().map(|&row| PackageIndex::export(row));
        let mut users = self.package.body_uses().users(objects);
        users.retain(|row| !gone.contains(row));
        users
    }

    /// Takes exports out of lists that only count them; says who had them.
    fn unlist(&mut self, rows: &[usize], gone: &HashSet<usize>) -> Vec<usize> {
        let context = self.decoding_context();
        let class = |package: &Self, row: usize| {
            package.object_name(package.tables().exports[row].class_index)
        };
        let mut found = Vec::new();
        for &row in rows {
            let class = class(self, row);
            let Some(decoded) = self.decoded_mut(row) else { continue };
            if unlist(&mut decoded.body, &class, &|index| is_one_of(gone, index), &context) {
                found.push(row);
            }
        }
        let stays = |row: &usize| !gone.contains(row);
        let owners = (0..self.tables().exports.len()).filter(stays);
        found.extend(self.unlist_components(owners, |listed| is_one_of(gone, listed)));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// References to exports that are to go become null.
    fn null_references(&mut self, rows: &[usize], gone: &HashSet<usize>) -> Result<()> {
        let null = |old: i32| Some(if is_one_of(gone, PackageIndex::new(old)) { 0 } else { old });
        let versions = self.versions().of_bodies();
        let mut remap = Remap::names_and_objects(versions, &Some, &null);
        for &row in rows {
            if self.starts_from_gone(row, gone) {
                self.change_export(row, |export| {
                    for index in [&mut export.archetype_index, &mut export.template_index] {
                        if is_one_of(gone, *index) {
                            *index = PackageIndex::NULL;
                        }
                    }
                });
                self.settle_component(row);
            }
            let Some(decoded) = self.decoded_mut(row) else { continue };
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

    /// Whether an object starts from one of those that go.
    fn starts_from_gone(&self, row: usize, gone: &HashSet<usize>) -> bool {
        let export = &self.tables().exports[row];
        [export.archetype_index, export.template_index].iter().any(|it| is_one_of(gone, *it))
    }

    /// Objects of the net that came last free their numbers (spec: ue1-3/05 §5.1).
    fn settle_net_objects(&mut self, gone: &[usize]) {
        let body = |row: &usize| self.bodies().decoded.get(row);
        let indices = gone.iter().filter_map(|row| body(row)?.body.net_index);
        // Objects that the net does not know have -1.
        let mut freed: Vec<i32> = indices.filter(|index| *index >= 0).collect();
        freed.sort_unstable();
        if freed.is_empty() {
            return;
        }
        let Some(newest) = self.summary_mut().generations.last_mut() else { return };
        while freed.pop_if(|last| last.checked_add(1) == Some(newest.net_object_count)).is_some() {
            newest.net_object_count -= 1;
        }
    }

    /// These exports, all that lies in them, and the defaults of the classes among them, ascending.
    pub(super) fn with_inner(&self, roots: &[usize]) -> Vec<usize> {
        let mut found: HashSet<usize> = HashSet::new();
        let mut open: Vec<usize> = roots.to_vec();
        while let Some(row) = open.pop() {
            if !found.insert(row) {
                continue;
            }
            open.extend(self.directly_within(row));
        }
        let mut rows: Vec<_> = found.into_iter().collect();
        rows.sort_unstable();
        rows
    }

    /// The objects right in an export, and the defaults of a class.
    fn directly_within(&self, row: usize) -> Vec<usize> {
        let objects = self.object_index();
        let inner = objects.inner(PackageIndex::export(row)).iter();
        let inner = inner.chain(std::iter::once(self.class_default(row)).flatten());
        let rows = inner.filter_map(|index| match index.target() {
            ObjectRef::Export(row) if row < self.tables().exports.len() => Some(row),
            _ => None,
        });
        rows.collect()
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

    /// The exports outside `gone` that can't be without it, and those whose rows or bodies refer to it.
    fn referrers_of(&mut self, rows: &[usize], gone: &HashSet<usize>) -> (Vec<usize>, Vec<usize>) {
        let mut needed_by = Vec::new();
        let mut referrers = self.bodies_using(rows, gone);
        for (row, export) in self.tables().exports.iter().enumerate() {
            if [export.class_index, export.super_index].iter().any(|it| is_one_of(gone, *it)) {
                needed_by.push(row);
            } else if self.starts_from_gone(row, gone) {
                referrers.push(row);
            }
        }
        for found in [&mut needed_by, &mut referrers] {
            found.retain(|row| !gone.contains(row));
            found.sort_unstable();
            found.dedup();
        }
        referrers.retain(|row| needed_by.binary_search(row).is_err());
        (needed_by, referrers)
    }
}

/// Whether a body refers to one of these exports.
struct MetGone<'a> {
    gone: &'a HashSet<usize>,
    is_met: bool,
}

impl Visitor for MetGone<'_> {
    fn takes_paths(&self) -> bool {
        false
    }

    fn object(&mut self, index: &mut PackageIndex, _: &Way) {
        self.is_met |= is_one_of(self.gone, *index);
    }
}

/// Whether a reference leads to one of these exports.
fn is_one_of(rows: &HashSet<usize>, index: PackageIndex) -> bool {
    matches!(index.target(), ObjectRef::Export(row) if rows.contains(&row))
}
