//! Values that were given, and those that are nothing.

use std::collections::{BTreeMap, HashMap};

use crate::compile::{ClassId, SymbolId};
use crate::property::Value;

/// Elements of an array: more are a slip of the pen.
pub(super) const MOST_ELEMENTS: u32 = 1 << 16;

/// Values by variable and element; the elements of a dynamic array by their places.
pub(super) type Given = BTreeMap<(SymbolId, u32), Value>;

/// The values of the classes that were made so far, by class and variable.
#[derive(Debug, Default)]
pub(in crate::make) struct KnownValues(
    pub(super) HashMap<ClassId, HashMap<(SymbolId, u32), Value>>,
);

/// Whether nothing but zeros is in a value.
pub(super) fn is_zero(value: &Value) -> bool {
    match value {
        Value::Int(value) => *value == 0,
        Value::Float(value) => value.to_bits() == 0,
        Value::Byte(value) | Value::BoolByte(value) => *value == 0,
        Value::BoolWord(value) => *value == 0,
        Value::Bool(value) => !value,
        Value::Object(index) => index.is_null(),
        // The first value of an enum has a name, too.
        Value::Name(_) => true,
        Value::Str(text) => text.is_empty(),
        Value::Fields(values) => values.iter().all(is_zero),
        Value::List(list) => list.properties.iter().all(|it| is_zero(it.value())),
        Value::Array(values) => values.is_empty(),
        _ => false,
    }
}
