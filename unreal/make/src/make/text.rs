//! The text of a class as a package keeps it, and the number that stands for it.

use std::sync::Arc;

use crate::compile::syntax::{Syntax, SyntaxItem};
use crate::compile::{Diagnostic, Macros, SourcePiece, SourceText, parse_source};
use crate::table::CRC_MSB;

/// The number that stands for the text of a class in those that are compiled against it: a CRC-32 of its UTF-16
/// code units; 0 without a text.
///
/// ```
/// use unreal_packages::make::text_crc;
///
/// assert_eq!(text_crc(""), 0);
/// assert_ne!(text_crc("class A extends Info;"), text_crc("class B extends Info;"));
/// ```
///
/// Spec: ue1-3/16 §16.5.
pub fn text_crc(text: &str) -> u32 {
    if text.is_empty() {
        return 0;
    }
    let bytes = text.encode_utf16().flat_map(u16::to_le_bytes);
    let add = |crc: u32, byte| crc << 8 ^ CRC_MSB[usize::from((crc >> 24) as u8 ^ byte)];
    !bytes.fold(u32::MAX, add)
}

/// The text with the line ends that the compiler writes: each line ends, the last one too.
///
/// ```
/// use unreal_packages::make::with_line_ends;
///
/// assert_eq!(with_line_ends("class A;\nvar int B;"), "class A;\r\nvar int B;\r\n");
/// ```
///
/// Spec: ue1-3/16 §16.10.
pub fn with_line_ends(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 32 + 2);
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(['\r', '\n']).unwrap_or(rest.len());
        let (line, behind) = rest.split_at(end);
        out.push_str(line);
        out.push_str("\r\n");
        rest = behind.strip_prefix("\r\n").or_else(|| behind.get(1..)).unwrap_or_default();
    }
    out
}

/// A block that is cut out of the text of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CutBlock {
    /// The text between its braces.
    pub text: String,
    /// The line on which that starts, from 1, in the file.
    pub line: u32,
}

/// The text that a package keeps, with where its parts are from.
#[derive(Default)]
struct KeptText {
    text: String,
    pieces: Vec<SourcePiece>,
}

impl KeptText {
    fn copy(&mut self, of: &str, from: usize, end: usize) {
        let part = of.get(from..end).unwrap_or_default();
        self.add(part, SourcePiece { start: 0, from, length: part.len(), is_copy: true });
    }

    fn put(&mut self, text: &str, from: usize, end: usize) {
        self.add(text, SourcePiece { start: 0, from, length: end - from, is_copy: false });
    }

    fn add(&mut self, text: &str, piece: SourcePiece) {
        if !text.is_empty() {
            self.pieces.push(SourcePiece { start: self.text.len(), ..piece });
            self.text.push_str(text);
        }
    }
}

/// A class file, taken apart: the text that the package keeps, and the blocks that are not in it.
#[derive(Debug, Clone)]
pub struct ClassSource {
    /// The file as messages name it.
    pub file: String,
    /// The tree of the text that the package keeps.
    pub syntax: Arc<Syntax>,
    /// The default values.
    pub defaults: Option<CutBlock>,
    /// C++ for the class's header.
    pub cpp_text: Option<CutBlock>,
    /// Diagnostics of the file.
    pub diagnostics: Vec<Diagnostic>,
}

impl ClassSource {
    /// Takes a file apart as the compiler does.
    ///
    /// Spec: ue1-3/16 §16.8, §16.10.
    pub fn of(file: &str, text: &str) -> Self {
        Self::cut(SourceText::new(file, with_line_ends(text)), Vec::new(), false)
    }

    /// The same for UE3: macros are replaced before anything else, and the compiler leaves a mark for each line of C++.
    ///
    /// Spec: ue1-3/15 §15.2, ue1-3/16 §16.10.
    pub fn of_ue3(file: &str, text: &str, macros: &Macros) -> Self {
        let source = SourceText::new(file, with_line_ends(text));
        let (source, diagnostics) = macros.expand(source);
        Self::cut(source, diagnostics, true)
    }

    fn cut(source: SourceText, mut diagnostics: Vec<Diagnostic>, marks_cpp: bool) -> Self {
        let file = source.file.clone();
        let whole = parse_source(source);
        let text = whole.syntax.source.text();
        let mut made = KeptText::default();
        let mut kept = 0;
        let (mut defaults, mut cpp_text) = (None, None);
        for item in &whole.syntax.items {
            let SyntaxItem::Block(block) = item else { continue };
            let into = match () {
                () if block.word.is("defaultproperties") => &mut defaults,
                () if block.word.is("cpptext") => &mut cpp_text,
                () => continue,
            };
            let word = whole.syntax.token(block.word.token).start as usize;
            let end = whole.syntax.token(block.close).end as usize;
            let inner = text.get(block.start..block.end).unwrap_or_default();
            let line = whole.syntax.source.line_in_file(block.start);
            into.get_or_insert(CutBlock { text: inner.to_owned(), line });
            // Whole lines go: from that of the word to that of the closing brace.
            let first = text.get(..word).and_then(|it| it.rfind('\n')).map_or(0, |at| at + 1);
            let last = text.get(end..).and_then(|it| it.find('\n'));
            let last = last.map_or(text.len(), |at| end + at + 1);
            made.copy(text, kept, first.max(kept));
            if marks_cpp && block.word.is("cpptext") {
                let lines = text.get(first.max(kept)..last).unwrap_or_default().lines().count();
                made.put(&"// (cpptext)\r\n".repeat(lines), first.max(kept), last);
            }
            kept = last.max(kept);
        }
        diagnostics.extend(whole.diagnostics);
        let syntax = match kept {
            0 => whole.syntax,
            _ => {
                made.copy(text, kept, text.len());
                let again = parse_source(whole.syntax.source.made_into(made.text, made.pieces));
                if diagnostics.is_empty() {
                    diagnostics = again.diagnostics;
                }
                again.syntax
            }
        };
        Self { file, syntax: Arc::new(syntax), defaults, cpp_text, diagnostics }
    }

    /// The name of the class; empty where the file declares none.
    pub fn name(&self) -> &str {
        self.syntax.class.as_ref().map_or("", |class| &class.name.text)
    }

    /// The text that the package keeps.
    pub fn script_text(&self) -> &str {
        self.syntax.source.text()
    }
}
