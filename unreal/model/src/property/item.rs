//! A property of a list: what it is called, its type as the list stores it, and its value.

use std::borrow::Cow;
use std::sync::Arc;

use super::codec::{Detail, PropertyTag};
use super::mappings::{Schema, Slot};
use super::{Extensions, PropertyKind, Value};
use crate::archive::Context;
use crate::primitive::{Guid, Name};
use crate::property::PackageContext;

/// One property of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    pub(super) label: Label,
    pub(super) value: Value,
}

/// The part of a property that a list stores beside its value.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Label {
    /// Name and type.
    Tag(Name, PropertyTag),
    /// In a list without tags only that it is there: its place in the schema, which says the name.
    Slot { slot: u32, array_index: u8, name: Arc<str> },
}

impl Label {
    /// The properties of a schema that are stored.
    pub fn of_slots(schema: &Schema) -> impl Iterator<Item = Self> {
        let known = schema.slots.iter().zip(0..);
        known.filter_map(|(known, slot)| Some(Self::of_slot(slot, known.as_ref()?)))
    }

    pub fn of_slot(slot: u32, known: &Slot) -> Self {
        Self::Slot { slot, array_index: known.array_index, name: known.name.clone() }
    }

    /// The property of this name in a schema, or that element of it.
    pub fn of_element(schema: &Schema, wanted: &str, element: u32) -> Option<Self> {
        Self::of_slots(schema).find(|label| match label {
            Self::Slot { array_index, name, .. } => {
                u32::from(*array_index) == element && name.eq_ignore_ascii_case(wanted)
            }
            Self::Tag(..) => false,
        })
    }
}

impl Property {
    pub(super) fn tagged(name: Name, tag: PropertyTag, value: Value) -> Self {
        Self { label: Label::Tag(name, tag), value }
    }

    pub(super) fn tag(&self) -> Option<&PropertyTag> {
        match &self.label {
            Label::Tag(_, tag) => Some(tag),
            Label::Slot { .. } => None,
        }
    }

    /// Its name; `None` in a list without tags, whose schema says the name as text.
    pub fn name(&self) -> Option<Name> {
        match &self.label {
            Label::Tag(name, _) => Some(*name),
            Label::Slot { .. } => None,
        }
    }

    /// The text of its name; `text` gives that of a name of the package.
    pub fn name_text(&self, text: impl FnOnce(Name) -> String) -> Cow<'_, str> {
        match &self.label {
            Label::Tag(name, _) => text(*name).into(),
            Label::Slot { name, .. } => Cow::Borrowed(name),
        }
    }

    /// Its place in the schema of the class, in a list without tags.
    pub fn slot(&self) -> Option<u32> {
        match &self.label {
            Label::Tag(..) => None,
            Label::Slot { slot, .. } => Some(*slot),
        }
    }

    /// Element of a static array; 0 for a single value.
    pub fn array_index(&self) -> i32 {
        match &self.label {
            Label::Tag(_, tag) => tag.array_index,
            Label::Slot { array_index, .. } => (*array_index).into(),
        }
    }

    /// The name of the struct, where its tag says it.
    pub fn struct_name(&self) -> Option<Name> {
        match &self.tag()?.detail {
            Detail::Struct(name, _) => Some(*name),
            Detail::Tree(nodes) => nodes.get(1).map(|node| node.name),
            _ => None,
        }
    }

    /// The names of structs and enums that its tag says.
    #[doc(hidden)]
    pub fn type_names(&self) -> impl Iterator<Item = Name> {
        let (first, nodes) = match self.tag().map(|tag| &tag.detail) {
            Some(Detail::Struct(name, _) | Detail::Enum(name)) => (Some(*name), &[][..]),
            Some(Detail::Tree(nodes)) => (None, nodes.as_slice()),
            _ => (None, &[][..]),
        };
        first.into_iter().chain(nodes.iter().map(|node| node.name))
    }

    /// Whether a name that is its value is that of an enum's value.
    #[doc(hidden)]
    pub fn holds_enum(&self, context: &Context) -> bool {
        let kind = self.tag().map(|tag| context.property_kind(&tag.type_name));
        matches!(kind, Some(PropertyKind::Byte | PropertyKind::Enum))
    }

    /// The property's own GUID.
    pub fn guid(&self) -> Option<Guid> {
        self.tag()?.extra.as_ref()?.guid
    }

    /// How the value overrides an inherited one.
    pub fn extensions(&self) -> Option<Extensions> {
        self.tag()?.extra.as_ref()?.extensions
    }

    /// Its value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Its value, to be changed; the new one must be of the same type.
    pub fn value_mut(&mut self) -> &mut Value {
        &mut self.value
    }
}
