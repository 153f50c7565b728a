//! Going through JSON leaf by leaf.

use std::sync::Arc;

use serde_json::map::Values;
use serde_json::{Map, Value};

use super::{ARRAY, HEX, TEXT};
use crate::primitive::FString;
use crate::version::Versions;

/// What is stored at one place.
#[derive(Debug, Clone)]
pub(super) enum Leaf<'a> {
    Json(&'a Value),
    /// Bytes of a string, or what is left of bytes of which some were taken.
    Bytes(Arc<[u8]>),
}

#[derive(Debug, Clone)]
enum Level<'a> {
    One(Option<&'a Value>),
    List(std::slice::Iter<'a, Value>),
    Fields(Values<'a>),
    Ready(Vec<Arc<[u8]>>),
}

/// A place in a JSON document, in front of a leaf. Cheap to clone: trying costs no more than going on.
#[derive(Debug, Clone)]
pub(super) struct Cursor<'a> {
    open: Vec<Level<'a>>,
}

impl<'a> Cursor<'a> {
    pub fn new(value: &'a Value) -> Self {
        Self { open: vec![Level::One(Some(value))] }
    }

    /// The next leaf, containers being opened on the way.
    pub fn next(&mut self) -> Option<Leaf<'a>> {
        loop {
            let value = match self.open.last_mut()? {
                Level::One(value) => value.take(),
                Level::List(values) => values.next(),
                Level::Fields(values) => values.next(),
                Level::Ready(bytes) => match bytes.pop() {
                    Some(bytes) => return Some(Leaf::Bytes(bytes)),
                    None => None,
                },
            };
            match value {
                None => drop(self.open.pop()),
                Some(Value::Array(values)) => self.open.push(Level::List(values.iter())),
                Some(Value::Object(map)) if !is_leaf(map) => {
                    self.open.push(Level::Fields(map.values()));
                }
                Some(value) => return Some(Leaf::Json(value)),
            }
        }
    }

    /// The leaf as a whole number; what a count stands before is opened.
    pub fn integer(&mut self, leaf: &Leaf<'a>, versions: &Versions) -> Option<i128> {
        match leaf {
            Leaf::Json(Value::Number(number)) => number.as_i128(),
            Leaf::Json(Value::String(text)) => {
                let string = FString::new_in(text, versions.byte_order, versions.game);
                let length = string.stored_length().value();
                if length != 0 {
                    let zero: &[u8] = if length > 0 { &[0] } else { &[0, 0] };
                    let bytes = string.span().as_owned().unwrap_or_default().into();
                    self.open.push(Level::Ready(vec![zero.into(), bytes]));
                }
                Some(length.into())
            }
            Leaf::Json(value) => {
                if let Some(number) = value.get(super::HERE) {
                    return number.as_i64().map(i128::from);
                }
                let elements = value.get(ARRAY)?.as_array()?;
                self.open.push(Level::List(elements.iter()));
                Some(elements.len() as i128)
            }
            Leaf::Bytes(bytes) => match bytes.split_first()? {
                (byte, []) => Some((*byte).into()),
                (byte, rest) => {
                    self.back(rest);
                    Some((*byte).into())
                }
            },
        }
    }

    /// Bytes that were taken too early come again.
    pub fn back(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.open.push(Level::Ready(vec![bytes.into()]));
        }
    }
}

/// Whether an object stands for something stored and is no mere container.
fn is_leaf(map: &Map<String, Value>) -> bool {
    map.keys().next().is_some_and(|key| key.starts_with('$'))
}

/// The leaf as bytes of a value or of characters.
pub(super) fn bytes_of(leaf: &Leaf<'_>) -> Option<Arc<[u8]>> {
    match leaf {
        Leaf::Bytes(bytes) => Some(bytes.clone()),
        Leaf::Json(value) => match (value.get(TEXT), value.get(HEX)) {
            (Some(text), _) => text.as_str().map(|text| text.as_bytes().into()),
            (_, Some(digits)) => super::unhex(digits.as_str()?).map(Arc::from),
            _ => None,
        },
    }
}
