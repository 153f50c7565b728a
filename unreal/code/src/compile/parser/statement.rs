//! Statements.

use super::{Parsed, Parser, TokenKind};
use crate::compile::diagnostic::DiagnosticKind;
use crate::compile::syntax::{Branch, For, Statement, StatementKind};

impl Parser<'_> {
    /// Statements up to a closing brace, which is not taken.
    pub(super) fn statements(&mut self) -> Parsed<Vec<Statement>> {
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
    fn inner(&mut self) -> Parsed<Statement> {
        self.nested(Self::statement)
    }

    fn statement(&mut self) -> Parsed<Statement> {
        let first = self.here();
        let kind = self.statement_kind()?;
        Ok(Statement { first, last: self.last().max(first), kind })
    }

    fn statement_kind(&mut self) -> Parsed<StatementKind> {
        if self.take(";") {
            return Ok(StatementKind::Empty);
        }
        if self.follows("{") {
            return self.nested(|it| {
                it.next();
                let statements = it.statements()?;
                it.need("}")?;
                Ok(StatementKind::Block(statements))
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
            return Ok(StatementKind::Label(label));
        }
        let kind = self.simple()?;
        self.need(";")?;
        Ok(kind)
    }

    /// An assignment or a call.
    fn simple(&mut self) -> Parsed<StatementKind> {
        let expression = self.expression()?;
        if !self.follows("=") {
            return Ok(StatementKind::Expression(expression));
        }
        let sign = self.next();
        let value = self.expression()?;
        Ok(StatementKind::Assign(expression, sign, value))
    }

    /// A statement that begins with a word of the language.
    fn keyword(&mut self) -> Option<Parsed<StatementKind>> {
        let word = self.peek_text(0).to_ascii_lowercase();
        let behind = self.peek_text(1);
        Some(match word.as_str() {
            "local" => self.variables().map(StatementKind::Local),
            "const" => self.constant().map(StatementKind::Constant),
            "if" => self.if_statement(),
            "while" => {
                self.next();
                let condition = self.condition();
                condition.and_then(|it| Ok(StatementKind::While(it, Box::new(self.inner()?))))
            }
            "do" => self.do_statement(),
            "for" if behind == "(" => self.for_statement(),
            "foreach" => self.for_each(),
            "switch" => self.switch(),
            "case" => {
                self.next();
                let value = self.expression();
                value.and_then(|it| self.need(":").map(|_| StatementKind::Case(it)))
            }
            "default" if behind == ":" => {
                self.next();
                self.next();
                Ok(StatementKind::Default)
            }
            "break" if behind != "(" => self.alone(StatementKind::Break),
            "continue" if behind != "(" => self.alone(StatementKind::Continue),
            "stop" if behind != "(" => self.alone(StatementKind::Stop),
            "return" => {
                self.next();
                match self.follows(";") {
                    true => self.need(";").map(|_| StatementKind::Return(None)),
                    false => {
                        let value = self.expression();
                        value.and_then(|it| self.need(";").map(|_| StatementKind::Return(Some(it))))
                    }
                }
            }
            "assert" => {
                self.next();
                let condition = self.condition();
                condition.and_then(|it| self.need(";").map(|_| StatementKind::Assert(it)))
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

    fn alone(&mut self, kind: StatementKind) -> Parsed<StatementKind> {
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
    fn if_statement(&mut self) -> Parsed<StatementKind> {
        let mut branches = Vec::new();
        loop {
            let word = self.next();
            let condition = self.condition()?;
            let body = self.inner()?;
            branches.push(Branch { word, condition, body });
            if !self.take("else") {
                return Ok(StatementKind::If(branches, None));
            }
            if !self.follows("if") {
                return Ok(StatementKind::If(branches, Some(Box::new(self.inner()?))));
            }
        }
    }

    fn do_statement(&mut self) -> Parsed<StatementKind> {
        self.next();
        let body = Box::new(self.inner()?);
        let mut until = None;
        if self.take("until") {
            until = Some(self.condition()?);
            self.take(";");
        }
        Ok(StatementKind::Do(body, until))
    }

    fn for_statement(&mut self) -> Parsed<StatementKind> {
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
        Ok(StatementKind::For(Box::new(parts)))
    }

    /// A statement without a semicolon; `None` where nothing stands before the end.
    fn part(&mut self, end: &str) -> Parsed<Option<Statement>> {
        if self.follows(end) {
            return Ok(None);
        }
        let first = self.here();
        let kind = self.simple()?;
        Ok(Some(Statement { first, last: self.last().max(first), kind }))
    }

    fn for_each(&mut self) -> Parsed<StatementKind> {
        self.next();
        // No more than an operand: what stands behind it is the body.
        let operand = self.operand()?;
        let (first, last) = (operand.first, operand.last);
        let items = vec![crate::compile::syntax::ExpressionItem::Operand(operand)];
        let iterated = crate::compile::syntax::Expression { first, last, items, choice: None };
        Ok(StatementKind::ForEach(iterated, Box::new(self.inner()?)))
    }

    fn switch(&mut self) -> Parsed<StatementKind> {
        self.nested(|it| {
            it.next();
            let value = it.expression()?;
            it.need("{")?;
            let statements = it.statements()?;
            it.need("}")?;
            Ok(StatementKind::Switch(value, statements))
        })
    }

    fn goto(&mut self) -> Parsed<StatementKind> {
        self.next();
        let is_label = self.is_word(0) && self.follows_at(1, ";");
        let kind = match is_label && self.peek(0).kind == TokenKind::Word {
            true => StatementKind::GotoLabel(self.any_word()),
            false => StatementKind::Goto(self.expression()?),
        };
        self.need(";")?;
        Ok(kind)
    }
}
