//! Changes of a value, and their results.

use crate::property::text::ValueText;
use crate::property::{Type, Value};

/// The change of the value at the path.
#[derive(Debug)]
#[doc(hidden)]
pub enum Change<'a> {
    /// Nothing.
    Read,
    /// It becomes what this text says; added where it is not stored.
    Set(&'a str),
    /// It becomes what this text says, which is parsed already.
    SetText(&'a ValueText),
    /// It goes.
    Remove,
}

impl Change<'_> {
    /// Whether a struct is set of which the text says no field.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Set(text) => text.trim() == "()",
            Self::SetText(ValueText::Group(items)) => items.is_empty(),
            _ => false,
        }
    }

    /// Whether a value is put there.
    pub fn is_set(&self) -> bool {
        matches!(self, Self::Set(_) | Self::SetText(_))
    }
}

/// The value that was found, and the result.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Found {
    /// The value before, and its type.
    pub old: Option<(Value, Type)>,
    /// Its text.
    pub old_text: Option<String>,
    /// The text of the value afterwards.
    pub new_text: Option<String>,
    /// The place of an element that was added.
    pub element: Option<usize>,
}

impl Found {
    /// A value that stays what it is.
    pub fn unchanged(old: Option<(Value, Type)>, text: String) -> Self {
        Self { old, new_text: Some(text.clone()), old_text: Some(text), element: None }
    }
}

/// The state of a value before a change.
#[derive(Debug, Clone, Copy)]
#[doc(hidden)]
pub enum Presence<'a> {
    /// It is stored: what a text leaves out stays.
    Stored,
    /// It is being added; a value of the same property elsewhere shows the form of its elements.
    Added(Option<&'a Value>),
}

impl Presence<'_> {
    /// Whether the value is stored.
    pub fn is_stored(self) -> bool {
        matches!(self, Self::Stored)
    }
}
