//! From a text to the tree of an expression: operators bind as in C.

use super::functions::FUNCTIONS;
use super::node::{FormulaNode, Operator};
use super::token::{FormulaToken, tokens, wrong};
use super::{Answer, FormulaNumber};
use crate::error::Result;

/// Parentheses and signs nest this deep.
const DEEPEST: usize = 64;
/// An expression has at most so many words and signs: each operator is a level of the tree.
const LONGEST: usize = 1024;

/// How strongly each operator binds.
const OPERATORS: &[(&str, Operator, u8)] = &[
    ("||", Operator::Or, 1),
    ("&&", Operator::And, 2),
    ("==", Operator::Equal, 3),
    ("=", Operator::Equal, 3),
    ("!=", Operator::Unequal, 3),
    ("<", Operator::Less, 3),
    ("<=", Operator::AtMost, 3),
    (">", Operator::More, 3),
    (">=", Operator::AtLeast, 3),
    ("~", Operator::Like, 3),
    ("!~", Operator::Unlike, 3),
    ("+", Operator::Add, 4),
    ("-", Operator::Subtract, 4),
    ("*", Operator::Multiply, 5),
    ("/", Operator::Divide, 5),
    ("%", Operator::Remainder, 5),
];
const COMPARISON: u8 = 3;

struct FormulaParser<'a> {
    text: &'a str,
    tokens: Vec<(usize, FormulaToken)>,
    at: usize,
    depth: usize,
}

pub(super) fn parse(text: &str) -> Result<FormulaNode> {
    let tokens = tokens(text)?;
    if let Some((at, _)) = tokens.get(LONGEST) {
        return Err(wrong(text, *at, "it is too long"));
    }
    let mut parser = FormulaParser { text, tokens, at: 0, depth: 0 };
    let node = parser.binary(1)?;
    match parser.peek() {
        None => Ok(node),
        Some(_) => Err(parser.wrong("an operator is missing: &&, ||, ==, <, + or another")),
    }
}

impl FormulaParser<'_> {
    fn peek(&self) -> Option<&FormulaToken> {
        self.tokens.get(self.at).map(|(_, token)| token)
    }

    fn wrong(&self, reason: &str) -> crate::error::Error {
        let at = self.tokens.get(self.at).map_or(self.text.len(), |(at, _)| *at);
        wrong(self.text, at, reason)
    }

    fn take_sign(&mut self, wanted: &str) -> bool {
        let is_it = matches!(self.peek(), Some(FormulaToken::Sign(sign)) if *sign == wanted);
        self.at += usize::from(is_it);
        is_it
    }

    fn operator(&self) -> Option<(Operator, u8)> {
        let Some(FormulaToken::Sign(sign)) = self.peek() else { return None };
        OPERATORS.iter().find(|known| known.0 == *sign).map(|known| (known.1, known.2))
    }

    /// A value with all operators behind it that bind at least so strongly.
    fn binary(&mut self, least: u8) -> Result<FormulaNode> {
        let mut left = self.unary()?;
        while let Some((operator, strength)) = self.operator().filter(|known| known.1 >= least) {
            self.at += 1;
            let right = match strength {
                COMPARISON => self.compared(operator)?,
                _ => self.binary(strength + 1)?,
            };
            if strength == COMPARISON && self.operator().is_some_and(|known| known.1 == COMPARISON)
            {
                return Err(
                    self.wrong("comparisons do not follow each other: write && between them")
                );
            }
            left = FormulaNode::Binary(operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    /// What stands behind a comparison: a word alone is a text.
    fn compared(&mut self, operator: Operator) -> Result<FormulaNode> {
        let is_last = match self.tokens.get(self.at + 1) {
            None => true,
            Some((_, FormulaToken::Sign(sign))) => matches!(*sign, "&&" | "||" | ")" | ","),
            Some(_) => false,
        };
        if let Some(FormulaToken::Word(word)) = self.peek().filter(|_| is_last) {
            let value = Answer::of_text(word);
            self.at += 1;
            return Ok(FormulaNode::Value(value));
        }
        if let Operator::Like | Operator::Unlike = operator
            && let Some(FormulaToken::Text(text) | FormulaToken::Pattern(text)) = self.peek()
        {
            let pattern = FormulaNode::Pattern(text.clone());
            self.at += 1;
            return Ok(pattern);
        }
        self.binary(COMPARISON + 1)
    }

    fn unary(&mut self) -> Result<FormulaNode> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.wrong("it nests too deeply"));
        }
        let node = if self.take_sign("!") {
            FormulaNode::Not(Box::new(self.unary()?))
        } else if self.take_sign("-") {
            match self.unary()? {
                FormulaNode::Value(Answer::Number(FormulaNumber::Whole(number)))
                    if number != i128::MIN =>
                {
                    FormulaNode::Value(Answer::Number(FormulaNumber::Whole(-number)))
                }
                FormulaNode::Value(Answer::Number(number)) => {
                    FormulaNode::Value(Answer::Number(FormulaNumber::Real(-number.real())))
                }
                other => FormulaNode::Negative(Box::new(other)),
            }
        } else {
            self.primary()?
        };
        self.depth -= 1;
        Ok(node)
    }

    fn primary(&mut self) -> Result<FormulaNode> {
        if self.take_sign("(") {
            let node = self.binary(1)?;
            return match self.take_sign(")") {
                true => Ok(node),
                false => Err(self.wrong("')' is missing")),
            };
        }
        let Some(token) = self.peek().cloned() else {
            return Err(self.wrong("a value is missing"));
        };
        if let FormulaToken::Sign(_) = token {
            return Err(self.wrong("a value is missing"));
        }
        self.at += 1;
        Ok(match token {
            FormulaToken::Number(number) => FormulaNode::Value(Answer::Number(number)),
            FormulaToken::Text(text) | FormulaToken::Pattern(text) => {
                FormulaNode::Value(Answer::Text(text))
            }
            FormulaToken::Word(word) if self.take_sign("(") => return self.call(&word),
            FormulaToken::Word(word) => match Answer::of_text(&word) {
                Answer::Truth(truth) => FormulaNode::Value(Answer::Truth(truth)),
                _ => FormulaNode::Path(word),
            },
            FormulaToken::Sign(_) => return Err(self.wrong("a value is missing")),
        })
    }

    fn call(&mut self, name: &str) -> Result<FormulaNode> {
        if name.eq_ignore_ascii_case("stored") {
            let Some(FormulaToken::Word(path)) = self.peek().cloned() else {
                return Err(self.wrong("stored() takes a property"));
            };
            self.at += 1;
            return match self.take_sign(")") {
                true => Ok(FormulaNode::Stored(path)),
                false => Err(self.wrong("stored() takes one property, and ')' is missing")),
            };
        }
        let Some((_, function, count)) =
            FUNCTIONS.iter().find(|known| known.0.eq_ignore_ascii_case(name))
        else {
            let names: Vec<_> = FUNCTIONS.iter().map(|known| known.0).collect();
            let names = names.join(", ");
            return Err(self.wrong(&format!("there is no function '{name}': {names}, stored")));
        };
        let mut values = Vec::new();
        loop {
            values.push(self.binary(1)?);
            if !self.take_sign(",") {
                break;
            }
        }
        match self.take_sign(")") {
            true if values.len() == *count => Ok(FormulaNode::Call(*function, values)),
            true => {
                Err(self.wrong(&format!("{name}() takes {count} values, not {}", values.len())))
            }
            false => Err(self.wrong("')' is missing")),
        }
    }
}
