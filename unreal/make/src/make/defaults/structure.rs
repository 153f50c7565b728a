//! What members of structs start as (UE3).

use crate::compile::syntax::{Struct, SyntaxItem, TypeKind, TypeSyntax};
use crate::compile::{ClassId, Diagnostic, SymbolId, ValueType};
use crate::object::script_object::ScriptObject;
use crate::property::{PropertyList, TextMember, Value};

use super::super::declare::ClassMaker;
use super::super::text::ClassSource;
use super::block::{LineValue, read, warning};
use super::given::{MOST_ELEMENTS, is_zero};

impl ClassMaker<'_> {
    /// The values of all structs that a class declares.
    pub fn struct_values(
        &mut self,
        source: &ClassSource,
        class: ClassId,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        if self.is_ue3() {
            self.values_of_items(source, class, &source.syntax.items, diagnostics, 0);
        }
    }

    fn values_of_items(
        &mut self,
        source: &ClassSource,
        class: ClassId,
        items: &[SyntaxItem],
        diagnostics: &mut Vec<Diagnostic>,
        depth: u32,
    ) {
        for item in items.iter().filter(|_| depth < 16) {
            match item {
                SyntaxItem::Struct(it) => self.values_of(source, class, it, diagnostics, depth),
                SyntaxItem::Variables(it) => {
                    self.values_of_type(source, class, &it.of, diagnostics, depth);
                }
                _ => {}
            }
        }
    }

    fn values_of_type(
        &mut self,
        source: &ClassSource,
        class: ClassId,
        of: &TypeSyntax,
        diagnostics: &mut Vec<Diagnostic>,
        depth: u32,
    ) {
        match &of.kind {
            TypeKind::Struct(it) => self.values_of(source, class, it, diagnostics, depth),
            TypeKind::Array(Some(inner)) if depth < 16 => {
                self.values_of_type(source, class, inner, diagnostics, depth + 1);
            }
            _ => {}
        }
    }

    fn values_of(
        &mut self,
        source: &ClassSource,
        class: ClassId,
        written: &Struct,
        diagnostics: &mut Vec<Diagnostic>,
        depth: u32,
    ) {
        self.values_of_items(source, class, &written.items, diagnostics, depth + 1);
        let name = written.name.text.to_ascii_lowercase();
        let Some(row) = self.symbols.class(class).struct_named(&name) else { return };
        let id = SymbolId { class, row };
        let path = self.symbols.struct_path(id);
        let Some(row) = self.draft.find("ScriptStruct", &path) else { return };
        // A struct that extends another one has what differs from that.
        let mut list = match written.base {
            Some(_) => {
                let own = self.symbols.structure(id).map(|it| it.members.clone());
                let mut members = class_members(class, own);
                members.retain(|id| matches!(self.symbols.type_of(*id), ValueType::Struct(_)));
                let mut list = self.list_of(members, 0);
                list.properties.retain(|it| !is_zero(it.value()));
                list
            }
            None => self.zero_list(id, 0),
        };
        let block = written.items.iter().find_map(|item| match item {
            SyntaxItem::Block(block) if block.word.is("structdefaultproperties") => Some(block),
            _ => None,
        });
        if let Some(block) = block {
            let text = source.syntax.source.slice(block.start, block.end).to_owned();
            let block = read(&text, source.syntax.source.line_in_file(block.start));
            for (line, message) in &block.problems {
                diagnostics.push(warning(source, *line, message.clone()));
            }
            for line in &block.assignments {
                let key = match line.element {
                    Some(element) => format!("{}({element})", line.name),
                    None => line.name.clone(),
                };
                let LineValue::Value(value) = &line.value else {
                    let message = "arrays of structs are given whole".to_owned();
                    diagnostics.push(warning(source, line.line, message));
                    continue;
                };
                let item = TextMember { key: Some(key), value: value.clone() };
                let before = Value::List(list.clone());
                let members = self.members(id);
                match self.listed(class, &members, std::slice::from_ref(&item), Some(&before)) {
                    Ok(Value::List(made)) => list = made,
                    Ok(_) => {}
                    Err(message) => diagnostics.push(warning(source, line.line, message)),
                }
            }
        }
        if let Some(ScriptObject::Struct(found)) = self.draft.script_mut(row) {
            found.defaults = list;
        }
    }

    /// The members of a struct as nothing was said of them, each element; what it starts as has those of the structs that it
    /// extends first.
    fn zero_list(&mut self, id: SymbolId, depth: u32) -> PropertyList {
        let mut chain: Vec<SymbolId> = self.symbols.struct_chain(id).collect();
        chain.reverse();
        let own = |id: SymbolId| {
            class_members(id.class, self.symbols.structure(id).map(|it| it.members.clone()))
        };
        let members = chain.into_iter().flat_map(own).collect();
        self.list_of(members, depth)
    }

    /// What a struct within another one starts as: each member, its own first, as it or a struct above it says.
    fn start_list(&mut self, id: SymbolId, depth: u32) -> PropertyList {
        let chain: Vec<SymbolId> = self.symbols.struct_chain(id).collect();
        let mut members = Vec::new();
        let mut said: Vec<crate::property::Property> = Vec::new();
        for id in chain {
            let own = self.symbols.structure(id).map(|it| it.members.clone());
            members.extend(class_members(id.class, own));
            let path = self.symbols.struct_path(id);
            let row = self.draft.find("ScriptStruct", &path);
            if let Some(ScriptObject::Struct(found)) = row.and_then(|row| self.draft.script(row)) {
                said.extend(found.defaults.properties.iter().cloned());
            }
        }
        let mut list = self.list_of(members, depth);
        for property in &mut list.properties {
            let same = said.iter().find(|it| {
                it.name() == property.name() && it.array_index() == property.array_index()
            });
            if let Some(same) = same {
                *property = same.clone();
            }
        }
        list
    }

    fn list_of(&mut self, members: Vec<SymbolId>, depth: u32) -> PropertyList {
        let mut properties = Vec::new();
        for member in members {
            if self.symbols.variable(member).is_none_or(|it| it.is_native) {
                continue;
            }
            let of = self.symbols.type_of(member);
            if let ValueType::Byte(Some(id)) = of
                && let Some(first) = self.symbols.enumeration(id).and_then(|it| it.values.first())
            {
                self.draft.name(first);
            }
            let count = if matches!(of, ValueType::Array(_)) { 1 } else { self.length_of(member) };
            let stored = self.stored_type(&of);
            let zero = match (&of, self.zero_property(&of)) {
                // A struct with tags within another one says all of its members as well.
                (ValueType::Struct(inner), Value::List(_)) if depth < 16 => {
                    Value::List(self.start_list(*inner, depth + 1))
                }
                (_, zero) => zero,
            };
            let name = self.symbols.variable(member).map_or(String::new(), |it| it.name.clone());
            for element in 0..count.min(MOST_ELEMENTS) {
                let made = crate::property::Property::with_value(
                    &name,
                    element,
                    &stored,
                    zero.clone(),
                    self.draft,
                );
                properties.extend(made.ok());
            }
        }
        PropertyList::new(properties, crate::primitive::Name::new(0))
    }
}

/// The members of a struct of a class by their rows.
fn class_members(class: ClassId, rows: Option<Vec<u32>>) -> Vec<SymbolId> {
    rows.unwrap_or_default().into_iter().map(|row| SymbolId { class, row }).collect()
}
