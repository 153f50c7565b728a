//! Elements as single values, and back.

use super::{Elements, Value};
use crate::archive::Span;
use crate::error::Result;

/// Declares both directions for the elements whose values are plain.
macro_rules! plain {
    ($($variant:ident $value:ident,)*) => {
        impl Elements {
            /// No elements yet of such values; `None` where those are not kept plainly.
            pub(in crate::property) fn like(value: &Value) -> Option<Self> {
                Some(match value {
                    Value::Byte(_) => Self::Bytes(Span::default()),
                    $(Value::$value(_) => Self::$variant(Vec::new()),)*
                    Value::Str(_) => Self::Str(Vec::new()),
                    Value::Double4(_) => Self::Double4(Vec::new()),
                    _ => return None,
                })
            }

            /// A value like the elements, where there is one.
            pub(in crate::property) fn sample(&self) -> Option<Value> {
                Some(match self {
                    Self::Bytes(_) => Value::Byte(0),
                    $(Self::$variant(_) => Value::$value(Default::default()),)*
                    Self::Str(_) => Value::Str(Box::default()),
                    Self::Double4(_) => Value::Double4(Box::default()),
                    Self::Values(values) => values.first()?.clone(),
                })
            }

            /// The elements as values; `source` is what bytes were loaded from.
            ///
            /// # Errors
            /// `OutsideSource` when `source` is another one.
            pub fn to_values(&self, source: &[u8]) -> Result<Vec<Value>> {
                Ok(match self {
                    Self::Bytes(span) => {
                        span.bytes(source)?.iter().map(|byte| Value::Byte(*byte)).collect()
                    }
                    $(Self::$variant(values) => {
                        values.iter().map(|value| Value::$value(value.clone())).collect()
                    })*
                    Self::Str(values) => {
                        values.iter().map(|value| Value::Str(Box::new(value.clone()))).collect()
                    }
                    Self::Double4(values) => {
                        values.iter().map(|value| Value::Double4(Box::new(*value))).collect()
                    }
                    Self::Values(values) => values.clone(),
                })
            }

            /// Elements of these values in the form that loading gives them.
            pub fn of_values(values: Vec<Value>) -> Self {
                let all = |is: fn(&Value) -> bool| values.iter().all(is);
                match values.first() {
                    Some(Value::Byte(_)) if all(|value| matches!(value, Value::Byte(_))) => {
                        let byte = |value: &Value| match value {
                            Value::Byte(byte) => *byte,
                            _ => 0,
                        };
                        Self::Bytes(Span::owned(values.iter().map(byte).collect::<Vec<_>>()))
                    }
                    $(Some(Value::$value(_)) if all(|value| matches!(value, Value::$value(_))) => {
                        let plain = values.into_iter().filter_map(|value| match value {
                            Value::$value(value) => Some(value),
                            _ => None,
                        });
                        Self::$variant(plain.collect())
                    })*
                    Some(Value::Str(_)) if all(|value| matches!(value, Value::Str(_))) => {
                        let plain = values.into_iter().filter_map(|value| match value {
                            Value::Str(value) => Some(*value),
                            _ => None,
                        });
                        Self::Str(plain.collect())
                    }
                    Some(Value::Double4(_)) if all(|value| matches!(value, Value::Double4(_))) => {
                        let plain = values.into_iter().filter_map(|value| match value {
                            Value::Double4(value) => Some(*value),
                            _ => None,
                        });
                        Self::Double4(plain.collect())
                    }
                    _ => Self::Values(values),
                }
            }
        }
    };
}

plain! {
    Int8 Int8,
    Int16 Int16,
    Int Int,
    Int64 Int64,
    UInt16 UInt16,
    UInt32 UInt32,
    UInt64 UInt64,
    Float Float,
    Double Double,
    Bool BoolByte,
    Name Name,
    Object Object,
    Guid Guid,
    Delegate Delegate,
    Float2 Float2,
    Float3 Float3,
    Float4 Float4,
    Double2 Double2,
    Double3 Double3,
    Int2 Int2,
    Int3 Int3,
    Color Color,
}
