//! Values as programs take them: numbers, texts, lists, fields by name.

use super::display::display;
use super::field_names::named_fields;
use super::format::{Surroundings, enum_of_number, fields_of, fuller, struct_of};
use super::localized::{History, Text};
use super::time_form::TimeForm;
use super::value::Value;
use super::{Elements, PropertyKind, PropertyList, Type};
use crate::Span;
use crate::primitive::{PackageIndex, ansi_text};

/// A value without the forms in which packages store it: what other languages and formats take.
///
/// Whatever has no better form there is the text that setting it takes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PlainValue {
    /// No object, no path, no optional value.
    Null,
    /// A bool.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A whole number without a sign, of eight bytes.
    UInt(u64),
    /// A number of four bytes.
    Float(f32),
    /// A number of eight bytes.
    Double(f64),
    /// A string, a name, the name of an enum's value, a GUID, a time, a delegate.
    Text(String),
    /// A text that can be translated: what it says in the language that it was written in, and how it is written
    /// with its key.
    Localized {
        /// The text; as it is written where it is made from others.
        source: String,
        /// As setting it takes it: `NSLOCTEXT("namespace","key","text")`.
        written: String,
    },
    /// The path of an object that need not be loaded.
    SoftPath(String),
    /// An object.
    Object(PackageIndex),
    /// Bytes: of an array, or those that are not decoded.
    Bytes(Span),
    /// Elements of an array or of a set.
    List(Vec<PlainValue>),
    /// A struct: its fields by name.
    Struct(Vec<(String, PlainValue)>),
    /// Keys and values.
    Map(Vec<(PlainValue, PlainValue)>),
}

/// A value of a type, where that is known.
#[doc(hidden)]
pub fn plain(value: &Value, known: Option<&Type>, around: &dyn Surroundings) -> PlainValue {
    let inner = |at: usize| known.and_then(|known| known.inner().get(at));
    let written = || PlainValue::Text(display(value, known, around));
    match value {
        Value::Bool(value) => PlainValue::Bool(*value),
        Value::BoolByte(value) => boolean((*value).into()),
        Value::BoolWord(value) => boolean(*value),
        Value::Byte(number) => number_or_name((*number).into(), *number, known, around),
        Value::Int8(number) => number_or_name(*number as u64, *number, known, around),
        Value::Int16(number) => number_or_name(*number as u64, *number, known, around),
        Value::Int(number) => number_or_name(*number as u64, *number, known, around),
        Value::Int64(_) if known.is_some_and(|known| TimeForm::of(known.type_name()).is_some()) => {
            written()
        }
        Value::Int64(number) => number_or_name(*number as u64, *number, known, around),
        Value::UInt16(number) => number_or_name((*number).into(), *number, known, around),
        Value::UInt32(number) => number_or_name((*number).into(), *number, known, around),
        Value::UInt64(number) => match enum_of_number(*number, known, around) {
            Some(name) => PlainValue::Text(name),
            None => PlainValue::UInt(*number),
        },
        Value::Float(number) => PlainValue::Float(*number),
        Value::Double(number) => PlainValue::Double(*number),
        Value::Name(name) => PlainValue::Text(around.name_text(*name)),
        Value::Str(string) => match string.text(around.source()) {
            Ok(text) => PlainValue::Text(text.into_owned()),
            Err(_) => PlainValue::Bytes(string.span().clone()),
        },
        Value::FixedStr(span) => {
            let bytes = span.bytes(around.source()).unwrap_or_default();
            let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            PlainValue::Text(ansi_text(&bytes[..end]).into_owned())
        }
        Value::Utf8Str(string) => match string.text(around.source()) {
            Ok(text) => PlainValue::Text(text.into_owned()),
            Err(_) => written(),
        },
        Value::Text(text) => {
            let written = display(value, known, around);
            let source = source_of(text, around).unwrap_or_else(|| written.clone());
            PlainValue::Localized { source, written }
        }
        Value::Object(index) if index.is_null() => PlainValue::Null,
        Value::Object(index) => PlainValue::Object(*index),
        Value::SoftObject(_) | Value::SoftObjectIndex(_) => match display(value, known, around) {
            path if path == "None" => PlainValue::Null,
            path => PlainValue::SoftPath(path),
        },
        Value::MulticastDelegate(delegates) => {
            let one = |delegate| plain(&Value::Delegate(delegate), None, around);
            PlainValue::List(delegates.iter().copied().map(one).collect())
        }
        Value::Optional(value) => match &**value {
            Some(value) => plain(value, inner(0), around),
            None => PlainValue::Null,
        },
        Value::List(list) => plain_list(list, known.map(Type::type_name), around),
        Value::Zero => zero(known, around),
        Value::Instanced(instanced) => {
            let known = struct_of(instanced.structure, around);
            let structure = match instanced.structure.is_null() {
                true => PlainValue::Null,
                false => PlainValue::Object(instanced.structure),
            };
            let value = plain(&instanced.value, Some(&known), around);
            PlainValue::Struct(vec![("Struct".to_owned(), structure), ("Value".to_owned(), value)])
        }
        Value::Keys(span) => PlainValue::Bytes((**span).clone()),
        Value::Opaque(opaque) => PlainValue::Bytes(opaque.span.clone()),
        Value::Array(elements) => plain_elements(elements, inner(0), around),
        Value::StructArray(structs) => plain_elements(&structs.elements, inner(0), around),
        Value::Set(set) => plain_elements(&set.elements, inner(0), around),
        Value::Map(map) => {
            let pair = |(key, value): &(Value, Value)| {
                (plain(key, inner(0), around), plain(value, inner(1), around))
            };
            PlainValue::Map(map.pairs.iter().map(pair).collect())
        }
        Value::Guid(_) | Value::Delegate(_) | Value::FieldPath(_) => written(),
        fields => {
            let fields = fields_of(fields).unwrap_or_default();
            // One value that has a text of its own, such as a point in time.
            if let ([Value::Int64(_)], Some(true)) = (&fields[..], known.map(is_time)) {
                return plain(&fields[0], known, around);
            }
            let named = named_fields(&fields, known, around);
            let one = |(value, (name, known)): (&Value, &(std::sync::Arc<str>, Type))| {
                (name.to_string(), plain(value, Some(known), around))
            };
            PlainValue::Struct(fields.iter().zip(&named).map(one).collect())
        }
    }
}

fn is_time(known: &Type) -> bool {
    TimeForm::of(known.type_name()).is_some()
}

/// The fields of a list; `structure` is the struct that it is of, `None` for an object.
#[doc(hidden)]
pub fn plain_list(
    list: &PropertyList,
    structure: Option<&str>,
    around: &dyn Surroundings,
) -> PlainValue {
    let structure = structure.or(Some(""));
    let one = |property: &super::Property| plain_property(list, structure, property, around);
    PlainValue::Struct(list.properties.iter().map(one).collect())
}

/// The path of one of a list's properties, and its value.
#[doc(hidden)]
pub fn plain_property(
    list: &PropertyList,
    structure: Option<&str>,
    property: &super::Property,
    around: &dyn Surroundings,
) -> (String, PlainValue) {
    let name = property.name_text(|name| around.name_text(name));
    let path = super::format::indexed(&name, property.array_index() as u32);
    let known = match property.value() {
        // Their form says what they are: nothing is looked up.
        Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Str(_) | Value::Object(_)
            if list.class().is_none() =>
        {
            return (path, plain(property.value(), None, around));
        }
        _ => list.type_of(property, around),
    };
    let known = fuller(known, structure, &name, around);
    (path, plain(property.value(), Some(&known), around))
}

fn boolean(value: u32) -> PlainValue {
    match value {
        0 => PlainValue::Bool(false),
        1 => PlainValue::Bool(true),
        // Not what a bool is: shown, not changed.
        other => PlainValue::Int(other.into()),
    }
}

/// A number, or the name that the enum gives it.
fn number_or_name(
    bits: u64,
    number: impl Into<i64>,
    known: Option<&Type>,
    around: &dyn Surroundings,
) -> PlainValue {
    match enum_of_number(bits, known, around) {
        Some(name) => PlainValue::Text(name),
        None => PlainValue::Int(number.into()),
    }
}

fn plain_elements(
    elements: &Elements,
    known: Option<&Type>,
    around: &dyn Surroundings,
) -> PlainValue {
    let is_enum = known.is_some_and(|known| !known.type_name().is_empty());
    match elements {
        Elements::Bytes(span) if !is_enum => PlainValue::Bytes(span.clone()),
        Elements::Int(numbers) if !is_enum => {
            PlainValue::List(numbers.iter().map(|&n| PlainValue::Int(n.into())).collect())
        }
        Elements::Float(numbers) => {
            PlainValue::List(numbers.iter().copied().map(PlainValue::Float).collect())
        }
        Elements::Double(numbers) => {
            PlainValue::List(numbers.iter().copied().map(PlainValue::Double).collect())
        }
        Elements::Values(values) => {
            PlainValue::List(values.iter().map(|value| plain(value, known, around)).collect())
        }
        elements => {
            let values = elements.to_values(around.source()).unwrap_or_default();
            PlainValue::List(values.iter().map(|value| plain(value, known, around)).collect())
        }
    }
}

/// The characters of a text in the language that it was written in; `None` for one that is made from others.
fn source_of(text: &Text, around: &dyn Surroundings) -> Option<String> {
    let string = match &text.history {
        History::None { .. } if !text.source.is_empty() => &text.source,
        History::None { invariant: Some(string) } => string,
        History::None { invariant: None } => return Some(String::new()),
        History::Base { source, .. } => source,
        _ => return None,
    };
    string.text(around.source()).ok().map(std::borrow::Cow::into_owned)
}

/// A value that is zero and not stored.
fn zero(known: Option<&Type>, around: &dyn Surroundings) -> PlainValue {
    match known.map(Type::kind) {
        Some(PropertyKind::Byte | PropertyKind::Enum) => number_or_name(0, 0_u8, known, around),
        Some(PropertyKind::Bool) => PlainValue::Bool(false),
        Some(PropertyKind::Float) => PlainValue::Float(0.0),
        Some(PropertyKind::Double) => PlainValue::Double(0.0),
        Some(PropertyKind::Str | PropertyKind::Utf8Str | PropertyKind::AnsiStr) => {
            PlainValue::Text(String::new())
        }
        Some(PropertyKind::Name) => PlainValue::Text("None".to_owned()),
        Some(PropertyKind::Text) => {
            PlainValue::Localized { source: String::new(), written: "\"\"".to_owned() }
        }
        Some(PropertyKind::Object | PropertyKind::SoftObject | PropertyKind::Optional) => {
            PlainValue::Null
        }
        Some(PropertyKind::Array | PropertyKind::Set) => PlainValue::List(Vec::new()),
        Some(PropertyKind::Map) => PlainValue::Map(Vec::new()),
        Some(PropertyKind::Struct) => PlainValue::Struct(Vec::new()),
        _ => PlainValue::Int(0),
    }
}
