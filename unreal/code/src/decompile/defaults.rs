//! Default values as text.

use std::collections::HashSet;
use std::fmt::Write as _;

use super::code::INDENT;
use super::expression::written_name;
use super::scripts::Scripts;
use crate::error::Result;
use crate::inspect::{PackageValues, PropertyValue};
use crate::object::script_object::{Class, ScriptObject};
use crate::primitive::{ObjectRef, PackageIndex};
use crate::property::{PropertyKind, PropertyList};

/// Objects within objects nest this deep.
const DEEPEST: usize = 8;

/// Default values of a class's properties, where they differ from the class above (spec: ue1-3/12 §12.9).
pub(super) fn text(scripts: &Scripts, index: PackageIndex, class: &Class) -> Result<String> {
    // Before version 219 they stand in the class itself.
    let holder =
        if class.class_default_object.is_null() { index } else { class.class_default_object };
    let mut out = "defaultproperties\n{\n".to_owned();
    if let ObjectRef::Export(row) = holder.target() {
        objects(scripts, holder, 1, &mut out)?;
        lines(scripts, row, 1, &mut out)?;
    }
    out.push_str("}\n");
    Ok(out)
}

/// Default values of a struct's fields; empty where all are zero.
pub(super) fn of_struct(scripts: &Scripts, row: usize, defaults: &PropertyList) -> String {
    let mut values = String::new();
    let context = scripts.package.decoding_context();
    let listed = scripts.package.values().listed(row, defaults, &context);
    let arrays = arrays(&listed);
    for property in &listed {
        // Whoever asked for it refuses what is too long.
        if !is_zero(&property.text) && !scripts.is_too_long(&values) {
            line(property, &arrays, 2, &mut values);
        }
    }
    if values.is_empty() {
        return values;
    }
    format!("\n{INDENT}structdefaultproperties\n{INDENT}{{\n{values}{INDENT}}}\n")
}

/// The objects that stand within another one and are no declarations.
fn objects(scripts: &Scripts, outer: PackageIndex, depth: usize, out: &mut String) -> Result<()> {
    if depth > DEEPEST {
        return Ok(());
    }
    let indent = INDENT.repeat(depth);
    for inner in scripts.package.exports().children(outer) {
        let ObjectRef::Export(row) = inner.target() else { continue };
        let class = scripts.class_name(inner);
        if ScriptObject::blank(&class).is_some() || class.eq_ignore_ascii_case("TextBuffer") {
            continue;
        }
        let _ = writeln!(out, "{indent}Begin Object Class={class} Name={}", scripts.name(inner));
        objects(scripts, inner, depth + 1, out)?;
        lines(scripts, row, depth + 1, out)?;
        let _ = writeln!(out, "{indent}End Object");
    }
    Ok(())
}

/// The properties that an object stores, one a line; not those that are zero and that its own class declares.
fn lines(scripts: &Scripts, row: usize, depth: usize, out: &mut String) -> Result<()> {
    let indent = INDENT.repeat(depth);
    let index = PackageIndex::export(row);
    scripts.check(out)?;
    // What is around it is worth having all the same.
    let Ok(properties) = scripts.package.values().properties(&format!("#{row}")) else {
        let name = scripts.name(index).escape_default().to_string();
        let _ = writeln!(out, "{indent}// The body of {name} is not decoded.");
        return Ok(());
    };
    let arrays = arrays(&properties);
    for property in &properties {
        let name = property.path.split(['[', '.']).next().unwrap_or_default();
        let is_own = scripts.child(index, name).is_some();
        if is_own && is_zero(&property.text) {
            continue;
        }
        line(property, &arrays, depth, out);
    }
    Ok(())
}

/// Static arrays of which more than the first element is stored: that one is written with its number, too.
fn arrays(properties: &[PropertyValue]) -> HashSet<String> {
    let elements = properties.iter().filter_map(|property| property.path.split_once('['));
    elements.map(|(name, _)| name.to_owned()).collect()
}

fn line(property: &PropertyValue, arrays: &HashSet<String>, depth: usize, out: &mut String) {
    let first = if arrays.contains(&*property.path) { "(0)" } else { "" };
    let path = property.path.replace('[', "(").replace(']', ")");
    let path = written_name(&path);
    let _ = writeln!(out, "{}{path}{first}={}", INDENT.repeat(depth), written(property));
}

/// Whether a value is what every property of its type starts as.
fn is_zero(text: &str) -> bool {
    let is_one = |part: &str| {
        let value = part.rsplit('=').next().unwrap_or(part);
        ["", "0", "0.0", "None", "False", "\"\""]
            .iter()
            .any(|zero| value.eq_ignore_ascii_case(zero))
    };
    text.split(['(', ')', ',']).all(is_one)
}

fn written(property: &PropertyValue) -> String {
    match (property.property_type.kind(), property.text.as_str()) {
        (PropertyKind::Bool, "true") => "True".to_owned(),
        (PropertyKind::Bool, "false") => "False".to_owned(),
        (_, text) => text.to_owned(),
    }
}
