//! Names of packages as Rust takes them: a package may hold any text.

use std::collections::HashSet;

/// Words that Rust keeps for itself.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate",
    "do", "dyn", "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl",
    "in", "let", "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref",
    "return", "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof",
    "union", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Types without a path that the source uses.
const PRIMITIVES: &[&str] =
    &["bool", "f32", "f64", "i16", "i32", "i64", "i8", "str", "u16", "u32", "u64", "u8", "Self"];

/// The name of a type that is not taken yet.
pub(super) fn type_name(name: &str, taken: &mut HashSet<String>) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let mut text: String = name.chars().map(plain).collect();
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text.insert(0, 'X');
    }
    if KEYWORDS.contains(&text.as_str()) || PRIMITIVES.contains(&text.as_str()) {
        text.push('_');
    }
    free(text, taken)
}

/// The name of a field that is not taken yet: `bHidden` becomes `b_hidden`, `LODBias` `lod_bias`.
pub(super) fn field_name(name: &str, taken: &mut HashSet<String>) -> String {
    let mut text = String::new();
    let letters: Vec<char> = name.chars().collect();
    for (at, &c) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at)).copied().unwrap_or('_');
        let after_lower = letters.get(at + 1).is_some_and(char::is_ascii_lowercase);
        let starts = c.is_ascii_uppercase()
            && (before.is_ascii_lowercase()
                || before.is_ascii_digit()
                || before.is_ascii_uppercase() && after_lower);
        if starts {
            text.push('_');
        }
        text.push(if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' });
    }
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text.insert(0, 'x');
    }
    if KEYWORDS.contains(&text.as_str()) {
        text.push('_');
    }
    free(text, taken)
}

fn free(mut text: String, taken: &mut HashSet<String>) -> String {
    while !taken.insert(text.clone()) {
        text.push('_');
    }
    text
}

/// A text for a comment: nothing that ends it.
pub(super) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
