//! What is wrong with a line.

use std::fmt;

/// A fault of a file of edits.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LineError {
    /// The line, from 1; `None` for a fault of the whole file.
    pub line: Option<usize>,
    /// What is wrong.
    pub reason: String,
    /// What to write instead, if there is anything to say.
    pub next: Option<String>,
}

impl LineError {
    /// A fault of a line that is not known yet.
    pub fn new(reason: impl Into<String>) -> Self {
        Self { line: None, reason: reason.into(), next: None }
    }

    /// The error with what to write instead.
    #[must_use]
    pub fn with_next(self, next: impl Into<String>) -> Self {
        Self { next: Some(next.into()), ..self }
    }

    /// The error in this line.
    #[must_use]
    pub(super) fn at(self, line: usize) -> Self {
        Self { line: self.line.or(Some(line)), ..self }
    }
}

impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for LineError {}
