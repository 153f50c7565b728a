//! Functions.

use super::words::{self, has};
use super::{Parsed, Parser};
use crate::compile::diagnostic::DiagnosticKind;
use crate::compile::syntax::{Body, Function, FunctionKind, Modifier, ParameterSyntax, Word};
use crate::compile::token::TokenKind;

/// The kind of function that a word stands for.
fn kind_of(word: &str) -> Option<FunctionKind> {
    Some(match word.to_ascii_lowercase().as_str() {
        "function" => FunctionKind::Function,
        "event" => FunctionKind::Event,
        "delegate" => FunctionKind::Delegate,
        "operator" => FunctionKind::Operator,
        "preoperator" => FunctionKind::PreOperator,
        "postoperator" => FunctionKind::PostOperator,
        _ => return None,
    })
}

/// A number as declarations write them: decimal, or hexadecimal with `0x`.
fn number(text: &str) -> Option<u16> {
    match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => u16::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

impl Parser<'_> {
    /// Whether the words at hand declare a function: words of functions, one of which says the kind.
    pub(super) fn is_function(&self) -> bool {
        let mut ahead = 0;
        while self.is_word(ahead) && has(words::FUNCTION, self.peek_text(ahead)) {
            if kind_of(self.peek_text(ahead)).is_some() {
                let behind = self.peek(ahead + 1).kind;
                return behind == TokenKind::Word || self.follows_at(ahead + 1, "(");
            }
            ahead += 1;
            if self.follows_at(ahead, "(") {
                // A value in parentheses is a few tokens.
                let close = (1..8).find(|more| self.follows_at(ahead + more, ")"));
                match close {
                    Some(more) => ahead += more + 1,
                    None => return false,
                }
            }
            // No declaration has as many words.
            if ahead > 64 {
                return false;
            }
        }
        false
    }

    /// Whether the word at hand is a word of a function, not its type or name.
    fn is_function_word(&self) -> bool {
        let word = self.peek_text(0);
        if !self.is_word(0) || !has(words::FUNCTION, word) {
            return false;
        }
        match self.peek_text(1) {
            "(" => has(words::FUNCTION_WITH_VALUE, word),
            "<" => false,
            _ => true,
        }
    }

    pub(super) fn function(&mut self) -> Parsed<Function> {
        let first = self.here();
        let mut modifiers: Vec<Modifier> = Vec::new();
        while self.is_function_word() {
            modifiers.push(self.modifier()?);
        }
        let Some(kind) = modifiers.iter().rev().find_map(|it| kind_of(&it.word.text)) else {
            return self.expected("'function'");
        };
        let value_of = |words: &[&str]| {
            let modifier = modifiers.iter().find(|it| has(words, &it.word.text))?;
            Some((modifier.word.token, modifier.arguments.as_ref()?.first()?.clone()))
        };
        let native = value_of(&["native", "intrinsic"]);
        let precedence = value_of(&["operator"]);
        let native = native.and_then(|(token, text)| self.declared_number(token, &text));
        let precedence = precedence.and_then(|(token, text)| self.declared_number(token, &text));
        let mut is_result_coerced = false;
        while self.follows("coerce") {
            is_result_coerced = true;
            self.next();
        }
        self.fixed = None;
        let (result, name) = if kind.is_operator() {
            (Some(self.type_syntax()?), self.operator_name()?)
        } else if self.is_word(0) && self.follows_at(1, "(") {
            (None, self.any_word())
        } else {
            (Some(self.type_syntax()?), self.word("the name of the function")?)
        };
        self.need("(")?;
        let mut parameters = Vec::new();
        while !self.follows(")") {
            parameters.push(self.parameter()?);
            if !self.take(",") {
                break;
            }
        }
        let close = self.need(")")?;
        let is_const = self.take("const");
        let body = match self.follows(";") {
            true => None,
            false => Some(self.body()?),
        };
        let last = match body {
            Some(_) => self.last(),
            None => self.next(),
        };
        Ok(Function {
            first,
            last,
            modifiers,
            kind,
            native,
            precedence: precedence.and_then(|it| u8::try_from(it).ok()).unwrap_or(0),
            result,
            is_result_coerced,
            name,
            parameters,
            close,
            is_const,
            body,
        })
    }

    fn declared_number(&mut self, token: u32, text: &str) -> Option<u16> {
        let value = number(text);
        if value.is_none() {
            let token = self.token_at(token as usize);
            let range = (token.start as usize, token.end as usize);
            let message = format!("'{text}' is no number of a function: they go from 0 to 65535");
            self.report(DiagnosticKind::Syntax, range, message, None);
        }
        value
    }

    /// The word or the signs of an operator.
    fn operator_name(&mut self) -> Parsed<Word> {
        if self.is_word(0) {
            return Ok(self.any_word());
        }
        if self.peek(0).kind != TokenKind::Symbol {
            return self.expected("the symbol of the operator");
        }
        let mut name = self.any_word();
        let mut end = self.token_at(name.token as usize).end;
        while self.peek(0).kind == TokenKind::Symbol
            && !self.follows("(")
            && self.peek(0).start == end
        {
            end = self.peek(0).end;
            let more = self.any_word();
            name.text.push_str(&more.text);
        }
        Ok(name)
    }

    fn parameter(&mut self) -> Parsed<ParameterSyntax> {
        let mut modifiers = Vec::new();
        while has(words::PARAMETER, self.peek_text(0)) && self.is_word(1) {
            modifiers.push(self.any_word());
        }
        self.fixed = None;
        let of = self.type_syntax()?;
        let declared = self.declared()?;
        self.fixed = None;
        let value = match self.follows("=") {
            true => {
                let sign = self.next();
                Some((sign, self.expression()?))
            }
            false => None,
        };
        Ok(ParameterSyntax { modifiers, of, declared, value })
    }

    fn body(&mut self) -> Parsed<Body> {
        let open = self.need("{")?;
        let statements = self.statements()?;
        let close = self.need("}")?;
        Ok(Body { open, close, statements })
    }
}
