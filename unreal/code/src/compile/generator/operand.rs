//! Operands: what a name at their start means (spec: ue1-3/15 §15.3).

use super::call::CallKind;
use super::tail::Tail;
use super::value::{Literal, TypedValue, Want};
use super::{CodeItem, CodeReference, Generated, Generator};
use crate::compile::declarations::fold;
use crate::compile::diagnostic::DiagnosticKind;
use crate::compile::syntax::{Expression, ExpressionItem, Operand, OperandBase, PostfixKind, Word};
use crate::compile::types::ValueType;

impl<'a> Generator<'a> {
    pub(super) fn operand(
        &mut self,
        operand: &'a Operand,
        want: Want<'_>,
    ) -> Generated<TypedValue> {
        let tokens = (operand.first, operand.last);
        let value = self.nested(tokens, |it| {
            let mut tail = Tail::of(operand);
            let value = it.operand_base(&mut tail, want)?;
            it.behind(value, &mut tail, want)
        })?;
        self.at = operand.last + 1;
        self.bounded(value, tokens)
    }

    /// Compiles the start of an operand alone.
    pub(super) fn operand_head(&mut self, tail: &mut Tail<'a>) -> Generated<TypedValue> {
        self.operand_base(tail, Want::NOTHING)
    }

    fn operand_base(&mut self, tail: &mut Tail<'a>, want: Want<'_>) -> Generated<TypedValue> {
        let operand = tail.operand();
        let first = operand.first;
        match &operand.base {
            OperandBase::Number => self.number(first, false, want),
            OperandBase::Text => Ok(self.text(first)),
            OperandBase::Name => {
                self.at = first + 1;
                let name = unquoted(self.syntax.text(first));
                Ok(self.name_value(name))
            }
            OperandBase::Parentheses(inner) => {
                let value = self.expression(inner, want)?;
                self.at = inner.last + 2;
                self.parentheses(value, want, (inner.first, inner.last))
            }
            OperandBase::Object(word, name) => Ok(self.object_constant(word, *name)),
            OperandBase::ClassCast(class, value) => {
                let inner = self.expression(value, Want::NOTHING)?;
                self.at = value.last + 2;
                self.class_cast(class, &inner)
            }
            OperandBase::New(given, class) => self.creation(given, class, tail),
            OperandBase::Word(word) => self.word(word, tail, want),
        }
    }

    fn object_constant(&mut self, word: &Word, name: u32) -> TypedValue {
        self.at = name + 1;
        let path = unquoted(self.syntax.text(name));
        let last = path.rsplit('.').next().unwrap_or(path).trim();
        let object = self.symbols.find_class("object");
        let class = self.symbols.find_class(last).filter(|_| word.is("class"));
        let named = || CodeReference::Named((word.text.clone(), path.to_owned()).into());
        let reference = class.map_or_else(named, CodeReference::Class);
        let of = match word.is("class") {
            true => ValueType::Class(class.or(object)),
            false => ValueType::Object(self.symbols.find_class(&word.text).or(object)),
        };
        let code = vec![CodeItem::Token(0x20), CodeItem::Object(reference)];
        TypedValue::literal(code, of, Literal::Other)
    }

    /// A name at the start of an operand.
    fn word(
        &mut self,
        word: &'a Word,
        tail: &mut Tail<'a>,
        want: Want<'_>,
    ) -> Generated<TypedValue> {
        self.at = word.token + 1;
        let folded = fold(&word.text);
        if let Some(value) = self.language_word(&folded, word, tail, want) {
            return value;
        }
        let symbols = self.symbols;
        let is_call = tail.is_call();
        if let Some(local) = self.locals.get(&folded).copied() {
            let of = symbols.type_of(local);
            let is_delegate = matches!(of, ValueType::Delegate(_));
            if is_call && is_delegate {
                return self.delegate_call(local, true, word, tail);
            }
            if !is_call {
                let is_out = self.dialect.is_ue3() && self.is_out_parameter(local);
                return Ok(self.variable_value(if is_out { 0x48 } else { 0x00 }, local, of));
            }
        }
        if is_call {
            if let Some(value) = self.outer_call(&folded, word, tail, want) {
                return value;
            }
            return self.word_call(&folded, word, tail);
        }
        if let Some((variable, of)) = self.find_variable(self.class, &folded) {
            return Ok(self.variable_value(0x01, variable, of));
        }
        if let Some(constant) = symbols.find_constant(self.class, &folded) {
            return self.constant(constant, want);
        }
        if let Some(value) = self.enum_word(&folded, tail, want) {
            return value;
        }
        // The variable of a delegate.
        let delegate = folded.strip_prefix("__").and_then(|it| it.strip_suffix("__delegate"));
        if let Some(function) = delegate.and_then(|it| self.find_function(it)) {
            return Ok(self.function_value(function, &word.text));
        }
        if let Some(function) = self.find_function(&folded) {
            return self.called(function, CallKind::default(), word, tail);
        }
        self.unknown("variable", word, self.class)
    }

    /// Words of the language.
    fn language_word(
        &mut self,
        folded: &str,
        word: &'a Word,
        tail: &mut Tail<'a>,
        want: Want<'_>,
    ) -> Option<Generated<TypedValue>> {
        let is_call = tail.is_call();
        let simple =
            |token, of| Ok(TypedValue::literal(vec![CodeItem::Token(token)], of, Literal::Other));
        Some(match folded {
            "vect" | "rot" | "rng" if is_call => {
                let (given, last) = tail.arguments()?;
                let value = self.vector(folded, given, (word.token, last));
                self.at = last + 1;
                value
            }
            "true" => simple(0x27, ValueType::Bool),
            "false" => simple(0x28, ValueType::Bool),
            "none" => simple(0x2a, ValueType::None),
            "self" => Ok(TypedValue::new(
                vec![CodeItem::Token(0x17)],
                ValueType::Object(Some(self.class)),
            )),
            "arraycount" if is_call => self.array_count(word, tail, want),
            "nameof" if is_call => {
                let (given, last) = tail.arguments()?;
                self.at = last + 1;
                match named(given) {
                    Some(name) => Ok(self.name_value(name)),
                    None => {
                        let message = "'nameof' takes the name of a variable or function";
                        self.fail(DiagnosticKind::Syntax, (word.token, last), message)
                    }
                }
            }
            "default" if tail.is_member() => {
                let member = tail.member()?;
                self.member_variable(self.class, member, 0x02)
            }
            "static" if tail.is_member() => {
                let member = tail.member()?;
                match self.find_function(&fold(&member.text)) {
                    Some(function) => self.called(function, CallKind::default(), member, tail),
                    None => self.unknown("function", member, self.class),
                }
            }
            "global" if tail.is_member() => {
                let member = tail.member()?;
                let kind = CallKind { is_global: true, ..CallKind::default() };
                match self.symbols.find_function(self.class, &fold(&member.text)) {
                    Some(function) => self.called(function, kind, member, tail),
                    None => self.unknown("function", member, self.class),
                }
            }
            "super" => self.super_call(word, tail),
            "class" if is_call => {
                let (given, last) = tail.arguments()?;
                self.at = word.token + 2;
                let [Some(value)] = given else {
                    let message = "'class' takes one value";
                    return Some(self.fail(DiagnosticKind::Type, (word.token, last), message));
                };
                let object = Word { text: "Object".to_owned(), token: word.token };
                let inner = self.expression(value, Want::NOTHING);
                self.at = last + 1;
                inner.and_then(|inner| self.class_cast(&object, &inner))
            }
            "int" | "float" | "byte" | "bool" | "string" | "name" | "vector" | "rotator"
                if is_call =>
            {
                self.explicit(folded, word, tail)
            }
            _ => return None,
        })
    }
}

fn unquoted(text: &str) -> &str {
    text.trim_matches('\'').trim()
}

/// The last name of a path that stands alone in parentheses.
pub(super) fn named(given: &[Option<Expression>]) -> Option<&str> {
    let [Some(Expression { items, .. })] = given else { return None };
    let [ExpressionItem::Operand(Operand { base: OperandBase::Word(word), behind, .. })] =
        &items[..]
    else {
        return None;
    };
    match behind.last().map(|it| &it.kind) {
        None => Some(&word.text),
        Some(PostfixKind::Member(member)) => Some(&member.text),
        Some(_) => None,
    }
}
