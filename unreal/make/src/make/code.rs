//! The code of functions, states and replication blocks, put into their objects.

use crate::compile::syntax::SyntaxItem;
use crate::compile::{
    ClassId, CodeObjectPath, CodeReference, CodeTables, CompiledCode, Compiler, Diagnostic,
    DiagnosticKind, Owner, SymbolId, ValueType,
};
use crate::object::script_object::ScriptObject;
use crate::primitive::{Name, ObjectRef, PackageIndex};

use super::declare::ClassMaker;
use super::facts::FunctionFacts;
use super::text::ClassSource;

const NET: u32 = 0x40;
const RELIABLE: u32 = 0x80;

impl CodeTables for ClassMaker<'_> {
    fn name(&mut self, text: &str) -> Option<Name> {
        Some(self.draft.name(text))
    }

    fn object(&mut self, reference: &CodeReference, path: &CodeObjectPath) -> Option<PackageIndex> {
        Some(match reference {
            CodeReference::Null => PackageIndex::NULL,
            CodeReference::Class(id) => self.class_reference(*id),
            CodeReference::Struct(id) => self.structure(*id),
            CodeReference::Variable(id) => self.variable(*id)?,
            CodeReference::Function(id) => self.function(*id),
            CodeReference::Result(id) => self.result(*id),
            CodeReference::DelegateProperty(id) => {
                let kinds = self.kinds(Owner::Class, "DelegateProperty");
                self.member(id.class, &path.path, &kinds)
            }
            CodeReference::Path(path) => PackageIndex::export(self.draft.find_property(path)?),
            CodeReference::Named(named) => self.named(&named.0, &named.1)?,
        })
    }
}

impl ClassMaker<'_> {
    /// The classes of what stands between a class and what it declares somewhere, and of that.
    fn kinds(&self, owner: Owner, last: &'static str) -> Vec<&'static str> {
        let mut kinds = match owner {
            Owner::Class => Vec::new(),
            Owner::Struct(_) => {
                vec![if self.is_ue3() { "Core.ScriptStruct" } else { "Core.Struct" }]
            }
            Owner::Function(_) => vec!["Core.Function"],
            Owner::State(_) => vec!["Core.State"],
        };
        kinds.push(last);
        kinds
    }

    /// A variable, struct member, parameter or local variable.
    fn variable(&mut self, id: SymbolId) -> Option<PackageIndex> {
        let symbol = self.symbols.variable(id)?;
        let (owner, path) = (symbol.owner, self.symbols.variable_path(id));
        let of = self.symbols.type_of(id);
        let class = self.property_class_name(&of);
        let mut kinds = self.kinds(owner, class);
        // A function of a state, a struct in a struct: one level more.
        let levels = path.matches('.').count();
        while kinds.len() < levels {
            let more = match owner {
                Owner::Function(_) => "Core.State",
                _ => kinds[0],
            };
            kinds.insert(0, more);
        }
        Some(self.member(id.class, &path, &kinds))
    }

    fn result(&mut self, id: SymbolId) -> PackageIndex {
        let path = format!("{}.ReturnValue", self.symbols.function_path(id));
        let of = self.symbols.result_of(id);
        let class = self.property_class_name(&of);
        let mut kinds = self.kinds(Owner::Function(0), class);
        if path.matches('.').count() > kinds.len() {
            kinds.insert(0, "Core.State");
        }
        self.member(id.class, &path, &kinds)
    }

    fn property_class_name(&mut self, of: &ValueType) -> &'static str {
        self.property_class(of).0
    }

    /// Compiles what a class declares.
    pub fn compile(
        &mut self,
        compiler: &Compiler<'_>,
        source: &ClassSource,
        class: ClassId,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let symbols = self.symbols;
        let declared = symbols.class(class);
        let name = declared.name.clone();
        if let Some(code) = compiler.replication(class)
            && let Some(row) = self.draft.find("Class", &name)
        {
            self.place_conditions(source, row, &code.conditions);
            // A class without such a block has no code.
            if code.text_pos >= 0 {
                self.put(row, code, source, diagnostics);
            }
        }
        let id = |row: usize| SymbolId { class, row: u32::try_from(row).unwrap_or(u32::MAX) };
        for (row, symbol) in declared.functions.iter().enumerate() {
            let path = symbols.function_path(id(row));
            let Some(object) = self.draft.find("Function", &path) else { continue };
            if let Some(code) = compiler.function(id(row)) {
                self.put(object, code, source, diagnostics);
            }
            if !symbol.kind.is_operator() {
                self.inherit_net(object, &path);
            }
        }
        for (row, symbol) in declared.states.iter().enumerate() {
            let path = format!("{name}.{}", symbol.name);
            let Some(object) = self.draft.find("State", &path) else { continue };
            if let Some(code) = compiler.state(id(row)) {
                let table = code.label_table.unwrap_or(u16::MAX);
                if let Some(ScriptObject::State(state)) = self.draft.script_mut(object) {
                    state.label_table_offset = table;
                }
                self.put(object, code, source, diagnostics);
            }
            let item = symbol.item.and_then(|item| source.syntax.items.get(item as usize));
            let Some(SyntaxItem::State(written)) = item else { continue };
            for word in &written.ignores {
                let hidden = symbols.find_function(class, &word.text.to_ascii_lowercase());
                let Some(hidden) = hidden else { continue };
                let path = format!("{path}.{}", word.text);
                let Some(object) = self.draft.find("Function", &path) else { continue };
                if let Some(code) = compiler.ignored(id(row), hidden, word.token) {
                    self.put(object, code, source, diagnostics);
                }
            }
        }
    }

    /// Puts code into its object.
    pub(super) fn put(
        &mut self,
        row: usize,
        code: CompiledCode,
        source: &ClassSource,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        diagnostics.extend(code.diagnostics.iter().cloned());
        if !code.is_valid() {
            return;
        }
        let symbols = self.symbols;
        match code.link(symbols, self) {
            Ok(script) => {
                let structure = self.draft.script_mut(row).and_then(ScriptObject::structure_mut);
                if let Some(structure) = structure {
                    structure.script = script;
                }
            }
            Err(missing) => {
                for object in missing.objects {
                    let message = format!("no object {}'{}'", object.class, object.path);
                    let byte = usize::try_from(code.text_pos).unwrap_or(0);
                    let text = &source.syntax.source;
                    let kind = DiagnosticKind::UnknownName;
                    diagnostics.push(Diagnostic::error(text, kind, (byte, byte), message));
                }
            }
        }
    }

    /// Where the condition stands under which variables and functions go over the net.
    fn place_conditions(&mut self, source: &ClassSource, class: usize, places: &[u16]) {
        let conditions = source.syntax.items.iter().filter_map(|item| match item {
            SyntaxItem::Replication(block) => Some(&block.conditions),
            _ => None,
        });
        let conditions: Vec<_> = conditions.flatten().cloned().collect();
        let name = self.draft.text(self.draft.objects[class].name);
        for (condition, place) in conditions.iter().zip(places) {
            for word in &condition.names {
                let path = format!("{name}.{}", word.text);
                let property = self.draft.find_property(&path);
                let Some(row) = property.or_else(|| self.draft.find("Function", &path)) else {
                    continue;
                };
                match self.draft.script_mut(row) {
                    Some(ScriptObject::Property(property)) => property.rep_offset = *place,
                    Some(ScriptObject::Function(function))
                        if function.function_flags & NET != 0 =>
                    {
                        function.rep_offset = *place;
                    }
                    _ => {}
                }
            }
        }
    }

    /// A function goes over the net as the one that it overrides does.
    fn inherit_net(&mut self, row: usize, path: &str) {
        let above = self.draft.objects[row].super_index;
        let former = self.former.filter(|_| matches!(above.target(), ObjectRef::Import(_)));
        let former = former.and_then(|former| former.facts.function(path));
        let above =
            self.draft.path_of(above).and_then(|path| self.facts.function(&path)).or(former);
        let Some(ScriptObject::Function(function)) = self.draft.script_mut(row) else { return };
        if let Some(above) = above.filter(|above| above.flags & NET != 0) {
            function.function_flags |= above.flags & (NET | RELIABLE);
            function.rep_offset = above.rep_offset;
        }
        let facts =
            FunctionFacts { flags: function.function_flags, rep_offset: function.rep_offset };
        self.facts.set_function(path, facts);
    }
}
