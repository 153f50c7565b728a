//! The written form of values: words, quoted texts, groups in parentheses.
//!
//! | value | text |
//! |---|---|
//! | number, bool, name, enum's value | `7`, `0x1F`, `1.5`, `true`, `Light`, `LT_Steady` |
//! | string | `"a \"word\"\n"`; whole values also without quotes |
//! | object | `Texture'Skins.Blue'`, `Skins.Blue`, `None` |
//! | struct | `(X=1,Y=2)`, or `(1,2)` with every field |
//! | array, map | `(1,2,3)`, `((1,"a"),(2,"b"))` |
//! | text | `NSLOCTEXT("namespace","key","source")` |

use crate::error::{ErrorKind, Result};

/// Groups nest this deep.
const DEEPEST: usize = 64;

/// A value as it was written.
#[derive(Debug, Clone, PartialEq)]
#[doc(hidden)]
pub enum ValueText {
    /// A word as it stands.
    Plain(String),
    /// A text between quotes, escapes resolved.
    Quoted(String),
    /// The members in parentheses.
    Group(Vec<TextMember>),
    /// A word and what stood in parentheses behind it.
    Call(String, Vec<TextMember>),
}

/// One member of a group.
#[derive(Debug, Clone, PartialEq)]
#[doc(hidden)]
pub struct TextMember {
    /// The key before the equals sign.
    pub key: Option<String>,
    /// The value.
    pub value: ValueText,
}

impl ValueText {
    /// Reads a text that must be used up.
    ///
    /// # Errors
    /// `Invalid` with the place of what does not fit.
    #[doc(hidden)]
    pub fn parse(text: &str) -> Result<Self> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value(0)?;
        reader.skip_spaces();
        match reader.peek() {
            None => Ok(value),
            Some(found) => Err(reader.unexpected(found)),
        }
    }

    /// The word or quoted text, unless it is a group.
    #[doc(hidden)]
    pub fn word(&self) -> Option<&str> {
        match self {
            Self::Plain(text) | Self::Quoted(text) => Some(text),
            Self::Group(_) | Self::Call(..) => None,
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let found = self.peek()?;
        self.at += found.len_utf8();
        Some(found)
    }

    fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.next();
        }
    }

    fn error(&self, what: &str) -> crate::Error {
        let (text, at) = (self.text, self.text.get(..self.at).unwrap_or("").chars().count() + 1);
        let reason = format!("{what} at character {at} of '{text}'");
        ErrorKind::Invalid { reason }.into()
    }

    fn unexpected(&self, found: char) -> crate::Error {
        self.error(&format!("'{found}' does not belong"))
    }

    fn value(&mut self, depth: usize) -> Result<ValueText> {
        self.skip_spaces();
        match self.peek() {
            Some('(') if depth >= DEEPEST => Err(self.error("parentheses nest too deep")),
            Some('(') => self.group(depth).map(ValueText::Group),
            Some('"') => self.quoted(),
            _ => match self.plain()? {
                ValueText::Plain(_) if self.peek() == Some('(') && depth >= DEEPEST => {
                    Err(self.error("parentheses nest too deep"))
                }
                ValueText::Plain(word) if self.peek() == Some('(') => {
                    self.group(depth).map(|items| ValueText::Call(word, items))
                }
                plain => Ok(plain),
            },
        }
    }

    fn group(&mut self, depth: usize) -> Result<Vec<TextMember>> {
        self.next();
        let mut items = Vec::new();
        self.skip_spaces();
        if self.peek() == Some(')') {
            self.next();
            return Ok(items);
        }
        loop {
            self.skip_spaces();
            let start = self.at;
            let mut value = self.value(depth + 1)?;
            self.skip_spaces();
            let mut key = None;
            // A name in quotes, and what stands behind it.
            if matches!(value, ValueText::Quoted(_)) && matches!(self.peek(), Some('[' | ':' | '.'))
            {
                self.plain()?;
            }
            if self.peek() == Some('=') {
                if !matches!(value, ValueText::Plain(_) | ValueText::Quoted(_)) {
                    return Err(self.unexpected('='));
                }
                key = self.text.get(start..self.at).map(|key| key.trim().to_owned());
                self.next();
                value = self.value(depth + 1)?;
                self.skip_spaces();
            }
            items.push(TextMember { key, value });
            match self.next() {
                Some(',') => {}
                Some(')') => return Ok(items),
                Some(found) => {
                    self.at -= found.len_utf8();
                    return Err(self.unexpected(found));
                }
                None => return Err(self.error("a ')' is missing")),
            }
        }
    }

    fn quoted(&mut self) -> Result<ValueText> {
        self.next();
        let mut text = String::new();
        loop {
            match self.next() {
                Some('"') => return Ok(ValueText::Quoted(text)),
                Some('\\') => match self.next() {
                    Some('n') => text.push('\n'),
                    Some('r') => text.push('\r'),
                    Some('t') => text.push('\t'),
                    Some(found @ ('"' | '\\')) => text.push(found),
                    // As what a terminal would obey is printed.
                    Some('u') => text.push(self.numbered()?),
                    _ => {
                        let known = "an unknown escape (\\n \\r \\t \\\" \\\\ \\u{202e})";
                        return Err(self.error(known));
                    }
                },
                Some(found) => text.push(found),
                None => return Err(self.error("a '\"' is missing")),
            }
        }
    }

    /// A character by its number, behind `\u`: `{202e}`.
    fn numbered(&mut self) -> Result<char> {
        const MOST: usize = 6;
        let mut digits = String::new();
        let mut is_open = self.next() == Some('{');
        while is_open && digits.len() <= MOST {
            match self.next() {
                Some('}') => break,
                Some(digit) if digit.is_ascii_hexdigit() => digits.push(digit),
                _ => is_open = false,
            }
        }
        let char = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
        let char = char.filter(|_| is_open);
        char.ok_or_else(|| self.error("no character: \\u{202e} is how one is written"))
    }

    /// A word: up to what separates values, but `Class'Path'` whole.
    fn plain(&mut self) -> Result<ValueText> {
        let mut text = String::new();
        while let Some(found) = self.peek() {
            match found {
                ',' | '(' | ')' | '=' | '"' => break,
                '\'' => {
                    text.push(found);
                    self.next();
                    loop {
                        match self.next() {
                            Some('\'') => break text.push('\''),
                            Some(found) => text.push(found),
                            None => return Err(self.error("a ' is missing")),
                        }
                    }
                }
                _ => {
                    text.push(found);
                    self.next();
                }
            }
        }
        text.truncate(text.trim_end().len());
        if text.is_empty() {
            return Err(self.error("a value is missing"));
        }
        Ok(ValueText::Plain(text))
    }
}

/// A name as it stands, or in quotes where it could be read as something else.
pub(crate) fn word(text: String) -> String {
    match text.contains([',', '(', ')', '=', '"', '\'']) || text.trim() != text {
        true => quote(&text),
        false => text,
    }
}

/// The class of a reference, where it is written before the path, and the path: of `Texture'Skins.Blue'`, of `'Skins.Blue'`
/// and of `Skins.Blue`.
pub fn class_and_path(reference: &str) -> (Option<&str>, &str) {
    match reference.strip_suffix('\'').and_then(|text| text.split_once('\'')) {
        Some((class, path)) => (Some(class).filter(|class| !class.is_empty()), path),
        None => (None, reference),
    }
}

/// A text in quotes, as values are written and read: `"`, `\`, line breaks and tabs behind a `\`.
pub fn quote(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for found in text.chars() {
        match found {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            found => quoted.push(found),
        }
    }
    quoted.push('"');
    quoted
}
