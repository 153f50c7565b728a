//! Calls by a name alone, and by `Super` (spec: ue1-3/15 §15.3, §15.7).

use super::call::CallKind;
use super::operand::named;
use super::tail::Tail;
use super::value::{TypedValue, Want};
use super::{CodeItem, Generated, Generator};
use crate::compile::declarations::fold;
use crate::compile::diagnostic::DiagnosticKind;
use crate::compile::syntax::{Postfix, PostfixKind, Word};
use crate::compile::types::ValueType;

impl<'a> Generator<'a> {
    /// A function that only the object around has, called without naming that: the size of `Outer` stands for that of
    /// the call then.
    pub(super) fn outer_call(
        &mut self,
        folded: &str,
        word: &'a Word,
        tail: &mut Tail<'a>,
        want: Want<'_>,
    ) -> Option<Generated<TypedValue>> {
        let symbols = self.symbols;
        if !self.dialect.language.calls_outer()
            || self.find_function(folded).is_some()
            || symbols.find_class(folded).is_some()
        {
            return None;
        }
        let (outer, of) = self.find_variable(self.class, "outer")?;
        let ValueType::Object(Some(within)) = of else { return None };
        symbols.find_function(within, folded)?;
        let object = self.variable_value(0x01, outer, of);
        let (size, behind) = (self.size_of(&object.code), 1 + object.code.len());
        let value = self.object_member(object, within, word, tail, want);
        Some(value.map(|mut value| {
            if let Some(skip @ CodeItem::Skip(_)) = value.code.get_mut(behind) {
                *skip = CodeItem::Skip(size);
            }
            value
        }))
    }

    pub(super) fn array_count(
        &mut self,
        word: &Word,
        tail: &mut Tail<'a>,
        want: Want<'_>,
    ) -> Generated<TypedValue> {
        let Some((given, last)) = tail.arguments() else {
            return self.fail(DiagnosticKind::Syntax, (word.token, word.token), "expected '('");
        };
        let [Some(array)] = given else {
            return self.fail(
                DiagnosticKind::Type,
                (word.token, last),
                "'arraycount' takes an array",
            );
        };
        self.at = word.token + 2;
        let value = self.expression(array, Want::NOTHING)?;
        self.at = last + 1;
        let length = match value.variable {
            Some(variable) => self.length_of(variable, (array.first, array.last))?,
            None => {
                let tokens = (array.first, array.last);
                return self.fail(
                    DiagnosticKind::Type,
                    tokens,
                    "'arraycount' takes a static array",
                );
            }
        };
        Ok(self.int(length.into(), want))
    }

    /// `Super.F()`, `Super(C).F()`.
    pub(super) fn super_call(
        &mut self,
        word: &'a Word,
        tail: &mut Tail<'a>,
    ) -> Generated<TypedValue> {
        let above = match tail.arguments() {
            Some((given, last)) => match named(given) {
                Some(name) => Some(name),
                None => {
                    let message = "'Super' takes the name of a class";
                    return self.fail(DiagnosticKind::Syntax, (word.token, last), message);
                }
            },
            None => None,
        };
        let Some(member) = tail.member() else {
            let message = "'Super' stands before '.' and a function";
            return self.fail(DiagnosticKind::Syntax, (word.token, word.token), message);
        };
        let Some(function) = self.super_function(above, &fold(&member.text)) else {
            if let Some(above) = above.filter(|it| self.symbols.find_class(it).is_none()) {
                let message = format!("no class '{above}' is at hand");
                return self.fail(DiagnosticKind::UnknownName, (word.token, word.token), message);
            }
            return self.unknown("function above", member, self.class);
        };
        let kind = CallKind { is_exact: true, ..CallKind::default() };
        self.called(function, kind, member, tail)
    }

    /// A name with parentheses behind it.
    pub(super) fn word_call(
        &mut self,
        folded: &str,
        word: &'a Word,
        tail: &mut Tail<'a>,
    ) -> Generated<TypedValue> {
        let symbols = self.symbols;
        let class = symbols.find_class(folded);
        if let Some(function) = self.find_function(folded)
            && (class.is_none() || self.is_function_meant(word, tail))
        {
            return self.called(function, CallKind::default(), word, tail);
        }
        if let Some((variable, ValueType::Delegate(_))) = self.find_variable(self.class, folded) {
            return self.delegate_call(variable, false, word, tail);
        }
        if let Some(class) = class {
            return self.object_cast(class, word, tail);
        }
        if let Some(id) = symbols.find_enum(self.class, folded) {
            let of = ValueType::Byte(Some(id));
            let (argument, last) = self.only_argument(word, tail)?;
            let value = self.expression(argument, Want::of(&of))?;
            let value = self.convert(value, &of, (argument.first, argument.last))?;
            self.at = last + 1;
            return Ok(value.recoded(value.code.clone(), of));
        }
        // UE3 looks in the object around as well (spec: ue1-3/15 §15.7).
        if self.dialect.is_ue3()
            && let Some((outer, of)) = self.find_variable(self.class, "outer")
            && let ValueType::Object(Some(within)) = of
            && symbols.find_function(within, folded).is_some()
        {
            let object = self.variable_value(0x01, outer, of);
            let inner = self.member_call(within, word, tail)?;
            // What is passed over ends before the arguments.
            let (at, head) = (1 + object.code.len(), inner.code.get(..2).unwrap_or_default());
            let size = self.size_of(head);
            let mut value = self.context(object, inner, 0x19)?;
            if let Some(CodeItem::Skip(skip)) = value.code.get_mut(at) {
                *skip = size;
            }
            return Ok(value);
        }
        self.unknown("function", word, self.class)
    }

    /// A name that is a function and a class: a conversion where one object stands in the parentheses.
    fn is_function_meant(&mut self, word: &'a Word, tail: &Tail<'a>) -> bool {
        let Some(Postfix { kind: PostfixKind::Arguments(given), .. }) = tail.peek() else {
            return true;
        };
        let [Some(argument)] = &given[..] else { return true };
        // Kept, so that calls in one another are not looked at again and again.
        let key = (std::ptr::from_ref(self.syntax) as usize, word.token);
        if let Some(is_function) = self.is_function.get(&key) {
            return *is_function;
        }
        let (at, count) = (self.at, self.diagnostics.len());
        let value = self.expression(argument, Want::NOTHING);
        self.at = at;
        self.diagnostics.truncate(count);
        let is_object = |of: &ValueType| {
            matches!(of, ValueType::Object(_) | ValueType::None | ValueType::Class(_))
        };
        let is_function = !value.is_ok_and(|value| is_object(&value.of));
        self.is_function.insert(key, is_function);
        is_function
    }
}
