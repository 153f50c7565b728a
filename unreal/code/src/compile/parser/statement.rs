//! Statements.

use super::{Parsed, Parser};
use crate::compile::diagnostic::DiagnosticKind;
use crate::compile::syntax::{Branch, For, StatementSyntax, StatementSyntaxKind};
use crate::compile::token::TokenKind;

impl Parser<'_> {
    /// Statements up to a closing brace, which is not taken.
    pub(super) fn statements(&mut self) -> Parsed<Vec<StatementSyntax>> {
        let mut statements = Vec::new();
        while !self.follows("}") {
            if self.is_end() {
                return self.expected("'}'");
            }
            let start = self.at;
            match self.statement() {
                Ok(statement) => statements.push(statement),
                Err(_) => {
                    self.recover();
                    if self.at == start && !self.follows("}") {
                        self.next();
                    }
                }
            }
        }
        Ok(statements)
    }

    /// A statement within others.
    fn inner(&mut self) -> Parsed<StatementSyntax> {
        self.nested(Self::statement)
    }

    fn statement(&mut self) -> Parsed<StatementSyntax> {
        let first = self.here();
        let kind = self.statement_kind()?;
        Ok(StatementSyntax { first, last: self.last().max(first), kind })
    }

    fn statement_kind(&mut self) -> Parsed<StatementSyntaxKind> {
        if self.take(";") {
            return Ok(StatementSyntaxKind::Empty);
        }
        if self.follows("{") {
            return self.nested(|it| {
                it.next();
                let statements = it.statements()?;
                it.need("}")?;
                Ok(StatementSyntaxKind::Block(statements))
            });
        }
        if self.is_word(0)
            && !matches!(self.peek_text(1), "." | "=")
            && let Some(kind) = self.keyword()
        {
            return kind;
        }
        if self.is_word(0) && self.follows_at(1, ":") {
            let label = self.any_word();
            self.next();
            return Ok(StatementSyntaxKind::Label(label));
        }
        let kind = self.simple()?;
        self.need(";")?;
        Ok(kind)
    }

    /// An assignment or a call.
    fn simple(&mut self) -> Parsed<StatementSyntaxKind> {
        let expression = self.expression()?;
        if !self.follows("=") {
            return Ok(StatementSyntaxKind::Expression(expression));
        }
        let sign = self.next();
        let value = self.expression()?;
        Ok(StatementSyntaxKind::Assign(expression, sign, value))
    }

    /// A statement that begins with a word of the language.
    fn keyword(&mut self) -> Option<Parsed<StatementSyntaxKind>> {
        let word = self.peek_text(0).to_ascii_lowercase();
        let behind = self.peek_text(1);
        Some(match word.as_str() {
            "local" => self.variables().map(StatementSyntaxKind::Local),
            "const" => self.constant().map(StatementSyntaxKind::Constant),
            "if" => self.if_statement(),
            "while" => {
                self.next();
                let condition = self.condition();
                condition.and_then(|it| Ok(StatementSyntaxKind::While(it, Box::new(self.inner()?))))
            }
            "do" => self.do_statement(),
            "for" if behind == "(" => self.for_statement(),
            "foreach" => self.for_each(),
            "switch" => self.switch(),
            "case" => {
                self.next();
                let value = self.expression();
                value.and_then(|it| self.need(":").map(|_| StatementSyntaxKind::Case(it)))
            }
            "default" if behind == ":" => {
                self.next();
                self.next();
                Ok(StatementSyntaxKind::Default)
            }
            "break" if behind != "(" => self.alone(StatementSyntaxKind::Break),
            "continue" if behind != "(" => self.alone(StatementSyntaxKind::Continue),
            "stop" if behind != "(" => self.alone(StatementSyntaxKind::Stop),
            "return" => {
                self.next();
                match self.follows(";") {
                    true => self.need(";").map(|_| StatementSyntaxKind::Return(None)),
                    false => {
                        let value = self.expression();
                        value.and_then(|it| {
                            self.need(";").map(|_| StatementSyntaxKind::Return(Some(it)))
                        })
                    }
                }
            }
            "assert" => {
                self.next();
                let condition = self.condition();
                condition.and_then(|it| self.need(";").map(|_| StatementSyntaxKind::Assert(it)))
            }
            "goto" => self.goto(),
            "else" | "until" if behind != "(" || word == "until" => {
                let token = self.peek(0);
                let range = (token.start as usize, token.end as usize);
                let before = if word == "else" { "if" } else { "do" };
                let message = format!("'{word}' without '{before}'");
                self.report(DiagnosticKind::Syntax, range, message, None);
                Err(super::Stop)
            }
            _ => return None,
        })
    }

    fn alone(&mut self, kind: StatementSyntaxKind) -> Parsed<StatementSyntaxKind> {
        self.next();
        self.need(";").map(|_| kind)
    }

    fn condition(&mut self) -> Parsed<crate::compile::syntax::Expression> {
        self.need("(")?;
        let condition = self.expression()?;
        self.need(")")?;
        Ok(condition)
    }

    /// Branches are a list, so that long ones nest no deeper than short ones.
    fn if_statement(&mut self) -> Parsed<StatementSyntaxKind> {
        let mut branches = Vec::new();
        loop {
            let word = self.next();
            let condition = self.condition()?;
            let body = self.inner()?;
            branches.push(Branch { word, condition, body });
            if !self.take("else") {
                return Ok(StatementSyntaxKind::If(branches, None));
            }
            if !self.follows("if") {
                return Ok(StatementSyntaxKind::If(branches, Some(Box::new(self.inner()?))));
            }
        }
    }

    fn do_statement(&mut self) -> Parsed<StatementSyntaxKind> {
        self.next();
        let body = Box::new(self.inner()?);
        let mut until = None;
        if self.take("until") {
            until = Some(self.condition()?);
            self.take(";");
        }
        Ok(StatementSyntaxKind::Do(body, until))
    }

    fn for_statement(&mut self) -> Parsed<StatementSyntaxKind> {
        self.next();
        let open = self.need("(")?;
        let init = self.part(";")?;
        let first_semicolon = self.need(";")?;
        let condition = match self.follows(";") {
            true => None,
            false => Some(self.expression()?),
        };
        let second_semicolon = self.need(";")?;
        let step = self.part(")")?;
        let close = self.need(")")?;
        let body = self.inner()?;
        let parts =
            For { open, init, first_semicolon, condition, second_semicolon, step, close, body };
        Ok(StatementSyntaxKind::For(Box::new(parts)))
    }

    /// A statement without a semicolon; `None` where nothing stands before the end.
    fn part(&mut self, end: &str) -> Parsed<Option<StatementSyntax>> {
        if self.follows(end) {
            return Ok(None);
        }
        let first = self.here();
        let kind = self.simple()?;
        Ok(Some(StatementSyntax { first, last: self.last().max(first), kind }))
    }

    fn for_each(&mut self) -> Parsed<StatementSyntaxKind> {
        self.next();
        // No more than an operand: what stands behind it is the body.
        let operand = self.operand()?;
        let (first, last) = (operand.first, operand.last);
        let items = vec![crate::compile::syntax::ExpressionItem::Operand(operand)];
        let iterated = crate::compile::syntax::Expression { first, last, items, choice: None };
        Ok(StatementSyntaxKind::ForEach(iterated, Box::new(self.inner()?)))
    }

    fn switch(&mut self) -> Parsed<StatementSyntaxKind> {
        self.nested(|it| {
            it.next();
            let value = it.expression()?;
            it.need("{")?;
            let statements = it.statements()?;
            it.need("}")?;
            Ok(StatementSyntaxKind::Switch(value, statements))
        })
    }

    fn goto(&mut self) -> Parsed<StatementSyntaxKind> {
        self.next();
        let is_label = self.is_word(0) && self.follows_at(1, ";");
        let kind = match is_label && self.peek(0).kind == TokenKind::Word {
            true => StatementSyntaxKind::GotoLabel(self.any_word()),
            false => StatementSyntaxKind::Goto(self.expression()?),
        };
        self.need(";")?;
        Ok(kind)
    }
}
