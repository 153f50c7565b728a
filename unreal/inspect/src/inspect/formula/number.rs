//! Numbers of expressions.

use crate::property::number_of;

/// A number: whole ones are exact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FormulaNumber {
    /// A whole number.
    Whole(i128),
    /// Any other.
    Real(f64),
}

impl FormulaNumber {
    /// The number that a text says: `7`, `0x1F`, `-1.5`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        match text.parse() {
            Ok(number) => Some(Self::Whole(number)),
            Err(_) => number_of(text).map(Self::of),
        }
    }

    fn of(number: f64) -> Self {
        // Whole numbers of up to 53 bits are exact.
        const EXACT: f64 = (1_u64 << 53) as f64;
        match number.fract() == 0.0 && number.abs() <= EXACT {
            true => Self::Whole(number as i128),
            false => Self::Real(number),
        }
    }

    /// The number with what it may lose.
    pub fn real(self) -> f64 {
        match self {
            Self::Whole(number) => number as f64,
            Self::Real(number) => number,
        }
    }

    /// The next whole number, halves away from zero.
    pub fn rounded(self) -> Self {
        match self {
            Self::Real(number) => Self::of(number.round()),
            whole => whole,
        }
    }

    pub(super) fn both(
        self,
        other: Self,
        whole: impl FnOnce(i128, i128) -> Option<i128>,
        real: impl FnOnce(f64, f64) -> f64,
    ) -> Self {
        if let (Self::Whole(a), Self::Whole(b)) = (self, other)
            && let Some(number) = whole(a, b)
        {
            return Self::Whole(number);
        }
        Self::Real(real(self.real(), other.real()))
    }
}

impl PartialOrd for FormulaNumber {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => a.partial_cmp(b),
            _ => self.real().partial_cmp(&other.real()),
        }
    }
}

impl std::fmt::Display for FormulaNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Whole(number) => number.fmt(f),
            Self::Real(number) => number.fmt(f),
        }
    }
}
