//! Leaves of a document: numbers, rows, bytes.

use std::borrow::Cow;

use data_encoding::BASE64;
use serde_json::Value;

use super::frame::Node;
use super::keys::{BITS, COMPACT, NUMBER, ROW, bytes_of, key_of};
use super::loader::JsonLoader;
use crate::archive::{CompactIndex, Kind, Space, unhex};
use crate::error::{Error, ErrorKind, Noun, Result};

/// A leaf of the document, or one that was made of a text.
type Leaf<'a> = Cow<'a, Value>;

impl<'a> JsonLoader<'a> {
    pub(super) fn leaf(&mut self) -> Result<Leaf<'a>> {
        if let Some(fault) = self.fault.take() {
            return Err(fault);
        }
        match self.top().leaf() {
            Node::Json(value) => Ok(Cow::Borrowed(value)),
            Node::Made(value) => Ok(Cow::Owned(value)),
            Node::Missing => Err(self.missing()),
        }
    }

    #[cold]
    pub(super) fn missing(&self) -> Error {
        let open = self.frames.get(..self.depth).unwrap_or_default();
        let around = open.iter().rfind(|frame| frame.is_there());
        let others = around.map_or_else(Vec::new, |around| around.names());
        let mut reason = "missing".to_owned();
        for (at, other) in others.iter().take(3).enumerate() {
            reason += &format!("{} '{other}'", if at == 0 { "; not read yet:" } else { "," });
        }
        self.invalid(reason)
    }

    #[cold]
    pub(super) fn unexpected(&self, leaf: &Value, wanted: &str) -> Error {
        let mut found = leaf.to_string();
        if let Some((cut, _)) = found.char_indices().nth(60) {
            found.truncate(cut);
            found.push('…');
        }
        self.invalid(format!("the JSON has {found} where {wanted} belongs"))
    }

    pub(super) fn integer(&mut self) -> Result<i128> {
        if let Some(count) = self.top().count_of_bytes() {
            return Ok(count as i128);
        }
        let (names, is_truth) = (self.names.take(), std::mem::take(&mut self.is_truth));
        let leaf = self.leaf()?;
        match (&*leaf, names) {
            (Value::Bool(truth), _) if is_truth => Ok(i128::from(*truth)),
            (Value::String(name), Some(names)) => self.variant(name, &names),
            _ if is_truth => Err(self.unexpected(&leaf, "true or false")),
            _ => self.number(&leaf),
        }
    }

    /// The number of a variant.
    fn variant(&self, name: &str, names: &[(&'static str, i64)]) -> Result<i128> {
        let value = names.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
        value.map(i128::from).ok_or_else(|| {
            let all: Vec<_> = names.iter().map(|(name, _)| format!("'{name}'")).collect();
            self.invalid(format!("unknown variant '{name}': it is one of {}", all.join(", ")))
        })
    }

    /// A number; where an array stands, that of its elements, which come next.
    fn number(&mut self, leaf: &Leaf<'a>) -> Result<i128> {
        if let Cow::Borrowed(Value::Array(elements)) = leaf {
            self.top().counts(elements);
            return Ok(elements.len() as i128);
        }
        let number = match &**leaf {
            Value::Number(number) => number.as_i128(),
            _ => None,
        };
        number.ok_or_else(|| self.unexpected(leaf, "a number"))
    }

    /// A compact index or what may be stored as one.
    pub(super) fn index(&mut self) -> Result<CompactIndex> {
        match self.top().count_of_bytes() {
            Some(count) => self.fitting(count as i128),
            None => {
                let leaf = self.leaf()?;
                self.index_of(&leaf)
            }
        }
    }

    fn index_of(&mut self, leaf: &Leaf<'a>) -> Result<CompactIndex> {
        let Some(digits) = leaf.get(COMPACT) else {
            let number = self.number(leaf)?;
            return self.fitting(number);
        };
        let bytes = digits.as_str().and_then(unhex).unwrap_or_default();
        match CompactIndex::decode(&bytes) {
            Some((index, length)) if length == bytes.len() => Ok(index),
            _ => Err(self.unexpected(leaf, "a compact index")),
        }
    }

    fn fitting(&self, value: i128) -> Result<CompactIndex> {
        let number = i32::try_from(value);
        let number = number.map_err(|_| self.failure(ErrorKind::OutOfRange { value, bits: 32 }))?;
        Ok(CompactIndex::new(number))
    }

    /// A row by its text or as a number, and the number beside it.
    pub(super) fn row(&mut self, space: &Space) -> Result<(CompactIndex, i32)> {
        let leaf = self.leaf()?;
        let (row, number) = match leaf.get(ROW) {
            None => (leaf.clone(), 0),
            Some(row) => {
                let number = leaf.get(NUMBER).and_then(Value::as_i64).map(i32::try_from);
                let Some(Ok(number)) = number else {
                    return Err(self.unexpected(&leaf, "a row with its number"));
                };
                (Cow::Owned(row.clone()), number)
            }
        };
        let Value::String(text) = &*row else {
            let is_row = matches!(&*row, Value::Number(row) if row.as_i128().is_some());
            if !is_row && row.get(COMPACT).is_none() {
                return Err(self.unexpected(&row, &format!("the {}, or its row,", space.label)));
            }
            return Ok((self.index_of(&row)?, number));
        };
        // A number may stand beside a row, also 0 beside one whose text looks as if it had one, or in the text.
        let found = match leaf.get(ROW) {
            None => self.texts.numbered_row(space, text),
            Some(_) => self.texts.row(space, text).map(|row| (row, number)),
        };
        match found {
            Some((row, number)) => Ok((CompactIndex::new(row), number)),
            None => {
                let hint = format!("; the package has no such {}: add it first", space.label);
                let (what, name) = (Noun::named(space.label), text.clone());
                Err(self.failure(ErrorKind::NotFound { what, name, hint }))
            }
        }
    }

    pub(super) fn float(&mut self) -> Result<Result<f64, u64>> {
        let leaf = self.leaf()?;
        let number = match leaf.get(BITS) {
            Some(bits) => bits.as_u64().map(Err),
            None => leaf.as_f64().map(Ok),
        };
        number.ok_or_else(|| self.unexpected(&leaf, "a floating point number"))
    }

    /// Bytes that a span is made of: what stands there decides how many.
    pub(super) fn span_bytes(&mut self, length: u64, kind: Kind) -> Result<Vec<u8>> {
        let bytes = self.top().ahead().and_then(|leaf| match kind {
            Kind::Text => bytes_of(leaf),
            kind => {
                let text = leaf.get(key_of(kind))?.as_str()?;
                // What several texts in a row say is written as one.
                let bytes = BASE64.decode(text.as_bytes()).ok()?;
                (BASE64.encode_len(bytes.len()) == text.len()).then_some(bytes)
            }
        });
        match bytes {
            Some(bytes) => self.leaf().map(|_| bytes),
            None if length == 0 || kind == Kind::Opaque => Ok(Vec::new()),
            None => {
                let leaf = self.leaf()?;
                Err(self.unexpected(&leaf, &format!("'{}' of {length} bytes", key_of(kind))))
            }
        }
    }
}
