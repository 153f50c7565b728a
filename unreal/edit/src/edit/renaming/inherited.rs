//! Whether what a declaration derives from, or what derives from it, has a name already.

use std::borrow::Cow;

use super::declaration::{DeclarationKind, RenamedDeclaration};
use crate::edit::Edit;
use crate::error::Result;
use crate::inspect::meaning::ObjectLookup;
use crate::package::Decoded;
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::MemberKind;

impl DeclarationKind {
    /// The consequence of two declarations of one name, the one inherited by the other's class.
    fn clash(self) -> &'static str {
        match self {
            Self::Function | Self::State => "the one would override the other",
            Self::Property => "values of both would be stored by one name",
            Self::Type | Self::Class => "what names the one could mean the other",
        }
    }
}

impl Edit {
    /// Refuses a name that a declaration would share with one that its class or struct inherits, or that one which
    /// derives from that declares: the values of two properties could not be told apart, and functions and states
    /// would override each other.
    ///
    /// Of what other packages declare it knows what packages around this one have said, what the engine declares,
    /// and what the package imports or stores.
    ///
    /// # Errors
    /// `Doubtful`.
    pub(in crate::edit) fn check_inherited(
        &self,
        declaration: &RenamedDeclaration,
        new: &str,
    ) -> Result<()> {
        let old = self.name_text(declaration.old);
        if !self.checks || declaration.kind == DeclarationKind::Class {
            return Ok(());
        }
        if old.eq_ignore_ascii_case(new) {
            return Ok(());
        }
        let RenamedDeclaration { kind, rows, .. } = declaration;
        rows.iter().try_for_each(|&row| self.check_name_in_line(row, *kind, rows, new))
    }

    /// The same for a declaration in `row`; those in `renamed` get the name as well.
    pub(in crate::edit) fn check_name_in_line(
        &self,
        row: usize,
        kind: DeclarationKind,
        renamed: &[usize],
        new: &str,
    ) -> Result<()> {
        let owner = self.tables().exports[row].outer_index;
        let class = self.class_around(row);
        let inherits = |other: String| {
            let owner = self.path(owner);
            self.doubt(|| {
                format!("'{new}' is the name of {other}, which {owner} inherits: {}", kind.clash())
            })
        };
        let objects = self.object_index();
        let named = objects.named(new).iter().copied();
        let named: Vec<_> =
            named.filter(|index| self.object_name(*index).eq_ignore_ascii_case(new)).collect();
        drop(objects);
        for &index in &named {
            let ObjectRef::Export(other) = index.target() else { continue };
            if renamed.contains(&other) || self.declaration_kind(other) != Some(kind) {
                continue;
            }
            let (theirs, around) = (self.outer(index), self.class_around(other));
            // Another declaration beside it is asked for elsewhere.
            if theirs == owner {
                continue;
            }
            if self.derives(owner, theirs) || self.derives(class, theirs) {
                inherits(self.path(index))?;
            }
            if self.derives(theirs, owner) || self.derives(around, owner) {
                let (other, owner) = (self.path(index), self.path(owner));
                self.doubt(|| {
                    let clash = kind.clash();
                    format!("'{new}' is the name of {other}, which inherits {owner}: {clash}")
                })?;
            }
        }
        let lookup = ObjectLookup::reading(&self.package, self.decoding_context(), row);
        let line = lookup.imported_line(class);
        for index in named {
            let ObjectRef::Import(other) = index.target() else { continue };
            let Some(import) = self.tables().imports.get(other) else { continue };
            let outer = self.outer(index);
            let around = self.object_name(outer);
            let is_alike =
                DeclarationKind::of_class(&self.name_text(import.class_name)) == Some(kind);
            if is_alike
                && !outer.is_null()
                && line.iter().any(|it| it.eq_ignore_ascii_case(&around))
            {
                inherits(self.path(index))?;
            }
        }
        let is_struct = self.object_class(owner).is_some_and(|of| of.ends_with("Struct"));
        let known = match kind {
            DeclarationKind::Property => lookup.inherited_property(owner, is_struct, new),
            DeclarationKind::Function => lookup.inherited_member(class, MemberKind::Function, new),
            DeclarationKind::State => lookup.inherited_member(class, MemberKind::State, new),
            DeclarationKind::Type | DeclarationKind::Class => None,
        };
        if let Some(known) = known {
            inherits(format!("{known}.{new}"))?;
        }
        match kind == DeclarationKind::Property && !is_struct {
            true => self.check_stored_values(owner, new),
            false => Ok(()),
        }
    }

    /// Refuses the name of a property whose values are stored already: what stores them inherits it, though nothing
    /// says from which class.
    fn check_stored_values(&self, owner: PackageIndex, new: &str) -> Result<()> {
        let name = self.names().find(new).and_then(|row| i32::try_from(row).ok());
        let Some(name) = name else { return Ok(()) };
        let context = self.decoding_context();
        for row in 0..self.export_count() {
            if !self.derives(self.scope_of_values(row), owner) {
                continue;
            }
            let decoded: Cow<'_, Decoded> = match self.decoded(row) {
                Some(decoded) => Cow::Borrowed(decoded),
                None if self.body_range(row).1 == 0 => continue,
                None => Cow::Owned(self.decode_with(row, &context)),
            };
            let mut properties = decoded.body.lists().flat_map(|list| &list.properties);
            let is_named = properties.any(|property| {
                property.name().is_some_and(|it| it.index.value() == name && it.number == 0)
            });
            if is_named {
                let (path, owner) = (self.exports().path(row), self.path(owner));
                let clash = DeclarationKind::Property.clash();
                self.doubt(|| {
                    format!("{path} stores a value of '{new}', which {owner} inherits: {clash}")
                })?;
            }
        }
        Ok(())
    }
}
