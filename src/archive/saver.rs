//! The archive that writes.

mod buffer;
mod elsewhere;

use std::sync::Arc;

use super::loader::{DEPTH, default_budget};
use super::{
    Archive, ArchiveExt, CompactIndex, Context, Direction, Extent, Kind, Patch, Span, Step, Window,
};
use crate::error::{Error, ErrorKind, Result};
use crate::version::Versions;
use buffer::{Buffer, SHORT};
use elsewhere::Elsewhere;

/// Writes values into a buffer. Spans that are ranges are copied from the source of the context.
#[derive(Debug)]
pub struct Saver {
    out: Buffer,
    /// Values at places of their own; rare.
    elsewhere: Option<Box<Elsewhere>>,
    /// Position of the buffer's first byte, from the start of the file.
    base: u64,
    /// Whether values may stand before the first byte.
    is_sparse: bool,
    /// Bytes before that one that were written and handed on.
    handed_on: u64,
    big: bool,
    /// Bytes of memory that loading what was written may claim; `None` for what a loader allows by itself.
    budget: Option<u64>,
    /// The bytes that it may claim by what was written when they were last counted: most values never claim more.
    granted: u64,
    /// The bytes of them that are left: counting down, a list looks at one number.
    left: u64,
    depth: u32,
    /// Levels that values may nest.
    deepest: u32,
    versions: Versions,
    context: Arc<Context>,
}

impl Saver {
    /// Writes from the start of the file.
    pub fn new(versions: Versions) -> Self {
        let big = versions.byte_order.is_big();
        Self {
            out: Buffer::default(),
            elsewhere: None,
            base: 0,
            is_sparse: false,
            handed_on: 0,
            big,
            budget: None,
            granted: default_budget(0),
            left: default_budget(0),
            depth: 0,
            deepest: DEPTH,
            versions,
            context: Context::nothing(),
        }
    }

    /// The same with the source that spans are ranges of.
    #[must_use]
    #[inline]
    pub fn with_context(mut self, context: Arc<Context>) -> Self {
        self.context = context;
        self
    }

    /// The same into a buffer whose first byte stands at `base` bytes from the start of the file.
    #[must_use]
    #[inline]
    pub fn at(mut self, base: u64) -> Self {
        self.base = base;
        self
    }

    /// The same with room for `bytes` bytes.
    #[must_use]
    #[inline]
    pub fn with_capacity(mut self, bytes: usize) -> Self {
        self.out.bytes.reserve_exact(bytes);
        self
    }

    /// The same with so many bytes of memory that loading the values again may claim, in place of what a
    /// [`Loader`](super::Loader) allows by itself. It is looked at when lists are written, so that a default
    /// that grows with the file may refuse what later bytes would make room for.
    #[must_use]
    #[inline]
    pub fn with_budget(mut self, bytes: u64) -> Self {
        self.budget = Some(bytes);
        self.grant_anew();
        self
    }

    /// The same with so many levels that values may nest, as [`Loader::with_depth`](super::Loader::with_depth).
    #[must_use]
    #[inline]
    pub fn with_depth(mut self, levels: u32) -> Self {
        self.deepest = levels;
        self
    }

    /// Starts anew at `base` bytes from the start of the file: the room that was made stays.
    #[inline]
    pub fn restart(&mut self, base: u64) {
        self.base = base;
        self.depth = 0;
        self.grant_anew();
        self.out.truncate(0);
        (self.elsewhere, self.handed_on) = (None, 0);
    }

    /// Nothing is claimed yet.
    fn grant_anew(&mut self) {
        self.granted = self.budget.unwrap_or(default_budget(0));
        self.left = self.granted;
    }

    /// Claims memory beyond what was left by the bytes that were counted: those behind them grant some, too.
    #[cold]
    #[inline(never)]
    fn claim_more(&mut self, memory: u64) -> Result<()> {
        let written = match &self.elsewhere {
            None => self.out.len() as u64,
            Some(elsewhere) => elsewhere.furthest(self.position()) - elsewhere.base(self.base),
        };
        let written = self.handed_on + written;
        let granted = self.budget.unwrap_or_else(|| default_budget(written)).max(self.granted);
        let left = self.left.saturating_add(granted - self.granted);
        (self.granted, self.left) = (granted, left);
        match left.checked_sub(memory) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => Err(self.error(ErrorKind::Budget { wanted: memory, left })),
        }
    }

    /// Everything that has been written, up to the end of the value that stands furthest.
    #[inline]
    pub fn bytes(&mut self) -> &[u8] {
        match &mut self.elsewhere {
            None => self.out.written(),
            Some(elsewhere) => elsewhere.whole(self.out.written(), self.base),
        }
    }

    /// Everything that has been written, up to the end of the value that stands furthest.
    #[inline]
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.out.flush();
        match self.elsewhere {
            None => self.out.bytes,
            Some(elsewhere) => elsewhere.joined(self.out.bytes, self.base).0,
        }
    }

    /// The same, unless two values stand at the same bytes and do not agree in them.
    ///
    /// # Errors
    /// `Invalid`, with the first of these bytes.
    pub fn finish(mut self) -> Result<Vec<u8>> {
        self.out.flush();
        let Some(elsewhere) = self.elsewhere.take() else { return Ok(self.out.bytes) };
        let (bytes, conflict) = elsewhere.joined(std::mem::take(&mut self.out.bytes), self.base);
        match conflict {
            None => Ok(bytes),
            Some(at) => {
                let reason = "two values stand at this byte and differ in it: an offset leads \
                              into what another one has"
                    .to_owned();
                Err(Error::new(ErrorKind::Invalid { reason }, at, &self.versions))
            }
        }
    }

    /// Bytes that were written and not handed on.
    #[inline(always)]
    pub(super) fn pending(&self) -> usize {
        self.out.len()
    }

    /// The position of the first byte that was not handed on.
    pub(super) fn first(&self) -> u64 {
        self.elsewhere.as_ref().map_or(self.base, |elsewhere| elsewhere.base(self.base))
    }

    /// Whether a value stands at a place of its own, or goes there.
    pub(super) fn has_others(&self) -> bool {
        self.elsewhere.is_some()
    }

    /// Whether a value at a place of its own is being written.
    pub(super) fn is_elsewhere(&self) -> bool {
        self.elsewhere.as_ref().is_some_and(|elsewhere| elsewhere.is_open())
    }

    /// Values may stand before the first byte: they are handed on with their places.
    pub(super) fn allow_before(&mut self) {
        self.is_sparse = true;
    }

    /// Takes back what was written from `length` pending bytes on.
    pub(super) fn take_back(&mut self, length: usize) {
        self.out.truncate(length);
    }

    /// Hands on the bytes that are pending, with their position, and those at places of their own.
    pub(super) fn hand_on(&mut self, sink: &mut dyn FnMut(u64, &[u8]) -> Result<()>) -> Result<()> {
        let bytes = self.out.written();
        let length = bytes.len() as u64;
        if length > 0 {
            sink(self.base, bytes)?;
        }
        self.out.truncate(0);
        self.base += length;
        self.handed_on += length;
        match self.elsewhere.take() {
            Some(elsewhere) => elsewhere.hand_on(sink),
            None => Ok(()),
        }
    }

    /// Goes to another place, whose bytes go to a buffer of their own.
    #[cold]
    #[inline(never)]
    fn go_to(&mut self, offset: u64) -> Result<()> {
        let end = self.position();
        // What was handed on is out of reach, but where the one who took it can go back.
        if offset < self.first() && !self.is_sparse {
            return Err(self.error(ErrorKind::BadOffset { offset: offset as i64, length: end }));
        }
        // Bytes that no value writes are memory all the same.
        let furthest = self.elsewhere.as_ref().map_or(end, |elsewhere| elsewhere.furthest(end));
        self.reserve(0, offset.saturating_sub(furthest))?;
        let out = std::mem::take(&mut self.out);
        self.elsewhere.get_or_insert_default().suspend(out, self.base);
        self.base = offset;
        Ok(())
    }

    /// Goes back from another place.
    #[cold]
    #[inline(never)]
    fn go_back(&mut self, is_kept: bool) {
        let Some(elsewhere) = &mut self.elsewhere else { return };
        let Some((out, base)) = elsewhere.resume() else { return };
        let mut done = std::mem::replace(&mut self.out, out);
        if is_kept {
            elsewhere.keep(self.base, done.written());
        }
        self.base = base;
    }
}

/// The hot numbers, without the detour through `serialize_bytes`.
macro_rules! put_numbers {
    ($($type:ty),*) => { paste::paste! { $(
        #[inline(always)]
        fn [<serialize_ $type>](&mut self, value: &mut $type) -> Result<()> {
            if self.big {
                // A branch that is hardly ever taken costs less than swapping and choosing.
                self.out.put_reversed(value.to_le_bytes());
            } else {
                self.out.put(value.to_le_bytes());
            }
            Ok(())
        }
    )* } };
}

impl Archive for Saver {
    #[inline(always)]
    fn direction(&self) -> Direction {
        Direction::Saving
    }

    #[inline(always)]
    fn versions(&self) -> &Versions {
        &self.versions
    }

    fn set_versions(&mut self, versions: Versions) {
        self.big = versions.byte_order.is_big();
        self.versions = versions;
    }

    fn context(&self) -> &Arc<Context> {
        &self.context
    }

    #[inline(always)]
    fn position(&self) -> u64 {
        self.base + self.out.len() as u64
    }

    #[inline]
    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        self.out.put_slice(bytes);
        Ok(())
    }

    #[inline]
    fn save_bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.put_slice(bytes);
        Ok(())
    }

    #[inline]
    fn serialize_span(&mut self, span: &mut Span, _: u64, _: Kind) -> Result<()> {
        let source = self.context.source();
        match short_text(span, source) {
            Some((bytes, length)) => self.out.put_some(bytes, length),
            None => self.out.put_slice(span.bytes(source)?),
        }
        Ok(())
    }

    #[inline]
    fn open(&mut self, extent: Extent) -> Result<Window> {
        if self.depth >= self.deepest {
            return Err(self.error(ErrorKind::TooDeep { limit: self.deepest }));
        }
        if let Extent::At(offset) = extent {
            self.go_to(offset)?;
        }
        self.depth += 1;
        let kept = self.elsewhere.as_ref().map_or(0, |elsewhere| elsewhere.kept());
        Ok(Window::new(extent, self.out.len() as u64, kept))
    }

    #[inline]
    fn close(&mut self, window: Window, result: Result<()>) -> Result<()> {
        self.depth = self.depth.saturating_sub(1);
        if window.is_elsewhere() {
            self.go_back(result.is_ok());
        }
        if result.is_err() && (window.is_sized() || window.is_elsewhere()) {
            if window.is_sized() {
                self.out.truncate(window.start as usize);
            }
            if let Some(elsewhere) = &mut self.elsewhere {
                elsewhere.forget_from(window.end);
            }
        }
        result
    }

    #[inline]
    fn reserve(&mut self, _: u64, memory: u64) -> Result<()> {
        match self.left.checked_sub(memory) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => self.claim_more(memory),
        }
    }

    fn patch(&mut self, at: u64, patch: Patch<'_>) -> Result<()> {
        let from = at.checked_sub(self.base).and_then(|start| usize::try_from(start).ok());
        let behind = from.and_then(|start| self.out.from(start));
        let (done, end) = match patch {
            Patch::Bytes(bytes) => {
                let place = behind.and_then(|behind| behind.get_mut(..bytes.len()));
                let done = place.map(|place| place.copy_from_slice(bytes));
                (done, at.saturating_add(bytes.len() as u64))
            }
            Patch::MoveFrom(from) => {
                let first = from.checked_sub(at).and_then(|first| usize::try_from(first).ok());
                let both = behind.zip(first).filter(|(both, first)| *first <= both.len());
                (both.map(|(both, first)| both.rotate_left(first)), from)
            }
        };
        let done = match (done, patch, &mut self.elsewhere) {
            (None, Patch::Bytes(bytes), Some(elsewhere)) => elsewhere.patch(at, bytes),
            (done, ..) => done,
        };
        done.ok_or_else(|| {
            let length = self.position();
            self.error(ErrorKind::OutsideSource { start: at, end, length })
        })
    }

    #[inline(always)]
    fn step(&mut self, step: Step<'_>) {
        if let Step::Bytes { start, end, take, has_bytes } = step {
            has_bytes.set(true);
            let first = start.checked_sub(self.base).and_then(|start| usize::try_from(start).ok());
            let length = usize::try_from(end.saturating_sub(start)).ok();
            let behind = first.and_then(|first| self.out.from(first));
            let bytes = behind.zip(length).and_then(|(behind, length)| behind.get(..length));
            match (bytes, &self.elsewhere) {
                (Some(bytes), _) => take(bytes),
                (None, Some(elsewhere)) => _ = elsewhere.show(start, end, take),
                (None, None) => {}
            }
        }
    }

    fn as_dyn(&mut self) -> &mut dyn Archive {
        self
    }

    put_numbers!(u8, i8, u16, i16, u32, i32, u64, i64, f32, f64);

    #[inline(always)]
    fn serialize_compact(&mut self, index: &mut CompactIndex) -> Result<()> {
        let (bytes, length) = index.encode();
        self.out.put_some(&bytes, length);
        Ok(())
    }

    #[inline]
    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
        let bytes = span.bytes(self.context.source())?;
        if has_zero(bytes) {
            let reason = "a zero byte inside a text that ends at the first zero byte";
            return Err(self.error(ErrorKind::BadText { reason }));
        }
        self.out.put_slice(bytes);
        self.out.put([0]);
        Ok(())
    }
}

/// A short range of the source, with what follows it there up to a fixed length, and its own length.
#[inline(always)]
fn short_text<'a>(span: &Span, source: &'a [u8]) -> Option<(&'a [u8; SHORT], usize)> {
    let range = span.range()?;
    let start = usize::try_from(range.start).ok()?;
    let length = usize::try_from(range.end - range.start).ok().filter(|&length| length <= SHORT)?;
    Some((source.get(start..)?.first_chunk()?, length))
}

/// Not inlined: it may be long, and it writes nothing.
#[inline(never)]
fn has_zero(bytes: &[u8]) -> bool {
    bytes.contains(&0)
}
