//! The archive that reads from a stream.

use std::fmt;
use std::io::{Read, Seek};
use std::sync::Arc;

use super::chunk::failed;
use super::source::StreamSource;
use super::values::StreamValues;
use crate::archive::loader::{BUDGET_PER_BYTE, DEPTH, default_budget};
use crate::archive::{
    Archive, ArchiveExt, Archived, CompactIndex, Context, Direction, Extent, Kind, Patch, Span,
    Step, Window,
};
use crate::error::{Error, ErrorKind, Result};
use crate::version::Versions;

/// Bytes that [`Archive::peek`] sees at least, if there are so many.
const AHEAD: usize = 256;
/// Bytes that are read ahead at most where neither a length nor a budget is known: a count of a stream without end could
/// ask for any number.
const MOST_AHEAD: u64 = 1 << 30;

/// Reads values from a stream, as a [`Loader`](crate::Loader) does from a slice: the same values, errors and limits.
///
/// Spans own their bytes. What a count promises is read ahead as far as it must be known to be there, and a value of
/// declared size is kept until it has been read, since it may fail; so memory is bounded by the largest value. A stream
/// that seeks ([`ReadLoader::seekable`]) needs neither, and follows offsets to any place; one that does not follows
/// them forward, and keeps what it passes over.
///
/// ```
/// use farchive::{Archived, Versions, archive::ReadLoader};
///
/// #[derive(Archived, Debug, Default, PartialEq)]
/// struct Entry {
///     time: u32,
///     text: String,
/// }
///
/// let log = b"\x01\0\0\0\x02\0\0\0hi\x02\0\0\0\x03\0\0\0bye";
/// let mut loader = ReadLoader::new(&log[..], Versions::own(1));
/// for entry in loader.values::<Entry>() {
///     let entry = entry?;
///     println!("{}: {}", entry.time, entry.text);
/// }
/// # Ok::<(), farchive::Error>(())
/// ```
pub struct ReadLoader<R> {
    source: StreamSource<R>,
    /// Whether the stream could not go back where it had to.
    is_lost: bool,
    big: bool,
    budget: Option<u64>,
    claimed: u64,
    depth: u32,
    deepest: u32,
    /// The end of what was read at places of its own.
    furthest: u64,
    versions: Versions,
    context: Arc<Context>,
}

impl<R: Read> ReadLoader<R> {
    /// Reads from where `reader` stands, which is the start of the file.
    pub fn new(reader: R, versions: Versions) -> Self {
        Self::over(StreamSource::new(reader, AHEAD), versions)
    }

    /// The same over a reader that seeks. Its length is that of the file, and offsets lead anywhere.
    ///
    /// # Errors
    /// `Io` when seeking fails.
    pub fn seekable(reader: R, versions: Versions) -> Result<Self>
    where
        R: Seek,
    {
        Ok(Self::over(StreamSource::seekable(reader, AHEAD).map_err(failed)?, versions))
    }

    fn over(source: StreamSource<R>, versions: Versions) -> Self {
        let context = Context::nothing();
        let (is_lost, budget, claimed, depth, furthest) = Default::default();
        let (big, deepest) = (versions.byte_order.is_big(), DEPTH);
        let mut loader = Self {
            source,
            is_lost,
            big,
            budget,
            claimed,
            depth,
            deepest,
            furthest,
            versions,
            context,
        };
        loader.source.fill(0);
        loader
    }

    /// The same with what is known about the file.
    #[must_use]
    pub fn with_context(mut self, context: Arc<Context>) -> Self {
        self.context = context;
        self
    }

    /// The same with so many bytes of memory that values may claim: see
    /// [`Loader::with_budget`](crate::Loader::with_budget). Set it for a stream that has no end and no trust.
    #[must_use]
    pub fn with_budget(mut self, bytes: u64) -> Self {
        self.budget = Some(bytes);
        self
    }

    /// The same with so many levels that values may nest, in place of 96.
    #[must_use]
    pub fn with_depth(mut self, levels: u32) -> Self {
        self.deepest = levels;
        self
    }

    /// The same with the number of bytes that the stream has, where it is known: what a count promises is not read
    /// ahead then.
    #[must_use]
    pub fn with_length(mut self, bytes: u64) -> Self {
        self.source.set_length(bytes);
        self
    }

    /// The same with so many bytes that stand ready for [`Archive::peek`], in place of 256. With 0 nothing is read
    /// before it is wanted: for streams on which an answer is waited for.
    ///
    /// It reads the first bytes: [`ReadLoader::waiting`] is without.
    #[must_use]
    pub fn with_ahead(mut self, bytes: usize) -> Self {
        self.source.set_ahead(bytes);
        self.source.fill(0);
        self
    }

    /// Reads nothing before it is wanted, and [`Archive::peek`] sees what happens to be there: for streams on which an
    /// answer is waited for.
    pub fn waiting(reader: R, versions: Versions) -> Self {
        Self::over(StreamSource::new(reader, 0), versions)
    }

    /// The values that follow, up to the end of the stream.
    pub fn values<T: Archived + Default>(&mut self) -> StreamValues<'_, R, T> {
        StreamValues::of(self)
    }

    /// The next value, or `None` at the end of the stream. It may claim as much memory as if it were alone.
    ///
    /// # Errors
    /// The value's own; `Io` when reading fails.
    pub fn next_value<T: Archived + Default>(&mut self) -> Result<Option<T>> {
        self.claimed = 0;
        if self.is_finished()? {
            return Ok(None);
        }
        let mut value = T::default();
        value.serialize(self)?;
        Ok(Some(value))
    }

    /// Whether nothing follows.
    ///
    /// # Errors
    /// `Io` when reading fails.
    pub fn is_finished(&mut self) -> Result<bool> {
        if self.is_lost {
            return Err(self.passed_on());
        }
        let is_finished = !self.source.has(1);
        match self.source.take_fault().filter(|_| is_finished) {
            Some(fault) => Err(failed(fault)),
            None => Ok(is_finished),
        }
    }

    /// Checks that nothing follows, also behind values at places of their own, and gives the reader back.
    ///
    /// # Errors
    /// `LeftOver`, where the first byte is that is left, with the bytes that are known to be; `Io` when reading fails.
    pub fn finish(mut self) -> Result<R> {
        if self.furthest > self.position() {
            self.go(self.furthest)?;
        }
        if self.is_finished()? {
            return Ok(self.source.reader);
        }
        let size = self.source.length().unwrap_or(self.source.seen());
        let left = size.saturating_sub(self.position());
        Err(self.error(ErrorKind::LeftOver { left, size }))
    }

    /// Shows bytes that were read.
    #[inline(never)]
    fn show(&mut self, start: u64, end: u64, take: &dyn Fn(&[u8])) {
        self.is_lost |= self.source.show(start, end, take).is_err();
    }

    /// Goes to a position that must be there.
    fn go(&mut self, to: u64) -> Result<()> {
        match self.source.go(to) {
            Ok(true) => Ok(()),
            Ok(false) => Err(self.passed_on()),
            Err(error) => Err(failed(error)),
        }
    }

    /// Goes to another place, and keeps the way back.
    fn go_to(&mut self, offset: u64) -> Result<()> {
        if let Some(length) = self.source.length().filter(|length| offset > *length) {
            return Err(self.error(ErrorKind::BadOffset { offset: offset as i64, length }));
        }
        let (start, limit) = (self.position(), self.source.limit());
        let (distance, most) = (offset.saturating_sub(start), self.budget.unwrap_or(MOST_AHEAD));
        if distance > most && !self.source.seeks() {
            return Err(self.error(ErrorKind::Budget { wanted: distance, left: most }));
        }
        self.source.hold();
        self.source.set_limit(self.source.length().unwrap_or(u64::MAX));
        let error = match self.source.go(offset) {
            Ok(true) => return Ok(()),
            Ok(false) if offset > start => {
                let length = self.source.seen();
                self.error(ErrorKind::BadOffset { offset: offset as i64, length })
            }
            Ok(false) => self.passed_on(),
            Err(error) => failed(error),
        };
        self.source.set_limit(limit);
        self.source.release();
        Err(error)
    }

    #[cold]
    #[inline(never)]
    fn passed_on(&self) -> Error {
        let reason = "the stream has passed on what is wanted here: give one that seeks \
                      (ReadLoader::seekable), or all bytes (Loader)";
        self.error(ErrorKind::Invalid { reason: reason.to_owned() })
    }

    #[cold]
    #[inline(never)]
    fn short(&mut self, needed: u64) -> Error {
        if self.is_lost {
            return self.passed_on();
        }
        if let Some(fault) = self.source.take_fault() {
            self.is_lost = true;
            return failed(fault);
        }
        let left = self.source.limit().saturating_sub(self.position());
        let remaining = match self.source.is_at_end() {
            true => left.min(self.source.rest().len() as u64),
            false => left,
        };
        self.error(ErrorKind::UnexpectedEnd { needed, remaining })
    }

    /// Copies bytes to `to`, as many as go there.
    #[inline(never)]
    fn read_to(&mut self, to: &mut [u8]) -> Result<()> {
        let needed = to.len() as u64;
        let start = self.position();
        if self.source.limit().saturating_sub(start) < needed {
            return Err(self.short(needed));
        }
        if self.source.read_to(to) {
            return Ok(());
        }
        Err(self.short_from(start, needed))
    }

    /// The end within a value, said as of a slice: where the value begins, with all that is left for it.
    #[cold]
    #[inline(never)]
    fn short_from(&mut self, start: u64, needed: u64) -> Error {
        let remaining = self.position() - start;
        let error = self.short(needed);
        match error.kind() {
            ErrorKind::UnexpectedEnd { .. } => {
                Error::new(ErrorKind::UnexpectedEnd { needed, remaining }, start, &self.versions)
            }
            _ => error,
        }
    }

    /// Bytes of a number, where more are to be read.
    #[cold]
    #[inline(never)]
    fn read<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.source.has(N);
        let Some(bytes) = self.source.rest().first_chunk().copied() else {
            return Err(self.short(N as u64));
        };
        self.source.pass(N);
        Ok(bytes)
    }

    /// The bytes that may be claimed, as far as they are known to be there.
    fn granted(&self) -> u64 {
        let known = self.source.length().unwrap_or(self.source.seen());
        self.budget.unwrap_or_else(|| default_budget(known))
    }

    /// The length of the stream is unknown: claimed bytes must be there, and are read ahead.
    fn read_ahead(&mut self, bytes: u64, wanted: u64) -> Result<u64> {
        let left = self.source.limit().saturating_sub(self.position());
        if bytes > left {
            return Ok(left);
        }
        let short = wanted.saturating_sub(self.granted());
        let most = match self.budget {
            Some(_) if short > 0 => return Ok(left),
            Some(budget) => budget,
            None => MOST_AHEAD,
        };
        let known = self.source.fill_beyond(0);
        let ahead = match short {
            0 => bytes,
            short => bytes.max(known.saturating_add(short / BUDGET_PER_BYTE + 1)),
        };
        let most = most.max(known);
        let there = self.source.fill_beyond(ahead.min(most));
        if ahead > most && there >= most {
            return Err(self.error(ErrorKind::Budget { wanted: ahead, left: most }));
        }
        Ok(there.min(left))
    }
}

impl<R> fmt::Debug for ReadLoader<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadLoader").field("depth", &self.depth).finish_non_exhaustive()
    }
}

macro_rules! read_numbers {
    ($($type:ty),*) => { paste::paste! { $(
        #[inline]
        fn [<serialize_ $type>](&mut self, value: &mut $type) -> Result<()> {
            let bytes = match self.source.take() {
                Some(bytes) => bytes,
                None => self.read()?,
            };
            *value = match self.big {
                true => $type::from_be_bytes(bytes),
                false => $type::from_le_bytes(bytes),
            };
            Ok(())
        }
    )* } };
}

impl<R: Read> Archive for ReadLoader<R> {
    #[inline(always)]
    fn direction(&self) -> Direction {
        Direction::Loading
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
        self.source.position()
    }

    #[inline]
    fn serialize_bytes(&mut self, bytes: &mut [u8]) -> Result<()> {
        let Some(head) = self.source.rest().get(..bytes.len()) else { return self.read_to(bytes) };
        bytes.copy_from_slice(head);
        self.source.pass(bytes.len());
        Ok(())
    }

    fn serialize_span(&mut self, span: &mut Span, length: u64, _: Kind) -> Result<()> {
        match self.reserve(length, length) {
            // As a loader says it of bytes, not of a count.
            Err(error) if matches!(error.kind(), ErrorKind::TooLong { .. }) => {
                return Err(self.short(length));
            }
            result => result?,
        }
        let mut bytes = vec![0; usize::try_from(length).map_err(|_| self.short(length))?];
        self.read_to(&mut bytes)?;
        *span = Span::owned(bytes);
        Ok(())
    }

    fn serialize_terminated(&mut self, span: &mut Span) -> Result<()> {
        let (start, mut text) = (self.position(), Vec::new());
        loop {
            if !self.source.has(1) {
                return Err(self.short_from(start, text.len() as u64 + 1));
            }
            let rest = self.source.rest();
            let end = memchr::memchr(0, rest);
            let taken = end.unwrap_or(rest.len());
            text.extend_from_slice(rest.get(..taken).unwrap_or_default());
            self.source.pass(taken + usize::from(end.is_some()));
            self.reserve(0, taken as u64)?;
            if end.is_some() {
                *span = Span::owned(text);
                return Ok(());
            }
        }
    }

    fn open(&mut self, extent: Extent) -> Result<Window> {
        if self.depth >= self.deepest {
            return Err(self.error(ErrorKind::TooDeep { limit: self.deepest }));
        }
        let window = Window::new(extent, self.position(), self.source.limit());
        match extent {
            Extent::Level => {}
            Extent::Size(size) => {
                let end = window.start.checked_add(size).filter(|end| *end <= window.end);
                let Some(end) = end else { return Err(self.short(size)) };
                // It is kept until it has been read: so it can be there before.
                if self.source.length().is_none() {
                    let there = self.source.fill_beyond(size.min(MOST_AHEAD));
                    if there < size.min(MOST_AHEAD) {
                        return Err(self.short(size));
                    }
                }
                self.source.set_limit(end);
                self.source.hold();
            }
            Extent::At(offset) => self.go_to(offset)?,
        }
        self.depth += 1;
        Ok(window)
    }

    fn close(&mut self, window: Window, mut result: Result<()>) -> Result<()> {
        self.depth -= 1;
        match window.extent {
            Some(Extent::Size(_)) => {
                let left = self.source.limit().saturating_sub(self.position());
                if result.is_ok() && left > 0 {
                    let size = self.source.limit() - window.start;
                    result = Err(self.error(ErrorKind::LeftOver { left, size }));
                }
            }
            Some(Extent::At(_)) if result.is_ok() => {
                self.furthest = self.furthest.max(self.position());
            }
            Some(Extent::At(_)) => {}
            Some(Extent::Level) | None => return result,
        }
        self.source.set_limit(window.end);
        if result.is_err() || window.is_elsewhere() {
            let back = self.go(window.start);
            self.is_lost |= back.is_err();
            // The error that is there says more than that there is no way back.
            result = result.and(back);
        }
        self.source.release();
        result
    }

    fn reserve(&mut self, bytes: u64, memory: u64) -> Result<()> {
        let wanted = self.claimed.saturating_add(memory);
        // Most claims are small, and what they are of has been read.
        if bytes <= self.source.there() && wanted <= self.granted() {
            self.claimed = wanted;
            return Ok(());
        }
        let remaining = match self.source.length() {
            Some(_) => self.source.limit().saturating_sub(self.position()),
            None => self.read_ahead(bytes, wanted)?,
        };
        if bytes > remaining {
            return Err(self.error(ErrorKind::TooLong { count: bytes, remaining }));
        }
        let granted = self.granted();
        if wanted > granted {
            let left = granted.saturating_sub(self.claimed);
            return Err(self.error(ErrorKind::Budget { wanted: memory, left }));
        }
        self.claimed = wanted;
        Ok(())
    }

    fn patch(&mut self, _: u64, _: Patch<'_>) -> Result<()> {
        Ok(())
    }

    // Nearly all steps are those of fields: what they are is known where they are made, and nothing is left of them.
    #[inline(always)]
    fn step(&mut self, step: Step<'_>) {
        match step {
            Step::Hold => self.source.hold(),
            Step::Release => self.source.release(),
            Step::Bytes { start, end, take, has_bytes } => {
                has_bytes.set(true);
                self.show(start, end, take);
            }
            _ => {}
        }
    }

    #[inline]
    fn peek(&self, length: usize) -> &[u8] {
        let rest = self.source.rest();
        &rest[..length.min(rest.len())]
    }

    fn as_dyn(&mut self) -> &mut dyn Archive {
        self
    }

    read_numbers!(u8, i8, u16, i16, u32, i32, u64, i64, f32, f64);

    #[inline]
    fn serialize_compact(&mut self, index: &mut CompactIndex) -> Result<()> {
        // Up to five bytes; the last ones of a file may be fewer.
        self.source.has(5);
        let Some((value, length)) = CompactIndex::decode(self.source.rest()) else {
            let needed = self.source.rest().len() as u64 + 1;
            return Err(self.short(needed));
        };
        *index = value;
        self.source.pass(length);
        Ok(())
    }
}
