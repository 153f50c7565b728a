//! Constants (spec: ue1-3/15 §15.3).

use super::value::{TypedValue, Want};
use super::{DEEPEST, Generated, Generator};
use crate::compile::declarations::WrittenValue;
use crate::compile::diagnostic::DiagnosticKind;
use crate::compile::syntax::{
    Expression, ExpressionItem, Operand, OperandBase, Postfix, PostfixKind,
};

impl<'a> Generator<'a> {
    /// A constant: its text is read anew where it is used.
    pub(super) fn constant(
        &mut self,
        constant: &'a WrittenValue,
        want: Want<'_>,
    ) -> Generated<TypedValue> {
        let tokens = (self.at.saturating_sub(1), self.at.saturating_sub(1));
        if self.depth >= DEEPEST {
            let message = "the value of this constant nests too deep: is it itself?";
            return self.fail(DiagnosticKind::Limit, tokens, message);
        }
        let (at, syntax) = (self.at, self.syntax);
        self.syntax = &constant.syntax;
        self.depth += 1;
        let value = self.first_operand(&constant.value, want);
        self.depth -= 1;
        self.syntax = syntax;
        self.at = at;
        value
    }

    /// The first operand of a constant's value: no more of it is read. What holds other values is refused, so that
    /// constants of constants take no longer than they are.
    fn first_operand(&mut self, value: &'a Expression, want: Want<'_>) -> Generated<TypedValue> {
        match &value.items[..] {
            [ExpressionItem::Operator(sign), ExpressionItem::Operand(operand), ..]
                if matches!(operand.base, OperandBase::Number)
                    && self.is_signed(*sign, operand.first) =>
            {
                let is_negative = self.syntax.text(*sign) == "-";
                self.number(operand.first, is_negative, want)
            }
            [ExpressionItem::Operand(operand), ..] if is_constant(operand) => {
                self.operand(operand, want)
            }
            _ => {
                let message = "the value of a constant is a literal or another constant";
                self.fail(DiagnosticKind::Syntax, (value.first, value.last), message)
            }
        }
    }
}

/// Whether an operand is a literal or a name alone.
fn is_constant(operand: &Operand) -> bool {
    let is_plain = |argument: &Option<Expression>| {
        let items = argument.as_ref().map_or(&[][..], |it| &it.items);
        let is_simple = |item: &ExpressionItem| match item {
            ExpressionItem::Operator(_) => true,
            ExpressionItem::Operand(inner) => {
                matches!(inner.base, OperandBase::Number | OperandBase::Word(_))
                    && inner.behind.is_empty()
            }
        };
        items.iter().all(is_simple)
    };
    match (&operand.base, &operand.behind[..]) {
        (OperandBase::Parentheses(_) | OperandBase::ClassCast(..) | OperandBase::New(..), _) => {
            false
        }
        (_, []) => true,
        (OperandBase::Word(word), [Postfix { kind: PostfixKind::Arguments(given), .. }]) => {
            let is_literal =
                ["vect", "rot", "rng", "arraycount", "nameof"].iter().any(|it| word.is(it));
            is_literal && given.iter().all(is_plain)
        }
        // The value of an enum by the name of the enum.
        (OperandBase::Word(_), [Postfix { kind: PostfixKind::Member(_), .. }]) => true,
        _ => false,
    }
}
