//! Duplicating objects within a package.

use std::collections::{BTreeSet, HashMap};

use super::Edit;
use super::copy::FreeNames;
use super::default_object::default_name;
use super::level::Placing;
use super::preload::PreloadDependencies;
use super::rename::rename_friendly;
use crate::archive::{Archived, Remap};
use crate::edit::rows::export_row;
use crate::error::{Error, Result, UnrealErrors};
use crate::inspect::ReferenceTexts;
use crate::object::script_object::ScriptObject;
use crate::package::Decoded;
use crate::primitive::{Name, NameRemap, ObjectRef, PackageIndex};
use crate::table::Generation;
use crate::version::UnrealVersions;

/// The class of the nodes that stand for the components of a blueprint (C++: `USCS_Node`).
const COMPONENT_NODE: &str = "SCS_Node";

/// An object that is duplicated by itself, not along with another one.
struct DuplicateRoot<'a> {
    row: usize,
    /// The name of the copy.
    name: &'a str,
    level: Option<usize>,
    is_field: bool,
    /// The struct whose field it is.
    around: Option<usize>,
    /// The class whose function it is.
    class: Option<usize>,
}

impl Edit {
    /// Adds a copy of an object, under another name beside it, and says its row. All that lies in the object
    /// is copied as well, and so is what belongs to it though it stands beside it, under free names: the model
    /// of a brush with its polygons, the lighting of a static mesh, particle emitters (UE1, UE2). References
    /// among what is copied point to the copies.
    ///
    /// A copied field stands behind its original in the chain of their struct, a copied function of a blueprint
    /// in its class's list; it overrides nothing. A copied class has defaults of its own. A copied actor is in
    /// its level's list, and has a GUID and a label of its own where the original has them; so have lights and
    /// meshes their own baked data. Thumbnails, metadata, entries of the asset registry, searchable names,
    /// inline payloads and preload dependencies are copied as well. Existing rows stay where they are.
    ///
    /// # Errors
    /// `NotFound`; `Exists`; `BadText`; `Doubtful` for characters that names of objects do not have, for names that
    /// [`Edit::rename_object`] doubts for a declaration, and for a node of a blueprint that stands for a component;
    /// `Refused` for objects whose bodies are not decoded whole, and for parameters.
    pub fn duplicate_object(&mut self, path: &str, name: &str) -> Result<usize> {
        let root = self.find_export(path)?;
        self.check_copy(root, name)?;
        self.transact(|package| Ok(package.duplicate_rows(&[(root, name.to_owned())])?[0]))
    }

    /// As [`Edit::duplicate_object`] for several objects at once, each under the next free name of its kind (`Light7`),
    /// and says the rows of the copies: references among the objects are references among the copies. An object
    /// that lies in another one of them comes along with it.
    ///
    /// # Errors
    /// As [`Edit::duplicate_object`].
    pub fn duplicate_objects(&mut self, paths: &[&str]) -> Result<Vec<usize>> {
        let mut free = FreeNames::default();
        let mut roots: Vec<(usize, String)> = Vec::new();
        for row in self.outermost(paths)? {
            let outer = self.tables().exports[row].outer_index;
            let name = self.object_name(PackageIndex::export(row));
            let name = free.pick(self, outer, &name, &self.class_path(row));
            self.check_copy(row, &name)?;
            roots.push((row, name));
        }
        self.transact(|package| package.duplicate_rows(&roots))
    }

    /// Whether an object may be duplicated under a name.
    fn check_copy(&self, root: usize, name: &str) -> Result<()> {
        let outer = self.tables().exports[root].outer_index;
        self.vacant(outer, name)?;
        self.check_object_name(name, outer, Some(root))?;
        if self.tables().exports[root].object_flags.is_class_default(self.versions()) {
            let reason = "it holds the defaults of its class, which has one such object: duplicate the class";
            return Err(Error::refused(reason, vec![self.exports().path(root)]));
        }
        if self.class_name_of(root) == COMPONENT_NODE {
            let path = self.exports().path(root);
            self.doubt(|| {
                format!(
                    "{path} stands for a component of a blueprint: a copy would have the same \
                     ComponentTemplate, VariableGuid and InternalVariableName"
                )
            })?;
        }
        if let ObjectRef::Import(level) = outer.target()
            && let Some(import) = self.tables().imports.get(level)
            && self.name_text(import.class_name).eq_ignore_ascii_case("Level")
        {
            let path = self.exports().path(root);
            self.doubt(|| {
                format!(
                    "{path} is the actor of a package of one actor, and the engine loads no second one \
                     from it: `upk new actor --like` makes a package of its own of it"
                )
            })?;
        }
        if let Some(kind) = self.declaration_kind(root).filter(|_| self.checks) {
            self.check_name_in_line(root, kind, &[root], name)?;
        }
        Ok(())
    }

    fn duplicate_rows(&mut self, wanted: &[(usize, String)]) -> Result<Vec<usize>> {
        if !self.bodies().replaced.is_empty() {
            self.rebase()?;
        }
        let mut roots = Vec::new();
        let mut rows = BTreeSet::new();
        for (row, name) in wanted {
            let row = *row;
            self.decode_row(row);
            let level = self.level_of(row)?;
            rows.extend(self.decoded_with_inner(row)?);
            let outer = self.tables().exports[row].outer_index;
            let is_field = self.is_field(row);
            let around = is_field.then_some(outer).and_then(export_row);
            self.decode_rows(around.into_iter())?;
            if is_field {
                self.decode_chain_of(row);
            }
            self.check_free_field(row)?;
            let class = self.class_of_function(row);
            roots.push(DuplicateRoot { row, name, level, is_field, around, class });
        }
        let rows = self.decoded_with_owned(rows.into_iter().collect())?;
        let first = self.tables().exports.len();
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
        let names = self.names_of_twins(&rows, wanted);
        for &row in &rows {
            self.copy_row(row, &mut remap)?;
        }
        for (row, name) in names {
            let name = self.add_object_name(&name)?;
            self.change_export(copies[&row], |export| export.object_name = name);
        }
        let originals: Vec<usize> = roots.iter().map(|root| root.row).collect();
        self.decode_owners_of(&originals);
        for root in &roots {
            self.place_copy(root, &copies)?;
        }
        // In the order of the originals: labels count upwards, and equal edits make equal files.
        let new_rows: Vec<usize> = (first..first + rows.len()).collect();
        new_rows.iter().for_each(|&row| self.settle_component(row));
        self.make_unique(&new_rows);
        let links = self.settle_pins(&new_rows);
        if let (1.., [root, ..]) = (links, &roots[..]) {
            let path = self.exports().path(copies[&root.row]);
            let links = if links == 1 { "1 link".to_owned() } else { format!("{links} links") };
            self.note(format!(
                "{path} is not connected: {links} to other nodes did not come along"
            ));
        }
        let mapped = |index: PackageIndex| by_object(index.value()).map(PackageIndex::new);
        for (old, new) in rows.into_iter().zip(new_rows) {
            if let Some(lists) = PreloadDependencies::of(self, old) {
                self.set_preload(new, &lists.mapped(mapped))?;
                self.settle_preload(new)?;
            }
        }
        for root in &roots {
            if let Some(class) = root.class.or(root.around) {
                self.settle_preload(class)?;
            }
        }
        self.sync_counts()?;
        Ok(roots.iter().map(|root| copies[&root.row]).collect())
    }

    /// Gives the copy of one of the objects that were asked for its name and its place in whatever lists it.
    fn place_copy(
        &mut self,
        root: &DuplicateRoot<'_>,
        copies: &HashMap<usize, usize>,
    ) -> Result<()> {
        let (row, name) = (root.row, root.name);
        let new = copies[&row];
        let old_name = self.tables().exports[row].object_name;
        let new_name = self.add_object_name(name)?;
        self.name_copy(new, old_name, new_name);
        for default in self.defaults_of(row) {
            if let Some(&copy) = copies.get(&default) {
                let name = self.add_object_name(&default_name(name))?;
                self.change_export(copy, |export| export.object_name = name);
            }
        }
        if root.is_field {
            self.link_behind(row, new, new_name);
        }
        if let Some(class) = root.class {
            self.list_function(class, row, new, new_name);
        }
        if let Some(level) = root.level {
            self.place_actor(level, new, Placing::Duplicated)?;
            if self.forget_paths(new) {
                let path = self.exports().path(new);
                self.note(format!("{path} has no paths until they are built in the editor"));
            }
            self.chain_copy(row, new, copies)?;
        }
        self.list_copy(row, new, copies)?;
        self.copy_listings(row, new, copies)
    }

    /// Names for the copies that stand beside their originals, but for the root.
    fn names_of_twins(&self, rows: &[usize], roots: &[(usize, String)]) -> Vec<(usize, String)> {
        let outer_of = |row: usize| self.tables().exports[row].outer_index;
        let lies_in_copy = |row: &usize| match outer_of(*row).target() {
            ObjectRef::Export(outer) => rows.binary_search(&outer).is_ok(),
            _ => false,
        };
        let is_default = |row: &usize| {
            self.tables().exports[*row].object_flags.is_class_default(self.versions())
        };
        let is_root = |row: &usize| roots.iter().any(|(root, _)| root == row);
        let apart =
            rows.iter().filter(|row| !is_root(row) && !lies_in_copy(row) && !is_default(row));
        let apart: Vec<_> = apart.collect();
        if apart.is_empty() {
            return Vec::new();
        }
        let mut free = FreeNames::default();
        for (root, name) in roots {
            free.pick(self, outer_of(*root), name, &self.class_path(*root));
        }
        let pick = |&row: &usize| {
            let name = self.object_name(PackageIndex::export(row));
            (row, free.pick(self, outer_of(row), &name, &self.class_path(row)))
        };
        apart.into_iter().map(pick).collect()
    }

    /// An export with all that lies in it and the defaults of classes among that, decoded whole; ascending.
    pub(super) fn decoded_with_inner(&mut self, root: usize) -> Result<Vec<usize>> {
        let mut rows = self.with_inner(&[root]);
        loop {
            self.decode_rows(rows.iter().copied())?;
            let defaults = rows.iter().flat_map(|&row| self.defaults_of(row));
            let roots: Vec<usize> = rows.iter().copied().chain(defaults).collect();
            let all = self.with_inner(&roots);
            if all.len() == rows.len() {
                return Ok(rows);
            }
            rows = all;
        }
    }

    /// The exports that hold the defaults of a class: one, or none.
    pub(super) fn defaults_of(&self, row: usize) -> Vec<usize> {
        let classic = self.class_default(row).and_then(|index| match index.target() {
            ObjectRef::Export(default) if default < self.tables().exports.len() => Some(default),
            _ => None,
        });
        classic.into_iter().chain(self.blueprint_default(row)).collect()
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
                self.set_decoded(row, decoded);
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
        export.preload = self.no_preload();
        let new = self.push_export(export)?;
        if let Some(depends) = depends {
            self.set_depends(new, depends);
        }
        if let Some(mut decoded) = decoded {
            let resources = self.tables().further.data_resources.clone();
            self.adopt_resources(&mut decoded.body, new, resources.as_ref(), false)?;
            self.give_net_index(&mut decoded);
            self.set_decoded(new, decoded);
        }
        Ok(new)
    }

    /// Gives an object that comes out of another one or of another package an index on the net, if that one has one.
    pub(super) fn give_net_index(&mut self, decoded: &mut Decoded) {
        if decoded.body.net_index.is_some_and(|index| index >= 0)
            && let Some(newest) = self.summary_mut().generations.last_mut()
        {
            decoded.body.net_index = Some(newest.take_net_index());
        }
    }

    /// The index of an object that is made new: objects of content packages count upwards (measured on packages
    /// of version 868). None by whether the package has others: merged edits come in any order.
    pub(super) fn new_net_index(&mut self) -> Option<i32> {
        if !self.has_net_objects() {
            return None;
        }
        let newest = self.summary_mut().generations.last_mut();
        Some(newest.map_or(-1, Generation::take_net_index))
    }

    /// Names the copy of an object; a function of another name overrides nothing.
    pub(super) fn name_copy(&mut self, row: usize, old: Name, new: Name) {
        self.change_export(row, |export| export.object_name = new);
        let file = self.versions().file();
        let Some(script) = self.script_mut(row) else { return };
        rename_friendly(script, old, new, file);
        if let ScriptObject::Function(function) = script {
            function.base.super_field = PackageIndex::NULL;
            function.base.field.super_field = PackageIndex::NULL;
            self.change_export(row, |export| export.super_index = PackageIndex::NULL);
        }
    }
}
