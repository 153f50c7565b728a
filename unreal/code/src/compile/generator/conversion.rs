//! Conversions between types (spec: ue1-3/15 §15.4, 12 §12.8).

use super::value::{Literal, TypedValue, Want};
use super::{CodeItem, CodeReference, Generated, Generator};
use crate::compile::diagnostic::DiagnosticKind;
use crate::compile::symbols::SymbolId;
use crate::compile::types::{Sort, ValueType};

/// Where a value is converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    /// Assignments, arguments, conditions.
    Place,
    /// A parameter that takes values of other types.
    Coerced,
    /// An operand.
    Operand,
}

/// The token of a conversion of all engines, or the byte behind the token for all of them.
fn common(from: &Sort, to: &Sort) -> Option<u8> {
    use Sort::{Bool, Byte, Float, Int, Name, Object, Text};
    let named = |sort: &Sort, name: &str| matches!(sort, Sort::Struct(it) if it == name);
    let is_vector = |sort: &Sort| named(sort, "vector");
    let is_rotator = |sort: &Sort| named(sort, "rotator");
    Some(match (from, to) {
        (from, to) if is_rotator(from) && is_vector(to) => 0x39,
        (Byte, Int) => 0x3a,
        (Byte, Bool) => 0x3b,
        (Byte, Float) => 0x3c,
        (Int, Byte) => 0x3d,
        (Int, Bool) => 0x3e,
        (Int, Float) => 0x3f,
        (Bool, Byte) => 0x40,
        (Bool, Int) => 0x41,
        (Bool, Float) => 0x42,
        (Float, Byte) => 0x43,
        (Float, Int) => 0x44,
        (Float, Bool) => 0x45,
        (Object, Bool) => 0x47,
        (Name, Bool) => 0x48,
        (Text, Byte) => 0x49,
        (Text, Int) => 0x4a,
        (Text, Bool) => 0x4b,
        (Text, Float) => 0x4c,
        (Text, to) if is_vector(to) => 0x4d,
        (Text, to) if is_rotator(to) => 0x4e,
        (from, Bool) if is_vector(from) => 0x4f,
        (from, to) if is_vector(from) && is_rotator(to) => 0x50,
        (from, Bool) if is_rotator(from) => 0x51,
        (Byte, Text) => 0x52,
        (Int, Text) => 0x53,
        (Bool, Text) => 0x54,
        (Float, Text) => 0x55,
        (Object, Text) => 0x56,
        (Name, Text) => 0x57,
        (from, Text) if is_vector(from) => 0x58,
        (from, Text) if is_rotator(from) => 0x59,
        _ => return None,
    })
}

/// Whether a conversion needs no word: numbers among one another, and interfaces to their objects
/// (spec: ue1-3/15 §15.4).
fn is_silent(from: &Sort, to: &Sort) -> bool {
    let is_number = |sort: &Sort| matches!(sort, Sort::Byte | Sort::Int | Sort::Float);
    is_number(from) && is_number(to) || *from == Sort::Interface
}

impl Generator<'_> {
    pub(super) fn conversion(&self, from: &Sort, to: &Sort) -> Option<u8> {
        let dialect = self.dialect;
        match (from, to) {
            (Sort::Text, Sort::Name) if dialect.is_ue3() => Some(0x60),
            (Sort::Text, Sort::Name) if dialect.is_swat_4() => Some(0x5a),
            (Sort::Text, Sort::Name) if dialect.is_ue2() => Some(0x46),
            (Sort::Delegate, Sort::Text) if dialect.is_ue3() => Some(0x5a),
            (Sort::Interface, Sort::Object) if dialect.is_ue3() => Some(0x36),
            (Sort::Interface, Sort::Text) if dialect.is_ue3() => Some(0x37),
            (Sort::Interface, Sort::Bool) if dialect.is_ue3() => Some(0x38),
            _ => common(from, to),
        }
    }

    /// The tokens before a value that is converted.
    pub(super) fn conversion_head(&self, kind: u8) -> Vec<CodeItem> {
        match () {
            () if self.dialect.is_ue1() => vec![CodeItem::Token(kind)],
            () if self.dialect.is_ue2() => vec![CodeItem::Token(0x39), CodeItem::Byte(kind)],
            () => vec![CodeItem::Token(0x38), CodeItem::Byte(kind)],
        }
    }

    pub(super) fn cast(&self, value: &TypedValue, kind: u8, of: ValueType) -> TypedValue {
        let mut code = self.conversion_head(kind);
        code.extend(value.code.iter().cloned());
        value.recoded(code, of)
    }

    pub(super) fn convert(
        &mut self,
        value: TypedValue,
        of: &ValueType,
        tokens: (u32, u32),
    ) -> Generated<TypedValue> {
        self.convert_at(value, of, At::Place, tokens)
    }

    pub(super) fn convert_at(
        &mut self,
        value: TypedValue,
        of: &ValueType,
        place: At,
        tokens: (u32, u32),
    ) -> Generated<TypedValue> {
        let (from, to) = (self.sort(&value.of), self.sort(of));
        let is_ue3 = self.dialect.is_ue3();
        if is_ue3
            && place == At::Place
            && (&from, &to) == (&Sort::Byte, &Sort::Int)
            && let (Some(Literal::Int(number)), [CodeItem::Token(0x24), _]) =
                (&value.literal, &value.code[..])
        {
            return Ok(self.int(*number, Want::NOTHING));
        }
        if let (ValueType::Delegate(_), Some(function), true) = (of, value.delegate, is_ue3)
            && matches!(value.of, ValueType::Delegate(_))
        {
            return Ok(self.delegate_name(function, &value));
        }
        if value.of == ValueType::None && matches!(of, ValueType::Delegate(_)) {
            let none = CodeItem::Name("None".into());
            let code = match is_ue3 {
                true if self.dialect.names_properties() => {
                    vec![CodeItem::Token(0x43), none, CodeItem::Object(CodeReference::Null)]
                }
                true => vec![CodeItem::Token(0x43), none],
                false => vec![CodeItem::Token(0x44), none],
            };
            return Ok(value.recoded(code, of.clone()));
        }
        if from == to || *of == ValueType::Void {
            return Ok(value);
        }
        if (&from, &to) == (&Sort::Object, &Sort::Interface) {
            return Ok(self.interface_cast(&value, of));
        }
        let kind = self.conversion(&from, &to);
        if let Some(kind) = kind.filter(|_| place == At::Coerced || is_silent(&from, &to)) {
            return Ok(self.cast(&value, kind, of.clone()));
        }
        let (from, to) = (self.describe(&value), of.describe(self.symbols));
        let message = format!("cannot convert {from} to {to}");
        let is_word = matches!(
            of,
            ValueType::Int
                | ValueType::Float
                | ValueType::Byte(None)
                | ValueType::Bool
                | ValueType::Text
                | ValueType::Name
        );
        let hint = kind.filter(|_| is_word).map(|_| format!("write '{to}(...)'"));
        self.fail_with(DiagnosticKind::Type, tokens, message, hint)
    }

    /// An object as a value of an interface.
    pub(super) fn interface_cast(&self, value: &TypedValue, of: &ValueType) -> TypedValue {
        let class = match of {
            ValueType::Object(Some(class)) => CodeReference::Class(*class),
            _ => CodeReference::Null,
        };
        let mut code = vec![CodeItem::Token(0x52), CodeItem::Object(class)];
        code.extend(value.code.iter().cloned());
        value.recoded(code, of.clone())
    }

    /// A declared delegate as a value: its function's name, and its property.
    fn delegate_name(&self, function: SymbolId, value: &TypedValue) -> TypedValue {
        let name = self.symbols.function(function).map_or("", |it| it.name.as_str());
        let mut code = vec![CodeItem::Token(0x43), CodeItem::Name(name.into())];
        if self.dialect.names_properties() {
            code.push(CodeItem::Object(CodeReference::DelegateProperty(function)));
        }
        value.recoded(code, value.of.clone())
    }

    /// The cost of converting a value to a parameter; `None` where it is impossible.
    pub(super) fn cost(&self, value: &TypedValue, parameter: SymbolId) -> Option<u32> {
        let symbols = self.symbols;
        let variable = symbols.variable(parameter)?;
        let of = symbols.type_of(parameter);
        let (from, to) = (self.sort(&value.of), self.sort(&of));
        if variable.is_out && !variable.is_coerce {
            return (value.is_place && from == to).then_some(0);
        }
        if from == to {
            if to != Sort::Object {
                return Some(0);
            }
            return match (&value.of, &of) {
                (ValueType::None, _) => Some(1),
                (ValueType::Object(_), ValueType::Class(_)) => None,
                (ValueType::Object(None), ValueType::Object(_)) => Some(0),
                (ValueType::Object(Some(class)), ValueType::Object(Some(other))) => {
                    symbols.is_a(*class, *other).then_some(0)
                }
                _ => Some(0),
            };
        }
        match (&from, &to) {
            (Sort::Byte, Sort::Int) => return Some(1),
            (Sort::Int, Sort::Float) => return Some(2),
            (Sort::Byte, Sort::Float) => return Some(3),
            (_, Sort::Delegate | Sort::Interface) if value.of == ValueType::None => return Some(1),
            (_, Sort::Interface) => {
                if let (ValueType::Object(Some(class)), ValueType::Object(Some(other))) =
                    (&value.of, &of)
                {
                    return symbols.is_a(*class, *other).then_some(3);
                }
            }
            (Sort::Float, Sort::Int | Sort::Byte) | (Sort::Int, Sort::Byte) => return Some(100),
            _ => {}
        }
        (variable.is_coerce && self.conversion(&from, &to).is_some()).then_some(200)
    }
}
