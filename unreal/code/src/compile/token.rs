//! Text to tokens.

use super::source::SourceText;

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A word.
    Word,
    /// A number, without a sign.
    Number,
    /// Characters in double quotes, with these.
    Text,
    /// A name in single quotes, with these.
    Name,
    /// An operator or other sign.
    Symbol,
    /// A text without its closing quote on the line.
    OpenText,
    /// The end of the file.
    End,
}

/// A token: where it stands, bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// The offset of its first byte.
    pub start: u32,
    /// The offset behind its last byte.
    pub end: u32,
}

/// A line that begins with `#`: a command to the compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Directive {
    /// The line from the `#` on, without its end.
    pub text: String,
    /// The offset of the `#`, bytes.
    pub start: usize,
    /// The token that it stands before.
    pub before: u32,
}

/// The tokens of a text.
#[derive(Debug, Clone)]
pub struct Tokens {
    /// All of them; the last one is the end.
    pub tokens: Vec<Token>,
    /// Lines that begin with `#`, in order.
    pub directives: Vec<Directive>,
    /// Lines whose numbers the text gives (`#linenumber N`): where each starts, bytes, and its number.
    pub numbered_lines: Vec<(usize, u32)>,
    /// The start of a comment that does not end, bytes.
    pub open_comment: Option<usize>,
}

/// Signs of several characters, longer ones first.
const SIGNS: [&str; 29] = [
    ">>>=", ">>>", ">>=", "<<=", "**=", "-=", "+=", "*=", "/=", "$=", "@=", "~=", "|=", "&=", "^=",
    "==", "!=", "<=", ">=", "<<", ">>", "++", "--", "||", "&&", "**", "^^", "::", "%=",
];

impl Tokens {
    /// The tokens of a text. Comments nest; a line that begins with `#` is no token (spec: ue1-3/15 §15.2).
    pub fn of(source: &SourceText) -> Self {
        let text = source.text();
        let mut lexer = TokenReader { bytes: text.as_bytes(), at: 0, fresh_line: true };
        let mut tokens = Vec::with_capacity(text.len() / 5);
        let mut directives: Vec<Directive> = Vec::new();
        let mut open_comment = None;
        while let Some(byte) = lexer.byte(0) {
            let start = lexer.at;
            let kind = match byte {
                b'\n' => {
                    lexer.at += 1;
                    lexer.fresh_line = true;
                    continue;
                }
                byte if byte.is_ascii_whitespace() || byte == 0x0b || byte == 0x1a => {
                    lexer.at += 1;
                    continue;
                }
                b'/' if lexer.byte(1) == Some(b'/') => {
                    lexer.line();
                    continue;
                }
                b'/' if lexer.byte(1) == Some(b'*') => {
                    if !lexer.comment() {
                        open_comment.get_or_insert(start);
                    }
                    continue;
                }
                b'#' if lexer.fresh_line => {
                    lexer.line();
                    let line = source.slice(start, lexer.at).trim_end_matches('\r').to_owned();
                    let before = u32::try_from(tokens.len()).unwrap_or(u32::MAX);
                    directives.push(Directive { text: line, start, before });
                    continue;
                }
                b'`' if lexer.macro_leftover() => continue,
                _ => lexer.token(),
            };
            lexer.fresh_line = false;
            let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            tokens.push(Token { kind, start: narrow(start), end: narrow(lexer.at) });
        }
        let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
        tokens.push(Token { kind: TokenKind::End, start: end, end });
        let number = |text: &str| text.strip_prefix("#linenumber")?.trim().parse().ok();
        let numbered_lines =
            directives.iter().filter_map(|it| Some((it.start, number(&it.text)?))).collect();
        Self { tokens, directives, numbered_lines, open_comment }
    }
}

struct TokenReader<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Nothing but spaces stands before on the line.
    fresh_line: bool,
}

fn is_word_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl TokenReader<'_> {
    fn byte(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    fn take_while(&mut self, is: impl Fn(u8) -> bool) {
        while self.byte(0).is_some_and(&is) {
            self.at += 1;
        }
    }

    fn line(&mut self) {
        self.take_while(|byte| byte != b'\n');
    }

    /// Whether the comment ends.
    fn comment(&mut self) -> bool {
        self.at += 2;
        let mut depth = 1_usize;
        while let Some(byte) = self.byte(0) {
            match (byte, self.byte(1)) {
                (b'*', Some(b'/')) => {
                    self.at += 2;
                    depth -= 1;
                    if depth == 0 {
                        return true;
                    }
                }
                (b'/', Some(b'*')) => {
                    self.at += 2;
                    depth += 1;
                }
                _ => self.at += 1,
            }
        }
        false
    }

    /// Passes over a leftover of UE3's preprocessor: a word in braces.
    fn macro_leftover(&mut self) -> bool {
        let start = self.at;
        self.at += 1;
        if self.byte(0) == Some(b'{') {
            self.at += 1;
            self.take_while(is_word);
            if self.byte(0) == Some(b'}') {
                self.at += 1;
                return true;
            }
        }
        self.at = start;
        false
    }

    fn token(&mut self) -> TokenKind {
        let Some(first) = self.byte(0) else { return TokenKind::End };
        match first {
            b'"' => self.text(),
            b'\'' => self.name(),
            b'0'..=b'9' => self.number(),
            b'.' if self.byte(1).is_some_and(|byte| byte.is_ascii_digit()) => self.number(),
            first if is_word_start(first) => {
                self.take_while(is_word);
                TokenKind::Word
            }
            _ => {
                let rest = self.bytes.get(self.at..).unwrap_or_default();
                let sign = SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes()));
                self.at += sign.map_or(1, |sign| sign.len());
                // The rest of a character of several bytes belongs to it.
                if !first.is_ascii() {
                    self.take_while(|byte| byte & 0xc0 == 0x80);
                }
                TokenKind::Symbol
            }
        }
    }

    fn text(&mut self) -> TokenKind {
        self.at += 1;
        while let Some(byte) = self.byte(0) {
            match byte {
                b'"' => {
                    self.at += 1;
                    return TokenKind::Text;
                }
                b'\n' | b'\r' => break,
                b'\\' if self.byte(1).is_some_and(|byte| byte != b'\n' && byte != b'\r') => {
                    self.at += 2
                }
                _ => self.at += 1,
            }
        }
        // A backslash may have passed over the first byte of a character.
        self.take_while(|byte| byte & 0xc0 == 0x80);
        TokenKind::OpenText
    }

    /// A name, or a lone quote.
    fn name(&mut self) -> TokenKind {
        let start = self.at;
        self.at += 1;
        self.take_while(|byte| byte != b'\'' && byte != b'\n');
        match self.byte(0) {
            Some(b'\'') => {
                self.at += 1;
                TokenKind::Name
            }
            _ => {
                self.at = start + 1;
                TokenKind::Symbol
            }
        }
    }

    fn number(&mut self) -> TokenKind {
        if self.byte(0) == Some(b'0') && matches!(self.byte(1), Some(b'x' | b'X')) {
            self.at += 2;
            self.take_while(|byte| byte.is_ascii_hexdigit());
            return TokenKind::Number;
        }
        self.take_while(|byte| byte.is_ascii_digit());
        // What stands behind a second dot is read as well, and means nothing.
        while self.byte(0) == Some(b'.') {
            self.at += 1;
            self.take_while(|byte| byte.is_ascii_digit());
        }
        if matches!(self.byte(0), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(self.byte(1), Some(b'+' | b'-')));
            if self.byte(1 + sign).is_some_and(|byte| byte.is_ascii_digit()) {
                self.at += 1 + sign;
                self.take_while(|byte| byte.is_ascii_digit());
            }
        }
        if matches!(self.byte(0), Some(b'f' | b'F')) && !self.byte(1).is_some_and(is_word) {
            self.at += 1;
        }
        TokenKind::Number
    }
}
