//! What stands behind the start of an operand.

use crate::compile::syntax::{Operand, Postfix, PostfixKind, Word};

/// How far what stands behind an operand is read.
pub(super) struct Tail<'a> {
    operand: &'a Operand,
    at: usize,
    end: usize,
}

impl<'a> Tail<'a> {
    pub fn of(operand: &'a Operand) -> Self {
        Self::until(operand, operand.behind.len())
    }

    /// No more than the first parts behind the operand.
    pub fn until(operand: &'a Operand, end: usize) -> Self {
        Self { operand, at: 0, end }
    }

    pub fn peek(&self) -> Option<&'a Postfix> {
        self.operand.behind.get(..self.end)?.get(self.at)
    }

    pub fn next(&mut self) -> Option<&'a Postfix> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    /// Whether parentheses follow.
    pub fn is_call(&self) -> bool {
        matches!(self.peek(), Some(Postfix { kind: PostfixKind::Arguments(_), .. }))
    }

    pub fn is_member(&self) -> bool {
        matches!(self.peek(), Some(Postfix { kind: PostfixKind::Member(_), .. }))
    }

    /// The name behind a dot, taken.
    pub fn member(&mut self) -> Option<&'a Word> {
        match &self.peek()?.kind {
            PostfixKind::Member(word) => {
                self.next();
                Some(word)
            }
            _ => None,
        }
    }

    pub fn operand(&self) -> &'a Operand {
        self.operand
    }

    pub fn tokens(&self) -> (u32, u32) {
        (self.operand.first, self.operand.last)
    }
}
