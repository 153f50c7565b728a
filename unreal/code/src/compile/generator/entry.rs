//! Functions, states and replication blocks as a whole (spec: ue1-3/15 §15.9 to §15.11).

use std::rc::Rc;

use super::value::Want;
use super::{CodeItem, CodeReference, Generated, Generator, LARGEST, MarkAt};
use crate::compile::declarations::{Owner, fold};
use crate::compile::diagnostic::{Diagnostic, DiagnosticKind};
use crate::compile::dialect::CompilerDialect;
use crate::compile::symbols::{ClassId, SymbolId, Symbols};
use crate::compile::syntax::{Function, Syntax, SyntaxItem};
use crate::compile::types::ValueType;

/// Code with names and objects instead of rows.
#[derive(Debug, Clone, Default)]
pub struct CompiledCode {
    /// Tokens and operands; places are bytes in memory.
    pub items: Vec<CodeItem>,
    /// Bytes in memory.
    pub memory_size: u32,
    /// `TextPos` of the object: where its code begins in the text; -1 of none.
    pub text_pos: i32,
    /// `Line` of the object; -1 of none.
    pub line: i32,
    /// Where the table of labels is, of a state that has one.
    pub label_table: Option<u16>,
    /// Where each condition of a replication block is.
    pub conditions: Vec<u16>,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

impl CompiledCode {
    /// Whether no error keeps it from being used.
    pub fn is_valid(&self) -> bool {
        !self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Compiles what the classes among some symbols declare, one at a time.
#[derive(Debug, Clone, Copy)]
pub struct Compiler<'a> {
    symbols: &'a Symbols,
    dialect: &'a CompilerDialect,
}

impl<'a> Compiler<'a> {
    /// A compiler of a dialect against symbols.
    pub fn new(symbols: &'a Symbols, dialect: &'a CompilerDialect) -> Self {
        Self { symbols, dialect }
    }

    fn syntax(&self, class: ClassId) -> Option<&'a Syntax> {
        self.symbols.class(class).syntax.as_deref()
    }

    fn generator(&self, syntax: &'a Syntax, class: ClassId) -> Generator<'a> {
        Generator::new(self.symbols, self.dialect, syntax, class)
    }

    /// The code of a function; `None` where its text is not at hand.
    pub fn function(&self, function: SymbolId) -> Option<CompiledCode> {
        let syntax = self.syntax(function.class)?;
        let symbol = self.symbols.function(function)?;
        let (item, inner) = symbol.place?;
        let written: &Function = match (syntax.items.get(item as usize)?, inner) {
            (SyntaxItem::Function(written), None) => written,
            (SyntaxItem::State(state), Some(at)) => state.functions.get(at as usize)?,
            _ => return None,
        };
        let mut generator = self.generator(syntax, function.class);
        generator.function = Some(function);
        if let Owner::State(row) = symbol.owner {
            generator.state = Some(SymbolId { class: function.class, row });
        }
        for row in symbol.parameters.iter().chain(&symbol.locals) {
            let id = SymbolId { class: function.class, row: *row };
            if let Some(variable) = self.symbols.variable(id) {
                generator.locals.insert(fold(&variable.name), id);
            }
        }
        generator.result = self.symbols.result_of(function);
        let result = generator.whole_function(written);
        let start = match &written.body {
            // The token behind the brace of an empty body counts from its end in UE3.
            Some(body) if !written.is_native() => {
                let token = syntax.token(body.start());
                let is_empty = body.start() == body.close;
                if is_empty && self.dialect.is_ue3() { token.end } else { token.start }
            }
            _ => syntax.token(written.close + u32::from(written.is_const)).end,
        };
        Some(generator.finish(result, Some(start)))
    }

    /// The code of the object that a state has for a function that it ignores: `function` is the one that it hides;
    /// `name` is the token of its name in the list.
    pub fn ignored(&self, state: SymbolId, function: SymbolId, name: u32) -> Option<CompiledCode> {
        let syntax = self.syntax(state.class)?;
        let symbol = self.symbols.function(function)?;
        let mut generator = self.generator(syntax, state.class);
        generator.result = self.symbols.result_of(function);
        let end = syntax.token(name).end;
        if self.dialect.is_ue3() {
            for row in &symbol.parameters {
                let id = SymbolId { class: function.class, row: *row };
                if self.symbols.variable(id).is_some_and(|it| it.is_optional) {
                    generator.token(0x0b);
                }
            }
        }
        generator.emit_mark(0x20, MarkAt::Byte(end));
        generator.emit_mark(0x11, MarkAt::Byte(end));
        generator.token(0x04);
        match self.dialect.is_ue3() && generator.result != ValueType::Void {
            true => {
                let owner = self.symbols.owner_path(state.class, Owner::State(state.row));
                let path = format!("{owner}.{}.ReturnValue", symbol.object_name);
                let path: Rc<str> = path.into();
                generator
                    .emit([CodeItem::Token(0x3a), CodeItem::Object(CodeReference::Path(path))]);
            }
            false => generator.token(0x0b),
        }
        generator.emit_mark(0x30, MarkAt::Byte(end));
        generator.end();
        Some(generator.finish(Ok(()), Some(end)))
    }

    /// The code of a state; `None` where its text is not at hand.
    pub fn state(&self, state: SymbolId) -> Option<CompiledCode> {
        let syntax = self.syntax(state.class)?;
        let SyntaxItem::State(written) =
            syntax.items.get(self.symbols.state(state)?.item? as usize)?
        else {
            return None;
        };
        let mut generator = self.generator(syntax, state.class);
        generator.state = Some(state);
        let mut start = syntax.token(written.last).start;
        let mut result = Ok(());
        if let Some(body) = &written.body {
            start = syntax.token(body.start()).start;
            result = generator.statements(&body.statements);
            generator.at = body.close + 1;
            generator.emit_mark(0x30, MarkAt::Behind);
        }
        let table = generator.label_table();
        generator.end();
        let mut code = generator.finish(result, Some(start));
        code.label_table = table;
        Some(code)
    }

    /// The code of a class: the conditions of its replication block; `None` where its text is not at hand.
    pub fn replication(&self, class: ClassId) -> Option<CompiledCode> {
        let syntax = self.syntax(class)?;
        let mut generator = self.generator(syntax, class);
        let (mut start, mut result) = (None, Ok(()));
        let mut places = Vec::new();
        for item in &syntax.items {
            let SyntaxItem::Replication(block) = item else { continue };
            start = Some(syntax.token(block.open).end);
            for condition in &block.conditions {
                places.push(u16::try_from(generator.size).unwrap_or(u16::MAX));
                generator.at = condition.condition.first;
                match generator.condition(&condition.condition) {
                    Ok(value) => generator.emit(value.code),
                    Err(failed) => result = Err(failed),
                }
            }
        }
        generator.end();
        let mut code = generator.finish(result, start);
        code.conditions = places;
        Some(code)
    }
}

impl<'a> Generator<'a> {
    fn whole_function(&mut self, written: &'a Function) -> Generated<()> {
        let prologue = self.prologue(written);
        let Some(body) = written.body.as_ref().filter(|_| !written.is_native()) else {
            self.without_body(written);
            return prologue;
        };
        let start = self.syntax.token(body.start());
        let is_empty = body.start() == body.close;
        self.emit_mark(0x20, MarkAt::Byte(if is_empty { start.end } else { start.start }));
        let statements = self.statements(&body.statements);
        self.at = body.close + 1;
        self.emit_mark(0x11, MarkAt::Behind);
        self.empty_return(self.function);
        self.emit_mark(0x30, MarkAt::Behind);
        self.end();
        prologue.and(statements)
    }

    /// Optional parameters of UE3: what they are where they are left out.
    fn prologue(&mut self, written: &'a Function) -> Generated<()> {
        if !self.dialect.is_ue3() {
            return Ok(());
        }
        let mut result = Ok(());
        for (parameter, row) in written.parameters.iter().zip(self.own_parameters()) {
            if !parameter.has("optional") {
                continue;
            }
            let Some((sign, value)) = &parameter.value else {
                self.token(0x0b);
                continue;
            };
            self.at = sign + 1;
            let mut code = self.mark(0x20, MarkAt::Behind);
            let of = self.symbols.type_of(row);
            match self.expression(value, Want::of(&of)) {
                Ok(value) => {
                    let tokens = (parameter.declared.name.token, self.at.saturating_sub(1));
                    match self.convert(value, &of, tokens) {
                        Ok(value) => code.extend(value.code),
                        Err(failed) => result = Err(failed),
                    }
                }
                Err(failed) => result = Err(failed),
            }
            code.extend(self.mark(0x30, MarkAt::Next));
            code.push(CodeItem::Token(0x15));
            self.emit([CodeItem::Token(0x49), CodeItem::Skip(self.size_of(&code))]);
            self.emit(code);
        }
        result
    }

    fn own_parameters(&self) -> Vec<SymbolId> {
        let Some(function) = self.function else { return Vec::new() };
        let rows = self.symbols.function(function).map_or(&[][..], |it| &it.parameters);
        rows.iter().map(|row| SymbolId { class: function.class, row: *row }).collect()
    }

    fn without_body(&mut self, written: &Function) {
        if written.is_native() {
            for parameter in self.own_parameters() {
                self.emit([
                    CodeItem::Token(0x29),
                    CodeItem::Object(CodeReference::Variable(parameter)),
                ]);
            }
            if self.dialect.ends_natives {
                self.token(0x0b);
            }
        } else {
            let end = self.syntax.token(written.close + u32::from(written.is_const)).end;
            self.emit_mark(0x20, MarkAt::Byte(end));
            self.emit_mark(0x11, MarkAt::Byte(end));
            self.empty_return(self.function);
            self.emit_mark(0x30, MarkAt::Byte(end));
        }
        self.end();
    }

    fn end(&mut self) {
        if let Some(token) = self.dialect.end_token() {
            self.token(token);
        }
    }

    /// The end of a state's code, and its labels, the last one first.
    fn label_table(&mut self) -> Option<u16> {
        self.token(0x08);
        if self.state_labels.is_empty() {
            return None;
        }
        while self.size % 4 != 3 {
            self.token(0x0b);
        }
        self.token(0x0c);
        let place = u16::try_from(self.size).ok();
        for (name, place) in std::mem::take(&mut self.state_labels).into_iter().rev() {
            self.emit([CodeItem::Name(name.into()), CodeItem::Place(place)]);
        }
        self.emit([CodeItem::Name("None".into()), CodeItem::Place(LARGEST)]);
        place
    }

    /// The code with the places of its labels.
    fn finish(mut self, result: Generated<()>, start: Option<u32>) -> CompiledCode {
        for (label, token) in std::mem::take(&mut self.wanted_labels) {
            if self.labels.get(label as usize).copied().flatten().is_none() {
                let name = self.syntax.text(token).to_owned();
                let message = format!("no label '{name}' in this function");
                let _ = self.fail::<()>(DiagnosticKind::UnknownName, (token, token), message);
            }
        }
        let anchor = self.at.saturating_sub(1);
        if self.size > LARGEST {
            let message = "this code is larger than 65535 bytes: divide it";
            let _ = self.fail::<()>(DiagnosticKind::Limit, (anchor, anchor), message);
        }
        if result.is_err() && !self.diagnostics.iter().any(Diagnostic::is_error) {
            let message = "this could not be compiled";
            let _ = self.fail::<()>(DiagnosticKind::Limit, (anchor, anchor), message);
        }
        let labels = std::mem::take(&mut self.labels);
        let place = |item| match item {
            CodeItem::Label(label) => {
                CodeItem::Label(labels.get(label as usize).copied().flatten().unwrap_or(LARGEST))
            }
            other => other,
        };
        let items = std::mem::take(&mut self.out).into_iter().map(place).collect();
        let number = |value: u32| i32::try_from(value).unwrap_or(-1);
        let (text_pos, line) = match start {
            Some(byte) => {
                (number(self.syntax.source.offset(byte as usize)), number(self.line(byte as usize)))
            }
            None => (-1, -1),
        };
        CompiledCode {
            items,
            memory_size: self.size,
            text_pos,
            line,
            label_table: None,
            conditions: Vec::new(),
            diagnostics: self.diagnostics,
        }
    }
}
