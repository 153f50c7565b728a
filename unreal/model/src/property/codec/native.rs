//! Structs that are stored without tags: from their layout to values.

mod fields;
mod special;

use self::fields::Fields;
use crate::error::Result;
use crate::primitive::Guid;
use crate::property::structure::{Special, StructStorage};
use crate::property::value::{Elements, InstancedStruct, Value};
use crate::{Archive, Archived};

/// Elements of a layout that are kept plainly.
pub(in crate::property) fn elements(layout: StructStorage) -> Option<Elements> {
    Elements::like(&zero(layout))
}

/// Zero in a layout of numbers.
#[inline]
fn zero(layout: StructStorage) -> Value {
    let repeated = |value: Value, count: u8| Value::Fields(vec![value; count.into()]);
    match layout {
        StructStorage::Floats(2) => Value::Float2([0.0; 2]),
        StructStorage::Floats(3) => Value::Float3([0.0; 3]),
        StructStorage::Floats(4) => Value::Float4([0.0; 4]),
        StructStorage::Floats(count) => repeated(Value::Float(0.0), count),
        StructStorage::Doubles(2) => Value::Double2([0.0; 2]),
        StructStorage::Doubles(3) => Value::Double3([0.0; 3]),
        StructStorage::Doubles(4) => Value::Double4(Box::default()),
        StructStorage::Doubles(count) => repeated(Value::Double(0.0), count),
        StructStorage::Ints(1) => Value::Int(0),
        StructStorage::Ints(2) => Value::Int2([0; 2]),
        StructStorage::Ints(3) => Value::Int3([0; 3]),
        StructStorage::Ints(count) => repeated(Value::Int(0), count),
        StructStorage::Color => Value::Color([0; 4]),
        StructStorage::Guid => Value::Guid(Guid::default()),
        _ => Value::default(),
    }
}

/// Loads a struct of this layout, which is not that of tags; `odd` in the rarer of two forms.
pub(in crate::property) fn load<A: Archive + ?Sized>(
    layout: StructStorage,
    odd: bool,
    ar: &mut A,
) -> Result<Value> {
    if odd && !layout.has_two_forms() {
        return Err(super::unknown(ar));
    }
    match layout {
        StructStorage::Special(Special::Instanced) => InstancedStruct::load(ar),
        StructStorage::Fields(letters) => {
            let mut fields = Fields::new(letters, ar);
            fields.letters(letters)?;
            Ok(fields.value())
        }
        StructStorage::Special(special) => {
            let mut fields = Fields::new("", ar);
            fields.special(special, odd)?;
            Ok(fields.value())
        }
        numbers => {
            let mut value = zero(numbers);
            value.serialize(ar)?;
            Ok(value)
        }
    }
}
