//! Values of enums by their names: a byte of UE1 to UE3 whose tag does not say its enum.
//!
//! | key | says |
//! |---|---|
//! | `enum` of a property | the enum of the byte: its value is a name of it, or a number |
//! | `enums` of the document | the names of each enum that a property says, from 0; null for a number without one |
//!
//! The document is read without anything beside it: a name means the number that its own table gives it. A number
//! whose name another one has as well, or that has none, stays a number.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use serde_json::{Map, Value, json};

use crate::error::{Error, Result};
use crate::package::{ByteEnum, ByteEnums};

/// The key of a property.
pub(super) const ENUM: &str = "enum";
/// The key of the document.
pub(super) const ENUMS: &str = "enums";
/// The numbers that a byte has.
const NUMBERS: usize = 256;

/// The enums of a package whose document is written.
pub(super) struct WrittenEnums<'a> {
    known: Option<&'a dyn ByteEnums>,
    used: RefCell<BTreeMap<String, Value>>,
}

impl<'a> WrittenEnums<'a> {
    pub fn new(known: Option<&'a dyn ByteEnums>) -> Self {
        Self { known, used: RefCell::default() }
    }

    /// The enum of a byte, and its value by name where it has one.
    pub fn word(&self, place: BytePlace<'_>, number: u8) -> Option<(String, Value)> {
        let known = self.known?.enum_of(place.row, place.structure, place.property)?;
        if known.values.len() > NUMBERS {
            return None;
        }
        let names = json!(known.values);
        let mut used = self.used.borrow_mut();
        // Another enum of this name is said by its numbers.
        if *used.entry(known.name.clone()).or_insert_with(|| names.clone()) != names {
            return None;
        }
        let value = known.value(number).map_or(json!(number), |name| json!(name));
        Some((known.name.clone(), value))
    }

    /// The enums that were used; `None` for none.
    pub fn table(&self) -> Option<Value> {
        let used: Map<_, _> = self.used.borrow().clone().into_iter().collect();
        (!used.is_empty()).then_some(Value::Object(used))
    }
}

/// A byte of a package.
#[derive(Debug, Clone, Copy)]
pub(super) struct BytePlace<'a> {
    pub row: usize,
    /// The struct that it is a field of.
    pub structure: Option<&'a str>,
    pub property: &'a str,
}

/// The enums that a document says.
#[derive(Debug, Default)]
pub(super) struct ReadEnums(HashMap<String, ByteEnum>);

impl ReadEnums {
    /// # Errors
    /// `Invalid` for what is no table of names, or has more than a byte has numbers.
    pub fn of(table: &Value) -> Result<Self> {
        let Some(table) = table.as_object() else {
            return match table {
                Value::Null => Ok(Self::default()),
                _ => Err(Error::invalid("'enums' is no object")),
            };
        };
        let mut known = HashMap::new();
        for (name, values) in table {
            let wrong = || Error::invalid(format!("'enums.{name}' is no list of names"));
            let values = values.as_array().filter(|values| values.len() <= NUMBERS);
            let text = |value: &Value| match value {
                Value::Null => Ok(None),
                value => value.as_str().map(|text| Some(text.to_owned())).ok_or_else(wrong),
            };
            let values = values.ok_or_else(wrong)?.iter().map(text).collect::<Result<_>>()?;
            known.insert(name.clone(), ByteEnum { name: name.clone(), values });
        }
        Ok(Self(known))
    }

    /// The number that a name of an enum means; a number means itself.
    ///
    /// # Errors
    /// `Invalid` for an enum that the document does not have, and for what is no name of it or of two numbers, with
    /// the path of the object.
    pub fn number(&self, name: &str, value: Value, object: &dyn Fn() -> String) -> Result<Value> {
        let Some(known) = self.0.get(name) else {
            let object = object();
            let reason = format!("{object}: 'enums' of the document has no '{name}'");
            return Err(Error::invalid(reason));
        };
        let Some(word) = value.as_str() else { return Ok(value) };
        // With the enum before it, as UE4 spells values.
        let word = word.rsplit("::").next().unwrap_or_default();
        let is = |number: &u8| known.value(*number).is_some_and(|it| it.eq_ignore_ascii_case(word));
        match (0..=u8::MAX).find(is) {
            Some(number) => Ok(json!(number)),
            None => {
                let names = (0..=u8::MAX).filter_map(|number| known.value(number));
                let names = names.collect::<Vec<_>>().join(", ");
                let object = object();
                let reason = format!("{object}: '{word}' is no value of the enum {name}: {names}");
                Err(Error::invalid(reason))
            }
        }
    }
}
