//! Going through JSON leaf by leaf.

use std::fmt::Write;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde_json::map::Iter;
use serde_json::{Map, Value};

use super::{ARRAY, BEFORE, HEX, TEXT, key_of};
use crate::archive::{Ahead, Kind};
use crate::primitive::FString;
use crate::version::Versions;

/// What is stored at one place.
#[derive(Debug, Clone)]
pub(super) enum Leaf<'a> {
    Json(&'a Value),
    /// Bytes of a string, or what is left of bytes of which some were taken.
    Bytes(Bytes),
}

#[derive(Debug, Clone)]
enum Level<'a> {
    One(Option<&'a Value>),
    /// What is left of a list, and its length.
    List(std::slice::Iter<'a, Value>, usize),
    /// The same of the elements behind a count.
    Counted(std::slice::Iter<'a, Value>, usize),
    /// What is left of an object, and the key that was taken last.
    Fields(Iter<'a>, Option<&'a str>),
    Ready(Vec<Bytes>),
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
                Level::List(values, _) | Level::Counted(values, _) => values.next(),
                Level::Fields(fields, last) => fields.next().map(|(key, value)| {
                    *last = Some(key);
                    value
                }),
                Level::Ready(bytes) => match bytes.pop() {
                    Some(bytes) => return Some(Leaf::Bytes(bytes)),
                    None => None,
                },
            };
            match value {
                None => drop(self.open.pop()),
                Some(Value::Array(values)) => {
                    self.open.push(Level::List(values.iter(), values.len()));
                }
                Some(Value::Object(map)) if !is_leaf(map) => {
                    self.open.push(Level::Fields(map.iter(), None));
                }
                Some(value) => return Some(Leaf::Json(value)),
            }
        }
    }

    /// The next leaf, which stays; and how many values are left where it is.
    pub fn peek(&self) -> Option<(Leaf<'a>, usize)> {
        self.open.iter().rev().find_map(|level| {
            let (leaf, left) = match level {
                Level::One(value) => (value.and_then(first_leaf), 1),
                Level::List(values, _) | Level::Counted(values, _) => {
                    (values.clone().find_map(first_leaf), values.len())
                }
                Level::Fields(fields, _) => {
                    (fields.clone().find_map(|(_, value)| first_leaf(value)), fields.len())
                }
                Level::Ready(bytes) => return Some((Leaf::Bytes(bytes.last()?.clone()), 1)),
            };
            Some((Leaf::Json(leaf?), left))
        })
    }

    /// What comes next.
    pub fn ahead(&self) -> Ahead {
        let Some((leaf, left)) = self.peek() else { return Ahead::Nothing };
        let Leaf::Json(value) = leaf else { return Ahead::Values(left) };
        let span = [Kind::Payload, Kind::Opaque, Kind::Gap].into_iter().find_map(|kind| {
            let text = value.get(key_of(kind))?.as_str()?.trim_end_matches('=');
            Some(Ahead::Span(kind, text.len() as u64 * 6 / 8))
        });
        span.unwrap_or(Ahead::Values(left))
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
                    let text = string.span().as_owned().unwrap_or_default();
                    let ready = [Bytes::from_static(zero), Bytes::copy_from_slice(text)];
                    self.open.push(Level::Ready(ready.to_vec()));
                }
                Some(length.into())
            }
            Leaf::Json(value) => {
                if let Some(number) = value.get(super::HERE) {
                    return number.as_i64().map(i128::from);
                }
                let elements = value.get(ARRAY)?.as_array()?;
                self.open.push(Level::Counted(elements.iter(), elements.len()));
                if let Some(before) = value.get(BEFORE) {
                    self.open.push(Level::One(Some(before)));
                }
                Some(elements.len() as i128)
            }
            Leaf::Bytes(bytes) => {
                let byte = *bytes.first()?;
                self.back(bytes.slice(1..));
                Some(byte.into())
            }
        }
    }

    /// Bytes that were taken too early come again.
    pub fn back(&mut self, bytes: Bytes) {
        if bytes.is_empty() {
            return;
        }
        match self.open.last_mut() {
            Some(Level::Ready(ready)) => ready.push(bytes),
            _ => self.open.push(Level::Ready(vec![bytes])),
        }
    }

    /// Appends the way to the value that was taken last, as `.key` and `[index]`.
    pub fn append_path(&self, path: &mut String) {
        for level in &self.open {
            // Writing to a String can't fail.
            let _ = match level {
                Level::List(values, length) if values.len() < *length => {
                    write!(path, "[{}]", length - values.len() - 1)
                }
                Level::Counted(values, length) if values.len() < *length => {
                    write!(path, ".{ARRAY}[{}]", length - values.len() - 1)
                }
                Level::Fields(_, Some(key)) => write!(path, ".{key}"),
                _ => Ok(()),
            };
        }
    }
}

/// The first leaf in a value.
fn first_leaf(value: &Value) -> Option<&Value> {
    match value {
        Value::Array(values) => values.iter().find_map(first_leaf),
        Value::Object(map) if !is_leaf(map) => map.values().find_map(first_leaf),
        value => Some(value),
    }
}

/// Whether an object stands for something stored and is no mere container.
fn is_leaf(map: &Map<String, Value>) -> bool {
    map.keys().next().is_some_and(|key| key.starts_with('$'))
}

/// The leaf as bytes that stay as they are.
pub(super) fn span_of(leaf: &Leaf<'_>, kind: Kind) -> Option<Bytes> {
    match (leaf, kind) {
        (leaf, Kind::Text) => bytes_of(leaf),
        (Leaf::Json(value), kind) => {
            let text = value.get(key_of(kind))?.as_str()?;
            STANDARD.decode(text).ok().map(Bytes::from)
        }
        (Leaf::Bytes(_), _) => None,
    }
}

/// The leaf as bytes of a value or of characters.
pub(super) fn bytes_of(leaf: &Leaf<'_>) -> Option<Bytes> {
    match leaf {
        Leaf::Bytes(bytes) => Some(bytes.clone()),
        Leaf::Json(value) => match (value.get(TEXT), value.get(HEX)) {
            (Some(text), _) => text.as_str().map(|text| Bytes::copy_from_slice(text.as_bytes())),
            (_, Some(digits)) => super::unhex(digits.as_str()?).map(Bytes::from),
            _ => None,
        },
    }
}
