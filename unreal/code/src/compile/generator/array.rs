//! Operations of dynamic arrays (spec: ue1-3/15 §15.6).

use super::operand::Tail;
use super::value::{Literal, Value, Want};
use super::{CodeItem, Generated, Generator, MarkAt};
use crate::compile::declarations::fold;
use crate::compile::diagnostic::DiagnosticKind;
use crate::compile::symbols::SymbolId;
use crate::compile::syntax::{Expression, Word};
use crate::compile::types::Type;

impl<'a> Generator<'a> {
    pub(super) fn array_member(
        &mut self,
        array: Value,
        inner: Option<&Type>,
        word: &'a Word,
        tail: &mut Tail<'a>,
    ) -> Generated<Value> {
        if word.is("length") {
            let token = if self.dialect.is_ue3() { 0x36 } else { 0x37 };
            let modified = array.modified.iter().map(|at| at + 1).collect();
            let mut code = vec![CodeItem::Token(token)];
            code.extend(array.code.iter().cloned());
            let whole = array.recoded(code, Type::Int);
            return Ok(Value { modified, is_place: true, ..whole });
        }
        let tokens = (word.token, word.token);
        let Some((given, last)) = tail.arguments() else {
            let message = format!("an array has no member '{}'", word.text);
            return self.fail(DiagnosticKind::UnknownName, tokens, message);
        };
        self.at = word.token + 2;
        let inner = inner.cloned().unwrap_or(Type::Void);
        let value = self.operation_of_array(&array, &inner, word, given, last)?;
        self.at = last + 1;
        self.bounded(value, tokens)
    }

    fn argument(
        &mut self,
        given: &'a [Option<Expression>],
        at: usize,
        of: &Type,
        word: &Word,
    ) -> Generated<Value> {
        match given.get(at) {
            Some(Some(argument)) => self.converted(argument, of),
            _ => {
                let message = format!("'{}' takes more values", word.text);
                self.fail(DiagnosticKind::Type, (word.token, word.token), message)
            }
        }
    }

    fn operation_of_array(
        &mut self,
        array: &Value,
        inner: &Type,
        word: &'a Word,
        given: &'a [Option<Expression>],
        last: u32,
    ) -> Generated<Value> {
        let is_ue3 = self.dialect.is_ue3();
        let operation = fold(&word.text);
        let most = match operation.as_str() {
            "insert" | "remove" | "insertitem" => 2,
            "find" if matches!(inner, Type::Struct(_)) => 2,
            _ => 1,
        };
        if given.len() > most {
            let message = format!("'{}' takes {most} values, not {}", word.text, given.len());
            return self.fail(DiagnosticKind::Type, (word.token, last), message);
        }
        let (token, has_skip, arguments, of) = match operation.as_str() {
            "insert" | "remove" if !self.dialect.is_ue1() => {
                let at = self.argument(given, 0, &Type::Int, word)?;
                let count = match given.get(1) {
                    Some(_) => self.argument(given, 1, &Type::Int, word)?,
                    None => self.int(1, Want::NOTHING),
                };
                let token = match (operation.as_str(), is_ue3) {
                    ("insert", true) => 0x39,
                    ("remove", false) => 0x41,
                    _ => 0x40,
                };
                (token, false, vec![at, count], Type::Void)
            }
            "add" if is_ue3 => {
                (0x54, false, vec![self.argument(given, 0, &Type::Int, word)?], Type::Int)
            }
            "additem" if is_ue3 => {
                (0x55, true, vec![self.argument(given, 0, inner, word)?], Type::Int)
            }
            "removeitem" if is_ue3 => {
                (0x56, true, vec![self.argument(given, 0, inner, word)?], Type::Int)
            }
            "insertitem" if is_ue3 => {
                let at = self.argument(given, 0, &Type::Int, word)?;
                let item = self.argument(given, 1, inner, word)?;
                (0x57, true, vec![at, item], Type::Int)
            }
            "find" if is_ue3 && given.len() == 2 => {
                let (name, value) = self.find_by_member(inner, given, word)?;
                (0x47, true, vec![name, value], Type::Int)
            }
            "find" if is_ue3 => {
                (0x46, true, vec![self.argument(given, 0, inner, word)?], Type::Int)
            }
            "sort" if is_ue3 => {
                let delegate = Type::Delegate(None);
                let value = match given.first() {
                    Some(Some(argument)) => self.expression(argument, Want::of(&delegate))?,
                    _ => self.argument(given, 0, &delegate, word)?,
                };
                (0x59, true, vec![value], Type::Void)
            }
            _ => {
                let message = format!("arrays have no operation '{}' in this engine", word.text);
                return self.fail(DiagnosticKind::Unsupported, (word.token, word.token), message);
            }
        };
        self.at = last + 1;
        let mut end = Vec::new();
        if is_ue3 && (self.dialect.ends_operations() || token == 0x54) {
            end.push(CodeItem::Token(0x16));
            end.extend(self.mark(0x41, MarkAt::Behind));
        }
        let mut code = vec![CodeItem::Token(token)];
        code.extend(array.code.iter().cloned());
        let depth = arguments.iter().map(|it| it.depth).max().unwrap_or(0).max(array.depth) + 1;
        let arguments: Vec<CodeItem> =
            arguments.into_iter().flat_map(|it| it.code).chain(end).collect();
        if has_skip {
            code.push(CodeItem::Skip(self.size_of(&arguments)));
        }
        code.extend(arguments);
        Ok(Value { depth, ..Value::new(code, of) })
    }

    /// `Find('Member', value)`: the value is of the member's type.
    fn find_by_member(
        &mut self,
        inner: &Type,
        given: &'a [Option<Expression>],
        word: &Word,
    ) -> Generated<(Value, Value)> {
        let name = self.argument(given, 0, &Type::Name, word)?;
        let symbols = self.symbols;
        let member: Option<SymbolId> = match (inner, &name.literal) {
            (Type::Struct(id), Some(Literal::Name(name))) => {
                symbols.find_member(*id, &fold(name)).map(|(_, member)| member)
            }
            _ => None,
        };
        let Some(member) = member else {
            let message = "the first value of 'Find' is the name of a member of the array's struct";
            return self.fail(DiagnosticKind::UnknownName, (word.token, word.token), message);
        };
        let of = symbols.type_of(member);
        let value = self.argument(given, 1, &of, word)?;
        Ok((name, value))
    }
}
