//! What the leaves of a document say: numbers, names, objects, bytes.

use std::collections::HashSet;

use bytes::Bytes;
use serde_json::Value;

use super::JsonLoader;
use crate::archive::json::cursor::{Cursor, Leaf, span_of};
use crate::archive::json::{BITS, COMPACT, HERE, NAME, NUMBER, key_of, unhex};
use crate::archive::{Archive, CompactIndex, Kind};
use crate::error::{Error, ErrorKind, Result};

impl<'a> JsonLoader<'a> {
    pub(super) fn leaf(&mut self) -> Result<Leaf<'a>> {
        match self.cursor.next() {
            Some(leaf) => Ok(leaf),
            None => {
                Err(self
                    .failure(ErrorKind::UnexpectedEnd { needed: 1, remaining: self.remaining() }))
            }
        }
    }

    #[cold]
    pub(super) fn unexpected(&self, leaf: &Leaf<'_>, wanted: &str) -> Error {
        let mut found = match leaf {
            Leaf::Json(value) => value.to_string(),
            Leaf::Bytes(bytes) => format!("{} bytes", bytes.len()),
        };
        if let Some((cut, _)) = found.char_indices().nth(60) {
            found.truncate(cut);
            found.push('…');
        }
        let reason = format!("the JSON has {found} where {wanted} belongs");
        self.failure(ErrorKind::Invalid { reason })
    }

    pub(super) fn integer(&mut self) -> Result<i128> {
        let leaf = self.leaf()?;
        if let Leaf::Json(value) = &leaf
            && value.get(HERE).is_some()
        {
            self.settled.insert(self.position());
        }
        let versions = self.counter.versions();
        match self.cursor.integer(&leaf, versions) {
            Some(number) => Ok(number),
            None => Err(self.unexpected(&leaf, "a number")),
        }
    }

    /// A compact index or what may be stored as one.
    pub(super) fn index(&mut self) -> Result<CompactIndex> {
        let mut ahead = self.cursor.clone();
        if let Some(leaf @ Leaf::Json(value)) = ahead.next()
            && let Some(digits) = value.get(COMPACT)
        {
            let bytes = digits.as_str().and_then(unhex).unwrap_or_default();
            self.cursor = ahead;
            return match CompactIndex::decode(&bytes) {
                Some((index, length)) if length == bytes.len() => Ok(index),
                _ => Err(self.unexpected(&leaf, "a compact index")),
            };
        }
        let value = self.integer()?;
        let fitting = i32::try_from(value);
        let number =
            fitting.map_err(|_| self.failure(ErrorKind::OutOfRange { value, bits: 32 }))?;
        Ok(CompactIndex::new(number))
    }

    /// A name by its text, or by its row where the text does not say that.
    pub(super) fn name(&mut self) -> Result<(CompactIndex, i32)> {
        let leaf = self.leaf()?;
        let Leaf::Json(value) = leaf else { return Err(self.unexpected(&leaf, "a name")) };
        match (value.as_str(), value.get(NAME)) {
            (Some(text), _) => match self.texts.row(text) {
                Some(row) => Ok((CompactIndex::new(row), 0)),
                None => {
                    let (name, hint) = (text.to_owned(), "; add it to the names".to_owned());
                    Err(self.failure(ErrorKind::NotFound { what: "name", name, hint }))
                }
            },
            (None, Some(row)) => {
                let mut inner = JsonLoader { cursor: Cursor::new(row), ..self.fork() };
                let index = inner.index().map_err(|error| error.in_document(self.path()))?;
                let number = value.get(NUMBER).and_then(Value::as_i64).map(i32::try_from);
                let Some(Ok(number)) = number else { return Err(self.unexpected(&leaf, "a name")) };
                Ok((index, number))
            }
            _ => Err(self.unexpected(&leaf, "a name")),
        }
    }

    /// An object by its path, or by its index.
    pub(super) fn object(&mut self) -> Result<CompactIndex> {
        let mut ahead = self.cursor.clone();
        let Some(Leaf::Json(Value::String(path))) = ahead.next() else {
            return self.index();
        };
        self.cursor = ahead;
        self.texts.index(path).map(CompactIndex::new).ok_or_else(|| {
            let hint = "; it is neither an export nor an import of the package".to_owned();
            self.failure(ErrorKind::NotFound { what: "object", name: path.clone(), hint })
        })
    }

    pub(super) fn float(&mut self) -> Result<Result<f64, u64>> {
        let leaf = self.leaf()?;
        let number = match &leaf {
            Leaf::Json(value) => match value.get(BITS) {
                Some(bits) => bits.as_u64().map(Err),
                None => value.as_f64().map(Ok),
            },
            Leaf::Bytes(_) => None,
        };
        number.ok_or_else(|| self.unexpected(&leaf, "a floating point number"))
    }

    /// Bytes that a span is made of: what stands there decides how many, unless sizes count.
    pub(super) fn span_bytes(&mut self, length: u64, kind: Kind) -> Result<Bytes> {
        let mut ahead = self.cursor.clone();
        let leaf = ahead.next();
        let bytes = leaf.as_ref().and_then(|leaf| span_of(leaf, kind));
        match bytes {
            Some(bytes) if length == bytes.len() as u64 || self.end.is_none() && length > 0 => {
                self.cursor = ahead;
                Ok(bytes)
            }
            _ if length == 0 || self.end.is_none() && kind == Kind::Opaque => Ok(Bytes::new()),
            _ => {
                self.cursor = ahead;
                let leaf = leaf.unwrap_or(Leaf::Json(&Value::Null));
                Err(self.unexpected(&leaf, &format!("'{}' of {length} bytes", key_of(kind))))
            }
        }
    }

    /// A loader of something apart.
    fn fork(&self) -> Self {
        Self {
            cursor: self.cursor.clone(),
            place: self.place.clone(),
            counter: self.counter.clone(),
            settled: HashSet::new(),
            windows: Vec::new(),
            ..*self
        }
    }
}
