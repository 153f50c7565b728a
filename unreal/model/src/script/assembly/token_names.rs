//! Names of tokens, of which each means one.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::Versions;
use crate::script::grammar::{Grammar, token_name};

/// The names of the tokens of some versions.
#[derive(Debug)]
#[doc(hidden)]
pub struct TokenNames {
    /// The token of each name that one alone has.
    tokens: HashMap<&'static str, u8>,
    names: [&'static str; 256],
}

impl TokenNames {
    /// The names of these versions.
    pub fn new(versions: &Versions) -> Self {
        Self::of(&Grammar::new(versions), versions)
    }

    pub(super) fn of(grammar: &Grammar, versions: &Versions) -> Self {
        let names = std::array::from_fn(|token| token_name(token as u8, versions));
        let mut count: HashMap<&'static str, usize> = HashMap::new();
        let known = (0..=u8::MAX).filter(|token| grammar.operands(*token).is_some());
        let known: Vec<u8> = known.collect();
        known.iter().for_each(|token| *count.entry(names[usize::from(*token)]).or_default() += 1);
        let name = |token: u8| names[usize::from(token)];
        let tokens = known.into_iter().filter(|token| count[name(*token)] == 1);
        Self { tokens: tokens.map(|token| (name(token), token)).collect(), names }
    }

    /// The name of a token; with its number where several have the name.
    pub fn name(&self, token: u8) -> Cow<'static, str> {
        let name = self.names[usize::from(token)];
        match self.tokens.get(name) {
            Some(found) if *found == token => name.into(),
            _ => format!("{name}_{token:02x}").into(),
        }
    }

    /// The token of a name.
    pub fn token(&self, name: &str) -> Option<u8> {
        let numbered = || {
            let (name, digits) = name.rsplit_once('_')?;
            let token = u8::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 2)?;
            (self.names[usize::from(token)] == name).then_some(token)
        };
        self.tokens.get(name).copied().or_else(numbered)
    }
}
