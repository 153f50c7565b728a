//! Conditions and sums over objects: `class==Light && LightHue<30`, `clamp(LightBrightness*2,0,255)`.
//!
//! The language is small on purpose, and documented as a whole in `docs/expressions.md`. A text becomes a tree
//! ([`Formula`]); what words mean is asked of a [`Subject`]: an object of a package, or anything else that has
//! values.

mod answer;
mod evaluate;
mod functions;
mod node;
mod number;
mod parse;
mod token;

pub use answer::Answer;
pub use evaluate::Subject;
pub use number::FormulaNumber;

use self::node::{FormulaNode, Operator};
use crate::error::Result;

/// A condition or a sum.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula {
    text: String,
    node: FormulaNode,
}

impl Formula {
    /// What was parsed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// That a word has a value: `name==text`, whatever characters the text has.
    pub fn equals(name: &str, text: &str) -> Self {
        let sides = [FormulaNode::Path(name.to_owned()), FormulaNode::Value(Answer::of_text(text))];
        let [left, right] = sides.map(Box::new);
        Self {
            text: format!("{name}={text}"),
            node: FormulaNode::Binary(Operator::Equal, left, right),
        }
    }

    /// The value of the expression for a subject.
    ///
    /// # Errors
    /// `Invalid` where values do not fit their operator: a text that is compared by `<`, a number that is no
    /// condition, a division by zero.
    pub fn evaluate(&self, subject: &mut dyn Subject) -> Result<Answer> {
        evaluate::answer(&self.node, subject)
    }

    /// Whether a condition holds; `None` where a value that decides it is not known.
    ///
    /// # Errors
    /// As [`Formula::evaluate`]; `Invalid` for a value that is no condition.
    pub fn holds(&self, subject: &mut dyn Subject) -> Result<Option<bool>> {
        evaluate::truth(&self.evaluate(subject)?)
    }
}

impl std::str::FromStr for Formula {
    type Err = crate::error::Error;

    fn from_str(text: &str) -> Result<Self> {
        Ok(Self { text: text.to_owned(), node: parse::parse(text)? })
    }
}

impl std::fmt::Display for Formula {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}
