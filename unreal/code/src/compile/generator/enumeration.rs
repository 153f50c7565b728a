//! Values of enums by their names.

use super::tail::Tail;
use super::value::{Literal, TypedValue, Want};
use super::{CodeItem, Generated, Generator};
use crate::compile::declarations::fold;
use crate::compile::diagnostic::DiagnosticKind;
use crate::compile::symbols::SymbolId;
use crate::compile::types::ValueType;

impl<'a> Generator<'a> {
    /// An enum's value, with the name of the enum before it or without.
    pub(super) fn enum_word(
        &mut self,
        folded: &str,
        tail: &mut Tail<'a>,
        want: Want<'_>,
    ) -> Option<Generated<TypedValue>> {
        let symbols = self.symbols;
        let wanted = match want.of {
            Some(ValueType::Byte(Some(id))) => {
                symbols.enumeration(*id).and_then(|it| it.value(folded)).map(|value| (*id, value))
            }
            _ => None,
        };
        if let Some((id, value)) = wanted.or_else(|| symbols.find_value(self.class, folded)) {
            let takes_types = self.dialect.is_ue3() || self.dialect.literals_take_types;
            if takes_types && want.is_int() {
                return Some(Ok(self.int(value.into(), Want::NOTHING)));
            }
            return Some(Ok(enum_value(id, value)));
        }
        let id = symbols.find_enum(self.class, folded).filter(|_| tail.is_member())?;
        self.enum_member(id, tail, want)
    }

    /// `Enum.TypedValue`.
    pub(super) fn enum_member(
        &mut self,
        id: SymbolId,
        tail: &mut Tail<'a>,
        want: Want<'_>,
    ) -> Option<Generated<TypedValue>> {
        let member = tail.member()?;
        self.at = member.token + 1;
        let symbol = self.symbols.enumeration(id)?;
        let count = symbol.values.len();
        if member.is("EnumCount") {
            let count = i64::try_from(count).unwrap_or(0);
            return Some(Ok(self.int(count, want)));
        }
        if let Some(value) = symbol.value(&member.text) {
            return Some(Ok(enum_value(id, value)));
        }
        if fold(&member.text).ends_with("_max") {
            return Some(Ok(enum_value(id, u8::try_from(count).unwrap_or(u8::MAX))));
        }
        let hint = crate::compile::diagnostic::nearest(
            &member.text,
            symbol.values.iter().map(String::as_str),
        );
        let hint = hint.map(|name| format!("did you mean '{name}'?"));
        let message = format!("no value '{}' in the enum '{}'", member.text, symbol.name);
        let tokens = (member.token, member.token);
        Some(self.fail_with(DiagnosticKind::UnknownName, tokens, message, hint))
    }
}

pub(super) fn enum_value(id: SymbolId, value: u8) -> TypedValue {
    let code = vec![CodeItem::Token(0x24), CodeItem::Byte(value)];
    TypedValue::literal(code, ValueType::Byte(Some(id)), Literal::Int(value.into()))
}
