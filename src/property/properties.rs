//! The properties of an object, however they are stored.

use super::codec::unversioned::UnversionedList;
use super::{Property, PropertyList, Value};
use crate::archive::Context;
use crate::archive::layout::Layout;
use crate::error::Result;
use crate::primitive::Name;
use crate::{Archive, Archived, Described, Versions};

/// The properties of an object.
#[derive(Described, Debug, Clone, PartialEq)]
pub enum Properties {
    /// Each with its name and type.
    Tagged(PropertyList),
    /// In the order of the class's schema.
    Unversioned(UnversionedList),
}

impl Default for Properties {
    fn default() -> Self {
        Self::Tagged(PropertyList::default())
    }
}

impl Properties {
    /// An empty list, to be loaded.
    pub fn blank(class: &str, versions: &Versions) -> Self {
        match versions.unversioned_properties {
            true => Self::Unversioned(UnversionedList::blank(class)),
            false => Self::default(),
        }
    }

    /// The first value of the property of this name.
    pub fn value(&self, name: &str, context: &Context) -> Option<&Value> {
        match self {
            Self::Tagged(list) => {
                let is = |known: &Name| {
                    context.name_text(known).is_some_and(|text| text.eq_ignore_ascii_case(name))
                };
                let found = list.properties.iter().find(|property| is(&property.name()));
                found.map(Property::value)
            }
            Self::Unversioned(list) => list.get(name)?.value.as_ref(),
        }
    }

    /// Calls `each` for every value, also those within others.
    pub fn walk<'a>(&'a self, each: &mut dyn FnMut(&'a Value)) {
        match self {
            Self::Tagged(list) => {
                list.properties.iter().for_each(|property| property.value().walk(each));
            }
            Self::Unversioned(list) => list.walk(each),
        }
    }
}

impl Archived for Properties {
    const LAYOUT: &'static Layout = Self::DESCRIBED;

    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        match self {
            Self::Tagged(list) => list.serialize(ar),
            Self::Unversioned(list) => list.serialize(ar),
        }
    }
}
