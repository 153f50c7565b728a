//! The path to a field.

use std::fmt::{self, Write};
use std::sync::Arc;

/// One step of the path to a field, as errors and records keep it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PathStep {
    /// A field of a struct.
    Field(&'static str),
    /// An element of an array.
    Index(usize),
    /// An element that is known by its text, such as a property.
    Name(Arc<str>),
}

impl PathStep {
    /// Appends this step to a written path: `.field`, `[index]` or `.name`.
    pub(crate) fn append_to(&self, path: &mut String) {
        let dot = if path.is_empty() { "" } else { "." };
        // Writing to a String can't fail.
        let _ = match self {
            Self::Field(name) => write!(path, "{dot}{name}"),
            Self::Index(index) => write!(path, "[{index}]"),
            Self::Name(name) => write!(path, "{dot}{name}"),
        };
    }
}

/// A path as it is written: `properties.Skin[2]`.
#[derive(Debug, Clone, Copy)]
pub struct WrittenPath<'a>(pub &'a [PathStep]);

impl fmt::Display for WrittenPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        for step in self.0 {
            step.append_to(&mut text);
        }
        f.write_str(&text)
    }
}
