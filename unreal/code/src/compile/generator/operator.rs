//! Operators: which function they call, and how close they bind (spec: ue1-3/15 §15.5).

use super::conversion::At;
use super::value::{Literal, TypedValue, Want};
use super::{CodeItem, CodeReference, Generated, Generator, MarkAt};
use crate::compile::declarations::fold;
use crate::compile::diagnostic::DiagnosticKind;
use crate::compile::symbols::SymbolId;
use crate::compile::syntax::{Expression, ExpressionItem, FunctionKind, OperandBase};
use crate::compile::types::{Sort, ValueType};

/// Binds less close than any operator.
const LOOSEST: u32 = u32::MAX;

/// How far an expression is read.
struct OperatorChain<'a> {
    expression: &'a Expression,
    at: usize,
    is_choice_taken: bool,
}

impl<'a> OperatorChain<'a> {
    fn peek(&self) -> Option<&'a ExpressionItem> {
        self.expression.items.get(self.at)
    }

    fn tokens(&self) -> (u32, u32) {
        (self.expression.first, self.expression.last)
    }
}

impl<'a> Generator<'a> {
    pub(super) fn whole_chain(
        &mut self,
        expression: &'a Expression,
        want: Want<'_>,
    ) -> Generated<TypedValue> {
        let mut chain = OperatorChain { expression, at: 0, is_choice_taken: false };
        let value = self.chain(&mut chain, want, LOOSEST)?;
        match chain.peek() {
            Some(ExpressionItem::Operator(token)) => {
                let symbol = self.syntax.text(*token);
                let message =
                    format!("no operator '{symbol}' takes {} on its left", self.describe(&value));
                let is_word = symbol.starts_with(|it: char| it.is_ascii_alphabetic() || it == '_');
                let hint = is_word.then(|| "is there a ';' missing before it?".to_owned());
                let (kind, above) = self.why_no_operator();
                self.fail_with(kind, (*token, *token), message, hint.or(above))
            }
            Some(ExpressionItem::Operand(operand)) => {
                let tokens = (operand.first, operand.last);
                self.fail(DiagnosticKind::Syntax, tokens, "expected an operator before this value")
            }
            None if expression.choice.is_some() && !chain.is_choice_taken => {
                let message = "this engine has no '?' and ':'";
                self.fail(DiagnosticKind::Unsupported, chain.tokens(), message)
            }
            None => Ok(value),
        }
    }

    /// Operands and operators that bind closer than a limit.
    fn chain(
        &mut self,
        chain: &mut OperatorChain<'a>,
        want: Want<'_>,
        limit: u32,
    ) -> Generated<TypedValue> {
        let mut value = self.signed(chain, want)?;
        while let Some(ExpressionItem::Operator(token)) = chain.peek() {
            let symbol = fold(self.syntax.text(*token));
            let (behind, between) = self.operators(&symbol);
            if let Some(function) = self.best_for(&behind, &value) {
                chain.at += 1;
                self.at = token + 1;
                let tokens = (chain.expression.first, *token);
                value = self.operation(function, vec![value], tokens)?;
                continue;
            }
            if between.is_empty() {
                break;
            }
            let precedence = self.precedence(&between, &value);
            if precedence >= limit {
                break;
            }
            chain.at += 1;
            self.at = token + 1;
            let of = value.of.clone();
            let is_hint = self.dialect.is_ue3()
                && (matches!(of, ValueType::Byte(_) | ValueType::Int)
                    || self.sort(&of) == Sort::Interface)
                && !matches!(symbol.as_str(), "$" | "@" | "$=" | "@=");
            let hint = if is_hint { Want::operand(&of) } else { Want::NOTHING };
            let right = self.nested((*token, *token), |it| it.chain(chain, hint, precedence))?;
            value =
                self.binary(&symbol, &between, value, right, (chain.expression.first, *token))?;
            value = self.bounded(value, chain.tokens())?;
        }
        let is_end = chain.peek().is_none() && !chain.is_choice_taken;
        if let Some(choice) = chain.expression.choice.as_deref().filter(|_| is_end)
            && !self.dialect.is_ue1()
            && (limit == LOOSEST || value.of == ValueType::Bool)
        {
            chain.is_choice_taken = true;
            value = self.choice(value, choice, want, chain.tokens())?;
        }
        Ok(value)
    }

    /// Operators are declared above: where a class above is not at hand, that is why one is missing.
    fn why_no_operator(&self) -> (DiagnosticKind, Option<String>) {
        match self.missing_base(self.class) {
            Some(hint) => (DiagnosticKind::UnknownName, Some(hint)),
            None => (DiagnosticKind::Type, None),
        }
    }

    fn choice(
        &mut self,
        condition: TypedValue,
        (one, other): &'a (Expression, Expression),
        want: Want<'_>,
        tokens: (u32, u32),
    ) -> Generated<TypedValue> {
        let condition = self.convert(condition, &ValueType::Bool, tokens)?;
        let inner = match want.of {
            Some(of @ (ValueType::Byte(_) | ValueType::Int)) => Want::operand(of),
            _ => Want::NOTHING,
        };
        let one = self.expression(one, inner)?;
        let other = self.expression(other, inner)?;
        let mut code = vec![CodeItem::Token(if self.dialect.is_ue2() { 0x48 } else { 0x45 })];
        let modified = condition.modified.iter().map(|at| at + 1).collect();
        let depth = condition.depth.max(one.depth).max(other.depth) + 1;
        code.extend(condition.code);
        for branch in [&one, &other] {
            code.push(CodeItem::Skip(self.size_of(&branch.code)));
            code.extend(branch.code.iter().cloned());
        }
        let is_place = one.is_place && other.is_place;
        self.bounded(
            TypedValue { modified, depth, is_place, ..TypedValue::new(code, one.of) },
            tokens,
        )
    }

    /// The operators of a symbol in the class and those above it: behind an operand, and between two.
    fn operators(&self, symbol: &str) -> (Vec<SymbolId>, Vec<SymbolId>) {
        let (mut behind, mut between) = (Vec::new(), Vec::new());
        self.each_operator(symbol, |kind, id| match kind {
            FunctionKind::PostOperator => behind.push(id),
            FunctionKind::Operator => between.push(id),
            _ => {}
        });
        (behind, between)
    }

    fn each_operator(&self, symbol: &str, mut each: impl FnMut(FunctionKind, SymbolId)) {
        for class in self.symbols.chain(self.class) {
            for row in self.symbols.class(class).operators(symbol) {
                let id = SymbolId { class, row: *row };
                if let Some(function) = self.symbols.function(id) {
                    each(function.kind, id);
                }
            }
        }
    }

    fn parameter(&self, function: SymbolId, at: usize) -> Option<SymbolId> {
        let row = self.symbols.function(function)?.parameters.get(at)?;
        Some(SymbolId { class: function.class, row: *row })
    }

    fn cost_at(&self, function: SymbolId, at: usize, value: &TypedValue) -> Option<u32> {
        self.cost(value, self.parameter(function, at)?)
    }

    fn best_for(&self, functions: &[SymbolId], value: &TypedValue) -> Option<SymbolId> {
        let costs = functions.iter().filter_map(|id| Some((self.cost_at(*id, 0, value)?, *id)));
        // The first of those that cost the same counts.
        costs.reduce(|best, next| if next.0 < best.0 { next } else { best }).map(|(_, id)| id)
    }

    fn precedence(&self, functions: &[SymbolId], left: &TypedValue) -> u32 {
        let of = |id: SymbolId| self.symbols.function(id).map_or(0, |it| u32::from(it.precedence));
        let costs = functions.iter().filter_map(|id| Some((self.cost_at(*id, 0, left)?, of(*id))));
        costs.min().map_or_else(|| functions.first().map_or(0, |id| of(*id)), |(_, it)| it)
    }

    /// An operand with what stands before it.
    fn signed(&mut self, chain: &mut OperatorChain<'a>, want: Want<'_>) -> Generated<TypedValue> {
        let item = chain.peek();
        chain.at += 1;
        let token = match item {
            Some(ExpressionItem::Operand(operand)) => return self.operand(operand, want),
            Some(ExpressionItem::Operator(token)) => *token,
            None => {
                return self.fail(DiagnosticKind::Syntax, chain.tokens(), "a value is missing");
            }
        };
        let symbol = fold(self.syntax.text(token));
        if let Some(ExpressionItem::Operand(operand)) = chain.peek()
            && matches!(operand.base, OperandBase::Number)
            && matches!(symbol.as_str(), "-" | "+")
            && self.is_signed(token, operand.first)
        {
            chain.at += 1;
            return self.number(operand.first, symbol == "-", want);
        }
        self.at = token + 1;
        let value = self.nested((token, token), |it| it.signed(chain, Want::NOTHING))?;
        let mut before = Vec::new();
        self.each_operator(&symbol, |kind, id| {
            if kind == FunctionKind::PreOperator {
                before.push(id);
            }
        });
        match self.best_for(&before, &value) {
            Some(function) => self.operation(function, vec![value], (token, token)),
            None => {
                let message =
                    format!("no operator '{symbol}' stands before {}", self.describe(&value));
                let (kind, hint) = self.why_no_operator();
                self.fail_with(kind, (token, token), message, hint)
            }
        }
    }

    fn binary(
        &mut self,
        symbol: &str,
        functions: &[SymbolId],
        left: TypedValue,
        right: TypedValue,
        tokens: (u32, u32),
    ) -> Generated<TypedValue> {
        let mut best: Option<(u32, SymbolId)> = None;
        for id in functions {
            let costs = (self.cost_at(*id, 0, &left), self.cost_at(*id, 1, &right));
            if let (Some(one), Some(two)) = costs
                && best.is_none_or(|(least, _)| one + two < least)
            {
                best = Some((one + two, *id));
            }
        }
        let is_comparison = matches!(symbol, "==" | "!=");
        let is_delegate = matches!(left.of, ValueType::Delegate(_));
        if let Some((_, function)) = best.filter(|_| !(is_comparison && is_delegate)) {
            let right = match self.sort(&left.of) == Sort::Interface && right.of == ValueType::None
            {
                true => self.interface_cast(&right, &left.of),
                false => right,
            };
            return self.operation(function, vec![left, right], tokens);
        }
        if is_comparison && let Some(value) = self.comparison(symbol == "==", &left, &right) {
            return Ok(value);
        }
        if let Some((_, function)) = best {
            return self.operation(function, vec![left, right], tokens);
        }
        let (left, right) = (self.describe(&left), self.describe(&right));
        let message = format!("no operator '{symbol}' takes {left} and {right}");
        let (kind, hint) = self.why_no_operator();
        self.fail_with(kind, (tokens.1, tokens.1), message, hint)
    }

    /// Compiles comparisons without a function: those of structs and delegates.
    fn comparison(
        &self,
        is_equal: bool,
        left: &TypedValue,
        right: &TypedValue,
    ) -> Option<TypedValue> {
        let depth = left.depth.max(right.depth) + 1;
        let whole = |code| Some(TypedValue { depth, ..TypedValue::new(code, ValueType::Bool) });
        let unequal = u8::from(!is_equal);
        if let (ValueType::Struct(id), ValueType::Struct(_)) = (&left.of, &right.of) {
            let token = CodeItem::Token(0x32 + unequal);
            let mut code = vec![token, CodeItem::Object(CodeReference::Struct(*id))];
            code.extend(left.code.iter().chain(&right.code).cloned());
            return whole(code);
        }
        let is_delegate = |value: &TypedValue| matches!(value.of, ValueType::Delegate(_));
        if !is_delegate(left) && !is_delegate(right) {
            return None;
        }
        let names_function = self.dialect.is_ue3() && is_delegate(right) && !right.is_place;
        let mut code = vec![CodeItem::Token(0x3b + unequal + 2 * u8::from(names_function))];
        code.extend(left.code.iter().cloned());
        match right.code.get(1) {
            Some(name) if names_function => code.extend([CodeItem::Token(0x4b), name.clone()]),
            _ if self.dialect.is_ue3() && right.of == ValueType::None => {
                code.push(CodeItem::Token(0x3f))
            }
            _ => code.extend(right.code.iter().cloned()),
        }
        code.push(CodeItem::Token(0x16));
        whole(code)
    }

    /// The call of an operator's function.
    fn operation(
        &mut self,
        function: SymbolId,
        operands: Vec<TypedValue>,
        tokens: (u32, u32),
    ) -> Generated<TypedValue> {
        let symbols = self.symbols;
        let Some(symbol) = symbols.function(function) else {
            return self.fail(DiagnosticKind::UnknownName, tokens, "this operator has no function");
        };
        let mut code = self.call_head(function, true, false);
        let (mut modified, mut depth, mut has_skip) = (Vec::new(), 0, false);
        let is_pair = operands.len() == 2;
        for (at, operand) in operands.into_iter().enumerate() {
            let Some(parameter) = self.parameter(function, at) else { continue };
            let Some(variable) = symbols.variable(parameter) else { continue };
            let of = symbols.type_of(parameter);
            let mut operand = operand;
            if self.dialect.literals_take_types
                && is_pair
                && at == 1
                && let Some(Literal::Int(number)) = operand.literal
                && matches!(operand.of, ValueType::Int | ValueType::Byte(_))
                && matches!(of, ValueType::Float | ValueType::Int)
            {
                operand = self.int(number, Want::of(&of));
            }
            let place = if variable.is_coerce { At::Coerced } else { At::Operand };
            let place = if place == At::Place { At::Operand } else { place };
            let given = if variable.is_out { operand.changed() } else { operand };
            let before: Vec<usize> = given.modified.clone();
            let length = given.code.len();
            let value = self.convert_at(given, &of, place, tokens)?;
            if variable.is_skip {
                has_skip = true;
                let size = self.size_of(&value.code).saturating_add(1);
                code.extend([CodeItem::Token(0x18), CodeItem::Skip(size)]);
            }
            // Conversions stand before the value.
            let shift = code.len() + value.code.len().saturating_sub(length);
            modified.extend(before.iter().map(|it| it + shift));
            depth = depth.max(value.depth);
            code.extend(value.code);
        }
        code.push(CodeItem::Token(0x16));
        if !has_skip {
            let is_behind = symbol.kind == FunctionKind::PostOperator;
            code.extend(self.mark(0x41, if is_behind { MarkAt::Behind } else { MarkAt::Next }));
        }
        let result = symbols.result_of(function);
        let value =
            TypedValue { function: Some(function), modified, ..TypedValue::new(code, result) };
        self.bounded(TypedValue { depth: depth + 1, ..value }, tokens)
    }
}
