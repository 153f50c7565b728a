//! The text of a source file, and places in it.

use std::sync::Arc;

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TextPlace {
    /// UTF-16 code units from the start, as `TextPos` counts (spec: ue1-3/12 §12.10).
    pub offset: u32,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, characters.
    pub column: u32,
}

/// A source file, or a text that was made of one.
#[derive(Debug, Clone)]
pub struct SourceText {
    /// The file as messages name it.
    pub file: String,
    text: String,
    /// Where lines start, bytes.
    lines: Vec<usize>,
    /// Characters of several bytes: where each ends, bytes, and how many bytes more than code units there are so far.
    wide: Vec<(usize, usize)>,
    origin: Option<TextOrigin>,
}

/// What a text was made of: the one before it, and which parts of that it has.
#[derive(Debug, Clone)]
struct TextOrigin {
    text: Arc<SourceText>,
    pieces: Vec<SourcePiece>,
}

/// A part of a text that was made of another one. It ends where the next one starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourcePiece {
    /// Where it starts, bytes.
    pub start: usize,
    /// Where that stands in the other text, bytes.
    pub from: usize,
    /// How many bytes of the other text it stands for: all of its own where it is a copy, else those of what it was
    /// made of, a macro for example.
    pub length: usize,
    /// Whether its bytes are those of the other text.
    pub is_copy: bool,
}

impl SourceText {
    /// A text under the name of its file.
    pub fn new(file: impl Into<String>, text: impl Into<String>) -> Self {
        let text = text.into();
        let mut lines = vec![0];
        lines.extend(
            text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1),
        );
        let mut wide = Vec::new();
        let mut excess = 0;
        if !text.is_ascii() {
            for (at, character) in text.char_indices().filter(|(_, it)| !it.is_ascii()) {
                excess += character.len_utf8() - character.len_utf16();
                wide.push((at + character.len_utf8(), excess));
            }
        }
        Self { file: file.into(), text, lines, wide, origin: None }
    }

    /// A text that was made of this one, piece by piece: messages about it name the places of this one.
    pub fn made_into(self, text: impl Into<String>, pieces: Vec<SourcePiece>) -> Self {
        let file = self.file.clone();
        let origin = Some(TextOrigin { text: Arc::new(self), pieces });
        Self { origin, ..Self::new(file, text) }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The part between two byte offsets; empty where they are none of this text.
    pub fn slice(&self, start: usize, end: usize) -> &str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// The code units before a byte offset.
    pub fn offset(&self, byte: usize) -> u32 {
        let wide = self.wide.partition_point(|(end, _)| *end <= byte);
        let excess = wide.checked_sub(1).and_then(|at| self.wide.get(at)).map_or(0, |it| it.1);
        u32::try_from(byte.saturating_sub(excess)).unwrap_or(u32::MAX)
    }

    /// The line of a byte offset, from 1.
    pub fn line(&self, byte: usize) -> u32 {
        u32::try_from(self.lines.partition_point(|start| *start <= byte)).unwrap_or(u32::MAX)
    }

    /// The place of a byte offset.
    pub fn place(&self, byte: usize) -> TextPlace {
        let line = self.lines.partition_point(|start| *start <= byte);
        let start = line.checked_sub(1).and_then(|at| self.lines.get(at)).copied().unwrap_or(0);
        let column = self.slice(start, byte).chars().count() + 1;
        let narrow = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        TextPlace { offset: self.offset(byte), line: narrow(line), column: narrow(column) }
    }

    /// A line, from 1, without its end.
    pub fn line_text(&self, line: u32) -> &str {
        let row = (line as usize).saturating_sub(1);
        let start = self.lines.get(row).copied().unwrap_or(self.text.len());
        let end = self.lines.get(row + 1).copied().unwrap_or(self.text.len());
        self.slice(start, end).trim_end_matches(['\r', '\n'])
    }

    /// The text of the file, and the bytes of it that those between two offsets were made of.
    pub fn in_file(&self, start: usize, end: usize) -> (&Self, usize, usize) {
        let (mut text, mut start, mut end) = (self, start, end);
        while let Some(origin) = &text.origin {
            start = origin.of_start(start);
            end = origin.of_end(end).max(start);
            text = &origin.text;
        }
        (text, start, end)
    }

    /// The line of the file that a byte is from, from 1.
    pub fn line_in_file(&self, byte: usize) -> u32 {
        let (file, byte, _) = self.in_file(byte, byte);
        file.line(byte)
    }

    /// The offset in this text of a place in the file: line and column from 1, in characters. `None` of what this text has
    /// nothing of.
    pub fn offset_of_file_place(&self, line: u32, column: u32) -> Option<usize> {
        if let Some(origin) = &self.origin {
            return origin.of_origin(origin.text.offset_of_file_place(line, column)?);
        }
        let start = *self.lines.get((line as usize).checked_sub(1)?)?;
        let line = self.line_text(line);
        let within = line.char_indices().nth(column.saturating_sub(1) as usize);
        Some(start + within.map_or(line.len(), |(at, _)| at))
    }
}

impl TextOrigin {
    fn piece_at(&self, byte: usize) -> Option<&SourcePiece> {
        let behind = self.pieces.partition_point(|piece| piece.start <= byte);
        behind.checked_sub(1).and_then(|at| self.pieces.get(at))
    }

    /// Where the byte at an offset stands in the text before.
    fn of_start(&self, byte: usize) -> usize {
        let Some(piece) = self.piece_at(byte) else { return byte };
        match piece.is_copy {
            true => piece.from + (byte - piece.start).min(piece.length),
            false => piece.from,
        }
    }

    /// Where what ends at an offset ends in the text before.
    fn of_end(&self, byte: usize) -> usize {
        let Some(piece) = byte.checked_sub(1).and_then(|last| self.piece_at(last)) else {
            return 0;
        };
        match piece.is_copy {
            true => piece.from + (byte - piece.start).min(piece.length),
            false => piece.from + piece.length,
        }
    }

    /// Where a byte of the text before stands: the start of what was made of it.
    fn of_origin(&self, byte: usize) -> Option<usize> {
        let piece = self
            .pieces
            .iter()
            .find(|piece| (piece.from..=piece.from + piece.length).contains(&byte))?;
        Some(if piece.is_copy { piece.start + (byte - piece.from) } else { piece.start })
    }
}
