//! A text whose macros are being replaced.

use std::collections::HashMap;
use std::sync::Arc;

use super::arguments::{arguments, definition, is_name, on_one_line};
use super::macro_table::{Macro, MacroTable, ReadFile};
use crate::compile::declarations::fold;
use crate::compile::diagnostic::{Diagnostic, DiagnosticKind, nearest};
use crate::compile::source::{SourcePiece, SourceText};

/// Macros within macros, and files within files.
const DEEPEST: u32 = 64;
/// Messages that are kept of one text.
const MOST_ERRORS: usize = 100;
/// Bytes that macros make of one byte of the text, on average: more is a definition that doubles itself.
const LARGEST_GROWTH: usize = 64;
/// And what the shortest text may become.
const LEAST_ROOM: usize = 1 << 16;

/// A condition that has begun.
struct MacroCondition {
    /// Whether what stands there now is kept.
    is_kept: bool,
    /// Whether anything around it is left out.
    is_outside_kept: bool,
    /// Where its `` `if `` stands in the file.
    at: usize,
}

/// The result so far; of the file itself with where each piece is from.
#[derive(Default)]
struct ExpandedText {
    text: String,
    pieces: Option<Vec<SourcePiece>>,
}

impl ExpandedText {
    fn copy(&mut self, text: &str, from: usize) {
        self.push(text, from, text.len(), true);
    }

    fn push(&mut self, text: &str, from: usize, length: usize, is_copy: bool) {
        if text.is_empty() {
            return;
        }
        let start = self.text.len();
        self.text.push_str(text);
        let Some(pieces) = &mut self.pieces else { return };
        if let Some(last) = pieces.last_mut().filter(|it| it.is_copy && is_copy)
            && last.from + last.length == from
        {
            last.length += length;
            return;
        }
        pieces.push(SourcePiece { start, from, length, is_copy });
    }
}

/// The parameters of the macro whose text is read, with what was given for them.
type MacroValues = HashMap<String, String>;

pub(super) struct Expander<'a> {
    macros: HashMap<String, Arc<Macro>>,
    read: Arc<ReadFile>,
    source: &'a SourceText,
    /// The bytes of the file that are being replaced.
    call: (usize, usize),
    made: ExpandedText,
    /// Bytes that may still be made.
    room: usize,
    depth: u32,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Expander<'a> {
    pub fn new(macros: &MacroTable, source: &'a SourceText) -> Self {
        let room = LEAST_ROOM.saturating_add(source.text().len().saturating_mul(LARGEST_GROWTH));
        Self {
            macros: macros.by_name.clone(),
            read: macros.read.clone(),
            source,
            call: (0, 0),
            made: ExpandedText { text: String::new(), pieces: Some(Vec::new()) },
            room,
            depth: 0,
            diagnostics: Vec::new(),
        }
    }

    /// Reads the file itself.
    pub fn file(&mut self, text: &str) {
        let mut made = std::mem::take(&mut self.made);
        self.read_text(text, &MacroValues::new(), &mut made, true);
        self.made = made;
    }

    pub fn into_macros(self) -> HashMap<String, Arc<Macro>> {
        self.macros
    }

    pub fn done(self) -> (String, Vec<SourcePiece>, Vec<Diagnostic>) {
        (self.made.text, self.made.pieces.unwrap_or_default(), self.diagnostics)
    }

    fn fail(&mut self, kind: DiagnosticKind, message: String, hint: Option<String>) {
        if self.diagnostics.len() < MOST_ERRORS {
            let error = Diagnostic::error(self.source, kind, self.call, message);
            self.diagnostics.push(error.with_hint(hint));
        }
    }

    /// Takes bytes of what may still be made.
    fn takes(&mut self, bytes: usize) -> bool {
        let has_room = self.room >= bytes && self.depth < DEEPEST;
        self.room = self.room.saturating_sub(bytes);
        if !has_room && !self.diagnostics.iter().any(|it| it.kind == DiagnosticKind::Limit) {
            let message = "these macros make too much text, or hold each other".to_owned();
            self.fail(DiagnosticKind::Limit, message, None);
        }
        has_room
    }

    /// Replaces the macros of a text; `is_file`: it is the file itself, whose places count.
    fn read_text(
        &mut self,
        text: &str,
        given: &MacroValues,
        made: &mut ExpandedText,
        is_file: bool,
    ) {
        let bytes = text.as_bytes();
        let mut conditions: Vec<MacroCondition> = Vec::new();
        let (mut at, mut kept, mut in_text) = (0, 0, false);
        while let Some(byte) = bytes.get(at) {
            let is_kept = conditions.last().is_none_or(|it| it.is_kept);
            // The end of what is neither a macro nor left out.
            let next = match byte {
                b'"' => {
                    in_text = !in_text;
                    at + 1
                }
                b'\\' if in_text && bytes.get(at + 1) != Some(&b'\n') => at + 2,
                b'\n' => {
                    in_text = false;
                    if !is_kept {
                        let has_return = at > 0 && bytes.get(at - 1) == Some(&b'\r');
                        let end = at - usize::from(has_return);
                        made.copy(text.get(end..at + 1).unwrap_or_default(), end);
                        kept = at + 1;
                    }
                    at + 1
                }
                b'/' if !in_text && bytes.get(at + 1) == Some(&b'/') => end_of_comment(text, at),
                b'/' if !in_text && bytes.get(at + 1) == Some(&b'*') && is_kept => {
                    end_of_comment(text, at)
                }
                b'`' => {
                    if is_kept {
                        made.copy(text.get(kept..at).unwrap_or_default(), kept);
                    }
                    if is_file {
                        self.call = (at, at + 1);
                    }
                    let end = self.call(text, at, given, made, &mut conditions, in_text);
                    if is_file {
                        // Lines that a call takes stay lines.
                        let (mut from, call) = (at, text.get(at..end).unwrap_or_default());
                        for line in call.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
                            from += line.len();
                            let length = if line.ends_with("\r\n") { 2 } else { 1 };
                            let start = from - length;
                            made.copy(text.get(start..from).unwrap_or_default(), start);
                        }
                    }
                    kept = end;
                    end
                }
                _ => at + 1,
            };
            if !is_kept && *byte != b'`' {
                kept = kept.max(next.min(text.len()));
            }
            at = next;
        }
        let open = conditions.last().map(|it| it.at);
        if conditions.last().is_none_or(|it| it.is_kept) {
            made.copy(text.get(kept..).unwrap_or_default(), kept);
        }
        if let Some(at) = open {
            if is_file {
                self.call = (at, at + 3);
            }
            self.fail(DiagnosticKind::Syntax, "`if without `endif".to_owned(), None);
        }
    }

    /// Reads what stands behind a backquote, and says where it ends.
    fn call(
        &mut self,
        text: &str,
        at: usize,
        given: &MacroValues,
        made: &mut ExpandedText,
        conditions: &mut Vec<MacroCondition>,
        in_text: bool,
    ) -> usize {
        let bytes = text.as_bytes();
        let is_braced = bytes.get(at + 1) == Some(&b'{');
        let start = at + 1 + usize::from(is_braced);
        let length =
            bytes.get(start..).unwrap_or_default().iter().take_while(|it| is_name(**it)).count();
        let name = text.get(start..start + length).unwrap_or_default();
        let mut end = start + length;
        if is_braced {
            // What is left is one that nobody defines: it stays, and the compiler counts it as nothing.
            match bytes.get(end) {
                Some(b'}') => end += 1,
                _ => return self.leave(text, at, at + 1, made, conditions),
            }
        }
        let folded = fold(name);
        let is_kept = conditions.last().is_none_or(|it| it.is_kept);
        match folded.as_str() {
            "if" => {
                let Some((found, end)) = self.arguments(text, end) else { return end };
                let is_true = is_kept && !self.whole(&found.join(","), given).trim().is_empty();
                conditions.push(MacroCondition { is_kept: is_true, is_outside_kept: is_kept, at });
                return end;
            }
            "else" => {
                match conditions.last_mut() {
                    Some(it) => it.is_kept = it.is_outside_kept && !it.is_kept,
                    None => self.stray("else"),
                }
                return end;
            }
            "endif" => {
                if conditions.pop().is_none() {
                    self.stray("endif");
                }
                return end;
            }
            _ if !is_kept => return end,
            "define" => {
                let found = definition(text, end);
                let body = found.body.clone();
                let parameters = found.parameters.iter().map(|name| fold(name)).collect();
                if found.name.is_empty() {
                    let message = "`define without a name".to_owned();
                    self.fail(DiagnosticKind::Syntax, message, None);
                } else {
                    self.macros.insert(fold(found.name), Arc::new(Macro { parameters, body }));
                }
                return found.end;
            }
            "undefine" => {
                let Some((found, end)) = self.arguments(text, end) else { return end };
                found.iter().for_each(|name| drop(self.macros.remove(&fold(name))));
                return end;
            }
            "isdefined" | "notdefined" => {
                let Some((found, end)) = self.arguments(text, end) else { return end };
                let is_known = |name: &&str| {
                    let name = fold(name.trim_start_matches('`'));
                    given
                        .get(&name)
                        .map_or_else(|| self.macros.contains_key(&name), |it| !it.is_empty())
                };
                if found.iter().all(is_known) == (folded == "isdefined") {
                    made.push("1", at, end - at, false);
                }
                return end;
            }
            "include" => {
                let Some((found, end)) = self.arguments(text, end) else { return end };
                self.include(&found.join(","), at, end, made);
                return end;
            }
            _ => {}
        }
        if let Some(value) = given.get(&folded) {
            if self.takes(value.len()) {
                made.push(value, at, end - at, false);
            }
            return end;
        }
        let Some(known) = self.macros.get(&folded).cloned() else {
            if is_braced || in_text || name.is_empty() {
                return self.leave(text, at, end, made, conditions);
            }
            self.unknown(name, end);
            return arguments_at(text, end).map_or(end, |it| it.1);
        };
        let mut values = MacroValues::new();
        if !known.parameters.is_empty() {
            let call = arguments_at(text, end);
            let found = call.as_ref().map_or(&[][..], |(found, _)| found);
            for (at, name) in known.parameters.iter().enumerate() {
                // The lines that the call takes stand behind it.
                let value = found.get(at).map_or(String::new(), |it| match it.contains('\n') {
                    true => self.whole(&on_one_line(it), given),
                    false => self.whole(it, given),
                });
                values.insert(name.clone(), value);
            }
            end = call.map_or(end, |it| it.1);
        }
        if self.depth == 0 {
            self.call.1 = end;
        }
        let result = self.within(&known.body, &values);
        made.push(&result, at, end - at, false);
        end
    }

    /// A text that stands in another one, with its macros replaced.
    fn whole(&mut self, text: &str, given: &MacroValues) -> String {
        if !text.contains('`') {
            return if self.takes(text.len()) { text.to_owned() } else { String::new() };
        }
        self.within(text, given)
    }

    fn within(&mut self, text: &str, given: &MacroValues) -> String {
        let mut made = ExpandedText::default();
        if self.takes(text.len()) {
            self.depth += 1;
            self.read_text(text, given, &mut made, false);
            self.depth -= 1;
        }
        made.text
    }

    /// The arguments of a built-in macro; where there are none that is said, and where to go on.
    fn arguments<'t>(&mut self, text: &'t str, end: usize) -> Option<(Vec<&'t str>, usize)> {
        let found = arguments_at(text, end);
        if found.is_none() {
            let message = "this needs something in parentheses".to_owned();
            self.fail(DiagnosticKind::Syntax, message, None);
        }
        found
    }

    fn include(&mut self, path: &str, at: usize, end: usize, made: &mut ExpandedText) {
        let path = path.trim().trim_matches('"');
        let read = self.read.clone();
        let Some(text) = read(path) else {
            let message = format!("the file '{path}' is not at hand");
            return self.fail(DiagnosticKind::UnknownName, message, None);
        };
        let result = self.within(&text, &MacroValues::new());
        // Mostly there are definitions alone.
        if result.trim().is_empty() {
            return;
        }
        // The rest of the line has the number that it had.
        let line = self.source.line(self.call.0).saturating_sub(1);
        made.push(&format!("{}\r\n#linenumber {line}\r\n", result.trim_end()), at, end - at, false);
    }

    /// Keeps what is no macro.
    fn leave(
        &mut self,
        text: &str,
        at: usize,
        end: usize,
        made: &mut ExpandedText,
        conditions: &[MacroCondition],
    ) -> usize {
        if conditions.last().is_none_or(|it| it.is_kept) {
            made.copy(text.get(at..end).unwrap_or_default(), at);
        }
        end
    }

    fn stray(&mut self, word: &str) {
        self.fail(DiagnosticKind::Syntax, format!("`{word} without `if"), None);
    }

    fn unknown(&mut self, name: &str, end: usize) {
        if self.depth == 0 {
            self.call.1 = end;
        }
        let mut known: Vec<&str> = self.macros.keys().map(String::as_str).collect();
        known.sort_unstable();
        let hint = nearest(name, known.into_iter());
        let hint = hint.map(|name| format!("did you mean '`{name}'?"));
        self.fail(DiagnosticKind::UnknownName, format!("no macro '{name}' is defined"), hint);
    }
}

/// The arguments that stand behind a name, blanks between them aside.
fn arguments_at(text: &str, end: usize) -> Option<(Vec<&str>, usize)> {
    let rest = text.get(end..)?;
    let open = end + (rest.len() - rest.trim_start_matches([' ', '\t']).len());
    (text.as_bytes().get(open) == Some(&b'(')).then(|| arguments(text, open)).flatten()
}

/// Where a comment that starts at a byte ends: those in `/*` nest.
fn end_of_comment(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    if rest.starts_with("//") {
        return start + rest.find('\n').unwrap_or(rest.len());
    }
    let (bytes, mut depth, mut at) = (text.as_bytes(), 0_u32, start);
    while at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"/*") => (depth, at) = (depth + 1, at + 2),
            Some(b"*/") => (depth, at) = (depth.saturating_sub(1), at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}
