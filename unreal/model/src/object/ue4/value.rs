//! Values of structs inside native data.

use crate::error::Result;
use crate::property::PropertyList;
use crate::{Archive, ArchiveExt, Archived};

/// The value of a struct: a list of properties, with tags or in the order of a schema.
///
/// Spec: ue4-5/05 §5.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StructValue {
    /// The properties.
    pub properties: PropertyList,
}

impl StructValue {
    /// Reads, writes or visits the value of a struct of this name.
    ///
    /// # Errors
    /// Whatever the archive reports; `Unsupported` without mappings.
    pub fn serialize_as<A: Archive + ?Sized>(&mut self, structure: &str, ar: &mut A) -> Result<()> {
        if ar.is_loading() {
            self.properties = PropertyList::blank(structure, ar.versions());
        }
        self.properties.serialize(ar)
    }
}
