//! Calls and operators as text.

use std::fmt::Write as _;

use super::expression::{
    ANY, CLOSEST, ExpressionSlot, Expressions, ONE_SIDED, conversion_of, reference,
};
use super::scripts::Scripts;
use super::types::NumberNames;
use crate::language::natives::{CallForm, NativeCall};
use crate::object::script_object::ScriptObject;
use crate::primitive::PackageIndex;
use crate::script::{ScriptExpression, ScriptItem};

/// The flag of parameters that take what is not a string as one.
const COERCED: u64 = 0x800;

impl Expressions<'_> {
    pub(super) fn native(&mut self, whole: &ScriptExpression, slot: ExpressionSlot) {
        let low = match (whole.name, whole.items().next()) {
            ("ExtendedNative", Some(ScriptItem::Byte(low))) => Some(*low),
            _ => None,
        };
        let number = self.scripts.native_number(whole.token, low);
        match self.scripts.native(number).cloned() {
            Some(call) => self.called(&call, None, whole, slot),
            None => {
                let _ = write!(self.out, "__native({number}");
                for argument in arguments(whole) {
                    self.push(", ");
                    self.expression(argument, ExpressionSlot::within(ANY));
                }
                self.push(")");
            }
        }
    }

    /// The class that a final function is called on: it may be one that another overrides.
    pub(super) fn owner_of_call(&self, function: PackageIndex, name: &str) -> String {
        let scripts = self.scripts;
        let owner = scripts.package.outer(function);
        let state = scripts.package.outer(self.code_of);
        let around = [self.code_of, state];
        if self.class.is_null() || around.contains(&owner) {
            return String::new();
        }
        let state = around.into_iter().find(|index| {
            scripts.object(*index).is_some_and(|object| matches!(object, ScriptObject::State(_)))
        });
        let in_state = state.filter(|state| scripts.child(*state, name).is_some());
        let nearest = in_state.or_else(|| {
            scripts.package.ancestors(self.class).find(|class| {
                scripts.child(*class, name).is_some_and(|child| scripts.function(child).is_some())
            })
        });
        match nearest {
            // Nobody here overrides it.
            None => String::new(),
            Some(nearest) if nearest == owner => String::new(),
            Some(nearest) => {
                let above = scripts
                    .package
                    .ancestors(nearest)
                    .skip(1)
                    .chain((Some(nearest) == in_state).then_some(self.class));
                let next = above.into_iter().find(|class| scripts.child(*class, name).is_some());
                match next {
                    Some(next) if next != owner => format!("Super({}).", scripts.name(owner)),
                    _ => "Super.".to_owned(),
                }
            }
        }
    }

    /// A call, or an operator between what it is called with.
    pub(super) fn called(
        &mut self,
        call: &NativeCall,
        function: Option<PackageIndex>,
        whole: &ScriptExpression,
        slot: ExpressionSlot,
    ) {
        let given: Vec<&ScriptExpression> = arguments(whole).collect();
        let is_word = call.name.starts_with(|c: char| c.is_ascii_alphabetic());
        match (call.form, &given[..]) {
            (CallForm::Operator(binds), [left, right]) => self.grouped(binds, slot, |it| {
                it.operator(&call.name, binds, left, right);
            }),
            (CallForm::Before, [operand]) => self.grouped(ONE_SIDED, slot, |it| {
                it.push(&call.name);
                if is_word {
                    it.push(" ");
                }
                // A sign right before a number would be part of it.
                let is_number = matches!(operand.name, "IntConst" | "FloatConst" | "IntConstByte");
                match is_number && matches!(call.name.as_str(), "-" | "+") {
                    true => {
                        it.push("(");
                        it.expression(operand, ExpressionSlot::within(ANY));
                        it.push(")");
                    }
                    false => it.expression(operand, ExpressionSlot::within(CLOSEST)),
                }
            }),
            (CallForm::Behind, [operand]) => self.grouped(ONE_SIDED, slot, |it| {
                it.expression(operand, ExpressionSlot::within(CLOSEST));
                if is_word {
                    it.push(" ");
                }
                it.push(&call.name);
            }),
            _ => {
                self.push(&call.name);
                self.given_to(&given, function, call.values);
            }
        }
    }

    fn operator(
        &mut self,
        symbol: &str,
        binds: u8,
        left: &ScriptExpression,
        right: &ScriptExpression,
    ) {
        let is_widening = |side: &ScriptExpression| conversion_of(side) == Some(0x3f);
        let is_widened = !(is_widening(left) && is_widening(right));
        let is_coerced = matches!(symbol, "$" | "@" | "$=" | "@=");
        let values = self.types().values_of(left).or_else(|| self.types().values_of(right));
        let side = ExpressionSlot { limit: binds, values, is_coerced, is_widened };
        self.expression(left, side);
        let _ = write!(self.out, " {symbol} ");
        self.expression(right, ExpressionSlot { limit: binds.saturating_sub(1), ..side });
    }

    /// Writes the arguments of a call, in parentheses.
    pub(super) fn given(&mut self, given: &[&ScriptExpression], function: Option<PackageIndex>) {
        self.given_to(given, function, None);
    }

    /// The same; one parameter may be known to take values of an enum.
    fn given_to(
        &mut self,
        given: &[&ScriptExpression],
        function: Option<PackageIndex>,
        values: Option<(usize, &'static str)>,
    ) {
        let parameters = function.map(|function| self.scripts.parameters(function));
        let left_out =
            |argument: &&ScriptExpression| matches!(argument.name, "Nothing" | "EmptyParm");
        let count =
            given.iter().rposition(|argument| !left_out(argument)).map_or(0, |last| last + 1);
        self.push("(");
        for (at, argument) in given[..count].iter().enumerate() {
            if at > 0 {
                self.push(if left_out(argument) { "," } else { ", " });
            }
            let parameter = parameters.as_ref().and_then(|all| all.get(at));
            let slot = match parameter {
                Some((index, property)) => ExpressionSlot {
                    values: self.types().values_in(*index),
                    is_coerced: property.property_flags & COERCED != 0,
                    ..ExpressionSlot::within(ANY)
                },
                None => {
                    let known = values.filter(|(place, _)| *place == at);
                    let values = known.and_then(|(_, name)| self.scripts.engine_enum_named(name));
                    let values = values.map(NumberNames::Engine);
                    ExpressionSlot { values, ..ExpressionSlot::within(ANY) }
                }
            };
            self.expression(argument, slot);
        }
        self.push(")");
    }
}

pub(super) fn is_end(part: &ScriptExpression) -> bool {
    matches!(part.name, "EndFunctionParms" | "DebugInfo" | "EndParmValue")
}

/// The arguments of a call.
pub(super) fn arguments(whole: &ScriptExpression) -> impl Iterator<Item = &ScriptExpression> {
    whole.expressions().filter(|part| !is_end(part))
}

pub(super) fn is_call(whole: &ScriptExpression) -> bool {
    matches!(
        whole.name,
        "Native" | "ExtendedNative" | "FinalFunction" | "VirtualFunction" | "NamedFunction"
    )
}

/// The name of the function that a call calls, where it says it.
pub(super) fn called_name(scripts: &Scripts, whole: &ScriptExpression) -> Option<String> {
    match whole.name {
        "Native" | "ExtendedNative" => {
            let low = match (whole.name, whole.items().next()) {
                ("ExtendedNative", Some(ScriptItem::Byte(low))) => Some(*low),
                _ => None,
            };
            let call = scripts.native(scripts.native_number(whole.token, low))?;
            Some(call.name.clone())
        }
        "FinalFunction" => Some(scripts.name(reference(whole)?)),
        "VirtualFunction" | "GlobalFunction" => whole.items().find_map(|item| match item {
            ScriptItem::Name(name) => Some(scripts.text(*name)),
            _ => None,
        }),
        _ => None,
    }
}
