//! Functions as text.

use std::fmt::Write as _;

use super::code::{Code, INDENT};
use super::declaration::{DeclarationTexts, grouped};
use super::expression::{Expressions, is_optional};
use super::scripts::{PARAMETER, Scripts};
use crate::error::Result;
use crate::language::keywords;
use crate::language::natives::CallForm;
use crate::object::script_object::{Function, ScriptObject};
use crate::primitive::PackageIndex;

/// Flags of functions (spec: ue1-3/12 §12.5).
const HAS_BODY: u32 = 0x2;
const NET: u32 = 0x40;
const NATIVE: u32 = 0x400;
const EVENT: u32 = 0x800;
const OPERATOR: u32 = 0x1000;
const PRIVATE: u32 = 0x4_0000;
const DELEGATE: u32 = 0x10_0000;

/// The class that a function or state stands in.
pub(super) fn class_around(scripts: &Scripts, index: PackageIndex) -> PackageIndex {
    let mut around = scripts.package.outer(index);
    for _ in 0..4 {
        if scripts.class(around).is_some() {
            return around;
        }
        around = scripts.package.outer(around);
    }
    PackageIndex::NULL
}

/// A function without its body, and its code.
fn declared(scripts: &Scripts, index: PackageIndex, function: &Function) -> Result<(String, Code)> {
    let parameters = scripts.parameters(index);
    let optional = parameters.iter().filter(|(_, it)| is_optional(it.property_flags)).count();
    let code = Code::of(scripts, index, optional)?;
    let mut body = expressions(scripts, index);
    let declarations = DeclarationTexts { scripts };
    let mut out = head(scripts, index, function);
    out.push('(');
    let mut defaults = code.defaults.iter();
    for (at, (parameter, property)) in parameters.iter().enumerate() {
        if at > 0 {
            out.push_str(", ");
        }
        out.push_str(&declarations.parameter(*parameter, property));
        scripts.check(&out)?;
        if is_optional(property.property_flags)
            && let Some(Some(value)) = defaults.next()
        {
            body.write_for(value, Some(*parameter));
            let _ = write!(out, " = {}", std::mem::take(&mut body.out));
        }
    }
    out.push(')');
    if function.function_flags & 0x8000 != 0 {
        out.push_str(" const");
    }
    Ok((out, code))
}

fn expressions(scripts: &Scripts, index: PackageIndex) -> Expressions<'_> {
    let class = class_around(scripts, index);
    Expressions { scripts, code_of: index, class, out: String::new() }
}

/// A function without its body.
pub(super) fn signature(scripts: &Scripts, index: PackageIndex) -> Result<String> {
    match scripts.function(index) {
        Some(function) => declared(scripts, index, function).map(|(text, _)| text),
        None => Ok(String::new()),
    }
}

/// A function with its body.
pub(super) fn text(scripts: &Scripts, index: PackageIndex, depth: usize) -> Result<String> {
    let Some(function) = scripts.function(index) else { return Ok(String::new()) };
    let (declaration, code) = declared(scripts, index, function)?;
    let mut body = expressions(scripts, index);
    let declarations = DeclarationTexts { scripts };
    let mut out = INDENT.repeat(depth);
    out.push_str(&declaration);
    if function.function_flags & HAS_BODY == 0 || function.function_flags & NATIVE != 0 {
        out.push_str(";\n");
        return Ok(out);
    }
    let _ = write!(out, "\n{0}{{\n", INDENT.repeat(depth));
    let fields = scripts.children(index).iter().copied();
    let locals = fields.filter(|field| {
        scripts.property(*field).is_some_and(|it| it.property_flags & PARAMETER == 0)
    });
    let mut length = 0;
    let local = |field| {
        let (of, name) = declarations.local(field);
        length += of.len() + name.len();
        scripts.check_length(length).map(|()| (of, name))
    };
    let locals = locals.map(local).collect::<Result<Vec<_>>>()?;
    for line in grouped("local", &locals) {
        let _ = writeln!(out, "{}{line}", INDENT.repeat(depth + 1));
    }
    if !locals.is_empty() && !code.statements.is_empty() {
        out.push('\n');
    }
    scripts.check(&out)?;
    code.write(&mut body, depth + 1);
    scripts.check(&body.out)?;
    out.push_str(&body.out);
    let _ = writeln!(out, "{}}}", INDENT.repeat(depth));
    Ok(out)
}

/// The words before the parameters.
fn head(scripts: &Scripts, index: PackageIndex, function: &Function) -> String {
    let flags = function.function_flags;
    let dialect = scripts.dialect;
    let mut out = String::new();
    if flags & PRIVATE != 0 {
        out.push_str("private ");
    }
    if dialect.replicates_in_functions() && flags & NET != 0 {
        out.push_str(if flags & 0x80 != 0 { "reliable " } else { "unreliable " });
    }
    for keyword in keywords::of(keywords::FUNCTION, dialect) {
        let is_final = keyword.word == "final";
        let is_implied = is_final && flags & PRIVATE != 0 && dialect.private_is_final();
        if u64::from(flags) & keyword.flag == 0 || is_implied {
            continue;
        }
        out.push_str(keyword.word);
        if keyword.flag == u64::from(NATIVE) && function.native != 0 {
            let _ = write!(out, "({})", function.native);
        }
        out.push(' ');
    }
    if flags & 0x200 != 0 {
        out.push_str("exec ");
    }
    let call = scripts.call(index);
    // Of several functions of one name each has an object of its own.
    if flags & OPERATOR == 0 && !call.name.eq_ignore_ascii_case(&scripts.name(index)) {
        out.push_str("overloaded ");
    }
    match call.form {
        CallForm::Operator(binds) => {
            let _ = write!(out, "operator({binds}) ");
        }
        CallForm::Before => out.push_str("preoperator "),
        CallForm::Behind => out.push_str("postoperator "),
        CallForm::Function if flags & EVENT != 0 => out.push_str("event "),
        CallForm::Function if flags & DELEGATE != 0 => out.push_str("delegate "),
        CallForm::Function => out.push_str("function "),
    }
    if let Some(result) = scripts.result(index)
        && let Some(ScriptObject::Property(property)) = scripts.object(result)
    {
        let declarations = DeclarationTexts { scripts };
        if property.property_flags & 0x800 != 0 {
            out.push_str("coerce ");
        }
        out.push_str(&declarations.type_of(result, property));
        out.push(' ');
    }
    out.push_str(&call.name);
    debug_assert!(flags & OPERATOR != 0 || call.form == CallForm::Function);
    out
}
