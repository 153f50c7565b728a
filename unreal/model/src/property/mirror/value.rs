//! Values in types of Rust.

use crate::archive::Context;
use crate::primitive::{FString, Guid, Name, PackageIndex, Utf8String};
use crate::property::{Delegate, Elements, MapValue, Value};

/// A type that values of properties convert to and from.
pub trait MirrorValue: Clone + PartialEq {
    /// The value in this type, if it is of it.
    fn from_value(value: &Value, context: &Context) -> Option<Self>;

    /// The value of a property in the form of the stored one; `None` where it has none like it.
    fn to_value(&self, stored: Option<&Value>, context: &Context) -> Option<Value>;
}

/// Types that are one variant of a value.
macro_rules! plain {
    ($($type:ty => $variant:ident),*) => { $(
        impl MirrorValue for $type {
            fn from_value(value: &Value, _: &Context) -> Option<Self> {
                match value {
                    Value::$variant(value) => Some(*value),
                    _ => None,
                }
            }

            fn to_value(&self, _: Option<&Value>, _: &Context) -> Option<Value> {
                Some(Value::$variant(*self))
            }
        }
    )* };
}

plain!(
    u8 => Byte, i8 => Int8, i16 => Int16, i32 => Int, i64 => Int64, u16 => UInt16, u32 => UInt32,
    u64 => UInt64, f32 => Float, PackageIndex => Object, Name => Name, Guid => Guid,
    Delegate => Delegate
);

/// Vectors have 32 bits a component below UE5: as they are stored.
impl MirrorValue for f64 {
    fn from_value(value: &Value, _: &Context) -> Option<Self> {
        match value {
            Value::Double(value) => Some(*value),
            Value::Float(value) => Some((*value).into()),
            _ => None,
        }
    }

    fn to_value(&self, stored: Option<&Value>, _: &Context) -> Option<Value> {
        Some(match stored {
            // One that says nothing new keeps its bits.
            Some(Value::Float(stored)) if f64::from(*stored).to_bits() == self.to_bits() => {
                Value::Float(*stored)
            }
            Some(Value::Float(_)) => Value::Float(*self as f32),
            _ => Value::Double(*self),
        })
    }
}

/// In a tag, one byte, or four bytes: as it is stored.
impl MirrorValue for bool {
    fn from_value(value: &Value, _: &Context) -> Option<Self> {
        match value {
            Value::Bool(value) => Some(*value),
            Value::BoolByte(value @ 0..2) => Some(*value == 1),
            Value::BoolWord(value @ 0..2) => Some(*value == 1),
            _ => None,
        }
    }

    fn to_value(&self, stored: Option<&Value>, _: &Context) -> Option<Value> {
        Some(match stored? {
            Value::Bool(_) => Value::Bool(*self),
            Value::BoolByte(_) => Value::BoolByte((*self).into()),
            Value::BoolWord(_) => Value::BoolWord((*self).into()),
            _ => return None,
        })
    }
}

/// The value of an enum: a number, in later UE3 its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EnumValue {
    /// Its number.
    Byte(u8),
    /// Its name.
    Name(Name),
}

impl MirrorValue for EnumValue {
    fn from_value(value: &Value, _: &Context) -> Option<Self> {
        match value {
            Value::Byte(value) => Some(Self::Byte(*value)),
            Value::Name(name) => Some(Self::Name(*name)),
            _ => None,
        }
    }

    fn to_value(&self, stored: Option<&Value>, _: &Context) -> Option<Value> {
        match (self, stored) {
            (Self::Byte(value), None | Some(Value::Byte(_))) => Some(Value::Byte(*value)),
            (Self::Name(name), None | Some(Value::Name(_))) => Some(Value::Name(*name)),
            _ => None,
        }
    }
}

impl MirrorValue for String {
    fn from_value(value: &Value, context: &Context) -> Option<Self> {
        match value {
            Value::Str(text) => text.text(context.source()).ok().map(|text| text.into_owned()),
            Value::Utf8Str(text) => text.text(context.source()).ok().map(|text| text.into_owned()),
            _ => None,
        }
    }

    fn to_value(&self, stored: Option<&Value>, _: &Context) -> Option<Value> {
        Some(match stored {
            Some(Value::Utf8Str(_)) => Value::Utf8Str(Box::new(Utf8String::new(self))),
            _ => Value::Str(Box::new(FString::new(self))),
        })
    }
}

impl<T: MirrorValue> MirrorValue for Vec<T> {
    fn from_value(value: &Value, context: &Context) -> Option<Self> {
        let values = elements_of(value)?.to_values(context.source()).ok()?;
        values.iter().map(|value| T::from_value(value, context)).collect()
    }

    fn to_value(&self, stored: Option<&Value>, context: &Context) -> Option<Value> {
        let stored = stored?;
        let known = elements_of(stored)?.to_values(context.source()).ok()?;
        let value = |(at, value): (usize, &T)| {
            let stored = known.get(at);
            let same =
                stored.filter(|stored| T::from_value(stored, context).as_ref() == Some(value));
            // An element that is new has the form of the last one.
            same.cloned().or_else(|| value.to_value(stored.or(known.last()), context))
        };
        let values = self.iter().enumerate().map(value).collect::<Option<_>>()?;
        let (elements, mut changed) = (Elements::of_values(values), stored.clone());
        match &mut changed {
            Value::Array(to) => *to = elements,
            Value::StructArray(structs) => structs.elements = elements,
            Value::Set(set) => set.elements = elements,
            _ => return None,
        }
        Some(changed)
    }
}

fn elements_of(value: &Value) -> Option<&Elements> {
    match value {
        Value::Array(elements) => Some(elements),
        Value::StructArray(structs) => Some(&structs.elements),
        Value::Set(set) => Some(&set.elements),
        _ => None,
    }
}

/// The keys and values of a map, in stored order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pairs<K, V>(pub Vec<(K, V)>);

impl<K: MirrorValue, V: MirrorValue> MirrorValue for Pairs<K, V> {
    fn from_value(value: &Value, context: &Context) -> Option<Self> {
        let pair = |(key, value): &(Value, Value)| {
            Some((K::from_value(key, context)?, V::from_value(value, context)?))
        };
        match value {
            Value::Map(map) => map.pairs.iter().map(pair).collect::<Option<_>>().map(Self),
            // Some maps are nothing at all.
            Value::Fields(none) if none.is_empty() => Some(Self(Vec::new())),
            _ => None,
        }
    }

    fn to_value(&self, stored: Option<&Value>, context: &Context) -> Option<Value> {
        let Value::Map(map) = stored? else { return None };
        let known = &map.pairs;
        let pair = |(at, (key, value)): (usize, &(K, V))| {
            let stored = known.get(at).or(known.last());
            let key = key.to_value(stored.map(|stored| &stored.0), context)?;
            Some((key, value.to_value(stored.map(|stored| &stored.1), context)?))
        };
        let pairs = self.0.iter().enumerate().map(pair).collect::<Option<_>>()?;
        Some(Value::Map(Box::new(MapValue { removed: map.removed.clone(), pairs })))
    }
}
