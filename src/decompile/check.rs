//! Whether code can run: how it is built, and what it calls functions with.

mod kind;
mod signature;

use self::kind::{Kinds, ValueKind};
pub(super) use self::signature::Signature;
use super::call::arguments;
use super::expression::reference;
use super::natives::CallForm;
use super::scripts::Scripts;
use crate::error::Result;
use crate::object::script_object::ScriptObject;
use crate::primitive::{Name, PackageIndex};
use crate::script::check::{CodeOwner, statement_faults};
use crate::script::{CodeFault, ScriptExpression, ScriptItem, statements};

/// The flag of functions that are compiled code.
const NATIVE: u32 = 0x400;

/// What is wrong with the code of an object; nothing where it has none.
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
    let kinds = Kinds::new(scripts);
    let mut check = Calls { scripts, kinds, class: class_of(scripts, index), faults: Vec::new() };
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

/// Looks at calls and assignments, from the outside inwards.
struct Calls<'a> {
    scripts: &'a Scripts,
    kinds: Kinds<'a>,
    /// The class or state whose functions are called by their names.
    class: PackageIndex,
    faults: Vec<CodeFault>,
}

impl Calls<'_> {
    fn statement(&mut self, statement: &ScriptExpression, function: PackageIndex) {
        let parts: Vec<&ScriptExpression> = statement.expressions().collect();
        match (statement.name, &parts[..]) {
            ("Let" | "LetBool" | "LetObj" | "LetDelegate", [to, value, ..]) => {
                if !is_place(to) {
                    let reason = format!("{} is nothing that can be assigned to", to.name);
                    self.faults.push(CodeFault::new(to.place, reason));
                }
                if let Some(wanted) = self.kinds.of(to) {
                    self.value(value, &wanted, "what is assigned");
                }
            }
            ("Return", [value]) => {
                if let Some(result) = self.kinds.signature(function).and_then(|it| it.result) {
                    self.value(value, &result, "the result");
                }
            }
            ("JumpIfNot" | "Assert" | "PopExecutionFlowIfNot", [.., condition]) => {
                self.value(condition, &ValueKind::Bool, "the condition");
            }
            _ => {}
        }
        self.expression(statement, true);
    }

    /// A value that must be of a kind; one whose kind is not known is.
    fn value(&mut self, value: &ScriptExpression, wanted: &ValueKind, what: &str) {
        if let Some(kind) = self.kinds.of(value)
            && !wanted.takes(&kind, value, self.scripts)
        {
            let reason = format!("{what} is {kind}, not {wanted}");
            self.faults.push(CodeFault::new(value.place, reason));
        }
    }

    /// `is_own` where functions are looked for in the code's own class.
    fn expression(&mut self, whole: &ScriptExpression, is_own: bool) {
        let mut open = vec![(whole, is_own)];
        while let Some((part, is_own)) = open.pop() {
            self.call(part, is_own);
            let is_context = part.name.contains("Context") && part.name != "StructMemberContext";
            for (at, inner) in part.expressions().enumerate() {
                let is_reached = is_context && at > 0 && part.name != "InterfaceContext";
                if is_context
                    && at == 0
                    && !part.name.starts_with("Class")
                    && let Some(kind) = self.kinds.of(inner)
                    && !matches!(kind, ValueKind::Object | ValueKind::Interface)
                {
                    let reason = format!("a context is {kind}, not an object");
                    self.faults.push(CodeFault::new(inner.place, reason));
                }
                open.push((inner, is_own && !is_reached));
            }
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
        let wanted = match call.form {
            CallForm::Operator(_) => 2,
            CallForm::Before | CallForm::Behind => 1,
            CallForm::Function => return,
        };
        let given = arguments(whole).count();
        if given != wanted {
            let reason = format!("{} takes {wanted}, not {given}", call.name);
            self.faults.push(CodeFault::new(whole.place, reason));
        }
    }

    /// What a function is called with is what it takes.
    fn given(&mut self, whole: &ScriptExpression, name: &str, signature: &Signature) {
        let given: Vec<&ScriptExpression> = arguments(whole).collect();
        let parameters = &signature.parameters;
        if given.len() > parameters.len() {
            let (given, takes) = (given.len(), parameters.len());
            let reason = format!("{name} takes {takes}, not {given}");
            return self.faults.push(CodeFault::new(whole.place, reason));
        }
        for (at, parameter) in parameters.iter().enumerate() {
            let what = || format!("'{}' of {name}", parameter.name);
            match given.get(at) {
                Some(left_out) if matches!(left_out.name, "Nothing" | "EmptyParm") => {
                    if !parameter.is_optional {
                        let reason = format!("{} is left out", what());
                        self.faults.push(CodeFault::new(left_out.place, reason));
                    }
                }
                Some(value) => {
                    if let Some(kind) = &parameter.kind {
                        self.value(value, kind, &what());
                    }
                }
                None if parameter.is_optional => {}
                None => {
                    let reason = format!("{} is missing", what());
                    return self.faults.push(CodeFault::new(whole.place, reason));
                }
            }
        }
    }
}

/// Whether something can be assigned to.
fn is_place(whole: &ScriptExpression) -> bool {
    let is_value = whole.name.ends_with("Const")
        || matches!(
            whole.name,
            "IntZero" | "IntOne" | "IntConstByte" | "True" | "False" | "NoObject"
        );
    !is_value
}
