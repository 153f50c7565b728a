//! The text of a document: as serde_json reads it, but that no key stands twice.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use super::loader::JsonLoader;
use crate::error::{ErrorKind, Result};

impl JsonLoader<'_> {
    /// Reads the text of a document.
    ///
    /// # Errors
    /// `Invalid` for what is no JSON, nests too deep or has a key twice, with its line and path.
    pub fn parse(text: &[u8]) -> Result<Value> {
        let mut source = serde_json::Deserializer::from_slice(text);
        let parsed = Tree(None).deserialize(&mut source);
        parsed
            .and_then(|value| source.end().map(|()| value))
            .map_err(|error| ErrorKind::Invalid { reason: format!("no JSON: {error}") }.into())
    }
}

/// A value, and the step to it.
struct Tree<'p>(Option<&'p DocumentPlace<'p>>);

/// A step of the path to a value, and those before it: nothing is kept where nothing is wrong.
struct DocumentPlace<'p> {
    key: Result<&'p str, usize>,
    before: Option<&'p DocumentPlace<'p>>,
}

impl fmt::Display for DocumentPlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.before.map_or(Ok(()), |before| before.fmt(f))?;
        match self.key {
            Ok(key) => write!(f, "{}{key}", if self.before.is_some() { "." } else { "" }),
            Err(index) => write!(f, "[{index}]"),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Tree<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Value, D::Error> {
        source.deserialize_any(self)
    }
}

macro_rules! plain {
    ($($visit:ident: $type:ty),*) => { $(
        fn $visit<E>(self, value: $type) -> Result<Value, E> {
            Ok(value.into())
        }
    )* };
}

impl<'de> Visitor<'de> for Tree<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    plain!(visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str,
        visit_string: String);

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut source: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        loop {
            let link = DocumentPlace { key: Err(values.len()), before: self.0 };
            match source.next_element_seed(Tree(Some(&link)))? {
                Some(value) => values.push(value),
                None => return Ok(Value::Array(values)),
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut source: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = source.next_key::<String>()? {
            let link = DocumentPlace { key: Ok(&key), before: self.0 };
            if map.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the key {link} stands twice")));
            }
            let value = source.next_value_seed(Tree(Some(&link)))?;
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}
