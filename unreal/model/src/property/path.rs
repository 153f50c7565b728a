//! The path of a value within an object: `Prop`, `Prop[3]`, `Struct.Field`, `Map[Key].Field`, `[Row].Field`.

use std::borrow::Cow;

use super::Type;
use crate::error::{ErrorKind, Result};

/// One part of a path: a name and what stands in brackets behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[doc(hidden)]
pub struct PathPart {
    /// The property or field; empty for rows of tables.
    pub name: String,
    /// Elements, keys or rows, outermost first; without quotes.
    pub keys: Vec<String>,
    /// The type that the path gives its last part: `Prop:int`.
    pub given: Option<Type>,
}

/// Ends the key of an element before which a new one is to stand, `Array[2]^`.
#[doc(hidden)]
pub const BEFORE: char = '\0';

/// Parts that a path may have.
const MOST: usize = 64;

impl PathPart {
    /// The number of an element.
    ///
    /// # Errors
    /// `Invalid` for what is no number.
    pub(crate) fn number(key: &str) -> Result<u32> {
        key.parse().map_err(|_| {
            let reason = format!("'[{key}]' is no number of an element");
            ErrorKind::Invalid { reason }.into()
        })
    }

    /// The parts of a path.
    ///
    /// # Errors
    /// `Invalid` for empty names and for brackets or quotes that do not end.
    #[doc(hidden)]
    pub fn parse_all(path: &str) -> Result<Vec<Self>> {
        let wrong = || {
            let reason = format!(
                "'{path}' is no path of a property: write Name, Name[3], Struct.Field, Map[Key] or [Row].Field"
            );
            crate::Error::from(ErrorKind::Invalid { reason })
        };
        let mut parts = Vec::new();
        let (mut rest, given) = with_type(path);
        loop {
            let (name, behind) = match rest.trim_start().strip_prefix('"') {
                Some(inner) => unquoted(inner).ok_or_else(wrong)?,
                None => {
                    let (name, behind) = rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len()));
                    (name.trim().to_owned(), behind)
                }
            };
            let mut part = Self { name, keys: Vec::new(), given: None };
            rest = behind;
            while let Some(inner) = rest.strip_prefix('[') {
                let (key, after) = key(inner).ok_or_else(wrong)?;
                part.keys.push(key);
                rest = after;
            }
            // A new element before this one.
            if let (Some(key), Some(after)) = (part.keys.last_mut(), rest.strip_prefix('^')) {
                key.push(BEFORE);
                rest = after;
            }
            let is_row = parts.is_empty() && !part.keys.is_empty();
            if part.name.is_empty() && !is_row || parts.len() >= MOST {
                return Err(wrong());
            }
            parts.push(part);
            match rest.strip_prefix('.') {
                Some(after) => rest = after,
                None if rest.is_empty() => {
                    if let Some(last) = parts.last_mut() {
                        last.given = given;
                    }
                    return Ok(parts);
                }
                None => return Err(wrong()),
            }
        }
    }
}

/// The text in brackets, and the text behind them.
fn key(inner: &str) -> Option<(String, &str)> {
    let Some(quoted) = inner.trim_start().strip_prefix('"') else {
        let (key, after) = inner.split_once(']')?;
        return (!key.trim().is_empty()).then(|| (key.trim().to_owned(), after));
    };
    let (key, after) = unquoted(quoted)?;
    Some((key, after.trim_start().strip_prefix(']')?))
}

/// The text before a quote at the end, without escapes, and the text behind it.
fn unquoted(quoted: &str) -> Option<(String, &str)> {
    let mut text = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, found)) = chars.next() {
        match found {
            '"' => return Some((text, quoted.get(at + 1..)?)),
            '\\' => text.push(chars.next()?.1),
            found => text.push(found),
        }
    }
    None
}

/// A text in quotes, as paths have it.
#[doc(hidden)]
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A name as a part of a path: in quotes where it could be read as something else.
#[doc(hidden)]
pub fn part_text(name: &str) -> Cow<'_, str> {
    const SPECIAL: &[char] = &['.', '[', ']', '"', '\\', ':', '(', ')', ',', '=', '\'', '*', '?'];
    match name.contains(SPECIAL) || name.trim() != name || name.is_empty() {
        true => Cow::Owned(quoted(name)),
        false => Cow::Borrowed(name),
    }
}

/// Characters of a path that stand for themselves alone: not within brackets or quotes. A backslash within
/// quotes takes the next character with it; `Class'Path'` is one.
#[doc(hidden)]
pub fn outside(path: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let (mut depth, mut quote, mut escaped) = (0_u32, None, false);
    path.char_indices().filter(move |(_, character)| {
        if let Some(end) = quote {
            match character {
                _ if escaped => escaped = false,
                '\\' if end == '"' => escaped = true,
                found if *found == end => quote = None,
                _ => {}
            }
            return false;
        }
        match character {
            '"' => quote = Some('"'),
            '\'' if depth == 0 => quote = Some('\''),
            '[' => {
                depth += 1;
                return depth == 1;
            }
            ']' => depth = depth.saturating_sub(1),
            _ => return depth == 0,
        }
        false
    })
}

/// Where the value of an assignment begins: the first equals sign that is no part of a path's brackets or
/// quotes.
pub fn equals_sign(text: &str) -> Option<usize> {
    outside(text).find(|(_, character)| *character == '=').map(|(at, _)| at)
}

/// A path without the type that stands behind a colon at its end, and that type.
#[doc(hidden)]
pub fn with_type(path: &str) -> (&str, Option<Type>) {
    for (at, character) in outside(path) {
        // Objects of UE4 and UE5 may stand behind a colon as well.
        if character == ':'
            && at > 0
            && let Some(Ok(known)) = path.get(at + 1..).map(|text| text.trim().parse())
        {
            return (path[..at].trim_end(), Some(known));
        }
    }
    (path, None)
}

/// Where an object's path may end and that of a value within it begin, the longest first.
#[doc(hidden)]
pub fn splits(path: &str) -> Vec<usize> {
    let part = |(at, character): (usize, char)| match character {
        '.' => Some(at),
        '[' if at > 0 => Some(at),
        _ => None,
    };
    let mut found: Vec<_> = outside(path).filter_map(part).collect();
    found.reverse();
    found
}
