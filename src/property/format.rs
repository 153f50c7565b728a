//! Values as text, and what texts need to know of the package around them.

use super::edit::Scope;
use super::fields::{NamedField, fields_of};
use super::list::PropertyList;
use super::members::fields_text;
use super::text::{quote, word};
use super::{Declared, Layouts, Property, PropertyType, Value};
use crate::Versions;
use crate::error::Result;
use crate::primitive::{Name, PackageIndex, ansi_text};

/// What names, objects and declarations mean in the package around a value.
pub(crate) trait Lookup {
    /// Versions and game.
    fn versions(&self) -> &Versions;
    /// What is declared.
    fn layouts(&self) -> &Layouts;
    /// The bytes that spans are ranges of.
    fn source(&self) -> &[u8];
    /// The text of a name.
    fn name_text(&self, name: Name) -> String;
    /// The text of an object.
    fn object_text(&self, index: PackageIndex) -> String;
    /// The name of this text, added where it is not there.
    fn name(&mut self, text: &str) -> Result<Name>;
    /// The object of this text; imports that name their class are added.
    fn object(&mut self, text: &str) -> Result<PackageIndex>;
    /// The name that ends lists of properties.
    fn none(&mut self) -> Result<Name>;
    /// The declaration of a property that is not stored.
    fn declared(&self, scope: &Scope, name: &str) -> Result<Declared>;
    /// The type of a property that is stored.
    fn type_of(&self, property: &Property) -> Option<PropertyType>;
}

/// The value as text; `property` is its type where that is known.
pub(crate) fn display(
    value: &Value,
    property: Option<&PropertyType>,
    lookup: &dyn Lookup,
) -> String {
    let listed = |texts: Vec<String>| format!("({})", texts.join(","));
    let boolean = |value: u32| match value {
        0 => "False".to_owned(),
        1 => "True".to_owned(),
        other => other.to_string(),
    };
    match value {
        Value::Byte(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Bool(value) => boolean(u32::from(*value)),
        Value::BoolByte(value) => boolean(u32::from(*value)),
        Value::BoolWord(value) => boolean(*value),
        Value::Float(value) => format!("{value:?}"),
        Value::Object(index) => lookup.object_text(*index),
        Value::Name(name) => word(lookup.name_text(*name)),
        Value::Str(string) => match string.text(lookup.source()) {
            Ok(text) => quote(&text),
            Err(_) => "opaque".to_owned(),
        },
        Value::Text(span) => {
            let bytes = span.bytes(lookup.source()).unwrap_or_default();
            let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
            quote(&ansi_text(&bytes[..end]))
        }
        Value::Delegate(object, function) => {
            let function = lookup.name_text(*function);
            if object.is_null() {
                function
            } else {
                format!("{}.{function}", lookup.object_text(*object))
            }
        }
        Value::Array(values) => {
            let element = match property {
                Some(PropertyType::Array(element)) => element.as_deref(),
                _ => None,
            };
            listed(values.iter().map(|value| display(value, element, lookup)).collect())
        }
        Value::Bytes(bytes) => {
            let bytes = bytes.0.bytes(lookup.source()).unwrap_or_default();
            listed(bytes.iter().map(u8::to_string).collect())
        }
        Value::Map(pairs) => {
            let types = match property {
                Some(PropertyType::Map(Some(pair))) => Some(&**pair),
                _ => None,
            };
            let pair = |(key, value): &(Value, Value)| {
                let key = display(key, types.map(|types| &types.0), lookup);
                format!("({key},{})", display(value, types.map(|types| &types.1), lookup))
            };
            listed(pairs.iter().map(pair).collect())
        }
        Value::Fields(fields) => display_fields(fields, property, lookup),
        Value::Tagged(list) => display_list(list, lookup),
        Value::Opaque(span) => {
            let bytes = span.bytes(lookup.source()).unwrap_or_default();
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("opaque:{hex}")
        }
    }
}

fn display_list(list: &PropertyList, lookup: &dyn Lookup) -> String {
    let one = |property: &Property| {
        let name = lookup.name_text(property.name());
        let index = match property.array_index() {
            0 => String::new(),
            index => format!("[{index}]"),
        };
        let known = lookup.type_of(property);
        format!("{name}{index}={}", display(property.value(), known.as_ref(), lookup))
    };
    let texts: Vec<_> = list.properties.iter().map(one).collect();
    format!("({})", texts.join(","))
}

fn display_fields(
    values: &[Value],
    property: Option<&PropertyType>,
    lookup: &dyn Lookup,
) -> String {
    let fields = named_fields(values, property, lookup);
    fields_text(values.iter().zip(&fields).map(|(value, (name, known))| {
        let name: &str = name;
        (name, display(value, Some(known), lookup))
    }))
}

/// Names and types of fields that are stored without tags.
pub(super) fn named_fields(
    values: &[Value],
    property: Option<&PropertyType>,
    lookup: &dyn Lookup,
) -> Vec<NamedField> {
    let name = match property {
        Some(PropertyType::Struct(name)) => name,
        _ => "",
    };
    let types: Vec<_> = values.iter().map(inferred).collect();
    fields_of(name, &types, lookup.layouts(), lookup.versions())
}

/// The type that the form of a value tells.
pub(super) fn inferred(value: &Value) -> PropertyType {
    match value {
        Value::Byte(_) => PropertyType::Byte,
        Value::Int(_) => PropertyType::Int,
        Value::Bool(_) | Value::BoolByte(_) | Value::BoolWord(_) => PropertyType::Bool,
        Value::Float(_) => PropertyType::Float,
        Value::Object(_) => PropertyType::Object,
        Value::Name(_) => PropertyType::Name,
        Value::Str(_) => PropertyType::Str,
        Value::Text(_) => PropertyType::FixedString,
        Value::Delegate(..) => PropertyType::Delegate,
        Value::Array(values) => {
            PropertyType::Array(values.first().map(|value| inferred(value).into()))
        }
        Value::Bytes(_) => PropertyType::Array(Some(PropertyType::Byte.into())),
        Value::Map(pairs) => PropertyType::Map(
            pairs.first().map(|(key, value)| (inferred(key), inferred(value)).into()),
        ),
        Value::Fields(_) | Value::Tagged(_) | Value::Opaque(_) => PropertyType::Struct("".into()),
    }
}
