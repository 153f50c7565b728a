//! Whether code can run: how it is built, and what it calls functions with.

mod entry;
mod kind;
mod operators;
mod place;
mod reach;
mod signature;

use self::kind::{Kinds, ValueKind, kind_of_word};
use self::operators::operator;
use self::place::{is_bool_place, is_constant, is_nothing, is_place, is_statement};
use self::reach::Reach;
pub(super) use self::signature::Signature;
use super::call::arguments;
use super::expression::{conversion_between, conversion_of, reference};
use super::scripts::Scripts;
use crate::error::Result;
use crate::language::natives::CallForm;
use crate::object::script_object::ScriptObject;
use crate::primitive::{Name, PackageIndex};
use crate::script::check::{CodeOwner, statement_faults};
use crate::script::{CodeFault, ScriptExpression, ScriptItem, statements};
use crate::version::{EngineFacts, Game, UnrealVersions};

/// The flag of functions that are compiled code.
const NATIVE: u32 = 0x400;

/// The faults of an object's code; none where it has no code.
pub(super) fn faults(scripts: &Scripts, index: PackageIndex) -> Result<Vec<CodeFault>> {
    let Some(native) = scripts.native_of(index) else { return Ok(Vec::new()) };
    let items = native.code().map_or(&[][..], |code| &code.items);
    if items.is_empty() {
        return Ok(Vec::new());
    }
    let versions = scripts.package.versions();
    let none = |name: &Name| scripts.some_text(*name).is_none();
    let code = statements(items, &versions.of_bodies(), none)?;
    let mut faults = statement_faults(&code, versions, owner(scripts, index));
    let (kinds, class) = (Kinds::new(scripts), class_of(scripts, index));
    let reach = Reach::new(scripts, index, class);
    let mut check = Calls { scripts, kinds, reach, class, faults: Vec::new() };
    for statement in &code {
        check.statement(statement, index);
    }
    faults.append(&mut check.faults);
    faults.sort_by_key(|fault| fault.place);
    Ok(faults)
}

fn owner(scripts: &Scripts, index: PackageIndex) -> CodeOwner {
    match scripts.object(index) {
        Some(ScriptObject::Function(function)) if function.function_flags & NATIVE != 0 => {
            CodeOwner::NativeFunction
        }
        Some(ScriptObject::Function(_)) => CodeOwner::Function,
        Some(ScriptObject::State(_)) => CodeOwner::State,
        Some(_) => CodeOwner::Other,
        None if scripts.class_name(index).ends_with("Function") => CodeOwner::Function,
        None => CodeOwner::Other,
    }
}

/// The class or state that an object with code stands in.
fn class_of(scripts: &Scripts, index: PackageIndex) -> PackageIndex {
    let is_function =
        matches!(owner(scripts, index), CodeOwner::Function | CodeOwner::NativeFunction);
    if is_function { scripts.package.outer(index) } else { index }
}

/// Whether values follow that a function is called with.
fn is_call(whole: &ScriptExpression) -> bool {
    matches!(whole.name, "Native" | "ExtendedNative" | "CallMath" | "CallMulticastDelegate")
        || whole.name.ends_with("Function")
}

/// Looks at calls, assignments and references, from the outside inwards.
struct Calls<'a> {
    scripts: &'a Scripts,
    kinds: Kinds<'a>,
    reach: Reach<'a>,
    /// The class or state whose functions are called by their names.
    class: PackageIndex,
    faults: Vec<CodeFault>,
}

impl Calls<'_> {
    fn fault(&mut self, at: &ScriptExpression, reason: impl Into<String>) {
        self.faults.push(CodeFault::new(at.place, reason));
    }

    fn is_kismet(&self) -> bool {
        self.scripts.package.versions().has_kismet()
    }

    fn statement(&mut self, statement: &ScriptExpression, function: PackageIndex) {
        let parts: Vec<&ScriptExpression> = statement.expressions().collect();
        match (statement.name, &parts[..]) {
            (
                "Let"
                | "LetBool"
                | "LetObj"
                | "LetDelegate"
                | "LetMulticastDelegate"
                | "LetWeakObjPtr",
                [to, value, ..],
            ) => self.assignment(statement.name, to, value),
            ("Return", [value]) => self.result(value, function),
            ("JumpIfNot" | "Assert" | "PopExecutionFlowIfNot", [.., condition]) => {
                self.value(condition, &ValueKind::Bool, "the condition");
            }
            _ => {}
        }
        self.expression(statement, true);
    }

    fn assignment(&mut self, token: &str, to: &ScriptExpression, value: &ScriptExpression) {
        if !is_place(to) {
            self.fault(to, format!("{} is nothing that can be assigned to", to.name));
        } else if token == "LetBool" {
            self.value(to, &ValueKind::Bool, "what is assigned to");
            // The engine takes the bit of the bool from it.
            if !self.is_kismet() && !is_bool_place(to) {
                self.fault(to, "LetBool assigns to no BoolVariable");
            }
        }
        if is_nothing(value) {
            self.fault(value, format!("{} is no value that could be assigned", value.name));
        }
        if let Some(wanted) = self.kinds.of(to) {
            self.value(value, &wanted, "what is assigned");
        }
    }

    fn result(&mut self, value: &ScriptExpression, function: PackageIndex) {
        let Some(signature) = self.kinds.signature(function) else { return };
        let is_nothing = is_nothing(value) || value.name == "ReturnNothing";
        if !signature.returns && !is_nothing {
            let name = self.scripts.name(function);
            self.fault(value, format!("{} is returned, and {name} has no result", value.name));
        }
        if let Some(result) = signature.result {
            self.value(value, &result, "the result");
        }
    }

    /// A value that must be of a kind; one whose kind is not known is.
    fn value(&mut self, value: &ScriptExpression, wanted: &ValueKind, what: &str) {
        if let Some(kind) = self.kinds.of(value)
            && !wanted.takes(&kind, value, self.scripts)
        {
            self.fault(value, format!("{what} is {kind}, not {wanted}"));
        }
    }

    /// `is_own` where functions and variables are looked for in the code's own class.
    fn expression(&mut self, whole: &ScriptExpression, is_own: bool) {
        let mut open = vec![(whole, is_own)];
        while let Some((part, is_own)) = open.pop() {
            self.call(part, is_own);
            if let Some(reason) = self.reach.fault(part, is_own) {
                self.fault(part, reason);
            }
            self.operand(part);
            let is_context = part.name.contains("Context") && part.name != "StructMemberContext";
            let is_call = is_call(part);
            for (at, inner) in part.expressions().enumerate() {
                if is_statement(inner) {
                    self.fault(inner, format!("{} stands within {}", inner.name, part.name));
                }
                let is_reached = is_context && at > 0 && part.name != "InterfaceContext";
                if is_context
                    && at == 0
                    && !part.name.starts_with("Class")
                    && let Some(kind) = self.kinds.of(inner)
                    && !matches!(kind, ValueKind::Object | ValueKind::Interface)
                {
                    self.fault(inner, format!("a context is {kind}, not an object"));
                }
                // Whatever is called, its values are those of the caller.
                open.push((inner, is_call || is_own && !is_reached));
            }
        }
    }

    /// Checks the operand of tokens that take one.
    fn operand(&mut self, whole: &ScriptExpression) {
        let Some(inner) = whole.expressions().next() else { return };
        if whole.name == "BoolVariable" {
            return self.value(inner, &ValueKind::Bool, "a bool variable");
        }
        let Some(cast) = conversion_of(whole) else { return };
        // SWAT 4 makes names of strings by it.
        if cast == 0x5a && self.scripts.package.versions().game() == Game::Swat4 {
            return;
        }
        let types = conversion_between(cast, self.scripts.dialect);
        if let Some(wanted) = types.and_then(|(from, _)| kind_of_word(from)) {
            self.value(inner, &wanted, "what is converted");
        }
    }

    fn call(&mut self, whole: &ScriptExpression, is_own: bool) {
        let name = |item: &ScriptItem| match item {
            ScriptItem::Name(name) => Some(self.scripts.text(*name)),
            _ => None,
        };
        let called = || whole.items().find_map(name);
        let found = match whole.name {
            "FinalFunction" | "LocalFinalFunction" | "CallMath" => {
                let function = reference(whole).unwrap_or(PackageIndex::NULL);
                self.kinds.signature(function).map(|known| (self.scripts.name(function), known))
            }
            "VirtualFunction" | "LocalVirtualFunction" | "GlobalFunction" if is_own => {
                let Some(name) = called() else { return };
                self.kinds.method(self.class, &name).map(|known| (name, known))
            }
            "Native" | "ExtendedNative" => return self.native(whole),
            _ => None,
        };
        if let Some((name, signature)) = found {
            self.given(whole, &name, &signature);
        }
        if let Some(reason) = entry::fault(self.scripts, whole) {
            self.fault(whole, reason);
        }
    }

    fn native(&mut self, whole: &ScriptExpression) {
        let low = match (whole.name, whole.items().next()) {
            ("ExtendedNative", Some(ScriptItem::Byte(low))) => Some(*low),
            _ => None,
        };
        let number = self.scripts.native_number(whole.token, low);
        if let Some((name, signature)) = self.kinds.native(number) {
            return self.given(whole, &name, &signature);
        }
        let Some(call) = self.scripts.native(number) else { return };
        if let Some(signature) = operator(number, &call.name) {
            return self.given(whole, &call.name, signature);
        }
        let wanted = match call.form {
            CallForm::Operator(_) => 2,
            CallForm::Before | CallForm::Behind => 1,
            CallForm::Function => return,
        };
        let given = arguments(whole).count();
        if given != wanted {
            self.fault(whole, format!("{} takes {wanted}, not {given}", call.name));
        }
    }

    /// Checks that the arguments of a call fit its parameters.
    fn given(&mut self, whole: &ScriptExpression, name: &str, signature: &Signature) {
        let given: Vec<&ScriptExpression> = arguments(whole).collect();
        let parameters = &signature.parameters;
        if given.len() > parameters.len() {
            let (given, takes) = (given.len(), parameters.len());
            return self.fault(whole, format!("{name} takes {takes}, not {given}"));
        }
        for (at, parameter) in parameters.iter().enumerate() {
            let what = || format!("'{}' of {name}", parameter.name);
            match given.get(at) {
                Some(left_out) if matches!(left_out.name, "Nothing" | "EmptyParm") => {
                    if !parameter.is_optional {
                        self.fault(left_out, format!("{} is left out", what()));
                    }
                }
                Some(value) => {
                    if parameter.is_out && is_constant(value) {
                        let reason =
                            format!("{} is written to, which {} is not", what(), value.name);
                        self.fault(value, reason);
                    }
                    if let Some(kind) = &parameter.kind {
                        self.value(value, kind, &what());
                    }
                }
                None if parameter.is_optional => {}
                None => {
                    return self.fault(whole, format!("{} is missing", what()));
                }
            }
        }
    }
}
