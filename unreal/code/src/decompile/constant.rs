//! Constants as text.

use std::fmt::Write as _;

use super::expression::{CLOSEST, ExpressionSlot, Expressions, ONE_SIDED};
use super::types::NumberNames;
use crate::primitive::{PackageIndex, ansi_text, utf16_text};
use crate::script::{ScriptExpression, ScriptItem};

impl Expressions<'_> {
    pub(super) fn constant(&mut self, whole: &ScriptExpression, slot: ExpressionSlot) {
        let numbers: Vec<&ScriptItem> = whole.items().collect();
        match (whole.name, &numbers[..]) {
            ("IntZero", _) => self.number(0, slot),
            ("IntOne", _) => self.number(1, slot),
            ("True", _) => self.push("true"),
            ("False", _) => self.push("false"),
            ("Self", _) => self.push("self"),
            ("NoObject" | "EmptyDelegate", _) => self.push("none"),
            ("Nothing" | "EmptyParm" | "ReturnNothing", _) => {}
            ("IntConst" | "StringRefConst", [ScriptItem::Int(value)]) => self.number(*value, slot),
            ("ByteConst" | "IntConstByte", [ScriptItem::Byte(value)]) => {
                self.number((*value).into(), slot);
            }
            ("FloatConst", [ScriptItem::Float(value)]) => {
                let is_negative = value.is_sign_negative();
                let binds = if is_negative { ONE_SIDED } else { CLOSEST };
                let text = float(*value);
                self.grouped(binds, slot, |it| it.push(&text));
            }
            ("StringConst", [ScriptItem::Text(span)]) => {
                let bytes = span.bytes(self.scripts.package.source()).unwrap_or_default();
                let text = ansi_text(bytes).into_owned();
                quote(&mut self.out, &text);
            }
            ("UnicodeStringConst", [ScriptItem::Wide(span)]) => {
                let bytes = span.bytes(self.scripts.package.source()).unwrap_or_default();
                let text = utf16_text(bytes, self.scripts.package.versions().byte_order);
                quote(&mut self.out, &text);
            }
            ("NameConst", [ScriptItem::Name(name)]) => {
                let text = self.scripts.some_text(*name).unwrap_or_default();
                let _ = write!(self.out, "'{text}'");
            }
            ("ObjectConst", [ScriptItem::Object(index)]) => self.object(*index),
            ("VectorConst" | "RangeConst", parts) => {
                let parts = parts.iter().map(|part| match part {
                    ScriptItem::Float(value) => float(*value),
                    _ => String::new(),
                });
                let parts: Vec<String> = parts.collect();
                let word = if whole.name == "VectorConst" { "vect" } else { "rng" };
                let _ = write!(self.out, "{word}({})", parts.join(", "));
            }
            ("RotationConst", parts) => {
                let parts = parts.iter().map(|part| match part {
                    ScriptItem::Int(value) => value.to_string(),
                    _ => String::new(),
                });
                let parts: Vec<String> = parts.collect();
                let _ = write!(self.out, "rot({})", parts.join(", "));
            }
            _ => self.unknown(whole),
        }
    }

    /// A whole number, or the value of an enum that it stands for.
    fn number(&mut self, value: i32, slot: ExpressionSlot) {
        let name = match slot.values {
            Some(NumberNames::Own(index)) => self.scripts.enumeration(index).and_then(|known| {
                let name = known.names.get(usize::try_from(value).ok()?)?;
                Some(self.scripts.text(*name))
            }),
            Some(NumberNames::Imported(index)) => {
                let known = self.scripts.imported_values(index);
                known.and_then(|known| known.get(usize::try_from(value).ok()?).cloned())
            }
            Some(NumberNames::Engine(known)) => {
                u64::try_from(value).ok().and_then(|value| known.name_of(value))
            }
            None => None,
        };
        match name {
            Some(name) => self.push(&name),
            None if value < 0 => {
                self.grouped(ONE_SIDED, slot, |it| it.push(&value.to_string()));
            }
            None => self.push(&value.to_string()),
        }
    }

    /// An object by its class and path.
    fn object(&mut self, index: PackageIndex) {
        if index.is_null() {
            return self.push("none");
        }
        let class = self.scripts.class_name(index);
        if class.eq_ignore_ascii_case("Class") {
            let _ = write!(self.out, "class'{}'", self.scripts.name(index));
        } else if class.eq_ignore_ascii_case("Enum") {
            self.push(&self.scripts.name(index));
        } else {
            let _ = write!(self.out, "{class}'{}'", self.scripts.package.path(index));
        }
    }
}

/// A string in quotes.
pub(super) fn quote(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// The shortest text that means the same number, with a point and without an exponent.
pub(super) fn float(value: f32) -> String {
    let text = format!("{value}");
    if text.contains('.') || !value.is_finite() { text } else { format!("{text}.0") }
}
