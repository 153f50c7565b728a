//! Values of expressions.

use super::FormulaNumber;
use crate::property::class_and_path;

/// A value of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// Nothing says it: it is not stored, and its default is not known.
    Unknown,
    /// A condition.
    Truth(bool),
    /// A number.
    Number(FormulaNumber),
    /// A text, a name, an object, a struct as text; the value of an enum that is stored by its name.
    Text(String),
    /// The value of an enum that is stored as a number.
    Choice(i128, String),
}

impl Answer {
    /// The value that a property's text says.
    pub fn of_text(text: &str) -> Self {
        if let Some(number) = FormulaNumber::parse(text) {
            return Self::Number(number);
        }
        match text.to_ascii_lowercase().as_str() {
            "true" => Self::Truth(true),
            "false" => Self::Truth(false),
            _ => Self::Text(text.to_owned()),
        }
    }

    /// The value as a report shows it; empty for one that is not known.
    pub fn text(&self) -> String {
        match self {
            Self::Unknown => String::new(),
            Self::Truth(truth) => truth.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) | Self::Choice(_, text) => text.clone(),
        }
    }

    /// Whether two values are one: texts in any case, an object by its name or its path, the value of an enum with
    /// or without the enum. `None` where one of them is not known.
    pub(super) fn equals(&self, other: &Self) -> Option<bool> {
        Some(match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => return None,
            (Self::Number(a), Self::Number(b)) => a == b,
            (Self::Truth(a), Self::Truth(b)) => a == b,
            (Self::Truth(truth), Self::Number(number))
            | (Self::Number(number), Self::Truth(truth)) => {
                *number == FormulaNumber::Whole(i128::from(*truth))
            }
            (Self::Text(a), Self::Text(b)) => same_text(a, b),
            (Self::Choice(a, _), Self::Choice(b, _)) => a == b,
            (Self::Choice(number, _), Self::Number(other))
            | (Self::Number(other), Self::Choice(number, _)) => {
                *other == FormulaNumber::Whole(*number)
            }
            (Self::Choice(_, a), Self::Text(b)) | (Self::Text(b), Self::Choice(_, a)) => {
                same_text(a, b)
            }
            _ => false,
        })
    }
}

/// What a text says without its quotes, and of an object without its class.
fn bare(text: &str) -> &str {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        return inner;
    }
    class_and_path(text).1
}

fn same_text(a: &str, b: &str) -> bool {
    let class = |text: &str| class_and_path(text).0.map(str::to_ascii_lowercase);
    let (a, b) = match (class(a), class(b)) {
        (Some(one), Some(other)) if one != other => return false,
        _ => (bare(a), bare(b)),
    };
    // The shorter one may be the last part of the other: a name of a path, a value of an enum.
    let ends = |long: &str, short: &str| {
        let at = long.len().checked_sub(short.len());
        at.and_then(|at| long.get(..at).zip(long.get(at..))).is_some_and(|(start, end)| {
            end.eq_ignore_ascii_case(short)
                && !end.is_empty()
                && (start.is_empty() || start.ends_with(['.', ':']))
        })
    };
    a.is_empty() && b.is_empty() || ends(a, b) || ends(b, a)
}

impl Answer {
    /// The number that it is, if it is one.
    pub fn number(&self) -> Option<FormulaNumber> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Choice(number, _) => Some(FormulaNumber::Whole(*number)),
            _ => None,
        }
    }
}

/// The characters of a text for patterns.
pub(super) fn shown(answer: &Answer) -> String {
    match answer {
        Answer::Text(text) | Answer::Choice(_, text) => bare(text).to_owned(),
        Answer::Number(number) => number.to_string(),
        Answer::Truth(truth) => truth.to_string(),
        Answer::Unknown => String::new(),
    }
}
