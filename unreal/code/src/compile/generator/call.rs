//! Calls of functions and delegates (spec: ue1-3/15 §15.7).

use super::conversion::At;
use super::value::{TypedValue, Want};
use super::{CodeItem, CodeReference, Failed, Generated, Generator, MOST_ERRORS, MarkAt};
use crate::compile::declarations::{Owner, fold};
use crate::compile::diagnostic::{DiagnosticKind, nearest};
use crate::compile::symbols::{ClassId, SymbolId};
use crate::compile::syntax::{Expression, FunctionKind, PostfixKind, Word};
use crate::compile::types::ValueType;

use super::tail::Tail;

/// The facts that decide how a function is called.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct CallKind {
    /// This function, whichever overrides it.
    pub is_exact: bool,
    /// The function of the class, not that of a state.
    pub is_global: bool,
}

impl<'a> Generator<'a> {
    /// The function that a name means here: of the state, its states above, then of the class.
    pub(super) fn find_function(&self, folded: &str) -> Option<SymbolId> {
        let in_state =
            self.state_chain().into_iter().find_map(|state| self.state_function(state, folded));
        in_state.or_else(|| self.symbols.find_function(self.class, folded))
    }

    fn state_function(&self, state: SymbolId, folded: &str) -> Option<SymbolId> {
        let row = self.symbols.state(state)?.function(folded)?;
        Some(SymbolId { class: state.class, row })
    }

    /// The state that code is in, and those above it: the one that it extends, else that of its name in a class above.
    fn state_chain(&self) -> Vec<SymbolId> {
        let mut states: Vec<SymbolId> = Vec::new();
        let mut next = self.state;
        while let Some(state) = next.filter(|it| !states.contains(it) && states.len() < 64) {
            states.push(state);
            let Some(symbol) = self.symbols.state(state) else { break };
            let name = fold(symbol.base.as_ref().unwrap_or(&symbol.name));
            let own = usize::from(symbol.base.is_none());
            next = self.symbols.chain(state.class).skip(own).find_map(|class| {
                let row = self.symbols.class(class).state_named(&name)?;
                let id = SymbolId { class, row };
                (id != state).then_some(id)
            });
        }
        states
    }

    /// `Super.F`, `Super(C).F`.
    pub(super) fn super_function(&self, above: Option<&str>, folded: &str) -> Option<SymbolId> {
        let symbols = self.symbols;
        if let Some(above) = above {
            let class = symbols.find_class(above);
            let own = class.filter(|class| symbols.is_a(self.class, *class));
            if own.is_none() {
                let of_state = self.state_chain().into_iter().find_map(|state| {
                    let is = symbols.state(state)?.name.eq_ignore_ascii_case(above);
                    if is { self.state_function(state, folded) } else { None }
                });
                if of_state.is_some() {
                    return of_state;
                }
            }
            return symbols.find_function(class?, folded);
        }
        if self.state.is_some() {
            let mut states = self.state_chain().into_iter().skip(1);
            let of_state = states.find_map(|state| self.state_function(state, folded));
            // Then the class's own, which is above the state's.
            return of_state.or_else(|| symbols.find_function(self.class, folded));
        }
        let class = symbols.base(self.class).unwrap_or(self.class);
        symbols.find_function(class, folded)
    }

    /// Writes the start of a call.
    pub(super) fn call_head(
        &self,
        function: SymbolId,
        is_exact: bool,
        is_global: bool,
    ) -> Vec<CodeItem> {
        let Some(symbol) = self.symbols.function(function) else { return Vec::new() };
        let name = || CodeItem::Name(symbol.name.as_str().into());
        if is_global {
            let token = if self.dialect.is_ue3() { 0x37 } else { 0x38 };
            return vec![CodeItem::Token(token), name()];
        }
        if let Some(native) = symbol.native {
            let [high, low] = native.to_be_bytes();
            return match high {
                0 => vec![CodeItem::Token(low)],
                _ => vec![CodeItem::Token(0x60_u8.wrapping_add(high)), CodeItem::Byte(low)],
            };
        }
        let is_private = symbol.is_private && self.dialect.language.private_is_final();
        if is_exact || symbol.is_final || is_private {
            return vec![
                CodeItem::Token(0x1c),
                CodeItem::Object(CodeReference::Function(function)),
            ];
        }
        vec![CodeItem::Token(0x1b), name()]
    }

    /// A function by its name: called where parentheses follow, else as a value.
    pub(super) fn called(
        &mut self,
        function: SymbolId,
        kind: CallKind,
        word: &Word,
        tail: &mut Tail<'a>,
    ) -> Generated<TypedValue> {
        let Some((given, last)) = tail.arguments() else {
            self.at = word.token + 1;
            if self.dialect.is_ue1() {
                let message = format!("the function '{}' is called with parentheses", word.text);
                return self.fail(DiagnosticKind::Type, (word.token, word.token), message);
            }
            return Ok(self.function_value(function, &word.text));
        };
        self.at = word.token + 2;
        let tokens = (word.token, last);
        let (code, classes, depth) = self.arguments(function, given, last, tokens)?;
        let symbols = self.symbols;
        let Some(symbol) = symbols.function(function) else {
            return self.fail(DiagnosticKind::UnknownName, tokens, "this function is not at hand");
        };
        let mut result = symbols.result_of(function);
        // Functions like Spawn give an object of the class that they are given.
        if symbol.is_result_coerced
            && let Some(class) = classes
        {
            result = ValueType::Object(Some(class));
        }
        let is_delegate =
            symbol.kind == FunctionKind::Delegate && !kind.is_exact && !kind.is_global;
        let mut whole = match is_delegate {
            true => self.delegate_head(
                CodeItem::Object(CodeReference::DelegateProperty(function)),
                0,
                function,
            ),
            false => self.call_head(function, kind.is_exact, kind.is_global),
        };
        whole.extend(code);
        whole.push(CodeItem::Token(0x16));
        if symbol.is_latent && self.dialect.has_debug_marks {
            whole.extend(self.mark(0x31, MarkAt::Behind));
            whole.push(CodeItem::Token(0x0b));
            whole.extend(self.mark(0x21, MarkAt::Behind));
        } else {
            whole.extend(self.mark(0x40, MarkAt::Behind));
        }
        let value = TypedValue {
            function: Some(function),
            depth: depth + 1,
            ..TypedValue::new(whole, result)
        };
        self.bounded(value, tokens)
    }

    fn delegate_head(&self, property: CodeItem, local: u8, function: SymbolId) -> Vec<CodeItem> {
        let name = self.symbols.function(function).map_or("", |it| it.name.as_str());
        let name = CodeItem::Name(name.into());
        match self.dialect.is_ue3() {
            true => vec![CodeItem::Token(0x42), CodeItem::Byte(local), property, name],
            false => vec![CodeItem::Token(0x43), property, name],
        }
    }

    /// The call of a variable that holds a delegate.
    pub(super) fn delegate_call(
        &mut self,
        variable: SymbolId,
        is_local: bool,
        word: &Word,
        tail: &mut Tail<'a>,
    ) -> Generated<TypedValue> {
        let of = self.symbols.type_of(variable);
        let ValueType::Delegate(Some(function)) = of else {
            let message = format!("which function '{}' calls, its type does not say", word.text);
            return self.fail(DiagnosticKind::Type, (word.token, word.token), message);
        };
        let Some((given, last)) = tail.arguments() else {
            return self.fail(DiagnosticKind::Syntax, (word.token, word.token), "expected '('");
        };
        self.at = word.token + 2;
        let (code, _, depth) = self.arguments(function, given, last, (word.token, last))?;
        let property = CodeItem::Object(CodeReference::Variable(variable));
        let mut whole = self.delegate_head(property, u8::from(is_local), function);
        whole.extend(code);
        whole.push(CodeItem::Token(0x16));
        whole.extend(self.mark(0x40, MarkAt::Behind));
        let result = self.symbols.result_of(function);
        let value = TypedValue {
            function: Some(function),
            depth: depth + 1,
            ..TypedValue::new(whole, result)
        };
        self.bounded(value, (word.token, last))
    }

    /// A function as a value.
    pub(super) fn function_value(&self, function: SymbolId, written: &str) -> TypedValue {
        let of = ValueType::Delegate(Some(function));
        let Some(symbol) = self.symbols.function(function) else {
            return TypedValue::new(Vec::new(), of);
        };
        if symbol.kind == FunctionKind::Delegate {
            let property = CodeItem::Object(CodeReference::DelegateProperty(function));
            let value = TypedValue::new(vec![CodeItem::Token(0x01), property], of);
            let delegate = (!written.starts_with("__")).then_some(function);
            return TypedValue { is_place: true, delegate, ..value };
        }
        let name = CodeItem::Name(symbol.name.as_str().into());
        let code = match self.dialect.is_ue3() {
            false => vec![CodeItem::Token(0x44), name],
            true if self.dialect.names_properties() => {
                vec![CodeItem::Token(0x43), name, CodeItem::Object(CodeReference::Null)]
            }
            true => vec![CodeItem::Token(0x43), name],
        };
        TypedValue::new(code, of)
    }

    /// The code of arguments, the class that the first class among them is, and how deep they nest.
    fn arguments(
        &mut self,
        function: SymbolId,
        given: &'a [Option<Expression>],
        last: u32,
        tokens: (u32, u32),
    ) -> Generated<(Vec<CodeItem>, Option<ClassId>, u32)> {
        let symbols = self.symbols;
        let Some(symbol) = symbols.function(function) else {
            return Ok((Vec::new(), None, 0));
        };
        let (mut code, mut class, mut depth) = (Vec::new(), None, 0);
        let empty = CodeItem::Token(if self.dialect.is_ue3() { 0x4a } else { 0x0b });
        for (at, row) in symbol.parameters.iter().enumerate() {
            let parameter = SymbolId { class: function.class, row: *row };
            let Some(variable) = symbols.variable(parameter) else { continue };
            let of = symbols.type_of(parameter);
            let Some(Some(argument)) = given.get(at) else {
                if !variable.is_optional {
                    let message = format!("'{}' of '{}' is not given", variable.name, symbol.name);
                    let hint = self.signature(function);
                    return self.fail_with(DiagnosticKind::Type, tokens, message, Some(hint));
                }
                // Behind the last argument nothing is written; UE3 says of every parameter that it is left out.
                if at + 1 >= given.len() {
                    let rest = symbol.parameters.len() - at;
                    let rest = if self.dialect.is_ue3() { rest } else { 0 };
                    code.extend(std::iter::repeat_n(empty.clone(), rest));
                    break;
                }
                code.push(empty.clone());
                continue;
            };
            let value = self.expression(argument, Want::of(&of))?;
            let range = (argument.first, argument.last);
            let value = match variable.is_out {
                true => value.changed(),
                false => {
                    let place = if variable.is_coerce { At::Coerced } else { At::Place };
                    self.convert_at(value, &of, place, range)?
                }
            };
            if let (None, ValueType::Class(Some(it))) = (class, &value.of) {
                class = Some(*it);
            }
            depth = depth.max(value.depth);
            code.extend(value.code);
        }
        if given.iter().skip(symbol.parameters.len()).any(Option::is_some) {
            let count = symbol.parameters.len();
            let message = format!("'{}' takes {count} arguments, not {}", symbol.name, given.len());
            let hint = self.signature(function);
            return self.fail_with(DiagnosticKind::Type, tokens, message, Some(hint));
        }
        self.at = last + 1;
        Ok((code, class, depth))
    }

    /// A function with its parameters, for advice.
    fn signature(&self, function: SymbolId) -> String {
        let symbols = self.symbols;
        let Some(symbol) = symbols.function(function) else { return String::new() };
        let parameters: Vec<String> = symbol
            .parameters
            .iter()
            .filter_map(|row| {
                let id = SymbolId { class: function.class, row: *row };
                let variable = symbols.variable(id)?;
                let word = if variable.is_optional { "optional " } else { "" };
                Some(format!("{word}{} {}", symbols.type_of(id).describe(symbols), variable.name))
            })
            .collect();
        format!("it is declared as {}({})", symbol.name, parameters.join(", "))
    }

    /// Fails for a name that nothing has, with the nearest that something has.
    pub(super) fn unknown<T>(&mut self, what: &str, word: &Word, class: ClassId) -> Generated<T> {
        // The nearest name is looked for among many: not for errors that are not kept.
        if self.diagnostics.len() >= MOST_ERRORS {
            return Err(Failed);
        }
        let symbols = self.symbols;
        let names = symbols.chain(class).flat_map(|class| symbols.class(class).member_names());
        let locals = self.locals.values().filter_map(|id| symbols.variable(*id));
        let names = locals.map(|it| it.name.as_str()).chain(names);
        let hint = nearest(&word.text, names).map(|name| format!("did you mean '{name}'?"));
        let hint = hint.or_else(|| self.missing_base(class));
        let message = format!("no {what} '{}' in '{}'", word.text, symbols.class(class).name);
        self.fail_with(DiagnosticKind::UnknownName, (word.token, word.token), message, hint)
    }

    /// Which class above a class is not at hand, for advice.
    pub(super) fn missing_base(&self, class: ClassId) -> Option<String> {
        let symbols = self.symbols;
        let last = symbols.chain(class).last().filter(|_| !symbols.is_complete(class))?;
        let last = symbols.class(last);
        let base = last.base.as_deref().unwrap_or("Object");
        Some(format!("the class '{base}' above '{}' is not at hand", last.name))
    }

    /// The function of a class that a member names.
    pub(super) fn member_call(
        &mut self,
        class: ClassId,
        word: &Word,
        tail: &mut Tail<'a>,
    ) -> Generated<TypedValue> {
        match self.symbols.find_function(class, &fold(&word.text)) {
            Some(function) => self.called(function, CallKind::default(), word, tail),
            None => self.unknown("function", word, class),
        }
    }

    /// Whether a variable is a parameter that the caller gets a value by.
    pub(super) fn is_out_parameter(&self, variable: SymbolId) -> bool {
        let Some(symbol) = self.symbols.variable(variable) else { return false };
        symbol.is_out && matches!(symbol.owner, Owner::Function(_))
    }
}

impl<'a> Tail<'a> {
    /// The arguments that follow, taken, and the last token of them.
    pub(super) fn arguments(&mut self) -> Option<(&'a [Option<Expression>], u32)> {
        let postfix = self.peek()?;
        match &postfix.kind {
            PostfixKind::Arguments(given) => {
                self.next();
                Some((given, postfix.last))
            }
            _ => None,
        }
    }
}
