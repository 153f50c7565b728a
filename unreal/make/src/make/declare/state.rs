//! States.

use crate::compile::SymbolId;
use crate::compile::syntax::{Function, State};
use crate::object::script_object::ScriptObject;
use crate::primitive::{Map, PackageIndex};

use super::super::text::ClassSource;
use super::class_maker::{ClassMaker, DeclaredIn};
use super::function::place;
use super::probe::probe_bit;

const EDITABLE: u32 = 1;
const AUTO: u32 = 2;
const SIMULATED: u32 = 4;

impl ClassMaker<'_> {
    /// A state with the functions that it ignores and has.
    pub(super) fn state_object(
        &mut self,
        source: &ClassSource,
        around: &DeclaredIn,
        written: &State,
    ) -> usize {
        let name = written.name.text.clone();
        let path = around.within(&name);
        let row = self.draft.create("State", &path, around.object);
        let object = PackageIndex::export(row);
        let inner = DeclaredIn {
            class: around.class,
            path: path.clone(),
            object,
            name: name.clone(),
            tool_tips: around.tool_tips.clone(),
        };
        let above = self.state_above(around, written);
        let mut fields = Vec::new();
        let (mut probes, mut ignored) = (0, 0);
        for word in &written.ignores {
            match probe_bit(&word.text).filter(|_| !self.is_ue3()) {
                Some(bit) => ignored |= bit,
                None => {
                    fields.extend(self.ignored_function(source, &inner, word.token, &word.text))
                }
            }
        }
        for function in &written.functions {
            probes |= self.probe(function);
            let made = self.function_object(source, &inner, function, &mut fields);
            let below = self.state_function_above(around, above, function);
            if let Some(below) = below {
                let below = self.function(below);
                self.set_super(made, below);
            }
        }
        // Newest first.
        fields.reverse();
        self.chain(row, &fields);
        let masks = above.and_then(|id| {
            let path = self.state_path(id);
            self.facts.state(&path)
        });
        let former = || self.former.and_then(|former| former.facts.state(&path));
        let masks = match above {
            Some(id) if !self.symbols.is_own(id.class) => masks.or_else(former),
            _ => masks,
        };
        let (above_probes, above_ignores) = masks.unwrap_or((0, u64::MAX));
        let masks = (probes | above_probes, !ignored & above_ignores);
        self.facts.set_state(&path, masks);
        let above = above.map_or(PackageIndex::NULL, |id| {
            let path = self.state_path(id);
            self.member(id.class, &path, &["Core.State"])
        });
        self.set_super(row, above);
        let has = |word: &str| written.modifiers.iter().any(|it| it.word.is(word));
        let start = written.body.as_ref().map_or(written.last, |body| body.start());
        let (pos, line) = place(&source.syntax, source.syntax.token(start).start as usize);
        self.fill_struct(row, &name, (pos, line));
        let (narrow, has_maps) = (self.has_narrow_probes(), self.has_moved_names());
        let functions = self.function_map(row);
        let Some(ScriptObject::State(state)) = self.draft.script_mut(row) else { return row };
        state.label_table_offset = u16::MAX;
        match narrow {
            true => state.probe_mask = masks.0 as u32,
            false => (state.probe_mask_64, state.ignore_mask) = masks,
        }
        if has_maps {
            state.func_map = Map(functions);
        }
        let flags =
            [(written.is_editable, EDITABLE), (has("auto"), AUTO), (has("simulated"), SIMULATED)];
        state.state_flags = flags.iter().filter(|(is, _)| *is).fold(0, |all, (_, flag)| all | flag);
        row
    }

    fn state_path(&self, id: SymbolId) -> String {
        let name = self.symbols.state(id).map_or("", |it| &it.name);
        format!("{}.{name}", self.symbols.class(id.class).name)
    }

    /// The state that a state builds on: the one that it extends, else that of its name in a class above.
    fn state_above(&self, around: &DeclaredIn, written: &State) -> Option<SymbolId> {
        let find = |class, name: &str| {
            let name = name.to_ascii_lowercase();
            self.symbols.chain(class).find_map(|class| {
                let row = self.symbols.class(class).state_named(&name)?;
                Some(SymbolId { class, row })
            })
        };
        match &written.base {
            Some(base) => find(around.class, &base.text),
            None => find(self.symbols.base(around.class)?, &written.name.text),
        }
    }

    /// The function that one of a state overrides: of the state above, else of the class.
    fn state_function_above(
        &mut self,
        around: &DeclaredIn,
        above: Option<SymbolId>,
        written: &Function,
    ) -> Option<SymbolId> {
        let name = written.name.text.to_ascii_lowercase();
        let mut at = above;
        for _ in 0..16 {
            let Some(id) = at else { break };
            let state = self.symbols.state(id)?;
            if let Some(row) = state.function(&name) {
                return Some(SymbolId { class: id.class, row });
            }
            at = state.base.as_ref().and_then(|base| {
                let row = self.symbols.class(id.class).state_named(&base.to_ascii_lowercase())?;
                Some(SymbolId { class: id.class, row })
            });
        }
        self.symbols.find_function(around.class, &name)
    }

    /// A function that a state ignores: without flags, with the parameters of the one of the class.
    fn ignored_function(
        &mut self,
        source: &ClassSource,
        state: &DeclaredIn,
        token: u32,
        name: &str,
    ) -> Option<usize> {
        let known = self.symbols.find_function(state.class, &name.to_ascii_lowercase())?;
        let symbol = self.symbols.function(known)?.clone();
        let path = state.within(&symbol.object_name);
        let row = self.draft.create("Function", &path, state.object);
        let object = PackageIndex::export(row);
        let inner = DeclaredIn {
            class: state.class,
            path,
            object,
            name: name.to_owned(),
            tool_tips: state.tool_tips.clone(),
        };
        let mut list = Vec::new();
        for parameter in symbol.parameters {
            let id = SymbolId { class: known.class, row: parameter };
            list.extend(self.copied_parameter(&inner, id));
        }
        self.chain(row, &list);
        let above = self.function(known);
        self.set_super(row, above);
        let (pos, line) = place(&source.syntax, source.syntax.token(token).end as usize);
        self.fill_struct(row, &symbol.name, (pos, line));
        Some(row)
    }

    fn copied_parameter(&mut self, around: &DeclaredIn, id: SymbolId) -> Option<usize> {
        let variable = self.symbols.variable(id)?.clone();
        let of = self.symbols.type_of(id);
        let words = [
            (variable.is_optional, 0x10),
            (variable.is_out, 0x100),
            (variable.is_skip, 0x200),
            (variable.is_coerce, 0x800),
            (variable.is_const, 0x2),
        ];
        let set = words.iter().filter(|(is, _)| *is);
        let flags = set.fold(0x80, |flags, (_, flag)| flags | flag);
        let new = super::variable::NewProperty {
            name: &variable.name,
            of: &of,
            count: self.length_of(id),
            array_enum: PackageIndex::NULL,
            flags,
            category: "None",
            object_flags: self.flags(0x0007_0004),
            comment: None,
            is_of_native: false,
        };
        Some(self.property(around, &new))
    }
}
