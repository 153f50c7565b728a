//! References to objects within the texts of values.

use std::borrow::Cow;

/// The name that UnrealEd gives to the package of a map.
const MAP_PACKAGE: &str = "MyLevel";

/// The parts of a value's text: references as `Class'Path'`, and what is between them. Texts in double quotes hold
/// none.
fn parts(text: &str) -> impl Iterator<Item = ValuePart<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let Some((start, path, end)) = first_reference(rest) else {
            return Some(ValuePart::Other(std::mem::take(&mut rest)));
        };
        if start > 0 {
            let (before, behind) = rest.split_at(start);
            rest = behind;
            return Some(ValuePart::Other(before));
        }
        let (whole, behind) = rest.split_at(end);
        rest = behind;
        let class = whole.split('\'').next().unwrap_or_default();
        Some(ValuePart::Reference { class, path })
    })
}

/// A part of a value's text.
enum ValuePart<'a> {
    Reference { class: &'a str, path: &'a str },
    Other(&'a str),
}

/// Where the first reference starts and ends, and the path in it.
pub(super) fn first_reference(text: &str) -> Option<(usize, &str, usize)> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let bytes = text.as_bytes();
    let (mut at, mut quoted) = (0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if quoted => at += 1,
            b'"' => quoted = !quoted,
            b'\'' if !quoted => {
                let start =
                    bytes[..at].iter().rposition(|byte| !is_word(byte)).map_or(0, |it| it + 1);
                let path = text.get(at + 1..)?.split('\'').next()?;
                let end = at + 1 + path.len() + 1;
                if start < at && end <= text.len() {
                    return Some((start, path, end));
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// The text with the map's package before the paths of its own objects.
pub(super) fn with_map_package(text: &str, is_own: impl Fn(&str) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for part in parts(text) {
        match part {
            ValuePart::Other(text) => out.push_str(text),
            ValuePart::Reference { class, path } => {
                let own = if is_own(path) { format!("{MAP_PACKAGE}.") } else { String::new() };
                out.push_str(&format!("{class}'{own}{path}'"));
            }
        }
    }
    out
}

/// The text with other references: `reference` says one by its class and path in the text; what it does not know becomes
/// `None`.
pub(super) fn with_references(
    text: &str,
    mut reference: impl FnMut(&str, &str) -> Option<String>,
) -> Cow<'_, str> {
    if !text.contains('\'') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for part in parts(text) {
        match part {
            ValuePart::Other(text) => out.push_str(text),
            ValuePart::Reference { class, path } => match reference(class, path) {
                Some(text) => out.push_str(&text),
                None => out.push_str("None"),
            },
        }
    }
    Cow::Owned(out)
}

/// The package of the map, as a text calls it: that of the first actor's `Level`, or UnrealEd's own name for it.
pub(super) fn map_package<'a>(values: impl Iterator<Item = (&'a str, &'a str)>) -> &'a str {
    let mut levels = values.filter(|(name, _)| name.eq_ignore_ascii_case("Level"));
    let first = levels.find_map(|(_, value)| first_reference(value));
    first.and_then(|(_, path, _)| path.split_once('.')).map_or(MAP_PACKAGE, |(package, _)| package)
}

/// The elements of a list as text: `(1,2,(X=1.0,Y=2.0))`.
pub(in crate::content) fn elements(text: &str) -> Vec<&str> {
    let inner = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).unwrap_or(text);
    if inner.is_empty() {
        return Vec::new();
    }
    let (mut found, mut start, mut depth, mut quoted, mut escaped) =
        (Vec::new(), 0, 0_usize, false, false);
    for (at, byte) in inner.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'(' if !quoted => depth += 1,
            b')' if !quoted => depth = depth.saturating_sub(1),
            b',' if !quoted && depth == 0 => {
                found.extend(inner.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    found.extend(inner.get(start..));
    found
}
