//! The path of a value within an object: `Prop`, `Prop[3]`, `Struct.Field`, `Map[Key].Field`, `[Row].Field`.

use crate::error::{ErrorKind, Result};

/// One part of a path: a name and what stands in brackets behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PathPart {
    /// The property or field; empty for rows of tables.
    pub name: String,
    /// Elements, keys or rows, outermost first; without quotes.
    pub keys: Vec<String>,
}

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
    pub(crate) fn parse_all(path: &str) -> Result<Vec<Self>> {
        let wrong = || {
            let reason = format!(
                "'{path}' is no path of a property: write Name, Name[3], Struct.Field, Map[Key] or [Row].Field"
            );
            crate::Error::from(ErrorKind::Invalid { reason })
        };
        let mut parts = Vec::new();
        let mut rest = path;
        loop {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            let (name, behind) = rest.split_at(end);
            let mut part = Self { name: name.trim().to_owned(), keys: Vec::new() };
            rest = behind;
            while let Some(inner) = rest.strip_prefix('[') {
                let (key, after) = key(inner).ok_or_else(wrong)?;
                part.keys.push(key);
                rest = after;
            }
            let is_row = parts.is_empty() && !part.keys.is_empty();
            if part.name.is_empty() && !is_row || parts.len() >= MOST {
                return Err(wrong());
            }
            parts.push(part);
            match rest.strip_prefix('.') {
                Some(after) => rest = after,
                None if rest.is_empty() => return Ok(parts),
                None => return Err(wrong()),
            }
        }
    }
}

/// What stands in brackets, and what behind them.
fn key(inner: &str) -> Option<(String, &str)> {
    let Some(quoted) = inner.trim_start().strip_prefix('"') else {
        let (key, after) = inner.split_once(']')?;
        return (!key.trim().is_empty()).then(|| (key.trim().to_owned(), after));
    };
    let mut key = String::new();
    let mut chars = quoted.char_indices();
    while let Some((at, found)) = chars.next() {
        match found {
            '"' => {
                let after = quoted.get(at + 1..)?.trim_start().strip_prefix(']')?;
                return Some((key, after));
            }
            '\\' => key.push(chars.next()?.1),
            found => key.push(found),
        }
    }
    None
}

/// Where an object's path may end and that of a value within it begin, the longest first.
pub(crate) fn splits(path: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let (mut depth, mut quoted) = (0_u32, false);
    for (at, character) in path.char_indices() {
        match character {
            '"' if depth > 0 => quoted = !quoted,
            _ if quoted => {}
            '[' => {
                if depth == 0 && at > 0 {
                    found.push(at);
                }
                depth += 1;
            }
            ']' => depth = depth.saturating_sub(1),
            '.' if depth == 0 => found.push(at),
            _ => {}
        }
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keys_and_rows() {
        let parts = PathPart::parse_all(r#"[Big "sword"].Map["a]\"."][ 2 ].X"#).unwrap();
        assert_eq!(
            parts[0],
            PathPart { name: String::new(), keys: vec![r#"Big "sword""#.to_owned()] }
        );
        assert_eq!(parts[1].keys, [r#"a]"."#, "2"]);
        assert_eq!(parts[2].name, "X");
        for wrong in ["", ".", "A.", "A[", "A[]", "A[1", "A[1]b", "A.[1]", "A[\"x]", "A[\"x\"y]"] {
            assert!(PathPart::parse_all(wrong).is_err(), "{wrong}");
        }
        assert!(PathPart::parse_all(&"A.".repeat(100_000)).is_err());
        assert_eq!(splits("A.B[C.D].E"), [8, 3, 1]);
    }
}
