//! The value of an expression.

use super::answer::shown;
use super::functions::no_number;
use super::node::{FormulaNode, Operator};
use super::{Answer, FormulaNumber};
use crate::error::{Error, Result};
use crate::inspect::query::matches;

/// The thing that an expression is about.
pub trait Subject {
    /// The value of a property, or of what else a word means; [`Answer::Unknown`] where nothing says it.
    fn value(&mut self, path: &str) -> Answer;

    /// Whether it stores a property itself.
    fn stores(&mut self, path: &str) -> bool;

    /// Whether a value is the one that is asked for, where a word means more than its text: the class of an
    /// object is also any that it derives from.
    fn is(&mut self, path: &str, text: &str) -> Option<bool> {
        let _ = (path, text);
        None
    }
}

pub(super) fn answer(node: &FormulaNode, subject: &mut dyn Subject) -> Result<Answer> {
    Ok(match node {
        FormulaNode::Value(value) => value.clone(),
        FormulaNode::Pattern(text) => Answer::Text(text.clone()),
        FormulaNode::Path(path) => subject.value(path),
        FormulaNode::Stored(path) => Answer::Truth(subject.stores(path)),
        FormulaNode::Call(function, nodes) => {
            let values: Result<Vec<_>> = nodes.iter().map(|node| answer(node, subject)).collect();
            function.call(&values?)?
        }
        FormulaNode::Not(node) => known(truth(&answer(node, subject)?)?.map(|truth| !truth)),
        FormulaNode::Negative(node) => {
            let zero = Answer::Number(FormulaNumber::Whole(0));
            numbers(Operator::Subtract, &zero, &answer(node, subject)?)?
        }
        FormulaNode::Binary(operator, left, right) => binary(*operator, left, right, subject)?,
    })
}

/// A condition; `None` where it is not known.
pub(super) fn truth(answer: &Answer) -> Result<Option<bool>> {
    match answer {
        Answer::Unknown => Ok(None),
        Answer::Truth(truth) => Ok(Some(*truth)),
        other => {
            let shown = shown(other);
            Err(Error::invalid(format!("'{shown}' is no condition: compare it with a value")))
        }
    }
}

fn known(truth: Option<bool>) -> Answer {
    truth.map_or(Answer::Unknown, Answer::Truth)
}

fn binary(
    operator: Operator,
    left: &FormulaNode,
    right: &FormulaNode,
    subject: &mut dyn Subject,
) -> Result<Answer> {
    // The right side is asked only where the left one does not decide.
    if let Operator::And | Operator::Or = operator {
        let decides = operator == Operator::Or;
        let first = truth(&answer(left, subject)?)?;
        if first == Some(decides) {
            return Ok(Answer::Truth(decides));
        }
        let second = truth(&answer(right, subject)?)?;
        return Ok(match (first, second) {
            (_, Some(second)) if second == decides => Answer::Truth(decides),
            (Some(_), Some(_)) => Answer::Truth(!decides),
            _ => Answer::Unknown,
        });
    }
    if let (
        Operator::Equal | Operator::Unequal,
        FormulaNode::Path(path),
        FormulaNode::Value(Answer::Text(text)),
    ) = (operator, left, right)
        && let Some(is) = subject.is(path, text)
    {
        return Ok(Answer::Truth(is == (operator == Operator::Equal)));
    }
    let (left, right) = (answer(left, subject)?, answer(right, subject)?);
    Ok(match operator {
        Operator::Equal => known(left.equals(&right)),
        Operator::Unequal => known(left.equals(&right).map(|equal| !equal)),
        Operator::Like | Operator::Unlike => match left {
            Answer::Unknown => Answer::Unknown,
            left => {
                let is = matches(&shown(&right), &shown(&left));
                Answer::Truth(is == (operator == Operator::Like))
            }
        },
        _ => return numbers(operator, &left, &right),
    })
}

fn numbers(operator: Operator, left: &Answer, right: &Answer) -> Result<Answer> {
    let sign = match operator {
        Operator::Less => "<",
        Operator::AtMost => "<=",
        Operator::More => ">",
        Operator::AtLeast => ">=",
        Operator::Add => "+",
        Operator::Subtract => "-",
        Operator::Multiply => "*",
        Operator::Divide => "/",
        _ => "%",
    };
    let (a, b) = match (left.number(), right.number()) {
        (Some(a), Some(b)) => (a, b),
        _ if [left, right].contains(&&Answer::Unknown) => return Ok(Answer::Unknown),
        (Some(_), None) => return Err(no_number(right, sign)),
        (None, _) => return Err(no_number(left, sign)),
    };
    if let Operator::Divide | Operator::Remainder = operator
        && b.real() == 0.0
    {
        return Err(Error::invalid(format!("{a} {sign} {b}: nothing is divided by zero")));
    }
    let exact = |a: i128, b: i128| match a.checked_rem(b) {
        Some(0) => a.checked_div(b),
        _ => None,
    };
    Ok(match operator {
        Operator::Less => Answer::Truth(a < b),
        Operator::AtMost => Answer::Truth(a <= b),
        Operator::More => Answer::Truth(a > b),
        Operator::AtLeast => Answer::Truth(a >= b),
        Operator::Add => Answer::Number(a.both(b, i128::checked_add, |a, b| a + b)),
        Operator::Subtract => Answer::Number(a.both(b, i128::checked_sub, |a, b| a - b)),
        Operator::Multiply => Answer::Number(a.both(b, i128::checked_mul, |a, b| a * b)),
        Operator::Divide => Answer::Number(a.both(b, exact, |a, b| a / b)),
        _ => Answer::Number(a.both(b, i128::checked_rem, |a, b| a % b)),
    })
}
