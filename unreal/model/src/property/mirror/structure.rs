//! Structs within properties: as lists of properties, or as their fields.

use super::merge::{merge, places, take_list};
use super::{AssignedValue, Mirror, MirrorValue};
use crate::archive::Context;
use crate::property::Value;
use crate::property::format::{fields_of, with_fields};

impl<T: Mirror> MirrorValue for T {
    fn from_value(value: &Value, context: &Context) -> Option<Self> {
        let mut fields = Self::default();
        match value {
            Value::List(list) => {
                let mut places = places(list, T::NAMES, context);
                take_list(&mut fields, list, &mut places, context);
            }
            flat => {
                let values =
                    fields_of(flat).filter(|values| values.len() as u64 == count::<T>())?;
                let mut values = values.iter();
                for (slot, dimension) in fields.slots().into_iter().zip(T::DIMENSIONS) {
                    for index in 0..*dimension {
                        if !slot.take(index, values.next()?, context) {
                            return None;
                        }
                    }
                }
            }
        }
        Some(fields)
    }

    fn to_value(&self, stored: Option<&Value>, context: &Context) -> Option<Value> {
        let mut fields = self.clone();
        match stored? {
            Value::List(list) => {
                // What the struct can't hold has no place, and stays.
                let mut places = places(list, T::NAMES, context);
                take_list(&mut T::default(), list, &mut places, context);
                merge(&mut fields, list, &places, context).ok().map(Value::List)
            }
            flat => {
                let known = fields_of(flat).filter(|values| values.len() as u64 == count::<T>())?;
                let mut stored = known.iter();
                let mut values = Vec::with_capacity(known.len());
                for (slot, dimension) in fields.slots().into_iter().zip(T::DIMENSIONS) {
                    if slot.count() as u64 != u64::from(*dimension) {
                        return None;
                    }
                    for index in 0..*dimension {
                        let value = stored.next()?;
                        values.push(match slot.put(index, value, context) {
                            AssignedValue::Same => value.clone(),
                            AssignedValue::Changed(value) => value,
                            AssignedValue::Gone | AssignedValue::Unfit => return None,
                        });
                    }
                }
                let mut changed = flat.clone();
                with_fields(&mut changed, values);
                Some(changed)
            }
        }
    }
}

/// Values that the struct is, where it is stored without tags.
fn count<T: Mirror>() -> u64 {
    T::DIMENSIONS.iter().copied().map(u64::from).sum()
}
