//! Interfaces that classes implement, and the tables of C++ classes that native ones have for them (UE3).
//!
//! Spec: ue1-3/16 §16.10.

use crate::compile::syntax::ClassHeader;
use crate::compile::{TypeName, ValueType};
use crate::object::script_object::ImplementedInterface;
use crate::primitive::PackageIndex;

use super::class_maker::{ClassMaker, DeclaredIn};
use super::variable::NewProperty;

/// Const, native, not exported.
const TABLE: u64 = 0x80_1002;
/// The flag of native classes.
const NATIVE: u32 = 0x80;

impl ClassMaker<'_> {
    /// The variables for tables of C++ classes: before all that the class declares.
    pub(super) fn interface_tables(
        &mut self,
        header: &ClassHeader,
        around: &DeclaredIn,
        fields: &mut Vec<usize>,
    ) {
        if !self.is_ue3() {
            return;
        }
        let is_native = header.modifiers.iter().any(|it| it.word.is("native"));
        let named = header.implements.iter().map(|it| table_of(&it.text));
        let mut names: Vec<String> = named.collect();
        names.retain(|name| is_native && self.has_table(around, name));
        let inherits = header.modifiers.iter().filter(|it| it.word.is("inherits"));
        let inherited = inherits.flat_map(|it| it.arguments.iter().flatten());
        names.extend(inherited.map(|name| format!("VfTable_{}", name.trim())));
        let pointer = TypeName::Named("Pointer".to_owned());
        let of: ValueType = self.symbols.resolve(&pointer, around.class);
        for name in names {
            let new = NewProperty::plain(&name, &of, TABLE, self.flags(0x0007_0000));
            fields.push(self.property(around, &new));
        }
    }

    /// Whether the interface of a table is native, as far as anything at hand says it.
    fn has_table(&self, around: &DeclaredIn, table: &str) -> bool {
        let name = table.trim_start_matches("VfTable_I");
        let own = self.symbols.find_class(name).filter(|it| self.symbols.is_own(*it));
        let words = own.and_then(|it| self.symbols.class(it).syntax.as_ref()?.class.as_ref());
        if let Some(header) = words {
            return header.modifiers.iter().any(|it| it.word.is("native"));
        }
        match self.facts.class(name) {
            Some(facts) if !facts.is_partial => facts.flags & NATIVE != 0,
            _ => self.former.is_some_and(|it| it.has_object(&around.within(table))),
        }
    }

    /// What a class implements, with the variables for it.
    pub(super) fn interfaces(
        &mut self,
        header: &ClassHeader,
        around: &DeclaredIn,
    ) -> Vec<ImplementedInterface> {
        let mut found = Vec::new();
        for word in &header.implements {
            let Some(class) = self.symbols.find_class(&word.text) else { continue };
            let class = self.class_reference(class);
            let table = self.draft.find_property(&around.within(&table_of(&word.text)));
            let property = table.map_or(PackageIndex::NULL, PackageIndex::export);
            found.push(ImplementedInterface { class, property });
        }
        found
    }
}

fn table_of(interface: &str) -> String {
    format!("VfTable_I{interface}")
}
