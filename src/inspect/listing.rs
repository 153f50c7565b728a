//! Code as lines of text.

use crate::error::Result;
use crate::package::Package;
use crate::primitive::{ansi_text, utf16_text};
use crate::script::{Script, ScriptItem, disassemble};

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

/// The tokens of a script, one a line, nested ones indented; without their places, which move with
/// every change.
///
/// # Errors
/// What does not follow the grammar; a script that was loaded always does.
pub fn script_lines(package: &Package, script: &Script) -> Result<Vec<String>> {
    let none = |name: &crate::Name| package.name_text(*name).eq_ignore_ascii_case("None");
    let lines = disassemble(&script.items, package.versions(), none)?;
    let line = |line: &crate::script::Line| {
        let indent = "  ".repeat((line.depth as usize).min(40));
        let operands: Vec<_> = line.operands.iter().map(|i| operand_text(package, i)).collect();
        format!("{indent}{} {}", line.name, operands.join(", ")).trim_end().to_owned()
    };
    Ok(lines.iter().map(line).collect())
}
