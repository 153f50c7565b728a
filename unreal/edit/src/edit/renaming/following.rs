//! Uses of a declaration by its name: tags of stored values, calls, tables of functions.

use super::Renamed;
use super::declaration::{DeclarationKind, RenamedDeclaration};
use super::mentions::Mentions;
use crate::decompile::Decompiler;
use crate::edit::Edit;
use crate::error::Result;
use crate::inspect::meaning::ObjectLookup;
use crate::object::Body;
use crate::primitive::{Name, PackageIndex};
use crate::property::{ListOwner, PropertyList, Surroundings, Type};

impl Edit {
    /// Renames all that means a declaration by its name, after its rows were renamed, and notes what can't follow.
    pub(in crate::edit) fn follow_declaration(
        &mut self,
        declaration: &RenamedDeclaration,
        renamed: &mut Renamed,
    ) -> Result<()> {
        let RenamedDeclaration { kind, rows, old } = declaration;
        let new = self.tables().exports[rows[0]].object_name;
        self.decode_all();
        self.warn_of_outside(declaration, renamed);
        // Where the row of the name table got another text, everything that says it follows.
        if new == *old {
            return Ok(());
        }
        let others = self.others_called(declaration);
        let users = self.package.body_uses().users_of_names([old.index.value()]);
        let decompiler = match kind {
            DeclarationKind::Function | DeclarationKind::State => {
                Some(Decompiler::new(&self.package))
            }
            _ => None,
        };
        let owner = self.tables().exports[rows[0]].outer_index;
        let mut followed = 0;
        for row in users {
            let Some(decoded) = self.bodies().decoded.get(&row) else { continue };
            let mut body = decoded.body.clone();
            let before = Mentions::of(&body, *old, self).count();
            // What says the name and means something else. The name of an object is its own.
            let mut unrelated = usize::from(others.contains(&row));
            match (kind, &decompiler) {
                (DeclarationKind::Property, _) => {
                    unrelated += self.rename_tags(row, &mut body, (*old, new), owner);
                }
                (DeclarationKind::Type, _) => rename_types(&mut body, (*old, new)),
                (_, Some(decompiler)) => {
                    let names = (new, &others[..]);
                    unrelated +=
                        self.rename_calls(row, &mut body, declaration, names, decompiler)?;
                    unrelated += self.rename_tables(&mut body, declaration, new);
                }
                _ => {}
            }
            let after = Mentions::of(&body, *old, self);
            followed += before.saturating_sub(after.count()) as u64;
            let left = after.count().saturating_sub(unrelated);
            if after.count() < before {
                self.edit_body(row, |_, known, _| {
                    *known = body;
                    Ok(())
                })?;
            }
            if left > 0
                && let Some(field) = after.first()
            {
                let path = self.exports().path(row);
                let text = self.name_text(*old);
                renamed.care.push(format!("{path} still says '{text}' ({field})"));
            }
        }
        if followed > 0 {
            let (old, new) = (self.name_text(*old), self.name_text(new));
            renamed.note(format!("{followed} uses by name"), &old, &new);
        }
        for (section, span) in self.hidden_bodies() {
            if !span.is_empty() {
                let place = self.section_text(section);
                renamed.care.push(format!("{place} is not decoded and may say the old name"));
            }
        }
        Ok(())
    }

    /// Names of stored values of a property that `owner` declares; says how many there mean others.
    fn rename_tags(
        &self,
        row: usize,
        body: &mut Body,
        (old, new): (Name, Name),
        owner: PackageIndex,
    ) -> usize {
        let is_own = self.derives(self.scope_of_values(row), owner);
        let structure = self.object_name(owner);
        let is_struct = self.object_class(owner).is_some_and(|of| of.ends_with("Struct"));
        let context = self.decoding_context();
        let lookup = ObjectLookup::reading(&self.package, context, row);
        let type_of = |list: &PropertyList, property: &_| -> Type {
            list.type_of(property, &lookup as &dyn Surroundings)
        };
        let mut unrelated = 0;
        for list in body.lists_mut() {
            list.each_property_mut(ListOwner::Object, &type_of, &mut |of, property| {
                let is_meant = match of {
                    ListOwner::Object => is_own,
                    ListOwner::Struct(name) => is_struct && self.is_struct(name, &structure, owner),
                    ListOwner::Unknown => return,
                };
                if is_meant {
                    property.rename(old, new);
                } else {
                    unrelated += usize::from(property.name() == Some(old));
                }
            });
        }
        unrelated
    }

    /// Whether a struct of this name is the one that declares something, or derives from it.
    fn is_struct(&self, name: &str, structure: &str, owner: PackageIndex) -> bool {
        if name.eq_ignore_ascii_case(structure) {
            return true;
        }
        let exports = (0..self.export_count()).map(PackageIndex::export);
        let mut alike = exports.filter(|index| {
            self.object_name(*index).eq_ignore_ascii_case(name)
                && self.object_class(*index).is_some_and(|of| of.ends_with("Struct"))
        });
        alike.any(|index| self.derives(index, owner))
    }

    /// The class or struct whose properties the body of a row stores.
    pub(super) fn scope_of_values(&self, row: usize) -> PackageIndex {
        match self.is_scope_of_values(row) {
            true => PackageIndex::export(row),
            false => self.tables().exports[row].class_index,
        }
    }

    /// Whether the body of a row holds the defaults of what it declares itself.
    fn is_scope_of_values(&self, row: usize) -> bool {
        let is_struct = |of: String| of.ends_with("Struct");
        self.tables().exports[row].class_index.is_null()
            || self.object_class(PackageIndex::export(row)).is_some_and(is_struct)
    }
}

/// Names of structs and enums in tags.
fn rename_types(body: &mut Body, (old, new): (Name, Name)) {
    for list in body.lists_mut() {
        let unknown = |_: &PropertyList, _: &_| Type::unknown("unknown");
        list.each_property_mut(ListOwner::Object, &unknown, &mut |_, property| {
            property.rename_type(old, new);
        });
    }
}
