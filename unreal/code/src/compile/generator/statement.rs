//! Statements (spec: ue1-3/15 §15.8). Jumps go straight to their targets: nothing is threaded or left out.

use super::tail::Tail;
use super::value::{TypedValue, Want};
use super::{CodeItem, CodeReference, Failed, Generated, Generator, MarkAt, Nest, NestKind};
use crate::compile::declarations::fold;
use crate::compile::diagnostic::DiagnosticKind;
use crate::compile::symbols::SymbolId;
use crate::compile::syntax::{
    Branch, Expression, ExpressionItem, For, PostfixKind, StatementSyntax, StatementSyntaxKind,
    Word,
};
use crate::compile::types::ValueType;

impl<'a> Generator<'a> {
    /// Statements one after another: an error in one does not hide those of the others.
    pub(super) fn statements(&mut self, statements: &'a [StatementSyntax]) -> Generated<()> {
        let mut result = Ok(());
        for statement in statements {
            if self.statement(statement).is_err() {
                result = Err(Failed);
            }
        }
        result
    }

    fn statement(&mut self, statement: &'a StatementSyntax) -> Generated<()> {
        self.at = statement.first;
        let tokens = (statement.first, statement.last);
        let result = self.nested(tokens, |it| it.statement_kind(statement));
        self.at = statement.last + 1;
        result
    }

    fn statement_kind(&mut self, statement: &'a StatementSyntax) -> Generated<()> {
        let first = statement.first;
        match &statement.kind {
            StatementSyntaxKind::Empty
            | StatementSyntaxKind::Local(_)
            | StatementSyntaxKind::Constant(_) => Ok(()),
            StatementSyntaxKind::Block(inner) => self.statements(inner),
            StatementSyntaxKind::Assign(target, _, value) => self.assign(target, value),
            StatementSyntaxKind::Expression(expression) => self.call_statement(expression),
            StatementSyntaxKind::If(branches, otherwise) => {
                self.if_statement(branches, otherwise.as_deref())
            }
            StatementSyntaxKind::While(condition, body) => {
                self.while_statement(first, condition, body)
            }
            StatementSyntaxKind::Do(body, until) => self.do_statement(body, until.as_ref()),
            StatementSyntaxKind::For(parts) => self.for_statement(parts),
            StatementSyntaxKind::ForEach(iterated, body) => self.for_each(iterated, body),
            StatementSyntaxKind::Switch(value, body) => self.switch(first, value, body),
            StatementSyntaxKind::Case(_) | StatementSyntaxKind::Default => {
                let message = "this label stands within 'switch' alone";
                self.fail(DiagnosticKind::Misplaced, (first, statement.last), message)
            }
            StatementSyntaxKind::Break => self.break_statement(first),
            StatementSyntaxKind::Continue => self.continue_statement(first),
            StatementSyntaxKind::Return(value) => self.return_statement(first, value.as_ref()),
            StatementSyntaxKind::Stop => {
                self.token(0x08);
                Ok(())
            }
            StatementSyntaxKind::Assert(condition) => self.assert(first, condition),
            StatementSyntaxKind::GotoLabel(label) => {
                self.goto_label(label);
                Ok(())
            }
            StatementSyntaxKind::Goto(value) => {
                let value = self.converted(value, &ValueType::Name)?;
                self.token(0x0d);
                self.emit(value.code);
                Ok(())
            }
            StatementSyntaxKind::Label(label) => {
                self.label_statement(label);
                Ok(())
            }
        }
    }

    fn assign(&mut self, target: &'a Expression, value: &'a Expression) -> Generated<()> {
        let place = self.expression(target, Want::NOTHING)?;
        if !place.is_place {
            let message = "nothing can be put into this: it is no variable";
            return self.fail(DiagnosticKind::Type, (target.first, target.last), message);
        }
        let value = self.converted(value, &place.of)?;
        let token = match place.of {
            ValueType::Bool => 0x14,
            ValueType::Delegate(_) if self.dialect.is_ue2() => 0x45,
            ValueType::Delegate(_) => 0x44,
            _ => 0x0f,
        };
        if !self.is_in_for {
            self.emit_mark(0x00, MarkAt::Next);
        }
        self.token(token);
        self.emit(place.changed().code);
        self.emit(value.code);
        Ok(())
    }

    fn call_statement(&mut self, expression: &'a Expression) -> Generated<()> {
        let value = self.expression(expression, Want::NOTHING)?;
        match value.function {
            Some(_) if !self.dialect.is_ue3() => {
                if value.of == ValueType::Text {
                    self.token(0x0e);
                }
            }
            Some(function) if self.needs_constructor(&value.of, 0) => {
                self.emit([
                    CodeItem::Token(0x0e),
                    CodeItem::Object(CodeReference::Result(function)),
                ]);
            }
            Some(_) => {}
            // Those of arrays are no functions.
            None if is_call(expression) => {}
            None => {
                let tokens = (expression.first, expression.last);
                self.warn(tokens, "this statement does nothing: it neither calls nor assigns");
            }
        }
        self.emit(value.code);
        Ok(())
    }

    /// Whether a value holds memory of its own: strings, dynamic arrays, structs with such.
    fn needs_constructor(&mut self, of: &ValueType, depth: u32) -> bool {
        let id = match of {
            ValueType::Text | ValueType::Array(_) | ValueType::Map => return true,
            ValueType::Struct(id) if depth < 16 => *id,
            _ => return false,
        };
        if let Some(needs) = self.constructed_structs.get(&id) {
            return *needs;
        }
        let symbols = self.symbols;
        let chain: Vec<SymbolId> = symbols.struct_chain(id).collect();
        let needs = chain.into_iter().any(|id| {
            let members = symbols.structure(id).map_or(&[][..], |it| &it.members);
            members.iter().any(|row| {
                let of = symbols.type_of(SymbolId { class: id.class, row: *row });
                self.needs_constructor(&of, depth + 1)
            })
        });
        self.constructed_structs.insert(id, needs);
        needs
    }

    fn jump(&mut self, label: u32) {
        self.emit([CodeItem::Token(0x06), CodeItem::Label(label)]);
    }

    fn jump_unless(&mut self, label: u32, condition: TypedValue) {
        self.emit([CodeItem::Token(0x07), CodeItem::Label(label)]);
        self.emit(condition.code);
    }

    fn if_statement(
        &mut self,
        branches: &'a [Branch],
        otherwise: Option<&'a StatementSyntax>,
    ) -> Generated<()> {
        let end = self.label();
        let mut result = Ok(());
        for (at, branch) in branches.iter().enumerate() {
            let is_last = at + 1 == branches.len() && otherwise.is_none();
            self.at = branch.word + 1;
            self.emit_mark(0x01, if at == 0 { MarkAt::Behind } else { MarkAt::Next });
            self.at = branch.word + 2;
            let next = self.label();
            match self.condition(&branch.condition) {
                Ok(condition) => self.jump_unless(next, condition),
                Err(failed) => result = Err(failed),
            }
            if let Err(failed) = self.statement(&branch.body) {
                result = Err(failed);
            }
            if !is_last {
                self.jump(end);
            }
            self.here(next);
        }
        if let Some(otherwise) = otherwise
            && let Err(failed) = self.statement(otherwise)
        {
            result = Err(failed);
        }
        self.here(end);
        result
    }

    fn body(
        &mut self,
        kind: NestKind,
        end: u32,
        next: u32,
        body: &'a StatementSyntax,
    ) -> Generated<()> {
        self.nests.push(Nest { kind, end, next });
        let result = self.statement(body);
        self.nests.pop();
        result
    }

    fn while_statement(
        &mut self,
        word: u32,
        condition: &'a Expression,
        body: &'a StatementSyntax,
    ) -> Generated<()> {
        let (top, end, next) = (self.label(), self.label(), self.label());
        self.here(top);
        self.emit_mark(0x03, MarkAt::Byte(self.syntax.token(word).end));
        self.at = word + 2;
        let condition = self.condition(condition);
        if let Ok(condition) = condition {
            self.jump_unless(end, condition);
        }
        let result = self.body(NestKind::Loop, end, next, body);
        // `continue` goes to this jump, not to the top (spec: ue1-3/15 §15.8).
        self.here(next);
        self.jump(top);
        self.here(end);
        result
    }

    fn do_statement(
        &mut self,
        body: &'a StatementSyntax,
        until: Option<&'a Expression>,
    ) -> Generated<()> {
        let (top, end, next) = (self.label(), self.label(), self.label());
        self.here(top);
        let mut result = self.body(NestKind::Loop, end, next, body);
        self.here(next);
        match until {
            Some(until) => match self.condition(until) {
                Ok(condition) => self.jump_unless(top, condition),
                Err(failed) => result = Err(failed),
            },
            None => self.jump(top),
        }
        self.here(end);
        result
    }

    fn for_statement(&mut self, parts: &'a For) -> Generated<()> {
        let (top, end, next) = (self.label(), self.label(), self.label());
        let mut result = Ok(());
        self.at = parts.open + 1;
        self.emit_mark(0x50, MarkAt::Behind);
        let is_in_for = std::mem::replace(&mut self.is_in_for, true);
        if let Some(init) = &parts.init {
            result = self.statement(init);
        }
        self.here(top);
        self.at = parts.first_semicolon + 1;
        self.emit_mark(0x51, MarkAt::Behind);
        self.is_in_for = false;
        match parts.condition.as_ref().map(|condition| self.condition(condition)) {
            Some(Ok(condition)) => self.jump_unless(end, condition),
            Some(Err(failed)) => result = Err(failed),
            None => {}
        }
        if let Err(failed) = self.body(NestKind::For, end, next, &parts.body) {
            result = Err(failed);
        }
        self.here(next);
        self.at = parts.second_semicolon + 1;
        self.emit_mark(0x52, MarkAt::Behind);
        self.is_in_for = true;
        if let Some(step) = &parts.step
            && let Err(failed) = self.statement(step)
        {
            result = Err(failed);
        }
        self.is_in_for = is_in_for;
        self.jump(top);
        self.here(end);
        result
    }

    fn for_each(&mut self, iterated: &'a Expression, body: &'a StatementSyntax) -> Generated<()> {
        let (end, next) = (self.label(), self.label());
        let array = if self.dialect.is_ue3() { self.iterated_array(iterated)? } else { None };
        let (value, head) = match array {
            Some((value, rest)) => {
                self.token(0x58);
                let start = (self.out.len(), self.size);
                self.emit(value.code.iter().cloned());
                self.emit(rest);
                self.emit([CodeItem::Label(end)]);
                self.at = iterated.last + 1;
                self.emit_mark(0x42, MarkAt::Behind);
                (value, start)
            }
            None => {
                let value = self.expression(iterated, Want::NOTHING)?;
                let tokens = (iterated.first, iterated.last);
                if value.function.is_none() {
                    let message = "'foreach' takes the call of an iterator function";
                    return self.fail(DiagnosticKind::Type, tokens, message);
                }
                self.token(0x2f);
                let start = (self.out.len(), self.size);
                self.emit(value.code.iter().cloned());
                self.emit([CodeItem::Label(end)]);
                self.emit_mark(0x42, MarkAt::Next);
                (value, start)
            }
        };
        let result = self.body(NestKind::ForEach, end, next, body);
        self.here(next);
        self.token(0x31);
        self.here(end);
        self.token(0x30);
        // In UE3 what is passed over where there is no object reaches behind the loop.
        if let Some((before, between)) = value.context.filter(|_| self.dialect.is_ue3())
            && value.starts_with(0x19)
            && let Some(context) = value.code.get(..before + between)
        {
            let inner = head.1.saturating_add(self.size_of(context));
            let skip = self.size.saturating_sub(inner);
            if let Some(item) = self.out.get_mut(head.0 + before) {
                *item = CodeItem::Skip(skip);
            }
        }
        result
    }

    /// The array of `foreach Array(item[, index])`, and what follows it; `None` where it is no array.
    fn iterated_array(
        &mut self,
        iterated: &'a Expression,
    ) -> Generated<Option<(TypedValue, Vec<CodeItem>)>> {
        let [ExpressionItem::Operand(operand)] = &iterated.items[..] else { return Ok(None) };
        let Some(PostfixKind::Arguments(given)) = operand.behind.last().map(|it| &it.kind) else {
            return Ok(None);
        };
        let (at, count) = (self.at, self.diagnostics.len());
        let array = self.part_of_operand(operand, operand.behind.len() - 1);
        let array =
            array.ok().filter(|value| matches!(value.of, ValueType::Array(_)) && !value.is_array);
        let Some(array) = array else {
            self.at = at;
            self.diagnostics.truncate(count);
            return Ok(None);
        };
        let (Some(Some(item)), true) = (given.first(), given.len() <= 2) else {
            let message = "'foreach' over an array takes a variable, and perhaps one for the index";
            return self.fail(DiagnosticKind::Type, (iterated.first, iterated.last), message);
        };
        let mut rest = self.expression(item, Want::NOTHING)?.code;
        match given.get(1) {
            Some(Some(index)) => {
                rest.push(CodeItem::Byte(1));
                rest.extend(self.expression(index, Want::NOTHING)?.code);
            }
            _ => rest.extend([CodeItem::Byte(0), CodeItem::Token(0x4a)]),
        }
        Ok(Some((array, rest)))
    }

    fn part_of_operand(
        &mut self,
        operand: &'a crate::compile::syntax::Operand,
        end: usize,
    ) -> Generated<TypedValue> {
        let mut tail = Tail::until(operand, end);
        let value = self.operand_head(&mut tail)?;
        self.behind(value, &mut tail, Want::NOTHING)
    }

    fn switch(
        &mut self,
        word: u32,
        value: &'a Expression,
        body: &'a [StatementSyntax],
    ) -> Generated<()> {
        self.at = word + 1;
        self.emit_mark(0x02, MarkAt::Behind);
        let value = self.expression(value, Want::NOTHING)?;
        self.token(0x05);
        let file = self.dialect.file();
        let size = self.type_size(&value.of);
        if self.dialect.is_ue3() && self.dialect.names_properties() {
            let property = match value.function {
                Some(function) => CodeReference::Result(function),
                None => value.variable.map_or(CodeReference::Null, CodeReference::Variable),
            };
            self.emit([CodeItem::Object(property), CodeItem::Byte(0)]);
        } else if (514..588).contains(&file) {
            self.emit([CodeItem::Word(u16::try_from(size).unwrap_or(0))]);
        } else {
            let [low, ..] = size.to_le_bytes();
            self.emit([CodeItem::Byte(low)]);
        }
        let of = value.of.clone();
        self.emit(value.code);
        let end = self.label();
        self.nests.push(Nest { kind: NestKind::Switch, end, next: end });
        let result = self.cases(body, &of);
        self.nests.pop();
        self.here(end);
        result
    }

    fn cases(&mut self, body: &'a [StatementSyntax], of: &ValueType) -> Generated<()> {
        let (mut next, mut has_default, mut result) = (None, false, Ok(()));
        for statement in body {
            self.at = statement.first;
            match &statement.kind {
                StatementSyntaxKind::Case(value) => {
                    if let Some(label) = next {
                        self.here(label);
                    }
                    let label = self.label();
                    next = Some(label);
                    self.at = statement.first + 1;
                    match self.converted(value, of) {
                        Ok(value) => {
                            self.emit([CodeItem::Token(0x0a), CodeItem::Label(label)]);
                            self.emit(value.code);
                        }
                        Err(failed) => result = Err(failed),
                    }
                }
                StatementSyntaxKind::Default => {
                    if let Some(label) = next.take() {
                        self.here(label);
                    }
                    has_default = true;
                    self.emit([CodeItem::Token(0x0a), CodeItem::NoLabel]);
                }
                _ => {
                    if let Err(failed) = self.statement(statement) {
                        result = Err(failed);
                    }
                }
            }
        }
        if let Some(label) = next {
            self.here(label);
        }
        if !has_default {
            self.emit([CodeItem::Token(0x0a), CodeItem::NoLabel]);
        }
        result
    }

    fn break_statement(&mut self, word: u32) -> Generated<()> {
        self.at = word + 1;
        let Some(nest) = self.nests.last().copied() else {
            let message = "'break' stands within a loop or 'switch' alone";
            return self.fail(DiagnosticKind::Misplaced, (word, word), message);
        };
        let mark = match nest.kind {
            NestKind::Loop => 0x60,
            NestKind::For => 0x61,
            NestKind::ForEach => 0x62,
            NestKind::Switch => 0x63,
        };
        self.emit_mark(mark, MarkAt::Behind);
        self.jump(nest.end);
        Ok(())
    }

    fn continue_statement(&mut self, word: u32) -> Generated<()> {
        self.at = word + 1;
        let nest = self.nests.iter().rev().find(|nest| nest.kind != NestKind::Switch).copied();
        let Some(nest) = nest else {
            let message = "'continue' stands within a loop alone";
            return self.fail(DiagnosticKind::Misplaced, (word, word), message);
        };
        let mark = match nest.kind {
            NestKind::For => 0x72,
            NestKind::ForEach => 0x71,
            _ => 0x70,
        };
        self.emit_mark(mark, MarkAt::Behind);
        match nest.kind {
            NestKind::ForEach => {
                self.token(0x31);
                self.jump(nest.end);
            }
            _ => self.jump(nest.next),
        }
        Ok(())
    }

    fn return_statement(&mut self, word: u32, value: Option<&'a Expression>) -> Generated<()> {
        self.at = word + 1;
        let loops = self.nests.iter().filter(|nest| nest.kind == NestKind::ForEach).count();
        self.emit(std::iter::repeat_n(CodeItem::Token(0x30), loops));
        self.emit_mark(if value.is_some() { 0x10 } else { 0x11 }, MarkAt::Behind);
        match value {
            None => {
                self.empty_return(self.function);
                self.emit_mark(0x30, MarkAt::Behind);
            }
            Some(value) => {
                if self.result == ValueType::Void {
                    let message = "nothing is returned here: the function has no result";
                    return self.fail(DiagnosticKind::Type, (value.first, value.last), message);
                }
                let of = self.result.clone();
                let value = self.converted(value, &of)?;
                self.token(0x04);
                self.emit(value.code);
                self.emit_mark(0x30, MarkAt::Next);
            }
        }
        Ok(())
    }

    /// `return` without a value.
    pub(super) fn empty_return(&mut self, function: Option<SymbolId>) {
        self.token(0x04);
        match function.filter(|_| self.dialect.is_ue3() && self.result != ValueType::Void) {
            Some(function) => {
                self.emit([
                    CodeItem::Token(0x3a),
                    CodeItem::Object(CodeReference::Result(function)),
                ]);
            }
            None => self.token(0x0b),
        }
    }

    fn assert(&mut self, word: u32, condition: &'a Expression) -> Generated<()> {
        self.at = word + 2;
        let condition = self.condition(condition)?;
        let line = self.syntax.source.line(self.syntax.token(word).start as usize);
        self.emit([CodeItem::Token(0x09), CodeItem::Word(line as u16)]);
        if self.dialect.is_ue3() {
            self.emit([CodeItem::Byte(0)]);
        }
        self.emit(condition.code);
        Ok(())
    }

    fn goto_label(&mut self, label: &Word) {
        let folded = fold(&label.text);
        if self.function.is_none() {
            // States look labels up by their names when they run.
            let value = match self.find_variable(self.class, &folded) {
                Some((variable, of)) if of == ValueType::Name => {
                    self.variable_value(0x01, variable, of)
                }
                _ => self.name_value(&label.text),
            };
            self.token(0x0d);
            self.emit(value.code);
            return;
        }
        let target = self.named_label(&folded);
        self.wanted_labels.push((target, label.token));
        self.jump(target);
    }

    fn named_label(&mut self, folded: &str) -> u32 {
        if let Some(label) = self.named_labels.get(folded) {
            return *label;
        }
        let label = self.label();
        self.named_labels.insert(folded.to_owned(), label);
        label
    }

    fn label_statement(&mut self, label: &Word) {
        if self.function.is_some() {
            let target = self.named_label(&fold(&label.text));
            self.here(target);
        } else {
            self.state_labels.push((label.text.clone(), self.size));
        }
        self.at = label.token + 2;
        if self.dialect.has_debug_marks {
            self.token(0x0b);
            self.emit_mark(0x22, MarkAt::Behind);
        }
    }
}

/// Whether parentheses with arguments end an expression.
fn is_call(expression: &Expression) -> bool {
    match &expression.items[..] {
        [ExpressionItem::Operand(operand)] => {
            operand.behind.last().is_some_and(|last| matches!(last.kind, PostfixKind::Arguments(_)))
        }
        _ => false,
    }
}
