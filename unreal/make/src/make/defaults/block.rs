//! The text of default values: assignments, and objects that stand within others.

use crate::compile::Diagnostic;
use crate::property::ValueText;

use super::super::text::ClassSource;
use super::change::{ArrayChange, array_change};

/// A line that gives a value.
#[derive(Debug, Clone)]
pub(super) struct Assignment {
    pub name: String,
    pub element: Option<u32>,
    pub value: LineValue,
    pub line: u32,
}

/// What a line gives.
#[derive(Debug, Clone)]
pub(super) enum LineValue {
    Value(ValueText),
    Change(ArrayChange),
}

/// An object between `Begin Object` and `End Object`.
#[derive(Debug, Clone)]
pub(super) struct InnerObject {
    pub class: Option<String>,
    pub name: String,
    pub block: ValueBlock,
    pub line: u32,
}

/// The values of a block.
#[derive(Debug, Clone, Default)]
pub(super) struct ValueBlock {
    pub assignments: Vec<Assignment>,
    pub objects: Vec<InnerObject>,
    /// Lines that say nothing that is known.
    pub problems: Vec<(u32, String)>,
}

/// NamedObjects within objects are read this deep.
const DEEPEST: usize = 16;

/// Reads a block whose text starts on a line.
pub(super) fn read(text: &str, first: u32) -> ValueBlock {
    let mut open: Vec<InnerObject> = Vec::new();
    let mut whole = ValueBlock::default();
    let mut in_comment = false;
    for (line, raw) in (first..).zip(text.lines()) {
        let Some(text) = code_of(raw, &mut in_comment) else { continue };
        let text = text.trim().trim_end_matches(';').trim_end();
        if text.is_empty() {
            continue;
        }
        let lower = text.to_ascii_lowercase();
        if lower.starts_with("begin object") {
            let word = |key: &str| word_of(text, key);
            let block = ValueBlock::default();
            let name = word("name").unwrap_or_default();
            open.push(InnerObject { class: word("class"), name, block, line });
            continue;
        }
        if lower.starts_with("end object") {
            if let Some(done) = open.pop() {
                open.last_mut().map_or(&mut whole, |it| &mut it.block).objects.push(done);
            }
            continue;
        }
        if open.len() > DEEPEST {
            whole.problems.push((line, "objects nest too deep here".to_owned()));
            continue;
        }
        match assignment(text, line) {
            Ok(assignment) => {
                open.last_mut().map_or(&mut whole, |it| &mut it.block).assignments.push(assignment);
            }
            Err(message) => whole.problems.push((line, message)),
        }
    }
    if let Some(open) = open.first() {
        whole.problems.push((open.line, format!("the object '{}' has no End Object", open.name)));
    }
    whole
}

/// A line without its comments.
fn code_of(line: &str, in_comment: &mut bool) -> Option<String> {
    let mut out = String::new();
    let mut rest = line;
    let mut in_quotes = false;
    while let Some(next) = rest.chars().next() {
        if *in_comment {
            match rest.strip_prefix("*/") {
                Some(behind) => {
                    *in_comment = false;
                    rest = behind;
                }
                None => rest = &rest[next.len_utf8()..],
            }
            continue;
        }
        if !in_quotes && rest.starts_with("//") {
            break;
        }
        if !in_quotes && rest.starts_with("/*") {
            *in_comment = true;
            rest = &rest[2..];
            continue;
        }
        if in_quotes && next == '\\' {
            out.push(next);
            rest = &rest[1..];
            if let Some(escaped) = rest.chars().next() {
                out.push(escaped);
                rest = &rest[escaped.len_utf8()..];
            }
            continue;
        }
        if next == '"' {
            in_quotes = !in_quotes;
        }
        out.push(next);
        rest = &rest[next.len_utf8()..];
    }
    (!out.trim().is_empty()).then_some(out)
}

/// The word behind `key=` in the line that begins an object.
fn word_of(text: &str, key: &str) -> Option<String> {
    text.split_whitespace().find_map(|word| {
        let (found, value) = word.split_once('=')?;
        found.eq_ignore_ascii_case(key).then(|| value.trim_matches('"').to_owned())
    })
}

fn assignment(text: &str, line: u32) -> Result<Assignment, String> {
    if let Some(found) = array_change(text) {
        let (name, change) = found?;
        return Ok(Assignment { name, element: None, value: LineValue::Change(change), line });
    }
    let Some((left, right)) = text.split_once('=') else {
        return Err(format!("'{text}' gives no value: write Name=Value"));
    };
    let left = left.trim();
    let (name, element) = match left.split_once(['(', '[']) {
        Some((name, element)) => {
            let digits = element.trim_end_matches([')', ']']).trim();
            let element = digits.parse().map_err(|_| format!("'{digits}' is no number"))?;
            (name.trim(), Some(element))
        }
        None => (left, None),
    };
    let right = right.trim();
    let value = match right.is_empty() {
        true => ValueText::Plain(String::new()),
        false => ValueText::parse(right).map_err(|error| error.to_string())?,
    };
    let value = LineValue::Value(value);
    Ok(Assignment { name: name.to_owned(), element, value, line })
}

/// A message about a line of the values.
pub(super) fn warning(source: &ClassSource, line: u32, message: String) -> Diagnostic {
    let text = &source.syntax.source;
    let kind = crate::compile::DiagnosticKind::UnknownName;
    let mut warning = Diagnostic::error(text, kind, (0, 0), message).as_warning();
    (warning.line, warning.column, warning.length) = (line, 1, 1);
    warning.source_line = String::new();
    warning
}
