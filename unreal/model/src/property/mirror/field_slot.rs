//! Fields that hold properties.

use std::collections::BTreeMap;

use super::MirrorValue;
use crate::archive::Context;
use crate::property::Value;

/// A field that holds a property: one value (`Option`), or the elements of a static array (`BTreeMap`).
pub trait FieldSlot {
    /// Takes the value over; false when it is not of the field's type.
    fn take(&mut self, index: u32, value: &Value, context: &Context) -> bool;

    /// The new state of the stored value.
    fn put(&self, index: u32, value: &Value, context: &Context) -> AssignedValue;

    /// Values that are set.
    fn count(&self) -> usize;
}

/// The new state of a stored value.
#[derive(Debug, Clone, PartialEq)]
pub enum AssignedValue {
    /// It stays, in the form that it has.
    Same,
    /// It changes to this.
    Changed(Value),
    /// It goes.
    Gone,
    /// It has no form like the stored one.
    Unfit,
}

fn put<T: MirrorValue>(field: Option<&T>, value: &Value, context: &Context) -> AssignedValue {
    let Some(field) = field else { return AssignedValue::Gone };
    if T::from_value(value, context).as_ref() == Some(field) {
        return AssignedValue::Same;
    }
    field.to_value(Some(value), context).map_or(AssignedValue::Unfit, AssignedValue::Changed)
}

impl<T: MirrorValue> FieldSlot for Option<T> {
    fn take(&mut self, index: u32, value: &Value, context: &Context) -> bool {
        let free = index == 0 && self.is_none();
        let taken = T::from_value(value, context).filter(|_| free);
        let is = taken.is_some();
        if is {
            *self = taken;
        }
        is
    }

    fn put(&self, _: u32, value: &Value, context: &Context) -> AssignedValue {
        put(self.as_ref(), value, context)
    }

    fn count(&self) -> usize {
        usize::from(self.is_some())
    }
}

impl<T: MirrorValue> FieldSlot for BTreeMap<u32, T> {
    fn take(&mut self, index: u32, value: &Value, context: &Context) -> bool {
        let free = !self.contains_key(&index);
        match T::from_value(value, context).filter(|_| free) {
            Some(taken) => self.insert(index, taken).is_none(),
            None => false,
        }
    }

    fn put(&self, index: u32, value: &Value, context: &Context) -> AssignedValue {
        put(self.get(&index), value, context)
    }

    fn count(&self) -> usize {
        self.len()
    }
}
