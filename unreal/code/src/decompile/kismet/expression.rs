//! Expressions of Kismet as pseudo-code.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::code::{object_of, property_name, variable_name};
use super::names::{short_name, shown_name};
use super::operators::{LibraryForm, library_form};
use crate::decompile::scripts::Scripts;
use crate::inspect::operand_text;
use crate::script::{ScriptExpression, ScriptItem};

/// Conversions that ask whether an object is there, of UE4 and UE5 (spec: ue4-5/13 §13.2).
const IS_OBJECT: [u8; 2] = [0x47, 0x01];
/// Conversions between float and double.
const WIDTHS: [u8; 2] = [4, 5];

/// Writes the expressions of one function.
pub(super) struct KismetExpressions<'a> {
    pub scripts: &'a Scripts,
    /// Expressions that stand for temporaries.
    pub folded: BTreeMap<String, (&'a ScriptExpression, usize)>,
    /// The parameters that variables of the event graph's frame are.
    pub renamed: BTreeMap<String, String>,
    /// The places that have labels.
    pub labels: BTreeSet<u32>,
    pub out: String,
}

impl KismetExpressions<'_> {
    pub fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// An expression where anything may stand.
    pub fn write(&mut self, whole: &ScriptExpression) {
        self.expression(whole, false);
    }

    fn list<'e>(&mut self, parts: impl Iterator<Item = &'e ScriptExpression>) {
        for (at, part) in parts.enumerate() {
            self.push(if at > 0 { ", " } else { "" });
            self.expression(part, false);
        }
    }

    /// Parts in braces.
    fn braced<'e>(&mut self, parts: impl Iterator<Item = &'e ScriptExpression>) {
        self.push("{");
        self.list(parts.filter(|part| !is_end(part)));
        self.push("}");
    }

    /// Something in parentheses, if it must be.
    fn grouped(&mut self, is_grouped: bool, write: impl FnOnce(&mut Self)) {
        self.push(if is_grouped { "(" } else { "" });
        write(self);
        self.push(if is_grouped { ")" } else { "" });
    }

    fn expression(&mut self, whole: &ScriptExpression, is_grouped: bool) {
        // Whoever asked for it refuses what is as long as this.
        if self.scripts.is_too_long(&self.out) {
            return;
        }
        let parts: Vec<&ScriptExpression> = whole.expressions().collect();
        match (whole.name, &parts[..]) {
            ("DefaultVariable", _) => {
                self.push("default.");
                self.property(whole);
            }
            (name, _) if name.ends_with("Variable") => self.variable(whole, is_grouped),
            ("PropertyConst", _) => self.property(whole),
            (name, [to, value]) if name.starts_with("Let") => self.pair(to, " = ", value, false),
            ("LetValueOnPersistentFrame", [value]) => {
                self.property(whole);
                self.push(" = ");
                self.expression(value, false);
            }
            ("SetArray" | "SetSet" | "SetMap", [to, values @ ..]) if !is_end(to) => {
                self.expression(to, false);
                self.push(" = ");
                self.braced(values.iter().copied());
            }
            ("ArrayConst" | "SetConst" | "MapConst" | "SetArray", values) => {
                self.operands(whole);
                self.braced(values.iter().copied());
            }
            ("StructConst", values) => {
                self.push("F");
                self.object(whole);
                self.braced(values.iter().copied());
            }
            ("StructMemberContext", [of]) => {
                self.expression(of, true);
                self.push(".");
                self.property(whole);
            }
            ("Context" | "ClassContext" | "ContextFailSilent", [object, member]) => {
                self.member(object, member, is_grouped);
            }
            ("InterfaceContext" | "Skip" | "SoftObjectConst" | "FieldPathConst", [of]) => {
                self.expression(of, is_grouped);
            }
            ("ArrayGetByRef", [array, index]) => {
                self.expression(array, true);
                self.push("[");
                self.expression(index, false);
                self.push("]");
            }
            (
                "DynamicCast" | "MetaCast" | "ObjToInterfaceCast" | "CrossInterfaceCast"
                | "InterfaceToObjCast",
                [of],
            ) => {
                self.push("Cast<");
                self.object(whole);
                self.push(">(");
                self.expression(of, false);
                self.push(")");
            }
            ("Cast", [of]) => self.conversion(whole, of, is_grouped),
            ("CallMulticastDelegate", [delegate, given @ ..]) => {
                self.expression(delegate, true);
                self.push(".Broadcast(");
                self.list(given.iter().copied().filter(|part| !is_end(part)));
                self.push(")");
            }
            ("AddMulticastDelegate", [to, value]) => self.pair(to, " += ", value, false),
            ("RemoveMulticastDelegate", [to, value]) => self.pair(to, " -= ", value, false),
            ("ClearMulticastDelegate", [of]) => {
                self.expression(of, true);
                self.push(".Clear()");
            }
            ("BindDelegate", [to, object]) => {
                self.expression(to, false);
                self.push(" = BindUFunction(");
                self.expression(object, false);
                self.push(", ");
                self.operands(whole);
                self.push(")");
            }
            ("InstanceDelegate", _) => {
                self.push("BindUFunction(this, ");
                self.operands(whole);
                self.push(")");
            }
            ("SwitchValue", [index, cases @ .., other]) => {
                self.push("Select(");
                self.expression(index, false);
                for case in cases.chunks(2) {
                    self.push(", ");
                    let [value, result] = case else { continue };
                    self.pair(value, ": ", result, false);
                }
                self.push(", default: ");
                self.expression(other, false);
                self.push(")");
            }
            (name, _) if is_call(name) => self.call(whole, is_grouped),
            ("Return", [value]) => {
                self.push("return");
                if value.name != "Nothing" {
                    self.push(" ");
                    self.expression(value, false);
                }
            }
            ("Assert", [value]) => {
                self.push("assert(");
                self.expression(value, false);
                self.push(")");
            }
            ("ComputedJump", [value]) => {
                self.push("goto *");
                self.expression(value, true);
            }
            ("SkipOffsetConst", _) => {
                let place = whole.jump().unwrap_or_default();
                match self.labels.contains(&place) {
                    true => self.push(&label(place)),
                    false => self.push("resume"),
                }
            }
            _ => self.constant(whole, &parts),
        }
    }

    fn constant(&mut self, whole: &ScriptExpression, parts: &[&ScriptExpression]) {
        let word = match whole.name {
            "Self" => "this",
            "True" => "true",
            "False" => "false",
            "NoObject" | "NoInterface" => "nullptr",
            "IntZero" => "0",
            "IntOne" => "1",
            "Nothing" | "EndFunctionParms" => "",
            "VectorConst" => "FVector",
            "Vector3fConst" => "FVector3f",
            "RotationConst" => "FRotator",
            "TransformConst" => "FTransform",
            "TextConst" => "FText",
            "ObjectConst" => return self.object(whole),
            "NameConst" => return self.operands(whole),
            name if name.ends_with("Const") || name == "IntConstByte" => {
                return self.operands(whole);
            }
            _ => {
                let _ = write!(self.out, "__token_{:02x}", whole.token);
                ""
            }
        };
        self.push(word);
        let is_group = whole.name.ends_with("Const") || word.is_empty();
        if !is_group || matches!(whole.name, "Nothing" | "EndFunctionParms") {
            return;
        }
        self.push("(");
        self.operands(whole);
        let has_both = whole.items().next().is_some() && !parts.is_empty();
        self.push(if has_both { ", " } else { "" });
        self.list(parts.iter().copied());
        self.push(")");
    }

    fn pair(&mut self, one: &ScriptExpression, sign: &str, two: &ScriptExpression, group: bool) {
        self.expression(one, group);
        self.push(sign);
        self.expression(two, group);
    }

    /// Writes a token's operands that are no expressions. Places and sizes are left out: they follow from the others.
    fn operands(&mut self, whole: &ScriptExpression) {
        let is_left_out = |item: &&ScriptItem| {
            matches!(item, ScriptItem::Skip(_) | ScriptItem::Label(_))
                || whole.name.ends_with("yConst") && matches!(item, ScriptItem::Int(_))
                || matches!(whole.name, "SetConst" | "MapConst")
                    && matches!(item, ScriptItem::Int(_))
        };
        for (at, item) in whole.items().filter(|item| !is_left_out(item)).enumerate() {
            self.push(if at > 0 { ", " } else { "" });
            let text = match item {
                ScriptItem::Real(value) => format!("{:?}", value.value()),
                ScriptItem::Object(index) => shown_name(&self.scripts.name(*index)),
                ScriptItem::Property(property) => match property.path.first() {
                    Some(name) => shown_name(&self.scripts.text(*name)),
                    None => shown_name(&self.scripts.name(property.owner)),
                },
                ScriptItem::Name(name) => {
                    format!("'{}'", self.scripts.text(*name).escape_debug())
                }
                item => operand_text(&self.scripts.package, item),
            };
            self.push(&text);
        }
    }

    fn property(&mut self, whole: &ScriptExpression) {
        let name = property_name(self.scripts, whole).unwrap_or_default();
        self.push(&shown_name(&name));
    }

    fn object(&mut self, whole: &ScriptExpression) {
        let name = object_of(whole).map(|index| self.scripts.name(index)).unwrap_or_default();
        self.push(&if name.is_empty() { "nullptr".to_owned() } else { shown_name(&name) });
    }

    /// A variable, or what stands for it.
    fn variable(&mut self, whole: &ScriptExpression, is_grouped: bool) {
        let Some(name) = variable_name(self.scripts, whole) else { return self.operands(whole) };
        if whole.name == "LocalVariable" {
            // It stands there once: what is written is taken out.
            if let Some((value, _)) = self.folded.remove(&name) {
                return self.expression(value, is_grouped);
            }
            if let Some(parameter) = self.renamed.get(&name) {
                let parameter = shown_name(parameter);
                return self.push(&parameter);
            }
        }
        self.push(&shown_name(&name));
    }

    /// Writes the member of an object: `object->member`, `Library::Function(…)`.
    fn member(&mut self, object: &ScriptExpression, member: &ScriptExpression, is_grouped: bool) {
        let named = object_of(object).filter(|_| object.name == "ObjectConst");
        let name = named.map(|index| self.scripts.name(index)).unwrap_or_default();
        match name.strip_prefix("Default__").filter(|_| is_call(member.name)) {
            Some(_) if self.operator(member, is_grouped) => {}
            Some(library) => {
                self.push(&shown_name(short_name(library)));
                self.push("::");
                self.plain_call(member);
            }
            None => {
                self.expression(object, true);
                self.push("->");
                match is_call(member.name) {
                    true => self.plain_call(member),
                    false => self.expression(member, true),
                }
            }
        }
    }

    fn function_name(&self, whole: &ScriptExpression) -> String {
        match object_of(whole) {
            Some(index) => self.scripts.name(index),
            None => {
                let name = whole.items().find_map(|item| match item {
                    ScriptItem::Name(name) => Some(self.scripts.text(*name)),
                    _ => None,
                });
                name.unwrap_or_default()
            }
        }
    }

    fn call(&mut self, whole: &ScriptExpression, is_grouped: bool) {
        if whole.name == "CallMath" {
            if self.operator(whole, is_grouped) {
                return;
            }
            if let Some(index) = object_of(whole) {
                let library = self.scripts.name(self.scripts.package.outer(index));
                self.push(&shown_name(&library));
                self.push("::");
            }
        }
        self.plain_call(whole);
    }

    fn plain_call(&mut self, whole: &ScriptExpression) {
        let name = self.function_name(whole);
        self.push(&shown_name(&name));
        self.push("(");
        self.list(whole.expressions().filter(|part| !is_end(part)));
        self.push(")");
    }

    /// A call of a library's function as an operator, if it is one.
    fn operator(&mut self, whole: &ScriptExpression, is_grouped: bool) -> bool {
        let Some(index) = object_of(whole) else { return false };
        let library = self.scripts.name(self.scripts.package.outer(index));
        if !library.starts_with("Kismet") {
            return false;
        }
        let given: Vec<_> = whole.expressions().filter(|part| !is_end(part)).collect();
        let Some(form) = library_form(&self.scripts.name(index), given.len()) else { return false };
        match (form, &given[..]) {
            (LibraryForm::Between(sign), [one, two]) => self.grouped(is_grouped, |it| {
                it.pair(one, &format!(" {sign} "), two, true);
            }),
            (LibraryForm::Denied(sign), [one, two]) => {
                self.push("!(");
                self.pair(one, &format!(" {sign} "), two, true);
                self.push(")");
            }
            (LibraryForm::Before(sign), [one]) => self.grouped(is_grouped, |it| {
                it.push(sign);
                it.expression(one, true);
            }),
            (LibraryForm::Choice, [one, two, condition]) => self.grouped(is_grouped, |it| {
                it.expression(condition, true);
                it.push(" ? ");
                it.pair(one, " : ", two, true);
            }),
            (LibraryForm::Element, [array, index, item]) => {
                self.expression(item, true);
                self.push(" = ");
                self.expression(array, true);
                self.push("[");
                self.expression(index, false);
                self.push("]");
            }
            (LibraryForm::Member(name), [array, rest @ ..]) => {
                self.expression(array, true);
                self.push(".");
                self.push(name);
                self.push("(");
                self.list(rest.iter().copied());
                self.push(")");
            }
            _ => return false,
        }
        true
    }

    fn conversion(&mut self, whole: &ScriptExpression, of: &ScriptExpression, is_grouped: bool) {
        match whole.items().next() {
            Some(ScriptItem::Byte(cast)) if IS_OBJECT.contains(cast) => self.push("IsValid("),
            Some(ScriptItem::Byte(cast)) if WIDTHS.contains(cast) => {
                return self.expression(of, is_grouped);
            }
            Some(ScriptItem::Byte(cast)) => {
                let _ = write!(self.out, "__cast_{cast:02x}(");
            }
            _ => self.push("__cast("),
        }
        self.expression(of, false);
        self.push(")");
    }
}

/// The label of a place.
pub(super) fn label(place: u32) -> String {
    format!("L{place:04x}")
}

fn is_call(name: &str) -> bool {
    name == "CallMath" || name.ends_with("Function")
}

fn is_end(part: &ScriptExpression) -> bool {
    part.name.starts_with("End") || part.name == "Tracepoint"
}
