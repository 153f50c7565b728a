//! Fields and their chains: a struct knows its first field, each field the next (spec: ue1-3/06 §6.1).

use std::collections::HashSet;

use super::Edit;
use super::chain::Chain;
use super::links::FieldLinks;
use crate::error::{Error, Result, UnrealErrors};
use crate::object::Native;
use crate::object::script_object::ScriptObject;
use crate::primitive::{Name, ObjectRef, PackageIndex};

/// The flag of properties that are parameters (spec: ue1-3/08 §8.5).
const PARAMETER: u64 = 0x80;
/// The classes of script objects that hold fields.
const STRUCTURES: &[&str] = &["Struct", "ScriptStruct", "Function", "State", "Class"];

impl Edit {
    /// Whether an object holds fields: structs, functions, states, classes.
    pub(super) fn is_structure(&self, index: PackageIndex) -> bool {
        let ObjectRef::Export(row) = index.target() else { return false };
        let Some(export) = self.tables().exports.get(row) else { return false };
        let class = self.object_name(export.class_index);
        export.class_index.is_null() || STRUCTURES.iter().any(|s| s.eq_ignore_ascii_case(&class))
    }

    /// Whether an export is of a class of script objects: classes, functions, properties.
    pub(super) fn is_script(&self, index: PackageIndex) -> bool {
        let ObjectRef::Export(row) = index.target() else { return false };
        let Some(export) = self.tables().exports.get(row) else { return false };
        let class = self.object_name(export.class_index);
        export.class_index.is_null() || ScriptObject::blank(&class).is_some()
    }

    /// Whether an export is a field: a script object that lies in another one.
    pub(super) fn is_field(&self, row: usize) -> bool {
        let outer = self.tables().exports.get(row).map(|export| export.outer_index);
        self.is_script(PackageIndex::export(row))
            && outer.is_some_and(|outer| self.is_script(outer))
    }

    /// The script object of a body that is decoded.
    pub(super) fn script(&self, row: usize) -> Option<&ScriptObject> {
        match &self.bodies().decoded.get(&row)?.body.native {
            Native::Script(object) => Some(object),
            _ => None,
        }
    }

    pub(super) fn script_mut(&mut self, row: usize) -> Option<&mut ScriptObject> {
        let is_script = self.script(row).is_some();
        if !is_script {
            return None;
        }
        match &mut self.decoded_mut(row)?.body.native {
            Native::Script(object) => Some(object),
            _ => None,
        }
    }

    /// Refuses fields that can neither go nor come alone: parameters, which callers pass by their order,
    /// and the inner properties of containers.
    pub(super) fn check_free_field(&self, row: usize) -> Result<()> {
        if !self.is_field(row) {
            return Ok(());
        }
        let path = || vec![self.exports().path(row)];
        if !self.is_structure(self.tables().exports[row].outer_index) {
            let reason = "a property within a property can't be changed without it";
            return Err(Error::refused(reason, path()));
        }
        let Some(decoded) = self.bodies().decoded.get(&row) else {
            return Err(Error::refused("the chain of its struct is not decoded", path()));
        };
        match FieldLinks::property_flags(&decoded.body.native) {
            Some(flags) if flags & PARAMETER != 0 && self.is_in_chain(row) => {
                let reason = "a parameter can't be changed without its function: callers pass values \
                              by the order of the parameters";
                Err(Error::refused(reason, path()))
            }
            Some(flags) if flags & PARAMETER != 0 => Ok(()),
            _ if FieldLinks::next(&decoded.body.native).is_some() => Ok(()),
            _ => Err(Error::refused("the chain of its struct is not decoded", path())),
        }
    }

    /// Whether its struct, or a field of that, still leads to a field: a function that has become another one has
    /// left it.
    fn is_in_chain(&self, row: usize) -> bool {
        let outer = self.tables().exports[row].outer_index;
        let objects = self.object_index();
        let fields = objects.inner(outer).iter().copied().chain([outer]);
        let mut rows = fields.filter_map(|index| match index.target() {
            ObjectRef::Export(other) if other != row => self.bodies().decoded.get(&other),
            _ => None,
        });
        let index = PackageIndex::export(row);
        rows.any(|decoded| FieldLinks::refer(&decoded.body.native, &|other| other == index))
    }

    /// Takes objects out of the chains and function tables of those that stay and refer to them.
    pub(super) fn unlink(&mut self, users: &[usize], gone: &HashSet<usize>) {
        self.close_actor_chains(users, gone);
        let next = |&row: &usize| {
            let decoded = self.bodies().decoded.get(&row)?;
            Some((PackageIndex::export(row), FieldLinks::next(&decoded.body.native)?))
        };
        let next = gone.iter().filter_map(next).collect();
        let chain = Chain::new(gone, next);
        let (skip, is_gone) =
            (|index: PackageIndex| chain.skip(index), |index: PackageIndex| chain.is_gone(index));
        for &row in users {
            let decoded = self.bodies().decoded.get(&row);
            if decoded.is_some_and(|decoded| FieldLinks::refer(&decoded.body.native, &is_gone))
                && let Some(decoded) = self.decoded_mut(row)
            {
                FieldLinks::close(&mut decoded.body.native, &skip, &is_gone);
            }
        }
    }

    /// Puts a new field right behind another one of the same struct.
    pub(super) fn link_behind(&mut self, old: usize, new: usize, name: Name) {
        let (before, after) = (PackageIndex::export(old), PackageIndex::export(new));
        let Some(next) = self.script(old).map(|script| script.field().next) else { return };
        if let Some(script) = self.script_mut(new) {
            script.field_mut().next = next;
        }
        if let Some(script) = self.script_mut(old) {
            script.field_mut().next = after;
        }
        let ObjectRef::Export(outer) = self.tables().exports[new].outer_index.target() else {
            return;
        };
        if let Some(state) = self.script_mut(outer).and_then(ScriptObject::state_mut)
            && state.func_map.0.iter().any(|(_, function)| *function == before)
        {
            state.func_map.0.push((name, after));
        }
    }
}
