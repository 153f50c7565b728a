//! Lists of properties without names and types: those are in the mappings.

mod edit;
pub(crate) mod header;

use std::sync::Arc;

use self::header::UnversionedHeader;
use super::TypeOf;
use crate::archive::{Step, in_field};
use crate::error::{Error, ErrorKind, PathStep, Result};
use crate::property::Value;
use crate::property::mappings::{Mappings, Schema, SchemaType};
use crate::{Archive, ArchiveExt, Archived};

/// A property of an unversioned list.
#[derive(Debug, Clone, PartialEq)]
pub struct UnversionedProperty {
    slot: u32,
    name: Arc<str>,
    array_index: u8,
    /// Its value; `None` for zero, which is not stored.
    pub value: Option<Value>,
}

impl UnversionedProperty {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Element of a static array; 0 for a single value.
    pub fn array_index(&self) -> u8 {
        self.array_index
    }

    /// Its place in the schema of the class.
    pub fn slot(&self) -> u32 {
        self.slot
    }
}

/// Properties in the order of the schema of their class, without tags.
///
/// | order | type | field |
/// |---|---|---|
/// | 1 | u16 each | fragments: how many properties are passed over, then how many have values |
/// | 2 | u8, u16, u32 each | bits of those that are zero and not stored |
/// | 3 | | values |
///
/// Spec: ue4-5/04 §7.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct UnversionedList {
    /// The class or struct.
    class: Arc<str>,
    header: UnversionedHeader,
    /// The properties that have values, in the order of the schema.
    pub properties: Vec<UnversionedProperty>,
}

impl UnversionedList {
    /// An empty list of this class, to be loaded.
    pub fn blank(class: &str) -> Self {
        Self { class: class.into(), ..Self::default() }
    }

    /// The class or struct.
    pub fn class(&self) -> &str {
        &self.class
    }

    /// The property of this name; the first element where it is a static array.
    pub fn get(&self, name: &str) -> Option<&UnversionedProperty> {
        self.properties.iter().find(|property| property.name.eq_ignore_ascii_case(name))
    }

    /// The class of a property of the list, for values that are not stored because they are zero.
    #[cfg(feature = "content")]
    pub(crate) fn kind_of(
        &self,
        property: &UnversionedProperty,
        mappings: &Mappings,
    ) -> Option<crate::property::PropertyKind> {
        let schema = mappings.schema(&self.class)?;
        let slot = schema.slots.get(property.slot as usize)?.as_ref()?;
        Some(slot.schema.kind())
    }

    /// The value of a struct.
    pub(super) fn load_struct<A: Archive + ?Sized>(
        schema: &SchemaType,
        mappings: &Mappings,
        ar: &mut A,
    ) -> Result<Self> {
        let name = match schema {
            SchemaType::Struct(name) => *name,
            _ => u32::MAX,
        };
        let schema = mappings.schema_of_name(name).ok_or_else(|| {
            let name = mappings.data().name(name).map_or_else(String::new, |name| name.to_string());
            unknown(&name, ar)
        })?;
        let mut list = Self { class: schema.class.clone(), ..Self::default() };
        list.load(&schema, mappings, ar)?;
        Ok(list)
    }

    fn load<A: Archive + ?Sized>(
        &mut self,
        schema: &Schema,
        mappings: &Mappings,
        ar: &mut A,
    ) -> Result<()> {
        in_field("header", ar, |ar| self.header.serialize(ar))?;
        self.properties.clear();
        let header = std::mem::take(&mut self.header);
        // Zeros take no bytes, but memory; the last ones of a file are few.
        let zeros = header.slots().filter(|(_, zero)| *zero).count();
        if zeros > 0 && !ar.peek(1).is_empty() {
            ar.claim(1, zeros * size_of::<UnversionedProperty>())?;
        }
        let result = header.slots().try_for_each(|(slot, zero)| {
            let Some(Some(known)) = schema.slots.get(slot as usize) else {
                let form = "a property that the mappings do not have";
                return Err(ar.error(ErrorKind::NonCanonical { form }));
            };
            ar.claim(u64::from(!zero), size_of::<UnversionedProperty>())?;
            let mut value = None;
            if !zero {
                let of_type = TypeOf::Schema { schema: &known.schema, mappings, element: false };
                ar.enter(Step::Name(&known.name));
                let loaded = Value::load_typed(of_type, ar);
                ar.leave();
                let within = |error: Error| error.within(PathStep::Name(known.name.clone()));
                value = Some(loaded.map_err(within)?);
            }
            let (name, array_index) = (known.name.clone(), known.array_index);
            self.properties.push(UnversionedProperty { slot, name, array_index, value });
            Ok(())
        });
        self.header = header;
        result
    }
}

/// Loading asks the mappings of the archive's context for the class.
impl Archived for UnversionedList {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            let Some(mappings) = ar.context().mappings().cloned() else {
                let reason = "properties without names need mappings (a .usmap file)".to_owned();
                return Err(ar.error(ErrorKind::Unsupported { reason }));
            };
            let schema = mappings.schema(&self.class).ok_or_else(|| unknown(&self.class, ar))?;
            return self.load(&schema, &mappings, ar);
        }
        let slots =
            self.properties.iter().map(|property| (property.slot, property.value.is_none()));
        let mut header = self.header.describing(slots.clone());
        if !header.slots().eq(slots) {
            let reason = "properties out of the order of their schema".to_owned();
            return Err(ar.error(ErrorKind::Invalid { reason }));
        }
        in_field("header", ar, |ar| header.serialize(ar))?;
        for property in &mut self.properties {
            if let Some(value) = &mut property.value {
                ar.enter(Step::Name(&property.name));
                let result = value.serialize(ar);
                ar.leave();
                let within = |error: Error| error.within(PathStep::Name(property.name.clone()));
                result.map_err(within)?;
            }
        }
        Ok(())
    }
}

#[cold]
fn unknown<A: Archive + ?Sized>(class: &str, ar: &A) -> Error {
    let name = class.to_owned();
    ar.error(ErrorKind::NotFound { what: "schema", name, hint: " in the mappings".to_owned() })
}
