//! How the text of an ini file is stored.

use crate::primitive::{ansi_bytes, ansi_text, utf16_text};
use crate::version::ByteOrder;

/// An encoding of ini files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum IniEncoding {
    /// Without a mark: UTF-8 where it is valid, else Windows-1252.
    #[default]
    Plain,
    Windows,
    Utf8Mark,
    Utf16Le,
    Utf16Be,
}

impl IniEncoding {
    /// The encoding of a file.
    pub fn detect(bytes: &[u8]) -> Self {
        let marked = [Self::Utf16Le, Self::Utf16Be, Self::Utf8Mark];
        let marked = marked.into_iter().find(|known| bytes.starts_with(known.mark()));
        marked.unwrap_or(match std::str::from_utf8(bytes) {
            Ok(_) => Self::Plain,
            Err(_) => Self::Windows,
        })
    }

    /// The bytes before the text.
    pub fn mark(self) -> &'static [u8] {
        match self {
            Self::Plain | Self::Windows => &[],
            Self::Utf8Mark => &[0xef, 0xbb, 0xbf],
            Self::Utf16Le => &[0xff, 0xfe],
            Self::Utf16Be => &[0xfe, 0xff],
        }
    }

    /// The text of bytes; what is damaged is replaced.
    pub fn decode(self, bytes: &[u8]) -> String {
        match self {
            Self::Plain | Self::Utf8Mark => String::from_utf8_lossy(bytes).into_owned(),
            Self::Windows => ansi_text(bytes).into_owned(),
            Self::Utf16Le => utf16_text(bytes, ByteOrder::Little),
            Self::Utf16Be => utf16_text(bytes, ByteOrder::Big),
        }
    }

    /// The bytes of a text; `None` when it does not fit.
    pub fn encode(self, text: &str) -> Option<Vec<u8>> {
        let units = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect();
        match self {
            Self::Plain | Self::Utf8Mark => Some(text.as_bytes().to_vec()),
            Self::Windows => ansi_bytes(text),
            Self::Utf16Le => Some(units(u16::to_le_bytes)),
            Self::Utf16Be => Some(units(u16::to_be_bytes)),
        }
    }

    /// Bytes of the smallest part of a text.
    pub fn unit(self) -> usize {
        if matches!(self, Self::Utf16Le | Self::Utf16Be) { 2 } else { 1 }
    }

    /// The lines of a text with their ends. The bytes are cut, not the text: so damage in one line leaves
    /// the others.
    pub fn lines(self, bytes: &[u8]) -> Vec<&[u8]> {
        let (unit, end) = (self.unit(), self.encode("\n").unwrap_or_default());
        let mut lines = Vec::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            let ends = rest.chunks(unit).position(|unit| unit == end);
            let length = ends.map_or(rest.len(), |at| (at + 1) * unit);
            let (line, tail) = rest.split_at(length);
            lines.push(line);
            rest = tail;
        }
        lines
    }
}
