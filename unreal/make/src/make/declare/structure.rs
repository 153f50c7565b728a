//! Constants, enums and structs.

use crate::compile::ValueType;
use crate::compile::syntax::{Constant, Enum, Struct, SyntaxItem};
use crate::language::WordOf;
use crate::object::script_object::ScriptObject;
use crate::primitive::{FString, PackageIndex};
use crate::version::{Game, UnrealVersions};

use super::super::text::ClassSource;
use super::class_maker::{ClassMaker, DeclaredIn};

const HAS_COMPONENTS: u32 = 0x4;
const TRANSIENT: u32 = 0x8;
const ATOMIC: u32 = 0x10;
const IMMUTABLE: u32 = 0x20;

impl ClassMaker<'_> {
    /// A constant with its value as it is written.
    pub(super) fn constant(
        &mut self,
        source: &ClassSource,
        around: &DeclaredIn,
        written: &Constant,
    ) -> usize {
        let path = around.within(&written.name.text);
        let row = self.draft.create("Const", &path, around.object);
        // Before UE3 they are not public.
        let flags = if self.is_ue3() { 0x0007_0004 } else { 0x0007_0000 };
        self.draft.objects[row].flags = self.flags(flags);
        let is_ue3 = self.is_ue3();
        if let Some(ScriptObject::Const(constant)) = self.draft.script_mut(row) {
            // From the sign to the semicolon, spaces too.
            let sign = source.syntax.token(written.name.token + 1).end as usize;
            let end = source.syntax.token(written.last).start as usize;
            let text = source.syntax.source.slice(sign, end);
            let text = if is_ue3 { text.trim() } else { text };
            constant.value = FString::ansi(text).unwrap_or_else(|| FString::new(text));
        }
        row
    }

    /// An enum with the names of its values.
    pub(super) fn enum_object(&mut self, around: &DeclaredIn, written: &Enum) -> usize {
        let path = around.within(&written.name.text);
        let row = self.draft.create("Enum", &path, around.object);
        let mut names: Vec<_> =
            written.values.iter().map(|value| self.draft.name(&value.text)).collect();
        if self.is_ue3() {
            let prefix = self
                .symbols
                .find_enum(around.class, &written.name.text.to_ascii_lowercase())
                .and_then(|id| Some(self.symbols.enumeration(id)?.prefix().to_owned()));
            let prefix = prefix.unwrap_or_else(|| written.name.text.clone());
            names.push(self.draft.name(&format!("{prefix}_MAX")));
        }
        if let Some(ScriptObject::Enum(found)) = self.draft.script_mut(row) {
            found.names = names;
        }
        self.enum_texts(written, row);
        row
    }

    /// A struct with its members; what is declared in it may lie in the list around it.
    pub(super) fn struct_object(
        &mut self,
        source: &ClassSource,
        around: &DeclaredIn,
        written: &Struct,
        fields: &mut Vec<usize>,
    ) {
        let class = self.struct_class();
        let path = around.within(&written.name.text);
        let row = self.draft.create(class, &path, around.object);
        fields.push(row);
        let name = written.name.text.clone();
        let object = PackageIndex::export(row);
        let inner = DeclaredIn {
            class: around.class,
            path,
            object,
            name,
            tool_tips: around.tool_tips.clone(),
        };
        let is_transient = written.modifiers.iter().any(|it| it.word.is("transient"));
        if let Some(ScriptObject::Struct(found)) = self.draft.script_mut(row)
            && is_transient
        {
            found.struct_flags |= TRANSIENT;
        }
        let mut members = Vec::new();
        for item in &written.items {
            match item {
                SyntaxItem::Constant(it) => members.push(self.constant(source, &inner, it)),
                SyntaxItem::Enum(it) => members.push(self.enum_object(&inner, it)),
                SyntaxItem::Struct(it) => self.struct_object(source, &inner, it, &mut members),
                SyntaxItem::Variables(it) => self.variables(source, &inner, it, &mut members),
                _ => {}
            }
        }
        self.link(row, &members);
        let words = || written.modifiers.iter().map(|it| it.word.text.as_str());
        let (flags, _) = self.word_flags(WordOf::Struct, words(), &[]);
        let mut flags = u32::try_from(flags).unwrap_or(0);
        if self.is_ue3() {
            flags |= if flags & IMMUTABLE != 0 { ATOMIC } else { 0 };
            let id =
                self.symbols.find_struct(around.class, &written.name.text.to_ascii_lowercase());
            if id.is_some_and(|id| self.has_components(&ValueType::Struct(id), 0)) {
                flags |= HAS_COMPONENTS;
            }
        }
        if let Some(base) = &written.base {
            let base = base.text.to_ascii_lowercase();
            let above = self.symbols.find_struct(around.class, &base);
            let above = above.map_or(PackageIndex::NULL, |id| self.structure(id));
            self.set_super(row, above);
        }
        self.fill_struct(row, &written.name.text, (0, 0));
        let cpp_text = self.cpp_text_of_struct(source, &inner, &written.items);
        let versions = self.draft.versions();
        let has_own_flags = versions.file() >= 242;
        let has_classic_flags = versions.game() == Game::Ut2004 && versions.licensee() >= 26;
        if let Some(ScriptObject::Struct(structure)) = self.draft.script_mut(row) {
            if has_own_flags {
                structure.struct_flags = flags;
            } else if has_classic_flags {
                structure.base.struct_flags = flags;
            }
            structure.base.cpp_text = cpp_text;
        }
    }
}
