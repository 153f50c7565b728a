//! Names, conditions and entries as Kaitai Struct writes them.

use crate::archive::layout::{Field, Variant};
use crate::version::Versions;

/// A type of one field.
pub(super) fn item(name: &str, attributes: &[String]) -> String {
    format!("    seq:\n{}", entry(name, attributes, ""))
}

pub(super) fn entry(name: &str, attributes: &[String], more: &str) -> String {
    let lines: String = attributes.iter().map(|line| format!("      {line}\n")).collect();
    format!("    - id: {name}\n{lines}{more}")
}

/// Fields one after the other.
pub(super) fn sequence(lines: &str) -> String {
    // A list of remarks is nothing to Kaitai Struct.
    let is_empty = !lines.contains("    - id: ");
    if is_empty { format!("    seq: []\n{lines}") } else { format!("    seq:\n{lines}") }
}

/// Fields at places of their own.
pub(super) fn instances(fields: &[String]) -> String {
    if fields.is_empty() { String::new() } else { format!("    instances:\n{}", fields.concat()) }
}

/// What a field is called: one of a tuple by its number, one of a variant with its name before it.
pub(super) fn id(field: &Field, of: Option<&Variant>) -> String {
    let own = match field.name.starts_with(|it: char| it.is_ascii_digit()) {
        true => format!("field_{}", field.name),
        false => snake(field.name),
    };
    of.map_or_else(|| own.clone(), |variant| format!("{}_{own}", snake(variant.name)))
}

/// An expression in which fields of tuples have names: `self.0` is `field_0`.
pub(super) fn numbered(written: &str) -> String {
    let mut text = String::new();
    for (at, part) in written.split("self.").enumerate() {
        let is_number = part.starts_with(|it: char| it.is_ascii_digit());
        text += match (at, is_number) {
            (0, _) => "",
            (_, true) => "self.field_",
            (_, false) => "self.",
        };
        text += part;
    }
    text
}

/// An expression in which the fields of a variant have its name before theirs.
pub(super) fn renamed(expression: &str, of: Option<&Variant>) -> String {
    let Some(variant) = of else { return expression.to_owned() };
    let (mut text, mut word) = (String::new(), String::new());
    for char in expression.chars().chain([' ']) {
        if char.is_alphanumeric() || char == '_' {
            word.push(char);
            continue;
        }
        match variant.fields.iter().find(|field| field.name == word) {
            Some(field) if !word.is_empty() => text += &id(field, Some(variant)),
            _ => text += &word,
        }
        word.clear();
        text.push(char);
    }
    text.pop();
    text
}

/// A condition in the words of Kaitai Struct.
pub(super) fn words(condition: &str) -> String {
    let words = condition.replace("&&", "and").replace("||", "or").replace("!=", "\u{0}");
    words.replace('!', "not ").replace('\u{0}', "!=")
}

pub(super) fn number(ty: &str, versions: &Versions) -> Option<&'static str> {
    Some(match ty {
        "bool" if !versions.format().has_wide_bools() => "u1",
        "u8" => "u1",
        "i8" => "s1",
        "u16" => "u2",
        "i16" => "s2",
        "u32" | "bool" => "u4",
        "i32" => "s4",
        "u64" => "u8",
        "i64" => "s8",
        "f32" => "f4",
        "f64" => "f8",
        _ => return None,
    })
}

/// A type's text as part of a name.
pub(super) fn slug(ty: &str) -> String {
    let ty = match ty {
        "String" => "text",
        ty => ty,
    };
    let mut slug = String::new();
    for part in ty.split(|it: char| !it.is_alphanumeric() && it != '_').filter(|it| !it.is_empty())
    {
        if !slug.is_empty() {
            slug.push('_');
        }
        slug += &snake(part);
    }
    slug
}

/// A name as Kaitai Struct takes it: `ThingKind` is `thing_kind`.
pub(super) fn snake(name: &str) -> String {
    let mut snake = String::new();
    let mut before_is_lower = false;
    for char in name.chars() {
        if char.is_uppercase() && before_is_lower {
            snake.push('_');
        }
        before_is_lower = char.is_lowercase() || char.is_ascii_digit();
        snake.extend(char.to_lowercase());
    }
    snake.trim_start_matches('_').to_owned()
}

/// A text of YAML.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
