//! The archive that reads JSON.

use std::fmt;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::JsonTexts;
use super::fold::escaped;
use super::frame::{Frame, Node};
use super::keys::bytes_of;
use crate::archive::loader::{DEPTH, default_budget};
use crate::archive::{
    Archive, CompactIndex, Context, Counter, Direction, Extent, Keyed, Kind, Patch, Reference,
    Span, Step, Target, Window,
};
use crate::error::{Error, ErrorKind, PathStep, Result};
use crate::version::Versions;

/// Reads values from the JSON that a [`super::JsonSaver`] wrote, edited or not.
///
/// Each step of a value is looked up by its key. Sizes are not looked at, except where the value itself stores
/// one: what was edited may be longer or shorter.
pub struct JsonLoader<'a> {
    /// The open steps, then those that were open before and name the place of an error.
    pub(super) frames: Vec<Frame<'a>>,
    pub(super) depth: usize,
    /// The path to the value in its document.
    place: Arc<str>,
    /// Where the bytes would stand.
    counter: Counter,
    pub(super) texts: &'a dyn JsonTexts,
    /// Fields that may be left out, and what they say then.
    usual: Option<&'a Map<String, Value>>,
    /// Length of the whole document.
    document: u64,
    budget: u64,
    nesting: u32,
    /// The fault that a step has found: steps return nothing.
    pub(super) fault: Option<Error>,
    /// Whether values stand as people read them, where they say how.
    readable: bool,
    /// Names that the next number may have.
    pub(super) names: Option<Vec<(&'static str, i64)>>,
    /// Whether the next number is a truth value.
    pub(super) is_truth: bool,
    /// The state to go back to: the steps from there on, and how many were open.
    windows: Vec<(Vec<Frame<'a>>, usize, Window)>,
}

impl<'a> JsonLoader<'a> {
    /// Reads `value`, which stands at `position` bytes from the start of the file; `document` is the length
    /// of the whole document.
    pub fn new(
        value: &'a Value,
        (versions, context): (Versions, Arc<Context>),
        texts: &'a dyn JsonTexts,
        position: u64,
        document: u64,
    ) -> Self {
        Self {
            frames: vec![Frame::new(None, Node::Json(value))],
            depth: 1,
            place: Arc::default(),
            counter: Counter::new(versions).with_context(context).at(position),
            texts,
            usual: None,
            document,
            budget: default_budget(document),
            nesting: 0,
            fault: None,
            readable: false,
            names: None,
            is_truth: false,
            windows: Vec::new(),
        }
    }

    /// The same in the form that people read: see [`JsonSaver::readable`](super::JsonSaver::readable).
    #[must_use]
    pub fn readable(self) -> Self {
        Self { readable: true, ..self }
    }

    /// The same for a value that stands at `place` in its document, which errors name.
    #[must_use]
    pub fn at(mut self, place: &str) -> Self {
        self.place = place.into();
        self
    }

    /// The same where these fields may be left out, with what they say then.
    #[must_use]
    pub fn with_usual(mut self, fields: &'a Map<String, Value>) -> Self {
        self.usual = Some(fields).filter(|fields| !fields.is_empty());
        self
    }

    /// The path to the innermost of these steps.
    fn path(&self, frames: &[Frame<'a>]) -> String {
        let mut path = self.place.to_string();
        let frames: Vec<_> = frames.iter().filter(|frame| !frame.is_around).collect();
        for (at, frame) in frames.iter().enumerate() {
            frame.append_to(&mut path, frames.get(at + 1).copied());
        }
        path
    }

    /// Says what reading the value came to: everything must have been read.
    ///
    /// # Errors
    /// The value's own, with its place in the document; `Invalid` when values are left over.
    pub fn finish(mut self, result: Result<()>) -> Result<()> {
        self.outcome(result)?;
        self.depth = 1;
        self.leave();
        self.outcome(Ok(()))
    }

    /// The result of a value, with the faults that steps have found.
    fn outcome(&mut self, result: Result<()>) -> Result<()> {
        match (result, self.fault.take()) {
            (Ok(()), None) => Ok(()),
            (Ok(()), Some(fault)) => Err(fault),
            (Err(error), _) if error.is_in_document() => Err(error),
            (Err(error), _) => Err(error.in_document(self.path(&self.frames))),
        }
    }

    /// An error that says where in the document, which is what people look into.
    #[cold]
    pub(super) fn failure(&self, kind: ErrorKind) -> Error {
        let path = self.path(self.frames.get(..self.depth).unwrap_or_default());
        Error::new(kind, self.position(), self.versions()).in_document(path)
    }

    #[cold]
    pub(super) fn invalid(&self, reason: String) -> Error {
        self.failure(ErrorKind::Invalid { reason })
    }

    /// The place of the value that is being read, steps that belong to what is around left out.
    fn place(&self) -> usize {
        let open = self.frames.get(..self.depth).unwrap_or_default();
        open.iter().rposition(|frame| !frame.is_around).unwrap_or_default()
    }

    pub(super) fn top(&mut self) -> &mut Frame<'a> {
        let place = self.place();
        // There is always the first one.
        &mut self.frames[place]
    }

    fn enter(&mut self, frame: Frame<'a>) {
        self.frames.truncate(self.depth);
        self.frames.push(frame);
        self.depth += 1;
    }

    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        let Some(frame) = self.frames.get_mut(self.depth) else { return };
        if frame.is_around {
            return;
        }
        let counted = if self.depth > 0 { frame.counted() } else { None };
        let left = frame.left();
        if let Some(reason) = left.filter(|_| self.fault.is_none()) {
            self.depth += 1;
            self.fault = Some(self.invalid(reason));
            self.depth -= 1;
        }
        if let Some(counted) = counted
            && !self.top().take_over(counted)
        {
            let reason = "more elements than their count says".to_owned();
            self.fault.get_or_insert(self.invalid(reason));
        }
    }

    /// Where keys say what bytes say otherwise.
    fn keyed(&mut self, said: Keyed<'_>) {
        match said {
            Keyed::Keys(keys) => keys.set(self.top().keys()),
            Keyed::Follows(length) => self.counter.pass(length),
            Keyed::Zero => _ = self.top().is_null(),
            Keyed::Elements(answer) => answer.set(Some(self.top().elements_ahead())),
            Keyed::Text(_, answer) if self.readable => answer.set(self.readable_text()),
            Keyed::Number(number, answered) if self.readable && self.fault.is_none() => {
                match self.integer() {
                    Ok(read) => {
                        number.set(read);
                        answered.set(true);
                    }
                    Err(error) => self.fault = Some(error),
                }
            }
            Keyed::Truth => self.is_truth = self.readable,
            Keyed::Optional if self.readable => {
                self.needs_value();
                self.top().optional();
            }
            Keyed::Variant(names) if self.readable => {
                self.needs_value();
                self.top().variant();
                self.names = Some(names.to_vec());
            }
            Keyed::Derived(answer) => answer.set(self.readable),
            _ => {}
        }
    }

    /// A value without anything in its place: the error names it, not its first part.
    fn needs_value(&mut self) {
        if self.fault.is_none() && self.top().lacks_value() {
            self.fault = Some(self.missing());
        }
    }

    /// The text that comes next; the fault of something else is found with the bytes that the value asks for then.
    fn readable_text(&mut self) -> Option<String> {
        if self.fault.is_some() {
            return None;
        }
        let text = self.leaf().and_then(|leaf| match leaf.as_str() {
            Some(text) => Ok(text.to_owned()),
            None => Err(self.unexpected(&leaf, "a text")),
        });
        text.map_err(|error| self.fault = Some(error)).ok()
    }

    /// A form that no byte says: its key, or the usual one.
    fn form(&mut self, name: &'static str, words: &[&str]) -> Option<i64> {
        let (texts, place) = (self.texts, self.place());
        if self.frames[place].are_elements(name) {
            return Some(0);
        }
        let Node::Json(value) =
            self.frames[place].take(name.into(), texts, self.counter.versions())
        else {
            return Some(0);
        };
        let number = match value {
            Value::String(word) => words.iter().position(|known| known == word).map(|at| at as i64),
            value => value.as_i64(),
        };
        if number.is_none() && self.fault.is_none() {
            let reason = format!("'{name}' is {value}, not one of {words:?}");
            self.fault = Some(self.invalid(reason));
        }
        number
    }
}

impl fmt::Debug for JsonLoader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonLoader").field("position", &self.position()).finish_non_exhaustive()
    }
}

macro_rules! integers {
    ($($type:ty),*) => { paste::paste! { $(
        fn [<serialize_ $type>](&mut self, value: &mut $type) -> Result<()> {
            let number = self.integer()?;
            let bits = $type::BITS;
            *value = $type::try_from(number)
                .map_err(|_| self.failure(ErrorKind::OutOfRange { value: number, bits }))?;
            self.counter.[<serialize_ $type>](value)
        }
    )* } };
}

impl Archive for JsonLoader<'_> {
    fn direction(&self) -> Direction {
        Direction::Loading
    }

    fn versions(&self) -> &Versions {
        self.counter.versions()
    }

    fn set_versions(&mut self, versions: Versions) {
        self.counter.set_versions(versions);
    }

    fn context(&self) -> &Arc<Context> {
        self.counter.context()
    }

    fn position(&self) -> u64 {
        self.counter.position()
    }

    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let leaf = self.leaf()?;
        match bytes_of(&leaf) {
            Some(stored) if stored.len() == bytes.len() => bytes.copy_from_slice(&stored),
            _ => return Err(self.unexpected(&leaf, &format!("{} bytes", bytes.len()))),
        }
        self.counter.serialize_bytes(bytes)
    }

    fn serialize_span(&mut self, span: &mut Span, length: u64, kind: Kind) -> Result<()> {
        *span = match self.span_bytes(length, kind)? {
            bytes if bytes.is_empty() && kind != Kind::Text => Span::default(),
            bytes => Span::owned(bytes),
        };
        self.counter.serialize_span(span, length, kind)
    }

    fn reference(&mut self, reference: Reference<'_>) -> Result<()> {
        let Reference { space, target } = reference;
        let Target::Row { row, width, mut number } = target else { return Ok(()) };
        let (found, beside) = self.row(space)?;
        *row = found;
        match &mut number {
            Some(number) => **number = beside,
            None if beside != 0 => return Err(self.failure(ErrorKind::NotInVersion)),
            None => {}
        }
        self.counter.reference(Reference { space, target: Target::Row { row, width, number } })
    }

    fn open(&mut self, extent: Extent) -> Result<Window> {
        if self.nesting >= DEPTH {
            return Err(self.failure(ErrorKind::TooDeep { limit: DEPTH }));
        }
        self.nesting += 1;
        if extent != Extent::Level {
            let steps = self.frames.get(self.place()..self.depth).unwrap_or_default().to_vec();
            let counted = self.counter.open(extent)?;
            self.windows.push((steps, self.depth, counted));
        }
        Ok(Window::new(extent, 0, 0))
    }

    fn close(&mut self, window: Window, result: Result<()>) -> Result<()> {
        self.nesting -= 1;
        if matches!(window.extent(), Some(Extent::Level) | None) {
            return result;
        }
        let result = self.outcome(result);
        let Some((steps, depth, counted)) = self.windows.pop() else { return result };
        let result = self.counter.close(counted, result);
        if result.is_err() {
            self.frames.truncate(depth - steps.len());
            self.frames.extend(steps);
            self.depth = depth;
        }
        result
    }

    fn reserve(&mut self, bytes: u64, memory: u64) -> Result<()> {
        let remaining = self.document;
        if bytes > remaining {
            return Err(self.failure(ErrorKind::TooLong { count: bytes, remaining }));
        }
        if memory > self.budget {
            return Err(self.failure(ErrorKind::Budget { wanted: memory, left: self.budget }));
        }
        self.budget -= memory;
        Ok(())
    }

    fn patch(&mut self, _: u64, _: Patch<'_>) -> Result<()> {
        Ok(())
    }

    fn as_dyn(&mut self) -> &mut dyn Archive {
        self
    }

    fn step(&mut self, step: Step<'_>) {
        let step = match step {
            Step::Leave | Step::Part(None) => return self.leave(),
            Step::Row { .. } => return self.enter(Frame::around()),
            Step::Keyed(said) => return self.keyed(said),
            Step::Form { name, words, number } => return number.set(self.form(name, words)),
            Step::Part(Some(name)) => PathStep::Field(name),
            step => match step.entered(self.context()) {
                Some(step) => step,
                None => return,
            },
        };
        let (texts, place) = (self.texts, self.place());
        let (around, versions) = (&mut self.frames[place], self.counter.versions());
        let node = match &step {
            PathStep::Index(index) => around.element(*index),
            PathStep::Field(name) => match around.take((*name).into(), texts, versions) {
                Node::Missing => self.usual.and_then(|usual| usual.get(*name)).into(),
                node => node,
            },
            PathStep::Name(name) => around.take(escaped(name), texts, versions),
        };
        self.enter(Frame::new(Some(step), node));
    }

    integers!(u8, i8, u16, i16, u32, i32, u64, i64);

    fn serialize_f32(&mut self, value: &mut f32) -> Result<()> {
        *value = match self.float()? {
            Ok(number) => number as f32,
            Err(bits) => f32::from_bits(bits as u32),
        };
        self.counter.serialize_f32(value)
    }

    fn serialize_f64(&mut self, value: &mut f64) -> Result<()> {
        *value = self.float()?.unwrap_or_else(f64::from_bits);
        self.counter.serialize_f64(value)
    }

    fn serialize_compact(&mut self, index: &mut CompactIndex) -> Result<()> {
        *index = self.index()?;
        self.counter.serialize_compact(index)
    }

    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
        let leaf = self.leaf()?;
        let bytes = bytes_of(&leaf).filter(|bytes| !bytes.contains(&0));
        let bytes = bytes.ok_or_else(|| self.unexpected(&leaf, "characters"))?;
        *span = Span::owned(bytes);
        self.counter.serialize_terminated(span)
    }
}
