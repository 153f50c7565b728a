//! Values as text, into one text: nothing is made for the parts of a value.

use std::borrow::Cow;
use std::fmt::{Display, Write};

use super::field_names::{field_names, named_fields, of_declaration};
use super::format::{
    Surroundings, ValueForm, enum_of_number, fields_of, fuller, indexed, struct_of,
};
use super::localized_form;
use super::path::part_text;
use super::text::{quote, word};
use super::time_form::TimeForm;
use super::{Delegate, Elements, FieldPath, Property, PropertyKind, PropertyList, Type, Value};
use crate::archive::hex;
use crate::primitive::ansi_text;

/// The value as text; `known` is its type where that is known.
#[doc(hidden)]
pub fn display(value: &Value, known: Option<&Type>, around: &dyn Surroundings) -> String {
    let mut text = String::new();
    write_value(&mut text, value, known, around);
    text
}

/// The path of one of a list's properties, its type, and its text.
#[doc(hidden)]
pub fn described(
    list: &PropertyList,
    structure: Option<&str>,
    property: &Property,
    around: &dyn Surroundings,
) -> (String, Type, String) {
    let known = list.type_of(property, around);
    let name = property.name_text(|name| around.name_text(name));
    let shown = fuller(known.clone(), structure, &name, around);
    let text = display(property.value(), Some(&shown), around);
    (indexed(&name, property.array_index() as u32), known, text)
}

fn write_value(out: &mut String, value: &Value, known: Option<&Type>, around: &dyn Surroundings) {
    let inner = |at: usize| known.and_then(|known| known.inner().get(at));
    let digits = |span: &crate::Span| hex(span.bytes(around.source()).unwrap_or_default());
    match value {
        Value::Bool(value) => write_bool(out, (*value).into()),
        Value::BoolByte(value) => write_bool(out, (*value).into()),
        Value::BoolWord(value) => write_bool(out, *value),
        Value::Byte(number) => write_number(out, (*number).into(), number, known, around),
        Value::Int8(number) => write_number(out, *number as u64, number, known, around),
        Value::Int16(number) => write_number(out, *number as u64, number, known, around),
        Value::Int(number) => write_number(out, *number as u64, number, known, around),
        Value::Int64(number) => match time_text(*number, known) {
            Some(text) => out.push_str(&text),
            None => write_number(out, *number as u64, number, known, around),
        },
        Value::UInt16(number) => write_number(out, (*number).into(), number, known, around),
        Value::UInt32(number) => write_number(out, (*number).into(), number, known, around),
        Value::UInt64(number) => write_number(out, *number, number, known, around),
        Value::Float(number) => put(out, format_args!("{number:?}")),
        Value::Double(number) => put(out, format_args!("{number:?}")),
        Value::Name(name) => write_name(out, around.name_text(*name), known, around.form()),
        Value::Str(string) => match string.text(around.source()) {
            Ok(text) => out.push_str(&quote(&text)),
            Err(_) => out.push_str("opaque"),
        },
        Value::FixedStr(span) => {
            let bytes = span.bytes(around.source()).unwrap_or_default();
            let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            out.push_str(&quote(&ansi_text(&bytes[..end])));
        }
        Value::Utf8Str(string) => match string.text(around.source()) {
            Ok(text) => out.push_str(&quote(&text)),
            Err(_) => out.push_str("opaque"),
        },
        Value::Text(text) => out.push_str(&localized_form::display(text, around)),
        Value::Object(index) => out.push_str(&around.object_text(*index)),
        Value::Guid(guid) => put(out, format_args!("{guid}")),
        Value::SoftObject(path) => write_soft(out, &around.path_text(path), around.form()),
        Value::SoftObjectIndex(row) => match around.soft_path_at(*row) {
            Some(path) => write_soft(out, &around.path_text(path), around.form()),
            None => put(out, format_args!("#{row}")),
        },
        Value::Delegate(delegate) => write_delegate(out, delegate, around),
        Value::MulticastDelegate(delegates) => {
            write_group(out, delegates, |out, delegate| write_delegate(out, delegate, around));
        }
        Value::FieldPath(path) => write_field_path(out, path, around),
        Value::Optional(held) => {
            write_group(out, held.iter(), |out, held| write_value(out, held, inner(0), around));
        }
        Value::List(list) => write_list(out, list, known.map(Type::type_name), around),
        Value::Zero => match known.map(Type::kind) {
            Some(PropertyKind::Byte | PropertyKind::Enum) => {
                write_number(out, 0, &0, known, around);
            }
            _ => out.push_str(zero_text(known)),
        },
        Value::Instanced(instanced) => {
            let known = struct_of(instanced.structure, around);
            let structure = around.object_text(instanced.structure);
            put(out, format_args!("(Struct={structure},Value="));
            write_value(out, &instanced.value, Some(&known), around);
            out.push(')');
        }
        Value::Keys(span) => put(out, format_args!("opaque:{}", digits(span))),
        Value::Opaque(opaque) => put(out, format_args!("opaque:{}", digits(&opaque.span))),
        Value::Array(elements) => write_elements(out, elements, inner(0), around),
        Value::StructArray(structs) => write_elements(out, &structs.elements, inner(0), around),
        Value::Set(set) => write_elements(out, &set.elements, inner(0), around),
        Value::Map(map) => write_group(out, &map.pairs, |out, (key, value)| {
            out.push('(');
            write_value(out, key, inner(0), around);
            out.push(',');
            write_value(out, value, inner(1), around);
            out.push(')');
        }),
        Value::Fields(fields) => write_fields(out, fields, known, around),
        fields => {
            if let Some(fields) = fields_of(fields) {
                write_fields(out, &fields, known, around);
            }
        }
    }
}

/// Writing to a String can't fail.
fn put(out: &mut String, text: std::fmt::Arguments<'_>) {
    let _ = out.write_fmt(text);
}

fn write_bool(out: &mut String, value: u32) {
    match value {
        0 => out.push_str("False"),
        1 => out.push_str("True"),
        other => put(out, format_args!("{other}")),
    }
}

/// A name, which may be that of an enum's value.
fn write_name(out: &mut String, name: String, known: Option<&Type>, form: ValueForm) {
    match (form, known.map(Type::kind)) {
        (ValueForm::Own, _) => out.push_str(&word(name)),
        (ValueForm::Editor, Some(PropertyKind::Enum | PropertyKind::Byte)) => {
            out.push_str(without_enum(&name));
        }
        (ValueForm::Editor, _) if name.eq_ignore_ascii_case("None") => out.push_str("\"\""),
        (ValueForm::Editor, _) => out.push_str(&quote(&name)),
    }
}

/// The name of an enum's value without that of the enum: `Hidden` of `ENodeAdvancedPins::Hidden`.
fn without_enum(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

/// A number by the name that the enum gives it, where the enum is known.
fn write_number(
    out: &mut String,
    bits: u64,
    number: &dyn Display,
    known: Option<&Type>,
    around: &dyn Surroundings,
) {
    match enum_of_number(bits, known, around) {
        Some(name) if around.form() == ValueForm::Editor => out.push_str(without_enum(&name)),
        Some(name) => out.push_str(&name),
        None => put(out, format_args!("{number}")),
    }
}

fn write_soft(out: &mut String, text: &str, form: ValueForm) {
    match form {
        _ if text.is_empty() => out.push_str("None"),
        ValueForm::Own => out.push_str(text),
        ValueForm::Editor => out.push_str(&quote(text)),
    }
}

fn write_delegate(out: &mut String, delegate: &Delegate, around: &dyn Surroundings) {
    if !delegate.object.is_null() {
        out.push_str(&around.object_text(delegate.object));
        out.push('.');
    }
    out.push_str(&around.name_text(delegate.function));
}

/// The owner, then the names from the outermost on.
fn write_field_path(out: &mut String, path: &FieldPath, around: &dyn Surroundings) {
    if !path.owner.is_null() {
        put(out, format_args!("{}:", around.object_text(path.owner)));
    }
    if path.path.is_empty() {
        out.push_str("None");
    }
    for (at, name) in path.path.iter().rev().enumerate() {
        let dot = if at == 0 { "" } else { "." };
        put(out, format_args!("{dot}{}", around.name_text(*name)));
    }
}

/// A group in parentheses.
fn write_group<T>(
    out: &mut String,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut String, T),
) {
    out.push('(');
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            out.push(',');
        }
        write(out, item);
    }
    out.push(')');
}

fn write_elements(
    out: &mut String,
    elements: &Elements,
    known: Option<&Type>,
    around: &dyn Surroundings,
) {
    let made;
    let values = match elements {
        Elements::Values(values) => values,
        plain => {
            made = plain.to_values(around.source()).unwrap_or_default();
            &made
        }
    };
    write_group(out, values, |out, value| write_value(out, value, known, around));
}

/// The fields of a struct without tags.
fn write_fields(
    out: &mut String,
    fields: &[Value],
    known: Option<&Type>,
    around: &dyn Surroundings,
) {
    let structure = known.map_or("", Type::type_name);
    if of_declaration(structure, fields.len(), around).is_some() {
        let named = named_fields(fields, known, around);
        let names = named.iter().map(|(name, _)| &**name);
        return write_named(out, names, |out, at| {
            let known = named.get(at).map(|(_, known)| known);
            write_value(out, &fields[at], known, around);
        });
    }
    let names = field_names(structure, fields, around.versions());
    write_named(out, names.iter().map(Cow::as_ref), |out, at| match &fields[at] {
        // Their text follows from no type.
        value @ (Value::Float(_) | Value::Double(_)) => write_value(out, value, None, around),
        value => write_value(out, value, Some(&Type::of_value(value)), around),
    });
}

/// A struct with dotted names: `Min.X` stands within `Min=(…)`.
fn write_named<'n>(
    out: &mut String,
    names: impl Iterator<Item = &'n str>,
    mut write: impl FnMut(&mut String, usize),
) {
    out.push('(');
    let mut open = "";
    for (at, name) in names.enumerate() {
        let (outer, inner) = name.split_once('.').unwrap_or(("", name));
        if outer != open && !open.is_empty() {
            out.push(')');
        }
        if at > 0 {
            out.push(',');
        }
        if outer != open && !outer.is_empty() {
            out.push_str(outer);
            out.push_str("=(");
        }
        open = outer;
        out.push_str(inner);
        out.push('=');
        write(out, at);
    }
    if !open.is_empty() {
        out.push(')');
    }
    out.push(')');
}

fn write_list(
    out: &mut String,
    list: &PropertyList,
    structure: Option<&str>,
    around: &dyn Surroundings,
) {
    if around.form() == ValueForm::Editor
        && structure == Some("Key")
        && let [key] = &list.properties[..]
        && let Value::Name(name) = key.value()
    {
        // A key of a keyboard is its name alone.
        out.push_str(&around.name_text(*name));
        return;
    }
    let structure = structure.or(Some(""));
    write_group(out, &list.properties, |out, property| {
        let name = property.name_text(|name| around.name_text(name));
        out.push_str(&part_text(&name));
        match property.array_index() as u32 {
            0 => {}
            index => put(out, format_args!("[{index}]")),
        }
        out.push('=');
        let shown = fuller(list.type_of(property, around), structure, &name, around);
        write_value(out, property.value(), Some(&shown), around);
    });
}

/// A point in time or a span of time as text.
fn time_text(ticks: i64, known: Option<&Type>) -> Option<String> {
    TimeForm::of(known?.type_name())?.display(ticks)
}

/// The text of a value that is zero and not stored.
fn zero_text(known: Option<&Type>) -> &'static str {
    match known.map(Type::kind) {
        Some(PropertyKind::Bool) => "False",
        Some(PropertyKind::Float | PropertyKind::Double) => "0.0",
        Some(
            PropertyKind::Str | PropertyKind::Utf8Str | PropertyKind::AnsiStr | PropertyKind::Text,
        ) => "\"\"",
        Some(
            PropertyKind::Name
            | PropertyKind::Object
            | PropertyKind::SoftObject
            | PropertyKind::Delegate,
        ) => "None",
        Some(
            PropertyKind::Array
            | PropertyKind::Set
            | PropertyKind::Map
            | PropertyKind::Struct
            | PropertyKind::Optional,
        ) => "()",
        _ => "0",
    }
}
