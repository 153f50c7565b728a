//! Functions of expressions.

use super::{Answer, FormulaNumber};
use crate::error::{Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FormulaFunction {
    Absolute,
    Ceiling,
    Clamp,
    Floor,
    Maximum,
    Minimum,
    Round,
    Root,
}

/// Each with its name and how many values it takes.
pub(super) const FUNCTIONS: &[(&str, FormulaFunction, usize)] = &[
    ("abs", FormulaFunction::Absolute, 1),
    ("ceil", FormulaFunction::Ceiling, 1),
    ("clamp", FormulaFunction::Clamp, 3),
    ("floor", FormulaFunction::Floor, 1),
    ("max", FormulaFunction::Maximum, 2),
    ("min", FormulaFunction::Minimum, 2),
    ("round", FormulaFunction::Round, 1),
    ("sqrt", FormulaFunction::Root, 1),
];

impl FormulaFunction {
    pub fn name(self) -> &'static str {
        FUNCTIONS.iter().find(|known| known.1 == self).map_or("", |known| known.0)
    }

    /// The value for these numbers, one of which may not be known.
    pub fn call(self, values: &[Answer]) -> Result<Answer> {
        let mut numbers = [FormulaNumber::Whole(0); 3];
        for (value, number) in values.iter().zip(&mut numbers) {
            *number = match value {
                Answer::Unknown => return Ok(Answer::Unknown),
                other => other.number().ok_or_else(|| no_number(other, self.name()))?,
            };
        }
        let [a, b, c] = numbers;
        let real = |of: fn(f64) -> f64| match a {
            FormulaNumber::Real(number) => FormulaNumber::Real(of(number)).rounded(),
            whole => whole,
        };
        Ok(Answer::Number(match self {
            Self::Absolute => a.both(a, |a, _| a.checked_abs(), |a, _| a.abs()),
            Self::Ceiling => real(f64::ceil),
            Self::Floor => real(f64::floor),
            Self::Round => a.rounded(),
            Self::Maximum => {
                if b > a {
                    b
                } else {
                    a
                }
            }
            Self::Minimum => {
                if b < a {
                    b
                } else {
                    a
                }
            }
            Self::Clamp if b > c => {
                let reason = format!("clamp() needs its bounds in order: {b} is above {c}");
                return Err(Error::invalid(reason));
            }
            Self::Clamp if a < b => b,
            Self::Clamp if a > c => c,
            Self::Clamp => a,
            Self::Root if a.real() < 0.0 => {
                return Err(Error::invalid(format!("sqrt() of {a} is no number")));
            }
            Self::Root => FormulaNumber::Real(a.real().sqrt()),
        }))
    }
}

/// An error for a value that is no number.
pub(super) fn no_number(value: &Answer, of: &str) -> Error {
    let shown = super::answer::shown(value);
    Error::invalid(format!("'{of}' takes numbers, and '{shown}' is none"))
}
