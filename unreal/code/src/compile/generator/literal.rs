//! Numbers, texts, names and vectors (spec: ue1-3/15 §15.2, §15.4).

use std::rc::Rc;

use super::value::{Literal, TypedValue, Want};
use super::{CodeItem, Generated, Generator};
use crate::compile::declarations::fold;
use crate::compile::diagnostic::DiagnosticKind;
use crate::compile::syntax::{Expression, ExpressionItem, OperandBase, Syntax};
use crate::compile::token::TokenKind;
use crate::compile::types::ValueType;

/// A number of a text.
#[derive(Debug, Clone, Copy)]
pub(super) enum Number {
    Int(i64),
    Float(f64),
}

impl Number {
    fn negated(self) -> Self {
        match self {
            Self::Int(value) => Self::Int(value.wrapping_neg()),
            Self::Float(value) => Self::Float(-value),
        }
    }

    fn float(self) -> f64 {
        match self {
            Self::Int(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    fn int(self) -> i64 {
        match self {
            Self::Int(value) => value,
            Self::Float(value) => value as i64,
        }
    }
}

/// A double rounded to a single.
fn single(value: f64) -> CodeItem {
    CodeItem::Float(value as f32)
}

/// The 32 bits of a number.
fn bits(value: i64) -> i32 {
    value as i32
}

impl<'a> Generator<'a> {
    /// The number that a token is.
    fn number_in(&mut self, syntax: &Syntax, token: u32) -> Generated<Number> {
        let text = syntax.text(token).to_ascii_lowercase();
        let parsed = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok().map(|it| Number::Int(it as i64)),
            None => {
                // UE1 ignores the letter behind whole numbers.
                let is_whole = !text.contains(['.', 'e']);
                let digits = text.strip_suffix('f').unwrap_or(&text);
                let second = digits.match_indices('.').nth(1).map_or(digits.len(), |(at, _)| at);
                let digits = digits.get(..second).unwrap_or(digits);
                match is_whole && (self.dialect.is_ue1() || !text.ends_with('f')) {
                    true => digits.parse::<i64>().ok().map(Number::Int),
                    false => digits.parse::<f64>().ok().map(Number::Float),
                }
            }
        };
        match parsed {
            Some(number) => Ok(number),
            None => {
                let message = format!("'{text}' is no number of 32 bits");
                self.fail(DiagnosticKind::Syntax, (token, token), message)
            }
        }
    }

    /// A number in the text, with a minus before it or without.
    pub(super) fn number(
        &mut self,
        token: u32,
        is_negative: bool,
        want: Want<'_>,
    ) -> Generated<TypedValue> {
        let syntax = self.syntax;
        let number = self.number_in(syntax, token)?;
        self.at = token + 1;
        Ok(match if is_negative { number.negated() } else { number } {
            Number::Int(value) => self.int(value, want),
            Number::Float(value) => self.float(value, want),
        })
    }

    /// A whole number where a type is wanted.
    pub(super) fn int(&self, value: i64, want: Want<'_>) -> TypedValue {
        if want.is_float() {
            return self.float(value as f64, Want::NOTHING);
        }
        // 255 is no byte in UE1 and UE2 (spec: ue1-3/15 §15.4).
        let bytes = match self.dialect.is_ue3() {
            true => -1..=255,
            false => 0..=if self.dialect.literals_take_types { 255 } else { 254 },
        };
        let literal = Literal::Int(value);
        if want.is_byte() && bytes.contains(&value) {
            let code = vec![CodeItem::Token(0x24), CodeItem::Byte(value as u8)];
            return TypedValue::literal(code, ValueType::Byte(None), literal);
        }
        let code = match value {
            0 => vec![CodeItem::Token(0x25)],
            1 => vec![CodeItem::Token(0x26)],
            2..=255 => vec![CodeItem::Token(0x2c), CodeItem::Byte(value as u8)],
            _ => vec![CodeItem::Token(0x1d), CodeItem::Int(bits(value))],
        };
        TypedValue::literal(code, ValueType::Int, literal)
    }

    fn float(&self, value: f64, want: Want<'_>) -> TypedValue {
        let is_whole = value.fract() == 0.0 && value.abs() < 9.2e18;
        if (want.is_byte() || want.is_int()) && is_whole && !want.is_operand {
            return self.int(value as i64, want);
        }
        TypedValue::literal(
            vec![CodeItem::Token(0x1e), single(value)],
            ValueType::Float,
            Literal::Float,
        )
    }

    /// A text in double quotes.
    pub(super) fn text(&mut self, token: u32) -> TypedValue {
        let text = self.syntax.text(token);
        let inner = text.strip_prefix('"').unwrap_or(text);
        let inner = inner.strip_suffix('"').unwrap_or(inner);
        let text = self.unescaped(inner);
        self.at = token + 1;
        self.text_value(&text)
    }

    pub(super) fn text_value(&self, text: &str) -> TypedValue {
        let narrow = crate::primitive::ansi_bytes(text);
        let code = match narrow {
            Some(bytes) => vec![CodeItem::Token(0x1f), CodeItem::Text(bytes.into())],
            None => {
                let units: Vec<u16> = text.encode_utf16().collect();
                vec![CodeItem::Token(0x34), CodeItem::Wide(units.into())]
            }
        };
        TypedValue::literal(code, ValueType::Text, Literal::Other)
    }

    fn unescaped(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            if letter != '\\' {
                out.push(letter);
                continue;
            }
            match (letters.next(), self.dialect.is_ue1()) {
                (Some(next @ ('\\' | '"')), true) => out.push(next),
                (Some(next), true) => out.extend(['\\', next]),
                (Some('n'), false) => out.push('\n'),
                (Some('t'), false) => out.push('\t'),
                (Some(next), false) => out.push(next),
                (None, _) => out.push('\\'),
            }
        }
        out
    }

    pub(super) fn name_value(&self, name: &str) -> TypedValue {
        let name: Rc<str> = if name.is_empty() { "None".into() } else { name.into() };
        let code = vec![CodeItem::Token(0x21), CodeItem::Name(name.clone())];
        TypedValue::literal(code, ValueType::Name, Literal::Name(name))
    }

    /// `vect`, `rot` or `rng`: numbers and constants, with signs.
    pub(super) fn vector(
        &mut self,
        kind: &str,
        given: &'a [Option<Expression>],
        tokens: (u32, u32),
    ) -> Generated<TypedValue> {
        let (token, count, name) = match kind {
            "vect" => (0x23, 3, "vector"),
            "rot" => (0x22, 3, "rotator"),
            _ => (0x35, 2, "range"),
        };
        if given.len() != count {
            let message = format!("'{kind}' takes {count} numbers, not {}", given.len());
            return self.fail(DiagnosticKind::Type, tokens, message);
        }
        let mut code = vec![CodeItem::Token(token)];
        for part in given {
            let number = match part {
                Some(part) => self.component(self.syntax, part, 0)?,
                None => None,
            };
            let Some(number) = number else {
                let message = format!("'{kind}' takes numbers and constants");
                return self.fail(DiagnosticKind::Type, tokens, message);
            };
            code.push(match token {
                0x22 => CodeItem::Int(bits(number.int())),
                _ => single(number.float()),
            });
        }
        match self.symbols.find_struct(self.class, name) {
            Some(id) => Ok(TypedValue::literal(code, ValueType::Struct(id), Literal::Other)),
            None => {
                let message = format!("no struct '{name}' is at hand");
                self.fail(DiagnosticKind::UnknownName, tokens, message)
            }
        }
    }

    /// A number, or a constant that is one, with signs before it.
    fn component(
        &mut self,
        syntax: &'a Syntax,
        part: &'a Expression,
        depth: u32,
    ) -> Generated<Option<Number>> {
        let Some((ExpressionItem::Operand(operand), signs)) = part.items.split_last() else {
            return Ok(None);
        };
        let mut is_negative = false;
        for sign in signs {
            let ExpressionItem::Operator(token) = sign else { return Ok(None) };
            match syntax.text(*token) {
                "-" => is_negative = !is_negative,
                "+" => {}
                _ => return Ok(None),
            }
        }
        if !operand.behind.is_empty() || part.choice.is_some() || depth > 16 {
            return Ok(None);
        }
        let number = match &operand.base {
            OperandBase::Number => Some(self.number_in(syntax, operand.first)?),
            OperandBase::Word(word) => {
                let symbols = self.symbols;
                match symbols.find_constant(self.class, &fold(&word.text)) {
                    Some(constant) => {
                        self.component(&constant.syntax, &constant.value, depth + 1)?
                    }
                    None => None,
                }
            }
            _ => None,
        };
        Ok(number.map(|it| if is_negative { it.negated() } else { it }))
    }

    /// Whether a sign belongs to the number behind it.
    pub(super) fn is_signed(&self, sign: u32, number: u32) -> bool {
        let (sign, number) = (self.syntax.token(sign), self.syntax.token(number));
        number.kind == TokenKind::Number && sign.end == number.start
    }
}
