//! Functions: their words, parameters and local variables.

use crate::compile::syntax::{
    Function, FunctionKind, ParameterSyntax, StatementSyntax, StatementSyntaxKind, SyntaxItem,
    TypeSyntax, Variables,
};
use crate::compile::{SymbolId, TypeName, ValueType};
use crate::language::WordOf;
use crate::object::script_object::{PropertyClass, ScriptObject};
use crate::primitive::PackageIndex;
use crate::version::Engine;

use super::super::text::ClassSource;
use super::class_maker::{ClassMaker, DeclaredIn};
use super::variable::NewProperty;
use super::written_type::type_name;

const DEFINED: u64 = 0x2;
const NET: u64 = 0x40;
const PREOPERATOR: u64 = 0x10;
const EVENT: u64 = 0x800;
const OPERATOR: u64 = 0x1000;
const PUBLIC: u64 = 0x2_0000;
const PRIVATE: u64 = 0x4_0000;
const PROTECTED: u64 = 0x8_0000;
const DELEGATE: u64 = 0x10_0000;
const HAS_OPTIONAL: u64 = 0x4000;
const HAS_OUT: u64 = 0x40_0000;
/// UE3: it has local variables that start as their structs say.
const HAS_DEFAULTS: u64 = 0x80_0000;

const PARAMETER: u64 = 0x80;
const OPTIONAL: u64 = 0x10;
const OUT: u64 = 0x100;
const SKIP: u64 = 0x200;
const RESULT: u64 = 0x580;
const COERCE: u64 = 0x800;

/// Words without a row in the table of what is written back.
const MORE_WORDS: &[(&str, u64)] = &[
    ("intrinsic", 0x400),
    ("exec", 0x200),
    ("invariant", 0x1_0000),
    ("private", PRIVATE),
    ("protected", PROTECTED),
    ("dllimport", 0x200_0000),
    ("k2call", 0x400_0000),
    ("k2override", 0x800_0000),
    ("k2pure", 0x1400_0000),
];

impl ClassMaker<'_> {
    /// A function, and what makes a delegate a variable.
    pub(super) fn function_object(
        &mut self,
        source: &ClassSource,
        around: &DeclaredIn,
        written: &Function,
        fields: &mut Vec<usize>,
    ) -> usize {
        let name = self.object_name(around, written);
        let path = around.within(&name);
        let row = self.draft.create("Function", &path, around.object);
        let object = PackageIndex::export(row);
        let inner = DeclaredIn {
            class: around.class,
            path,
            object,
            name: name.clone(),
            tool_tips: around.tool_tips.clone(),
        };
        let mut list = Vec::new();
        for parameter in &written.parameters {
            let of = self.type_at(&parameter.of, around, written);
            let flags = self.parameter_flags(parameter);
            list.push(self.local(source, &inner, &parameter.declared, &of, flags));
        }
        if let Some(result) = &written.result {
            let of = self.symbols.resolve(&type_name(result), around.class);
            if of != ValueType::Void {
                let coerce = if written.is_result_coerced { COERCE } else { 0 };
                let new = NewProperty::plain(
                    "ReturnValue",
                    &of,
                    RESULT | coerce,
                    self.flags(0x0007_0004),
                );
                list.push(self.property(&inner, &new));
            }
        }
        fields.push(row);
        if let Some(body) = written.body.as_ref().filter(|_| !written.is_native()) {
            self.locals(source, around, &inner, &body.statements, &mut list, fields);
        }
        self.chain(row, &list);
        self.fill_function(source, row, written, &name);
        if written.kind == FunctionKind::Delegate {
            fields.push(self.delegate_property(around, &name, object));
        }
        row
    }

    /// Whether a function has local variables that are structs.
    fn has_struct_locals(&self, row: usize) -> bool {
        self.fields_of(row).into_iter().any(|field| match self.draft.script(field) {
            Some(ScriptObject::Property(property)) => {
                let class = self.draft.object_class(field);
                property.property_flags & PARAMETER == 0 && class == "StructProperty"
            }
            _ => false,
        })
    }

    /// The name of the object: of operators made of symbol and types.
    fn object_name(&self, around: &DeclaredIn, written: &Function) -> String {
        if !written.kind.is_operator() && !written.has("overloaded") {
            return written.name.text.clone();
        }
        let place = |it: &crate::compile::FunctionSymbol| {
            it.name == written.name.text
                && it.kind == written.kind
                && it.parameters.len() == written.parameters.len()
        };
        let types: Vec<TypeName> = written.parameters.iter().map(|it| type_name(&it.of)).collect();
        let class = self.symbols.class(around.class);
        let found = class.functions.iter().filter(|it| place(it)).find(|it| {
            let of = |row: &u32| class.variables.get(*row as usize).map(|it| &it.of);
            it.parameters.iter().map(of).eq(types.iter().map(Some))
        });
        found.map_or_else(|| written.name.text.clone(), |it| it.object_name.clone())
    }

    /// The type of a parameter: delegates of the class count from where they are declared on, before that those of
    /// the classes above.
    fn type_at(&self, written: &TypeSyntax, around: &DeclaredIn, at: &Function) -> ValueType {
        let of = self.symbols.resolve(&type_name(written), around.class);
        let ValueType::Delegate(Some(id)) = of else { return of };
        let declared = self.symbols.class(around.class).functions.get(id.row as usize);
        let item = declared.filter(|_| id.class == around.class).and_then(|it| it.place);
        let syntax = self.symbols.class(around.class).syntax.as_ref();
        let first = item.zip(syntax).and_then(|((item, _), syntax)| {
            match syntax.items.get(item as usize) {
                Some(SyntaxItem::Function(it)) => Some(it.name.token),
                _ => None,
            }
        });
        if first.is_none_or(|first| first <= at.name.token) {
            return of;
        }
        let name = declared.map_or(String::new(), |it| it.name.to_ascii_lowercase());
        let above = self.symbols.base(around.class);
        let above = above.and_then(|above| self.symbols.find_function(above, &name));
        ValueType::Delegate(above.or(Some(id)))
    }

    fn parameter_flags(&self, written: &ParameterSyntax) -> u64 {
        let words = [
            ("optional", OPTIONAL),
            ("out", OUT),
            ("skip", SKIP),
            ("coerce", COERCE),
            ("const", 0x2),
        ];
        let set = words.iter().filter(|(word, _)| written.has(word));
        set.fold(PARAMETER, |flags, (_, flag)| flags | flag)
    }

    /// Local variables, and constants, which belong to the class.
    fn locals(
        &mut self,
        source: &ClassSource,
        class: &DeclaredIn,
        inner: &DeclaredIn,
        statements: &[StatementSyntax],
        list: &mut Vec<usize>,
        fields: &mut Vec<usize>,
    ) {
        for statement in statements {
            match &statement.kind {
                StatementSyntaxKind::Local(Variables { of, declared, .. }) => {
                    let of = self.symbols.resolve(&type_name(of), inner.class);
                    for declared in declared {
                        list.push(self.local(source, inner, declared, &of, 0));
                    }
                }
                StatementSyntaxKind::Constant(written) => {
                    fields.push(self.constant(source, class, written))
                }
                _ => {
                    let mut within = Vec::new();
                    statement.each_inner(&mut |it| within.push(it.clone()));
                    self.locals(source, class, inner, &within, list, fields);
                }
            }
        }
    }

    fn delegate_property(&mut self, around: &DeclaredIn, name: &str, of: PackageIndex) -> usize {
        let name = format!("__{name}__Delegate");
        let new = NewProperty::plain(&name, &ValueType::Delegate(None), 0, self.flags(0x0007_0004));
        let row = self.property(around, &new);
        if let Some(ScriptObject::Property(property)) = self.draft.script_mut(row) {
            let none = crate::primitive::Name::new(0);
            property.class = PropertyClass::Delegate(of, none, PackageIndex::NULL);
        }
        row
    }

    fn fill_function(&mut self, source: &ClassSource, row: usize, written: &Function, name: &str) {
        let words = || written.modifiers.iter().map(|it| it.word.text.as_str());
        let has = |word: &str| words().any(|it| it.eq_ignore_ascii_case(word));
        let (mut flags, _) = self.word_flags(WordOf::Function, words(), MORE_WORDS);
        let engine = self.engine();
        let is_empty = written.body.as_ref().is_some_and(|it| it.open + 1 == it.close);
        let counts = !(self.is_ue3() && is_empty);
        if written.body.is_some() && counts {
            flags |= DEFINED;
        }
        flags |= match written.kind {
            FunctionKind::Function => 0,
            FunctionKind::Event => EVENT,
            FunctionKind::Delegate => DELEGATE,
            FunctionKind::Operator | FunctionKind::PostOperator => OPERATOR,
            FunctionKind::PreOperator => OPERATOR | PREOPERATOR,
        };
        match engine {
            Engine::Ue1 => {
                if has("noexport") {
                    flags |= 0x4000;
                }
            }
            _ => {
                if engine == Engine::Ue2 && has("noexport") {
                    flags |= 0x4000;
                }
                if flags & (PRIVATE | PROTECTED) == 0 {
                    flags |= PUBLIC;
                }
            }
        }
        if self.is_ue3() {
            if has("private") {
                flags |= 0x1;
            }
            if written.parameters.iter().any(|it| it.has("optional")) {
                flags |= HAS_OPTIONAL;
            }
            if written.parameters.iter().any(|it| it.has("out")) {
                flags |= HAS_OUT;
            }
            if self.has_struct_locals(row) {
                flags |= HAS_DEFAULTS;
            }
            if has("reliable") {
                flags |= 0x80;
            }
            if has("client") {
                flags |= 0x100;
            }
            if has("client") || has("server") {
                flags |= NET;
            }
        }
        let (pos, line) = self.function_place(source, written);
        // The name is that of the text, of operators the symbol.
        let friendly = match written.kind.is_operator() || written.has("overloaded") {
            true => written.name.text.as_str(),
            false => name,
        };
        self.fill_struct(row, friendly, (pos, line));
        let (is_native, is_ue3) = (written.is_native(), self.is_ue3());
        let Some(ScriptObject::Function(function)) = self.draft.script_mut(row) else { return };
        function.native = written.native.filter(|_| is_native).unwrap_or(0);
        function.oper_precedence =
            if written.kind == FunctionKind::Operator { written.precedence } else { 0 };
        function.function_flags = u32::try_from(flags).unwrap_or(u32::MAX);
        if is_ue3 && flags & NET != 0 {
            // It says itself where it runs: no condition does.
            function.rep_offset = u16::MAX;
        }
    }

    /// Where the code of a function stands in the text: its place and its line.
    fn function_place(&self, source: &ClassSource, written: &Function) -> (i32, i32) {
        let syntax = &source.syntax;
        let behind = |token: u32| syntax.token(token).end as usize;
        let byte = match &written.body {
            Some(body) if !written.is_native() => {
                let start = body.start();
                match start == body.close && self.is_ue3() {
                    true => behind(start),
                    false => syntax.token(start).start as usize,
                }
            }
            _ => behind(written.close + u32::from(written.is_const && self.is_ue3())),
        };
        place(syntax, byte)
    }

    /// The function that this one overrides: of the class above.
    pub(super) fn overridden(&mut self, around: &DeclaredIn, name: &str) -> Option<SymbolId> {
        let above = self.symbols.base(around.class)?;
        self.symbols.find_function(above, &name.to_ascii_lowercase())
    }
}

/// The place of a byte in the text, as objects store it: characters before it, and its line.
pub(super) fn place(syntax: &crate::compile::syntax::Syntax, byte: usize) -> (i32, i32) {
    let place = syntax.source.place(byte);
    let narrow = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    (narrow(place.offset), narrow(place.line))
}
