//! Operators: those of the engines, and those that a text declares.

use super::lexer::{Kind, Token};

/// Binary operators of the engines with their precedences; the lower binds tighter.
pub const BINARY: &[(&str, u32)] = &[
    ("**", 12),
    ("*", 16),
    ("/", 16),
    ("dot", 16),
    ("cross", 16),
    ("%", 18),
    ("+", 20),
    ("-", 20),
    ("<<", 22),
    (">>", 22),
    (">>>", 22),
    ("<", 24),
    (">", 24),
    ("<=", 24),
    (">=", 24),
    ("==", 24),
    ("~=", 24),
    ("clockwisefrom", 24),
    ("!=", 26),
    ("&", 28),
    ("|", 28),
    ("^", 28),
    ("&&", 30),
    ("^^", 30),
    ("||", 32),
    ("*=", 34),
    ("/=", 34),
    ("+=", 34),
    ("-=", 34),
    ("$", 40),
    ("@", 40),
    ("$=", 44),
    ("@=", 44),
];

/// Operators that the tokens declare: symbol or word, kind, and precedence of binary ones.
pub fn declared_operators(tokens: &[Token]) -> Vec<(String, String, u32)> {
    let mut found = Vec::new();
    for (place, token) in tokens.iter().enumerate() {
        let kind = token.text.to_ascii_lowercase();
        if token.kind != Kind::Identifier
            || !matches!(kind.as_str(), "operator" | "preoperator" | "postoperator")
        {
            continue;
        }
        let mut rest = &tokens[place + 1..];
        let mut precedence = 0;
        if let [open, number, close, after @ ..] = rest
            && (open.text.as_str(), number.kind, close.text.as_str()) == ("(", Kind::Integer, ")")
        {
            precedence = number.text.parse().unwrap_or(0);
            rest = after;
        }
        let Some(end) = rest.iter().position(|token| token.text == "(") else { continue };
        let Some(name) = operator_name(&rest[..end]) else { continue };
        found.push((name, kind, precedence));
    }
    found
}

/// The name that stands behind the return type: a word, or symbols joined.
fn operator_name(tokens: &[Token]) -> Option<String> {
    let word = tokens.iter().rposition(|token| token.kind == Kind::Identifier)?;
    let symbols: String = tokens[word + 1..].iter().map(|token| token.text.as_str()).collect();
    // The brackets of a return type `class<X>` are no part of the operator.
    let opened = tokens[..word].iter().filter(|token| token.text == "<").count();
    match symbols.get(opened..) {
        Some("") | None => Some(tokens[word].text.to_ascii_lowercase()),
        Some(symbol) => Some(symbol.to_owned()),
    }
}
