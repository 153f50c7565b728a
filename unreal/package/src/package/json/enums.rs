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
use std::sync::Arc;

use serde_json::{Map, Value, json};

use crate::error::{Error, Result};
use crate::package::{ByteEnum, ByteEnums};

/// The key of a property.
pub(super) const ENUM: &str = "enum";
/// The key of the document.
pub(super) const ENUMS: &str = "enums";
/// The numbers that a byte has.
const NUMBERS: usize = 256;
/// The names that an error lists.
const LISTED: usize = 20;

/// The enums of a package whose document is written.
pub(super) struct WrittenEnums<'a> {
    at_hand: Option<&'a dyn ByteEnums>,
    used: RefCell<BTreeMap<String, WrittenEnum>>,
}

/// An enum that the document says, and what it writes for each number that has a name.
struct WrittenEnum {
    source: Arc<ByteEnum>,
    words: Vec<Value>,
}

impl WrittenEnum {
    fn of(source: Arc<ByteEnum>) -> Self {
        let word = |number| source.value(number).map_or(json!(number), |name| json!(name));
        let words = (0..=u8::MAX).take(source.values.len()).map(word).collect();
        Self { source, words }
    }
}

impl<'a> WrittenEnums<'a> {
    pub fn new(at_hand: Option<&'a dyn ByteEnums>) -> Self {
        Self { at_hand, used: RefCell::default() }
    }

    /// The enum of a byte, and its value by name where it has one.
    pub fn word(&self, place: BytePlace<'_>, number: u8) -> Option<(String, Value)> {
        let source = self.at_hand?.enum_of(place.row, place.structure, place.property)?;
        if source.values.len() > NUMBERS {
            return None;
        }
        let mut used = self.used.borrow_mut();
        if !used.contains_key(&source.name) {
            used.insert(source.name.clone(), WrittenEnum::of(source.clone()));
        }
        let written = used.get(&source.name)?;
        // Another enum of this name is said by its numbers.
        if !Arc::ptr_eq(&written.source, &source) && written.source != source {
            return None;
        }
        let word = written.words.get(usize::from(number)).cloned();
        Some((source.name.clone(), word.unwrap_or_else(|| json!(number))))
    }

    /// The enums that were used; `None` for none.
    pub fn table(&self) -> Option<Value> {
        let used = self.used.borrow();
        let names =
            |(name, written): (&String, &WrittenEnum)| (name.clone(), json!(written.source.values));
        let used: Map<_, _> = used.iter().map(names).collect();
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
pub(super) struct ReadEnums(HashMap<String, ReadEnum>);

/// The names of an enum, in lower case, with their numbers; `None` for a name that two numbers have.
#[derive(Debug)]
struct ReadEnum {
    numbers: HashMap<String, Option<u8>>,
    /// The first of the names, for errors.
    first: Vec<String>,
}

impl ReadEnum {
    fn of(names: Vec<Option<String>>) -> Self {
        let mut numbers = HashMap::new();
        for (name, number) in names.iter().zip(0..=u8::MAX) {
            let Some(name) = name else { continue };
            numbers
                .entry(name.to_ascii_lowercase())
                .and_modify(|number| *number = None)
                .or_insert(Some(number));
        }
        let first = names.into_iter().flatten().take(LISTED).collect();
        Self { numbers, first }
    }

    fn number(&self, word: &str) -> Option<u8> {
        self.numbers.get(&word.to_ascii_lowercase()).copied().flatten()
    }
}

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
        let mut enums = HashMap::new();
        for (name, values) in table {
            let wrong = || Error::invalid(format!("'enums.{name}' is no list of names"));
            let values = values.as_array().filter(|values| values.len() <= NUMBERS);
            let text = |value: &Value| match value {
                Value::Null => Ok(None),
                value => value.as_str().map(|text| Some(text.to_owned())).ok_or_else(wrong),
            };
            let names = values.ok_or_else(wrong)?.iter().map(text).collect::<Result<_>>()?;
            enums.insert(name.clone(), ReadEnum::of(names));
        }
        Ok(Self(enums))
    }

    /// The number that a name of an enum means; a number means itself.
    ///
    /// # Errors
    /// `Invalid` for an enum that the document does not have, and for what is no name of it or of two numbers, with
    /// the path of the object.
    pub fn number(&self, name: &str, value: Value, object: &dyn Fn() -> String) -> Result<Value> {
        let Some(names) = self.0.get(name) else {
            let reason = format!(
                "{}: 'enums' of the document has no '{name}': add its names there, or write the number without 'enum'",
                object()
            );
            return Err(Error::invalid(reason));
        };
        let Some(word) = value.as_str() else { return Ok(value) };
        // A name may hold `::` itself; with the enum before it is how UE4 spells values.
        let behind_enum = || {
            let (before, rest) = word.split_at_checked(name.len())?;
            rest.strip_prefix("::").filter(|_| before.eq_ignore_ascii_case(name))
        };
        let number = names.number(word).or_else(|| names.number(behind_enum()?));
        number.map(|number| json!(number)).ok_or_else(|| {
            let more = if names.numbers.len() > names.first.len() { ", …" } else { "" };
            let listed = names.first.join(", ");
            let object = object();
            Error::invalid(format!(
                "{object}: '{word}' is no value of the enum {name}: {listed}{more}"
            ))
        })
    }
}
