//! Statements of Kismet as pseudo-code.

use std::collections::BTreeSet;

use super::expression::{KismetExpressions, label};
use crate::decompile::code::INDENT;
use crate::script::{FlowKind, FlowStatement};

/// Writes blocks line by line.
pub(super) struct KismetWriter<'a> {
    pub into: KismetExpressions<'a>,
    /// Places that still want a label.
    pub targets: BTreeSet<u32>,
}

impl KismetWriter<'_> {
    pub fn line(&mut self, depth: usize, write: impl FnOnce(&mut KismetExpressions<'_>)) {
        (0..depth).for_each(|_| self.into.push(INDENT));
        write(&mut self.into);
        self.into.push("\n");
    }

    pub fn block(&mut self, block: &[FlowStatement<'_>], depth: usize) {
        for statement in block {
            if self.targets.remove(&statement.place) {
                let name = label(statement.place);
                self.line(depth.saturating_sub(1), |it| it.push(&format!("{name}:")));
            }
            self.statement(statement, depth);
        }
    }

    /// Statements in braces behind a line.
    fn with_body(
        &mut self,
        depth: usize,
        body: &[FlowStatement<'_>],
        head: impl FnOnce(&mut KismetExpressions<'_>),
    ) {
        self.line(depth, head);
        self.line(depth, |it| it.push("{"));
        self.block(body, depth + 1);
        self.line(depth, |it| it.push("}"));
    }

    fn statement(&mut self, statement: &FlowStatement<'_>, depth: usize) {
        let word = match &statement.kind {
            FlowKind::Plain(whole) => {
                return self.line(depth, |it| {
                    it.write(whole);
                    it.push(";");
                });
            }
            FlowKind::If(condition, one, two) => {
                let is_denied = one.is_empty() && !two.is_empty();
                let (first, second) = if is_denied { (two, one) } else { (one, two) };
                self.with_body(depth, first, |it| {
                    it.push(if is_denied { "if (!(" } else { "if (" });
                    it.write(condition);
                    it.push(if is_denied { "))" } else { ")" });
                });
                if !second.is_empty() {
                    self.with_body(depth, second, |it| it.push("else"));
                }
                return;
            }
            FlowKind::Loop(body) => {
                return self.with_body(depth, body, |it| it.push("while (true)"));
            }
            FlowKind::While(condition, body) => {
                return self.with_body(depth, body, |it| {
                    it.push("while (");
                    it.write(condition);
                    it.push(")");
                });
            }
            FlowKind::Sequence(body) => {
                return self.with_body(depth, body, |it| it.push("sequence"));
            }
            FlowKind::Resume(body) => {
                return self.with_body(depth, body, |it| it.push("resume"));
            }
            FlowKind::Goto(place) => &format!("goto {};", label(*place)),
            FlowKind::Leave => "leave;",
            FlowKind::Return => "return;",
            FlowKind::Break => "break;",
            FlowKind::Continue => "continue;",
            FlowKind::Mark => return,
        };
        self.line(depth, |it| it.push(word));
    }
}
