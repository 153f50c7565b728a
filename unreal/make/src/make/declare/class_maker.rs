//! Who makes the objects of classes: what all of them need.

use std::collections::HashMap;
use std::rc::Rc;

use super::enums::EnumPaths;
use super::tool_tip::ToolTips;

use crate::compile::syntax::SyntaxItem;
use crate::compile::{ClassId, SymbolId, Symbols, ValueType};
use crate::language::{WordOf, flag_of_word};
use crate::object::script_object::ScriptObject;
use crate::primitive::{Name, ObjectFlags, ObjectRef, PackageIndex};
use crate::version::{Engine, UnrealVersions};

use super::super::draft::{ImportPart, PackageDraft};
use super::super::facts::KnownFacts;
use super::super::former::FormerPackage;
use super::super::named::NamedObjects;
use super::super::text::ClassSource;

/// The flag of states that begin by themselves.
const AUTO: u32 = 2;

/// Makes the objects of classes.
pub(in crate::make) struct ClassMaker<'a> {
    pub draft: &'a mut PackageDraft,
    pub symbols: &'a Symbols,
    pub facts: &'a mut KnownFacts,
    pub enums: &'a EnumPaths,
    /// The numbers that stand for the texts of the classes.
    pub text_crcs: &'a HashMap<ClassId, u32>,
    /// An older package of these classes.
    pub former: Option<&'a FormerPackage>,
    /// Objects of other packages that texts may name.
    pub objects: &'a NamedObjects,
    /// The package that is made.
    pub package: &'a str,
}

/// The class that is declared now, and the object that it is in.
#[derive(Debug, Clone)]
pub(super) struct DeclaredIn {
    pub class: ClassId,
    /// From the class on.
    pub path: String,
    pub object: PackageIndex,
    /// What is said before variables (UE3).
    pub tool_tips: Rc<ToolTips>,
    /// The name of the class or struct: the category of variables with empty parentheses.
    pub name: String,
}

impl DeclaredIn {
    pub(in crate::make) fn within(&self, name: &str) -> String {
        format!("{}.{name}", self.path)
    }
}

impl ClassMaker<'_> {
    pub(in crate::make) fn engine(&self) -> Engine {
        self.draft.versions().engine()
    }

    /// Whether functions hold their names as they are written, which all structs did before (spec: ue1-3/06 §6.1).
    pub(in crate::make) fn has_moved_names(&self) -> bool {
        self.draft.versions().file() >= 160
    }

    /// Whether masks of probes have 32 bits (spec: ue1-3/06 §6.1).
    pub(in crate::make) fn has_narrow_probes(&self) -> bool {
        self.draft.versions().file() >= 691
    }

    /// Fills the part that all structs have: the name as it is written, and the place of the code in the text.
    pub(in crate::make) fn fill_struct(
        &mut self,
        row: usize,
        friendly: &str,
        (text_pos, line): (i32, i32),
    ) {
        let friendly = self.draft.name(friendly);
        let moved = self.has_moved_names();
        let Some(object) = self.draft.script_mut(row) else { return };
        if let (true, ScriptObject::Function(function)) = (moved, &mut *object) {
            function.friendly_name = friendly.into();
        }
        if let Some(structure) = object.structure_mut() {
            structure.text_pos = text_pos;
            structure.line = line;
            if !moved {
                structure.friendly_name = friendly.into();
            }
        }
    }

    pub(in crate::make) fn is_ue3(&self) -> bool {
        !matches!(self.engine(), Engine::Ue1 | Engine::Ue2)
    }

    /// The class of structs.
    pub(in crate::make) fn struct_class(&self) -> &'static str {
        if self.is_ue3() { "ScriptStruct" } else { "Struct" }
    }

    pub(in crate::make) fn flags(&self, legacy: u64) -> ObjectFlags {
        ObjectFlags::of_legacy(legacy, self.draft.versions())
    }

    /// The class of a symbol.
    pub(in crate::make) fn class_reference(&mut self, class: ClassId) -> PackageIndex {
        let name = &self.symbols.class(class).name;
        match self.symbols.is_own(class) {
            true => PackageIndex::export(self.draft.reserve("Class", name)),
            false => {
                let package = self.symbols.package(class);
                self.draft.import(&[(package, "Core.Package"), (name, "Core.Class")])
            }
        }
    }

    /// The declaration of a class of the package or of another one: its path from the class on, and the classes of the
    /// parts behind that of the class.
    pub(in crate::make) fn member(
        &mut self,
        class: ClassId,
        path: &str,
        kinds: &[&'static str],
    ) -> PackageIndex {
        let last = kinds.last().copied().unwrap_or("Core.Class");
        if self.symbols.is_own(class) {
            let last = last.rsplit('.').next().unwrap_or(last);
            return PackageIndex::export(self.draft.reserve(last, path));
        }
        let symbols = self.symbols;
        let package = symbols.package(class);
        let mut parts: Vec<ImportPart<'_>> = vec![(package, "Core.Package")];
        for (at, part) in path.split('.').enumerate() {
            let kind =
                at.checked_sub(1).map_or("Core.Class", |at| kinds.get(at).copied().unwrap_or(last));
            parts.push((part, kind));
        }
        self.draft.import(&parts)
    }

    /// A struct.
    pub(in crate::make) fn structure(&mut self, id: SymbolId) -> PackageIndex {
        let path = self.symbols.struct_path(id);
        let depth = path.matches('.').count();
        let kind = if self.is_ue3() { "Core.ScriptStruct" } else { "Core.Struct" };
        self.member(id.class, &path, &vec![kind; depth])
    }

    /// An enum.
    pub(in crate::make) fn enumeration(&mut self, id: SymbolId) -> PackageIndex {
        let Some(found) = self.symbols.enumeration(id) else { return PackageIndex::NULL };
        let path = match self.enums.get(id.class, &found.name) {
            Some(path) => path.to_owned(),
            None => format!("{}.{}", self.symbols.class(id.class).name, found.name),
        };
        self.member(id.class, &path, &["Core.Enum"])
    }

    /// A function.
    pub(in crate::make) fn function(&mut self, id: SymbolId) -> PackageIndex {
        let path = self.symbols.function_path(id);
        let kinds: &[&'static str] = match path.matches('.').count() {
            0 | 1 => &["Core.Function"],
            _ => &["Core.State", "Core.Function"],
        };
        self.member(id.class, &path, kinds)
    }

    /// Makes everything that a class declares, and fills it.
    pub(in crate::make) fn declare(&mut self, source: &ClassSource, class: ClassId) {
        let name = self.symbols.class(class).name.clone();
        let row = self.draft.reserve("Class", &name);
        let object = PackageIndex::export(row);
        let tool_tips = match self.is_ue3() {
            true => Rc::new(ToolTips::of(&source.syntax)),
            false => Rc::default(),
        };
        let around = DeclaredIn { class, path: name.clone(), object, name, tool_tips };
        let mut fields = Vec::new();
        if let Some(header) = &source.syntax.class {
            self.interface_tables(header, &around, &mut fields);
        }
        for item in &source.syntax.items {
            self.item(source, &around, item, &mut fields);
        }
        let header = source.syntax.class.as_ref();
        let is_kept = header.is_none_or(|header| {
            header.modifiers.iter().any(|it| it.word.is("noexport"))
                || self.forces_order(header)
                || self.is_order_kept(class)
        });
        if self.is_ue3() && !is_kept {
            self.gather(&mut fields);
        }
        self.link(row, &fields);
        self.class(source, &around, row);
    }

    pub(super) fn item(
        &mut self,
        source: &ClassSource,
        around: &DeclaredIn,
        item: &SyntaxItem,
        fields: &mut Vec<usize>,
    ) {
        match item {
            SyntaxItem::Constant(constant) => fields.push(self.constant(source, around, constant)),
            SyntaxItem::Enum(written) => fields.push(self.enum_object(around, written)),
            SyntaxItem::Struct(written) => self.struct_object(source, around, written, fields),
            SyntaxItem::Variables(written) => self.variables(source, around, written, fields),
            SyntaxItem::Function(written) => {
                self.function_object(source, around, written, fields);
            }
            SyntaxItem::State(written) => fields.push(self.state_object(source, around, written)),
            SyntaxItem::Replication(_)
            | SyntaxItem::Block(_)
            | SyntaxItem::Directive(_)
            | SyntaxItem::Import(_) => {}
        }
    }

    /// The functions of a class or state by their names, in the order of its list (UE3).
    pub(in crate::make) fn function_map(&self, of: usize) -> Vec<(Name, PackageIndex)> {
        let functions = self
            .fields_of(of)
            .into_iter()
            .filter(|row| matches!(self.draft.script(*row), Some(ScriptObject::Function(_))));
        functions.map(|row| (self.draft.objects[row].name, PackageIndex::export(row))).collect()
    }

    /// Whether a state that a class declares begins by itself.
    pub(in crate::make) fn has_auto_state(&self, of: usize) -> bool {
        self.fields_of(of).into_iter().any(|row| match self.draft.script(row) {
            Some(ScriptObject::State(state)) => state.state_flags & AUTO != 0,
            _ => false,
        })
    }

    /// The fields of a struct in the order of its list.
    pub(in crate::make) fn fields_of(&self, of: usize) -> Vec<usize> {
        let first = self.draft.script(of).and_then(ScriptObject::structure);
        let mut at = first.map_or(PackageIndex::NULL, |structure| structure.children);
        let mut fields = Vec::new();
        while let ObjectRef::Export(row) = at.target() {
            let Some(object) = self.draft.script(row) else { break };
            if fields.len() > self.draft.objects.len() {
                break;
            }
            fields.push(row);
            at = object.field().next;
        }
        fields
    }

    pub(in crate::make) fn is_property(&self, row: usize) -> bool {
        matches!(self.draft.script(row), Some(ScriptObject::Property(_)))
    }

    /// Whether a class above, or the older package, keeps variables as the text has them.
    pub(in crate::make) fn is_order_kept(&self, class: ClassId) -> bool {
        let name = &self.symbols.class(class).name;
        let former = self.former.and_then(|former| former.facts.class(name));
        let above = self.symbols.base(class);
        let above = above.and_then(|it| self.facts.class(&self.symbols.class(it).name));
        former.or(above).is_some_and(|facts| facts.forces_order)
    }

    /// Puts each truth and byte of a class of UE3 behind the one before it, so that they lie together.
    fn gather(&self, fields: &mut Vec<usize>) {
        let class = |row: &usize| self.draft.object_class(*row);
        let mut gathered: Vec<usize> = Vec::with_capacity(fields.len());
        for field in fields.drain(..) {
            let kind = class(&field);
            let is_small = kind == "BoolProperty" || kind == "ByteProperty";
            let last = gathered.iter().rposition(|row| class(row) == kind).filter(|_| is_small);
            gathered.insert(last.map_or(gathered.len(), |at| at + 1), field);
        }
        *fields = gathered;
    }

    /// The list of a class: the first variable stands at its head, each later one behind the last one, and
    /// everything else comes to the head.
    pub(in crate::make) fn link(&mut self, of: usize, fields: &[usize]) {
        let mut list: Vec<usize> = Vec::new();
        let mut behind_variables = None;
        for &field in fields {
            let at = if self.is_property(field) {
                let at = behind_variables.unwrap_or(0);
                behind_variables = Some(at + 1);
                at
            } else {
                behind_variables = behind_variables.map(|at| at + 1);
                0
            };
            list.insert(at, field);
        }
        self.chain(of, &list);
    }

    /// The fields of a struct in this order.
    pub(in crate::make) fn chain(&mut self, of: usize, list: &[usize]) {
        let index =
            |row: Option<&usize>| row.map_or(PackageIndex::NULL, |row| PackageIndex::export(*row));
        if let Some(structure) = self.draft.script_mut(of).and_then(ScriptObject::structure_mut) {
            structure.children = index(list.first());
        }
        for (at, field) in list.iter().enumerate() {
            if let Some(object) = self.draft.script_mut(*field) {
                object.field_mut().next = index(list.get(at + 1));
            }
        }
    }

    /// Sets what an object builds on: in its row and, where the version has it there, in its body.
    pub(in crate::make) fn set_super(&mut self, row: usize, above: PackageIndex) {
        self.draft.objects[row].super_index = above;
        let moved = self.draft.versions().file() >= 756;
        let Some(object) = self.draft.script_mut(row) else { return };
        match (moved, object.structure_mut()) {
            (true, Some(structure)) => structure.super_field = above,
            (true, None) => {}
            (false, _) => object.field_mut().super_field = above,
        }
    }

    /// The flags that the words of a declaration set, and those that they take away.
    pub(in crate::make) fn word_flags<'w>(
        &self,
        of: WordOf,
        words: impl Iterator<Item = &'w str>,
        more: &[(&str, u64)],
    ) -> (u64, u64) {
        let (mut set, mut cleared) = (0, 0);
        for word in words {
            if let Some((_, flag)) = more.iter().find(|(known, _)| word.eq_ignore_ascii_case(known))
            {
                set |= flag;
            } else if let Some((flag, takes)) = flag_of_word(of, word, self.draft.versions()) {
                *if takes { &mut cleared } else { &mut set } |= flag;
            }
        }
        (set, cleared)
    }

    /// Whether values of a type are components or hold some (UE3).
    pub(in crate::make) fn has_components(&self, of: &ValueType, depth: u32) -> bool {
        match of {
            ValueType::Object(Some(class)) => self.is_component(*class),
            ValueType::Array(Some(inner)) if depth < 16 => self.has_components(inner, depth + 1),
            ValueType::Struct(id) if depth < 16 => self.symbols.struct_chain(*id).any(|id| {
                let members = self.symbols.structure(id).map(|it| it.members.clone());
                members.unwrap_or_default().into_iter().any(|row| {
                    let member = self.symbols.type_of(SymbolId { class: id.class, row });
                    self.has_components(&member, depth + 1)
                })
            }),
            _ => false,
        }
    }

    /// Whether values of a type need more than memory: strings, arrays, and structs that hold them.
    pub(in crate::make) fn needs_construction(&self, of: &ValueType, depth: u32) -> bool {
        match of {
            ValueType::Text | ValueType::Array(_) | ValueType::Map => true,
            ValueType::Delegate(_) => self.is_ue3(),
            ValueType::Struct(id) if depth < 16 => self.symbols.struct_chain(*id).any(|id| {
                let members = self.symbols.structure(id).map(|it| it.members.clone());
                members.unwrap_or_default().into_iter().any(|row| {
                    let member = self.symbols.type_of(SymbolId { class: id.class, row });
                    self.needs_construction(&member, depth + 1)
                })
            }),
            _ => false,
        }
    }
}
