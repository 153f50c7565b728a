//! Values from text, as their type and what they replace say.

mod container;
mod structure;
mod word;

use container::{read_array, read_map};
use structure::read_struct;
use word::read_word;

use super::edit::Change;
use super::format::Lookup;
use super::text::Text;
use super::{Declared, PropertyType, Value};
use crate::error::Result;

/// How a value is read: its declaration, the value that it replaces, whether it has a tag of its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'a> {
    pub declared: &'a Declared,
    pub property: &'a PropertyType,
    pub old: Option<&'a Value>,
    pub tagged: bool,
}

impl<'a> Wanted<'a> {
    /// An element or field of what is read.
    fn part(declared: &'a Declared, property: &'a PropertyType, old: Option<&'a Value>) -> Self {
        Self { declared, property, old, tagged: false }
    }
}

/// The whole text of a value: strings, names and objects may stand there without quotes.
pub(super) fn read_whole(text: &str, wanted: Wanted<'_>, lookup: &mut dyn Lookup) -> Result<Value> {
    let bare = matches!(
        wanted.property,
        PropertyType::Str | PropertyType::FixedString | PropertyType::Name
    );
    let parsed = match text.trim_start().starts_with('"') {
        false if bare && *wanted.property == PropertyType::Name => Text::Plain(text.trim().into()),
        false if bare => Text::Plain(text.to_owned()),
        _ => Text::parse(text)?,
    };
    read(&parsed, wanted, lookup)
}

/// A value of the wanted type from its text.
fn read(text: &Text, wanted: Wanted<'_>, lookup: &mut dyn Lookup) -> Result<Value> {
    match wanted.property {
        PropertyType::Array(element) => read_array(text, element.as_deref(), wanted, lookup),
        PropertyType::Map(pair) => read_map(text, pair.as_deref(), wanted, lookup),
        PropertyType::Struct(name) => read_struct(text, name, wanted, lookup),
        // Mass Effect 3 stores vectors where others store floats.
        PropertyType::Float if matches!(wanted.old, Some(Value::Fields(_))) => {
            read_struct(text, "Vector", wanted, lookup)
        }
        _ => read_word(text, wanted, lookup),
    }
}

/// Reads what a change says.
pub(super) fn read_change(
    change: &Change<'_>,
    wanted: Wanted<'_>,
    lookup: &mut dyn Lookup,
) -> Result<Option<Value>> {
    match change {
        Change::Set(text) => read_whole(text, wanted, lookup).map(Some),
        Change::SetText(text) => read(text, wanted, lookup).map(Some),
        Change::Read | Change::Remove => Ok(None),
    }
}
