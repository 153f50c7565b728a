//! The words of code as text.

use crate::error::{Error, Result};

/// The characters that end a path without marks.
const ENDS: &[char] = &[',', '(', ')', '[', ']', ';', '`', '"', '\'', '#'];

/// Whether a path can stand without marks.
pub(super) fn is_plain(path: &str) -> bool {
    !path.is_empty()
        && !path.contains(|c: char| c.is_whitespace() || c.is_control() || ENDS.contains(&c))
}

/// A piece of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextPiece {
    Character(char),
    /// `\x81`: a byte of an 8-bit string.
    Byte(u8),
    /// `\u{d800}`: a UTF-16 unit that is no character.
    Unit(u16),
}

/// Reads words one after the other.
#[derive(Debug, Clone)]
pub(super) struct Lexer<'a> {
    rest: &'a str,
    /// The line of `rest`, for errors.
    line: usize,
    /// The line of what was taken last.
    taken: usize,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str, line: usize) -> Self {
        Self { rest: text, line, taken: line }
    }

    /// An error that says the line.
    pub fn error(&self, reason: impl std::fmt::Display) -> Error {
        Error::invalid(format!("line {}: {reason}", self.line))
    }

    /// The error for a token in place of another.
    pub fn unexpected(&self, wanted: &str) -> Error {
        let found: String = self.rest.chars().take_while(|c| *c != '\n').take(24).collect();
        match found.trim() {
            "" => Error::invalid(format!("line {}: {wanted} is missing at its end", self.taken)),
            found => self.error(format!("{wanted} belongs before '{found}'")),
        }
    }

    fn advance(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken
    }

    fn take(&mut self, bytes: usize) -> &'a str {
        let taken = self.advance(bytes);
        self.taken = self.line;
        taken
    }

    /// Passes over what only separates.
    pub fn skip_blank(&mut self) {
        loop {
            let blank = self.rest.len()
                - self.rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
            self.advance(blank);
            if !self.rest.starts_with(';') {
                return;
            }
            let comment = self.rest.find('\n').unwrap_or(self.rest.len());
            self.advance(comment);
        }
    }

    pub fn is_at_end(&mut self) -> bool {
        self.skip_blank();
        self.rest.is_empty()
    }

    /// Takes this mark, if it comes next.
    pub fn takes(&mut self, mark: char) -> bool {
        self.skip_blank();
        let found = self.rest.starts_with(mark);
        if found {
            self.take(mark.len_utf8());
        }
        found
    }

    /// The same right behind what was taken last.
    pub fn takes_right_here(&mut self, mark: char) -> bool {
        self.rest.starts_with(mark) && self.takes(mark)
    }

    /// A word of letters, digits and underscores that begins with no digit.
    pub fn word(&mut self) -> Option<&'a str> {
        self.skip_blank();
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let end = end.unwrap_or(self.rest.len());
        let is_word = self.rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        is_word.then(|| self.take(end))
    }

    /// A label that stands here: a word and a colon.
    pub fn label(&mut self) -> Option<&'a str> {
        let before = self.clone();
        if let Some(word) = self.word()
            && self.takes_right_here(':')
        {
            return Some(word);
        }
        *self = before;
        None
    }

    /// A number, path or other text up to what separates.
    pub fn plain(&mut self, wanted: &str) -> Result<&'a str> {
        self.skip_blank();
        let end = self.rest.find(|c: char| c.is_whitespace() || ENDS.contains(&c));
        match end.unwrap_or(self.rest.len()) {
            0 => Err(self.unexpected(wanted)),
            end => Ok(self.take(end)),
        }
    }

    /// A text within these marks, `wanted` if there is none.
    pub fn quoted(&mut self, mark: char, wanted: &str) -> Result<String> {
        let pieces = self.pieces(mark, wanted)?;
        let character = |piece: TextPiece| match piece {
            TextPiece::Character(c) => Ok(c),
            TextPiece::Byte(byte) => Ok(char::from(byte)),
            TextPiece::Unit(_) => {
                Err(self.error("half a character can stand in UTF-16 strings alone"))
            }
        };
        pieces.into_iter().map(character).collect()
    }

    /// The same in pieces, as strings have them.
    pub fn pieces(&mut self, mark: char, wanted: &str) -> Result<Vec<TextPiece>> {
        if !self.takes(mark) {
            return Err(self.unexpected(wanted));
        }
        let mut pieces = Vec::new();
        loop {
            let Some(c) = self.rest.chars().next().filter(|c| *c != '\n') else {
                return Err(self.error(format!("a text has no end: {mark} is missing")));
            };
            self.take(c.len_utf8());
            pieces.push(match c {
                '\\' => self.escape()?,
                c if c == mark => return Ok(pieces),
                c => TextPiece::Character(c),
            });
        }
    }

    /// Reads the escape behind a backslash.
    fn escape(&mut self) -> Result<TextPiece> {
        let unknown = |lexer: &Self| {
            lexer.error(r#"a backslash begins \n, \r, \t, \\, \", \', \`, \x81 or \u{20ac}"#)
        };
        let Some(c) = self.rest.chars().next() else { return Err(unknown(self)) };
        self.advance(c.len_utf8());
        let digits = |lexer: &mut Self, count: Option<usize>| {
            let end = count.or_else(|| lexer.rest.find('}'))?;
            let digits =
                lexer.rest.get(..end).filter(|it| it.bytes().all(|c| c.is_ascii_hexdigit()))?;
            let number = u32::from_str_radix(digits, 16).ok()?;
            lexer.advance(end);
            Some(number)
        };
        match c {
            'n' => Ok(TextPiece::Character('\n')),
            'r' => Ok(TextPiece::Character('\r')),
            't' => Ok(TextPiece::Character('\t')),
            '\\' | '"' | '\'' | '`' => Ok(TextPiece::Character(c)),
            'x' => {
                let byte = digits(self, Some(2)).ok_or_else(|| unknown(self))?;
                Ok(TextPiece::Byte(byte as u8))
            }
            'u' if self.takes_right_here('{') => {
                let number = digits(self, None).ok_or_else(|| unknown(self))?;
                self.advance(1);
                match (char::from_u32(number), u16::try_from(number)) {
                    (Some(c), _) => Ok(TextPiece::Character(c)),
                    (None, Ok(unit)) => Ok(TextPiece::Unit(unit)),
                    (None, Err(_)) => Err(unknown(self)),
                }
            }
            _ => Err(unknown(self)),
        }
    }
}
