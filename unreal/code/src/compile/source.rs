//! The text of a source file, and places in it.

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

/// A source file.
#[derive(Debug, Clone)]
pub struct SourceText {
    /// The file as messages name it.
    pub file: String,
    text: String,
    /// Where lines start, bytes.
    lines: Vec<usize>,
    /// Characters of several bytes: where each ends, bytes, and how many bytes more than code units there are so far.
    wide: Vec<(usize, usize)>,
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
        Self { file: file.into(), text, lines, wide }
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
}
