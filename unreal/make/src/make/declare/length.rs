//! How many values a static array holds.

use crate::compile::syntax::{Expression, ExpressionItem, OperandBase, Syntax};
use crate::compile::{ArrayLength, ClassId, SymbolId, WrittenValue};
use crate::primitive::PackageIndex;

use super::class_maker::ClassMaker;

/// Constants that stand for constants are followed this far.
const DEEPEST: u32 = 16;

impl ClassMaker<'_> {
    /// The length that an expression says, and the enum that counts the values.
    pub(super) fn length(
        &mut self,
        written: Option<&Expression>,
        syntax: &Syntax,
        class: ClassId,
    ) -> (u32, PackageIndex) {
        let Some(written) = written else { return (1, PackageIndex::NULL) };
        if let Some(number) = self.number(written, syntax, class, 0) {
            return (number, PackageIndex::NULL);
        }
        let word = match written.items.as_slice() {
            [ExpressionItem::Operand(operand)] if operand.behind.is_empty() => {
                match &operand.base {
                    OperandBase::Word(word) => Some(word.text.to_ascii_lowercase()),
                    _ => None,
                }
            }
            _ => None,
        };
        let counted = word.and_then(|word| self.symbols.find_enum(class, &word));
        match counted.and_then(|id| Some((id, self.symbols.enumeration(id)?.values.len()))) {
            Some((id, count)) => {
                // The value that closes the enum counts.
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                (count, self.enumeration(id))
            }
            None => (1, PackageIndex::NULL),
        }
    }

    fn number(
        &self,
        written: &Expression,
        syntax: &Syntax,
        class: ClassId,
        depth: u32,
    ) -> Option<u32> {
        let [ExpressionItem::Operand(operand)] = written.items.as_slice() else { return None };
        if depth > DEEPEST {
            return None;
        }
        match &operand.base {
            OperandBase::Number => whole_number(syntax.text(operand.first)),
            OperandBase::Parentheses(inner) => self.number(inner, syntax, class, depth + 1),
            OperandBase::Word(word) if operand.behind.is_empty() => {
                let found = self.symbols.find_constant(class, &word.text.to_ascii_lowercase())?;
                let WrittenValue { syntax, value } = found;
                self.number(value, syntax, class, depth + 1)
            }
            _ => None,
        }
    }

    /// The length of a variable that is declared anywhere.
    pub(in crate::make) fn length_of(&self, id: SymbolId) -> u32 {
        match self.symbols.variable(id).and_then(|it| it.length.as_ref()) {
            Some(ArrayLength::Number(number)) => *number,
            Some(ArrayLength::Written(WrittenValue { syntax, value })) => {
                self.number(value, syntax, id.class, 0).unwrap_or(1)
            }
            None => 1,
        }
    }
}

/// A whole number as it is written, in tens or sixteens.
fn whole_number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}
