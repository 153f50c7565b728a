//! Names of functions and states: in code, in tables, in delegates.

use super::declaration::{DeclarationKind, RenamedDeclaration};
use crate::decompile::{Decompiler, NameMeaning};
use crate::edit::Edit;
use crate::error::Result;
use crate::object::ue4::structure::class::Class;
use crate::object::{Body, Native};
use crate::package::decode::native_as_mut;
use crate::primitive::{Name, ObjectRef, PackageIndex};
use crate::script::{CodePlaces, ScriptItem};
use crate::version::UnrealVersions;

impl Edit {
    /// Names of functions and states in code; says how many there mean others.
    pub(super) fn rename_calls(
        &self,
        row: usize,
        body: &mut Body,
        declaration: &RenamedDeclaration,
        (new, others): (Name, &[usize]),
        decompiler: &Decompiler,
    ) -> Result<usize> {
        let names = decompiler.names_in_code(row, declaration.old)?;
        let versions = self.versions().of_bodies();
        let Some(code) = body.native.code_mut() else { return Ok(0) };
        let places = CodePlaces::of(&code.items, &versions);
        let mut unrelated = 0;
        for name in names {
            let is_ours = match (name.meaning, declaration.kind) {
                (NameMeaning::Function(of), DeclarationKind::Function)
                | (NameMeaning::State(of), DeclarationKind::State) => {
                    self.meant_in(of, declaration, others)
                }
                (NameMeaning::Value, _) => None,
                _ => Some(false),
            };
            match is_ours {
                Some(true) => {}
                Some(false) => {
                    unrelated += 1;
                    continue;
                }
                None => continue,
            }
            let Some(at) = places.item_at(name.place.into()) else { continue };
            let items = code.items.iter_mut().skip(at + 1);
            let found = items.take_while(|item| item.token().is_none());
            for item in found {
                if *item == ScriptItem::Name(declaration.old) {
                    *item = ScriptItem::Name(new);
                    break;
                }
            }
        }
        Ok(unrelated)
    }

    /// Whether a name means the declaration in a class or state; `None` where nothing says so.
    fn meant_in(
        &self,
        of: PackageIndex,
        declaration: &RenamedDeclaration,
        others: &[usize],
    ) -> Option<bool> {
        if of.is_null() {
            return None;
        }
        let class = match of.target() {
            ObjectRef::Export(row) => self.class_or_self(row),
            _ => of,
        };
        let stands_in = |rows: &[usize], class| {
            rows.iter().any(|row| self.tables().exports[*row].outer_index == class)
        };
        for step in self.ancestors(of).chain(self.ancestors(class)) {
            if stands_in(&declaration.rows, step) {
                return Some(true);
            }
            if stands_in(others, step) {
                return Some(false);
            }
        }
        // What a class does not have, an object of one below it may.
        let mut classes = declaration.rows.iter().map(|row| self.class_around(*row));
        if classes.any(|known| self.derives(known, class)) { None } else { Some(false) }
    }

    fn class_or_self(&self, row: usize) -> PackageIndex {
        let index = PackageIndex::export(row);
        let is_state = self.object_class(index).is_some_and(|of| of.eq_ignore_ascii_case("State"));
        if is_state { self.tables().exports[row].outer_index } else { index }
    }

    /// Tables of functions by name, and delegates that are stored; says how many there mean others.
    pub(super) fn rename_tables(
        &self,
        body: &mut Body,
        declaration: &RenamedDeclaration,
        new: Name,
    ) -> usize {
        let (old, mut unrelated) = (declaration.old, 0);
        let is_ours = |index: &PackageIndex| match index.target() {
            ObjectRef::Export(row) => declaration.rows.contains(&row),
            _ => false,
        };
        let mut change = |name: &mut Name, function: &PackageIndex| {
            if *name == old && is_ours(function) {
                *name = new;
            } else {
                unrelated += usize::from(*name == old);
            }
        };
        if let Some(class) = native_as_mut::<Class>(body) {
            class.functions.0.iter_mut().for_each(|(name, function)| change(name, function));
        }
        if let Native::Script(object) = &mut body.native
            && let Some(state) = object.state_mut()
        {
            state.func_map.0.iter_mut().for_each(|(name, function)| change(name, function));
        }
        let classes: Vec<_> = declaration.rows.iter().map(|row| self.class_around(*row)).collect();
        for list in body.lists_mut() {
            for property in &mut list.properties {
                property.value_mut().each_delegate_mut(&mut |delegate| {
                    // A class stands for its defaults.
                    let class = match delegate.object.target() {
                        ObjectRef::Export(row) => match self.tables().exports.get(row) {
                            Some(export) if export.class_index.is_null() => Some(delegate.object),
                            export => export.map(|export| export.class_index),
                        },
                        _ => None,
                    };
                    let is_meant =
                        class.map(|class| classes.iter().any(|known| self.derives(class, *known)));
                    match (delegate.function == old, is_meant) {
                        (true, Some(true)) => delegate.function = new,
                        (true, Some(false)) => unrelated += 1,
                        _ => {}
                    }
                });
            }
        }
        unrelated
    }
}
