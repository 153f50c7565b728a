//! Conversions that the text names: `int(x)`, `Pawn(x)`, `class<Pawn>(x)` (spec: ue1-3/15 §15.3).

use super::tail::Tail;
use super::value::{TypedValue, Want};
use super::{CodeItem, CodeReference, Generated, Generator};
use crate::compile::diagnostic::DiagnosticKind;
use crate::compile::symbols::ClassId;
use crate::compile::syntax::{Expression, Word};
use crate::compile::types::{Sort, ValueType};

impl<'a> Generator<'a> {
    /// UE1 and UE2 convert what stands in parentheses to what is wanted.
    pub(super) fn parentheses(
        &mut self,
        value: TypedValue,
        want: Want<'_>,
        tokens: (u32, u32),
    ) -> Generated<TypedValue> {
        let mut value = value;
        let is_number = matches!(self.sort(&value.of), Sort::Byte | Sort::Int | Sort::Float);
        if let Some(of) = want.of
            && !self.dialect.is_ue3()
            && !self.dialect.literals_take_types
            && of.is_number()
            && is_number
        {
            value = self.convert(value, of, tokens)?;
        }
        let (variable, function, depth) = (value.variable, value.function, value.depth);
        let is_array = value.is_array;
        Ok(TypedValue {
            variable,
            function,
            is_array,
            depth,
            ..TypedValue::new(value.code, value.of)
        })
    }

    /// The value between the parentheses that follow.
    pub(super) fn only_argument(
        &mut self,
        word: &Word,
        tail: &mut Tail<'a>,
    ) -> Generated<(&'a Expression, u32)> {
        match tail.arguments() {
            Some(([Some(argument)], last)) => {
                self.at = word.token + 2;
                Ok((argument, last))
            }
            _ => {
                let message = format!("the conversion '{}' takes one value", word.text);
                self.fail(DiagnosticKind::Type, (word.token, word.token), message)
            }
        }
    }

    /// `int(x)` and the like.
    pub(super) fn explicit(
        &mut self,
        folded: &str,
        word: &'a Word,
        tail: &mut Tail<'a>,
    ) -> Generated<TypedValue> {
        let of = match folded {
            "int" => ValueType::Int,
            "float" => ValueType::Float,
            "byte" => ValueType::Byte(None),
            "bool" => ValueType::Bool,
            "string" => ValueType::Text,
            "name" => ValueType::Name,
            _ => match self.symbols.find_struct(self.class, folded) {
                Some(id) => ValueType::Struct(id),
                None => return self.unknown("struct", word, self.class),
            },
        };
        let (argument, last) = self.only_argument(word, tail)?;
        let want = match self.dialect.literals_take_types && of.is_number() {
            true => Want::of(&of),
            false => Want::NOTHING,
        };
        let value = self.expression(argument, want)?;
        self.at = last + 1;
        let (from, to) = (self.sort(&value.of), self.sort(&of));
        if from == to {
            let (variable, depth) = (value.variable, value.depth);
            return Ok(TypedValue { variable, depth, ..TypedValue::new(value.code, of) });
        }
        match self.conversion(&from, &to) {
            Some(kind) => Ok(self.cast(&value, kind, of)),
            None => {
                let message = format!("cannot convert {} to {folded}", self.describe(&value));
                self.fail(DiagnosticKind::Type, (word.token, last), message)
            }
        }
    }

    pub(super) fn class_cast(&mut self, class: &Word, value: &TypedValue) -> Generated<TypedValue> {
        let symbols = self.symbols;
        let Some(id) = symbols.find_class(&class.text).or_else(|| symbols.find_class("object"))
        else {
            return self.unknown_class(class);
        };
        let of = ValueType::Class(Some(id));
        if let ValueType::Class(Some(from)) = value.of
            && symbols.is_a(from, id)
        {
            return Ok(TypedValue { of, is_place: false, ..value.clone() });
        }
        let mut code = vec![CodeItem::Token(0x13), CodeItem::Object(CodeReference::Class(id))];
        code.extend(value.code.iter().cloned());
        Ok(value.recoded(code, of))
    }

    pub(super) fn unknown_class<T>(&mut self, class: &Word) -> Generated<T> {
        let names = self.symbols.class_names();
        let hint = crate::compile::diagnostic::nearest(&class.text, names);
        let hint = hint.map(|name| format!("did you mean '{name}'?"));
        let message = format!("no class '{}' is at hand", class.text);
        self.fail_with(DiagnosticKind::UnknownName, (class.token, class.token), message, hint)
    }

    pub(super) fn object_cast(
        &mut self,
        class: ClassId,
        word: &'a Word,
        tail: &mut Tail<'a>,
    ) -> Generated<TypedValue> {
        let symbols = self.symbols;
        let (argument, last) = self.only_argument(word, tail)?;
        let value = self.expression(argument, Want::NOTHING)?;
        self.at = last + 1;
        let of = ValueType::Object(Some(class));
        let is_interface = symbols.class(class).is_interface;
        let is_from_interface = self.sort(&value.of) == Sort::Interface;
        if let ValueType::Object(Some(from)) = value.of
            && !is_interface
            && !is_from_interface
            && symbols.is_a(from, class)
        {
            let (variable, function) = (value.variable, value.function);
            let depth = value.depth;
            return Ok(TypedValue { variable, function, depth, ..TypedValue::new(value.code, of) });
        }
        if !matches!(value.of, ValueType::Object(_) | ValueType::None | ValueType::Class(_)) {
            let message = format!("cannot convert {} to {}", self.describe(&value), word.text);
            return self.fail(DiagnosticKind::Type, (word.token, last), message);
        }
        let is_between_interfaces = is_interface && self.dialect.is_ue3() && is_from_interface;
        let mut code = vec![
            CodeItem::Token(if is_between_interfaces { 0x52 } else { 0x2e }),
            CodeItem::Object(CodeReference::Class(class)),
        ];
        if is_from_interface && !is_interface {
            code.extend([CodeItem::Token(0x38), CodeItem::Byte(0x36)]);
        }
        code.extend(value.code.iter().cloned());
        Ok(value.recoded(code, of))
    }
}
