//! Values of structs inside native data.

use crate::Archive;
use crate::error::Result;
use crate::property::tagged;
use crate::property::unversioned::UnversionedList;

/// The value of a struct: a list of properties, with tags or in the order of a schema.
///
/// Spec: ue4-5/05 §5.
#[derive(Debug, Clone, PartialEq)]
pub enum StructValue {
    /// With tags.
    Tagged(tagged::PropertyList),
    /// In the order of the schema of a struct.
    Unversioned(UnversionedList),
}

impl Default for StructValue {
    fn default() -> Self {
        Self::Tagged(tagged::PropertyList::default())
    }
}

impl StructValue {
    /// Reads, writes or visits the value of a struct of this name.
    ///
    /// # Errors
    /// Whatever the archive reports; `Unsupported` without mappings.
    pub fn serialize_as<A: Archive + ?Sized>(&mut self, structure: &str, ar: &mut A) -> Result<()> {
        use crate::Archived;
        if ar.is_loading() {
            *self = match ar.versions().unversioned_properties {
                true => Self::Unversioned(UnversionedList::blank(structure)),
                false => Self::default(),
            };
        }
        match self {
            Self::Tagged(list) => list.serialize(ar),
            Self::Unversioned(list) => list.serialize(ar),
        }
    }
}
