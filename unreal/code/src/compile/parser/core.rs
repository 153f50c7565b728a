//! The parser: where it stands in the tokens, what it takes, what it reports.

use crate::compile::diagnostic::{Diagnostic, DiagnosticKind, nearest};
use crate::compile::source::SourceText;
use crate::compile::syntax::{ClassHeader, Modifier, RawBlock, Syntax, SyntaxItem, Word};
use crate::compile::token::{Token, TokenKind, Tokens};

/// Levels that statements, expressions and types may nest: more than authors write, less than the stack holds.
const DEEPEST: u32 = 96;
/// Errors of one file that are kept: each holds a line of the text.
const MOST_ERRORS: usize = 100;

/// An error was recorded: the caller goes on behind what could not be read.
pub(super) struct Stop;

pub(super) type Parsed<T> = Result<T, Stop>;

/// A class file and what is wrong with it.
#[derive(Debug, Clone)]
pub struct ParsedClass {
    /// The tree: what is wrong is missing there.
    pub syntax: Syntax,
    /// Errors and warnings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a class file. All errors of the file are collected.
pub fn parse(file: impl Into<String>, text: impl Into<String>) -> ParsedClass {
    parse_source(SourceText::new(file, text))
}

/// Reads the text of a class. All errors of it are collected.
pub fn parse_source(source: SourceText) -> ParsedClass {
    let tokens = Tokens::of(&source);
    let mut parser = Parser::new(&source, &tokens);
    if let Some(start) = tokens.open_comment {
        parser.report(
            DiagnosticKind::Syntax,
            (start, start + 2),
            "this comment does not end",
            None,
        );
    }
    let (class, items) = parser.class_file();
    let diagnostics = parser.diagnostics;
    ParsedClass { syntax: Syntax { source, tokens, class, items }, diagnostics }
}

pub(super) struct Parser<'a> {
    pub source: &'a SourceText,
    pub tokens: &'a Tokens,
    pub at: usize,
    /// How many of the `>` signs of the token at hand are taken.
    pub taken_signs: u32,
    /// The length of the static array that `array<T,N>` means.
    pub fixed: Option<crate::compile::syntax::Expression>,
    pub depth: u32,
    pub diagnostics: Vec<Diagnostic>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(source: &'a SourceText, tokens: &'a Tokens) -> Self {
        let diagnostics = Vec::new();
        Self { source, tokens, at: 0, taken_signs: 0, fixed: None, depth: 0, diagnostics }
    }

    pub(super) fn token_at(&self, at: usize) -> Token {
        let end = Token { kind: TokenKind::End, start: 0, end: 0 };
        let tokens = &self.tokens.tokens;
        tokens.get(at).or(tokens.last()).copied().unwrap_or(end)
    }

    pub(super) fn peek(&self, ahead: usize) -> Token {
        self.token_at(self.at + ahead)
    }

    pub(super) fn text_of(&self, token: Token) -> &'a str {
        self.source.slice(token.start as usize, token.end as usize)
    }

    pub(super) fn peek_text(&self, ahead: usize) -> &'a str {
        self.text_of(self.peek(ahead))
    }

    /// Whether a word or sign follows.
    pub(super) fn follows(&self, text: &str) -> bool {
        self.follows_at(0, text)
    }

    pub(super) fn follows_at(&self, ahead: usize, text: &str) -> bool {
        self.peek_text(ahead).eq_ignore_ascii_case(text)
    }

    pub(super) fn follows_any(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.follows(text))
    }

    pub(super) fn is_end(&self) -> bool {
        self.peek(0).kind == TokenKind::End
    }

    pub(super) fn is_word(&self, ahead: usize) -> bool {
        self.peek(ahead).kind == TokenKind::Word
    }

    /// The number of the token at hand.
    pub(super) fn here(&self) -> u32 {
        u32::try_from(self.at).unwrap_or(u32::MAX)
    }

    /// The number of the last token that was taken.
    pub(super) fn last(&self) -> u32 {
        self.here().saturating_sub(1)
    }

    pub(super) fn next(&mut self) -> u32 {
        let here = self.here();
        if !self.is_end() {
            self.at += 1;
        }
        here
    }

    pub(super) fn take(&mut self, text: &str) -> bool {
        let is = self.follows(text);
        if is {
            self.next();
        }
        is
    }

    /// Takes what must follow.
    pub(super) fn need(&mut self, text: &str) -> Parsed<u32> {
        match self.follows(text) {
            true => Ok(self.next()),
            false => self.expected(&format!("'{text}'")),
        }
    }

    /// Takes one `>`: two of them in a row are one token.
    pub(super) fn need_angle(&mut self) -> Parsed<u32> {
        let text = self.peek_text(0);
        if text.is_empty() || !text.bytes().all(|byte| byte == b'>') {
            return self.expected("'>'");
        }
        self.taken_signs += 1;
        if self.taken_signs as usize == text.len() {
            self.taken_signs = 0;
            return Ok(self.next());
        }
        Ok(self.here())
    }

    pub(super) fn word(&mut self, what: &str) -> Parsed<Word> {
        match self.is_word(0) {
            true => Ok(self.any_word()),
            false => self.expected(what),
        }
    }

    /// The token at hand as a word, whatever it is.
    pub(super) fn any_word(&mut self) -> Word {
        let text = self.peek_text(0).to_owned();
        Word { text, token: self.next() }
    }

    /// The last word of a path: `A.B`.
    pub(super) fn path(&mut self, what: &str) -> Parsed<Word> {
        let mut word = self.word(what)?;
        while self.follows(".") && self.is_word(1) {
            self.next();
            word = self.any_word();
        }
        Ok(word)
    }

    pub(super) fn expected<T>(&mut self, what: &str) -> Parsed<T> {
        let token = self.peek(0);
        let found = match token.kind {
            TokenKind::End => "the end of the file".to_owned(),
            TokenKind::OpenText => "a text without its closing quote".to_owned(),
            _ => format!("'{}'", self.text_of(token).chars().take(40).collect::<String>()),
        };
        // What is missing at the end of a line is shown there, not at the start of another line.
        let range = match (what, self.at.checked_sub(1)) {
            ("';'", Some(before)) => {
                let end = self.token_at(before).end as usize;
                let is_other_line = self.source.line(end) != self.source.line(token.start as usize);
                if is_other_line { (end, end) } else { (token.start as usize, token.end as usize) }
            }
            _ => (token.start as usize, token.end as usize),
        };
        self.report(DiagnosticKind::Syntax, range, format!("expected {what}, found {found}"), None);
        Err(Stop)
    }

    pub(super) fn report(
        &mut self,
        kind: DiagnosticKind,
        range: (usize, usize),
        message: impl Into<String>,
        hint: Option<String>,
    ) {
        if self.diagnostics.len() < MOST_ERRORS {
            let error = Diagnostic::error(self.source, kind, range, message).with_hint(hint);
            self.diagnostics.push(error);
        }
    }

    /// Reads something that may hold more of its kind.
    pub(super) fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            let token = self.peek(0);
            let range = (token.start as usize, token.end as usize);
            let message = format!("nests deeper than {DEEPEST} levels: divide it");
            self.report(DiagnosticKind::Limit, range, message, None);
            // Nothing behind it can be told apart from what it holds.
            self.at = self.tokens.tokens.len().saturating_sub(1);
            return Err(Stop);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Goes on behind the next semicolon, or before the brace that closes the block.
    pub(super) fn recover(&mut self) {
        self.taken_signs = 0;
        let mut depth = 0_usize;
        while !self.is_end() {
            match self.peek_text(0) {
                ";" if depth == 0 => {
                    self.next();
                    return;
                }
                "{" => depth += 1,
                "}" if depth == 0 => return,
                "}" => {
                    depth -= 1;
                    if depth == 0 {
                        self.next();
                        return;
                    }
                }
                _ => {}
            }
            self.next();
        }
    }

    pub(super) fn class_file(&mut self) -> (Option<ClassHeader>, Vec<SyntaxItem>) {
        let mut class = None;
        let mut items = Vec::new();
        let mut directives = self.tokens.directives.iter().peekable();
        loop {
            while let Some(it) = directives.next_if(|it| it.before as usize <= self.at) {
                items.push(SyntaxItem::Directive(it.clone()));
            }
            if self.is_end() {
                break;
            }
            if self.take(";") {
                continue;
            }
            let start = self.at;
            let read = match class.is_none() && self.follows_any(&["class", "interface"]) {
                true => self.class_header().map(|header| class = Some(header)),
                false => self.item().map(|item| items.push(item)),
            };
            if read.is_err() {
                self.recover();
                // A brace that closes nothing.
                if self.at == start || self.follows("}") {
                    self.next();
                }
            }
        }
        (class, items)
    }

    pub(super) fn class_header(&mut self) -> Parsed<ClassHeader> {
        let is_interface = self.follows("interface");
        let first = self.next();
        let name = self.word("the name of the class")?;
        let (mut base, mut within, mut implements) = (None, None, Vec::new());
        let mut modifiers = Vec::new();
        while !self.follows(";") {
            if !self.is_word(0) {
                return self.expected("';' behind the declaration of the class");
            }
            if self.follows_any(&["extends", "expands"]) {
                self.next();
                base = Some(self.path("the class that it extends")?);
            } else if self.take("within") {
                within = Some(self.path("a class")?);
            } else if self.take("implements") {
                let in_parentheses = self.take("(");
                while !in_parentheses || !self.follows(")") {
                    implements.push(self.path("an interface")?);
                    if !self.take(",") {
                        break;
                    }
                }
                if in_parentheses {
                    self.need(")")?;
                }
            } else {
                modifiers.push(self.modifier()?);
            }
        }
        let last = self.need(";")?;
        Ok(ClassHeader { first, last, is_interface, name, base, within, implements, modifiers })
    }

    /// A word of a declaration with the values behind it.
    pub(super) fn modifier(&mut self) -> Parsed<Modifier> {
        let word = self.word("a word of a declaration")?;
        // `public{private}`: what C++ may do.
        if ["public", "private", "protected"].iter().any(|access| word.is(access)) && self.take("{")
        {
            self.text_until("{", "}")?;
        }
        let arguments = match self.follows("(") {
            true => Some(self.listed()?),
            false => None,
        };
        Ok(Modifier { word, arguments })
    }

    /// Values in parentheses as texts.
    pub(super) fn listed(&mut self) -> Parsed<Vec<String>> {
        self.need("(")?;
        let mut values = Vec::new();
        let mut start: Option<usize> = None;
        let mut end = 0;
        loop {
            let token = self.peek(0);
            let text = self.text_of(token);
            if self.is_end() || text == ";" || text == "{" {
                return self.expected("')'");
            }
            if text == "," || text == ")" {
                values.extend(start.take().map(|start| self.source.slice(start, end).to_owned()));
            } else {
                start.get_or_insert(token.start as usize);
                end = token.end as usize;
            }
            self.next();
            if text == ")" {
                return Ok(values);
            }
        }
    }

    /// A block in braces whose text is kept as it is.
    pub(super) fn raw_block(&mut self) -> Parsed<RawBlock> {
        let word = self.any_word();
        self.need("{")?;
        let start = self.token_at(self.at - 1).end as usize;
        let close = self.skip_braces()?;
        let end = self.token_at(close as usize).start as usize;
        Ok(RawBlock { word, close, start, end })
    }

    /// Passes behind the brace that closes one that is open; says which it is.
    pub(super) fn skip_braces(&mut self) -> Parsed<u32> {
        let mut depth = 1_usize;
        loop {
            match self.peek_text(0) {
                "{" => depth += 1,
                "}" => depth -= 1,
                _ if self.is_end() => return self.expected("'}'"),
                _ => {}
            }
            let token = self.next();
            if depth == 0 {
                return Ok(token);
            }
        }
    }

    /// The text between two signs, the first of which is taken: metadata, C++ types.
    pub(super) fn text_until(&mut self, open: &str, close: &str) -> Parsed<String> {
        let start = self.peek(0).start as usize;
        let mut depth = 1_usize;
        loop {
            let text = self.peek_text(0);
            if self.is_end() {
                return self.expected(&format!("'{close}'"));
            }
            depth += usize::from(text == open);
            depth -= usize::from(text == close);
            let token = self.next();
            if depth == 0 {
                let end = self.token_at(token as usize).start as usize;
                return Ok(self.source.slice(start, end).to_owned());
            }
        }
    }

    /// The declaration that was probably meant by a word.
    pub(super) fn meant(&self, words: &[&'static str]) -> Option<String> {
        let meant = nearest(self.peek_text(0), words.iter().copied())?;
        Some(format!("did you mean '{meant}'?"))
    }
}
