//! Properties of UE1 to UE3 as fields of Rust structs, which `upk headers --rust` writes.

use std::collections::BTreeMap;
use std::fmt;

use super::{PropertyList, Value};
use crate::error::{ErrorKind, Result};
use crate::primitive::{FString, Name, PackageIndex};
use crate::{Archive, Archived};

/// A struct whose fields are the properties of a class.
pub trait Mirror: Default + Clone + PartialEq + fmt::Debug {
    /// The names of the properties, in the order of [`Mirror::slots`].
    const NAMES: &'static [&'static str];

    /// The fields.
    fn slots(&mut self) -> Vec<&mut dyn Slot>;
}

/// A field that holds a property: one value (`Option`), or the elements of a static array (`BTreeMap`).
pub trait Slot {
    /// Takes the value over; false when it is not of the field's type.
    fn take(&mut self, index: u32, value: &Value, source: &[u8]) -> bool;

    /// What the stored value is to become.
    fn put(&self, index: u32, value: &Value, source: &[u8]) -> Put;

    /// Values that are set.
    fn count(&self) -> usize;
}

/// What becomes of a stored value.
#[derive(Debug, Clone, PartialEq)]
pub enum Put {
    /// It stays, in the form that it has.
    Same,
    /// It changes to this.
    Changed(Value),
    /// It goes.
    Gone,
}

/// A type that values of properties convert to and from.
pub trait MirrorValue: Clone + PartialEq {
    /// The value in this type, if it is of it.
    fn from_value(value: &Value, source: &[u8]) -> Option<Self>;

    /// The value of a property.
    fn to_value(&self) -> Value;
}

/// Properties as they are stored, with those of a class as fields of a struct.
///
/// What was loaded keeps its order and form; fields that were changed are saved in their place, emptied ones
/// are left out. A property that was not stored can't be added here.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mirrored<T> {
    /// The properties of the class.
    pub fields: T,
    list: PropertyList,
    /// The field of each stored property; `None` for what is no property of the class or of another type.
    places: Vec<Option<usize>>,
}

impl<T: Mirror> Archived for Mirrored<T> {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            let mut list = PropertyList::default();
            list.serialize(ar)?;
            *self = Self::of(list, ar);
            return Ok(());
        }
        let mut list = self.merged(ar)?;
        list.serialize(ar)?;
        if !ar.is_saving() {
            // A visitor may have renumbered what the list refers to.
            let mut mirrored = Self { places: Vec::new(), list, fields: T::default() };
            std::mem::swap(&mut mirrored.places, &mut self.places);
            mirrored.refresh(ar);
            *self = mirrored;
        }
        Ok(())
    }
}

impl<T: Mirror> Mirrored<T> {
    /// The properties of a list; `ar` knows its names.
    fn of<A: Archive + ?Sized>(list: PropertyList, ar: &A) -> Self {
        let known = |name: Name| {
            let text = ar.context().name_text(&name)?;
            T::NAMES.iter().position(|known| known.eq_ignore_ascii_case(&text))
        };
        let places = list.properties.iter().map(|property| known(property.name())).collect();
        let mut mirrored = Self { fields: T::default(), list, places };
        mirrored.refresh(ar);
        mirrored
    }

    /// Fills the fields from the list.
    fn refresh<A: Archive + ?Sized>(&mut self, ar: &A) {
        let source = ar.context().source();
        let mut slots = self.fields.slots();
        for (property, place) in self.list.properties.iter().zip(&mut self.places) {
            let slot = place.and_then(|place| slots.get_mut(place));
            let taken = slot
                .is_some_and(|slot| slot.take(property.array_index(), property.value(), source));
            if !taken {
                *place = None;
            }
        }
    }

    /// The list as the fields say it.
    fn merged<A: Archive + ?Sized>(&mut self, ar: &A) -> Result<PropertyList> {
        let source = ar.context().source();
        let slots = self.fields.slots();
        let mut stored = vec![0; slots.len()];
        let mut list = PropertyList { properties: Vec::new(), terminator: self.list.terminator };
        for (property, place) in self.list.properties.iter().zip(&self.places) {
            let mut property = property.clone();
            if let Some((place, slot)) = place.and_then(|at| Some((at, slots.get(at)?))) {
                match slot.put(property.array_index(), property.value(), source) {
                    Put::Same => {}
                    Put::Changed(value) => *property.value_mut() = value,
                    Put::Gone => continue,
                }
                stored[place] += 1;
            }
            list.properties.push(property);
        }
        for ((slot, stored), name) in slots.iter().zip(stored).zip(T::NAMES) {
            if slot.count() > stored {
                let reason =
                    format!("the object stores no property {name}, so it can't be changed");
                return Err(ar.error(ErrorKind::Invalid { reason }));
            }
        }
        Ok(list)
    }
}

fn put<T: MirrorValue>(field: Option<&T>, value: &Value, source: &[u8]) -> Put {
    match field {
        None => Put::Gone,
        Some(field) if T::from_value(value, source).as_ref() == Some(field) => Put::Same,
        Some(field) => Put::Changed(field.to_value()),
    }
}

impl<T: MirrorValue> Slot for Option<T> {
    fn take(&mut self, index: u32, value: &Value, source: &[u8]) -> bool {
        let free = index == 0 && self.is_none();
        let taken = T::from_value(value, source).filter(|_| free);
        let is = taken.is_some();
        if is {
            *self = taken;
        }
        is
    }

    fn put(&self, _: u32, value: &Value, source: &[u8]) -> Put {
        put(self.as_ref(), value, source)
    }

    fn count(&self) -> usize {
        usize::from(self.is_some())
    }
}

impl<T: MirrorValue> Slot for BTreeMap<u32, T> {
    fn take(&mut self, index: u32, value: &Value, source: &[u8]) -> bool {
        let free = !self.contains_key(&index);
        match T::from_value(value, source).filter(|_| free) {
            Some(taken) => self.insert(index, taken).is_none(),
            None => false,
        }
    }

    fn put(&self, index: u32, value: &Value, source: &[u8]) -> Put {
        put(self.get(&index), value, source)
    }

    fn count(&self) -> usize {
        self.len()
    }
}

/// Types that are one variant of a value.
macro_rules! plain {
    ($($type:ty => $variant:ident),*) => { $(
        impl MirrorValue for $type {
            fn from_value(value: &Value, _: &[u8]) -> Option<Self> {
                match value {
                    Value::$variant(value) => Some(*value),
                    _ => None,
                }
            }

            fn to_value(&self) -> Value {
                Value::$variant(*self)
            }
        }

        /// A struct of equal fields that is stored without tags.
        impl<const N: usize> MirrorValue for [$type; N] {
            fn from_value(value: &Value, source: &[u8]) -> Option<Self> {
                let Value::Fields(fields) = value else { return None };
                let fields: Option<Vec<$type>> =
                    fields.iter().map(|field| <$type>::from_value(field, source)).collect();
                fields?.try_into().ok()
            }

            fn to_value(&self) -> Value {
                Value::Fields(self.iter().map(MirrorValue::to_value).collect())
            }
        }
    )* };
}

plain!(u8 => Byte, i32 => Int, bool => Bool, f32 => Float, PackageIndex => Object, Name => Name);

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
    fn from_value(value: &Value, _: &[u8]) -> Option<Self> {
        match value {
            Value::Byte(value) => Some(Self::Byte(*value)),
            Value::Name(name) => Some(Self::Name(*name)),
            _ => None,
        }
    }

    fn to_value(&self) -> Value {
        match self {
            Self::Byte(value) => Value::Byte(*value),
            Self::Name(name) => Value::Name(*name),
        }
    }
}

impl MirrorValue for String {
    fn from_value(value: &Value, source: &[u8]) -> Option<Self> {
        match value {
            Value::Str(text) => text.text(source).ok().map(|text| text.into_owned()),
            _ => None,
        }
    }

    fn to_value(&self) -> Value {
        Value::Str(Box::new(FString::new(self)))
    }
}

impl<T: MirrorValue> MirrorValue for Vec<T> {
    fn from_value(value: &Value, source: &[u8]) -> Option<Self> {
        match value {
            Value::Array(values) => {
                values.iter().map(|value| T::from_value(value, source)).collect()
            }
            _ => None,
        }
    }

    fn to_value(&self) -> Value {
        Value::Array(self.iter().map(MirrorValue::to_value).collect())
    }
}

/// What has no type of its own here.
impl MirrorValue for Value {
    fn from_value(value: &Value, _: &[u8]) -> Option<Self> {
        Some(value.clone())
    }

    fn to_value(&self) -> Value {
        self.clone()
    }
}
