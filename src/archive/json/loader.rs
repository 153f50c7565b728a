//! The archive that reads JSON.

mod leaf;

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::cursor::{Cursor, Leaf, bytes_of};
use super::{CHOICE, JsonTexts};
use crate::archive::loader::{BASE_BUDGET, BUDGET_PER_BYTE, PART_LIMIT};
use crate::archive::{
    Ahead, Archive, CompactIndex, Context, Counter, Direction, Kind, Patch, Reference, Span,
    Target, Window,
};
use crate::error::{Error, ErrorKind, Result};
use crate::primitive::{Name, PackageIndex};
use crate::version::Versions;

/// Reads values from the JSON that a [`super::JsonSaver`] wrote, edited or not.
///
/// With a size, everything is as strict as reading the bytes would be: values must fill it exactly, and so
/// every decision that loading takes by size falls as it fell for the bytes. Without one, sizes are not
/// looked at: what was edited may be longer or shorter.
pub struct JsonLoader<'a> {
    cursor: Cursor<'a>,
    /// The way to the value in its document.
    place: Arc<str>,
    counter: Counter,
    texts: &'a JsonTexts,
    /// Where the bytes would end, if that counts.
    end: Option<u64>,
    /// Length of the whole document.
    document: u64,
    budget: u64,
    depth: u32,
    /// Where positions stand that are the true ones.
    settled: HashSet<u64>,
    /// What to go back to, and where the bytes around end.
    windows: Vec<(Cursor<'a>, Counter, Option<u64>)>,
}

impl<'a> JsonLoader<'a> {
    /// Reads `value`, which stands at `position` bytes from the start of the file and takes `size` bytes
    /// there; `document` is the length of the whole document.
    pub fn new(
        value: &'a Value,
        (versions, context): (Versions, Arc<Context>),
        texts: &'a JsonTexts,
        (position, size): (u64, Option<u64>),
        document: u64,
    ) -> Self {
        Self {
            cursor: Cursor::new(value),
            place: Arc::default(),
            counter: Counter::new(versions).with_context(context).at(position),
            texts,
            end: size.map(|size| position.saturating_add(size)),
            document,
            budget: BASE_BUDGET.saturating_add(document.saturating_mul(BUDGET_PER_BYTE)),
            depth: 0,
            settled: HashSet::new(),
            windows: Vec::new(),
        }
    }

    /// The same for a value that stands at `place` in its document, which errors name.
    #[must_use]
    pub fn at(mut self, place: &str) -> Self {
        self.place = place.into();
        self
    }

    /// The way to the leaf that was taken last.
    fn path(&self) -> String {
        let mut path = self.place.to_string();
        self.cursor.append_path(&mut path);
        path
    }

    /// Says what reading the value came to: everything must have been read.
    ///
    /// # Errors
    /// The value's own, with its place in the document; `Invalid` when values are left over.
    pub fn finish(mut self, result: Result<()>) -> Result<()> {
        result.map_err(|error| self.located(error))?;
        match self.cursor.next() {
            None => Ok(()),
            Some(leaf) => Err(self.unexpected(&leaf, "the end")),
        }
    }

    /// An error that says where in the document, which is what people look into.
    #[cold]
    pub(super) fn failure(&self, kind: ErrorKind) -> Error {
        Error::new(kind, self.position(), self.versions()).in_document(self.path())
    }

    /// The same of an error that a value has found.
    #[cold]
    fn located(&self, error: Error) -> Error {
        if error.is_in_document() { error } else { error.in_document(self.path()) }
    }

    /// One level deeper.
    fn descend(&mut self) -> Result<()> {
        if self.depth >= PART_LIMIT {
            return Err(self.failure(ErrorKind::TooDeep { limit: PART_LIMIT }));
        }
        self.depth += 1;
        Ok(())
    }

    fn remaining(&self) -> u64 {
        self.end.map_or(self.document, |end| end.saturating_sub(self.position()))
    }

    /// After a value was read: the place behind it.
    fn pass(&mut self, inner: impl FnOnce(&mut Counter) -> Result<()>) -> Result<()> {
        inner(&mut self.counter)?;
        match self.end {
            Some(end) if self.position() > end => {
                let needed = self.position() - end;
                Err(self.failure(ErrorKind::UnexpectedEnd { needed, remaining: 0 }))
            }
            _ => Ok(()),
        }
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
            self.pass(|counter| counter.[<serialize_ $type>](value))
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
        let mut filled = 0;
        while filled < bytes.len() {
            let leaf = self.leaf()?;
            let stored = match bytes_of(&leaf).filter(|stored| !stored.is_empty()) {
                Some(stored) => stored,
                None => return Err(self.unexpected(&leaf, "bytes")),
            };
            let count = stored.len().min(bytes.len() - filled);
            bytes[filled..filled + count].copy_from_slice(&stored[..count]);
            filled += count;
            self.cursor.back(stored.slice(count..));
        }
        self.pass(|counter| counter.serialize_bytes(bytes))
    }

    fn serialize_span(&mut self, span: &mut Span, length: u64, kind: Kind) -> Result<()> {
        *span = match self.span_bytes(length, kind)? {
            bytes if bytes.is_empty() => Span::default(),
            bytes => Span::owned(&*bytes),
        };
        self.pass(|counter| counter.serialize_span(span, length, kind))
    }

    fn reference(&mut self, reference: Reference<'_>) -> Result<()> {
        let Reference { space, target } = reference;
        let Target::Row { row, width, mut number } = target else { return Ok(()) };
        if *space == Name::SPACE || number.is_some() {
            let (found, beside) = self.name()?;
            *row = found;
            match &mut number {
                Some(number) => **number = beside,
                None if beside != 0 => return Err(self.failure(ErrorKind::NotInVersion)),
                None => {}
            }
        } else if *space == PackageIndex::SPACE {
            *row = self.object()?;
        } else {
            *row = self.index()?;
        }
        let target = Target::Row { row, width, number };
        self.pass(|counter| counter.reference(Reference { space, target }))
    }

    fn open(&mut self, size: Option<u64>) -> Result<Window> {
        let Some(size) = size else {
            self.descend()?;
            return Ok(Window::default());
        };
        if self.end.is_some() && size > self.remaining() {
            let remaining = self.remaining();
            return Err(self.failure(ErrorKind::UnexpectedEnd { needed: size, remaining }));
        }
        self.descend()?;
        self.windows.push((self.cursor.clone(), self.counter.clone(), self.end));
        self.end = self.end.map(|_| self.position() + size);
        Ok(Window { sized: true, ..Window::default() })
    }

    fn close(&mut self, window: Window, result: Result<()>) -> Result<()> {
        self.depth -= 1;
        let result = result.map_err(|error| self.located(error));
        if !window.sized {
            return result;
        }
        let Some((cursor, counter, end)) = self.windows.pop() else { return result };
        let result = result.and_then(|()| match self.end.map_or(0, |_| self.remaining()) {
            0 => Ok(()),
            left => {
                let size = self.position() - counter.position() + left;
                Err(self.failure(ErrorKind::LeftOver { left, size }))
            }
        });
        if result.is_err() {
            (self.cursor, self.counter) = (cursor, counter);
        }
        self.end = end;
        result
    }

    fn ahead_number(&self, before: &[usize], width: usize) -> Option<u64> {
        if self.remaining() < (before.iter().sum::<usize>() + width) as u64 {
            return None;
        }
        let mut ahead = self.cursor.clone();
        for _ in before {
            ahead.next()?;
        }
        let leaf = ahead.next()?;
        let number = ahead.integer(&leaf, self.versions())?;
        // As the bytes would say it.
        let bits = 8 * u32::try_from(width).ok().filter(|width| (1..=8).contains(width))?;
        Some(number as u64 & u64::MAX >> (64 - bits))
    }

    fn is_settled(&self, at: u64) -> bool {
        self.settled.contains(&at)
    }

    fn claim(&mut self, count: u64, element: usize) -> Result<()> {
        let remaining = self.remaining();
        if count > remaining || element == 0 && count > 0 && self.cursor.peek().is_none() {
            return Err(self.failure(ErrorKind::TooLong { count, remaining }));
        }
        let wanted = count.saturating_mul(element as u64);
        if wanted > self.budget {
            return Err(self.failure(ErrorKind::Budget { wanted, left: self.budget }));
        }
        self.budget -= wanted;
        Ok(())
    }

    fn patch(&mut self, _: u64, _: Patch<'_>) -> Result<()> {
        Ok(())
    }

    fn as_dyn(&mut self) -> &mut dyn Archive {
        self
    }

    fn states(&self) -> bool {
        true
    }

    fn choose(&mut self, choice: &mut u8) -> Result<()> {
        *choice = 0;
        if let Some((leaf @ Leaf::Json(value), _)) = self.cursor.peek()
            && let Some(stated) = value.get(CHOICE)
        {
            let stated = stated.as_u64().and_then(|stated| u8::try_from(stated).ok());
            *choice = stated.ok_or_else(|| self.unexpected(&leaf, "a small number"))?;
            self.cursor.next();
        }
        Ok(())
    }

    fn ahead(&self) -> Option<Ahead> {
        Some(self.cursor.ahead())
    }

    integers!(u8, i8, u16, i16, u32, i32, u64, i64);

    fn serialize_f32(&mut self, value: &mut f32) -> Result<()> {
        *value = match self.float()? {
            Ok(number) => number as f32,
            Err(bits) => f32::from_bits(bits as u32),
        };
        self.pass(|counter| counter.serialize_f32(value))
    }

    fn serialize_f64(&mut self, value: &mut f64) -> Result<()> {
        *value = self.float()?.unwrap_or_else(f64::from_bits);
        self.pass(|counter| counter.serialize_f64(value))
    }

    fn serialize_compact(&mut self, index: &mut CompactIndex) -> Result<()> {
        *index = self.index()?;
        self.pass(|counter| counter.serialize_compact(index))
    }

    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
        let leaf = self.leaf()?;
        let bytes = bytes_of(&leaf).filter(|bytes| !bytes.contains(&0));
        let bytes = bytes.ok_or_else(|| self.unexpected(&leaf, "characters"))?;
        *span = Span::owned(&*bytes);
        self.pass(|counter| counter.serialize_terminated(span))
    }
}
