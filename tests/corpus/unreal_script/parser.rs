//! A reader of tokens, with the operators that it knows; the parsers of this module are methods of it.

use super::lexer::{Kind, Token, tokens};
use super::operator::{BINARY, declared_operators};
use std::collections::{HashMap, HashSet};

/// Reads tokens one after another.
#[derive(Debug)]
pub struct Parser {
    tokens: Vec<Token>,
    place: usize,
    pub binary: HashMap<String, u32>,
    pub prefix: HashSet<String>,
    pub postfix: HashSet<String>,
    /// Constants read so far, those of functions with them: names and tokens of the values.
    pub constants: Vec<(String, String)>,
}

impl Parser {
    /// A parser of `text`, which knows the operators that the text itself declares.
    pub fn new(text: &str) -> Result<Self, String> {
        let mut list = tokens(text, &[])?;
        let declared = declared_operators(&list);
        let symbols: Vec<String> =
            declared.iter().map(|(name, ..)| name.clone()).filter(|name| !is_word(name)).collect();
        if !symbols.is_empty() {
            list = tokens(text, &symbols)?;
        }
        let mut parser = Self {
            tokens: list,
            place: 0,
            binary: BINARY
                .iter()
                .map(|&(name, precedence)| (name.to_owned(), precedence))
                .collect(),
            prefix: ["!", "-", "~", "++", "--"].map(str::to_owned).into(),
            postfix: ["++", "--"].map(str::to_owned).into(),
            constants: Vec::new(),
        };
        for (name, kind, precedence) in declared {
            match kind.as_str() {
                "preoperator" => drop(parser.prefix.insert(name)),
                "postoperator" => drop(parser.postfix.insert(name)),
                _ => drop(parser.binary.entry(name).or_insert(precedence)),
            }
        }
        Ok(parser)
    }

    pub fn token(&self) -> &Token {
        self.ahead(0)
    }

    /// The token so many behind the current one; the last one is always the end.
    pub fn ahead(&self, count: usize) -> &Token {
        &self.tokens[(self.place + count).min(self.tokens.len() - 1)]
    }

    pub fn advance(&mut self) -> Token {
        let token = self.token().clone();
        self.place = (self.place + 1).min(self.tokens.len() - 1);
        token
    }

    pub fn place(&self) -> usize {
        self.place
    }

    pub fn return_to(&mut self, place: usize) {
        self.place = place;
    }

    /// The tokens from one place up to another.
    pub fn between(&self, start: usize, end: usize) -> &[Token] {
        &self.tokens[start..end]
    }

    pub fn expected<T>(&self, what: &str) -> Result<T, String> {
        let Token { kind, text, line } = self.token();
        let found = if *kind == Kind::End { "the end of the text" } else { text };
        Err(format!("line {line}: expected {what}, found {found}"))
    }

    pub fn is_symbol(&self, symbol: &str) -> bool {
        symbol_is(self.token(), symbol)
    }

    pub fn is_word(&self, word: &str) -> bool {
        word_is(self.token(), word)
    }

    pub fn accept(&mut self, symbol: &str) -> bool {
        let found = self.is_symbol(symbol);
        if found {
            self.advance();
        }
        found
    }

    pub fn accept_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    pub fn expect(&mut self, symbol: &str) -> Result<(), String> {
        if self.accept(symbol) { Ok(()) } else { self.expected(symbol) }
    }

    pub fn identifier(&mut self, what: &str) -> Result<String, String> {
        if self.token().kind != Kind::Identifier {
            return self.expected(what);
        }
        Ok(self.advance().text)
    }

    /// Lets `>>` close two brackets: takes one `>` off the current token.
    pub fn close_bracket(&mut self) -> Result<(), String> {
        let token = &mut self.tokens[self.place];
        if token.kind == Kind::Symbol && matches!(token.text.as_str(), ">>" | ">>>") {
            token.text.pop();
            return Ok(());
        }
        self.expect(">")
    }
}

pub fn symbol_is(token: &Token, symbol: &str) -> bool {
    token.kind == Kind::Symbol && token.text == symbol
}

pub fn word_is(token: &Token, word: &str) -> bool {
    token.kind == Kind::Identifier && token.text.eq_ignore_ascii_case(word)
}

/// Whether an operator is a word.
fn is_word(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
}
