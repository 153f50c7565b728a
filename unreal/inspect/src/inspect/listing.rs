//! Code as lines of text.

use crate::error::Result;
use crate::package::Package;
use crate::primitive::{ansi_text, utf16_text};
use crate::script::assembly::TokenNames;
use crate::script::{Line, Script, ScriptItem, disassemble};

/// An operand of code as text: names and references by what they mean.
pub fn operand_text(package: &Package, item: &ScriptItem) -> String {
    match item {
        ScriptItem::Token(value) => format!("{value:#04x}"),
        ScriptItem::Byte(value) => value.to_string(),
        ScriptItem::Word(value) => value.to_string(),
        item if item.is_no_label(package.versions()) => "no label".to_owned(),
        ScriptItem::Label(at) | ScriptItem::Place(at) => format!("label_{at:04x}"),
        ScriptItem::Skip(size) => size.to_string(),
        ScriptItem::Int(value) => value.to_string(),
        ScriptItem::Long(value) => value.to_string(),
        ScriptItem::Float(value) => format!("{value:?}"),
        ScriptItem::Double(value) => format!("{value:?}"),
        ScriptItem::Real(value) => format!("{value:?}"),
        ScriptItem::Object(index) if index.is_null() => "null".to_owned(),
        ScriptItem::Object(index) => package.path(*index),
        ScriptItem::Name(name) => format!("'{}'", package.name_text(*name)),
        ScriptItem::Property(path) => {
            // Innermost first; read from outside like every other path.
            let names = path.path.iter().rev().map(|name| package.name_text(*name));
            let owner = (!path.owner.is_null()).then(|| package.path(path.owner));
            let parts: Vec<_> = owner.into_iter().chain(names).collect();
            if parts.is_empty() { "none".to_owned() } else { parts.join(".") }
        }
        ScriptItem::Text(span) => {
            let bytes = span.bytes(package.source()).unwrap_or_default();
            format!("{:?}", ansi_text(bytes))
        }
        ScriptItem::Wide(span) => {
            let bytes = span.bytes(package.source()).unwrap_or_default();
            format!("{:?}", utf16_text(bytes, package.versions().byte_order))
        }
    }
}

/// An operand as a listing that is compared has it: two that differ have two texts, but for how far to skip, which
/// follows from what is skipped.
fn compared_text(package: &Package, item: &ScriptItem) -> String {
    let source = package.source();
    let bits = |number: &dyn std::fmt::Debug, bits: u64| format!("{number:?} ({bits:#x})");
    match item {
        ScriptItem::Skip(_) => "skip".to_owned(),
        // Many bits mean no number.
        ScriptItem::Float(value) if value.is_nan() => bits(value, value.to_bits().into()),
        ScriptItem::Double(value) if value.is_nan() => bits(value, value.to_bits()),
        ScriptItem::Real(value) if value.value().is_nan() => bits(value, value.value().to_bits()),
        ScriptItem::Property(path) if !path.path.is_empty() => {
            let names = path.path.iter().rev().map(|name| package.name_text(*name));
            let owner = match path.owner.is_null() {
                true => String::new(),
                false => package.path(path.owner),
            };
            format!("{owner}:{}", names.collect::<Vec<_>>().join(":"))
        }
        ScriptItem::Wide(span) => {
            let text = operand_text(package, item);
            match text.contains(char::REPLACEMENT_CHARACTER) {
                true => format!("{text} ({:x?})", span.bytes(source).unwrap_or_default()),
                false => text,
            }
        }
        item => operand_text(package, item),
    }
}

/// The tokens of a script, one a line, nested ones indented; without their places, which move with
/// every change. A token whose name others have as well has its number behind it: those are the numbers of native
/// functions, and so of operators.
///
/// # Errors
/// An item that does not follow the grammar; a script that was loaded always does.
pub fn script_lines(package: &Package, script: &Script) -> Result<Vec<String>> {
    script_lines_with(package, script, |_| None)
}

/// The same; `name` says what the number of a native function calls.
#[doc(hidden)]
pub fn script_lines_with(
    package: &Package,
    script: &Script,
    name: impl Fn(u16) -> Option<&'static str>,
) -> Result<Vec<String>> {
    let none = |name: &crate::Name| package.name_text(*name).eq_ignore_ascii_case("None");
    let lines = disassemble(&script.items, package.versions(), none)?;
    let names = TokenNames::new(package.versions());
    let line = |line: &Line| {
        let indent = "  ".repeat((line.depth as usize).min(40));
        let operands: Vec<_> = line.operands.iter().map(|i| compared_text(package, i)).collect();
        let called = native_number(line).and_then(&name);
        let called = called.map(|called| format!(" ({called})")).unwrap_or_default();
        let token = names.name(line.token);
        format!("{indent}{token}{called} {}", operands.join(", ")).trim_end().to_owned()
    };
    Ok(lines.iter().map(line).collect())
}

/// The number of the native function that a token calls (spec: ue1-3/06 §6.6).
fn native_number(line: &Line) -> Option<u16> {
    match (line.name, line.operands.first()) {
        ("Native", _) => Some(line.token.into()),
        ("ExtendedNative", Some(ScriptItem::Byte(low))) => {
            Some(u16::from(line.token & 0xf) << 8 | u16::from(*low))
        }
        _ => None,
    }
}
