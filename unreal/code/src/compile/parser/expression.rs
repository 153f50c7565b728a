//! Expressions.

use super::{Parsed, Parser};
use crate::compile::syntax::{
    Expression, ExpressionItem, Operand, OperandBase, Postfix, PostfixKind,
};
use crate::compile::token::TokenKind;

/// Signs that are no operators: expressions end before them.
const NO_OPERATORS: &[&str] = &[";", ")", ",", "]", ":", "{", "}", "=", "(", ".", "[", "?"];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Parsed<Expression> {
        self.nested(Self::read_expression)
    }

    fn read_expression(&mut self) -> Parsed<Expression> {
        let first = self.here();
        let mut items = Vec::new();
        let mut is_behind_operand = false;
        loop {
            let token = self.peek(0);
            let text = self.text_of(token);
            // A dot is an operator before a value alone: classes may declare one.
            let is_sign = token.kind == TokenKind::Symbol
                && (!NO_OPERATORS.contains(&text) || text == "." && !is_behind_operand);
            if !is_behind_operand && !is_sign {
                items.push(ExpressionItem::Operand(self.operand()?));
                is_behind_operand = true;
            } else if is_sign || is_behind_operand && token.kind == TokenKind::Word {
                items.push(ExpressionItem::Operator(self.next()));
                // What counts up or down stands behind its operand, if there is one.
                is_behind_operand = is_behind_operand && matches!(text, "++" | "--");
            } else {
                break;
            }
        }
        let choice = match self.take("?") {
            true => {
                let one = self.expression()?;
                self.need(":")?;
                Some(Box::new((one, self.expression()?)))
            }
            false => None,
        };
        Ok(Expression { first, last: self.last().max(first), items, choice })
    }

    /// A value with what is taken of it.
    pub(super) fn operand(&mut self) -> Parsed<Operand> {
        let first = self.here();
        let base = self.operand_base()?;
        let mut behind = Vec::new();
        let takes_arguments = !matches!(
            base,
            OperandBase::Number
                | OperandBase::Text
                | OperandBase::Name
                | OperandBase::Parentheses(_)
        );
        loop {
            let kind = if self.follows(".") {
                self.next();
                PostfixKind::Member(self.word("a name behind '.'")?)
            } else if self.follows("[") {
                self.next();
                let index = self.expression()?;
                self.need("]")?;
                PostfixKind::Index(index)
            } else if self.follows("(") && (takes_arguments || !behind.is_empty()) {
                PostfixKind::Arguments(self.arguments()?)
            } else {
                break;
            };
            behind.push(Postfix { last: self.last(), kind });
        }
        Ok(Operand { first, last: self.last().max(first), base, behind })
    }

    fn operand_base(&mut self) -> Parsed<OperandBase> {
        match self.peek(0).kind {
            TokenKind::Number => {
                self.next();
                Ok(OperandBase::Number)
            }
            TokenKind::Text => {
                self.next();
                Ok(OperandBase::Text)
            }
            TokenKind::Name => {
                self.next();
                Ok(OperandBase::Name)
            }
            TokenKind::Word => self.word_base(),
            TokenKind::Symbol if self.follows("(") => {
                self.next();
                let inner = self.expression()?;
                self.need(")")?;
                Ok(OperandBase::Parentheses(inner))
            }
            _ => self.expected("a value"),
        }
    }

    fn word_base(&mut self) -> Parsed<OperandBase> {
        if self.follows("class") && self.follows_at(1, "<") {
            self.next();
            self.next();
            let class = self.path("a class")?;
            self.need_angle()?;
            self.need("(")?;
            let value = self.expression()?;
            self.need(")")?;
            return Ok(OperandBase::ClassCast(class, Box::new(value)));
        }
        if self.follows("new") && (self.is_word(1) || self.follows_at(1, "(")) {
            return self.nested(|it| {
                it.next();
                let given = match it.follows("(") {
                    true => it.arguments()?,
                    false => Vec::new(),
                };
                Ok(OperandBase::New(given, Box::new(it.operand()?)))
            });
        }
        let word = self.any_word();
        if self.peek(0).kind == TokenKind::Name {
            return Ok(OperandBase::Object(word, self.next()));
        }
        Ok(OperandBase::Word(word))
    }

    /// Values in parentheses.
    fn arguments(&mut self) -> Parsed<Vec<Option<Expression>>> {
        self.need("(")?;
        let mut given = Vec::new();
        if self.take(")") {
            return Ok(given);
        }
        loop {
            given.push(match self.follows(",") || self.follows(")") {
                true => None,
                false => Some(self.expression()?),
            });
            if !self.take(",") {
                self.need(")")?;
                return Ok(given);
            }
        }
    }
}
