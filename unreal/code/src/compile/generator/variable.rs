//! Variables by their names.

use super::value::TypedValue;
use super::{CodeItem, CodeReference, Generated, Generator};
use crate::compile::declarations::fold;
use crate::compile::symbols::{ClassId, SymbolId};
use crate::compile::syntax::Word;
use crate::compile::types::ValueType;

impl Generator<'_> {
    /// The local variable or parameter of a name.
    pub(super) fn local(&self, folded: &str) -> Option<(SymbolId, ValueType)> {
        let id = *self.locals.get(folded)?;
        Some((id, self.symbols.type_of(id)))
    }

    /// The variable of a class or one above it, and its type: `Outer` is of the class that the class lies within.
    pub(super) fn find_variable(
        &self,
        class: ClassId,
        folded: &str,
    ) -> Option<(SymbolId, ValueType)> {
        let symbols = self.symbols;
        if folded == "outer" {
            let within = symbols.chain(class).find_map(|it| symbols.class(it).within.as_ref());
            let object = symbols.find_class("object");
            let outer = object.and_then(|object| symbols.find_variable(object, folded));
            if let (Some(within), Some(outer)) = (within, outer) {
                return Some((outer, ValueType::Object(symbols.find_class(within).or(object))));
            }
        }
        let id = symbols.find_variable(class, folded)?;
        Some((id, symbols.type_of(id)))
    }

    /// A variable behind its token; truths have a token before.
    pub(super) fn variable_value(
        &self,
        token: u8,
        variable: SymbolId,
        of: ValueType,
    ) -> TypedValue {
        let reference = CodeItem::Object(CodeReference::Variable(variable));
        let code = vec![CodeItem::Token(token), reference];
        let is_array = self.symbols.is_array(variable);
        let value = TypedValue::new(code, of);
        self.as_variable(TypedValue { is_array, is_place: true, variable: Some(variable), ..value })
    }

    pub(super) fn as_variable(&self, value: TypedValue) -> TypedValue {
        match value.of == ValueType::Bool && !value.is_array {
            true => value.prefixed(&[CodeItem::Token(0x2d)]),
            false => value,
        }
    }

    pub(super) fn member_variable(
        &mut self,
        class: ClassId,
        word: &Word,
        token: u8,
    ) -> Generated<TypedValue> {
        self.at = word.token + 1;
        match self.find_variable(class, &fold(&word.text)) {
            Some((variable, of)) => Ok(self.variable_value(token, variable, of)),
            None => self.unknown("variable", word, class),
        }
    }
}
