//! The way to a field.

use std::fmt::Write;
use std::sync::Arc;

use super::Archive;
use crate::error::Result;

/// One step of the way to a field.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// A field of a struct.
    Field(&'static str),
    /// An element of an array.
    Index(usize),
    /// An element that is known by its text, such as a property.
    Name(Arc<str>),
}

impl Step {
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

/// Runs `inner` inside the step of a field, for layouts that are written by hand.
///
/// # Errors
/// Those of `inner`, with the field on their way.
#[inline]
pub(crate) fn in_field<A: Archive + ?Sized, R>(
    name: &'static str,
    ar: &mut A,
    inner: impl FnOnce(&mut A) -> Result<R>,
) -> Result<R> {
    ar.enter(Step::Field(name));
    let result = inner(ar);
    ar.leave();
    result.map_err(|error| error.in_field(name))
}
