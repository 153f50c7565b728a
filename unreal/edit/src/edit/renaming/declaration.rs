//! Declarations: what they are, and what overrides them.

use crate::edit::Edit;
use crate::error::Result;
use crate::primitive::{Name, ObjectRef, PackageIndex};
use crate::property::MemberKind;

/// The kind of a declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::edit) enum DeclarationKind {
    /// Of a class or struct; variables of functions are used by the function alone.
    Property,
    Function,
    State,
    /// A struct or enum.
    Type,
    Class,
}

/// A declaration that gets another name, with what overrides it or is overridden by it.
#[derive(Debug, Clone)]
pub(in crate::edit) struct RenamedDeclaration {
    pub kind: DeclarationKind,
    /// The rows that are renamed: the object first.
    pub rows: Vec<usize>,
    /// Its name so far.
    pub old: Name,
}

impl DeclarationKind {
    /// The kind of declaration that objects of a class are.
    pub(super) fn of_class(class: &str) -> Option<Self> {
        let is = |name: &str| class.eq_ignore_ascii_case(name);
        match MemberKind::of_class(class) {
            Some(MemberKind::Function) => return Some(Self::Function),
            Some(MemberKind::State) => return Some(Self::State),
            None => {}
        }
        Some(match () {
            () if class.ends_with("Property") => Self::Property,
            () if class.ends_with("GeneratedClass") => Self::Class,
            () if is("Struct") || class.ends_with("Enum") => Self::Type,
            () if is("ScriptStruct") || is("UserDefinedStruct") => Self::Type,
            () => return None,
        })
    }
}

impl Edit {
    /// The declaration in this row; `None` for other objects.
    ///
    /// # Errors
    /// `Doubtful` for what overrides a function or state of another package.
    pub(in crate::edit) fn declaration(&self, row: usize) -> Result<Option<RenamedDeclaration>> {
        let Some(kind) = self.declaration_kind(row) else { return Ok(None) };
        let old = self.tables().exports[row].object_name;
        let mut rows = vec![row];
        if matches!(kind, DeclarationKind::Function | DeclarationKind::State) {
            rows.extend(self.overrides(row, kind));
            for &row in &rows {
                let parent = self.tables().exports[row].super_index;
                let is_import = matches!(parent.target(), ObjectRef::Import(_));
                let (name, of) = (self.object_name(PackageIndex::export(row)), self.path(parent));
                if is_import && self.object_name(parent).eq_ignore_ascii_case(&name) {
                    let path = self.exports().path(row);
                    self.doubt(|| {
                        format!(
                            "{path} overrides {of} of another package, and would no longer do so"
                        )
                    })?;
                }
            }
        }
        Ok(Some(RenamedDeclaration { kind, rows, old }))
    }

    /// The kind of the declaration in this row; `None` for other objects.
    pub(in crate::edit) fn declaration_kind(&self, row: usize) -> Option<DeclarationKind> {
        let export = self.tables().exports.get(row)?;
        if export.class_index.is_null() {
            return Some(DeclarationKind::Class);
        }
        let kind = DeclarationKind::of_class(&self.object_name(export.class_index))?;
        let is_local = kind == DeclarationKind::Property
            && self.object_class(export.outer_index).is_some_and(|of| of.ends_with("Function"));
        (!is_local).then_some(kind)
    }

    /// The name of an object's class; `None` for none.
    pub(super) fn object_class(&self, index: PackageIndex) -> Option<String> {
        match index.target() {
            ObjectRef::Export(row) => {
                let class = self.tables().exports.get(row)?.class_index;
                Some(if class.is_null() { "Class".to_owned() } else { self.object_name(class) })
            }
            _ => None,
        }
    }

    pub(super) fn derives(&self, index: PackageIndex, from: PackageIndex) -> bool {
        self.ancestors(index).any(|known| known == from)
    }

    /// The class that a function or state stands in, whatever state is between.
    pub(super) fn class_around(&self, row: usize) -> PackageIndex {
        let outer = self.tables().exports[row].outer_index;
        let is_state = self.object_class(outer).is_some_and(|of| of.eq_ignore_ascii_case("State"));
        match outer.target() {
            ObjectRef::Export(state) if is_state => self.tables().exports[state].outer_index,
            _ => outer,
        }
    }

    /// Functions or states of the same name in classes that derive from each other, and in their states.
    fn overrides(&self, row: usize, kind: DeclarationKind) -> Vec<usize> {
        let name = self.object_name(PackageIndex::export(row));
        let is_alike = |other: &usize| {
            *other != row
                && self.object_name(PackageIndex::export(*other)).eq_ignore_ascii_case(&name)
                && self.declaration_kind(*other) == Some(kind)
        };
        let mut waiting: Vec<usize> = (0..self.export_count()).filter(is_alike).collect();
        let mut found = vec![row];
        let mut at = 0;
        while at < found.len() {
            let class = self.class_around(found[at]);
            let (related, others) = waiting.into_iter().partition(|other| {
                let of = self.class_around(*other);
                self.derives(of, class) || self.derives(class, of)
            });
            waiting = others;
            let related: Vec<usize> = related;
            found.extend(related);
            at += 1;
        }
        found.split_off(1)
    }

    /// Declarations of the same kind that are called so as well and have nothing to do with it.
    pub(super) fn others_called(&self, declaration: &RenamedDeclaration) -> Vec<usize> {
        let old = self.name_text(declaration.old);
        let is_alike = |row: &usize| {
            !declaration.rows.contains(row)
                && self.object_name(PackageIndex::export(*row)).eq_ignore_ascii_case(&old)
                && self.declaration_kind(*row) == Some(declaration.kind)
        };
        (0..self.export_count()).filter(is_alike).collect()
    }
}
