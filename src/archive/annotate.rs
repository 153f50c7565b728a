//! The archive that explains: which bytes belong to which field.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::ext::number_of;
use super::{
    Archive, ArchiveExt, CompactIndex, Context, Direction, Extent, Kind, Patch, Reference, Role,
    Space, Span, Step, Target, Window,
};
use crate::error::{PathStep, Result, WrittenPath};
use crate::version::Versions;

/// The value of a record.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordValue {
    /// A whole number.
    Integer(i128),
    /// A floating point number.
    Float(f64),
    /// Bytes that are a value, such as a GUID.
    Bytes(Vec<u8>),
    /// A reference; what it means is in [`Record::meaning`].
    Reference {
        /// The table that it points into.
        space: &'static Space,
        /// The row.
        row: i32,
        /// The number beside the row; 0 where there is none.
        number: i32,
    },
    /// Bytes that are kept as they are.
    Span(Kind),
}

impl fmt::Display for RecordValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Integer(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value}"),
            Self::Bytes(bytes) => bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}")),
            Self::Reference { space, row, number: 0 } => write!(f, "{} {row}", space.label),
            Self::Reference { space, row, number } => {
                write!(f, "{} {row} number {number}", space.label)
            }
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
    /// The path of the field, such as `exports[3].object_name`.
    pub path: String,
    /// The stored type: `u32`, `compact`, `name`, `bytes`…
    pub type_name: &'static str,
    /// The value.
    pub value: RecordValue,
    /// Its meaning: names of flags, the text of a name; empty when the value says it all.
    pub meaning: String,
    /// What it is for, where it says nothing by itself. Known when it passes a saver alone: only what was loaded
    /// tells whether a position is one that is made anew.
    pub role: Option<Role>,
}

/// Wraps a [`super::Loader`] or [`super::Saver`] and records every value that passes.
pub struct Annotate<'a, A: Archive + ?Sized> {
    inner: &'a mut A,
    records: Vec<Record>,
    /// Records of values at places of their own: those around them stay in the order of their bytes.
    elsewhere: Vec<Record>,
    path: Vec<PathStep>,
    /// Roles of the fields that are open, with the steps of the path that lead there.
    roles: Vec<(usize, Role)>,
    /// Who takes records as soon as nothing can change them any more.
    sink: Option<Sink<'a>>,
}

/// Takes the records of some of the bytes.
struct Sink<'a> {
    range: Range<u64>,
    take: &'a mut dyn FnMut(Record),
    /// Parts that are open: what is recorded in them goes again where they fail.
    parts: u32,
    /// Whether the last value had no byte in the range.
    skipped: bool,
}

impl<'a, A: Archive + ?Sized> Annotate<'a, A> {
    /// Records what passes through `inner`.
    #[inline]
    pub fn new(inner: &'a mut A) -> Self {
        let (records, elsewhere, path, roles) = Default::default();
        Self { inner, records, elsewhere, path, roles, sink: None }
    }

    /// Hands the records of values that have bytes in `range` to `take`, one after the other as they are read
    /// from `inner`, and keeps none: memory is bounded by the largest part ([`ArchiveExt::part`]). The last ones
    /// come with [`Annotate::finish`].
    #[inline]
    pub fn streaming(inner: &'a mut A, range: Range<u64>, take: &'a mut dyn FnMut(Record)) -> Self {
        let sink = Sink { range, take, parts: 0, skipped: false };
        let (records, elsewhere, path, roles) = Default::default();
        Self { inner, records, elsewhere, path, roles, sink: Some(sink) }
    }

    /// The records, in the order in which the values passed; without those at places of their own, which
    /// [`Annotate::into_records`] has.
    #[inline]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The records, in the order of the bytes.
    #[inline]
    pub fn into_records(mut self) -> Vec<Record> {
        if !self.elsewhere.is_empty() {
            self.records.append(&mut self.elsewhere);
            self.records.sort_by_key(|record| record.start);
        }
        self.records
    }

    /// Hands on what is left, where records are handed on.
    #[inline]
    pub fn finish(mut self) {
        if let Some(sink) = &mut self.sink {
            sink.parts = 0;
        }
        self.hand_on();
    }

    /// The archive that does the work.
    #[inline]
    pub fn inner(&mut self) -> &mut A {
        self.inner
    }

    fn record(&mut self, start: u64, type_name: &'static str, value: RecordValue, meaning: String) {
        let end = self.inner.position();
        self.hand_on();
        if self.skips(start) {
            return;
        }
        let path = WrittenPath(&self.path).to_string();
        // Where a field has failed its steps are gone.
        while self.roles.last().is_some_and(|(steps, _)| *steps > self.path.len()) {
            self.roles.pop();
        }
        let role = self.roles.last().map(|(_, role)| *role);
        self.records.push(Record { start, end, path, type_name, value, meaning, role });
    }

    /// Whether the value that starts here and was just read is in no wanted range.
    fn skips(&mut self, start: u64) -> bool {
        let end = self.inner.position();
        let Some(sink) = &mut self.sink else { return false };
        sink.skipped = end <= sink.range.start || start >= sink.range.end;
        sink.skipped
    }

    /// Hands on what nothing can change any more.
    fn hand_on(&mut self) {
        if let Some(sink) = self.sink.as_mut().filter(|sink| sink.parts == 0) {
            self.records.drain(..).for_each(|record| (sink.take)(record));
        }
    }

    fn explain(&mut self, meaning: String) {
        if self.sink.as_ref().is_some_and(|sink| sink.skipped) {
            return;
        }
        if let Some(last) = self.records.last_mut().filter(|_| !meaning.is_empty()) {
            last.meaning = meaning;
        }
    }

    fn assign(&mut self, role: Role) {
        if !self.inner.is_saving() || self.sink.as_ref().is_some_and(|sink| sink.skipped) {
            return;
        }
        if role.is_of_field() {
            self.roles.push((self.path.len(), role));
        } else if let Some(last) = self.records.last_mut() {
            last.role = Some(role);
        }
    }

    /// A number was written again: the record shows the new one.
    fn overwritten(&mut self, at: u64, bytes: &[u8]) {
        let record = self.records.iter_mut().rev().find(|record| record.start == at);
        if let Some(record) = record
            && bytes.len() <= 8
        {
            let number = number_of(bytes, self.inner.versions().byte_order);
            record.value = RecordValue::Integer(number.into());
        }
    }

    /// Moves the bytes that were written from `from` on to `at`, with their records.
    fn moved(&mut self, at: u64, from: u64) {
        let end = self.inner.position();
        let first = self.records.partition_point(|record| record.start < at);
        let moved = self.records.partition_point(|record| record.start < from);
        let (forward, back) = (end.saturating_sub(from), from.saturating_sub(at));
        for record in self.records.get_mut(first..moved).unwrap_or_default() {
            (record.start, record.end) = (record.start + forward, record.end + forward);
        }
        for record in self.records.get_mut(moved..).unwrap_or_default() {
            (record.start, record.end) = (record.start - back, record.end - back);
        }
        if let Some(both) = self.records.get_mut(first..) {
            both.rotate_left(moved.saturating_sub(first));
        }
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
            let recorded = RecordValue::$variant(<$wide>::from(*value));
            self.record(start, stringify!($type), recorded, String::new());
            Ok(())
        }
    )* } };
}

/// Functions that archives around another one leave to that.
#[doc(hidden)]
#[macro_export]
macro_rules! pass_on {
    () => {
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

        fn reserve(&mut self, bytes: u64, memory: u64) -> Result<()> {
            self.inner.reserve(bytes, memory)
        }

        fn peek(&self, length: usize) -> &[u8] {
            self.inner.peek(length)
        }

        fn as_dyn(&mut self) -> &mut dyn Archive {
            self
        }
    };
}

impl<A: Archive + ?Sized> Archive for Annotate<'_, A> {
    pass_on!();

    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        let start = self.position();
        self.inner.serialize_bytes(bytes)?;
        if !bytes.is_empty() {
            self.record(start, "bytes", RecordValue::Bytes(bytes.to_vec()), String::new());
        }
        Ok(())
    }

    fn serialize_span(&mut self, span: &mut Span, length: u64, kind: Kind) -> Result<()> {
        let start = self.position();
        self.inner.serialize_span(span, length, kind)?;
        // Nothing to explain where there are no bytes.
        if self.inner.position() > start {
            self.record(start, "span", RecordValue::Span(kind), String::new());
        }
        Ok(())
    }

    fn reference(&mut self, reference: Reference<'_>) -> Result<()> {
        let Reference { space, target } = reference;
        let Target::Row { row, width, mut number } = target else {
            return self.inner.reference(Reference { space, target });
        };
        let start = self.position();
        let beside = number.as_deref_mut();
        let inner = Target::Row { row: &mut *row, width, number: beside };
        self.inner.reference(Reference { space, target: inner })?;
        // A form without bytes has nothing to show.
        if self.inner.position() > start {
            let (row, number) = (row.value(), number.map_or(0, |number| *number));
            if self.skips(start) {
                return Ok(());
            }
            let meaning = (space.text)(self.context(), row, number);
            self.record(start, space.label, RecordValue::Reference { space, row, number }, meaning);
        }
        Ok(())
    }

    fn open(&mut self, extent: Extent) -> Result<Window> {
        let window = self.inner.open(extent)?;
        if let Some(sink) = self.sink.as_mut().filter(|_| extent != Extent::Level) {
            sink.parts += 1;
        }
        let (records, steps) = (self.records.len(), self.path.len());
        // An archive of one's own may hand out the default.
        Ok(Window { extent: Some(extent), records, steps, ..window })
    }

    fn close(&mut self, window: Window, result: Result<()>) -> Result<()> {
        let (sized, is_elsewhere) = (window.is_sized(), window.is_elsewhere());
        let (records, steps) = (window.records, window.steps);
        let result = self.inner.close(window, result);
        if let Some(sink) = self.sink.as_mut().filter(|_| sized || is_elsewhere) {
            sink.parts = sink.parts.saturating_sub(1);
        }
        if (sized || is_elsewhere) && result.is_err() {
            self.records.truncate(records);
            self.path.truncate(steps);
        } else if is_elsewhere && self.sink.is_none() {
            self.elsewhere.extend(self.records.drain(records..));
        }
        result
    }

    fn patch(&mut self, at: u64, patch: Patch<'_>) -> Result<()> {
        if self.is_saving() {
            match patch {
                Patch::Bytes(bytes) => self.overwritten(at, bytes),
                Patch::MoveFrom(from) => self.moved(at, from),
            }
        }
        self.inner.patch(at, patch)
    }

    fn step(&mut self, step: Step<'_>) {
        match step {
            // Each value has a record of its own.
            Step::Fixed { .. } => return,
            Step::Leave => {
                self.path.pop();
                while self.roles.last().is_some_and(|(steps, _)| *steps > self.path.len()) {
                    self.roles.pop();
                }
            }
            Step::Note(meaning) => {
                let meaning = meaning(self.inner.context(), self.inner.versions());
                self.explain(meaning);
            }
            Step::Meaning(meaning) => self.explain(meaning.to_owned()),
            Step::Role(role) => self.assign(role),
            step => self.path.extend(step.entered(self.inner.context())),
        }
        // An archive that goes by fields must see them, too.
        self.inner.step(step);
    }

    annotate_numbers!(Integer: u8 as i128, i8 as i128, u16 as i128, i16 as i128, u32 as i128,
        i32 as i128, u64 as i128, i64 as i128);
    annotate_numbers!(Float: f32 as f64, f64 as f64);

    fn serialize_compact(&mut self, index: &mut CompactIndex) -> Result<()> {
        let start = self.position();
        self.inner.serialize_compact(index)?;
        let meaning = if index.is_canonical() { String::new() } else { "not canonical".to_owned() };
        self.record(start, "compact", RecordValue::Integer(index.value().into()), meaning);
        Ok(())
    }

    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
        let start = self.position();
        self.inner.serialize_terminated(span)?;
        let meaning = span
            .bytes(self.context().source())
            .map(|bytes| bytes.iter().copied().map(char::from).collect())
            .unwrap_or_default();
        self.record(start, "text", RecordValue::Span(Kind::Text), meaning);
        Ok(())
    }
}
