//! The tree of an expression.

use super::Answer;
use super::functions::FormulaFunction;

/// One operation of an expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FormulaNode {
    /// A literal.
    Value(Answer),
    /// The value of a property.
    Path(String),
    /// A text with `*` and `?`.
    Pattern(String),
    /// Whether a property is stored.
    Stored(String),
    Call(FormulaFunction, Vec<FormulaNode>),
    Not(Box<FormulaNode>),
    Negative(Box<FormulaNode>),
    Binary(Operator, Box<FormulaNode>, Box<FormulaNode>),
}

/// What stands between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
    Like,
    Unlike,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}
