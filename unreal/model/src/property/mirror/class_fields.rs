//! Structs whose fields are properties.

use std::fmt;

use super::FieldSlot;

/// A struct whose fields are the properties of a class, or the fields of a struct.
pub trait Mirror: Default + Clone + PartialEq + fmt::Debug {
    /// The names of the properties, in the order of [`Mirror::slots`].
    const NAMES: &'static [&'static str];

    /// Elements of each property: 1 for a single value, more for a static array.
    const DIMENSIONS: &'static [u32];

    /// The fields.
    fn slots(&mut self) -> Vec<&mut dyn FieldSlot>;
}
