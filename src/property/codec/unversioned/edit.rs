//! Properties that come into unversioned lists, and what zeros stand for.

use super::{UnversionedList, UnversionedProperty};
use crate::Versions;
use crate::property::Value;
use crate::property::mappings::{Mappings, SchemaType};

impl UnversionedList {
    /// The place of a property in the schema of the list's class.
    pub(crate) fn slot_of(&self, name: &str, index: u32, mappings: &Mappings) -> Option<u32> {
        let schema = mappings.schema(self.class())?;
        let is = |slot: &Option<crate::property::mappings::Slot>| {
            slot.as_ref().is_some_and(|slot| {
                slot.name.eq_ignore_ascii_case(name) && u32::from(slot.array_index) == index
            })
        };
        schema.slots.iter().position(is).and_then(|slot| u32::try_from(slot).ok())
    }

    /// Puts a value in its place in the order of the schema.
    pub(crate) fn insert(
        &mut self,
        slot: u32,
        name: &str,
        index: u32,
        value: Value,
        mappings: Option<&Mappings>,
    ) {
        // As the schema spells it.
        let schema = mappings.and_then(|mappings| mappings.schema(self.class()));
        let known = schema.as_ref().and_then(|schema| schema.slots.get(slot as usize)?.as_ref());
        let name = known.map_or_else(|| name.into(), |known| known.name.clone());
        let at = self.properties.partition_point(|property| property.slot < slot);
        let array_index = u8::try_from(index).unwrap_or(u8::MAX);
        let property = UnversionedProperty { slot, name, array_index, value: Some(value) };
        self.properties.insert(at, property);
    }

    /// What a struct that is zero and not stored stands for: all its fields are zero, which is not the
    /// same as none of them being stored. `None` where the value is no such struct, as in versions that
    /// store it in a form of its own.
    pub(crate) fn zero(
        &self,
        slot: u32,
        mappings: &Mappings,
        versions: &Versions,
    ) -> Option<Value> {
        let schema = mappings.schema(self.class())?;
        let SchemaType::Struct(name) = &*schema.slots.get(slot as usize)?.as_ref()?.schema else {
            return None;
        };
        let name = mappings.data().name(*name)?;
        if crate::property::is_native(name, versions) {
            return None;
        }
        let inner = mappings.schema(name)?;
        let mut list = Self::blank(name);
        let known = inner.slots.iter().zip(0_u32..).filter_map(|(known, slot)| {
            let known = known.as_ref()?;
            let (name, array_index) = (known.name.clone(), known.array_index);
            Some(UnversionedProperty { slot, name, array_index, value: None })
        });
        list.properties = known.collect();
        Some(Value::Unversioned(Box::new(list)))
    }
}
