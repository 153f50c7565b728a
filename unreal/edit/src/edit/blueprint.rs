//! Lists of UE4 and UE5 classes: their functions and their defaults (spec: ue4-5/05 §1).

use super::Edit;
use crate::object::ue4::structure::class::Class;
use crate::object::ue4::structure::function::Function;
use crate::package::decode::{native_as, native_as_mut};
use crate::primitive::{Name, ObjectRef, PackageIndex};
use crate::version::EngineFacts;

impl Edit {
    /// The object with the defaults of a class of UE4 and UE5 whose body is decoded, if it is in the package.
    pub(super) fn blueprint_default(&self, row: usize) -> Option<usize> {
        let decoded = self.bodies().decoded.get(&row)?;
        let default = native_as::<Class>(&decoded.body)?.class_default_object;
        match default.target() {
            ObjectRef::Export(default) if default < self.tables().exports.len() => Some(default),
            _ => None,
        }
    }

    /// The class of UE4 and UE5 that lists this export among its functions; its body is decoded then.
    pub(super) fn class_of_function(&mut self, row: usize) -> Option<usize> {
        if !self.versions().has_default_objects() || self.is_field(row) {
            return None;
        }
        let export = self.tables().exports.get(row)?;
        let ObjectRef::Export(outer) = export.outer_index.target() else { return None };
        if !self.object_name(export.class_index).ends_with("Function") {
            return None;
        }
        self.decode_row(outer);
        let class = native_as::<Class>(&self.bodies().decoded.get(&outer)?.body)?;
        let index = PackageIndex::export(row);
        class.functions.0.iter().any(|(_, function)| *function == index).then_some(outer)
    }

    /// Lists a copy of a function behind its original. A function of another name overrides nothing.
    pub(super) fn list_function(&mut self, class: usize, old: usize, new: usize, name: Name) {
        let (before, after) = (PackageIndex::export(old), PackageIndex::export(new));
        if let Some(decoded) = self.decoded_mut(class)
            && let Some(class) = native_as_mut::<Class>(&mut decoded.body)
        {
            class.functions.0.push((name, after));
            let children = &mut class.base.children;
            if let Some(at) = children.iter().position(|&child| child == before) {
                children.insert(at + 1, after);
            }
        }
        // Below the framework version 29 the class knows the first field and each field the next: the copy
        // has its original's.
        let chained = self
            .bodies()
            .decoded
            .get(&class)
            .and_then(|decoded| native_as::<Class>(&decoded.body))
            .is_some_and(|class| !class.base.first_child.is_null());
        if chained
            && let Some(decoded) = self.decoded_mut(old)
            && let Some(function) = native_as_mut::<Function>(&mut decoded.body)
        {
            function.base.field.next = after;
        }
        if let Some(decoded) = self.decoded_mut(new)
            && let Some(function) = native_as_mut::<Function>(&mut decoded.body)
        {
            function.base.super_struct = PackageIndex::NULL;
        }
        self.change_export(new, |export| export.super_index = PackageIndex::NULL);
    }
}
