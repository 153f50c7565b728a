//! Cuts UnrealScript text into tokens: comments, directives and the parts in other languages fall away.

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A word, or a macro of the UE3 preprocessor with its backquote.
    Identifier,
    /// A decimal or hexadecimal number, as written.
    Integer,
    /// A number with a point, an exponent or an `f` behind it.
    Float,
    /// What stands between double quotes, escapes untouched.
    Text,
    /// What stands between single quotes.
    Name,
    /// An operator or punctuation.
    Symbol,
    /// `<...>` behind the name of a variable or enum value.
    Metadata,
    /// The braces and their content behind `cpptext`, `defaultproperties` and the like.
    Skipped,
    /// The end of the text.
    End,
}

/// A token and its line, from 1.
#[derive(Clone, Debug)]
pub struct Token {
    pub kind: Kind,
    pub text: String,
    pub line: usize,
}

/// Longest first, so that the first match is the longest.
const SYMBOLS: &[&str] = &[
    ">>>=", ">>>", "<<=", ">>=", "**=", "++", "--", "+=", "-=", "*=", "/=", "%=", "$=", "@=", "&=",
    "|=", "^=", "**", "~=", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "^^", "+", "-", "*",
    "/", "%", "$", "@", "&", "|", "^", "~", "!", "=", "<", ">", "(", ")", "[", "]", "{", "}", ",",
    ";", ":", ".", "?", "\\",
];

/// Words whose braces hold another language.
const SKIPPED_BODIES: &[&str] =
    &["cpptext", "structcpptext", "cppstruct", "defaultproperties", "structdefaultproperties"];

/// Where the cutting stands.
pub struct Lexer<'a> {
    pub bytes: &'a [u8],
    pub text: &'a str,
    pub place: usize,
    pub line: usize,
    pub tokens: Vec<Token>,
    /// Symbols that the text declares as operators.
    pub declared: &'a [String],
    /// For each open `#if`: whether its lines count.
    pub conditions: Vec<bool>,
    /// Within `var` or `enum`, where `<` can begin metadata.
    pub metadata_allowed: bool,
}

/// Cuts `text` into tokens; `declared` are operators beyond the usual ones.
///
/// # Errors
/// The line and what is wrong: a character of no token, or a string, name or comment without its end.
pub fn tokens(text: &str, declared: &[String]) -> Result<Vec<Token>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lexer = Lexer {
        bytes: text.as_bytes(),
        text,
        place: 0,
        line: 1,
        tokens: Vec::new(),
        declared,
        conditions: Vec::new(),
        metadata_allowed: false,
    };
    while lexer.blank()? {
        lexer.token()?;
    }
    lexer.push(Kind::End, String::new());
    Ok(lexer.tokens)
}

impl Lexer<'_> {
    pub fn at(&self, ahead: usize) -> u8 {
        self.bytes.get(self.place + ahead).copied().unwrap_or(0)
    }

    pub fn starts(&self, with: &str) -> bool {
        self.bytes[self.place..].starts_with(with.as_bytes())
    }

    pub fn push(&mut self, kind: Kind, text: String) {
        self.tokens.push(Token { kind, text, line: self.line });
    }

    pub fn fail<T>(&self, what: &str) -> Result<T, String> {
        Err(format!("line {}: {what}", self.line))
    }

    pub fn step(&mut self) {
        if self.at(0) == b'\n' {
            self.line += 1;
        }
        self.place += 1;
    }

    pub fn skip_line(&mut self) {
        while self.place < self.bytes.len() && self.at(0) != b'\n' {
            self.place += 1;
        }
    }

    /// Skips white space, comments and directives; false at the end of the text.
    fn blank(&mut self) -> Result<bool, String> {
        while self.place < self.bytes.len() {
            if self.starts("//") {
                self.skip_line();
            } else if self.starts("/*") {
                self.comment()?;
            } else if self.at(0) == b'#' && self.begins_line() {
                self.directive()?;
            } else if self.at(0).is_ascii_whitespace() || self.at(0) == 0x1a || self.at(0) == 0 {
                self.step();
            } else if self.starts("\u{a0}") {
                self.place += 2;
            } else {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn token(&mut self) -> Result<(), String> {
        let first = self.at(0);
        if first.is_ascii_alphabetic() || first == b'_' || first == b'`' {
            return self.word();
        }
        if first.is_ascii_digit() || (first == b'.' && self.at(1).is_ascii_digit()) {
            return self.number();
        }
        match first {
            b'"' => {
                let text = self.quoted(b'"')?;
                self.push(Kind::Text, text);
            }
            b'\'' => {
                let text = self.quoted(b'\'')?;
                self.push(Kind::Name, text);
            }
            b'<' if self.metadata_allowed && self.begins_metadata() => self.metadata()?,
            _ => self.symbol()?,
        }
        Ok(())
    }

    fn word(&mut self) -> Result<(), String> {
        let start = self.place;
        if self.at(0) == b'`' {
            self.place += 1;
            if self.at(0) == b'{' {
                while self.place < self.bytes.len() && self.at(0) != b'}' && self.at(0) != b'\n' {
                    self.place += 1;
                }
                self.place += 1;
            }
        }
        while self.at(0).is_ascii_alphanumeric() || self.at(0) == b'_' {
            self.place += 1;
        }
        let text = self.text.get(start..self.place).unwrap_or("`").to_owned();
        let lower = text.to_ascii_lowercase();
        // `enum'Name'` in code is a constant.
        if lower == "var" && self.begins_statement() || lower == "enum" && self.at(0) != b'\'' {
            self.metadata_allowed = true;
        }
        self.push(Kind::Identifier, text);
        if SKIPPED_BODIES.contains(&lower.as_str()) && self.blank()? && self.at(0) == b'{' {
            self.skipped_body()?;
        }
        Ok(())
    }

    /// Whether the last token lets a declaration begin.
    fn begins_statement(&self) -> bool {
        self.tokens.last().is_none_or(|token| match token.kind {
            Kind::Symbol => matches!(token.text.as_str(), ";" | "{" | "}"),
            kind => matches!(kind, Kind::Metadata | Kind::Skipped),
        })
    }

    fn begins_metadata(&self) -> bool {
        self.tokens.last().is_some_and(|token| match token.kind {
            Kind::Identifier => !["array", "class", "map", "delegate"]
                .iter()
                .any(|word| token.text.eq_ignore_ascii_case(word)),
            _ => token.text == "]",
        })
    }

    fn metadata(&mut self) -> Result<(), String> {
        let start = self.place;
        while self.place < self.bytes.len() && self.at(0) != b'>' {
            self.step();
        }
        if self.place >= self.bytes.len() {
            return self.fail("expected > behind metadata");
        }
        self.place += 1;
        let text = self.text[start..self.place].to_owned();
        self.push(Kind::Metadata, text);
        Ok(())
    }

    fn number(&mut self) -> Result<(), String> {
        let start = self.place;
        let mut kind = Kind::Integer;
        if self.at(0) == b'0' && matches!(self.at(1), b'x' | b'X') {
            self.place += 2;
            while self.at(0).is_ascii_hexdigit() {
                self.place += 1;
            }
            if self.place == start + 2 {
                return self.fail("expected hexadecimal digits behind 0x");
            }
        } else {
            self.digits();
            if self.at(0) == b'.' {
                kind = Kind::Float;
                self.place += 1;
                self.digits();
            }
            let sign = usize::from(matches!(self.at(1), b'+' | b'-'));
            if matches!(self.at(0), b'e' | b'E') && self.at(1 + sign).is_ascii_digit() {
                kind = Kind::Float;
                self.place += 1 + sign;
                self.digits();
            }
        }
        let text = self.text[start..self.place].to_owned();
        if matches!(self.at(0), b'f' | b'F') {
            kind = Kind::Float;
            self.place += 1;
        }
        if self.at(0).is_ascii_alphanumeric() || self.at(0) == b'_' {
            // Names of classes may begin with digits.
            let before = self.tokens.last().map_or("", |token| token.text.as_str());
            if ["class", "extends", "expands"].iter().any(|word| before.eq_ignore_ascii_case(word))
            {
                while self.at(0).is_ascii_alphanumeric() || self.at(0) == b'_' {
                    self.place += 1;
                }
                let text = self.text[start..self.place].to_owned();
                self.push(Kind::Identifier, text);
                return Ok(());
            }
            return self.fail("expected a number to end before a letter");
        }
        self.push(kind, text);
        Ok(())
    }

    fn digits(&mut self) {
        while self.at(0).is_ascii_digit() {
            self.place += 1;
        }
    }

    /// What stands up to the same quote again, on one line.
    fn quoted(&mut self, quote: u8) -> Result<String, String> {
        self.place += 1;
        let start = self.place;
        while self.at(0) != quote {
            if quote == b'"' && self.at(0) == b'\\' {
                self.place += 1;
            }
            if self.place >= self.bytes.len() || self.at(0) == b'\n' {
                return self
                    .fail(&format!("expected {} before the end of the line", quote as char));
            }
            self.place += 1;
        }
        let text = self.text[start..self.place].to_owned();
        self.place += 1;
        Ok(text)
    }

    fn symbol(&mut self) -> Result<(), String> {
        let declared = self.declared.iter().map(String::as_str);
        let known = declared.chain(SYMBOLS.iter().copied());
        let found = known.filter(|symbol| self.starts(symbol)).max_by_key(|symbol| symbol.len());
        let Some(text) = found.map(str::to_owned) else {
            let character = self.text[self.place..].chars().next().unwrap_or(' ');
            return self.fail(&format!("expected a token, found {character:?}"));
        };
        // Braces of a variable hold a C++ type, in which `<` is no metadata.
        let enumeration =
            self.tokens.iter().rev().take(2).any(|token| token.text.eq_ignore_ascii_case("enum"));
        if text == ";" || text == "}" || (text == "{" && !enumeration) {
            self.metadata_allowed = false;
        }
        self.place += text.len();
        self.push(Kind::Symbol, text);
        Ok(())
    }
}
