//! Operands: what a name at their start means (spec: ue1-3/15 §15.3).

use super::call::CallKind;
use super::value::{Literal, TypedValue, Want};
use super::{CodeItem, CodeReference, DEEPEST, Generated, Generator};
use crate::compile::declarations::{WrittenValue, fold};
use crate::compile::diagnostic::DiagnosticKind;
use crate::compile::symbols::{ClassId, SymbolId};
use crate::compile::syntax::{
    Expression, ExpressionItem, Operand, OperandBase, Postfix, PostfixKind, Word,
};
use crate::compile::types::{Sort, ValueType};

/// How far what stands behind an operand is read.
pub(super) struct Tail<'a> {
    operand: &'a Operand,
    at: usize,
    end: usize,
}

impl<'a> Tail<'a> {
    pub fn of(operand: &'a Operand) -> Self {
        Self::until(operand, operand.behind.len())
    }

    /// No more than the first parts behind the operand.
    pub fn until(operand: &'a Operand, end: usize) -> Self {
        Self { operand, at: 0, end }
    }

    pub fn peek(&self) -> Option<&'a Postfix> {
        self.operand.behind.get(..self.end)?.get(self.at)
    }

    pub fn next(&mut self) -> Option<&'a Postfix> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    /// Whether parentheses follow.
    pub fn is_call(&self) -> bool {
        matches!(self.peek(), Some(Postfix { kind: PostfixKind::Arguments(_), .. }))
    }

    pub fn is_member(&self) -> bool {
        matches!(self.peek(), Some(Postfix { kind: PostfixKind::Member(_), .. }))
    }

    /// The name behind a dot, taken.
    pub fn member(&mut self) -> Option<&'a Word> {
        match &self.peek()?.kind {
            PostfixKind::Member(word) => {
                self.next();
                Some(word)
            }
            _ => None,
        }
    }

    pub fn operand(&self) -> &'a Operand {
        self.operand
    }

    pub fn tokens(&self) -> (u32, u32) {
        (self.operand.first, self.operand.last)
    }
}

impl<'a> Generator<'a> {
    pub(super) fn operand(
        &mut self,
        operand: &'a Operand,
        want: Want<'_>,
    ) -> Generated<TypedValue> {
        let tokens = (operand.first, operand.last);
        let value = self.nested(tokens, |it| {
            let mut tail = Tail::of(operand);
            let value = it.operand_base(&mut tail, want)?;
            it.behind(value, &mut tail, want)
        })?;
        self.at = operand.last + 1;
        self.bounded(value, tokens)
    }

    /// Compiles the start of an operand alone.
    pub(super) fn operand_head(&mut self, tail: &mut Tail<'a>) -> Generated<TypedValue> {
        self.operand_base(tail, Want::NOTHING)
    }

    /// The local variable or parameter of a name.
    pub(super) fn local(&self, folded: &str) -> Option<(SymbolId, ValueType)> {
        let id = *self.locals.get(folded)?;
        Some((id, self.symbols.type_of(id)))
    }

    fn operand_base(&mut self, tail: &mut Tail<'a>, want: Want<'_>) -> Generated<TypedValue> {
        let operand = tail.operand;
        let first = operand.first;
        match &operand.base {
            OperandBase::Number => self.number(first, false, want),
            OperandBase::Text => Ok(self.text(first)),
            OperandBase::Name => {
                self.at = first + 1;
                let name = unquoted(self.syntax.text(first));
                Ok(self.name_value(name))
            }
            OperandBase::Parentheses(inner) => {
                let value = self.expression(inner, want)?;
                self.at = inner.last + 2;
                self.parentheses(value, want, (inner.first, inner.last))
            }
            OperandBase::Object(word, name) => Ok(self.object_constant(word, *name)),
            OperandBase::ClassCast(class, value) => {
                let inner = self.expression(value, Want::NOTHING)?;
                self.at = value.last + 2;
                self.class_cast(class, &inner)
            }
            OperandBase::New(given, class) => self.creation(given, class, tail),
            OperandBase::Word(word) => self.word(word, tail, want),
        }
    }

    /// UE1 and UE2 convert what stands in parentheses to what is wanted.
    fn parentheses(
        &mut self,
        value: TypedValue,
        want: Want<'_>,
        tokens: (u32, u32),
    ) -> Generated<TypedValue> {
        let mut value = value;
        let is_number = matches!(self.sort(&value.of), Sort::Byte | Sort::Int | Sort::Float);
        if let Some(of) = want.of
            && !self.dialect.is_ue3()
            && !self.dialect.literals_take_types
            && of.is_number()
            && is_number
        {
            value = self.convert(value, of, tokens)?;
        }
        let (variable, function, depth) = (value.variable, value.function, value.depth);
        let is_array = value.is_array;
        Ok(TypedValue {
            variable,
            function,
            is_array,
            depth,
            ..TypedValue::new(value.code, value.of)
        })
    }

    fn object_constant(&mut self, word: &Word, name: u32) -> TypedValue {
        self.at = name + 1;
        let path = unquoted(self.syntax.text(name));
        let last = path.rsplit('.').next().unwrap_or(path).trim();
        let object = self.symbols.find_class("object");
        let class = self.symbols.find_class(last).filter(|_| word.is("class"));
        let named = || CodeReference::Named((word.text.clone(), path.to_owned()).into());
        let reference = class.map_or_else(named, CodeReference::Class);
        let of = match word.is("class") {
            true => ValueType::Class(class.or(object)),
            false => ValueType::Object(self.symbols.find_class(&word.text).or(object)),
        };
        let code = vec![CodeItem::Token(0x20), CodeItem::Object(reference)];
        TypedValue::literal(code, of, Literal::Other)
    }

    /// A name at the start of an operand.
    fn word(
        &mut self,
        word: &'a Word,
        tail: &mut Tail<'a>,
        want: Want<'_>,
    ) -> Generated<TypedValue> {
        self.at = word.token + 1;
        let folded = fold(&word.text);
        if let Some(value) = self.language_word(&folded, word, tail, want) {
            return value;
        }
        let symbols = self.symbols;
        let is_call = tail.is_call();
        if let Some(local) = self.locals.get(&folded).copied() {
            let of = symbols.type_of(local);
            let is_delegate = matches!(of, ValueType::Delegate(_));
            if is_call && is_delegate {
                return self.delegate_call(local, true, word, tail);
            }
            if !is_call {
                let is_out = self.dialect.is_ue3() && self.is_out_parameter(local);
                return Ok(self.variable_value(if is_out { 0x48 } else { 0x00 }, local, of));
            }
        }
        if is_call {
            if let Some(value) = self.outer_call(&folded, word, tail, want) {
                return value;
            }
            return self.word_call(&folded, word, tail);
        }
        if let Some((variable, of)) = self.find_variable(self.class, &folded) {
            return Ok(self.variable_value(0x01, variable, of));
        }
        if let Some(constant) = symbols.find_constant(self.class, &folded) {
            return self.constant(constant, want);
        }
        if let Some(value) = self.enum_word(&folded, tail, want) {
            return value;
        }
        // The variable of a delegate.
        let delegate = folded.strip_prefix("__").and_then(|it| it.strip_suffix("__delegate"));
        if let Some(function) = delegate.and_then(|it| self.find_function(it)) {
            return Ok(self.function_value(function, &word.text));
        }
        if let Some(function) = self.find_function(&folded) {
            return self.called(function, CallKind::default(), word, tail);
        }
        self.unknown("variable", word, self.class)
    }

    /// A function that only the object around has, called without naming that: the size of `Outer` stands for that of
    /// the call then.
    fn outer_call(
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

    /// Words of the language.
    fn language_word(
        &mut self,
        folded: &str,
        word: &'a Word,
        tail: &mut Tail<'a>,
        want: Want<'_>,
    ) -> Option<Generated<TypedValue>> {
        let is_call = tail.is_call();
        let simple =
            |token, of| Ok(TypedValue::literal(vec![CodeItem::Token(token)], of, Literal::Other));
        Some(match folded {
            "vect" | "rot" | "rng" if is_call => {
                let (given, last) = tail.arguments()?;
                let value = self.vector(folded, given, (word.token, last));
                self.at = last + 1;
                value
            }
            "true" => simple(0x27, ValueType::Bool),
            "false" => simple(0x28, ValueType::Bool),
            "none" => simple(0x2a, ValueType::None),
            "self" => Ok(TypedValue::new(
                vec![CodeItem::Token(0x17)],
                ValueType::Object(Some(self.class)),
            )),
            "arraycount" if is_call => self.array_count(word, tail, want),
            "nameof" if is_call => {
                let (given, last) = tail.arguments()?;
                self.at = last + 1;
                match named(given) {
                    Some(name) => Ok(self.name_value(name)),
                    None => {
                        let message = "'nameof' takes the name of a variable or function";
                        self.fail(DiagnosticKind::Syntax, (word.token, last), message)
                    }
                }
            }
            "default" if tail.is_member() => {
                let member = tail.member()?;
                self.member_variable(self.class, member, 0x02)
            }
            "static" if tail.is_member() => {
                let member = tail.member()?;
                match self.find_function(&fold(&member.text)) {
                    Some(function) => self.called(function, CallKind::default(), member, tail),
                    None => self.unknown("function", member, self.class),
                }
            }
            "global" if tail.is_member() => {
                let member = tail.member()?;
                let kind = CallKind { is_global: true, ..CallKind::default() };
                match self.symbols.find_function(self.class, &fold(&member.text)) {
                    Some(function) => self.called(function, kind, member, tail),
                    None => self.unknown("function", member, self.class),
                }
            }
            "super" => self.super_call(word, tail),
            "class" if is_call => {
                let (given, last) = tail.arguments()?;
                self.at = word.token + 2;
                let [Some(value)] = given else {
                    let message = "'class' takes one value";
                    return Some(self.fail(DiagnosticKind::Type, (word.token, last), message));
                };
                let object = Word { text: "Object".to_owned(), token: word.token };
                let inner = self.expression(value, Want::NOTHING);
                self.at = last + 1;
                inner.and_then(|inner| self.class_cast(&object, &inner))
            }
            "int" | "float" | "byte" | "bool" | "string" | "name" | "vector" | "rotator"
                if is_call =>
            {
                self.explicit(folded, word, tail)
            }
            _ => return None,
        })
    }

    fn array_count(
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
    fn super_call(&mut self, word: &'a Word, tail: &mut Tail<'a>) -> Generated<TypedValue> {
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
    fn word_call(
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

    /// The value between the parentheses that follow.
    fn only_argument(
        &mut self,
        word: &Word,
        tail: &mut Tail<'a>,
    ) -> Generated<(&'a Expression, u32)> {
        match tail.arguments() {
            Some(([Some(argument)], last)) => {
                self.at = word.token + 2;
                Ok((argument, last))
            }
            _ => {
                let message = format!("the conversion '{}' takes one value", word.text);
                self.fail(DiagnosticKind::Type, (word.token, word.token), message)
            }
        }
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

    /// `int(x)` and the like.
    fn explicit(
        &mut self,
        folded: &str,
        word: &'a Word,
        tail: &mut Tail<'a>,
    ) -> Generated<TypedValue> {
        let of = match folded {
            "int" => ValueType::Int,
            "float" => ValueType::Float,
            "byte" => ValueType::Byte(None),
            "bool" => ValueType::Bool,
            "string" => ValueType::Text,
            "name" => ValueType::Name,
            _ => match self.symbols.find_struct(self.class, folded) {
                Some(id) => ValueType::Struct(id),
                None => return self.unknown("struct", word, self.class),
            },
        };
        let (argument, last) = self.only_argument(word, tail)?;
        let want = match self.dialect.literals_take_types && of.is_number() {
            true => Want::of(&of),
            false => Want::NOTHING,
        };
        let value = self.expression(argument, want)?;
        self.at = last + 1;
        let (from, to) = (self.sort(&value.of), self.sort(&of));
        if from == to {
            let (variable, depth) = (value.variable, value.depth);
            return Ok(TypedValue { variable, depth, ..TypedValue::new(value.code, of) });
        }
        match self.conversion(&from, &to) {
            Some(kind) => Ok(self.cast(&value, kind, of)),
            None => {
                let message = format!("cannot convert {} to {folded}", self.describe(&value));
                self.fail(DiagnosticKind::Type, (word.token, last), message)
            }
        }
    }

    fn class_cast(&mut self, class: &Word, value: &TypedValue) -> Generated<TypedValue> {
        let symbols = self.symbols;
        let Some(id) = symbols.find_class(&class.text).or_else(|| symbols.find_class("object"))
        else {
            return self.unknown_class(class);
        };
        let of = ValueType::Class(Some(id));
        if let ValueType::Class(Some(from)) = value.of
            && symbols.is_a(from, id)
        {
            return Ok(TypedValue { of, is_place: false, ..value.clone() });
        }
        let mut code = vec![CodeItem::Token(0x13), CodeItem::Object(CodeReference::Class(id))];
        code.extend(value.code.iter().cloned());
        Ok(value.recoded(code, of))
    }

    pub(super) fn unknown_class<T>(&mut self, class: &Word) -> Generated<T> {
        let names = self.symbols.class_names();
        let hint = crate::compile::diagnostic::nearest(&class.text, names);
        let hint = hint.map(|name| format!("did you mean '{name}'?"));
        let message = format!("no class '{}' is at hand", class.text);
        self.fail_with(DiagnosticKind::UnknownName, (class.token, class.token), message, hint)
    }

    fn object_cast(
        &mut self,
        class: ClassId,
        word: &'a Word,
        tail: &mut Tail<'a>,
    ) -> Generated<TypedValue> {
        let symbols = self.symbols;
        let (argument, last) = self.only_argument(word, tail)?;
        let value = self.expression(argument, Want::NOTHING)?;
        self.at = last + 1;
        let of = ValueType::Object(Some(class));
        let is_interface = symbols.class(class).is_interface;
        let is_from_interface = self.sort(&value.of) == Sort::Interface;
        if let ValueType::Object(Some(from)) = value.of
            && !is_interface
            && !is_from_interface
            && symbols.is_a(from, class)
        {
            let (variable, function) = (value.variable, value.function);
            let depth = value.depth;
            return Ok(TypedValue { variable, function, depth, ..TypedValue::new(value.code, of) });
        }
        if !matches!(value.of, ValueType::Object(_) | ValueType::None | ValueType::Class(_)) {
            let message = format!("cannot convert {} to {}", self.describe(&value), word.text);
            return self.fail(DiagnosticKind::Type, (word.token, last), message);
        }
        let is_between_interfaces = is_interface && self.dialect.is_ue3() && is_from_interface;
        let mut code = vec![
            CodeItem::Token(if is_between_interfaces { 0x52 } else { 0x2e }),
            CodeItem::Object(CodeReference::Class(class)),
        ];
        if is_from_interface && !is_interface {
            code.extend([CodeItem::Token(0x38), CodeItem::Byte(0x36)]);
        }
        code.extend(value.code.iter().cloned());
        Ok(value.recoded(code, of))
    }

    /// An enum's value, with the name of the enum before it or without.
    fn enum_word(
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

    /// A constant: its text is read anew where it is used.
    pub(super) fn constant(
        &mut self,
        constant: &'a WrittenValue,
        want: Want<'_>,
    ) -> Generated<TypedValue> {
        let tokens = (self.at.saturating_sub(1), self.at.saturating_sub(1));
        if self.depth >= DEEPEST {
            let message = "the value of this constant nests too deep: is it itself?";
            return self.fail(DiagnosticKind::Limit, tokens, message);
        }
        let (at, syntax) = (self.at, self.syntax);
        self.syntax = &constant.syntax;
        self.depth += 1;
        let value = self.first_operand(&constant.value, want);
        self.depth -= 1;
        self.syntax = syntax;
        self.at = at;
        value
    }

    /// The first operand of a constant's value: no more of it is read. What holds other values is refused, so that
    /// constants of constants take no longer than they are.
    fn first_operand(&mut self, value: &'a Expression, want: Want<'_>) -> Generated<TypedValue> {
        match &value.items[..] {
            [ExpressionItem::Operator(sign), ExpressionItem::Operand(operand), ..]
                if matches!(operand.base, OperandBase::Number)
                    && self.is_signed(*sign, operand.first) =>
            {
                let is_negative = self.syntax.text(*sign) == "-";
                self.number(operand.first, is_negative, want)
            }
            [ExpressionItem::Operand(operand), ..] if is_constant(operand) => {
                self.operand(operand, want)
            }
            _ => {
                let message = "the value of a constant is a literal or another constant";
                self.fail(DiagnosticKind::Syntax, (value.first, value.last), message)
            }
        }
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

pub(super) fn enum_value(id: SymbolId, value: u8) -> TypedValue {
    let code = vec![CodeItem::Token(0x24), CodeItem::Byte(value)];
    TypedValue::literal(code, ValueType::Byte(Some(id)), Literal::Int(value.into()))
}

fn unquoted(text: &str) -> &str {
    text.trim_matches('\'').trim()
}

/// The last name of a path that stands alone in parentheses.
fn named(given: &[Option<Expression>]) -> Option<&str> {
    let [Some(Expression { items, .. })] = given else { return None };
    let [ExpressionItem::Operand(Operand { base: OperandBase::Word(word), behind, .. })] =
        &items[..]
    else {
        return None;
    };
    match behind.last().map(|it| &it.kind) {
        None => Some(&word.text),
        Some(PostfixKind::Member(member)) => Some(&member.text),
        Some(_) => None,
    }
}

/// Whether an operand is a literal or a name alone.
fn is_constant(operand: &Operand) -> bool {
    let is_plain = |argument: &Option<Expression>| {
        let items = argument.as_ref().map_or(&[][..], |it| &it.items);
        let is_simple = |item: &ExpressionItem| match item {
            ExpressionItem::Operator(_) => true,
            ExpressionItem::Operand(inner) => {
                matches!(inner.base, OperandBase::Number | OperandBase::Word(_))
                    && inner.behind.is_empty()
            }
        };
        items.iter().all(is_simple)
    };
    match (&operand.base, &operand.behind[..]) {
        (OperandBase::Parentheses(_) | OperandBase::ClassCast(..) | OperandBase::New(..), _) => {
            false
        }
        (_, []) => true,
        (OperandBase::Word(word), [Postfix { kind: PostfixKind::Arguments(given), .. }]) => {
            let is_literal =
                ["vect", "rot", "rng", "arraycount", "nameof"].iter().any(|it| word.is(it));
            is_literal && given.iter().all(is_plain)
        }
        // The value of an enum by the name of the enum.
        (OperandBase::Word(_), [Postfix { kind: PostfixKind::Member(_), .. }]) => true,
        _ => false,
    }
}
