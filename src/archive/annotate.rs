//! The archive that explains: which bytes belong to which field.

use std::fmt;
use std::sync::Arc;

use super::{Ahead, Archive, Context, Direction, Kind, Span, Step, Width, Window};
use crate::error::Result;
use crate::primitive::{CompactIndex, Name, PackageIndex};
use crate::version::Versions;

/// The value of a record.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A whole number.
    Integer(i128),
    /// A floating point number.
    Float(f64),
    /// Bytes that are a value, such as a GUID.
    Bytes(Vec<u8>),
    /// The text of a name or string is in [`Record::meaning`]; this is the index.
    Name(i32, i32),
    /// A reference to an import (negative), an export (positive) or nothing (0).
    Object(i32),
    /// Bytes that are kept as they are.
    Span(Kind),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value}"),
            Self::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
            Self::Name(index, 0) => write!(f, "name {index}"),
            Self::Name(index, number) => write!(f, "name {index} number {number}"),
            Self::Object(index) => write!(f, "object {index}"),
            Self::Span(kind) => write!(f, "{}", format!("{kind:?}").to_lowercase()),
        }
    }
}

/// One value and where its bytes are.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// First byte, from the start of the file.
    pub start: u64,
    /// Behind the last byte.
    pub end: u64,
    /// The way to the field, such as `exports[3].object_name`.
    pub path: String,
    /// The stored type: `u32`, `compact`, `name`, `bytes`…
    pub type_name: &'static str,
    /// The value.
    pub value: Value,
    /// What it means: names of flags, the text of a name; empty when the value says it all.
    pub meaning: String,
}

/// Wraps a [`super::Loader`] or [`super::Saver`] and records every value that passes.
pub struct Annotate<'a, A: Archive + ?Sized> {
    inner: &'a mut A,
    records: Vec<Record>,
    path: Vec<Step>,
}

impl<'a, A: Archive + ?Sized> Annotate<'a, A> {
    /// Records what passes through `inner`.
    pub fn new(inner: &'a mut A) -> Self {
        Self { inner, records: Vec::new(), path: Vec::new() }
    }

    /// What was recorded, in the order in which the values passed.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// What was recorded.
    pub fn into_records(self) -> Vec<Record> {
        self.records
    }

    /// The archive that does the work.
    pub fn inner(&mut self) -> &mut A {
        self.inner
    }

    fn written_path(&self) -> String {
        let mut text = String::new();
        for step in &self.path {
            step.append_to(&mut text);
        }
        text
    }

    fn record(&mut self, start: u64, type_name: &'static str, value: Value, meaning: String) {
        let end = self.inner.position();
        let path = self.written_path();
        self.records.push(Record { start, end, path, type_name, value, meaning });
    }
}

impl<A: Archive + ?Sized> fmt::Debug for Annotate<'_, A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Annotate").field("records", &self.records).finish_non_exhaustive()
    }
}

macro_rules! annotate_numbers {
    ($variant:ident: $($type:ty as $wide:ty),*) => { paste::paste! { $(
        fn [<serialize_ $type>](&mut self, value: &mut $type) -> Result<()> {
            let start = self.position();
            self.inner.[<serialize_ $type>](value)?;
            let recorded = Value::$variant(<$wide>::from(*value));
            self.record(start, stringify!($type), recorded, String::new());
            Ok(())
        }
    )* } };
}

impl<A: Archive + ?Sized> Archive for Annotate<'_, A> {
    fn direction(&self) -> Direction {
        self.inner.direction()
    }

    fn versions(&self) -> &Versions {
        self.inner.versions()
    }

    fn set_versions(&mut self, versions: Versions) {
        self.inner.set_versions(versions);
    }

    fn context(&self) -> &Arc<Context> {
        self.inner.context()
    }

    fn position(&self) -> u64 {
        self.inner.position()
    }

    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        let start = self.position();
        self.inner.serialize_bytes(bytes)?;
        if !bytes.is_empty() {
            self.record(start, "bytes", Value::Bytes(bytes.to_vec()), String::new());
        }
        Ok(())
    }

    fn serialize_span(&mut self, span: &mut Span, length: u64, kind: Kind) -> Result<()> {
        let start = self.position();
        self.inner.serialize_span(span, length, kind)?;
        // Nothing to explain where there are no bytes.
        if self.inner.position() > start {
            self.record(start, "span", Value::Span(kind), String::new());
        }
        Ok(())
    }

    fn serialize_name(&mut self, name: &mut Name) -> Result<()> {
        let start = self.position();
        self.inner.serialize_name(name)?;
        let meaning = self.context().name_text(name).unwrap_or_default();
        self.record(start, "name", Value::Name(name.index.value(), name.number), meaning);
        Ok(())
    }

    fn serialize_object(&mut self, index: &mut PackageIndex, width: Width) -> Result<()> {
        let start = self.position();
        self.inner.serialize_object(index, width)?;
        let meaning = match index.value() {
            0 => "null".to_owned(),
            value if value > 0 => format!("export {}", value - 1),
            value => format!("import {}", -1 - i64::from(value)),
        };
        self.record(start, "object", Value::Object(index.value()), meaning);
        Ok(())
    }

    fn open(&mut self, size: u64) -> Result<Window> {
        let window = self.inner.open(size)?;
        Ok(Window { records: self.records.len(), steps: self.path.len(), ..window })
    }

    fn close(&mut self, window: Window, result: Result<()>) -> Result<()> {
        let (records, steps) = (window.records, window.steps);
        let result = self.inner.close(window, result);
        if result.is_err() {
            self.records.truncate(records);
            self.path.truncate(steps);
        }
        result
    }

    fn prefixed(
        &mut self,
        prefix: &mut dyn FnMut(&mut dyn Archive, u64) -> Result<()>,
        value: &mut dyn FnMut(&mut dyn Archive) -> Result<()>,
    ) -> Result<()> {
        let start = self.position();
        let first = self.records.len();
        // A saver writes the value first: its records and bytes change places with the prefix's.
        let (mut size, mut between) = (0, first);
        {
            let shared = std::cell::RefCell::new((&mut self.records, &mut self.path));
            let (size, between) = (&mut size, &mut between);
            let wrap =
                |ar: &mut dyn Archive, inner: &mut dyn FnMut(&mut dyn Archive) -> Result<()>| {
                    let (records, path) = &mut *shared.borrow_mut();
                    let mut annotate = Annotate {
                        inner: ar,
                        records: std::mem::take(*records),
                        path: std::mem::take(*path),
                    };
                    let result = inner(&mut annotate);
                    (**records, **path) = (annotate.records, annotate.path);
                    result
                };
            self.inner.prefixed(
                &mut |ar, bytes| {
                    *size = bytes;
                    *between = shared.borrow().0.len();
                    wrap(ar, &mut |ar| prefix(ar, bytes))
                },
                &mut |ar| wrap(ar, value),
            )?;
        }
        if self.is_saving() {
            let length = self.position() - start - size;
            for record in &mut self.records[first..between] {
                (record.start, record.end) = (record.start + length, record.end + length);
            }
            for record in &mut self.records[between..] {
                (record.start, record.end) = (record.start - size, record.end - size);
            }
            self.records[first..].rotate_left(between - first);
        }
        Ok(())
    }

    fn claim(&mut self, count: u64, element: usize) -> Result<()> {
        self.inner.claim(count, element)
    }

    fn patch(&mut self, at: u64, bytes: &[u8]) -> Result<()> {
        if self.is_saving()
            && let (Some(record), Ok(raw)) =
                (self.records.iter_mut().rev().find(|record| record.start == at), bytes.try_into())
        {
            let big = self.inner.versions().byte_order.is_big();
            let number = if big { u32::from_be_bytes(raw) } else { u32::from_le_bytes(raw) };
            record.value = Value::Integer(number.into());
        }
        self.inner.patch(at, bytes)
    }

    fn as_dyn(&mut self) -> &mut dyn Archive {
        self
    }

    fn enter(&mut self, step: Step) {
        self.path.push(step);
    }

    fn leave(&mut self) {
        self.path.pop();
    }

    fn note(&mut self, meaning: &dyn fmt::Display) {
        if let Some(last) = self.records.last_mut() {
            last.meaning = meaning.to_string();
        }
    }

    fn descend(&mut self) -> Result<()> {
        self.inner.descend()
    }

    fn ascend(&mut self) {
        self.inner.ascend();
    }

    fn peek(&self, length: usize) -> &[u8] {
        self.inner.peek(length)
    }

    fn peek_number(&self, before: &[usize], width: usize) -> Option<u64> {
        self.inner.peek_number(before, width)
    }

    fn taken(&self, start: u64, bytes: &[u8]) -> Span {
        self.inner.taken(start, bytes)
    }

    fn is_settled(&self, at: u64) -> bool {
        self.inner.is_settled(at)
    }

    fn states(&self) -> bool {
        self.inner.states()
    }

    fn choose(&mut self, choice: &mut u8) -> Result<()> {
        self.inner.choose(choice)
    }

    fn ahead(&self) -> Option<Ahead> {
        self.inner.ahead()
    }

    fn explains(&self) -> bool {
        true
    }

    annotate_numbers!(Integer: u8 as i128, i8 as i128, u16 as i128, i16 as i128, u32 as i128,
        i32 as i128, u64 as i128, i64 as i128);
    annotate_numbers!(Float: f32 as f64, f64 as f64);

    fn serialize_soft_row(&mut self, row: &mut i32) -> Result<()> {
        let start = self.position();
        self.inner.serialize_soft_row(row)?;
        let context = self.context();
        let path = usize::try_from(*row).ok().and_then(|row| context.soft_object_paths().get(row));
        let meaning = path.map(|path| path.text(context)).unwrap_or_default();
        self.record(start, "soft", Value::Integer((*row).into()), meaning);
        Ok(())
    }

    fn serialize_compact(&mut self, index: &mut CompactIndex) -> Result<()> {
        let start = self.position();
        self.inner.serialize_compact(index)?;
        let meaning = if index.is_canonical() { String::new() } else { "not canonical".to_owned() };
        self.record(start, "compact", Value::Integer(index.value().into()), meaning);
        Ok(())
    }

    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
        let start = self.position();
        self.inner.serialize_terminated(span)?;
        let meaning = span
            .bytes(self.context().source())
            .map(|bytes| crate::primitive::ansi_text(bytes).into_owned())
            .unwrap_or_default();
        self.record(start, "text", Value::Span(Kind::Text), meaning);
        Ok(())
    }
}
