//! Errors and warnings with their places.

use std::fmt;

use super::source::SourceText;

/// How grave a message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiagnosticSeverity {
    /// The file compiles nevertheless.
    Warning,
    /// The file does not compile.
    Error,
}

/// The kind of rule that a text does not follow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DiagnosticKind {
    /// The text is not well-formed.
    Syntax,
    /// Nothing has this name.
    UnknownName,
    /// Types do not fit.
    Type,
    /// The language of this engine does not have this.
    Unsupported,
    /// A bound of the compiler is passed.
    Limit,
    /// The tables of the package have no row for a name or object.
    Table,
    /// A statement stands where it means nothing.
    Misplaced,
}

/// A message about a place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How grave it is.
    pub severity: DiagnosticSeverity,
    /// The rule.
    pub kind: DiagnosticKind,
    /// The file.
    pub file: String,
    /// The line in the file, from 1.
    pub line: u32,
    /// The column, from 1, characters.
    pub column: u32,
    /// Characters from the column on that the message is about, at least one.
    pub length: u32,
    /// The message, one line.
    pub message: String,
    /// The line of the text.
    pub source_line: String,
    /// Advice, where there is some.
    pub hint: Option<String>,
}

/// Characters of a source line that are shown: hostile files have one line.
const LONGEST_LINE: usize = 240;

impl Diagnostic {
    /// An error about the bytes between two offsets.
    pub fn error(
        source: &SourceText,
        kind: DiagnosticKind,
        (start, end): (usize, usize),
        message: impl Into<String>,
    ) -> Self {
        let (source, start, end) = source.in_file(start, end);
        let place = source.place(start);
        let length = source.slice(start, end).lines().next().unwrap_or_default().chars().count();
        let line = source.line_text(place.line);
        Self {
            severity: DiagnosticSeverity::Error,
            kind,
            file: source.file.clone(),
            line: place.line,
            column: place.column,
            length: u32::try_from(length.max(1)).unwrap_or(u32::MAX),
            message: message.into(),
            source_line: line.chars().take(LONGEST_LINE).collect(),
            hint: None,
        }
    }

    /// The same as a warning.
    #[must_use]
    pub fn as_warning(mut self) -> Self {
        self.severity = DiagnosticSeverity::Warning;
        self
    }

    /// The same with advice.
    #[must_use]
    pub fn with_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }

    /// Whether it keeps the file from compiling.
    pub fn is_error(&self) -> bool {
        self.severity == DiagnosticSeverity::Error
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            DiagnosticSeverity::Warning => "warning",
            DiagnosticSeverity::Error => "error",
        };
        let Self { file, line, column, message, source_line, .. } = self;
        writeln!(f, "{file}:{line}:{column}: {severity}: {message}")?;
        write!(f, "    {source_line}\n    ")?;
        let before = (*column as usize).saturating_sub(1);
        for character in source_line.chars().take(before) {
            f.write_str(if character == '\t' { "\t" } else { " " })?;
        }
        let room = source_line.chars().count().saturating_sub(before).max(1);
        f.write_str(&"^".repeat((self.length as usize).min(room)))?;
        match &self.hint {
            Some(hint) => write!(f, "\n    hint: {hint}"),
            None => Ok(()),
        }
    }
}

/// The name among these that was probably meant: one that few letters tell apart.
pub(super) fn nearest<'a>(wanted: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = wanted.chars().take(64).flat_map(char::to_lowercase).collect();
    let most = (wanted.len() / 3).clamp(1, 3);
    let mut best: Option<(usize, &str)> = None;
    for name in names {
        let letters: Vec<char> = name.chars().take(68).flat_map(char::to_lowercase).collect();
        if letters.len().abs_diff(wanted.len()) > most {
            continue;
        }
        let distance = distance(&wanted, &letters);
        if distance <= most && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, name));
        }
    }
    best.map(|(_, name)| name)
}

/// Letters to change, add, take away or swap to make one word of another.
fn distance(one: &[char], two: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=two.len()).collect();
    for (row, left) in one.iter().enumerate() {
        let mut next = vec![row + 1];
        for (column, right) in two.iter().enumerate() {
            let changed = last[column] + usize::from(left != right);
            let mut least = changed.min(last[column + 1] + 1).min(next[column] + 1);
            let swapped =
                row > 0 && column > 0 && *left == two[column - 1] && one[row - 1] == *right;
            if swapped {
                least = least.min(before[column - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut last, next);
    }
    last.last().copied().unwrap_or(0)
}
