//! Properties after the model of others: stored ones show the types that no declaration at hand has.

use super::codec::PropertyTag;
use super::item::Label;
use super::{Declared, Elements, Place, Property, PropertyKind, Surroundings, Type, Value};
use crate::error::Result;
use crate::version::EngineFacts;

/// The known type of a property that is being added.
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct KnownProperty {
    /// Its type and dimension.
    pub declared: Declared,
    /// The same property as an object or struct of the same type stores it, where only that is known.
    pub sample: Option<Property>,
}

impl Property {
    /// A new property with the tag of another one, and a value without contents of the same form.
    pub(super) fn alike(
        sample: &Self,
        array_index: u32,
        known: &Type,
        around: &mut dyn Surroundings,
    ) -> Result<Option<Self>> {
        let (Label::Tag(name, tag), Ok(index)) = (&sample.label, i32::try_from(array_index)) else {
            return Ok(None);
        };
        let made = match around.versions().has_types_of_elements() {
            true => None,
            // Older tags say less than a type, and their index has a form of its own.
            false => PropertyTag::of_type(known, index, around).ok().flatten(),
        };
        let mut tag = made.unwrap_or_else(|| tag.clone());
        tag.array_index = index;
        if let Some(extra) = &mut tag.extra {
            // How the other one overrides is its own.
            extra.extensions = None;
        }
        let value = sample.value.emptied(known, around)?;
        Ok(Some(Self::tagged(*name, tag, value)))
    }
}

impl Value {
    /// A value of the same form without contents.
    pub(super) fn emptied(&self, known: &Type, around: &mut dyn Surroundings) -> Result<Self> {
        Ok(match self {
            Self::List(list) => Self::List(list.emptied()),
            Self::Array(_) => Self::Array(Elements::default()),
            Self::StructArray(structs) => {
                let mut structs = structs.clone();
                structs.elements = Elements::default();
                Self::StructArray(structs)
            }
            Self::Set(_) => Self::Set(Box::default()),
            Self::Map(_) => Self::Map(Box::default()),
            Self::Optional(_) => Self::Optional(Box::new(None)),
            Self::Instanced(_) => Self::Instanced(Box::default()),
            Self::Text(_) => Self::blank(&Type::new(PropertyKind::Text), Place::Element, around)?,
            Self::SoftObject(_) | Self::SoftObjectIndex(_) => {
                Self::blank(known, Place::Element, around)?
            }
            other => other.clone(),
        })
    }
}
