//! The enums of bytes whose tags leave them out.

use std::sync::Arc;

/// An enum whose values are stored in a byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ByteEnum {
    /// Its name.
    pub name: String,
    /// The names of its values by their numbers, at most 256; `None` for a number that has no name.
    pub values: Vec<Option<String>>,
}

impl ByteEnum {
    /// The name of a number that no other number has as well.
    pub fn value(&self, number: u8) -> Option<&str> {
        let name = self.values.get(usize::from(number))?.as_deref()?;
        let same = |other: &&str| other.eq_ignore_ascii_case(name);
        let once = self.values.iter().flatten().map(String::as_str).filter(same).nth(1).is_none();
        once.then_some(name)
    }
}

/// Finds the enums that bytes of UE1 to UE3 are declared with, which their tags leave out.
pub trait ByteEnums {
    /// The enum of a property of the export in this row, or of a field of the struct of this name, which is empty where
    /// nothing says the name; `None` where nothing at hand declares one. Names are compared ignoring case.
    fn enum_of(&self, row: usize, structure: Option<&str>, property: &str)
    -> Option<Arc<ByteEnum>>;
}
