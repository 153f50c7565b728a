//! Words of expressions.

use super::FormulaNumber;
use crate::error::{Error, Result};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum FormulaToken {
    Number(FormulaNumber),
    /// In quotes, or an object: `Texture'Skins.Blue'`, `/Game/M.M`.
    Text(String),
    /// A property, a function, or a text without quotes.
    Word(String),
    /// With `*` or `?`, behind `~`.
    Pattern(String),
    Sign(&'static str),
}

const SIGNS: &[&str] = &[
    "&&", "||", "==", "!=", "<=", ">=", "!~", "<", ">", "=", "~", "!", "+", "-", "*", "/", "%",
    "(", ")", ",",
];

/// Characters of an expression that an error shows.
const SHOWN: usize = 120;

/// The tokens of a text, each with its place.
pub(super) fn tokens(text: &str) -> Result<Vec<(usize, FormulaToken)>> {
    let mut found: Vec<(usize, FormulaToken)> = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(first) = rest.chars().next() else { break };
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let follows_value = found
            .last()
            .is_some_and(|(_, token)| !matches!(token, FormulaToken::Sign(sign) if *sign != ")"));
        let is_like = matches!(found.last(), Some((_, FormulaToken::Sign("~" | "!~"))));
        let (token, length) = match first {
            '"' => quoted(text, at)?,
            _ if is_like => pattern(rest),
            // A path of UE4 stands where a value does; behind a value it is a division.
            '/' if !follows_value => asset(rest),
            _ if first.is_ascii_digit() => number(text, at)?,
            _ if first.is_alphabetic() || first == '_' => word(text, at)?,
            _ => match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => (FormulaToken::Sign(sign), sign.len()),
                None => return Err(wrong(text, at, &format!("'{first}' means nothing here"))),
            },
        };
        found.push((at, token));
        at += length.max(1);
    }
    Ok(found)
}

/// An error at a place of the text.
pub(super) fn wrong(text: &str, at: usize, reason: &str) -> Error {
    let rest: String = text.get(at..).unwrap_or_default().chars().take(20).collect();
    let place = if rest.is_empty() { "at its end".to_owned() } else { format!("at '{rest}'") };
    let mut shown: String = text.chars().take(SHOWN).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    Error::invalid(format!("the expression '{shown}', {place}: {reason}"))
}

fn quoted(text: &str, start: usize) -> Result<(FormulaToken, usize)> {
    let (mut value, mut escaped) = (String::new(), false);
    let rest = text.get(start + 1..).unwrap_or_default();
    for (at, character) in rest.char_indices() {
        match character {
            _ if escaped => {
                escaped = false;
                value.push(character);
            }
            '\\' => escaped = true,
            '"' => return Ok((FormulaToken::Text(value), at + 2)),
            _ => value.push(character),
        }
    }
    Err(wrong(text, start, "the quote is not closed"))
}

fn pattern(rest: &str) -> (FormulaToken, usize) {
    let is_end = |c: char| c.is_whitespace() || matches!(c, '&' | '|' | ')' | ',' | '(');
    let end = rest.find(is_end).unwrap_or(rest.len());
    (FormulaToken::Pattern(rest[..end].to_owned()), end)
}

fn asset(rest: &str) -> (FormulaToken, usize) {
    let is_end = |c: char| c.is_whitespace() || "&|<>=!(),\"".contains(c);
    let end = rest.find(is_end).unwrap_or(rest.len());
    (FormulaToken::Text(rest[..end].to_owned()), end)
}

fn number(text: &str, start: usize) -> Result<(FormulaToken, usize)> {
    let rest = text.get(start..).unwrap_or_default();
    let mut end = 0;
    let mut before = ' ';
    for character in rest.chars() {
        let is_exponent = matches!(before, 'e' | 'E') && !rest.starts_with("0x");
        let goes_on = character.is_ascii_alphanumeric()
            || character == '.'
            || matches!(character, '+' | '-') && is_exponent;
        if !goes_on {
            break;
        }
        end += character.len_utf8();
        before = character;
    }
    match FormulaNumber::parse(&rest[..end]) {
        Some(number) => Ok((FormulaToken::Number(number), end)),
        None => Err(wrong(text, start, "it is no number")),
    }
}

fn word(text: &str, start: usize) -> Result<(FormulaToken, usize)> {
    let rest = text.get(start..).unwrap_or_default();
    let (mut depth, mut end) = (0_u32, rest.len());
    for (at, character) in rest.char_indices() {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ if depth > 0
                || character.is_alphanumeric()
                || matches!(character, '_' | '.' | ':') => {}
            // `Class'Path'` is one text.
            '\'' => {
                let inner = rest.get(at + 1..).unwrap_or_default();
                let Some(close) = inner.find('\'') else {
                    return Err(wrong(text, start + at, "the quote is not closed"));
                };
                let length = at + close + 2;
                return Ok((FormulaToken::Text(rest[..length].to_owned()), length));
            }
            _ => {
                end = at;
                break;
            }
        }
    }
    match depth {
        0 => Ok((FormulaToken::Word(rest[..end].to_owned()), end)),
        _ => Err(wrong(text, start, "the bracket is not closed")),
    }
}
