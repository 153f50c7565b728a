//! Values of structs inside native data.

use crate::error::Result;
use crate::property::PropertyList;
use crate::{Archive, Archived};

/// The value of a struct: a list of properties.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StructValue {
    /// The properties.
    pub list: PropertyList,
}

impl Archived for StructValue {
    fn serialize<A: Archive + ?Sized>(&mut self, ar: &mut A) -> Result<()> {
        self.list.serialize(ar)
    }
}
