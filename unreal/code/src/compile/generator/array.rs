//! Operations of dynamic arrays (spec: ue1-3/15 §15.6).

use super::tail::Tail;
use super::value::{Literal, TypedValue, Want};
use super::{CodeItem, Generated, Generator, MarkAt};
use crate::compile::declarations::fold;
use crate::compile::diagnostic::DiagnosticKind;
use crate::compile::symbols::SymbolId;
use crate::compile::syntax::{Expression, Word};
use crate::compile::types::ValueType;

impl<'a> Generator<'a> {
    pub(super) fn array_member(
        &mut self,
        array: TypedValue,
        inner: Option<&ValueType>,
        word: &'a Word,
        tail: &mut Tail<'a>,
    ) -> Generated<TypedValue> {
        if word.is("length") {
            let token = if self.dialect.is_ue3() { 0x36 } else { 0x37 };
            let modified = array.modified.iter().map(|at| at + 1).collect();
            let mut code = vec![CodeItem::Token(token)];
            code.extend(array.code.iter().cloned());
            let whole = array.recoded(code, ValueType::Int);
            return Ok(TypedValue { modified, is_place: true, ..whole });
        }
        let tokens = (word.token, word.token);
        let Some((given, last)) = tail.arguments() else {
            let message = format!("an array has no member '{}'", word.text);
            return self.fail(DiagnosticKind::UnknownName, tokens, message);
        };
        self.at = word.token + 2;
        let inner = inner.cloned().unwrap_or(ValueType::Void);
        let value = self.operation_of_array(&array, &inner, word, given, last)?;
        self.at = last + 1;
        self.bounded(value, tokens)
    }

    fn argument(
        &mut self,
        given: &'a [Option<Expression>],
        at: usize,
        of: &ValueType,
        word: &Word,
    ) -> Generated<TypedValue> {
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
        array: &TypedValue,
        inner: &ValueType,
        word: &'a Word,
        given: &'a [Option<Expression>],
        last: u32,
    ) -> Generated<TypedValue> {
        let is_ue3 = self.dialect.is_ue3();
        let operation = fold(&word.text);
        let most = match operation.as_str() {
            "insert" | "remove" | "insertitem" => 2,
            "find" if matches!(inner, ValueType::Struct(_)) => 2,
            _ => 1,
        };
        if given.len() > most {
            let message = format!("'{}' takes {most} values, not {}", word.text, given.len());
            return self.fail(DiagnosticKind::Type, (word.token, last), message);
        }
        let (token, has_skip, arguments, of) = match operation.as_str() {
            "insert" | "remove" if !self.dialect.is_ue1() => {
                let at = self.argument(given, 0, &ValueType::Int, word)?;
                let count = match given.get(1) {
                    Some(_) => self.argument(given, 1, &ValueType::Int, word)?,
                    None => self.int(1, Want::NOTHING),
                };
                let token = match (operation.as_str(), is_ue3) {
                    ("insert", true) => 0x39,
                    ("remove", false) => 0x41,
                    _ => 0x40,
                };
                (token, false, vec![at, count], ValueType::Void)
            }
            "add" if is_ue3 => {
                (0x54, false, vec![self.argument(given, 0, &ValueType::Int, word)?], ValueType::Int)
            }
            "additem" if is_ue3 => {
                (0x55, true, vec![self.argument(given, 0, inner, word)?], ValueType::Int)
            }
            "removeitem" if is_ue3 => {
                (0x56, true, vec![self.argument(given, 0, inner, word)?], ValueType::Int)
            }
            "insertitem" if is_ue3 => {
                let at = self.argument(given, 0, &ValueType::Int, word)?;
                let item = self.argument(given, 1, inner, word)?;
                (0x57, true, vec![at, item], ValueType::Int)
            }
            "find" if is_ue3 && given.len() == 2 => {
                let (name, value) = self.find_by_member(inner, given, word)?;
                (0x47, true, vec![name, value], ValueType::Int)
            }
            "find" if is_ue3 => {
                (0x46, true, vec![self.argument(given, 0, inner, word)?], ValueType::Int)
            }
            "sort" if is_ue3 => {
                let delegate = ValueType::Delegate(None);
                let value = match given.first() {
                    Some(Some(argument)) => self.expression(argument, Want::of(&delegate))?,
                    _ => self.argument(given, 0, &delegate, word)?,
                };
                (0x59, true, vec![value], ValueType::Void)
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
        Ok(TypedValue { depth, ..TypedValue::new(code, of) })
    }

    /// `Find('Member', value)`: the value is of the member's type.
    fn find_by_member(
        &mut self,
        inner: &ValueType,
        given: &'a [Option<Expression>],
        word: &Word,
    ) -> Generated<(TypedValue, TypedValue)> {
        let name = self.argument(given, 0, &ValueType::Name, word)?;
        let symbols = self.symbols;
        let member: Option<SymbolId> = match (inner, &name.literal) {
            (ValueType::Struct(id), Some(Literal::Name(name))) => {
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
