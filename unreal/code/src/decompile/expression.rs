//! Expressions as text.

use std::fmt::Write as _;

use super::call::{is_call, is_end};
use super::scripts::Scripts;
use super::types::{NumberNames, Types};
use crate::language::dialect::Dialect;
use crate::language::natives::{CallForm, NativeCall};
use crate::primitive::{Name, PackageIndex};
use crate::script::{ScriptExpression, ScriptItem};
use crate::version::{Game, UnrealVersions};

/// Anything may stand here without parentheses.
pub(super) const ANY: u8 = u8::MAX;
/// Only what binds closest may.
pub(super) const CLOSEST: u8 = 0;
/// How close operators before and behind their operand bind, and negative numbers.
pub(super) const ONE_SIDED: u8 = 1;
/// How close `? :` binds: less than every operator.
const CONDITIONAL: u8 = 100;

/// The flag of parameters that calls may leave out.
const OPTIONAL: u64 = 0x10;

/// Writes the expressions of one function or state.
pub(super) struct Expressions<'a> {
    pub scripts: &'a Scripts,
    /// The function or state.
    pub code_of: PackageIndex,
    /// The class around it.
    pub class: PackageIndex,
    pub out: String,
}

/// The place where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct ExpressionSlot {
    /// Operators that bind less close stand in parentheses.
    pub limit: u8,
    /// The enum that a number is a value of.
    pub values: Option<NumberNames>,
    /// Whether whatever it is becomes a string there.
    pub is_coerced: bool,
    /// Whether whole numbers become floating point there.
    pub is_widened: bool,
}

impl ExpressionSlot {
    pub const fn within(limit: u8) -> Self {
        Self { limit, values: None, is_coerced: false, is_widened: true }
    }
}

impl<'a> Expressions<'a> {
    /// An expression where anything may stand.
    pub fn write(&mut self, whole: &ScriptExpression) {
        self.expression(whole, ExpressionSlot::within(ANY));
    }

    /// A value that is compared with or given to another expression.
    pub fn write_beside(&mut self, whole: &ScriptExpression, other: &ScriptExpression) {
        let values = self.types().values_of(other);
        self.expression(whole, ExpressionSlot { values, ..ExpressionSlot::within(ANY) });
    }

    /// A value that a property takes.
    pub fn write_for(&mut self, whole: &ScriptExpression, property: Option<PackageIndex>) {
        let values = property.and_then(|property| self.types().values_in(property));
        self.expression(whole, ExpressionSlot { values, ..ExpressionSlot::within(ANY) });
    }

    pub(super) fn types(&self) -> Types<'a> {
        Types { scripts: self.scripts, class: self.class }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Both sides of an assignment or of a comparison by a token of its own.
    fn pair(&mut self, whole: &ScriptExpression, sign: &str, slot: ExpressionSlot) {
        let sides: Vec<_> = whole.expressions().take(2).collect();
        let [left, right] = sides[..] else { return self.unknown(whole) };
        self.expression(left, slot);
        self.push(sign);
        let values = self.types().values_of(left);
        self.expression(right, ExpressionSlot { values, ..slot });
    }

    pub(super) fn expression(&mut self, whole: &ScriptExpression, slot: ExpressionSlot) {
        // Whoever asked for it refuses what is as long as this.
        if self.scripts.is_too_long(&self.out) {
            return;
        }
        let inner = || whole.expressions().next();
        match whole.name {
            "Let" | "LetBool" | "LetDelegate" => {
                self.pair(whole, " = ", ExpressionSlot::within(ANY))
            }
            "StructCmpEq" | "StructCmpNe" | "DelegateCompare" => {
                let differs = whole.name == "StructCmpNe" || matches!(whole.token, 0x3c | 0x3e);
                let sign = if differs { " != " } else { " == " };
                self.grouped(24, slot, |it| it.pair(whole, sign, ExpressionSlot::within(23)));
            }
            "Skip" | "BoolVariable" | "EatString" | "InterfaceContext" => match inner() {
                Some(inner) => self.expression(inner, slot),
                None => self.unknown(whole),
            },
            "Context" | "ClassContext" => self.member(whole, slot),
            "StructMember" => {
                if let Some(of) = whole.expressions().next_back() {
                    self.expression(of, ExpressionSlot::within(CLOSEST));
                    self.push(".");
                }
                self.object_name(whole);
            }
            "ArrayElement" | "DynArrayElement" => {
                let parts: Vec<_> = whole.expressions().collect();
                let [index, array] = parts[..] else { return self.unknown(whole) };
                self.expression(array, ExpressionSlot::within(CLOSEST));
                self.push("[");
                self.expression(index, ExpressionSlot::within(ANY));
                self.push("]");
            }
            "DefaultVariable" => {
                self.push("default.");
                self.object_name(whole);
            }
            "Conversion" => self.conversion(whole.token, whole, slot),
            "PrimitiveCast" => match whole.items().next() {
                Some(ScriptItem::Byte(cast)) => self.conversion(*cast, whole, slot),
                _ => self.unknown(whole),
            },
            // No object is none of every interface.
            "InterfaceCast" if inner().is_some_and(|inner| inner.name == "NoObject") => {
                self.push("none");
            }
            "DynamicCast" | "InterfaceCast" => self.cast(whole, "(", ")"),
            "MetaCast" => {
                self.push("class<");
                self.cast(whole, ">(", ")");
            }
            "Native" | "ExtendedNative" => self.native(whole, slot),
            "FinalFunction" => {
                let Some(index) = reference(whole) else { return self.unknown(whole) };
                let call = self.scripts.call(index);
                if call.form == CallForm::Function {
                    let from = self.owner_of_call(index, &call.name);
                    self.push(&from);
                }
                self.called(&call, Some(index), whole, slot);
            }
            "VirtualFunction" | "GlobalFunction" | "NamedFunction" | "DelegateFunction" => {
                let name = self.name_of(whole);
                let method = self.scripts.method(self.class, &name);
                if whole.name == "GlobalFunction" {
                    self.push("Global.");
                }
                self.called(
                    &NativeCall { name, form: CallForm::Function, values: None },
                    method,
                    whole,
                    slot,
                );
            }
            "DelegateProperty" | "InstanceDelegate" => {
                let name = self.name_of(whole);
                self.push(&name);
            }
            "New" => self.made(whole),
            "Conditional" => self.grouped(CONDITIONAL, slot, |it| it.conditional(whole)),
            name if name.starts_with("DynArray") => self.array_call(whole),
            "OptIfLocal" | "OptIfInstance" => self.asked(whole),
            name if name.ends_with("Variable") => self.object_name(whole),
            // SWAT 4's, around constructors.
            "Token" | "Construct" if whole.operands.len() == 1 => match inner() {
                Some(inner) => self.expression(inner, slot),
                None => self.unknown(whole),
            },
            _ => self.constant(whole, slot),
        }
    }

    /// Something in parentheses, if it binds less close than slot.
    pub(super) fn grouped(
        &mut self,
        binds: u8,
        slot: ExpressionSlot,
        write: impl FnOnce(&mut Self),
    ) {
        let is_grouped = binds > slot.limit;
        if is_grouped {
            self.push("(");
        }
        write(self);
        if is_grouped {
            self.push(")");
        }
    }

    /// A token that nothing is known of: what it takes is told all the same.
    pub(super) fn unknown(&mut self, whole: &ScriptExpression) {
        let _ = write!(self.out, "__token_{:02x}(", whole.token);
        for (at, part) in whole.expressions().enumerate() {
            if at > 0 {
                self.push(", ");
            }
            self.expression(part, ExpressionSlot::within(ANY));
        }
        self.push(")");
    }

    /// The name of what a token refers to.
    fn object_name(&mut self, whole: &ScriptExpression) {
        let Some(index) = reference(whole) else { return self.unknown(whole) };
        let name = self.scripts.name(index);
        self.push(written_name(&name));
    }

    fn name_of(&self, whole: &ScriptExpression) -> String {
        let name = whole.items().find_map(|item| match item {
            ScriptItem::Name(name) => Some(*name),
            _ => None,
        });
        self.scripts.text(name.unwrap_or_else(Name::default))
    }

    /// `object.member`, `class'C'.static.F()`, `class'C'.default.X`.
    fn member(&mut self, whole: &ScriptExpression, slot: ExpressionSlot) {
        let parts: Vec<_> = whole.expressions().collect();
        let [object, member] = parts[..] else { return self.unknown(whole) };
        if self.constructed(object, member) {
            return;
        }
        // A constant that the authors wrote behind an object whose class declares it: it has no say in the value.
        let is_number = matches!(member.name, "IntConstByte" | "IntZero" | "IntOne");
        if is_number || member.name.ends_with("Const") {
            return self.constant(member, slot);
        }
        if !self.is_implied(whole, object, member) {
            self.expression(object, ExpressionSlot::within(CLOSEST));
            self.push(".");
        }
        if whole.name == "ClassContext" && is_call(member) {
            self.push("static.");
        }
        // What is called belongs to the object: nothing of this class is meant.
        let of = self.types().class_of(object);
        let around = std::mem::replace(&mut self.class, of);
        self.expression(member, ExpressionSlot::within(CLOSEST));
        self.class = around;
    }

    /// Whether a function of the object around is called without saying so, as classes of UE3 that lie within others
    /// do: the compiler takes the size of `Outer` for that of what stands behind it then.
    fn is_implied(
        &self,
        whole: &ScriptExpression,
        object: &ScriptExpression,
        member: &ScriptExpression,
    ) -> bool {
        let is_outer = object.name == "InstanceVariable"
            && reference(object)
                .is_some_and(|it| self.scripts.name(it).eq_ignore_ascii_case("Outer"));
        let skip = whole.items().find_map(|item| match item {
            ScriptItem::Skip(skip) => Some(*skip),
            _ => None,
        });
        let is_short = skip == Some(object.end.saturating_sub(object.place))
            && skip != Some(member.end.saturating_sub(member.place));
        self.scripts.dialect.calls_outer() && is_outer && is_short && is_call(member)
    }

    fn cast(&mut self, whole: &ScriptExpression, open: &str, close: &str) {
        let Some(inner) = whole.expressions().next() else { return self.unknown(whole) };
        self.object_name(whole);
        self.push(open);
        self.expression(inner, ExpressionSlot::within(ANY));
        self.push(close);
    }

    /// A conversion between types, where it is not made without being written (spec: ue1-3/12 §12.8).
    fn conversion(&mut self, cast: u8, whole: &ScriptExpression, slot: ExpressionSlot) {
        let Some(inner) = whole.expressions().next() else { return self.unknown(whole) };
        let word = match cast {
            0x3a => "",
            0x3c | 0x3f if slot.is_widened => "",
            0x36 => "",
            0x46 if self.scripts.dialect.converts_interfaces() => "",
            0x5a if self.scripts.package.versions().game() == Game::Swat4 => "name",
            0x37 | 0x52..=0x5a if slot.is_coerced => "",
            _ => match conversion_between(cast, self.scripts.dialect) {
                Some((_, word)) => word,
                None => return self.unknown(whole),
            },
        };
        if word.is_empty() {
            return self.expression(inner, ExpressionSlot { is_coerced: false, ..slot });
        }
        self.push(word);
        self.push("(");
        self.expression(inner, ExpressionSlot::within(ANY));
        self.push(")");
    }

    fn conditional(&mut self, whole: &ScriptExpression) {
        let parts: Vec<_> = whole.expressions().collect();
        let [condition, one, other] = parts[..] else { return self.unknown(whole) };
        // What `?` stands behind is the last operand alone, where that is a truth.
        self.expression(condition, ExpressionSlot::within(ONE_SIDED));
        self.push(" ? ");
        self.expression(one, ExpressionSlot::within(CONDITIONAL - 1));
        self.push(" : ");
        self.expression(other, ExpressionSlot::within(CONDITIONAL - 1));
    }

    /// Whether a variable is set, as jumps of Mass Effect 3 ask for it: the byte says which is slot.
    fn asked(&mut self, whole: &ScriptExpression) {
        let is_wanted = !whole.items().any(|item| *item == ScriptItem::Byte(0));
        let is_bool = reference(whole).is_some_and(|index| {
            self.scripts.class_name(index).eq_ignore_ascii_case("BoolProperty")
        });
        if is_bool && !is_wanted {
            self.push("!");
        }
        self.object_name(whole);
        if !is_bool {
            self.push(if is_wanted { " != none" } else { " == none" });
        }
    }

    /// Writes the array of a loop: `array(item, index)`.
    pub fn write_elements(&mut self, whole: &ScriptExpression) {
        let parts: Vec<_> = whole.expressions().collect();
        let [array, given @ ..] = &parts[..] else { return self.unknown(whole) };
        self.expression(array, ExpressionSlot::within(CLOSEST));
        self.given(given, None);
    }

    /// Writes a call of a dynamic array's own operation.
    fn array_call(&mut self, whole: &ScriptExpression) {
        let parts: Vec<_> = whole.expressions().filter(|part| !is_end(part)).collect();
        let [array, given @ ..] = &parts[..] else { return self.unknown(whole) };
        self.expression(array, ExpressionSlot::within(CLOSEST));
        let name = match whole.name {
            "DynArrayLength" => return self.push(".Length"),
            "DynArrayFindStruct" => "Find",
            name => &name["DynArray".len()..],
        };
        let _ = write!(self.out, ".{name}");
        self.given(given, None);
    }
}

/// The name of a variable as it is written: the compiler keeps a delegate's function in one of its own.
pub(super) fn written_name(name: &str) -> &str {
    let delegate = name.strip_prefix("__").and_then(|name| name.strip_suffix("__Delegate"));
    delegate.unwrap_or(name)
}

/// The object that a token refers to first.
pub(super) fn reference(whole: &ScriptExpression) -> Option<PackageIndex> {
    whole.items().find_map(|item| match item {
        ScriptItem::Object(index) => Some(*index),
        _ => None,
    })
}

/// The conversion of an expression's type.
pub(super) fn conversion_of(whole: &ScriptExpression) -> Option<u8> {
    match (whole.name, whole.items().next()) {
        ("Conversion", _) => Some(whole.token),
        ("PrimitiveCast", Some(ScriptItem::Byte(cast))) => Some(*cast),
        _ => None,
    }
}

/// The types that a conversion is between, as the language calls them (spec: ue1-3/12 §12.8).
pub(super) fn conversion_between(
    cast: u8,
    dialect: Dialect,
) -> Option<(&'static str, &'static str)> {
    Some(match cast {
        0x36 => ("interface", "object"),
        0x37 => ("interface", "string"),
        0x38 => ("interface", "bool"),
        0x39 => ("rotator", "vector"),
        0x3a => ("byte", "int"),
        0x3b => ("byte", "bool"),
        0x3c => ("byte", "float"),
        0x3d => ("int", "byte"),
        0x3e => ("int", "bool"),
        0x3f => ("int", "float"),
        0x40 => ("bool", "byte"),
        0x41 => ("bool", "int"),
        0x42 => ("bool", "float"),
        0x43 => ("float", "byte"),
        0x44 => ("float", "int"),
        0x45 => ("float", "bool"),
        0x46 if dialect.converts_interfaces() => ("object", "interface"),
        0x46 => ("string", "name"),
        0x47 => ("object", "bool"),
        0x48 => ("name", "bool"),
        0x49 => ("string", "byte"),
        0x4a => ("string", "int"),
        0x4b => ("string", "bool"),
        0x4c => ("string", "float"),
        0x4d => ("string", "vector"),
        0x4e => ("string", "rotator"),
        0x4f => ("vector", "bool"),
        0x50 => ("vector", "rotator"),
        0x51 => ("rotator", "bool"),
        0x52 => ("byte", "string"),
        0x53 => ("int", "string"),
        0x54 => ("bool", "string"),
        0x55 => ("float", "string"),
        0x56 => ("object", "string"),
        0x57 => ("name", "string"),
        0x58 => ("vector", "string"),
        0x59 => ("rotator", "string"),
        0x5a => ("delegate", "string"),
        0x60 => ("string", "name"),
        _ => return None,
    })
}

/// Whether a call may leave a parameter out.
pub(super) fn is_optional(flags: u64) -> bool {
    flags & OPTIONAL != 0
}
